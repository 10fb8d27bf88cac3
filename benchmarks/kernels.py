"""Core for core: the Numba kernels against NumPy vectorised over runs, and against C."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import c_kernel, numpy_baseline
from benchmarks.cases import CASES, K, TimedCase
from benchmarks.clock import race
from reucb.engine import run_block
from reucb.simulation import recorded_rounds


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """One row per policy: nanoseconds per round of every contender, and the ratios."""
    for case in CASES:
        horizon, runs = 10_000, 100 if quick else 1_000
        yield {
            "policy": case.name,
            "n_arms": K,
            **_against_numpy(case, horizon, runs),
            **_against_c(case, horizon, runs // (1 if quick else 5), quick),
        }


def _against_numpy(case: TimedCase, horizon: int, runs: int) -> dict[str, Any]:
    if case.slow:
        horizon = 500
    work = (case.bandit, case.policy, horizon, recorded_rounds(horizon, 200), 0, 0, runs)
    _warm(case)
    seconds = race(
        {"numba": partial(run_block, *work), "numpy": partial(numpy_baseline.run_block, *work, fast=True)}, 2
    )
    unit = 1e9 / (horizon * runs)
    return {
        "horizon": horizon,
        "runs": runs,
        "numba_ns": seconds["numba"] * unit,
        "numpy_ns": seconds["numpy"] * unit,
        "numpy_over_numba": seconds["numpy"] / seconds["numba"],
    }


def _against_c(case: TimedCase, horizon: int, runs: int, quick: bool) -> dict[str, Any]:
    """The faster of grouped and dense C, against the engine, on the reference work."""
    if c_kernel.compiler() is None or not c_kernel.supported(case.policy, K):
        return {"c_ns": None, "numba_over_c": None}
    work = (case.bandit, case.policy, horizon, recorded_rounds(horizon, 200), 0, 0, runs)
    c_kernel.run_block(*work[:6], 1)
    seconds = race(
        {
            "numba": partial(run_block, *work),
            "grouped": partial(c_kernel.run_block, *work),
            "dense": partial(c_kernel.run_block, *work, grouped=False),
        },
        2 if quick else 3,
    )
    c = min(seconds["grouped"], seconds["dense"])
    return {
        "c_ns": c * 1e9 / (horizon * runs),
        "c_form": "grouped" if c == seconds["grouped"] else "dense",
        "numba_over_c": seconds["numba"] / c,
    }


def _warm(case: TimedCase) -> None:
    """Compile, or load from the cache, before the clock runs."""
    run_block(case.bandit, case.policy, K + 1, np.array([K + 1]), 0, 0, 1)
