"""Values of relations, apart from the kernel: exact fractions where they are rational, Arb balls where they are not.

A relation between roots, logarithms, exponentials and normal tails is true or false here only when a ball leaves no
doubt: an equation fails when the ball of left - right excludes 0, and nothing is said where the balls overlap. A
derivative is the second coefficient of a power series in balls; no rule of differentiation is applied to the formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import lru_cache
from operator import methodcaller
from typing import Any

import sympy as sp
from flint import arb, arb_series, ctx, fmpq

from theory.kernel.goal import Rel

Values = dict[str, Fraction]
BITS = (200, 1000)
CALLED = {sp.exp: "exp", sp.log: "log", sp.erfc: "erfc", sp.erf: "erf", sp.Abs: "abs", sp.factorial: "factorial"}
BALLS = {
    "number": lambda p, q: arb(fmpq(p, q)),
    "pi": arb.pi,
    "abs": abs,
    "max": arb.max,
    "min": arb.min,
    **{name: methodcaller(name) for name in ("sqrt", "exp", "log", "erfc", "erf")},
    "factorial": lambda x: (x + 1).gamma(),
    "slope": lambda f, at, x: f({**at, x: arb_series([at[x], 1], 2)})[1],
}
WRONG = {"<=": (1,), "<": (1, 0), ">=": (-1,), ">": (-1, 0), "=": (1, -1)}  # signs of left - right that refute


class NotRational(ValueError):
    """The expression is no rational function."""


@lru_cache(maxsize=8192)
def compiled(expr: sp.Expr) -> Callable[[dict[str, fmpq]], fmpq]:
    """A rational expression as a function of exact values, in FLINT's fractions: Python's take far longer."""
    return eval(f"lambda at: {_source(expr, rational=True)}", {"number": fmpq})


class Converted:
    """The values of the point that was asked for last as fractions of FLINT: many expressions are asked of a point."""

    def __init__(self) -> None:
        self._of: Values = {}
        self._values: dict[str, fmpq] = {}

    def __call__(self, at: Values) -> dict[str, fmpq]:
        if at is not self._of or len(at) != len(self._values):  # a point is never changed, at most completed
            self._of, self._values = at, {name: fmpq(x.numerator, x.denominator) for name, x in at.items()}
        return self._values


converted = Converted()


@lru_cache(maxsize=2048)
def enclosing(expr: sp.Expr) -> Callable[[dict[str, arb]], arb]:
    """Any expression as a function of balls."""
    return eval(f"lambda at: {_source(expr, rational=False)}", dict(BALLS))


def _source(expr: sp.Expr, rational: bool) -> str:
    if isinstance(expr, sp.Derivative):
        return _slope(expr, rational)
    parts = [_source(e, rational) for e in expr.args] if not (expr.is_Rational or expr.is_Pow) else []
    if expr.is_Rational:
        return f"number({expr.p}, {expr.q})"
    if expr.is_Symbol:
        return f"at[{expr.name!r}]"
    if expr.is_Add or expr.is_Mul:
        return "(" + (" + " if expr.is_Add else " * ").join(parts) + ")"
    if expr.is_Pow and expr.exp.is_Integer:
        return f"({_source(expr.base, rational)}) ** ({int(expr.exp)})"
    if rational:
        raise NotRational(str(expr))
    if expr is sp.pi:
        return "pi()"
    if expr is sp.E:
        return "exp(number(1, 1))"
    if expr.is_Pow and (2 * expr.exp).is_Integer:
        return f"sqrt({_source(expr.base, rational)}) ** ({int(2 * expr.exp)})"
    if expr.is_Pow:
        return f"({_source(expr.base, rational)}) ** ({_source(expr.exp, rational)})"
    if isinstance(expr, sp.Max | sp.Min):
        name = "max" if isinstance(expr, sp.Max) else "min"
        return f"{name}({parts[0]}, {_source(expr.func(*expr.args[1:]), rational)})"
    if type(expr) in CALLED:
        return f"{CALLED[type(expr)]}({parts[0]})"
    raise TypeError(f"no value known for {type(expr).__name__} in {expr}")


def _slope(expr: sp.Derivative, rational: bool) -> str:
    ((x, order),) = expr.variable_count
    if rational or order != 1:
        raise NotRational(str(expr))
    return f"slope(lambda at: {_source(expr.expr, rational)}, at, {x.name!r})"


@lru_cache(maxsize=8192)
def is_rational(expr: sp.Expr) -> bool:
    try:
        compiled(expr)
    except NotRational:
        return False
    return True


def evaluate(expr: sp.Expr, at: Values) -> Fraction:
    """The exact value of a rational expression; ZeroDivisionError where it has none."""
    found = fmpq(compiled(expr)(converted(at)))
    return Fraction(int(found.p), int(found.q))


@contextmanager
def precision(bits: int) -> Iterator[None]:
    saved, ctx.prec = ctx.prec, bits
    try:
        yield
    finally:
        ctx.prec = saved


def ball(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def enclose(expr: sp.Expr, at: Values) -> arb:
    """A ball around the value, at the precision in force; not finite where the expression has none."""
    try:
        return enclosing(expr)({name: arb(x) for name, x in converted(at).items()})
    except ZeroDivisionError:
        return arb("nan")


def compare(left: sp.Expr, right: sp.Expr, at: Values) -> tuple[int | None, bool]:
    """The sign of left - right and whether it is exact; None: undefined here, or undecided.

    An inexact 0 says that the two sides agree in half of all bits.
    """
    if is_rational(left) and is_rational(right):
        try:
            difference = compiled(left)(converted(at)) - compiled(right)(converted(at))
        except ZeroDivisionError:
            return None, True
        return (difference > 0) - (difference < 0), True
    for bits in BITS:
        with precision(bits):
            one, other = enclose(left, at), enclose(right, at)
            gap = one - other
            if gap > 0 or gap < 0:
                return (1 if gap > 0 else -1), False
            if gap.is_zero():
                return 0, True
            if gap.is_finite() and gap.rad() <= arb(2) ** (-bits // 2) * (abs(one) + abs(other)):
                return 0, False
    return None, False


def holds(rel: Rel, at: Values) -> bool | None:
    """Whether the relation holds at the point; None where a side is undefined or nothing certain can be said."""
    sign, exact = compare(rel.left, rel.right, at)
    if sign is None or (sign == 0 and not exact and rel.op in ("<", ">")):
        return None
    return sign not in WRONG[rel.op]


def surplus(rel: Rel, at: Values) -> float:
    """How far the relation is from failing, in [-1, 1]: relative size of the wrong side's excess, at most 0 if true."""
    with precision(BITS[0]):
        one, other = enclose(rel.left, at), enclose(rel.right, at)
        scale = abs(one) + abs(other)
        found: Any = (one - other) / scale if rel.op in ("<=", "<") else (other - one) / scale
        return float(found.mid()) if found.is_finite() else -1.0
