"""The law of S, which bounds the effect of the other arms on the estimate of an arm (Theorem U, Lemma 9)."""

from __future__ import annotations

import math

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.best_arm import graded_scores

FINE = 1500  # cells of B(v0) + E; any number gives a bound
ROUGH = 200  # cells used to choose where the cells of S end
FAR = 13.0  # standard deviations


def start_survival(x: FloatArray, v0: float) -> FloatArray:
    """P(B(v0) + E > x), exactly: B(v0) ~ N(0, v0) and P(E > e) = exp(-2 e^2), independent.

    It is P(B > x) + E[exp(-2 (x - B)^2) 1{B < x}], and the second part is a Gaussian integral.
    """
    from scipy.special import ndtr

    spread = 1 + 4 * v0
    bend = ndtr(x / math.sqrt(v0 * spread)) * np.exp(-2 * x * x / spread) / math.sqrt(spread)
    return np.asarray(np.minimum(ndtr(-x / math.sqrt(v0)) + bend, 1.0))


def crossing(c: FloatArray, slope: FloatArray, length: float) -> FloatArray:
    """P(B(u) > c + slope u for some u <= length), B a Brownian motion: reflection principle and Girsanov."""
    from scipy.special import log_ndtr, ndtr

    root = math.sqrt(length)
    with np.errstate(over="ignore", invalid="ignore"):
        over = ndtr(-(c / root + slope * root)) + np.exp(-2 * slope * c + log_ndtr(slope * root - c / root))
    return np.where(c > 0, np.minimum(over, 1.0), 1.0)


def survival(s: FloatArray, n_arms: float, rho: float, zeta: float, number: int = FINE) -> FloatArray:
    """P(S > s) from above, S = sup_{v0 <= v <= K-2} (B(v) + E - zeta (v - v0))/(2 + v), v0 = (K - 2)/(1 + rho).

    Given T = B(v0) + E = x, the rest of the path has to cross the line from s (2 + v0) - x with slope s + zeta. That
    probability rises in x: on each cell of T the upper end is taken. Two arms: S = E/2, exactly.
    """
    if n_arms == 2:
        return np.where(s > 0, np.exp(-8 * s * np.abs(s)), 1.0)
    v0, length = (n_arms - 2) / (1 + rho), (n_arms - 2) * (rho / (1 + rho))
    v0, length = max(v0, 1e-280), max(length, 1e-280)
    edges = np.linspace(-FAR * math.sqrt(v0), FAR * math.sqrt(v0 + 0.25), number + 1)
    beyond = start_survival(edges, v0)
    mass = np.concatenate([[1 - beyond[0]], -np.diff(beyond)])
    over = crossing(s[:, None] * (2 + v0) - edges, s[:, None] + zeta, length)
    return np.asarray(np.minimum(over @ np.maximum(mass, 0.0) + beyond[-1], 1.0))


def cells(n_arms: float, rho: float, zeta: float, number: int) -> tuple[FloatArray, FloatArray]:
    """Upper ends of cells of S and an upper bound of their law: probabilities after the mass beyond the last end.

    Returned are `ends` (rising) and `mass`, one longer: mass[i] is what `survival` puts between ends[i - 1] and
    ends[i], mass[-1] what it puts beyond the last end.
    """
    v0 = (n_arms - 2) / (1 + rho)
    widest = min(max(1.5, v0), n_arms - 2)  # where (B(v) + E)/(2 + v) is most spread
    rough = np.linspace(-6 * math.sqrt(v0) / (2 + v0) - zeta, 14 * math.sqrt(widest + 0.25) / (2 + widest), 120)
    tail = survival(rough, n_arms, rho, zeta, ROUGH)
    ends = np.unique(np.interp(graded_scores(number), *_normal_scores(rough, tail)))
    over = survival(ends, n_arms, rho, zeta)
    over = np.minimum.accumulate(over)
    return ends, np.concatenate([[1 - over[0]], -np.diff(over), [over[-1]]])


def _normal_scores(points: FloatArray, tail: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The z with Q(z) = tail at each point, strictly rising, and the points."""
    from scipy.special import ndtri

    score = -ndtri(np.clip(tail, 1e-36, 1 - 1e-12))
    keep = np.concatenate([[True], np.diff(np.maximum.accumulate(score)) > 1e-9])
    return score[keep], points[keep]
