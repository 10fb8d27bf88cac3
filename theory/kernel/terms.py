"""Terms that the engines do not open: means, sums, integrals, limits, values of unspecified functions.

`Mean(f, X, Y)` is the expectation of f over the random quantities X and Y, everything else held fixed: the conditional
expectation given the rest. Sums are `sp.Sum`, integrals `sp.Integral`, a quantity of arm or round i is a function
value such as `sp.Function("tau")(i)`. The engines see an opaque term as a real number about which nothing is known but
what the hypotheses of the goal say. `linear` is the one place where the algebra of these operators is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Rel, Var

if TYPE_CHECKING:
    from theory.kernel.goal import Goal


class Mean(sp.Function):  # type: ignore[misc]
    """Mean(f, X, ...): expectation of f over X, ..., given everything else. All means are finite by convention."""

    @classmethod
    def eval(cls, *args: sp.Expr) -> None:
        if len(args) < 2 or not all(x.is_Symbol or isinstance(x, AppliedUndef) for x in args[1:]):
            raise ValueError(f"Mean{args}: an expression and at least one random quantity are needed")

    def _latex(self, printer: object, exp: str | None = None) -> str:
        body = rf"\mathbb{{E}}\left[{printer._print(self.args[0])}\right]"  # type: ignore[attr-defined]
        return body if exp is None else rf"{body}^{{{exp}}}"


_BINDERS = (sp.Sum, sp.Product, sp.Integral, sp.Limit)
OPAQUE = (Mean, sp.Sum, sp.Product, sp.Integral, sp.Limit, AppliedUndef)


def indices(expr: sp.Expr) -> set[sp.Symbol]:
    """Symbols over which the expression sums or integrates, or that tend to a limit."""
    found = ({t.args[1]} if isinstance(t, sp.Limit) else t.bound_symbols for t in expr.atoms(*_BINDERS))
    return set().union(*found)


def bound(expr: sp.Expr) -> set[sp.Symbol]:
    """Symbols that an operator inside the expression binds. A random quantity is one, but has a range as others do."""
    return indices(expr) | {x for m in expr.atoms(Mean) for x in m.args[1:] if x.is_Symbol}


def substitute(expr: sp.Expr, at: Mapping[sp.Expr, sp.Expr]) -> sp.Expr:
    """The expression at these arguments; no bound symbol may be replaced or captured."""
    touched = bound(expr) & set(at).union(*(sp.sympify(v).free_symbols for v in at.values()))
    if touched:
        raise ValueError(f"{expr}: bound symbols {sorted(map(str, touched))} cannot be replaced or appear in arguments")
    return expr.xreplace({x: sp.sympify(v) for x, v in at.items()})


def maximal(expr: sp.Expr) -> Iterator[sp.Expr]:
    """Opaque terms of an expression that are not inside another one."""
    if isinstance(expr, OPAQUE):
        yield expr
        return
    for e in expr.args:
        yield from maximal(e)


def transparent(goal: Goal) -> Goal:
    """The goal with every opaque term replaced by a real symbol of its own; the goal itself if there is none."""
    rels = (goal.rel, *goal.given)
    if not any(side.has(*OPAQUE) for r in rels for side in r.stated):
        return goal
    sides = [[linear(side) for side in r.stated] for r in rels]
    found = sorted({t for pair in sides for side in pair for t in maximal(side)}, key=str)
    names = {t: sp.Symbol(f"term{i}") for i, t in enumerate(found, 1)}
    plain = [
        Rel(left.xreplace(names), r.op, right.xreplace(names)) for (left, right), r in zip(sides, rels, strict=True)
    ]
    domain = {**{s: v for s, v in goal.domain.items() if s.is_Symbol}, **dict.fromkeys(names.values(), Var())}
    return replace(goal, rel=plain[0], given=tuple(plain[1:]), domain=domain, points=None, wider=())


def linear(expr: sp.Expr) -> sp.Expr:
    """Sums and means taken apart: over the terms of their argument, constants outside, nested means merged."""
    if not expr.args or not expr.has(*OPAQUE):
        return expr
    if isinstance(expr, (Mean, sp.Sum)):
        return sp.Add(*(_pulled(expr, term) for term in _terms(linear(expr.args[0]))))
    return expr.func(*(linear(e) if isinstance(e, sp.Expr) else e for e in expr.args))


def _terms(expr: sp.Expr) -> tuple[sp.Expr, ...]:
    expanded = sp.expand_mul(expr)
    return expanded.args if expanded.is_Add else (expanded,)


def _pulled(operator: sp.Expr, term: sp.Expr) -> sp.Expr:
    """One term under a mean or a sum: its factors that do not depend on what is averaged or summed come out.

    A mean inside a mean is conditional on what the outer one averages, so it depends on it.
    """
    averaging = isinstance(operator, Mean)
    over = set(operator.args[1:]) if averaging else {operator.args[1][0]}

    def free(factor: sp.Expr) -> bool:
        return not any(factor.has(x) for x in over) and not (averaging and factor.has(Mean))

    factors = sp.Mul.make_args(term)
    outside = sp.Mul(*(f for f in factors if free(f)))
    inside = sp.Mul(*(f for f in factors if not free(f)))
    if isinstance(operator, Mean):
        return outside if inside == 1 else outside * _mean(inside, operator.args[1:])
    i, low, high = operator.args[1]
    return outside * (high - low + 1) if inside == 1 else outside * sp.Sum(inside, (i, low, high))


def _mean(inside: sp.Expr, over: tuple[sp.Expr, ...]) -> sp.Expr:
    factors = sp.Mul.make_args(inside)
    inner = [f for f in factors if f.has(Mean)]
    if len(inner) == 1 and isinstance(inner[0], Mean):  # the tower rule; other factors are fixed in the inner mean
        body, *averaged = inner[0].args
        others = sp.Mul(*(f for f in factors if f is not inner[0]))
        if not any(others.has(x) for x in averaged):
            return Mean(sp.expand_mul(others * body), *sorted({*averaged, *over}, key=str))
    if isinstance(inside, sp.Sum):  # a finite sum
        return sp.Sum(linear(Mean(inside.args[0], *over)), inside.args[1])
    return Mean(inside, *sorted(over, key=str))
