"""Steps about positive terms of a bound: times a factor, under a root, and summed."""

from __future__ import annotations

from collections.abc import Mapping

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.kernel.items import Item
from theory.kernel.rules import Monotone, Restated, applied, instance, restated
from theory.kernel.rules.compose import conclusion
from theory.model.regret_bounds import PARAMETERS

g, x, y, u, v = sp.symbols("g x y u v")
NUMBERS = dict.fromkeys((x, y, u, v), real())
TERMS = Goal(Rel(x + y, "<=", u + v), NUMBERS, (Rel(x, "<=", u), Rel(y, "<=", v)), "term by term")
MORE = Goal(Rel(x + y, "<=", u + y), NUMBERS, (Rel(x, "<=", u),), "the same added")
Domain = Mapping[sp.Expr, Var]


def times(item: Item, factor: sp.Expr, rel: Rel, name: str, domain: Domain = PARAMETERS) -> Restated:
    """A relation between positive numbers times a positive factor, written as `rel`."""
    return _scaled(item, g * x, factor, rel, name, domain)


def rooted(item: Item, factor: sp.Expr, rel: Rel, name: str, domain: Domain = PARAMETERS) -> Restated:
    """The square roots of both sides of a relation times a positive factor, written as `rel`."""
    return _scaled(item, sp.sqrt(g) * sp.sqrt(x), factor, rel, name, domain)


def _scaled(item: Item, f: sp.Expr, factor: sp.Expr, rel: Rel, name: str, domain: Domain) -> Restated:
    rises = Monotone(item, f, x, {x: positive(), g: positive()}, name=f"{name}: with a factor")
    here = {**PARAMETERS, **domain}
    given = conclusion(item).given
    return restated(instance(rises, {g: factor}, here, given, name=name), rel, name)


def summed(first: Item, second: Item, rel: Rel, name: str) -> Restated:
    """Two relations added, written as `rel`."""
    (left, right), (less, more) = (conclusion(p).rel.stated for p in (first, second))
    here = conclusion(first)
    at = {x: left, u: right, y: less, v: more}
    return restated(applied(TERMS, at, first, second, domain=here.domain, given=here.given, name=name), rel, name)


def below(item: Item, term: sp.Expr, rel: Rel, name: str) -> Restated:
    """A relation with the same term on both sides, written as `rel`."""
    here = conclusion(item)
    left, right = here.rel.stated
    more = applied(MORE, {x: left, u: right, y: term}, item, domain=here.domain, given=here.given, name=name)
    return restated(more, rel, name)
