"""Cold start: a policy on an empty Numba cache, over importing numba and scipy.stats and compiling one line."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from statistics import median
from typing import Any

ONE_LINE = """
import numba, scipy.stats
@numba.njit
def f(x): return x + 1.0
f(1.0)
"""
SIMULATE = """
import scipy.stats, reucb
bandit = reucb.Bandit(n_arms=50, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
reucb.simulate(bandit, reucb.{policy}, horizon=100, runs=2, executor=1)
"""
AGENT = """
import scipy.stats, reucb
agent = reucb.{policy}.start(n_arms=50, seed=0)
agent.update(agent.select(), 1.0)
"""
POLICIES = ("ReUCB()", "ReUCB(sigma0_sq=0.04, sigma_sq=0.25)", "UCB1(sigma_sq=0.25)")


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """CPU seconds of fresh processes that take turns, and their ratio to the one-line kernel's; the goal is 4.

    Medians, not minima: the one-line kernel has more turns than each other, and the least of more turns is lower.
    """
    codes = {
        (policy, what): code.format(policy=policy)
        for policy in (POLICIES[:1] if quick else POLICIES)
        for what, code in (("simulate", SIMULATE), ("agent", AGENT))
    }
    one_line: list[float] = []
    seconds: dict[tuple[str, str], list[float]] = {key: [] for key in codes}
    for _ in range(1 if quick else 5):
        for key, code in codes.items():
            one_line.append(_cpu(ONE_LINE))
            seconds[key].append(_cpu(code))
    for (policy, what), found in seconds.items():
        middle = median(found)
        yield {"policy": policy, "what": what, "seconds": middle, "over_one_line": middle / median(one_line)}


def _cpu(code: str) -> float:
    """CPU seconds of the code in a fresh interpreter with an empty cache."""
    report = code + "\nimport time; print(time.process_time())"
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", report],
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
            capture_output=True,
            text=True,
            check=True,
        )
    return float(done.stdout.split()[-1])
