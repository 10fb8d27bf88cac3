"""A bandit: a prior over the latent means of the arms, and a reward law."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from typing import Any

import numpy as np

from reucb._numerics import FloatArray, validation
from reucb._simulation.prior import Distribution, Instances, Prior
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian, RewardLaw


@dataclass(frozen=True, eq=False)
class Bandit:
    """A random-effect bandit (Eq. payoff-M1): each run draws its latent means, then pays by the reward law.

    Parameters
    ----------
    n_arms : int
        Number of arms.
    prior : scipy.stats frozen distribution, or array
        A distribution from which every run draws `n_arms` means (its parameters may be arrays of length `n_arms`); a
        vector of `n_arms` fixed means; or a matrix with `n_arms` columns, of which every run draws one row uniformly.
        Mean and variance must be finite: without a mean the Bayes regret is not defined, and the random-effect model
        needs a second moment.
    rewards : Gaussian, Bernoulli or ClippedGaussian
        The law of the rewards given the latent mean.

    Raises
    ------
    TypeError, ValueError
        A prior that is not one of the three kinds, has no finite moments, or has means that the law cannot have.

    Notes
    -----
    Regret is measured with the true mean of each arm's reward law, `true_means`; for clipped Gaussian rewards that is
    not the latent mean. Two bandits are equal when their descriptions are.

    Examples
    --------
    >>> import numpy as np, scipy.stats, reucb
    >>> bandit = reucb.Bandit(n_arms=50, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
    >>> bandit
    Bandit(n_arms=50, prior=norm(1, 0.2), rewards=Gaussian(sigma=0.5))
    >>> bandit.draw(np.random.default_rng(0)).shape
    (50,)
    """

    n_arms: int
    prior: Any
    rewards: RewardLaw

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_arms", validation.integer("n_arms", self.n_arms, 1, 2**31 - 1))
        if not isinstance(self.rewards, (Gaussian, Bernoulli, ClippedGaussian)):
            raise TypeError(
                f"rewards = {validation.shown(self.rewards)}: must be Gaussian(sigma), Bernoulli() or "
                "ClippedGaussian(sigma, low, high)"
            )
        self.rewards.kernel(self.n_arms)  # one noise level per arm, or one for all
        source: Prior
        if callable(getattr(self.prior, "rvs", None)):
            object.__setattr__(self, "prior", copy.deepcopy(self.prior))  # its parameters may be arrays of the caller
            source = Distribution(self.prior, self.n_arms)
        else:
            source = Instances.of(self.prior, self.n_arms)
            object.__setattr__(self, "prior", source.means)
        source.check(self.rewards)
        object.__setattr__(self, "_source", source)

    def draw(self, rng: np.random.Generator) -> FloatArray:
        """Draw the latent means of one run.

        Parameters
        ----------
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float64
            One mean per arm.

        Raises
        ------
        ValueError
            If the prior gives a mean that the reward law does not allow.

        Examples
        --------
        >>> import numpy as np, reucb
        >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.1, 0.3]), rewards=reucb.Bernoulli())
        >>> bandit.draw(np.random.default_rng(0))
        array([0.1, 0.3])
        """
        source: Prior = object.__getattribute__(self, "_source")
        return self.rewards.check_means(source.draw(rng))

    def true_means(self, latent: FloatArray) -> FloatArray:
        """The mean reward of each arm, with which regret is measured.

        Parameters
        ----------
        latent : ndarray
            Latent means, as `draw` returns them.

        Returns
        -------
        ndarray of float64
            The mean of the reward law for each latent mean.

        Raises
        ------
        ValueError
            If the reward law does not allow a mean.

        Examples
        --------
        >>> import numpy as np, reucb
        >>> clipped = reucb.ClippedGaussian(sigma=1.0, low=0.0, high=1.0)
        >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.5, 2.0]), rewards=clipped)
        >>> bandit.true_means(bandit.draw(np.random.default_rng(0))).round(3)
        array([0.5  , 0.925])
        """
        return self.rewards.mean(latent)

    def describe(self) -> dict[str, Any]:
        """The description by which bandits are compared.

        Returns
        -------
        dict
            Plain JSON types; equal for two bandits exactly if they have the same arms, prior and reward law.

        Examples
        --------
        >>> import numpy as np, reucb
        >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.1, 0.3]), rewards=reucb.Bernoulli())
        >>> bandit.describe()["rewards"]
        {'law': 'Bernoulli'}
        """
        source: Prior = object.__getattribute__(self, "_source")
        return {"n_arms": self.n_arms, "prior": source.describe(), "rewards": self.rewards.describe()}

    def __repr__(self) -> str:
        source: Prior = object.__getattribute__(self, "_source")
        return f"Bandit(n_arms={self.n_arms}, prior={source}, rewards={self.rewards})"

    def _key(self) -> str:
        return json.dumps(self.describe(), sort_keys=True, allow_nan=False)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Bandit) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())
