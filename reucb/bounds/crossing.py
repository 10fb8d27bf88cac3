"""From which horizon on the logarithmic bound is the better one."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from reucb.bounds._args import Value, plain, require, setting
from reucb.bounds.logarithmic import core as gap_core
from reucb.bounds.sharp import core as sharp_core

LONGEST = 1e15


def _wins(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> bool:
    point = (n_arms, horizon, sigma0_sq, sigma_sq, a)
    return sum(gap_core(*point, 1.0)) < sum(sharp_core(*point))


def _from(n_arms: float, sigma0_sq: float, sigma_sq: float, a: float) -> float:
    """The last loss on a grid of 64 horizons, then bisection up to the next point of the grid."""
    grid = np.unique(np.round(np.geomspace(n_arms + 1, LONGEST, 64))).tolist()
    lost = [i for i, n in enumerate(grid) if not _wins(n_arms, n, sigma0_sq, sigma_sq, a)]
    if not lost:
        return float(grid[0])
    if lost[-1] == len(grid) - 1:
        return math.inf
    low, high = grid[lost[-1]], grid[lost[-1] + 1]
    while high - low > 1:
        middle = float(math.floor((low + high) / 2))
        low, high = (low, middle) if _wins(n_arms, middle, sigma0_sq, sigma_sq, a) else (middle, high)
    return float(high)


def logarithmic_from(*, n_arms: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, strict: bool = True) -> Value:
    """The horizon from which on `logarithmic` is below `sharp`; infinite if it is not below at 1e15.

    Found on a grid of 64 horizons and by bisection after the last loss: that there is no later loss between grid points
    is observed, not proved. With sigma0 = 0.2 and sigma = 0.5: 6208 at K = 50, a = 2.
    """
    s = setting(n_arms, 1, sigma0_sq, sigma_sq, a)
    require(s.a >= 2, "the logarithmic bound is of order log^2 n for a >= 2", strict, a=s.a)
    points = np.broadcast(s.n_arms, s.sigma0_sq, s.sigma_sq, s.a)
    return plain(np.array([_from(*map(float, point)) for point in points]).reshape(points.shape))
