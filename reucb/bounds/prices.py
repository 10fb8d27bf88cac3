"""Rounds in which the best arm is underestimated, and the price of a pull that covers them (Lemmas 3, 4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.tails import density, excess, upper_tail

SHARE = 1.2  # of the excess of beta over its last value that a pull is charged


@dataclass(frozen=True)
class Blocks:
    """Consecutive blocks [first, last] of whole numbers."""

    first: FloatArray
    last: FloatArray

    @property
    def size(self) -> FloatArray:
        return self.last - self.first + 1


def blocks(low: float, high: float, exact: int, ratio: float) -> Blocks:
    """[low, high] cut into blocks: the first `exact` numbers one by one, then blocks longer by `ratio` each."""
    near = np.arange(low, min(low + exact, high + 1))
    edge = near[-1] + 1
    if edge > high:
        return Blocks(near, near)
    number = math.ceil(math.log((high + 1) / edge) / ratio) + 1
    far = np.unique(np.ceil(np.geomspace(edge, high + 1, number)))
    far[0], far[-1] = edge, high + 1
    first = np.concatenate([near, far[:-1]])
    return Blocks(first, np.concatenate([near, far[1:] - 1]))


@dataclass(frozen=True)
class BadRounds:
    """P(bad) and the cost of a bad round, as functions of the count N of the pulled arm: Lemma 3.

    Prior variance 1, noise variance `sigma`^2, g(N) = sigma/sqrt(N + alpha).
    """

    n_arms: float
    sigma: float
    alpha: float
    a: float
    horizon: float

    def width(self, count: FloatArray) -> FloatArray:
        """g(N), which no tau of an arm with N pulls exceeds."""
        return np.asarray(self.sigma / np.sqrt(count + self.alpha))

    def bonus(self, t: FloatArray) -> FloatArray:
        """s_t = sqrt(a log t)."""
        return np.asarray(math.sqrt(self.a) * np.sqrt(np.log(t)))

    def chance_and_cost(self, count: Blocks, rounds: Blocks) -> tuple[FloatArray, FloatArray]:
        """p_t(N) and beta_t(N) from above on every block of rounds (rows) and of counts (columns)."""
        low, high = self.bonus(rounds.first)[:, None], self.bonus(rounds.last)[:, None]
        last = self.bonus(np.array(self.horizon))
        first_width = self.width(np.array(1.0))
        theta = low + np.maximum(last - low, 0.0) * self.width(count.last) / first_width
        tail = upper_tail(theta)
        chance = -np.expm1((self.n_arms - 1) * np.log1p(-tail))
        rivals = (self.n_arms - 1) * first_width * np.maximum(density(theta) - low * tail, 0.0)
        with np.errstate(invalid="ignore", over="ignore"):
            own = np.where(chance > 0, self.width(count.first) * (high + excess(low)) * chance, 0.0)
        return chance, own + rivals


def charge(bad: BadRounds, count: Blocks) -> FloatArray:
    """Lam(N), constant on blocks: 1.2 (max_{N' >= N} beta_n(N') - beta_n(n - K))^+. Any Lam >= 0 gives a bound."""
    last = Blocks(np.array([bad.horizon]), np.array([bad.horizon]))
    _, cost = bad.chance_and_cost(Blocks(count.first, count.first), last)
    highest = np.maximum.accumulate(cost[0, ::-1])[::-1]
    return np.asarray(SHARE * np.maximum(highest - cost[0, -1], 0.0))


def uncovered_cost(bad: BadRounds, count: Blocks, prices: FloatArray, rounds: Blocks) -> float:
    """sum_{t=K+1}^n max_{1 <= N <= t - K} [beta_t(N) - (1 - p_t(N)) Lam(N)], from above."""
    chance, cost = bad.chance_and_cost(count, rounds)
    left = cost - (1 - chance) * prices
    reached = count.first <= rounds.last[:, None] - bad.n_arms
    return float(rounds.size @ np.where(reached, left, -np.inf).max(axis=1))


def least_prices(bad: BadRounds, count: Blocks, weight: FloatArray, rounds: Blocks) -> FloatArray | None:
    """Lam >= 0 on the blocks that minimises sum_N weight(N) Lam(N) + sum_t max_N [beta_t(N) - (1 - p_t(N)) Lam(N)].

    The maxima are variables u_t of a linear programme with one constraint for each t and N <= t - K. None where the
    solver fails; every Lam >= 0 gives a bound, so nothing has to be proved about the one returned.
    """
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    chance, cost = bad.chance_and_cost(count, rounds)
    t, n = np.nonzero(count.first <= rounds.last[:, None] - bad.n_arms)
    number, size = len(t), len(count.first)
    rows, ones = np.arange(number), np.ones(number)
    entries = np.concatenate([chance[t, n] - 1, -ones])
    columns = np.concatenate([n, size + t])
    matrix = coo_array((entries, (np.tile(rows, 2), columns)), shape=(number, size + len(cost)))
    unit = float(cost.max())
    if not (np.isfinite(unit) and unit > 0 and np.isfinite(weight).all()):
        return None
    limits = [(0, None)] * size + [(None, None)] * len(cost)
    objective = np.concatenate([weight, rounds.size])
    objective /= objective.max()
    solver: Any = linprog  # its stubs do not know sparse matrices
    found = solver(objective, A_ub=matrix.tocsr(), b_ub=-cost[t, n] / unit, bounds=limits, method="highs")
    return np.asarray(np.maximum(found.x[:size], 0.0) * unit) if found.success else None
