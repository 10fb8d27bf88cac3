"""How far a good pull can reach: Lemma 5 of Theorem U. Prior variance 1, mu0 = 0.

A round is good if the pulled arm k, pulled N times before and not the best one, has mu_* <= mu-hat_k + s_n tau_k. Then
N (mu_* - rbar_k) <= f_N(mu_*, S), where S bounds what the other arms contribute to the estimate of mu0. The
law of S is that of Lemma 9.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds.counted_rounds import Blocks
from reucb.bounds.normal import graded_scores

FINE_CELLS = 1500  # cells of B(v0) + E; any number gives a bound
ROUGH_CELLS = 200  # cells used to choose where the cells of S end
FAR = 13.0  # standard deviations


def start_survival(x: FloatArray, v0: float) -> FloatArray:
    """P(B(v0) + E > x), exactly: B(v0) ~ N(0, v0) and P(E > e) = exp(-2 e^2), independent.

    It is P(B > x) + E[exp(-2 (x - B)^2) 1{B < x}], and the second part is a Gaussian integral.
    """
    from scipy.special import ndtr

    spread = 1 + 4 * v0
    bend = ndtr(x / math.sqrt(v0 * spread)) * np.exp(-2 * x * x / spread) / math.sqrt(spread)
    return np.asarray(np.minimum(ndtr(-x / math.sqrt(v0)) + bend, 1.0))


def crossing_chance(c: FloatArray, slope: FloatArray, length: float) -> FloatArray:
    """P(B(u) > c + slope u for some u <= length), B a Brownian motion: reflection principle and Girsanov."""
    from scipy.special import log_ndtr, ndtr

    root = math.sqrt(length)
    with np.errstate(over="ignore", invalid="ignore"):
        over = ndtr(-(c / root + slope * root)) + np.exp(-2 * slope * c + log_ndtr(slope * root - c / root))
    return np.where(c > 0, np.minimum(over, 1.0), 1.0)


def supremum_survival(s: FloatArray, n_arms: float, rho: float, zeta: float, number: int = FINE_CELLS) -> FloatArray:
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
    over = crossing_chance(s[:, None] * (2 + v0) - edges, s[:, None] + zeta, length)
    return np.asarray(np.minimum(over @ np.maximum(mass, 0.0) + beyond[-1], 1.0))


def supremum_cells(n_arms: float, rho: float, zeta: float, number: int) -> tuple[FloatArray, FloatArray]:
    """Upper ends of cells of S and an upper bound of their law: probabilities after the mass beyond the last end.

    Returned are `ends` (rising) and `mass`, one longer: mass[i] is what `supremum_survival` puts between ends[i - 1]
    and ends[i], mass[-1] what it puts beyond the last end.
    """
    v0 = (n_arms - 2) / (1 + rho)
    widest = min(max(1.5, v0), n_arms - 2)  # where (B(v) + E)/(2 + v) is most spread
    rough = np.linspace(-6 * math.sqrt(v0) / (2 + v0) - zeta, 14 * math.sqrt(widest + 0.25) / (2 + widest), 120)
    tail = supremum_survival(rough, n_arms, rho, zeta, ROUGH_CELLS)
    ends = np.unique(np.interp(graded_scores(number), *_normal_scores(rough, tail)))
    over = supremum_survival(ends, n_arms, rho, zeta)
    over = np.minimum.accumulate(over)
    return ends, np.concatenate([[1 - over[0]], -np.diff(over), [over[-1]]])


def _normal_scores(points: FloatArray, tail: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The z with Q(z) = tail at each point, strictly rising, and the points."""
    from scipy.special import ndtri

    score = -ndtri(np.clip(tail, 1e-36, 1 - 1e-12))
    keep = np.concatenate([[True], np.diff(np.maximum.accumulate(score)) > 1e-9])
    return score[keep], points[keep]


class Reach(Protocol):
    """f_N(y, S), its maximum over blocks of counts, and the law of S."""

    @property
    def n_arms(self) -> float: ...

    @property
    def sigma(self) -> float: ...

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """max of f_N(y, S)/N over each block of counts, from above; shape (blocks, y, s). It falls in y, rises in S."""

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Upper ends of about `number` cells of S and their law, as `supremum_cells` returns them."""


def falling(count: FloatArray, top: float, shift: FloatArray | float, least: FloatArray) -> FloatArray:
    """Whether (C sqrt(N + c) + k)/N falls from N on, for every k >= least and c >= shift.

    It does iff -k <= C (N/2 + c)/sqrt(N + c), and the right side rises in N and in c.
    """
    return np.asarray(-least <= top * (count / 2 + shift) / np.sqrt(count + shift))


@dataclass(frozen=True)
class LearnedMean:
    """mu0 estimated: f as in Theorem U, for any zeta >= 0; top is C = sqrt(a log n) sigma."""

    n_arms: float
    sigma: float
    top: float
    zeta: float

    @property
    def c0(self) -> float:
        """2 + v0, v0 = (K - 2)/(1 + rho): the least weight of the other arms once all were pulled."""
        return 2 + (self.n_arms - 2) / (1 + self.sigma**2)

    def f(self, count: FloatArray, y: FloatArray, s: FloatArray) -> FloatArray:
        """f_N(y, S): two branches, by the sign of the bracket zeta + S - y + max(D/K, D/c0), D = 2 y - zeta c0."""
        rho, c0 = self.sigma**2, self.c0
        slope, base = 2 * y - self.zeta * c0, self.zeta + s - y
        bracket = base + np.maximum(slope / self.n_arms, slope / c0)
        k2 = c0 / (c0 - 1 + 1 / (1 + rho))
        outer = self.widest(count) + k2 * rho * bracket
        return np.where(bracket > 0, outer, rho * base + self.inner(count, slope))

    def widest(self, count: FloatArray) -> FloatArray:
        """C sqrt(N + rho (K - 1)/K)."""
        return np.asarray(self.top * np.sqrt(count + self.sigma**2 * (self.n_arms - 1) / self.n_arms))

    def inner(self, count: FloatArray, slope: FloatArray) -> FloatArray:
        """max_{1/K <= x <= 1/c0} C sqrt(N + rho (1 - x)) + rho x D: concave in x, the maximiser in closed form."""
        rho = self.sigma**2
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            best = 1 + (count - (self.top / (2 * slope)) ** 2) / rho
        best = np.where(slope > 0, np.nan_to_num(best, nan=0.0), 0.0)
        x = np.clip(best, 1 / self.n_arms, 1 / self.c0)
        return np.asarray(self.top * np.sqrt(count + rho * (1 - x)) + rho * x * slope)

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """At the smallest count where f_N/N falls; elsewhere both parts of f are bounded apart."""
        rho, c0 = self.sigma**2, self.c0
        y, first, last = y[:, None], count.first[:, None, None], count.last[:, None, None]
        slope, base = 2 * y - self.zeta * c0, self.zeta + s - y
        most, least = (base + pick(slope / self.n_arms, slope / c0) for pick in (np.maximum, np.minimum))
        falls = (most > 0) | (first == last) | falling(first, self.top, rho * (1 - 1 / c0), rho * least)
        return np.where(falls, self.f(first, y, s) / first, self.widest(first) / first + rho * most / last)

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        return supremum_cells(self.n_arms, self.sigma**2, self.zeta, number)


@dataclass(frozen=True)
class KnownMean:
    """mu0 known: f_N(y) = C sqrt(N + rho) - rho y, as mu-hat_k = N rbar_k/(N + rho); there is no S."""

    n_arms: float
    sigma: float
    top: float

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """At the smallest count where f_N/N falls; elsewhere both parts of f are bounded apart."""
        rho = self.sigma**2
        first, last = count.first[:, None, None], count.last[:, None, None]
        add = -rho * (y[:, None] + 0 * s)
        widest = self.top * np.sqrt(first + rho)
        falls = (add > 0) | (first == last) | falling(first, self.top, rho, add)
        return np.where(falls, (widest + add) / first, widest / first + add / last)

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        return np.zeros(1), np.array([1.0, 0.0])
