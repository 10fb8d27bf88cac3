"""Exact values of closed expressions: rationals as they are, everything else by Arb enclosures that must separate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import eq, ge, gt, le, lt

import sympy as sp
from flint import arb, ctx, fmpq

from theory.kernel.goal import Goal, Point, Rel, free_symbols
from theory.kernel.normal_form import agree
from theory.kernel.polynomial import is_rational, to_fmpq

PRECISIONS = (64, 256, 1024)
Compiled = Callable[[Mapping[str, fmpq]], fmpq]

_UNARY: dict[type, Callable[[arb], arb]] = {
    sp.exp: arb.exp,
    sp.log: arb.log,
    sp.erf: arb.erf,
    sp.erfc: arb.erfc,
    sp.sin: arb.sin,
    sp.cos: arb.cos,
    sp.atan: arb.atan,
    sp.gamma: arb.gamma,
    sp.Abs: abs,
}


def enclose(expr: sp.Expr, at: dict[sp.Symbol, arb] | None = None) -> arb:
    """A rigorous Arb enclosure of `expr`, its symbols taken from `at`."""
    if expr.is_Rational:
        return arb(to_fmpq(expr))
    if expr.is_Symbol:
        return (at or {})[expr]
    if expr is sp.pi:
        return arb.pi()
    if expr is sp.E:
        return arb(1).exp()
    if expr.is_Add:
        return sum((enclose(e, at) for e in expr.args), arb(0))
    if expr.is_Mul:
        product = arb(1)
        for e in expr.args:
            product = product * enclose(e, at)
        return product
    if expr.is_Pow:
        base, exponent = expr.as_base_exp()
        if exponent.is_Integer:
            return enclose(base, at) ** int(exponent)
        if exponent.is_Rational and exponent.q == 2 and abs(exponent.p) == 1:
            return enclose(base, at).sqrt() if exponent.p == 1 else enclose(base, at).rsqrt()
        return (enclose(exponent, at) * enclose(base, at).log()).exp()
    if isinstance(expr, sp.Max):
        values = [enclose(e, at) for e in expr.args]
        out = values[0]
        for v in values[1:]:
            out = out.max(v)
        return out
    if type(expr) in _UNARY:
        return _UNARY[type(expr)](enclose(expr.args[0], at))
    raise TypeError(f"no enclosure known for {type(expr).__name__} in {expr}")


def sign(expr: sp.Expr) -> int | None:
    """The sign of a closed expression: -1, 0 or 1; None when no precision tried separates it from 0."""
    if expr.is_Rational:
        return int(sp.sign(expr))
    if expr.has(sp.I, sp.nan, sp.zoo, sp.oo, -sp.oo):
        return None  # not a real number: nothing can be said
    saved = ctx.prec
    try:
        for bits in PRECISIONS:
            ctx.prec = bits
            value = enclose(expr)
            if value > 0:
                return 1
            if value < 0:
                return -1
            if bits == PRECISIONS[0] and not expr.free_symbols and agree(Goal(Rel(expr, "=", 0))):
                return 0
    finally:
        ctx.prec = saved
    return 0 if sp.simplify(expr) == 0 else None


def decide(rel: Rel) -> bool | None:
    """Whether a relation between closed expressions holds; None when it could not be decided."""
    s = sign(rel.left - rel.right)
    if s is None:
        return None
    return {"=": s == 0, "<=": s <= 0, "<": s < 0, ">=": s >= 0, ">": s > 0}[rel.op]


def holds_at(rel: Rel, point: Point) -> bool | None:
    """Whether a relation holds at a point; None where a side is undefined there or it could not be decided."""
    test = rational_test(rel)
    values = _rational_values(point)
    if test is None or not all(s.name in values for s in rel.symbols):
        try:
            difference = _difference(rel, point, PRECISIONS[0])
        except TypeError:  # a function without enclosures
            at = rel.at(point.values)
            return decide(at) if at.left.is_finite and at.right.is_finite else None
        if not difference.is_finite():
            return None
        return decide(rel.at(point.values)) if difference.contains(0) else _signed(rel, difference)
    return test(values)


Test = Callable[[Mapping[str, fmpq]], bool | None]
_COMPARED: dict[str, Callable[[fmpq, fmpq], bool]] = {"=": eq, "<=": le, "<": lt, ">=": ge, ">": gt}


def rational_test(rel: Rel) -> Test | None:
    """A function of rational values, by name, that says what `holds_at` says; None if a side is no rational expression.

    It is kept with the relation, which meets many points.
    """
    if "_test" not in rel.__dict__:
        left, right = compiled(rel.left), compiled(rel.right)
        known = None if left is None or right is None or rel.every else _test(left, right, _COMPARED[rel.op])
        rel.__dict__["_test"] = known
    found: Test | None = rel.__dict__["_test"]
    return found


def _test(left: Compiled, right: Compiled, compared: Callable[[fmpq, fmpq], bool]) -> Test:
    def test(values: Mapping[str, fmpq]) -> bool | None:
        try:
            return compared(left(values), right(values))
        except ZeroDivisionError:
            return None

    return test


def _rational_values(point: Point) -> dict[str, fmpq]:
    """The rational ones among the values of a point, by name, or none if two symbols share a name; kept with it."""
    found: dict[str, fmpq] | None = point.__dict__.get("_rational")
    if found is None:
        names = [s.name for s in point.values if s.is_Symbol]
        unique = len(set(names)) == len(names)
        found = {s.name: to_fmpq(v) for s, v in point.values.items() if unique and s.is_Symbol and v.is_Rational}
        point.__dict__["_rational"] = found
    return found


def fails_at(rel: Rel, point: Point) -> bool:
    """Whether a relation surely fails at a point, as `holds_at` says, without a proof that its sides are equal there.

    Of an equation or a weak inequality `decide` denies only what an enclosure separates from 0.
    """
    test, values = rational_test(rel), _rational_values(point)
    if test is not None and all(s.name in values for s in rel.symbols):
        return test(values) is False
    if rel.op not in ("=", "<=", ">="):
        return holds_at(rel, point) is False
    for bits in PRECISIONS:
        try:
            difference = _difference(rel, point, bits)
        except TypeError:
            return holds_at(rel, point) is False
        if not difference.is_finite():
            return False
        if not difference.contains(0):
            return not _signed(rel, difference)
    return False


def _signed(rel: Rel, difference: arb) -> bool:
    """Whether a relation holds if its sides differ by this, which is not 0."""
    return bool(rel.op != "=" and (difference < 0) == (rel.op in ("<", "<=")))


def _difference(rel: Rel, point: Point, bits: int) -> arb:
    """An enclosure of left - right at a point, not finite where a side has no value; TypeError if there is none."""
    saved, ctx.prec = ctx.prec, bits
    try:
        return enclosed(rel.left, point, bits) - enclosed(rel.right, point, bits)
    finally:
        ctx.prec = saved


def enclosed(expr: sp.Expr, point: Point, bits: int) -> arb:
    """An enclosure at a point, in the precision `bits`, which must be set; kept with the point: goals share sides."""
    known: dict[tuple[sp.Expr, int], arb] = point.__dict__.setdefault("_enclosed", {})
    if (expr, bits) not in known:
        at = {s: enclose(point.values[s]) for s in free_symbols(expr)}
        known[expr, bits] = enclose(expr, at)
    return known[expr, bits]


@lru_cache(maxsize=65536)
def compiled(expr: sp.Expr) -> Compiled | None:
    """A rational expression as a function of exact values, by name; None if it is no rational expression."""
    if not is_rational(expr):
        return None
    numbers: dict[str, fmpq] = {}
    found: Compiled = eval(f"lambda at: {_source(expr, numbers)}", numbers)
    return found


def _source(expr: sp.Expr, numbers: dict[str, fmpq]) -> str:
    """Python source of a rational expression, with names for the numbers in it."""
    if expr.is_Rational:
        name = f"c{len(numbers)}"
        numbers[name] = to_fmpq(expr)
        return name
    if expr.is_Symbol:
        return f"at[{expr.name!r}]"
    if expr.is_Pow:
        return f"({_source(expr.base, numbers)}) ** ({int(expr.exp)})"
    return "(" + (" + " if expr.is_Add else " * ").join(_source(e, numbers) for e in expr.args) + ")"
