"""Reward laws: what a pull of an arm with latent mean mu pays.

Regret is measured with the *true mean of the reward law*, `law.mean(mu)`. For Gaussian and Bernoulli rewards that
is mu itself; for clipped Gaussian rewards it is not (Sec. sec:mis bandits clips to [0, 1]; it says "truncated").
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from reucb._numerics import FloatArray, validation
from reucb._numerics.normal import excess_of_any_sign
from reucb._numerics.validation import LARGEST_REWARD

Kernel = tuple[int, FloatArray, float, float]
_WIDE = 0.25  # intervals shorter than this many sigmas are integrated: the closed form would cancel


def _frozen_sigma(value: Any) -> float | tuple[float, ...]:
    """A noise level as it is stored: a float, or one float per arm in a tuple (hashable)."""
    if validation.dimensions(value) == 0:
        return validation.nonnegative("sigma", value)
    levels = validation.real_array("sigma", value, ndim=1, low=0)
    if not levels.size:
        raise ValueError("sigma = []: must be one number >= 0, or one per arm")
    return tuple(levels.tolist())


def _per_arm(sigma: float | tuple[float, ...], n_arms: int) -> FloatArray:
    """One noise level per arm."""
    if isinstance(sigma, tuple) and len(sigma) != n_arms:
        raise ValueError(f"sigma has {len(sigma)} entries: must be one number, or one per arm ({n_arms})")
    return np.array(np.broadcast_to(np.asarray(sigma, dtype=np.float64), (n_arms,)))


class RewardLaw(ABC):
    """What all reward laws have in common."""

    @property
    @abstractmethod
    def support(self) -> tuple[float, float]:
        """The interval that contains all rewards."""

    @abstractmethod
    def check_means(self, mu: ArrayLike) -> FloatArray:
        """Check latent means.

        Parameters
        ----------
        mu : array_like
            Latent means.

        Returns
        -------
        ndarray of float64
            The means: at most 1e145 in size for `Gaussian`, from 0 to 1 for `Bernoulli`, any finite numbers for
            `ClippedGaussian`.

        Raises
        ------
        ValueError, TypeError
            If a mean is not allowed.
        """

    def mean(self, mu: ArrayLike) -> FloatArray:
        """The mean reward of an arm, with which regret is measured.

        Parameters
        ----------
        mu : array_like
            Latent means.

        Returns
        -------
        ndarray of float64
            `mu` itself for `Gaussian` and `Bernoulli`; E min(max(X, low), high) for `ClippedGaussian`.

        Raises
        ------
        ValueError, TypeError
            If a latent mean is not allowed.

        Examples
        --------
        >>> import reucb
        >>> reucb.Bernoulli().mean([0.2, 0.7]), reucb.ClippedGaussian(sigma=1.0).mean([0.5, 2.0]).round(3)
        (array([0.2, 0.7]), array([0.5  , 0.925]))
        """
        return self.check_means(mu)

    @abstractmethod
    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        """Draw one reward for each latent mean.

        Parameters
        ----------
        mu : array_like
            Latent means.
        rng : numpy.random.Generator
            Source of randomness.

        Returns
        -------
        ndarray of float64
            Rewards, of the shape of `mu`.

        Raises
        ------
        ValueError, TypeError
            If a latent mean is not allowed.

        Examples
        --------
        >>> import numpy as np, reucb
        >>> reucb.Bernoulli().sample([0.0, 1.0, 1.0], np.random.default_rng(0))
        array([0., 1., 1.])
        """

    @abstractmethod
    def kernel(self, n_arms: int) -> Kernel:
        """The law as the compiled code reads it.

        Parameters
        ----------
        n_arms : int
            Number of arms.

        Returns
        -------
        tuple
            (code, standard deviation per arm, low, high).

        Raises
        ------
        ValueError
            If `sigma` has one value per arm, and not `n_arms` of them.
        """

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The name of the law and its parameters; `law_from` makes the law from them again.

        Returns
        -------
        dict
            Plain JSON types.

        Examples
        --------
        >>> import reucb
        >>> reucb.Gaussian(sigma=0.5).describe()
        {'law': 'Gaussian', 'sigma': 0.5}
        """


@dataclass(frozen=True)
class Gaussian(RewardLaw):
    """Rewards N(mu, sigma^2).

    Parameters
    ----------
    sigma : float or sequence of float
        Standard deviation of the noise, >= 0: one number, or one per arm. With 0 every reward is mu.

    Raises
    ------
    ValueError, TypeError
        If `sigma` is out of range or not a number.

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
        return -np.inf, np.inf

    def check_means(self, mu: ArrayLike) -> FloatArray:
        return validation.real_array("mu", mu, low=-LARGEST_REWARD, high=LARGEST_REWARD)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        means = self.check_means(mu)
        return np.asarray(means + np.asarray(self.sigma) * rng.standard_normal(means.shape))

    def kernel(self, n_arms: int) -> Kernel:
        return self.code, _per_arm(self.sigma, n_arms), -np.inf, np.inf

    def describe(self) -> dict[str, Any]:
        return {"law": "Gaussian", "sigma": _json_sigma(self.sigma)}


@dataclass(frozen=True)
class Bernoulli(RewardLaw):
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
        return 0.0, 1.0

    def check_means(self, mu: ArrayLike) -> FloatArray:
        return validation.real_array("mu", mu, low=0, high=1)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        means = self.check_means(mu)
        return np.asarray(rng.random(means.shape) < means, dtype=np.float64)

    def kernel(self, n_arms: int) -> Kernel:
        return self.code, np.zeros(n_arms), 0.0, 1.0

    def describe(self) -> dict[str, Any]:
        return {"law": "Bernoulli"}


@dataclass(frozen=True)
class ClippedGaussian(RewardLaw):
    """Rewards min(max(X, low), high) with X ~ N(mu, sigma^2), as in Sec. sec:mis bandits of the paper.

    Their mean is not mu. Regret is measured with the mean of the clipped reward. With one sigma for all arms it
    increases with mu, so the best arm is the one with the largest mu, but gaps shrink near the ends.

    Parameters
    ----------
    sigma : float or sequence of float
        Standard deviation before clipping, >= 0: one number, or one per arm.
    low, high : float
        The interval, low < high.

    Raises
    ------
    ValueError, TypeError
        If a parameter is out of range or not a number, or low >= high.

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
        return self.low, self.high

    def check_means(self, mu: ArrayLike) -> FloatArray:
        return validation.real_array("mu", mu)

    def mean(self, mu: ArrayLike) -> FloatArray:
        return _clipped_mean(self.check_means(mu), np.asarray(self.sigma), self.low, self.high)

    def sample(self, mu: ArrayLike, rng: np.random.Generator) -> FloatArray:
        means = self.check_means(mu)
        return np.clip(means + np.asarray(self.sigma) * rng.standard_normal(means.shape), self.low, self.high)

    def kernel(self, n_arms: int) -> Kernel:
        return self.code, _per_arm(self.sigma, n_arms), self.low, self.high

    def describe(self) -> dict[str, Any]:
        return {"law": "ClippedGaussian", "sigma": _json_sigma(self.sigma), "low": self.low, "high": self.high}


def _clipped_mean(mu: FloatArray, sigma: FloatArray, low: float, high: float) -> FloatArray:
    """E min(max(X, low), high) for X ~ N(mu, sigma^2).

    With Psi(s) = E (Z - s)^+, the mean is

        low + sigma (Psi((low - mu)/sigma) - Psi((high - mu)/sigma)).

    It is computed as a distance from the nearer end of the interval (Psi(-s) = s + Psi(s) turns one form into the
    other), so that this distance keeps its relative precision. Where sigma is large compared with the interval the two
    terms cancel; there the same number is the integral of P(X > x) over it, by a Gauss-Legendre rule exact to rounding.
    """
    mu, sigma = np.broadcast_arrays(mu, sigma)
    result = np.array(np.clip(mu, low, high))
    noisy = sigma > 0
    mu, sigma = mu[noisy], sigma[noisy]
    near_low = mu <= low + (high - low) / 2
    with np.errstate(over="ignore", under="ignore"):
        inside = np.where(near_low, mu - low, high - mu) / sigma  # the upper end is reflected
        width = np.broadcast_to((high - low) / sigma, inside.shape)
        closed = excess_of_any_sign(-inside) - excess_of_any_sign(width - inside)
        reach = sigma * np.where(width < _WIDE, _integrated(inside, width), closed)
        value = np.where(near_low, low + reach, high - reach)
    result[noisy] = np.clip(value, low, high)
    return result


def _integrated(inside: FloatArray, width: FloatArray) -> FloatArray:
    """Integral of Phi(inside - x) for x from 0 to width <= 1/4: 20 nodes are exact to rounding there."""
    from scipy.special import ndtr

    nodes, weights = np.polynomial.legendre.leggauss(20)
    points = inside[..., None] - np.minimum(width, _WIDE)[..., None] * (nodes + 1) / 2
    return np.asarray(width / 2 * (ndtr(points) @ weights))


_LAWS: dict[str, type[RewardLaw]] = {law.__name__: law for law in (Gaussian, Bernoulli, ClippedGaussian)}


def _json_sigma(sigma: float | tuple[float, ...]) -> float | list[float]:
    return list(sigma) if isinstance(sigma, tuple) else sigma


def law_from(description: Mapping[str, Any]) -> RewardLaw:
    """Make a reward law from its description.

    Parameters
    ----------
    description : mapping
        What `law.describe()` returns; it may have been written to JSON and read again.

    Returns
    -------
    RewardLaw
        A law equal to the described one.

    Raises
    ------
    ValueError, TypeError
        If the description is not that of a law, or a parameter is unknown or not allowed.

    Examples
    --------
    >>> from reucb.rewards import law_from
    >>> law_from({"law": "Gaussian", "sigma": 0.5})
    Gaussian(sigma=0.5)
    """
    if not isinstance(description, Mapping):
        raise TypeError(f"description = {validation.shown(description)}: must be what law.describe() gives")
    name = validation.choice("law", description.get("law"), _LAWS)
    parameters = {key: value for key, value in description.items() if key != "law"}
    try:
        return _LAWS[name](**parameters)
    except TypeError as error:
        raise ValueError(f"description = {dict(description)!r}: must describe a {name} law ({error})") from None
