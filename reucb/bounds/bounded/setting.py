"""One problem for rewards in [0, 1], and the meshes that every part of its bound shares."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reucb._numerics.arrays import FloatArray

EXACT = 20_000  # counts taken one by one
RATIO = 1.02  # of neighbouring counts beyond
LAMBDAS = np.geomspace(0.1, 5.0, 14)  # times the scale of Z
LARGEST = 600.0  # exp(lam Z) is finite for lam up to here, as |Z| <= 1


@dataclass(frozen=True)
class Setting:
    """ReUCB* with numbers sigma^2, sigma0^2, a on K arms for n > K rounds; `binary`: rewards are 0 or 1."""

    n_arms: int
    horizon: int
    sigma0_sq: float
    sigma_sq: float
    a: float
    binary: bool

    @property
    def rho(self) -> float:
        """sigma^2/sigma0^2."""
        return self.sigma_sq / self.sigma0_sq

    @property
    def first_weight(self) -> float:
        """w(1), the weight of an arm pulled once."""
        return 1 / (1 + self.rho)

    @property
    def most_pulls(self) -> int:
        """n - K, the most pulls of one arm before the last round; also the rounds after the first K."""
        return self.horizon - self.n_arms

    def mesh(self, most: int) -> int:
        """How many cells of the best mean or blocks of rounds: `most` from 10^4 rounds on, fewer for fewer rounds."""
        share: float = min(1.0, math.log10(1 + self.most_pulls) / 4) ** 1.5
        return max(1, round(most * share))

    def radius(self, rounds: float) -> float:
        """C_t = sigma sqrt(a log t)."""
        return math.sqrt(self.sigma_sq * self.a * math.log(rounds))

    @cached_property
    def counts(self) -> FloatArray:
        """0 (not used), then the counts 1..n-K: one by one up to EXACT, then in geometric steps, n - K the last."""
        return counts_up_to(self.most_pulls)


def counts_up_to(last: int) -> FloatArray:
    """0, 1, 2, .., then geometric, the last one `last`."""
    near = np.arange(min(last, EXACT) + 1.0)
    if near[-1] == last:
        return near
    far = np.geomspace(EXACT, last, 1 + int(np.ceil(np.log(last / EXACT) / np.log(RATIO))))
    return np.unique(np.concatenate([near, np.floor(far[:-1]), [float(last)]]))
