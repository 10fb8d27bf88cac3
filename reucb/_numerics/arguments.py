"""The arguments of `blup` and `variance_components`: checked, of one shape, in units in which nothing overflows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics import FloatArray, validation
from reucb._numerics.likelihood import OneWay


class BlupArguments(NamedTuple):
    """Counts, means (0 where unpulled) and noise as (..., K); sigma0_sq and mu0 (None: unknown) as (..., 1)."""

    n: FloatArray
    means: FloatArray
    noise: FloatArray
    prior: FloatArray
    known: FloatArray | None


def blup_arguments(counts: Any, means: Any, sigma0_sq: Any, sigma_sq: Any, mu0: Any) -> BlupArguments:
    """The arguments checked and broadcast."""
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
    return BlupArguments(
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


class Statistics(NamedTuple):
    """The data as rows in units of 2**unit (means) and 4**unit (variances), and the shape of the batch."""

    data: OneWay
    unit: NDArray[Any]
    shape: tuple[int, ...]

    @property
    def size(self) -> FloatArray:
        """Number of observations: rewards, or means with known variances."""
        return np.asarray(self.data.arms if self.data.within is None else self.data.n.sum(-1), dtype=np.float64)

    @property
    def variances(self) -> FloatArray:
        """1/n_k in the units of the user: the sampling variances where they are known."""
        n = self.data.n.reshape(*self.shape, -1)
        return np.asarray(np.ldexp(1 / n, 2 * self.unit.reshape(self.shape)[..., None]))

    @property
    def effective(self) -> FloatArray:
        """n_* = N - sum n_k^2 / N, without cancellation."""
        n, size = self.data.n, self.data.n.sum(-1)
        return np.asarray((n * (size[:, None] - n)).sum(-1) / size)

    def shown(self, variance: FloatArray) -> Any:
        """A variance of each row in the units of the user and the shape of the batch."""
        return self.frozen(np.ldexp(variance, 2 * self.unit))

    def frozen(self, value: FloatArray) -> Any:
        """A number of each row in the shape of the batch, read-only."""
        result = np.asarray(value).reshape(self.shape)
        result.flags.writeable = False
        return result if result.ndim else result[()]

    def scaled(self, variance: Any, missing: FloatArray | None = None) -> FloatArray:
        """The reverse of `shown`; missing stands for None."""
        if variance is None:
            assert missing is not None
            return missing
        return np.asarray(np.ldexp(np.asarray(variance, dtype=np.float64).reshape(-1), -2 * self.unit))


def from_rewards(counts: Any, means: Any, sq_devs: Any) -> Statistics:
    """Counts, means and sums of squared deviations, checked."""
    for name, value in (("counts", counts), ("means", means), ("sq_devs", sq_devs)):
        if value is None:
            raise TypeError(
                f"{name} is missing: must be given, as counts, means and sq_devs, or else means and variances alone"
            )
    n, values = validation.count_array("counts", counts), validation.real_array("means", means, finite=False)
    squares = validation.real_array("sq_devs", sq_devs, finite=False)
    for name, array in (("means", values), ("sq_devs", squares)):
        if n.ndim == 0 or n.shape[-1] == 0 or array.shape != n.shape:
            raise ValueError(
                f"{name} has shape {array.shape}, counts has {n.shape}: must be equal, (..., K) with at least one arm"
            )
    pulled = n > 0
    validation.refuse("means", values, pulled & ~np.isfinite(values), "finite where the count is positive")
    allowed = "finite and >= 0 where the count is positive"
    validation.refuse("sq_devs", squares, pulled & ~(np.isfinite(squares) & (squares >= 0)), allowed)
    allowed = "0 where the count is 1 (one reward is its own mean)"
    validation.refuse("sq_devs", squares, (n == 1) & (squares != 0), allowed)
    _require_estimable(n)
    shape, arms = n.shape[:-1], n.shape[-1]
    squares = np.where(pulled, squares, 0.0).reshape(-1, arms)
    n = n.reshape(-1, arms)
    half = _halves(n, np.where(pulled, values, 0.0).reshape(-1, arms))
    unit = np.frexp(np.maximum(np.abs(half).max(-1), np.sqrt(squares.max(-1) / n.max(-1))))[1] + 1
    within = np.ldexp(squares, -2 * unit[:, None]).sum(-1)
    return Statistics(OneWay(n, _centred(n, half, unit), within, True), unit, shape)


def from_variances(means: Any, variances: Any) -> Statistics:
    """Means with known sampling variances, checked; n_k is 1/v_k."""
    if means is None:
        raise TypeError("means is missing: must be given together with variances")
    values = validation.real_array("means", means)
    noise = validation.real_array("variances", variances)
    if values.ndim == 0 or values.shape[-1] < 2 or noise.shape != values.shape:
        raise ValueError(
            f"variances has shape {noise.shape}, means has {values.shape}: must be equal, (..., K) with at least 2 arms"
        )
    validation.refuse("variances", noise, ~(noise > 0), "finite and > 0")
    shape, arms = values.shape[:-1], values.shape[-1]
    values, noise = values.reshape(-1, arms), noise.reshape(-1, arms)
    half = _halves(1 / np.maximum(noise, 1e-290), values)
    unit = np.frexp(np.maximum(np.abs(half).max(-1), np.sqrt(noise.max(-1))))[1] + 1
    n = 1 / np.maximum(np.ldexp(noise, -2 * unit[:, None]), 1e-290)
    return Statistics(OneWay(n, _centred(n, half, unit), None, True), unit, shape)


def _require_estimable(n: FloatArray) -> None:
    """Refuse data in which a variance does not show."""
    arms = (n > 0).sum(-1)
    for wrong, why in (
        (arms < 2, "two pulled arms (nothing else shows how arms differ: sigma0_sq cannot be estimated)"),
        (
            n.max(-1) < 2,
            "an arm pulled twice (otherwise sigma_sq cannot be estimated)",
        ),
    ):
        if wrong.any():
            where, place = validation.first_place(wrong)
            shown = np.array2string(n[where], threshold=8, separator=", ", formatter={"all": "{:.0f}".format})
            raise ValueError(f"counts{place} = {shown}: must have {why}")


def _halves(n: FloatArray, values: FloatArray) -> FloatArray:
    """Half the differences from one datum: exact where data are close, finite where they are extreme."""
    first = n.argmax(-1)[:, None]
    return np.where(n > 0, values / 2 - np.take_along_axis(values, first, -1) / 2, 0.0)


def _centred(n: FloatArray, half: FloatArray, unit: NDArray[Any]) -> FloatArray:
    """The means about their weighted mean, in units of 2**unit."""
    scaled = np.ldexp(half, 1 - unit[:, None])
    scaled = scaled - (n * scaled).sum(-1, keepdims=True) / n.sum(-1, keepdims=True)
    return np.where(n > 0, scaled, 0.0)
