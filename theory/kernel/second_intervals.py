"""A second opinion on closed numbers: interval arithmetic of mpmath, which shares no code with Arb."""

from __future__ import annotations

import sympy as sp
from mpmath import iv, mp

PRECISIONS = (80, 320, 1300)


class NoEnclosure(ValueError):
    """A function for which this arithmetic has no enclosure."""


def sign(expr: sp.Expr) -> int | None:
    """The sign of a closed expression, -1 or 1; None when no precision tried separates it from 0."""
    saved = iv.prec
    try:
        for bits in PRECISIONS:
            iv.prec = bits
            value = enclosure(expr)
            if value.a > 0:
                return 1
            if value.b < 0:
                return -1
    except (NoEnclosure, ZeroDivisionError, ValueError):
        return None
    finally:
        iv.prec = saved
    return None


def enclosure(expr: sp.Expr) -> iv.mpf:
    """An interval that contains the value of a closed expression."""
    if expr.is_Rational:
        return iv.mpf(int(expr.p)) / int(expr.q)
    if expr is sp.pi:
        return +iv.pi
    if expr is sp.E:
        return iv.exp(iv.mpf(1))
    parts = [enclosure(e) for e in expr.args]
    if expr.is_Add:
        return sum(parts, iv.mpf(0))
    if expr.is_Mul:
        product = iv.mpf(1)
        for part in parts:
            product = product * part
        return product
    if expr.is_Pow:
        return _power(expr, *parts)
    if isinstance(expr, sp.Max):
        return iv.mpf([max(p.a for p in parts), max(p.b for p in parts)])
    if isinstance(expr, sp.exp):
        return iv.exp(parts[0])
    if isinstance(expr, sp.log) and parts[0].a > 0:
        return iv.log(parts[0])
    if isinstance(expr, sp.erfc):
        return 1 - _erf(parts[0])
    raise NoEnclosure(str(expr.func))


def _power(expr: sp.Expr, base: iv.mpf, exponent: iv.mpf) -> iv.mpf:
    if expr.exp.is_Integer:
        if expr.exp < 0 and base.a <= 0 <= base.b:
            raise NoEnclosure("division by an interval that contains 0")
        return base ** int(expr.exp)
    if base.a < 0 or (base.a == 0 and expr.exp.is_negative):
        raise NoEnclosure("a root of an interval that is not positive")
    if expr.exp == sp.Rational(1, 2):
        return iv.sqrt(base)
    if base.a <= 0:
        raise NoEnclosure("a power of an interval that is not positive")
    return iv.exp(exponent * iv.log(base))


def _erf(x: iv.mpf) -> iv.mpf:
    """2/sqrt(pi) times the alternating series of x^(2n+1)/(n! (2n+1)); the first term left out bounds the rest."""
    if max(abs(x.a), abs(x.b)) > 30:
        raise NoEnclosure("erf of a large number")
    saved, iv.prec = iv.prec, iv.prec + 1400  # the terms grow to exp(x^2) before they fall
    try:
        power, total, n = x, iv.mpf(0), 0
        while True:
            term = power / (2 * n + 1)
            size = max(abs(term.a), abs(term.b))
            if n > max(abs(x.a), abs(x.b)) ** 2 and size < mp.mpf(2) ** (-saved - 10):
                return 2 / iv.sqrt(iv.pi) * (total + iv.mpf([-1, 1]) * size)
            total, n = total + term, n + 1
            power = -power * x * x / n
    finally:
        iv.prec = saved
