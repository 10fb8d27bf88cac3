"""Index policies that judge each arm by its own rewards: UCB1, KL-UCB and Bayes-UCB.

UCB1 adds a confidence width to the mean. KL-UCB takes the largest mean that the data do not exclude by the
Kullback-Leibler divergence, Bayes-UCB an upper quantile of the arm's posterior.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from reucb._engine import codes
from reucb._engine.codes import Rule
from reucb._numerics import validation
from reucb.policies.base import Policy

_LARGEST_RATE = 1e9
_SHAPES = (1e-6, 1e9)  # of a beta prior: its quantiles have an error of 1e-6 at most
_LARGEST_LOG_SCALE = 600.0  # log of (log horizon)^c: 1/(t (log horizon)^c) stays a normal double for every t


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
        return Rule(codes.LINEAR, scale=8.0, sigma_sq=self.sigma_sq, noise=(self.sigma_sq,))


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


@dataclass(frozen=True, repr=False)
class BayesUCB(Policy):
    """Pull the arm with the highest posterior quantile at level 1 - 1/(t (log horizon)^c), each arm once first.

    `BayesUCB(mu0=, sigma0_sq=, sigma_sq=)`: prior N(mu0, sigma0^2), rewards N(mu_k, sigma^2). Without these three,
    `BayesUCB(alpha=1, beta=1)`: posteriors Beta(alpha + wins, beta + losses), where a reward strictly between 0 and 1
    counts as 1 with that probability (randomised rounding, from the policy's own stream).

    The paper names no level. The default c = 0 is anytime, 1 - 1/t, which Kaufmann, Cappe and Garivier (2012) found
    best in practice; c > 0 needs the horizon. The level is never below one half.

    Parameters
    ----------
    mu0, sigma0_sq, sigma_sq : float, optional
        Mean and variance of the prior and noise variance: all three, for Gaussian posteriors.
    alpha, beta : float, optional
        Parameters of the beta prior, from 1e-6 to 1e9; 1 by default.
    c : float
        Exponent of log horizon in the level, >= 0.
    horizon : int, optional
        Number of rounds, at least 3; needed for c > 0.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number, or parameters of both kinds of posterior are given.

    Examples
    --------
    >>> import reucb
    >>> agent = reucb.BayesUCB(mu0=0.0, sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=2)
    >>> agent.update([0, 1, 1], [1.0, 0.0, 0.5])
    >>> agent.indices().round(3)
    array([0.977, 0.556])
    """

    mu0: float | None = None
    sigma0_sq: float | None = None
    sigma_sq: float | None = None
    alpha: float | None = None
    beta: float | None = None
    c: float = 0.0
    horizon: int | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__
        gaussian = (self.mu0, self.sigma0_sq, self.sigma_sq)
        if any(v is not None for v in gaussian):
            if any(v is None for v in gaussian) or self.alpha is not None or self.beta is not None:
                raise ValueError(
                    f"mu0 = {self.mu0!r}, sigma0_sq = {self.sigma0_sq!r}, sigma_sq = {self.sigma_sq!r}, "
                    f"alpha = {self.alpha!r}, beta = {self.beta!r}: give all of the first three "
                    "(Gaussian posteriors), or only alpha and beta (Bernoulli)"
                )
            put(self, "mu0", validation.prior_mean("mu0", self.mu0))
            put(self, "sigma0_sq", validation.variance("sigma0_sq", self.sigma0_sq))
            put(self, "sigma_sq", validation.variance("sigma_sq", self.sigma_sq))
        else:
            put(self, "alpha", validation.within("alpha", 1.0 if self.alpha is None else self.alpha, *_SHAPES))
            put(self, "beta", validation.within("beta", 1.0 if self.beta is None else self.beta, *_SHAPES))
        put(self, "c", validation.nonnegative("c", self.c))
        if self.horizon is not None:
            put(self, "horizon", validation.integer("horizon", self.horizon, 3, validation.LARGEST_COUNT))
            if self.c * log(log(self.horizon)) > _LARGEST_LOG_SCALE:
                most = _LARGEST_LOG_SCALE / log(log(self.horizon))
                raise ValueError(f"c = {self.c!r}: must be at most {most:.6g} for horizon = {self.horizon}")
        elif self.c > 0:
            raise ValueError(f"horizon = None: must be an integer >= 3 when c = {self.c!r} > 0")

    @property
    def binary(self) -> bool:
        """Takes 0 and 1 unless the posteriors are Gaussian."""
        return self.mu0 is None

    def rule(self, n_arms: int) -> Rule:
        # a linear rule with a normal quantile as multiplier, or the beta quantile
        scale = 1.0 if self.horizon is None else log(self.horizon) ** self.c
        if self.mu0 is not None and self.sigma0_sq is not None and self.sigma_sq is not None:
            return Rule(
                codes.LINEAR,
                multiplier=codes.QUANTILE,
                scale=scale,
                mu0=self.mu0,
                sigma0_sq=self.sigma0_sq,
                sigma_sq=self.sigma_sq,
                noise=(self.sigma_sq,),
            )
        assert self.alpha is not None
        assert self.beta is not None
        return Rule(codes.BAYES_BERNOULLI, scale=scale, alpha=self.alpha, beta=self.beta)
