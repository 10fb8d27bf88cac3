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
    """The horizon from which on `logarithmic` is below `sharp`.

    Found on a grid of 64 horizons, then by bisection after the last grid point at which it is not below. That it is
    below between the later grid points is observed, not proved.

    Parameters
    ----------
    n_arms, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, variance of the arm means, noise variance, and constant of the index. They broadcast.
    strict : bool, optional
        If False, a < 2 is allowed.

    Returns
    -------
    float or ndarray
        The horizon; inf if `logarithmic` is not below `sharp` at 1e15.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> reucb.bounds.logarithmic_from(n_arms=50, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    6208.0
    """
    s = setting(n_arms, 1, sigma0_sq, sigma_sq, a)
    require(s.a >= 2, "the logarithmic bound is of order log^2 n for a >= 2", strict, a=s.a)
    points = np.broadcast(s.n_arms, s.sigma0_sq, s.sigma_sq, s.a)
    return plain(np.array([_from(*map(float, point)) for point in points]).reshape(points.shape))
