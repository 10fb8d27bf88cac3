"""A bandit: a prior over the latent means of the arms (a distribution, or fixed instances), and a reward law.

Common SciPy distributions are sampled without the check of all parameters that SciPy makes in every draw; the values
are bit-for-bit equal. That check takes longer than a thousand rounds of a run and holds the GIL.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reucb._numerics import FloatArray, validation
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian, RewardLaw

_METHODS = {"norm": ("standard_normal",), "uniform": ("random",), "beta": ("beta", "a", "b")}  # name: method, shapes
_NEGLIGIBLE = 1e-9  # mass outside [0, 1] (rounding of loc + scale) that is left to the check of each draw
_LISTED = 64  # arrays up to this size are described by their values, larger ones by a digest
_LEVELS = np.arange(1, 64)[:, None] / 64


@dataclass(frozen=True, eq=False)
class Bandit:
    """A random-effect bandit (Eq. payoff-M1): each run draws its latent means, and pulls pay by the reward law.

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
        If the prior is not of one of the three kinds, has no finite moments, or has means that the law does not allow.

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
        source: _Prior
        if callable(getattr(self.prior, "rvs", None)):
            object.__setattr__(self, "prior", copy.deepcopy(self.prior))  # its parameters may be arrays of the caller
            source = _Distribution(self.prior, self.n_arms)
        else:
            source = _Instances.of(self.prior, self.n_arms)
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
        source: _Prior = object.__getattribute__(self, "_source")
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
        source: _Prior = object.__getattribute__(self, "_source")
        return {"n_arms": self.n_arms, "prior": source.describe(), "rewards": self.rewards.describe()}

    def __repr__(self) -> str:
        source: _Prior = object.__getattribute__(self, "_source")
        return f"Bandit(n_arms={self.n_arms}, prior={source}, rewards={self.rewards})"

    def _key(self) -> str:
        return json.dumps(self.describe(), sort_keys=True, allow_nan=False)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Bandit) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())


class _FastDraw(NamedTuple):
    """loc + scale X, X drawn by a method of Generator."""

    method: str
    shapes: tuple[float, ...]
    loc: float
    scale: float

    def draw(self, rng: np.random.Generator, size: int) -> FloatArray:
        """`size` variates."""
        return np.asarray(getattr(rng, self.method)(*self.shapes, size=size) * self.scale + self.loc)


def _fast_draw_of(name: str, law: Any) -> _FastDraw | None:
    """How to draw from SciPy's frozen distribution of this name; None unless 100 draws equal those of `rvs`."""
    if name not in _METHODS:
        return None
    method, *shapes = _METHODS[name]
    given = dict(zip((*shapes, "loc", "scale"), law.args, strict=False)) | law.kwds
    if not all(isinstance(value, (int, float)) for value in given.values()):
        return None
    fast = _FastDraw(
        method, tuple(float(given[key]) for key in shapes), float(given.get("loc", 0)), float(given.get("scale", 1))
    )
    expected = law.rvs(size=100, random_state=np.random.default_rng(0))
    return fast if np.array_equal(fast.draw(np.random.default_rng(0), 100), expected) else None


class _Prior(Protocol):
    """The methods that a bandit needs of its prior."""

    def draw(self, rng: np.random.Generator) -> FloatArray: ...
    def check(self, rewards: RewardLaw) -> None: ...
    def describe(self) -> dict[str, Any]: ...


@dataclass(frozen=True, eq=False)
class _Instances:
    """Fixed means: one vector for all runs, or one row of a matrix per run, each equally likely."""

    means: FloatArray

    @classmethod
    def of(cls, value: Any, n_arms: int) -> _Instances:
        """The instances in `value`, checked and read-only."""
        if isinstance(value, str) or validation.dimensions(value) not in (1, 2):
            raise TypeError(
                f"prior = {validation.shown(value)}: must be a frozen scipy.stats distribution, a vector of "
                f"{n_arms} means, or a matrix with {n_arms} columns"
            )
        means = validation.real_array("prior", value)
        if means.shape[-1] != n_arms or means.shape[0] == 0:
            raise ValueError(
                f"prior has shape {means.shape}: must be ({n_arms},) or (instances, {n_arms}) for n_arms = {n_arms}"
            )
        means.flags.writeable = False
        return cls(means)

    def check(self, rewards: RewardLaw) -> None:
        """Refuse means that the law cannot have."""
        try:
            rewards.check_means(self.means)
        except ValueError as error:
            raise ValueError(f"prior holds means that {rewards} cannot have: {error}") from None

    def draw(self, rng: np.random.Generator) -> FloatArray:
        if self.means.ndim == 1:
            return self.means.copy()
        return np.array(self.means[rng.integers(len(self.means))])

    def __str__(self) -> str:
        return "vector" if self.means.ndim == 1 else f"matrix of {len(self.means)} instances"

    def describe(self) -> dict[str, Any]:
        return {"kind": "vector" if self.means.ndim == 1 else "instances", **_array(self.means)}


@dataclass(frozen=True, eq=False)
class _Distribution:
    """Means drawn from a frozen scipy.stats distribution (anything with rvs, mean, var and cdf)."""

    law: Any
    n_arms: int

    def check(self, rewards: RewardLaw) -> None:
        """Refuse a prior without mean or variance, of a wrong shape, or with means the law cannot have."""
        if hasattr(self.law, "freeze") and self._known_by_name():
            raise TypeError(f"prior = {self.law!r}: must be frozen, that is, called with its parameters")
        try:
            with np.errstate(all="ignore"):
                mean, var = np.asarray(self.law.mean()), np.asarray(self.law.var())
        except (TypeError, AttributeError):
            raise TypeError(
                f"prior = {self.law!r}: must be a frozen one-dimensional scipy.stats distribution "
                "(with mean, var, cdf, sf, ppf and rvs)"
            ) from None
        if mean.shape not in ((), (self.n_arms,)):
            raise ValueError(
                f"prior has a mean of shape {mean.shape}: must be one distribution for all arms, "
                f"or one per arm (shape ({self.n_arms},))"
            )
        if not np.isfinite(mean).all():
            raise ValueError(f"prior has mean {mean}: must be finite (else the Bayes regret is not defined)")
        if not np.isfinite(var).all():
            raise ValueError(f"prior has variance {var}: must be finite (random effects have second moments)")
        if isinstance(rewards, Bernoulli):
            outside = self.law.cdf(-np.finfo(float).tiny) + self.law.sf(1.0)
            if np.max(outside) > _NEGLIGIBLE:
                raise ValueError(
                    f"prior puts mass {np.max(outside):.3g} outside [0, 1]: must lie within, as rewards are Bernoulli"
                )

    def draw(self, rng: np.random.Generator) -> FloatArray:
        if self._fast_draw is not None:
            return self._fast_draw.draw(rng, self.n_arms)
        return np.asarray(self.law.rvs(size=self.n_arms, random_state=rng), dtype=np.float64)

    @cached_property
    def _fast_draw(self) -> _FastDraw | None:
        """How to draw the values of `rvs` without its checks, if this is known for the family."""
        return _fast_draw_of(self._family()[1], self.law) if self._known_by_name() else None

    def __str__(self) -> str:
        parameters = [
            *map(str, getattr(self.law, "args", ())),
            *(f"{key}={value}" for key, value in getattr(self.law, "kwds", {}).items()),
        ]
        return f"{self._family()[1]}({', '.join(parameters)})"

    def describe(self) -> dict[str, Any]:
        args = [_json_value(value) for value in getattr(self.law, "args", ())]
        kwds = {key: _json_value(value) for key, value in sorted(getattr(self.law, "kwds", {}).items())}
        description = {"kind": "distribution", "name": self._family()[1], "args": args, "kwds": kwds}
        if not self._known_by_name():  # a histogram, or a class of the user: identified by its quantiles
            description["quantiles"] = _array(np.asarray(self.law.ppf(_LEVELS)))
        return description

    def _family(self) -> tuple[Any, str]:
        """The distribution without its parameters, and its name."""
        family = getattr(self.law, "dist", self.law)
        return family, str(getattr(family, "name", type(family).__name__))

    def _known_by_name(self) -> bool:
        """Whether scipy.stats (already imported if the prior exists) holds this family under its name."""
        family, name = self._family()
        return type(getattr(sys.modules.get("scipy.stats"), name, None)) is type(family)


def _json_value(value: Any) -> Any:
    """A parameter of a distribution in JSON types."""
    array = np.asarray(value)
    return array.item() if array.ndim == 0 else _array(array)


def _array(values: NDArray[Any]) -> dict[str, Any]:
    """An array in JSON types: its shape, its digest, and its values when they are few."""
    data = np.ascontiguousarray(values, dtype="<f8")
    digest = hashlib.sha256(data.tobytes()).hexdigest()
    description: dict[str, Any] = {"shape": list(data.shape), "sha256": digest}
    if data.size <= _LISTED:
        description["values"] = data.tolist()
    return description
