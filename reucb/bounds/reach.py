"""How far a good pull can reach: Lemma 5 of Theorem U. Prior variance 1, mu0 = 0.

A round is good if the pulled arm k, pulled N times before and not the best one, has mu_* <= mu-hat_k + s_n tau_k. Then
N (mu_* - rbar_k) <= f_N(mu_*, S), where S bounds what the other arms contribute to the estimate of mu0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.prices import Blocks
from reucb.bounds.supremum import cells


class Reach(Protocol):
    """f_N(y, S), its maximum over blocks of counts, and the law of S."""

    @property
    def n_arms(self) -> float: ...

    @property
    def sigma(self) -> float: ...

    def longest(self, count: Blocks, y: FloatArray, s: FloatArray) -> FloatArray:
        """max of f_N(y, S)/N over each block of counts, from above; shape (blocks, y, s). It falls in y, rises in S."""

    def supremum(self, number: int) -> tuple[FloatArray, FloatArray]:
        """Upper ends of about `number` cells of S and their law, as `supremum.cells` returns them."""


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
        return cells(self.n_arms, self.sigma**2, self.zeta, number)


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
