"""Best linear unbiased prediction of the arm means from counts and sample means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from reucb._numerics import BoolArray, FloatArray, validation
from reucb._numerics.one_way import Nodes, mixture_quantile, ratio_nodes
from reucb._numerics.shrinkage import Shrinkage, Twofold, gls_shares, shrink
from reucb.variance import VarianceComponents, statistics_of


@dataclass(frozen=True, eq=False)
class Fit:
    """What `blup` returns; read-only arrays. The last axis is the arms, axes before it are batches.

    Attributes
    ----------
    weights
        w_k, Eq. w-def.
    mu0
        The GLS mean (Eq. r0-estimator), or the known mean.
    mu
        The predicted arm means, Eq. blup (Eq. mu-estimator).
    mse
        Their mean squared errors, Eq. MSE (MSE-term1), for variances that are known.

    Examples
    --------
    >>> import reucb
    >>> fit = reucb.blup([4, 1], [1.0, 3.0], sigma0_sq=1.0, sigma_sq=1.0)
    >>> print(fit.weights, fit.mu.round(3))
    [0.8 0.5] [1.154 2.385]
    """

    weights: FloatArray
    mu0: FloatArray
    mu: FloatArray
    mse: FloatArray
    _arguments: _Arguments | None = field(default=None, repr=False)
    _components: VarianceComponents | None = field(default=None, repr=False)

    def interval(self, level: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Intervals that contain the arm means with the given probability, for arms and rewards drawn from the model.

        With variances given as numbers the interval is exact: mu -+ z sqrt(mse). With `components`, it also allows for
        the error of the estimated variances: its ends are quantiles of a mixture of t distributions over the ratio
        sigma0^2/sigma^2, weighted by the restricted likelihood for every method of estimation. It need not be
        symmetric about mu. Measured coverage: docs/intervals.md.

        Parameters
        ----------
        level
            Probability, between 0 and 1.

        Returns
        -------
        lower, upper
            Arrays of the shape of mu.

        Raises
        ------
        ValueError, TypeError
            If `level` is not a number strictly between 0 and 1.

        Examples
        --------
        >>> import reucb
        >>> counts, means = [5] * 4, [0.1, 0.9, 0.4, 1.2]
        >>> vc = reucb.variance_components(counts, means, [4.0] * 4, method="reml")
        >>> lower, upper = reucb.blup(counts, means, components=vc).interval(0.95)
        >>> print(lower.round(2), upper.round(2))
        [-0.7  -0.   -0.43  0.22] [1.08 1.73 1.3  2.  ]
        """
        level = validation.proportion("level", level)
        tail = (1 - level) / 2
        if self._components is None or self._arguments is None:
            half = -special.ndtri(tail) * np.sqrt(self.mse)
            return _frozen(self.mu - half), _frozen(self.mu + half)
        return _averaged_interval(self, self._arguments, self._components, tail)


class _Arguments(NamedTuple):
    """Counts, means (0 where unpulled) and noise as (..., K); sigma0_sq and mu0 (None: unknown) as (..., 1)."""

    n: FloatArray
    means: FloatArray
    noise: FloatArray
    prior: FloatArray
    known: FloatArray | None


class _Solution(NamedTuple):
    weights: FloatArray
    mu0: FloatArray
    mu: FloatArray
    mse: FloatArray


def blup(
    counts: ArrayLike,
    means: ArrayLike,
    *,
    sigma0_sq: ArrayLike | None = None,
    sigma_sq: ArrayLike | None = None,
    mu0: ArrayLike | None = None,
    components: VarianceComponents | None = None,
) -> Fit:
    """The BLUP of every arm mean, and its mean squared error (Eq. blup, Eq. MSE).

    With v_k = sigma_k^2 / n_k and D_k = sigma0^2 + v_k,

        w_k = sigma0^2 / D_k,                      r0-bar = V0 sum_k r-bar_k / D_k,    V0 = 1 / sum_k (1 / D_k),
        mu-hat_k = (1 - w_k) r0-bar + w_k r-bar_k,    tau_k^2 = (1 - w_k) sigma0^2 + (1 - w_k)^2 V0.

    With mu0 known, r0-bar is mu0 and V0 is 0 (Eq. mu-estimator, Eq. MSE-term1). Arms may have different
    noise variances: these are the generalised least squares formulas, from which the first display of Sec. sec:varying
    differs.

    Limits, all finite:
      count 0         w = 0, mu-hat = r0-bar, tau^2 = sigma0^2 + V0
      sigma0_sq = 0   w = 0: all arms share r0-bar, the mean of all rewards; tau^2 = V0 = 1 / sum_k (n_k / sigma_k^2)
      sigma_sq = 0    w = 1 for pulled arms: mu-hat is the arm mean, tau^2 = 0; r0-bar is the plain mean of arm means
      both 0          w = 0, tau^2 = 0; the means (and mu0) must agree exactly, otherwise ValueError
      one arm         mu-hat = r0-bar = r-bar, tau^2 = sigma^2 / n, whatever sigma0^2
      no pulls at all mu0 must be given, as there is nothing to estimate it from

    Every number agrees with the exact solution of Henderson's mixed model equations to a few units in its own last
    place: sums are computed at twice the working precision about a centre among the data, 1 - w is computed as
    v_k / D_k without a subtraction, and powers of two are factored out beforehand, so that intermediate results do
    not overflow. mu-hat lies between r0-bar and the arm mean in floating point, too.

    Parameters
    ----------
    counts, means
        (..., K); an arm may have count 0, its mean is then ignored (it may be nan).
    sigma0_sq, mu0
        One number, or one per batch. mu0 is estimated where it is None.
    sigma_sq
        One number, or anything that broadcasts to (..., K).
    components
        The result of `variance_components`, in place of sigma0_sq and sigma_sq; `Fit.interval` then allows for its
        error. If it was computed from known sampling variances, these are used as the variances of the means.

    Returns
    -------
    Fit
        weights, mu0, mu, mse, and `interval`.

    Raises
    ------
    ValueError
        If an argument is out of range, or both variances are 0 and the data contradict this.

    Examples
    --------
    >>> import reucb
    >>> fit = reucb.blup([4, 1, 0], [1.0, 3.0, 0.0], sigma0_sq=1.0, sigma_sq=4.0)
    >>> print(fit.weights.round(3), fit.mu.round(3), fit.mse.round(3))
    [0.5 0.2 0. ] [1.286 1.857 1.571] [0.857 1.714 2.429]
    """
    if components is not None:
        sigma0_sq, sigma_sq = _taken_from(components, counts, sigma0_sq, sigma_sq)
    given = _checked(counts, means, sigma0_sq, sigma_sq, mu0)
    weights, centre, mu, mse = map(_frozen, _solve(given))
    return Fit(weights, centre, mu, mse, given, components)


def _checked(counts: Any, means: Any, sigma0_sq: Any, sigma_sq: Any, mu0: Any) -> _Arguments:
    """The arguments of `blup`, checked and broadcast."""
    for name, value in (("sigma0_sq", sigma0_sq), ("sigma_sq", sigma_sq)):
        if value is None:
            raise TypeError(f"{name} is missing: must be given, or components in place of both variances")
    n, values = validation.count_array("counts", counts), validation.real_array("means", means, finite=False)
    if n.ndim == 0 or n.shape[-1] == 0:
        raise ValueError(f"counts has shape {n.shape}: must be (..., K) with at least one arm")
    if values.ndim == 0 or values.shape[-1] != n.shape[-1]:
        raise ValueError(f"means has shape {values.shape}: must be (..., {n.shape[-1]}), as counts has {n.shape}")
    noise = validation.real_array("sigma_sq", sigma_sq, low=0)
    prior = validation.real_array("sigma0_sq", sigma0_sq, low=0)[..., None]
    centre = None if mu0 is None else validation.real_array("mu0", mu0)[..., None]
    shape = _common_shape(n, values, noise, prior, centre)
    n, values = np.broadcast_to(n, shape), np.broadcast_to(values, shape)
    validation.refuse("means", values, (n > 0) & ~np.isfinite(values), "finite where the count is positive")
    return _Arguments(
        n,
        np.where(n > 0, values, 0.0),
        np.broadcast_to(noise, shape),
        np.broadcast_to(prior, (*shape[:-1], 1)),
        None if centre is None else np.broadcast_to(centre, (*shape[:-1], 1)),
    )


def _common_shape(
    n: FloatArray, values: FloatArray, noise: FloatArray, prior: FloatArray, centre: FloatArray | None
) -> tuple[int, ...]:
    """The shape (..., K) that everything broadcasts to; K itself comes from counts alone."""
    shape = n.shape
    for name, array in (("means", values), ("sigma_sq", noise), ("sigma0_sq", prior), ("mu0", centre)):
        if array is None:
            continue
        try:
            shape = np.broadcast_shapes(shape, array.shape)
        except ValueError:
            shape = (*shape[:-1], -1)
        if shape[-1] != n.shape[-1]:
            given = array.shape[:-1] if name in ("sigma0_sq", "mu0") else array.shape
            raise ValueError(
                f"{name} has shape {given}: must fit counts of shape {n.shape}, arms last"
                + (" (one number, or one per batch)" if name in ("sigma0_sq", "mu0") else "")
            )
    return shape


def _solve(given: _Arguments) -> _Solution:
    """The formulas of `blup` for checked arguments."""
    n, means, noise, prior, known = given
    pulled = n > 0
    shrinkage = shrink(n, noise, prior)
    if known is None:
        _require_pulls(pulled)
        shares, v0, least = gls_shares(shrinkage, pulled)
        r0, mu = _predict(means, pulled, shrinkage, np.take_along_axis(means, least, -1), shares)
    else:
        v0 = np.zeros_like(prior)
        r0, mu = _predict(means, pulled, shrinkage, known, None)
    mse = shrinkage.known_mse + shrinkage.complement * (shrinkage.complement * v0)
    return _Solution(shrinkage.weights.high, r0[..., 0], mu, mse)


def _averaged_interval(
    fit: Fit, given: _Arguments, components: VarianceComponents, tail: float
) -> tuple[FloatArray, FloatArray]:
    """Quantiles of each arm mean over the nodes of the ratio."""
    known = statistics_of(components)
    data, shape = known.data, known.shape
    exact = np.zeros(len(data.n), dtype=bool) if data.within is None else data.within == 0
    if data.within is not None:
        data = data._replace(within=np.where(exact, 1.0, data.within))
    nodes = ratio_nodes(data)
    solved = [_solve(arguments) for arguments in _at_nodes(given, components, nodes)]
    centre, spread = np.stack([s.mu for s in solved]), np.sqrt(np.stack([s.mse for s in solved]))
    weights = nodes.weights.reshape(-1, *shape)[..., None]
    freedom = nodes.freedom.reshape(shape)[..., None]
    # Rewards without noise: an arm mean is known, an unpulled arm differs from the mean of the others by t with K - 1.
    half = special.stdtrit(data.arms - 1.0, 1 - tail).reshape(shape)[..., None] * np.sqrt(fit.mse)
    constant = exact.reshape(shape)[..., None]
    bounds = [
        np.where(constant, fit.mu + sign * half, mixture_quantile(weights, centre, spread, freedom, probability))
        for sign, probability in ((-1, tail), (1, 1 - tail))
    ]
    return _frozen(bounds[0]), _frozen(bounds[1])


def _at_nodes(given: _Arguments, components: VarianceComponents, nodes: Nodes) -> Iterator[_Arguments]:
    """The arguments with the variances of each node."""
    statistics = statistics_of(components)
    for ratio, phi in zip(nodes.ratio, nodes.phi, strict=True):
        prior = np.broadcast_to(np.asarray(statistics.shown(ratio * phi))[..., None], given.prior.shape)
        noise = given.noise
        if components.sigma_sq is not None:
            noise = np.broadcast_to(np.asarray(statistics.shown(phi))[..., None], noise.shape)
        yield given._replace(noise=noise, prior=prior)


def _taken_from(
    components: VarianceComponents, counts: ArrayLike, sigma0_sq: ArrayLike | None, sigma_sq: ArrayLike | None
) -> tuple[ArrayLike, ArrayLike]:
    """sigma0_sq and sigma_sq as the components have them; known sampling variances v_k are sigma_k^2 / n_k."""
    if not isinstance(components, VarianceComponents):
        raise TypeError(f"components = {validation.shown(components)}: must be a result of variance_components")
    for name, value in (("sigma0_sq", sigma0_sq), ("sigma_sq", sigma_sq)):
        if value is not None:
            raise ValueError(f"{name} is given together with components: must be None, as components holds it")
    if components.sigma_sq is not None:
        return components.sigma0_sq, np.asarray(components.sigma_sq)[..., None]
    variances = statistics_of(components).variances
    n = validation.count_array("counts", counts)
    if n.ndim == 0 or n.shape[-1] != variances.shape[-1]:
        raise ValueError(
            f"counts has shape {n.shape}: must have {variances.shape[-1]} arms, as components has that many variances"
        )
    return components.sigma0_sq, variances * n


def _predict(
    means: FloatArray, pulled: BoolArray, shrinkage: Shrinkage, start: FloatArray, shares: Twofold | None
) -> tuple[FloatArray, FloatArray]:
    """r0-bar (the start itself when shares is None: mu0 is known) and mu-hat, as deviations from the start."""
    scale = np.frexp(np.maximum(np.abs(means).max(-1, keepdims=True), np.abs(start)))[1] + 1
    origin = Twofold.of(np.ldexp(start, -scale))
    deviation = Twofold.difference(np.ldexp(means, -scale), origin.high).where(pulled, 0.0)
    _refuse_conflict(shrinkage.exact & (deviation.high != 0), means, known=shares is None)
    centre = origin
    if shares is not None:
        offset = shares.times(deviation).total().over(shares.total())
        centre, deviation = origin.plus(offset), deviation.minus(offset)
    r0 = np.ldexp(centre.high, scale)
    mu = np.ldexp(centre.plus(shrinkage.weights.times(deviation)).high, scale)
    return r0, np.where(pulled, np.clip(mu, np.minimum(r0, means), np.maximum(r0, means)), r0)


def _require_pulls(pulled: BoolArray) -> None:
    empty = np.asarray(~pulled.any(axis=-1))
    if empty.any():
        place = validation.first_place(empty)[1]
        raise ValueError(
            f"mu0 = None: must be a number where no arm is pulled (counts{place} are all 0), as there "
            "is nothing to estimate it from"
        )


def _refuse_conflict(conflict: BoolArray, means: FloatArray, *, known: bool) -> None:
    """With both variances 0 every reward equals mu0; data that differ are refused."""
    validation.refuse(
        "means",
        means,
        conflict,
        "equal to "
        + ("mu0" if known else "the mean of every other such arm")
        + " where sigma0_sq = sigma_sq = 0 (the data conflict)",
    )


def _frozen(array: FloatArray) -> Any:
    """The array read-only; a number where there is no axis."""
    array = np.asarray(array)
    if not array.ndim:
        return array[()]
    if not array.flags.owndata:
        array = array.copy()
    array.flags.writeable = False
    return array
