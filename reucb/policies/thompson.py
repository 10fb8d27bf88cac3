"""Thompson sampling with Gaussian and Bernoulli likelihoods."""

from __future__ import annotations

from dataclasses import dataclass

from reucb._engine import codes as c
from reucb._numerics import validation
from reucb.policies.base import Policy
from reucb.policies.rule import Rule

_SHAPES = (1e-300, 1e300)  # of a beta prior: sums and quotients of gamma variates stay finite


@dataclass(frozen=True)
class GaussianTS(Policy):
    """Pull the arm whose draw from its posterior is highest; prior N(mu0, sigma0^2), rewards N(mu_k, sigma^2).

    The prior is proper, so the first rounds sample from it: no arm has to be pulled once first.
    """

    mu0: float
    sigma0_sq: float
    sigma_sq: float

    @property
    def random(self) -> bool:
        """Draws its samples."""
        return True

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu0", validation.prior_mean("mu0", self.mu0))
        object.__setattr__(self, "sigma0_sq", validation.variance("sigma0_sq", self.sigma0_sq))
        object.__setattr__(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq))

    def rule(self, n_arms: int) -> Rule:
        """Gaussian posteriors."""
        return Rule(
            c.TS_GAUSSIAN, mu0=self.mu0, sigma0_sq=self.sigma0_sq, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,)
        )


@dataclass(frozen=True)
class BernoulliTS(Policy):
    """Pull the arm whose draw from its Beta(alpha + wins, beta + losses) posterior is highest.

    A reward strictly between 0 and 1 counts as 1 with that probability (randomised rounding, from the policy's own
    stream). The first rounds sample from the prior.
    """

    alpha: float = 1.0
    beta: float = 1.0

    @property
    def binary(self) -> bool:
        """Takes 0 and 1."""
        return True

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", validation.within("alpha", self.alpha, *_SHAPES))
        object.__setattr__(self, "beta", validation.within("beta", self.beta, *_SHAPES))

    def rule(self, n_arms: int) -> Rule:
        """Beta posteriors."""
        return Rule(c.TS_BERNOULLI, alpha=self.alpha, beta=self.beta)
