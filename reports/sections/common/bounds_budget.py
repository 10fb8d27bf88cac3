"""The settings of the bounds report as plain data: a quick budget and the paper's size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reports.core.jobs import Budget

ERROR = 1e-3  # probability that any test of the whole sweep raises a false alarm


@dataclass(frozen=True)
class SweepBudget:
    """Gaussian cells (sigma = 1, sigma0 = spread) and bounded ones; every combination is simulated."""

    a: tuple[float, ...]
    n_arms: tuple[int, ...]
    spread: tuple[float, ...]
    horizon: int
    runs: int
    bounded_arms: tuple[int, ...]


@dataclass(frozen=True)
class CurveBudget:
    """The picture of the first screen: Fig. 1(a) of the paper, K = 50, sigma0 = 0.2, sigma = 0.5."""

    n_arms: int
    sigma0: float
    sigma: float
    mu0: float
    a: tuple[float, ...]
    horizon: int
    runs: int
    slow: int = 8  # horizons at which the slow bounds are evaluated


@dataclass(frozen=True)
class WaterfallBudget:
    """Runs whose intermediate quantities are recorded."""

    cases: tuple[dict[str, Any], ...]
    runs: int


@dataclass(frozen=True)
class CoverageBudget:
    """Runs whose errors are recorded in the given rounds."""

    n_arms: int
    a: float
    rounds: tuple[int, ...]
    runs: int


@dataclass(frozen=True)
class TwoArmsBudget:
    """Horizons at which the exact optimum is computed, and runs of ReUCB*."""

    rounds: tuple[int, ...] = (5, 10, 20, 50, 100)
    runs: int = 40_000


@dataclass(frozen=True)
class BoundsBudget:
    """Everything the bounds report computes under one budget."""

    sweep: SweepBudget
    curve: CurveBudget
    waterfall: WaterfallBudget
    coverage: CoverageBudget
    grid: int  # points along an axis of a map
    optimality_runs: int = 400
    two_arms: TwoArmsBudget = TwoArmsBudget()


def _example(n_arms: int, horizon: int, sigma0_sq: float, a: float) -> dict[str, Any]:
    return {
        "n_arms": n_arms,
        "horizon": horizon,
        "sigma0_sq": sigma0_sq,
        "sigma_sq": 0.25,
        "a": a,
        "mu0": 1.0,
    }


SPREADS = (0.1, 0.4, 1.0, 4.0)
A = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

BUDGETS: dict[Budget, BoundsBudget] = {
    "quick": BoundsBudget(
        SweepBudget(A, (2, 10, 50, 200), (0.1, 0.4, 4.0), 2_000, 100, (10, 50)),
        CurveBudget(50, 0.2, 0.5, 1.0, (1.0, 2.0), 10_000, 200),
        WaterfallBudget((_example(50, 10_000, 0.04, 1.0), _example(10, 2_000, 1.0, 2.0)), 100),
        CoverageBudget(20, 1.0, (30, 100, 400), 2_000),
        25,
    ),
    "full": BoundsBudget(
        SweepBudget(A, (2, 5, 10, 20, 50, 100, 200, 500), SPREADS, 100_000, 200, (10, 20, 50, 100)),
        CurveBudget(50, 0.2, 0.5, 1.0, (1.0, 2.0), 100_000, 1_000),
        WaterfallBudget((_example(50, 10_000, 0.04, 1.0), _example(10, 2_000, 1.0, 2.0)), 1_000),
        CoverageBudget(20, 1.0, (30, 100, 1_000), 10_000),
        41,
        4_000,
        TwoArmsBudget((5, 10, 20, 50, 100, 200), 400_000),
    ),
}
