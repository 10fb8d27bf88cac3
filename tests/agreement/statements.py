"""Sides of generated statements as numbers: what a claim states, evaluated at a concrete problem.

Quantities of the play are numbers there: g and the logarithms by their formulas, e_K by integration, sums over rounds
term by term. A quantity that depends on the outcome has no value.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

import sympy as sp
from flint import arb

from tests.agreement.registry import value
from tests.theory.harness.search import built
from theory.kernel.argument import Proof
from theory.kernel.goal import Goal
from theory.kernel.named import valued
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import G, b, deviation, ell, g, spread
from theory.model.play import K, N, a
from theory.model.regret import E_K

if TYPE_CHECKING:
    from tests.agreement.theorems import ExactSetting

e = sp.Symbol("e")


@cache
def conclusion(claim: str, item: str) -> Goal:
    """The conclusion of a proved claim with this name."""
    argument = built(claim)
    assert isinstance(argument, Proof)
    return next(goal for goal in argument.conclusions if goal.name == item)


def sides(claim: str, item: str, at: ExactSetting, more: Mapping[sp.Expr, sp.Expr] | None = None) -> tuple[arb, arb]:
    """Left and right side of a statement at a problem; `more` has values of further symbols."""
    return number(conclusion(claim, item).rel.stated[0], at, more), right(claim, item, at, more)


def right(claim: str, item: str, at: ExactSetting, more: Mapping[sp.Expr, sp.Expr] | None = None) -> arb:
    return number(conclusion(claim, item).rel.stated[1], at, more)


def number(expr: sp.Expr, at: ExactSetting, more: Mapping[sp.Expr, sp.Expr] | None = None) -> arb:
    exact = {x: sp.Rational(v.numerator, v.denominator) for x, v in ((s, at.noise), (s0, at.spread), (a, at.a))}
    sizes = {K: sp.Integer(at.arms), N: sp.Integer(at.rounds), **exact, **(more or {})}
    plain = _plain(expr).subs(sizes)
    plain = plain.xreplace({term: _written_out(term) for term in plain.atoms(sp.Sum)})
    odds = exact[s0] / exact[s]
    arms = sizes[K]
    plain = plain.replace(g, lambda j: bounds.g(j, arms, exact[s0], exact[s]))
    plain = plain.replace(spread, lambda t: sp.sqrt(exact[a] * sp.log(t)))
    plain = plain.replace(deviation, lambda t: bounds.deviation_factor(t, arms, exact[a], sizes.get(b, b)))
    plain = plain.replace(ell, lambda j: sp.log(1 + j * odds)).replace(G, lambda n: bounds.log_ratio(odds, n))
    return value(plain, {"e": at.numbers["e"]})


def _written_out(total: sp.Sum) -> sp.Expr:
    """A sum between two numbers term by term; SymPy would look for a closed form first, which is slow."""
    (i, low, high), *others = total.limits
    if others or not (low.is_Integer and high.is_Integer and low <= high) or total.function.has(sp.Sum):
        return total.doit()
    return sp.Add(*(total.function.xreplace({i: sp.Integer(t)}) for t in range(int(low), int(high) + 1)))


@cache
def _plain(expr: sp.Expr) -> sp.Expr:
    """An expression with the values of its named parts, and a symbol for e_K."""
    return valued(expr.xreplace({E_K: e}))
