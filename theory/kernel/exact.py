"""Exact values of closed expressions: rationals as they are, everything else by Arb enclosures that must separate."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

import sympy as sp
from flint import arb, ctx, fmpq

from theory.kernel.goal import Goal, Rel
from theory.kernel.normal_form import agree
from theory.kernel.polynomial import to_fmpq

PRECISIONS = (64, 256, 1024)

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
        if exponent == sp.Rational(1, 2):
            return enclose(base, at).sqrt()
        if exponent == sp.Rational(-1, 2):
            return enclose(base, at).rsqrt()
        if exponent.is_Integer:
            return enclose(base, at) ** int(exponent)
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


def holds_at(rel: Rel, point: Mapping[sp.Symbol, sp.Expr]) -> bool | None:
    """Whether a relation holds at a point; None where a side is undefined there or it could not be decided."""
    sides = _compiled(rel.left), _compiled(rel.right)
    if None in sides or not all(point[s].is_Rational for s in rel.symbols):
        found = _by_enclosures(rel, point)
        if found is not None:
            return found
        at = rel.at(point)
        return decide(at) if at.left.is_finite and at.right.is_finite else None
    values = {s.name: to_fmpq(point[s]) for s in rel.symbols}
    try:
        left, right = (side(values) for side in sides if side is not None)
    except ZeroDivisionError:
        return None
    outcomes = {"=": left == right, "<=": left <= right, "<": left < right, ">=": left >= right, ">": left > right}
    return bool(outcomes[rel.op])


def _by_enclosures(rel: Rel, point: Mapping[sp.Symbol, sp.Expr]) -> bool | None:
    """Whether a relation holds at a point where one enclosure of its sides decides it; else None."""
    saved, ctx.prec = ctx.prec, PRECISIONS[0]
    try:
        at = {s: enclose(point[s]) for s in rel.symbols}
        difference = enclose(rel.left, at) - enclose(rel.right, at)
    except TypeError:  # a function without enclosures
        return None
    finally:
        ctx.prec = saved
    if not difference.is_finite() or difference.contains(0):
        return None
    return rel.op != "=" and (difference < 0) == (rel.op in ("<", "<="))


@lru_cache(maxsize=4096)
def _compiled(expr: sp.Expr) -> Callable[[dict[str, fmpq]], fmpq] | None:
    """A rational expression as a function of exact values; None if it is no rational expression."""
    source = _source(expr)
    return None if source is None else eval(f"lambda at: {source}", {"fmpq": fmpq})


def _source(expr: sp.Expr) -> str | None:
    if expr.is_Rational:
        return f"fmpq({expr.p}, {expr.q})"
    if expr.is_Symbol:
        return f"at[{expr.name!r}]"
    if expr.is_Add or expr.is_Mul:
        parts = [_source(e) for e in expr.args]
        return None if None in parts else "(" + (" + " if expr.is_Add else " * ").join(map(str, parts)) + ")"
    if expr.is_Pow and expr.exp.is_Integer:
        base = _source(expr.base)
        return None if base is None else f"({base}) ** ({int(expr.exp)})"
    return None
