"""Transcendental steps: closed numbers, antiderivatives, monotonicity from a derivative, enclosures over intervals."""

from __future__ import annotations

import sympy as sp
from flint import arb, ctx

from theory.kernel.argument import Custom, Item
from theory.kernel.exact import decide, enclose
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.polynomial import to_fmpq

MAX_BOXES = 20_000


def positive_on(expr: sp.Expr, x: sp.Symbol, low: sp.Rational, high: sp.Rational, bits: int = 80) -> bool:
    """expr > 0 for every x in [low, high]: bisection until Arb's enclosure of each piece is positive."""
    saved, ctx.prec = ctx.prec, bits
    try:
        boxes, used = [(sp.Rational(low), sp.Rational(high))], 0
        while boxes:
            a, b = boxes.pop()
            used += 1
            if used > MAX_BOXES:
                return False
            value = enclose(expr, {x: arb(to_fmpq(a)).union(arb(to_fmpq(b)))})
            if value > 0:
                continue
            if enclose(expr, {x: arb(to_fmpq((a + b) / 2))}) < 0:
                return False
            middle = (a + b) / 2
            boxes += [(a, middle), (middle, b)]
        return True
    finally:
        ctx.prec = saved


def on_interval(expr: sp.Expr, x: sp.Symbol, low: sp.Rational, high: sp.Rational, name: str) -> Custom:
    """The item `expr > 0 on [low, high]`, with the false variants -expr and expr - (its value somewhere inside)."""
    middle = (sp.Rational(low) + sp.Rational(high)) / 2
    shifted = expr - expr.subs(x, middle)
    return Custom(
        "arb",
        f"{name}: positive on [{low}, {high}] by enclosures",
        lambda: positive_on(expr, x, low, high),
        (
            ("sign: negated", lambda: positive_on(-expr, x, low, high)),
            ("constant: shifted to 0 inside", lambda: positive_on(shifted, x, low, high)),
        ),
        Goal(Rel(expr, ">", 0), {x: Var(sp.Rational(low), high=sp.Rational(high))}, name=name),
    )


def number(check: str, holds: Rel, *false: tuple[str, Rel], engine: str = "exact") -> Custom:
    """A relation between closed expressions, with neighbours that must come out false."""
    return Custom(
        engine,
        check,
        lambda: decide(holds) is True,
        tuple((name, lambda r=r: decide(r) is True) for name, r in false),
        Goal(holds, name=check),
    )


def antiderivative(big: sp.Expr, small: sp.Expr, x: sp.Symbol, domain: dict[sp.Symbol, Var], name: str) -> Goal:
    """d(big)/dx = small."""
    return Goal(Rel(sp.Derivative(big, x), "=", small), domain, name=f"{name}: antiderivative")


def rises_from(
    expr: sp.Expr, x: sp.Symbol, low: sp.Rational, domain: dict[sp.Symbol, Var], name: str, given: tuple[Rel, ...] = ()
) -> tuple[Item, ...]:
    """expr >= 0 for x >= low, because expr(low) >= 0 and its derivative, a rational function, is >= 0 there."""
    start = expr.subs(x, low)
    above = {**domain, x: Var(sp.Rational(low))}
    lower = expr - start - 1
    return (
        Custom(
            "exact",
            f"{name}: nonnegative at {x} = {low}",
            lambda: decide(Rel(start, ">=", 0)) is True,
            (("constant: starts at -1", lambda: decide(Rel(lower.subs(x, low), ">=", 0)) is True),),
            Goal(Rel(expr, ">=", 0), above, given, name),
        ),
        Goal(Rel(sp.Derivative(expr, x), ">=", 0), above, given, f"{name}: derivative nonnegative"),
    )
