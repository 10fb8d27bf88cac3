"""Expectations: linear and monotone, the tower rule (in `terms.linear`), and Jensen's inequality.

`Expectation(item, over=(X, Y))` averages a relation that holds for all values of X and Y. Everything else is held
fixed, so that the mean is conditional on it; averaging again over the rest is the tower rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp

from theory.kernel import sources
from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal, Rel, free_symbols
from theory.kernel.items import Element, Item, below
from theory.kernel.mutate import Mutant
from theory.kernel.named import valued
from theory.kernel.prove import proved
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.rules.sums import WEAK
from theory.kernel.sanity import objections
from theory.kernel.terms import Mean, indices, linear, substitute


@dataclass(frozen=True)
class Expectation(Element):
    """From a <= b at all values of the random quantities to E a <= E b; constants come out, sums are taken apart.

    Domain and hypotheses of the pointwise relation stay: they are what the random quantities obey almost surely.
    """

    item: Item
    over: tuple[sp.Expr, ...]
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def concludes(self) -> Goal:
        pointwise = conclusion(self.item)
        left, right = (linear(Mean(side, *self.over)) for side in pointwise.rel.stated)
        rel = Rel(left, WEAK[pointwise.rel.op], right)
        given = tuple(dict.fromkeys((*self.given, *pointwise.given)))
        name = self.name or "in expectation"
        return replace(pointwise, rel=rel, given=given, name=name, points=None, wider=())

    def evidence(self) -> list[Evidence]:
        return [verdict("expectation", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        inside = set().union(*(indices(valued(side)) for side in conclusion(self.item).rel.stated))
        for x in sorted(inside & set(self.over), key=str):
            yield f"{x}, which is averaged, is an index"
        yield from sources.captured(conclusion(self.item), *self.over, averaging=True)
        yield from sources.constant_meaning(conclusion(self.item), *self.over)


def split_after_average(item: Item, cases: Iterable[Rel]) -> Iterator[str]:
    """Hypotheses about what was averaged on the way to an item: they hold almost surely, and are no cases."""
    averaged = {x for part in (item, *below(item)) if isinstance(part, Expectation) for x in part.over}
    for h in cases:
        caught = averaged & set().union(*(sp.sympify(side).free_symbols for side in h.stated))
        if caught:
            yield f"{h}: {', '.join(sorted(map(str, caught)))} was averaged over"


@dataclass(frozen=True)
class Jensen(Element):
    """f(E X) <= E f(X) for f convex (>= for f concave) on the range of X; the sign of f'' is proved.

    `f` is an expression in the symbol x, `domain` has the range of x and of the other symbols of f. X is the random
    quantity, with the same range: a symbol, or a function of the outcome (`over`).
    """

    f: sp.Expr
    x: sp.Symbol
    random: sp.Expr
    domain: Domain
    convex: bool = True
    given: tuple[Rel, ...] = ()
    name: str = ""
    over: tuple[sp.Expr, ...] = ()  # what is averaged, if X is a function of it (of the outcome)

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        op = ">=" if self.convex else "<="
        curved = Rel(sp.Derivative(self.f, self.x, 2), op, 0)
        return (Goal(curved, self.domain, self.given, f"{self.name or 'Jensen'}: second derivative"),)

    @cached_property
    def concludes(self) -> Goal:
        over = self.over or (self.random,)
        mean, inside = Mean(self.random, *over), linear(Mean(substitute(self.f, {self.x: self.random}), *over))
        rel = Rel(substitute(self.f, {self.x: mean}), "<=" if self.convex else ">=", inside)
        rest = {**{x: v for x, v in self.domain.items() if x != self.x}, self.random: self.domain[self.x]}
        return Goal(rel, rest, tuple(h for h in self.given if self.x not in h.symbols), self.name or "Jensen")

    def evidence(self) -> list[Evidence]:
        bad = [f"the hypothesis {h} cuts the range of {self.x}" for h in self.given if self.x in h.symbols]
        bad += sources.captured_inside(self.concludes)
        if self.domain[self.x].integer:
            bad.append(f"the range of {self.x} is no interval")
        if any(not set(self.over or (self.random,)) <= set(m.args[1:]) for m in valued(self.f).atoms(Mean)):
            bad.append(f"a mean in {self.f} would become conditional")
        averaged = (free_symbols(valued(self.f)) - {self.x}) & set(self.over or (self.random,))
        bad += [f"{self.f} depends on {y}, which is averaged" for y in sorted(averaged, key=str)]
        return [verdict("Jensen", self.concludes.name, iter(bad))]

    def mutants(self) -> list[Mutant]:
        other = replace(self, convex=not self.convex)
        refused = not all(proved(p, 1500) for p in other.premises if isinstance(p, Goal))
        return [Mutant("direction: reversed", killed=refused)]
