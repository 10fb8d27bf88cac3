"""Bandit libraries from PyPI, each in a throwaway environment, against the engine on the same problem."""

from __future__ import annotations

import json
import subprocess
import tempfile
import venv
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.cases import CASES
from benchmarks.clock import race
from reucb.engine import run_block

# what to install for each: the last release, with dependencies old enough where it has not kept up with them
REQUIREMENTS = {
    "mabwiser": ["mabwiser"],
    "river": ["river"],
    "pymab": ["pymab"],
    "SMPyBandits": ["SMPyBandits", "numpy<2", "scipy<1.12", "numba", "tqdm"],
}
SECONDS = 900


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """Rounds per second of our UCB1 and of each library that installs; why not, for one that does not."""
    case = next(case for case in CASES if case.name == "UCB1")
    runs = 20 if quick else 200
    work = partial(run_block, case.bandit, case.policy, 10_000, np.array([10_000]), 0, 0, runs)
    work()
    ours = 10_000 * runs / race({"ours": work}, 3)["ours"]
    yield {"library": "reucb", "rounds_per_second": ours, "reucb_over_it": 1.0, "differs": ""}
    for name in REQUIREMENTS:
        yield {"library": name, **_of(name, ours)}


def _of(name: str, ours: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder) / "bin" / "python"
        try:
            venv.create(folder, with_pip=True)
            subprocess.run(
                [python, "-m", "pip", "install", "-q", *REQUIREMENTS[name]],
                check=True,
                capture_output=True,
                text=True,
                timeout=SECONDS,
            )
            done = subprocess.run(
                [python, str(Path(__file__).with_name("library_worker.py")), name],
                check=True,
                capture_output=True,
                text=True,
                timeout=SECONDS,
                cwd=folder,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"not done after {SECONDS} s"}
        except (subprocess.CalledProcessError, OSError) as error:
            said = str(getattr(error, "stderr", "") or error).strip().splitlines()
            return {"error": said[-1] if said else str(error)}
    found: dict[str, Any] = json.loads(done.stdout)
    return {**found, "reucb_over_it": ours / found["rounds_per_second"]}
