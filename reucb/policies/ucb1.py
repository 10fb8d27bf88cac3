"""UCB1 for sub-Gaussian rewards."""

from __future__ import annotations

from dataclasses import dataclass

from reucb._engine import codes as c
from reucb._numerics import validation
from reucb.policies.base import Policy
from reucb.policies.rule import Rule


@dataclass(frozen=True, repr=False)
class UCB1(Policy):
    """Pull the arm with the highest mean + sqrt(8 sigma^2 log t / n), each arm once first.

    For sigma^2-sub-Gaussian rewards, as in the paper's experiments; sigma^2 = 1/4 (rewards in [0, 1]) is the classic.
    """

    sigma_sq: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq, zero=True))

    def rule(self, n_arms: int) -> Rule:
        """A linear rule with w = 1 and scale 8."""
        return Rule(c.LINEAR, scale=8.0, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))
