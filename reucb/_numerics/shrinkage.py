"""The weight of each arm, and its share in the estimate of the common mean, in double-double arithmetic.

`Twofold` is a number as an unevaluated sum of two float64 arrays, with the error-free sums and products of Knuth and
Dekker: about 31 digits, so that a weighted mean whose terms nearly cancel still comes out right to the last bits.
Operands must stay within about 1e-290 .. 1e290: scale them first.

Weights and shares depend on counts and variances only, not on rewards. Powers of two are taken out arm by arm, so that
no sum or quotient overflows or loses digits, whatever the scale of the variances.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics import BoolArray, FloatArray

_SPLITTER = 134217729.0  # 2**27 + 1 cuts a float64 into two halves whose products are exact


def _split(a: FloatArray) -> tuple[FloatArray, FloatArray]:
    shifted = _SPLITTER * a
    high = shifted - (shifted - a)
    return high, a - high


def _exact_sum(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rounded sum and its rounding error."""
    total = a + b
    virtual = total - a
    return total, (a - (total - virtual)) + (b - virtual)


def _exact_product(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The rounded product and its rounding error."""
    product = a * b
    a_high, a_low = _split(a)
    b_high, b_low = _split(b)
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


class Twofold(NamedTuple):
    """high + low, with |low| at most half a unit in the last place of high."""

    high: FloatArray
    low: FloatArray

    @classmethod
    def of(cls, value: FloatArray) -> Twofold:
        return cls(value, np.zeros_like(value))

    @classmethod
    def difference(cls, a: FloatArray, b: FloatArray) -> Twofold:
        """a - b of plain arrays, exactly."""
        return cls(*_exact_sum(a, -b))

    def plus(self, other: Twofold) -> Twofold:
        high, error = _exact_sum(self.high, other.high)
        low, carry = _exact_sum(self.low, other.low)
        high, error = _exact_sum(high, error + low)
        return Twofold(*_exact_sum(high, error + carry))

    def minus(self, other: Twofold) -> Twofold:
        return self.plus(Twofold(-other.high, -other.low))

    def times(self, other: Twofold) -> Twofold:
        high, error = _exact_product(self.high, other.high)
        return Twofold(*_exact_sum(high, error + (self.high * other.low + self.low * other.high)))

    def over(self, other: Twofold) -> Twofold:
        """The quotient by long division: two quotient digits of 53 bits each."""
        first = self.high / other.high
        rest = self.minus(other.times(Twofold.of(first)))
        return Twofold(*_exact_sum(first, rest.high / other.high))

    def where(self, condition: BoolArray, otherwise: Twofold | float) -> Twofold:
        """Self where the condition holds, else the other."""
        other = otherwise if isinstance(otherwise, Twofold) else Twofold.of(np.asarray(otherwise))
        return Twofold(np.where(condition, self.high, other.high), np.where(condition, self.low, other.low))

    def total(self) -> Twofold:
        """The sum over the last axis, kept as an axis of length one: halves are added until one entry is left."""
        result = self
        while result.high.shape[-1] > 1:
            size = result.high.shape[-1]
            half = size // 2
            left = Twofold(result.high[..., :half], result.low[..., :half])
            right = Twofold(result.high[..., half : 2 * half], result.low[..., half : 2 * half])
            added = left.plus(right)
            if size % 2:
                added = Twofold(
                    np.concatenate([added.high, result.high[..., -1:]], axis=-1),
                    np.concatenate([added.low, result.low[..., -1:]], axis=-1),
                )
            result = added
        return result


class Shrinkage(NamedTuple):
    """w_k; 1 - w_k; D_k = sigma0^2 + sigma_k^2/n_k as spread * 2**exponent; arms seen exactly; the known-mu0 MSE."""

    weights: Twofold
    complement: FloatArray
    spread: Twofold
    exponent: NDArray[np.int32]
    exact: BoolArray
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


def gls_shares(shrinkage: Shrinkage, pulled: BoolArray) -> tuple[Twofold, FloatArray, NDArray[np.intp]]:
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
