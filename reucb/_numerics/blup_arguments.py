"""The arguments of `blup`, checked and brought to one shape."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from reucb._numerics import validation
from reucb._numerics.arrays import FloatArray


class Arguments(NamedTuple):
    """Counts, means (0 where unpulled) and noise as (..., K); sigma0_sq and mu0 (None: unknown) as (..., 1)."""

    n: FloatArray
    means: FloatArray
    noise: FloatArray
    prior: FloatArray
    known: FloatArray | None


def blup_arguments(counts: Any, means: Any, sigma0_sq: Any, sigma_sq: Any, mu0: Any) -> Arguments:
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
    return Arguments(
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
