"""ReUCB* played round by round, with all quantities in the lemmas of Theorem U. Prior variance 1, mu0 = 0."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tests.reucb.bounds.reference import errors_and_widths


@dataclass(frozen=True)
class PathSetting:
    n_arms: int
    horizon: int
    rho: float
    a: float

    def bonus(self, t: float) -> float:
        return math.sqrt(self.a * math.log(t))

    @property
    def top(self) -> float:
        """C = s_n sigma."""
        return self.bonus(self.horizon) * math.sqrt(self.rho)

    @property
    def v0(self) -> float:
        return (self.n_arms - 2) / (1 + self.rho)


@dataclass(frozen=True)
class Round:
    """The state before round t, one row per run, and the arm pulled."""

    t: int
    mu: np.ndarray
    counts: np.ndarray
    means: np.ndarray
    estimate: np.ndarray
    tau: np.ndarray
    arm: np.ndarray

    def of(self, values: np.ndarray, arm: np.ndarray) -> np.ndarray:
        return values[np.arange(len(arm)), arm]

    @property
    def best(self) -> np.ndarray:
        return self.mu.argmax(axis=1)

    @property
    def gap(self) -> np.ndarray:
        return self.mu.max(axis=1) - self.of(self.mu, self.arm)

    def kinds(self, last_bonus: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """star, good, bad."""
        star = self.arm == self.best
        reach = last_bonus * self.of(self.tau, self.arm) + self.of(self.estimate - self.mu, self.arm)
        good = ~star & (self.gap <= reach)
        return star, good, ~star & ~good


def rounds(s: PathSetting, runs: int, seed: int) -> Iterator[Round]:
    """Rounds K + 1 to n of independent runs."""
    rng = np.random.default_rng(seed)
    mu, rows, sigma = rng.normal(size=(runs, s.n_arms)), np.arange(runs), math.sqrt(s.rho)
    counts, sums = np.ones(mu.shape), mu + sigma * rng.normal(size=mu.shape)
    for t in range(s.n_arms + 1, s.horizon + 1):
        estimate, tau = errors_and_widths(counts, sums, 1.0, s.rho)
        arm = (estimate + s.bonus(t) * tau).argmax(axis=1)
        yield Round(t, mu, counts.copy(), sums / counts, estimate, tau, arm)
        counts[rows, arm] += 1
        sums[rows, arm] += mu[rows, arm] + sigma * rng.normal(size=runs)
