"""Best linear unbiased prediction of the arm means from counts and sample means."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from reucb._numerics import validation
from reucb._numerics.arrays import BoolArray, FloatArray
from reucb._numerics.blup_arguments import blup_arguments
from reucb._numerics.double_double import Twofold
from reucb._numerics.shrinkage import Shrinkage, gls_shares, shrink


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


def blup(
    counts: ArrayLike, means: ArrayLike, *, sigma0_sq: ArrayLike, sigma_sq: ArrayLike, mu0: ArrayLike | None = None
) -> Fit:
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
    n, sample_means, noise, prior, known = blup_arguments(counts, means, sigma0_sq, sigma_sq, mu0)
    pulled = n > 0
    shrinkage = shrink(n, noise, prior)
    if known is None:
        _require_pulls(pulled)
        shares, v0, least = gls_shares(shrinkage, pulled)
        r0, mu = _predict(sample_means, pulled, shrinkage, np.take_along_axis(sample_means, least, -1), shares)
    else:
        v0 = np.zeros_like(prior)
        r0, mu = _predict(sample_means, pulled, shrinkage, known, None)
    mse = shrinkage.known_mse + shrinkage.complement * (shrinkage.complement * v0)
    return _frozen(Fit(shrinkage.weights.high, r0[..., 0], mu, mse))


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
    """Both variances 0 say that every reward equals mu0; data that differ cannot have come from that."""
    validation.refuse(
        "means",
        means,
        conflict,
        "equal to "
        + ("mu0" if known else "the mean of every other such arm")
        + " where sigma0_sq = sigma_sq = 0 (the data conflict)",
    )


def _frozen(fit: Fit) -> Fit:
    for array in (fit.weights, fit.mu, fit.mse):
        array.flags.writeable = False
    if fit.mu0.ndim:
        fit.mu0.flags.writeable = False
        return fit
    return Fit(fit.weights, fit.mu0[()], fit.mu, fit.mse)
