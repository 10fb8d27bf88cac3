"""Estimates of the two variances, sigma0^2 between arms and sigma^2 within, from sufficient statistics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reucb._numerics import validation
from reucb._numerics.arrays import FloatArray
from reucb._numerics.likelihood import maximise

METHODS = ("moments", "anova", "ml", "reml")


@dataclass(frozen=True, eq=False)
class VarianceComponents:
    """What `variance_components` gives: floats, or arrays of the shape of the batch.

    sigma0_sq, sigma_sq: the estimates, never negative.   method: how they were made.
    untruncated: sigma0_sq before truncation at 0 (anova: unbiased, may be negative; the others: sigma0_sq itself).
    loglik: the log-likelihood they reach (ml), the restricted one (reml), None for the quadratic methods.
    """

    sigma0_sq: FloatArray
    sigma_sq: FloatArray
    method: str
    untruncated: FloatArray
    loglik: FloatArray | None = None


def variance_components(
    counts: ArrayLike, means: ArrayLike, sq_devs: ArrayLike, method: str = "anova"
) -> VarianceComponents:
    """Estimates of (sigma0^2, sigma^2) from counts n_k, means r-bar_k and sq_devs_k = sum_j (r_kj - r-bar_k)^2.

    Over the K pulled arms (arms with count 0 carry nothing and are left out), with N = sum n_k, u_k = r-bar_k
    minus the mean of all rewards, n_* = N - sum n_k^2 / N, and SSW = sum sq_devs:

      "moments"      sigma^2  = SSW / (N - K)              Eq. variance1, unbiased
                     sigma0^2 = sum n_k u_k^2 / n_*        Eq. variance2 as printed; its expectation is
                                sigma0^2 + (K - 1) sigma^2 / n_*, which is too large
      "anova"        sigma^2 as above
                     sigma0^2 = max(0, (sum n_k u_k^2 - (K - 1) sigma^2) / n_*)
                                Henderson's method 1, unbiased before truncation (`untruncated`): the estimator of
                                DerSimonian and Laird with variances sigma^2 / n_k
      "ml", "reml"   (restricted) maximum likelihood in the Gaussian model, with sigma0^2 = 0 allowed

    Rewards that never vary within an arm (SSW = 0, N > K) give sigma^2 = 0. The likelihood is then unbounded: ml
    and reml give the limit sigma0^2 = sum (r-bar_k - mean)^2 / K, or / (K - 1), and loglik = inf.

    Refused, as a variance cannot be estimated: fewer than two pulled arms (nothing shows how arms differ), or no
    arm pulled twice (noise and differences of arms cannot be told apart).

    All arguments are (..., K), arms last; the leading axes are batches. Sums of squares are taken about the data
    and in units of the data, so neither a large common mean nor rewards near 1e150 harm.
    """
    method = validation.choice("method", method, METHODS)
    n, centred, within, unit = _statistics(counts, means, sq_devs)
    arms, size = (n > 0).sum(-1), n.sum(-1)
    noise = within / (size - arms)
    between = (n * centred**2).sum(-1)
    effective = (n * (size[..., None] - n)).sum(-1) / size  # n_*, without cancellation
    loglik = None
    if method == "moments":
        raw = between / effective
    elif method == "anova":
        raw = (between - (arms - 1) * noise) / effective
    else:
        raw, noise, loglik = maximise(n, centred, within, restricted=method == "reml")
        freedom = size - (method == "reml")
        loglik = loglik - freedom * np.log(2.0) * unit
    raw, noise = np.ldexp(raw, 2 * unit), np.ldexp(noise, 2 * unit)
    return _result(np.maximum(raw, 0.0), noise, method, raw, loglik)


def _statistics(counts: Any, means: Any, sq_devs: Any) -> tuple[FloatArray, FloatArray, FloatArray, NDArray[Any]]:
    """Counts, means about their centre and the sum of sq_devs in units of 2**unit, and unit; checked."""
    n, values = validation.count_array("counts", counts), validation.real_array("means", means, finite=False)
    squares = validation.real_array("sq_devs", sq_devs, finite=False)
    for name, array in (("means", values), ("sq_devs", squares)):
        if n.ndim == 0 or n.shape[-1] == 0 or array.shape != n.shape:
            raise ValueError(
                f"{name} has shape {array.shape}, counts has {n.shape}: must be equal, (..., K) with at least one arm"
            )
    pulled = n > 0
    validation.refuse("means", values, pulled & ~np.isfinite(values), "finite where the count is positive")
    validation.refuse(
        "sq_devs",
        squares,
        pulled & ~(np.isfinite(squares) & (squares >= 0)),
        "finite and >= 0 where the count is positive",
    )
    validation.refuse(
        "sq_devs", squares, (n == 1) & (squares != 0), "0 where the count is 1 (one reward is its own mean)"
    )
    _require_estimable(n)
    return _centred(n, np.where(pulled, values, 0.0), np.where(pulled, squares, 0.0))


def _require_estimable(n: FloatArray) -> None:
    """Refuse data in which a variance does not show."""
    arms = (n > 0).sum(-1)
    for wrong, why in (
        (arms < 2, "two pulled arms (nothing else shows how arms differ: sigma0_sq cannot be estimated)"),
        (
            n.max(-1) < 2,
            "an arm pulled twice (nothing else tells noise from differences of arms: sigma_sq cannot be estimated)",
        ),
    ):
        if wrong.any():
            where, place = validation.first_place(wrong)
            shown = np.array2string(n[where], threshold=8, separator=", ", formatter={"all": "{:.0f}".format})
            raise ValueError(f"counts{place} = {shown}: must have {why}")


def _centred(
    n: FloatArray, values: FloatArray, squares: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, NDArray[Any]]:
    """Differences from one datum are exact where data are close; from these the mean of all rewards is taken off."""
    first = n.argmax(-1)[..., None]
    half = values / 2 - np.take_along_axis(values, first, -1) / 2  # halves: the difference of extremes is finite
    half = np.where(n > 0, half, 0.0)
    spread = np.maximum(np.abs(half).max(-1), np.sqrt(squares.max(-1) / n.max(-1)))
    unit = np.frexp(spread)[1] + 1
    scaled = np.ldexp(half, 1 - unit[..., None])
    scaled = scaled - (n * scaled).sum(-1, keepdims=True) / n.sum(-1, keepdims=True)
    within = np.ldexp(squares, -2 * unit[..., None]).sum(-1)
    return n, np.where(n > 0, scaled, 0.0), within, unit


def _result(
    sigma0_sq: FloatArray, sigma_sq: FloatArray, method: str, raw: FloatArray, loglik: FloatArray | None
) -> VarianceComponents:
    parts = [sigma0_sq, sigma_sq, raw, *([] if loglik is None else [loglik])]
    shown: list[Any] = []
    for part in map(np.asarray, parts):
        part.flags.writeable = False
        shown.append(part if part.ndim else part[()])
    return VarianceComponents(shown[0], shown[1], method, shown[2], shown[3] if len(shown) > 3 else None)
