"""The normal law: tails (also for other packages), the best of K normal arms, and the gaps of the others to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.polynomial.legendre import leggauss

from reucb._numerics import FloatArray
from reucb._numerics.normal import density as density
from reucb._numerics.normal import excess as excess
from reucb._numerics.normal import excess_of_any_sign as excess_of_any_sign
from reucb._numerics.normal import upper_tail as upper_tail
from reucb.bounds._args import Value, float_or_array, positive_integers

LARGEST_GAP = 16.0  # in units of sigma0; a gap beyond it has probability below K * 1e-28
GAP_STEP = 0.5
FAR, TAIL = 12.5, 10  # normal score of the last cell; cells of each tail


@cache
def panels(low: float, high: float, width: float, order: int = 16) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Legendre of the given order on equal panels of [low, high]."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    edges = np.linspace(low, high, round((high - low) / width) + 1)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


def expected_max(n_arms: Any) -> Value:
    """The expected maximum e_K of K independent standard normal variables, to 1e-12.

    e_K = int_0^oo (1 - Phi(x)^K - Q(x)^K) dx with Q = 1 - Phi, by Gauss-Legendre quadrature of order 16 on the 48
    panels of width 1/4 of [0, 12], with 1 - Phi^K = -expm1(K log1p(-Q)). The remainder beyond 12 is below K * 1e-33.

    Parameters
    ----------
    n_arms : array_like
        K, positive integers.

    Returns
    -------
    float or ndarray
        e_K; a float if `n_arms` is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.expected_max(50), 3)
    2.249
    """
    from scipy.special import ndtr

    arms = positive_integers("n_arms", n_arms)
    nodes, weights = panels(0.0, 12.0, 0.25)
    upper = ndtr(-nodes)
    log_lower, log_upper = np.log1p(-upper), np.log(upper)
    count = arms.reshape(-1, 1)
    sums = np.array([(-np.expm1(k * log_lower) - np.exp(k * log_upper)) @ weights for k in count])
    return float_or_array(np.where(arms == 1, 0.0, sums.reshape(arms.shape)))


def gap_density(z: FloatArray, n_arms: float) -> FloatArray:
    """p_K(z): the density of the K - 1 gaps (mu_* - mu_k)/sigma0 to the best arm, total mass K - 1.

    p_K(z) = K (K - 1) int phi(y) phi(y - z) Phi(y)^{K-2} dy: best arm at y, arm k at y - z, all others below y.
    Recipe: Gauss-Legendre of order 16 on the panels of width 1/2 of [-9, 13].
    """
    from scipy.special import log_ndtr

    y, weights = panels(-9.0, 13.0, 0.5)
    best = (n_arms - 2) * log_ndtr(y) - y * y / 2
    joint = np.exp(best - (y - z[..., None]) ** 2 / 2)
    return np.asarray(n_arms * (n_arms - 1) / (2 * np.pi) * (joint @ weights))


@lru_cache(maxsize=1024)
def _log_density(n_arms: float) -> Chebyshev:
    """log p_K on [0, 16] as a polynomial: it is smooth, and many integrals share it."""
    return Chebyshev.interpolate(lambda z: np.log(gap_density(z, n_arms)), 96, domain=[0, LARGEST_GAP])


def gap_mesh(kinks: Iterable[float]) -> FloatArray:
    """Panel edges from 0 to 16: every kink, doublings of the smallest up to 1/2, then steps of 1/2."""
    cuts = np.sort([k for k in kinks if 0 < k < LARGEST_GAP])
    doublings = max(math.ceil(math.log2(GAP_STEP / cuts[0])), 0) if cuts.size else 0
    ladder = cuts[0] * 2.0 ** np.arange(1, doublings) if doublings else cuts
    return np.unique(np.concatenate([[0.0], cuts, ladder, np.arange(1, LARGEST_GAP / GAP_STEP + 1) * GAP_STEP]))


def average_over_gaps(cost: Callable[[FloatArray], FloatArray], kinks: Iterable[float], n_arms: float) -> FloatArray:
    """E sum_{k != *} cost(z_k) over the scaled gaps z_k, for a cost smooth between its kinks, at worst like 1/z.

    Recipe: Gauss-Legendre of order 16 on the panels of `gap_mesh`, against p_K. Relative error below 1e-9. A cost may
    return several rows, one per last axis of nodes: as many averages come back.
    """
    edges = gap_mesh(kinks)
    nodes, weights = leggauss(16)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    z = (middle[:, None] + half[:, None] * nodes).ravel()
    return np.asarray(cost(z) @ ((half[:, None] * weights).ravel() * np.exp(_log_density(n_arms)(z))))


def graded_scores(number: int) -> FloatArray:
    """Normal scores that cut a law into `number` cells, and ten in either tail out to the score 12.5.

    A cell may be longer where there is less to count: lengths grow like exp(z^2/4), which makes mass times squared
    length constant.
    """
    from scipy.special import ndtri

    core = math.sqrt(2) * ndtri(np.arange(1, number) / number)
    tail = core[-1] + (FAR - core[-1]) * (np.arange(1, TAIL + 1) / TAIL) ** 1.15
    return np.concatenate([-tail[::-1], core, tail])


@dataclass(frozen=True)
class BestArm:
    """Cells [low, high] of Y with their probability and the mean of Y in them; `rest` is what lies outside all cells.

    For every c >= 0, E[(Y - mu)^+ + c; Y outside] <= rest[0] + rest[1] c.
    """

    low: FloatArray
    high: FloatArray
    mass: FloatArray
    mean: FloatArray
    rest: tuple[float, float]

    @property
    def variance(self) -> FloatArray:
        """v = 1/(1 - h^2/4), h the length of the cell.

        With x = Y - mu, E[phi(Y - x); cell] <= mass phi(m) exp(m^2 h^2/8), m = mean - x: Hoeffding's lemma for
        exp(-m (Y - mean)), and exp(-(Y - mean)^2/2) <= 1. The right side is mass sqrt(v) times the density of N(0, v).
        Cells are shorter than 2 (`graded_scores`).
        """
        return np.asarray(1 / (1 - (self.high - self.low) ** 2 / 4))


def best_arm(n_arms: float, number: int) -> BestArm:
    """Cells of Y by `graded_scores`."""
    from scipy.special import log_ndtr, ndtri_exp

    others = n_arms - 1
    ends = ndtri_exp(log_ndtr(graded_scores(number)) / others)
    log_below = others * log_ndtr(ends)
    below, above = np.exp(log_below), -np.expm1(log_below)
    mass = np.where(above[1:] < 0.5, above[:-1] - above[1:], below[1:] - below[:-1])
    nodes, weights = leggauss(12)
    half = np.diff(ends) / 2
    y = (ends[1:] + ends[:-1])[:, None] / 2 + half[:, None] * nodes
    shape = (others - 1) * log_ndtr(y) - y * y / 2
    shape = np.exp(shape - shape.max(axis=1, keepdims=True)) * weights
    mean = (shape * y).sum(axis=1) / shape.sum(axis=1)
    last, first = ends[-1], max(ends[0], 0.0)
    # above: (Y - mu)^+ <= Y + |mu| and E|mu| < 0.8; below: (Y - mu)^+ <= Y^+ + mu^- and E mu^- < 0.4
    chance = others * float(upper_tail(last)) + float(below[0])
    cost = others * float(density(last) + 0.8 * upper_tail(last)) + float(below[0]) * (first + 0.4)
    return BestArm(ends[:-1], ends[1:], np.maximum(mass, 0.0), mean, (cost, chance))
