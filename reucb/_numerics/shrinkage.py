"""The weight of each arm, and its share in the estimate of the common mean.

Everything here depends on counts and variances only, not on rewards. Powers of two are taken out arm by arm, so that
no sum or quotient overflows or loses digits, whatever the scale of the variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics.arrays import FloatArray
from reucb._numerics.double_double import Twofold


class Shrinkage(NamedTuple):
    """w_k; 1 - w_k; D_k = sigma0^2 + sigma_k^2/n_k as spread * 2**exponent; arms seen exactly; the known-mu0 MSE."""

    weights: Twofold
    complement: FloatArray
    spread: Twofold
    exponent: NDArray[np.int32]
    exact: NDArray[np.bool_]
    known_mse: FloatArray


def shrink(n: FloatArray, noise: FloatArray, prior: FloatArray) -> Shrinkage:
    """The weights w_k = sigma0^2 / D_k (Eq. w-def), 1 - w_k = v_k / D_k, and (1 - w_k) sigma0^2 (Eq. MSE-term1).

    The last is taken as sigma0^2 (1 - w) or v w, whichever factor is at least one half. An arm with
    sigma0^2 = sigma_k^2 = 0 is exact: D = 0, and its weight is set to 0.
    """
    pulled = n > 0
    exponent = np.frexp(np.maximum(prior, noise))[1]
    between = Twofold.of(np.ldexp(np.broadcast_to(prior, n.shape), -exponent))
    divisor = np.where(pulled, n, 1.0)
    within = Twofold.of(np.ldexp(noise, -exponent)).over(Twofold.of(divisor))
    spread = within.plus(between)
    exact = pulled & (spread.high == 0)
    regular = pulled & ~exact
    safe = spread.where(spread.high > 0, 1.0)
    weights = between.over(safe).where(regular, 0.0)
    complement = np.where(regular, within.high / safe.high, 1.0)
    known_mse = np.where(complement >= 0.5, prior * complement, noise / divisor * weights.high)
    return Shrinkage(weights, complement, spread, exponent, exact, known_mse)


def gls_shares(shrinkage: Shrinkage, pulled: NDArray[np.bool_]) -> tuple[Twofold, FloatArray, NDArray[np.intp]]:
    """Shares of the arms in r0-bar, proportional to 1 / D_k (Eq. r0-estimator); V0 = 1 / sum (1 / D_k); the best arm.

    Shares are relative to the arm with the least D, so they lie in (0, 1]; an exact arm (D = 0) outweighs all others.
    """
    spread, exponent = shrinkage.spread, shrinkage.exponent
    exact = spread.high == 0
    size = np.where(exact, -np.inf, exponent + np.log2(np.where(exact, 1.0, spread.high)))
    least = np.where(pulled, size, np.inf).argmin(axis=-1)[..., None]
    reference = Twofold(np.take_along_axis(spread.high, least, -1), np.take_along_axis(spread.low, least, -1))
    power = np.take_along_axis(exponent, least, -1)
    ratio = reference.over(spread.where(~exact, 1.0))
    shares = Twofold(np.ldexp(ratio.high, power - exponent), np.ldexp(ratio.low, power - exponent))
    shares = shares.where(~exact, 1.0).where(pulled, 0.0)
    return shares, np.ldexp(reference.high / shares.total().high, power), least
