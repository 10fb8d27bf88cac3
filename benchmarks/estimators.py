"""A round of ReUCB by variance estimator: what a likelihood costs against running sums of squares."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import reucb
from benchmarks.cases import gaussian_bandit
from benchmarks.clock import race
from reucb.engine import run_block
from reucb.variance import METHODS

ARMS = (10, 50, 1_000, 100_000)
ROUNDS = 10_000


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """Nanoseconds per round after every arm was pulled once, and the ratio to "moments".

    The goal for "reml" is 4 at 50 arms and 10 at 100,000.
    """
    for n_arms in ARMS[1::2] if quick else ARMS:
        runs = max(1, min(5 if quick else 20, 200_000 // (n_arms + ROUNDS)))
        bandit = gaussian_bandit(n_arms)

        def block(method: str, horizon: int, bandit: Any = bandit, runs: int = runs) -> Any:
            return run_block(bandit, reucb.ReUCB(method=method), horizon, np.array([horizon]), 0, 0, runs)

        block("moments", n_arms + 1)
        horizons = (n_arms, n_arms + ROUNDS)
        seconds = race({f"{m} {h}": partial(block, m, h) for m in METHODS for h in horizons}, 3 if quick else 5)
        ns = {m: (seconds[f"{m} {horizons[1]}"] - seconds[f"{m} {n_arms}"]) * 1e9 / (ROUNDS * runs) for m in METHODS}
        for method in METHODS:
            yield {
                "n_arms": n_arms,
                "method": method,
                "ns": ns[method],
                "over_moments": ns[method] / ns["moments"],
            }
