"""Arithmetic at twice the working precision: a number is an unevaluated sum of two float64 arrays.

The error-free sums and products of Knuth and Dekker. About 31 digits, so that a weighted mean whose terms nearly
cancel still comes out right to the last bits. Operands must stay within about 1e-290 .. 1e290: scale them first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._numerics.arrays import FloatArray

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

    def where(self, condition: NDArray[np.bool_], otherwise: Twofold | float) -> Twofold:
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
