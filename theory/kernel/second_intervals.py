"""A second opinion on closed numbers: intervals with rational ends, rounded outwards, sharing no code with Arb.

exp, log, pi and erf come from series with a bound on the rest; each is monotone, so an interval maps to the interval of
its ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

import sympy as sp

PRECISIONS = (80, 320, 1300)  # significant bits of an end
HALF = Fraction(1, 2)


class NoEnclosure(ValueError):
    """A function for which this arithmetic has no enclosure."""


@dataclass(frozen=True)
class Interval:
    """The numbers from low to high."""

    low: Fraction
    high: Fraction

    def out(self, bits: int) -> Interval:
        """A slightly larger interval whose ends have this many significant bits."""
        return Interval(_rounded(self.low, bits, up=False), _rounded(self.high, bits, up=True))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Interval) -> Interval:
        ends = [x * y for x in (self.low, self.high) for y in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def inverse(self) -> Interval:
        if self.low <= 0 <= self.high:
            raise NoEnclosure("division by an interval that contains 0")
        return Interval(1 / self.high, 1 / self.low)


def sign(expr: sp.Expr) -> int | None:
    """The sign of a closed expression, -1 or 1; None when no precision tried separates it from 0."""
    try:
        for bits in PRECISIONS:
            value = enclosure(expr, bits)
            if value.low > 0:
                return 1
            if value.high < 0:
                return -1
    except NoEnclosure:
        return None
    return None


def enclosure(expr: sp.Expr, bits: int) -> Interval:
    """An interval that contains the value of a closed expression."""
    if expr.is_Rational:
        return _point(Fraction(int(expr.p), int(expr.q)))
    if expr is sp.pi:
        return _pi(bits)
    if expr is sp.E:
        return _exp(Fraction(1), bits)
    parts = [enclosure(e, bits) for e in expr.args]
    if expr.is_Add or expr.is_Mul:
        total = parts[0]
        for part in parts[1:]:
            total = (total + part if expr.is_Add else total * part).out(bits)
        return total
    if expr.is_Pow:
        return _power(expr, parts[0], parts[1], bits)
    if isinstance(expr, sp.Max):
        return Interval(max(p.low for p in parts), max(p.high for p in parts))
    if isinstance(expr, sp.exp):
        return _span(_exp, parts[0], bits)
    if isinstance(expr, sp.log):
        return _span(_log, parts[0], bits)
    if isinstance(expr, sp.erfc):
        erf = _span(_erf, parts[0], bits)
        return Interval(1 - erf.high, 1 - erf.low)
    raise NoEnclosure(str(expr.func))


def _power(expr: sp.Expr, base: Interval, exponent: Interval, bits: int) -> Interval:
    if expr.exp.is_Integer:
        power = int(expr.exp)
        if power < 0:
            base, power = base.inverse().out(bits), -power
        ends = (base.low**power, base.high**power)
        least = Fraction(0) if power % 2 == 0 and base.low <= 0 <= base.high else min(ends)
        return Interval(least, max(ends)).out(bits)
    if base.low <= 0:
        raise NoEnclosure("a root of an interval that is not positive")
    if abs(expr.exp) == sp.Rational(1, 2):
        root = _span(_sqrt, base, bits)
        return root if expr.exp > 0 else root.inverse().out(bits)
    return _span(_exp, (exponent * _span(_log, base, bits)).out(bits), bits)


def _point(value: Fraction) -> Interval:
    return Interval(value, value)


def _span(function: Callable[[Fraction, int], Interval], x: Interval, bits: int) -> Interval:
    """The image of an interval under a rising function."""
    return Interval(function(x.low, bits).low, function(x.high, bits).high).out(bits)


def _rounded(value: Fraction, bits: int, *, up: bool) -> Fraction:
    """The nearest fraction below (or above) with this many significant bits."""
    if value == 0:
        return value
    size = abs(value.numerator).bit_length() - value.denominator.bit_length()
    scale = Fraction(2) ** (bits - size)
    scaled = value * scale
    whole = -(-scaled.numerator // scaled.denominator) if up else scaled.numerator // scaled.denominator
    return whole / scale


def _sqrt(x: Fraction, bits: int) -> Interval:
    shift = max(0, bits - (x.numerator.bit_length() - x.denominator.bit_length()) // 2) + 1
    scaled = x * 4**shift
    root = isqrt(scaled.numerator // scaled.denominator)
    return Interval(Fraction(root, 2**shift), Fraction(root + 1, 2**shift))


def _exp(x: Fraction, bits: int) -> Interval:
    """Halve until |x| <= 1/2, sum the series (the rest is below twice its first term), and square back."""
    halvings, small = 0, x
    while abs(small) > HALF:
        small, halvings = small / 2, halvings + 1
    work = bits + 2 * halvings + 20
    at = _point(small).out(work)
    term, total, n = _point(Fraction(1)), _point(Fraction(0)), 0
    while max(abs(term.low), abs(term.high)) > Fraction(1, 2**work):
        total, n = (total + term).out(work), n + 1
        term = (term * at * _point(Fraction(1, n))).out(work)
    rest = 2 * max(abs(term.low), abs(term.high))
    result = total + Interval(-rest, rest)
    for _ in range(halvings):
        result = (result * result).out(work)
    return result.out(bits)


def _log(x: Fraction, bits: int) -> Interval:
    """log(m 2^e) = 2 artanh((m-1)/(m+1)) + 2 e artanh(1/3) with 1/2 <= m <= 2."""
    if x <= 0:
        raise NoEnclosure("the logarithm of a number that is not positive")
    e = x.numerator.bit_length() - x.denominator.bit_length()
    m = x / Fraction(2) ** e
    twos = _artanh(Fraction(1, 3), bits + 20) * _point(Fraction(2 * e))
    return (_artanh((m - 1) / (m + 1), bits + 20) * _point(Fraction(2)) + twos).out(bits + 10)


def _artanh(z: Fraction, bits: int) -> Interval:
    """The sum of z^(2n+1)/(2n+1) for |z| <= 1/3; the rest is below 9/8 times its first term."""
    at = _point(z).out(bits)
    square, power, total, n = (at * at).out(bits), at, _point(Fraction(0)), 0
    while max(abs(power.low), abs(power.high)) > Fraction(1, 2 ** (bits + 10)):
        total = (total + power * _point(Fraction(1, 2 * n + 1))).out(bits)
        power, n = (power * square).out(bits), n + 1
    rest = 2 * max(abs(power.low), abs(power.high))
    return total + Interval(-rest, rest)


def _pi(bits: int) -> Interval:
    """Machin: 16 arctan(1/5) - 4 arctan(1/239); the series alternate."""

    def arctan(inverse: int) -> Interval:
        total, power, n = Fraction(0), Fraction(1, inverse), 0
        while power > Fraction(1, 2 ** (bits + 10)):
            total += (-1) ** n * power / (2 * n + 1)
            power, n = power / inverse**2, n + 1
        return Interval(total - power, total + power)

    return (arctan(5) * _point(Fraction(16)) + arctan(239) * _point(Fraction(-4))).out(bits + 5)


def _erf(x: Fraction, bits: int) -> Interval:
    """2/sqrt(pi) times the alternating series of x^(2n+1)/(n! (2n+1)); the first term left out bounds the rest."""
    if abs(x) > 30:
        raise NoEnclosure("erf of a large number")
    work = bits + 20 + 3 * int(x * x)  # the terms grow to exp(x^2) before they fall
    at = _point(x).out(work)
    square, power, total, n = (at * at).out(work), at, _point(Fraction(0)), 0
    while True:
        term = power * _point(Fraction(1, 2 * n + 1))
        size = max(abs(term.low), abs(term.high))
        if n > x * x and size < Fraction(1, 2 ** (bits + 10)):
            break
        total, n = (total + term).out(work), n + 1
        power = (power * square * _point(Fraction(-1, n))).out(work)
    factor = _span(_sqrt, _pi(work), work).inverse() * _point(Fraction(2))
    return ((total + Interval(-size, size)) * factor).out(bits)
