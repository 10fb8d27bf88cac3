"""Best linear unbiased prediction of the arm means from counts and sample means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reucb import _check
from reucb._arguments import blup_arguments
from reucb._twofold import Twofold

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Fit:
    """What `blup` gives; read-only arrays. The last axis is the arms, axes before it are batches.

    weights: w_k, Eq. w-def.   mu0: the GLS mean (Eq. r0-estimator), or the known mean.
    mu: the predicted arm means, Eq. blup (Eq. mu-estimator).   mse: their mean squared errors, Eq. MSE (MSE-term1).
    """

    weights: FloatArray
    mu0: FloatArray
    mu: FloatArray
    mse: FloatArray


def blup(counts: ArrayLike, means: ArrayLike, *, sigma0_sq: ArrayLike, sigma_sq: ArrayLike,
         mu0: ArrayLike | None = None) -> Fit:
    """The BLUP of every arm mean, and its mean squared error (Eq. blup, Eq. MSE).

    With v_k = sigma_k^2 / n_k and D_k = sigma0^2 + v_k,

        w_k = sigma0^2 / D_k,                      r0-bar = V0 sum_k r-bar_k / D_k,    V0 = 1 / sum_k (1 / D_k),
        mu-hat_k = (1 - w_k) r0-bar + w_k r-bar_k,    tau_k^2 = (1 - w_k) sigma0^2 + (1 - w_k)^2 V0.

    With mu0 known, r0-bar is mu0 and V0 is 0 (Eq. mu-estimator, Eq. MSE-term1). Arms may have noise variances of
    their own: these are the generalised least squares formulas, which the first display of Sec. sec:varying misses.

    counts, means: (..., K); an arm with count 0 is legal, its mean is ignored (it may be nan).
    sigma_sq: one number, or anything that broadcasts to (..., K).   sigma0_sq, mu0: one number, or one per batch.

    Limits, all finite:
      count 0         w = 0, mu-hat = r0-bar, tau^2 = sigma0^2 + V0
      sigma0_sq = 0   w = 0: all arms share r0-bar, the mean of all rewards; tau^2 = V0 = 1 / sum_k (n_k / sigma_k^2)
      sigma_sq = 0    w = 1 for pulled arms: mu-hat is the arm mean, tau^2 = 0; r0-bar is the plain mean of arm means
      both 0          w = 0, tau^2 = 0; the means (and mu0) must agree exactly, else the data are impossible: refused
      one arm         mu-hat = r0-bar = r-bar, tau^2 = sigma^2 / n, whatever sigma0^2
      no pulls at all mu0 must be known: nothing else tells where the arms lie

    Every number agrees with the exact solution of Henderson's mixed model equations to a few units in the last
    place, relative to that number itself: sums are made at twice the working precision about a centre among the
    data, 1 - w is v_k / D_k and never a subtraction, and powers of two are taken out beforehand, so that nothing
    overflows on the way. mu-hat lies between r0-bar and the arm mean in floating point too.
    """
    n, means_, noise, prior, centre = blup_arguments(counts, means, sigma0_sq, sigma_sq, mu0)
    pulled = n > 0
    total, noise_share, exponent = _marginal_variance(n, noise, prior)
    exact = pulled & (total.high == 0)                       # sigma0_sq = sigma_sq = 0: seen without any error
    divisor = total.where(total.high > 0, 1.0)
    uncertain = pulled & ~exact
    weights = Twofold.of(np.ldexp(np.broadcast_to(prior, n.shape), -exponent)).over(divisor).where(uncertain, 0.0)
    keep = np.where(uncertain, noise_share.high / divisor.high, 1.0)  # 1 - w

    if centre is None:
        _require_pulls(pulled)
        share, least = _gls_shares(total, exponent, pulled)
        v0 = np.ldexp(np.take_along_axis(total.high, least, -1) / share.total().high,
                      np.take_along_axis(exponent, least, -1))
        start = np.take_along_axis(means_, least, -1)
    else:
        share, v0, start = None, np.zeros_like(prior), centre
    scale = np.frexp(np.maximum(np.abs(means_).max(-1, keepdims=True), np.abs(start)))[1] + 1
    origin = Twofold.of(np.ldexp(start, -scale))
    deviation = Twofold.difference(np.ldexp(means_, -scale), origin.high).where(pulled, 0.0)
    _refuse_conflict(exact & (deviation.high != 0), means_, start, known=centre is not None)

    shift = (share.times(deviation).total().over(share.total()) if share is not None
             else Twofold.of(np.zeros_like(prior)))          # r0-bar seen from the origin
    gap = deviation.minus(shift)
    r0 = np.ldexp(origin.plus(shift).high, scale)
    mu = np.ldexp(origin.plus(shift).plus(weights.times(gap)).high, scale)
    mu = np.where(pulled, np.clip(mu, np.minimum(r0, means_), np.maximum(r0, means_)), r0)

    v = noise / np.where(pulled, n, 1.0)
    known_mse = np.where(keep >= 0.5, prior * keep, v * weights.high)
    return _frozen(Fit(weights.high, r0[..., 0], mu, known_mse + keep * (keep * v0)))


def _marginal_variance(n: FloatArray, noise: FloatArray, prior: FloatArray) -> tuple[Twofold, Twofold, IntArray]:
    """D_k and v_k, both divided by 2**exponent_k, which brings the larger of sigma0^2 and sigma_k^2 near one."""
    exponent = np.frexp(np.maximum(prior, noise))[1]
    share = Twofold.of(np.ldexp(noise, -exponent)).over(Twofold.of(np.where(n > 0, n, 1.0)))
    return share.plus(Twofold.of(np.ldexp(np.broadcast_to(prior, n.shape), -exponent))), share, exponent


def _require_pulls(pulled: NDArray[np.bool_]) -> None:
    empty = ~pulled.any(axis=-1)
    if empty.any():
        raise ValueError(f"mu0 = None: must be a number where no arm is pulled (counts{_check.first_place(empty)[1]} "
                         "are all 0), as there is nothing to estimate it from")


def _gls_shares(total: Twofold, exponent: IntArray, pulled: NDArray[np.bool_]) -> tuple[Twofold, NDArray[np.intp]]:
    """Weights of r0-bar proportional to 1 / D_k, one for the arm `least` known best; an exact arm outweighs all."""
    exact = total.high == 0
    size = np.where(exact, -np.inf, exponent + np.log2(np.where(exact, 1.0, total.high)))
    least = np.where(pulled, size, np.inf).argmin(axis=-1)[..., None]
    reference = Twofold(np.take_along_axis(total.high, least, -1), np.take_along_axis(total.low, least, -1))
    ratio = reference.over(total.where(~exact, 1.0))
    shift = np.take_along_axis(exponent, least, -1) - exponent
    share = Twofold(np.ldexp(ratio.high, shift), np.ldexp(ratio.low, shift)).where(~exact, 1.0)
    return share.where(pulled, 0.0), least


def _refuse_conflict(conflict: NDArray[np.bool_], means: FloatArray, start: FloatArray, *, known: bool) -> None:
    """Both variances 0 say that every reward equals mu0; data that differ cannot have come from that."""
    _check.refuse("means", means, conflict,
                  "equal to " + ("mu0" if known else "the mean of every other such arm")
                  + " where sigma0_sq = sigma_sq = 0 (the data conflict)")


def _frozen(fit: Fit) -> Fit:
    for array in (fit.weights, fit.mu, fit.mse):
        array.flags.writeable = False
    if fit.mu0.ndim:
        fit.mu0.flags.writeable = False
        return fit
    return Fit(fit.weights, fit.mu0[()], fit.mu, fit.mse)
