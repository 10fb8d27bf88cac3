"""KL-UCB: the index is the largest mean the data do not exclude by the Kullback-Leibler divergence."""

from __future__ import annotations

from dataclasses import dataclass

from reucb._engine import codes
from reucb._engine.codes import Rule
from reucb._numerics import validation
from reucb.policies.base import Policy

_LARGEST_RATE = 1e9


@dataclass(frozen=True, repr=False)
class KLUCB(Policy):
    """Pull the arm with the largest q such that n KL(mean, q) <= log t + c log log t, each arm once first.

    `KLUCB(sigma_sq=)`: Gaussian, KL = (q - mean)^2 / (2 sigma^2), so the index is mean + sqrt(2 sigma^2 rate / n).
    `KLUCB()`: Bernoulli, where a reward strictly between 0 and 1 counts as 1 with that probability (randomised
    rounding, from the policy's own stream).

    The paper names no rate. The default c = 0 is the one Garivier and Cappe (2011) recommend in practice; their
    analysis takes c = 3. log log t counts as 0 before t = 3.

    Parameters
    ----------
    sigma_sq : float, optional
        Noise variance, > 0, for Gaussian rewards. Rewards are Bernoulli if it is None.
    c : float
        Factor of log log t, from 0 to 1e9.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.KLUCB(sigma_sq=0.25).start(n_arms=2)
    >>> agent.update([0, 1, 1], [1.0, 0.0, 0.5])
    >>> agent.indices().round(3)
    array([1.833, 0.839])
    """

    sigma_sq: float | None = None
    c: float = 0.0

    def __post_init__(self) -> None:
        if self.sigma_sq is not None:
            object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq))
        object.__setattr__(self, "c", validation.within("c", self.c, 0.0, _LARGEST_RATE))

    @property
    def binary(self) -> bool:
        """Takes 0 and 1 unless the rewards are Gaussian."""
        return self.sigma_sq is None

    def rule(self, n_arms: int) -> Rule:
        # a linear rule with scale 2, or the Bernoulli root
        if self.sigma_sq is None:
            return Rule(codes.KL_BERNOULLI, loglog=self.c)
        return Rule(codes.LINEAR, scale=2.0, loglog=self.c, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))
