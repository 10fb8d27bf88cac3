"""Reward laws: what a pull of an arm with latent mean mu pays.

Regret is measured with the *true mean of the reward law*, `law.mean(mu)`. For Gaussian and Bernoulli rewards that
is mu itself; for clipped Gaussian rewards it is not (Sec. sec:mis bandits clips to [0, 1]; it says "truncated").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from reucb._numerics import validation
from reucb._numerics.arrays import FloatArray
from reucb._numerics.clipped_normal import clipped_mean
from reucb._numerics.validation import LARGEST_REWARD

Kernel = tuple[int, FloatArray, float, float]


def _frozen_sigma(value: Any) -> float | tuple[float, ...]:
    """A noise level as it is stored: a float, or one float per arm in a tuple (hashable)."""
    if np.ndim(value) == 0:
        return validation.nonnegative("sigma", value)
    levels = validation.real_array("sigma", value, ndim=1, low=0)
    if not levels.size:
        raise ValueError(f"sigma = {value!r}: must be one number >= 0, or one per arm")
    return tuple(levels.tolist())


def _per_arm(sigma: float | tuple[float, ...], n_arms: int) -> FloatArray:
    """One noise level per arm."""
    if isinstance(sigma, tuple) and len(sigma) != n_arms:
        raise ValueError(f"sigma has {len(sigma)} entries: must be one number, or one per arm ({n_arms})")
    return np.array(np.broadcast_to(np.asarray(sigma, dtype=np.float64), (n_arms,)))


@dataclass(frozen=True)
class Gaussian:
    """Rewards N(mu, sigma^2).

    Parameters
    ----------
    sigma : float or sequence of float
        Standard deviation of the noise, >= 0: one number, or one per arm. With 0 every reward is mu.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> reucb.Gaussian(sigma=0.0).sample([1.0, 2.0], np.random.default_rng(0))
    array([1., 2.])
    """

    sigma: float | tuple[float, ...]
    code: ClassVar[int] = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", _frozen_sigma(self.sigma))

    @property
    def support(self) -> tuple[float, float]:
        """The interval rewards lie in."""
        return -np.inf, np.inf

    def check_means(self, mu: ArrayLike) -> FloatArray:
        """The latent means as float64; any number up to 1e145 in size is one."""
        return validation.real_array("mu", mu, low=-LARGEST_REWARD, high=LARGEST_REWARD)

    def mean(self, mu: ArrayLike) -> FloatArray:
        """The true mean of the law: mu."""
        return self.check_means(mu)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """One reward for each latent mean."""
        means = self.check_means(mu)
        return np.asarray(means + np.asarray(self.sigma) * rng.standard_normal(means.shape))

    def kernel(self, n_arms: int) -> Kernel:
        """(code, sigma per arm, low, high): the law as compiled code reads it."""
        return self.code, _per_arm(self.sigma, n_arms), -np.inf, np.inf

    def describe(self) -> dict[str, Any]:
        """Plain JSON; `law_from` gives the law back."""
        return {"law": "Gaussian", "sigma": _plain(self.sigma)}


@dataclass(frozen=True)
class Bernoulli:
    """Rewards 1 with probability mu, else 0; mu in [0, 1].

    Examples
    --------
    >>> import numpy as np, reucb
    >>> reucb.Bernoulli().sample([0.0, 1.0], np.random.default_rng(0))
    array([0., 1.])
    """

    code: ClassVar[int] = 1

    @property
    def support(self) -> tuple[float, float]:
        """The interval rewards lie in."""
        return 0.0, 1.0

    def check_means(self, mu: ArrayLike) -> FloatArray:
        """The latent means as float64; a probability lies in [0, 1]."""
        return validation.real_array("mu", mu, low=0, high=1)

    def mean(self, mu: ArrayLike) -> FloatArray:
        """The true mean of the law: mu."""
        return self.check_means(mu)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """One reward for each latent mean."""
        means = self.check_means(mu)
        return np.asarray(rng.random(means.shape) < means, dtype=np.float64)

    def kernel(self, n_arms: int) -> Kernel:
        """(code, sigma per arm, low, high): the law as compiled code reads it (sigma unused)."""
        return self.code, np.zeros(n_arms), 0.0, 1.0

    def describe(self) -> dict[str, Any]:
        """Plain JSON; `law_from` gives the law back."""
        return {"law": "Bernoulli"}


@dataclass(frozen=True)
class ClippedGaussian:
    """Rewards min(max(X, low), high) with X ~ N(mu, sigma^2), as in Sec. sec:mis bandits of the paper.

    Their mean is not mu. Regret is measured with the mean of the clipped reward. With one sigma for all arms it
    increases with mu, so the best arm is the one with the largest mu, but gaps shrink near the ends.

    Parameters
    ----------
    sigma : float or sequence of float
        Standard deviation before clipping, >= 0: one number, or one per arm.
    low, high : float
        The interval, low < high.

    Examples
    --------
    >>> import reucb
    >>> reucb.ClippedGaussian(sigma=1.0).mean([0.5])
    array([0.5])
    """

    sigma: float | tuple[float, ...]
    low: float = 0.0
    high: float = 1.0
    code: ClassVar[int] = 2

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", _frozen_sigma(self.sigma))
        object.__setattr__(self, "low", validation.real("low", self.low))
        object.__setattr__(self, "high", validation.real("high", self.high))
        if not self.low < self.high:
            raise ValueError(f"high = {self.high!r}: must be greater than low = {self.low!r}")

    @property
    def support(self) -> tuple[float, float]:
        """The interval rewards lie in."""
        return self.low, self.high

    def check_means(self, mu: ArrayLike) -> FloatArray:
        """The latent means as float64; any finite number is one, also outside [low, high]."""
        return validation.real_array("mu", mu)

    def mean(self, mu: ArrayLike) -> FloatArray:
        """The true mean of the law, E min(max(X, low), high)."""
        return clipped_mean(self.check_means(mu), np.asarray(self.sigma), self.low, self.high)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """One reward for each latent mean."""
        means = self.check_means(mu)
        return np.clip(means + np.asarray(self.sigma) * rng.standard_normal(means.shape), self.low, self.high)

    def kernel(self, n_arms: int) -> Kernel:
        """(code, sigma per arm, low, high): the law as compiled code reads it."""
        return self.code, _per_arm(self.sigma, n_arms), self.low, self.high

    def describe(self) -> dict[str, Any]:
        """Plain JSON; `law_from` gives the law back."""
        return {"law": "ClippedGaussian", "sigma": _plain(self.sigma), "low": self.low, "high": self.high}


RewardLaw = Gaussian | Bernoulli | ClippedGaussian
_LAWS: dict[str, type[RewardLaw]] = {law.__name__: law for law in (Gaussian, Bernoulli, ClippedGaussian)}


def _plain(sigma: float | tuple[float, ...]) -> float | list[float]:
    return list(sigma) if isinstance(sigma, tuple) else sigma


def law_from(description: Mapping[str, Any]) -> RewardLaw:
    """The reward law that `describe` described."""
    name = validation.choice("law", description.get("law"), _LAWS)
    parameters = {key: value for key, value in description.items() if key != "law"}
    try:
        return _LAWS[name](**parameters)
    except TypeError as error:
        raise ValueError(f"description = {dict(description)!r}: must describe a {name} law ({error})") from None
