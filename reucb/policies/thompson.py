"""Thompson sampling with Gaussian and Bernoulli likelihoods."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

from reucb._engine import codes as c
from reucb._engine.codes import Rule
from reucb._numerics import validation
from reucb.policies.base import Policy, check_variances

_SHAPES = (1e-300, 1e300)  # of a beta prior: sums and quotients of gamma variates stay finite


@dataclass(frozen=True, repr=False)
class GaussianTS(Policy):
    """Thompson sampling: pull the arm whose draw from its posterior is highest; prior N(mu0, sigma0^2), noise N(0,
    sigma^2).

    The prior is proper, so the first rounds sample from it: no arm has to be pulled once first.

    Parameters
    ----------
    mu0, sigma0_sq : float
        Mean and variance of the prior; the variance is > 0.
    sigma_sq : float
        Noise variance, > 0.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.GaussianTS(mu0=0.0, sigma0_sq=1.0, sigma_sq=0.25).start(n_arms=2, seed=0)
    >>> agent.update([0] * 50 + [1] * 50, [0.0] * 50 + [5.0] * 50)
    >>> agent.select()
    1
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
        # Gaussian posteriors
        return Rule(
            c.TS_GAUSSIAN, mu0=self.mu0, sigma0_sq=self.sigma0_sq, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,)
        )


@dataclass(frozen=True, repr=False)
class ReTS(Policy):
    """Thompson sampling in the random-effect model: mu0 is drawn from its posterior, then every arm given mu0.

    The arm with the highest draw is pulled. Given the rewards, mu0 is N(mu0-hat, Var(mu0-hat)) with the GLS mean
    (Eq. r0-estimator; a flat prior on mu0), and an arm given mu0 is N(mu0 + w_k (mean_k - mu0), sigma0^2 (1 - w_k)).
    Parameters that are None are estimated in every round as in `ReUCB`. Draws differ from pull to pull, so batches and
    late rewards need no special treatment.

    With known variances the first arm is arm 0 (any arm with known mu0), and arms never pulled are drawn from
    N(mu0, sigma0^2). With estimated variances each arm is pulled once first.

    Parameters
    ----------
    mu0, sigma0_sq, sigma_sq : float, optional
        Mean and variance of the arm means, and variance of the noise, where known. One variance may be given alone with
        "moments" and "anova".
    method : {"reml", "ml", "anova", "moments"}
        How variances are estimated.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number, or exactly one variance is given with "ml" or "reml".

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.ReTS().start(n_arms=3, seed=0)
    >>> for reward in (0.1, 0.9, 0.3, 0.8):
    ...     agent.update(agent.select(), reward)
    >>> agent.counts
    array([1, 2, 1])
    """

    mu0: float | None = None
    sigma0_sq: float | None = None
    sigma_sq: float | None = None
    method: str = "reml"

    @property
    def random(self) -> bool:
        """Draws its samples."""
        return True

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "method", validation.choice("method", self.method, c.METHODS))
        if self.mu0 is not None:
            put(self, "mu0", validation.prior_mean("mu0", self.mu0))
        if self.sigma0_sq is not None:
            put(self, "sigma0_sq", validation.variance("sigma0_sq", self.sigma0_sq, zero=True))
        if self.sigma_sq is not None:
            put(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq, zero=True))
        check_variances(self.sigma0_sq, self.sigma_sq, self.method)

    def rule(self, n_arms: int) -> Rule:
        # draws given mu0, with known or estimated variances
        sigma0_sq, sigma_sq = (-1.0 if v is None else v for v in (self.sigma0_sq, self.sigma_sq))
        return Rule(
            c.TS_MODEL,
            mu0=nan if self.mu0 is None else self.mu0,
            method=c.METHODS.index(self.method) if min(sigma0_sq, sigma_sq) < 0 else c.MOMENTS,
            sigma0_sq=sigma0_sq,
            sigma_sq=sigma_sq,
            noise=(sigma_sq,),
        )


@dataclass(frozen=True, repr=False)
class BernoulliTS(Policy):
    """Thompson sampling: pull the arm whose draw from its Beta(alpha + wins, beta + losses) posterior is highest.

    A reward strictly between 0 and 1 counts as 1 with that probability (randomised rounding, from the policy's own
    stream). The first rounds sample from the prior.

    Parameters
    ----------
    alpha, beta : float
        Parameters of the beta prior, from 1e-300 to 1e300.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.BernoulliTS().start(n_arms=2, seed=0)
    >>> agent.update([0] * 50 + [1] * 50, [0] * 50 + [1] * 50)
    >>> agent.select()
    1
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
        # Beta posteriors
        return Rule(c.TS_BERNOULLI, alpha=self.alpha, beta=self.beta)
