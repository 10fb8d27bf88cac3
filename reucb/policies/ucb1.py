"""UCB1 for sub-Gaussian rewards."""

from __future__ import annotations

from dataclasses import dataclass

from reucb._engine import codes as c
from reucb._engine.codes import Rule
from reucb._numerics import validation
from reucb.policies.base import Policy


@dataclass(frozen=True, repr=False)
class UCB1(Policy):
    """UCB1: pull the arm with the highest mean + sqrt(8 sigma^2 log t / n), each arm once first.

    For sigma^2-sub-Gaussian rewards, as in the experiments of the paper; sigma^2 = 1/4 (rewards in [0, 1]) gives the
    original UCB1.

    Parameters
    ----------
    sigma_sq : float
        Variance proxy of the rewards, >= 0.

    Raises
    ------
    ValueError, TypeError
        If `sigma_sq` is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.UCB1(sigma_sq=0.25).start(n_arms=2)
    >>> for reward in (1.0, 0.0, 1.0):
    ...     agent.update(agent.select(), reward)
    >>> agent.counts, agent.select()
    (array([2, 1]), 0)
    """

    sigma_sq: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq, zero=True))

    def rule(self, n_arms: int) -> Rule:
        # a linear rule with w = 1 and scale 8
        return Rule(c.LINEAR, scale=8.0, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))
