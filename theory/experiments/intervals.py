"""Confidence intervals for ratios measured on pairs: delta method on the log scale, wide enough for skewed data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, log, sqrt

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """An estimated ratio and its confidence interval."""

    ratio: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.ratio:.4g} [{self.low:.4g}, {self.high:.4g}]"


@cache
def quantile(error: float, degrees: int) -> float:
    """Student's two-sided quantile."""
    from scipy.special import stdtrit  # late: most of the ledger does without SciPy

    return float(stdtrit(degrees, 1 - error / 2))


def mean_ratio(first: FloatArray, second: FloatArray, error: float) -> Interval:
    """Ratio of means: log ratio +- t s / sqrt(n), s the standard deviation of x/mean(x) - y/mean(y)."""
    x, y = float(first.mean()), float(second.mean())
    return _interval(log(x / y), first / x - second / y, error)


def spread_ratio(first: FloatArray, second: FloatArray, error: float) -> Interval:
    """Ratio of standard deviations; a pair moves its logarithm by half of (x - m)^2/v - (y - m')^2/v'."""

    def influence(values: FloatArray) -> FloatArray:
        return np.asarray((values - values.mean()) ** 2 / values.var() / 2)

    return _interval(log(first.std() / second.std()), influence(first) - influence(second), error)


def _interval(centre: float, influence: FloatArray, error: float) -> Interval:
    """The hull of Student's interval and of Hall's, which allows for skewness: regrets have a long right tail."""
    pairs, deviation = len(influence), float(influence.std(ddof=1))
    t = quantile(error, pairs - 1)
    skewness = float(((influence - influence.mean()) ** 3).mean()) / deviation**3 if deviation else 0.0
    scale = deviation / sqrt(pairs)
    low = centre - scale * max(t, hall(t, skewness / sqrt(pairs)))
    high = centre - scale * min(-t, hall(-t, skewness / sqrt(pairs)))
    return Interval(exp(centre), exp(low), exp(high))


def hall(z: float, g: float) -> float:
    """Where Hall's cubic transformation of a studentised mean reaches z, for skewness / sqrt(n) = g; z itself at g = 0.

    (1 + g (z - g/6))^(1/3) - 1, times 3/g: inverts x + g x^2/3 + g^2 x^3/27 + g/6, whose law is normal to second order.
    """
    return z if abs(g) < 1e-9 else 3 / g * (float(np.cbrt(1 + g * (z - g / 6))) - 1)
