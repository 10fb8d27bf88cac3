"""Events: the union bound from an implication, what an indicator says, and one term among nonnegative ones.

An event is `Event(d, 0)` for d >= 0 or `Event(d, 1)` for d > 0; its mean over the outcome is its probability.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp

from theory.kernel import sources
from theory.kernel.defined import NONZERO, undefined
from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Element, Item
from theory.kernel.mutate import Mutant
from theory.kernel.prove import proved
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.rules.means import split_after_average
from theory.kernel.sanity import objections
from theory.kernel.terms import Event, substitute, transparent, varying


def event(rel: Rel) -> sp.Expr:
    """The indicator of an inequality."""
    left, right = rel.stated
    if rel.op == "=":
        raise ValueError(f"{rel}: the event of an equation is not supported")
    return Event(left - right if rel.op[0] == ">" else right - left, 1 if rel.op in ("<", ">") else 0)


@dataclass(frozen=True)
class Union(Element):
    """From `h1 and h2 and ... imply r` to 1{not r} <= 1{not h1} + 1{not h2} + ...; `cases` are the h that are split.

    Other hypotheses of the implication stay hypotheses.
    """

    item: Item
    cases: tuple[Rel, ...]
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def concludes(self) -> Goal:
        whole = conclusion(self.item)
        kept = tuple(h for h in whole.given if h not in self.cases)
        failures = sp.Add(*(event(h.negation) for h in self.cases))
        rel = Rel(event(whole.rel.negation), "<=", failures)
        return Goal(rel, whole.domain, kept, self.name or "union", letters=whole.letters, where=whole.where)

    def evidence(self) -> list[Evidence]:
        return [verdict("union", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        whole = conclusion(self.item)
        yield from (f"{h} is no hypothesis of the implication" for h in self.cases if h not in whole.given)
        yield from sources.averaged(self.cases, whole.rel)
        yield from split_after_average(self.item, self.cases)

    def mutants(self) -> list[Mutant]:
        wrong = Union(self.item, (*self.cases, conclusion(self.item).rel))
        return [Mutant("an event that is no hypothesis", killed=next(wrong._problems(), None) is not None)]


@dataclass(frozen=True)
class Indicates(Element):
    """What an indicator e of d >= 0 says: (1 - e) d <= 0, or (1 - e)(d + 1) <= 0 if d is an integer.

    `part`: that the positive part e d is nonnegative, instead. `strict`: of the indicator of d > 0, (1 - e) d <= 0 and
    e d >= 0, or e (d - 1) >= 0 if d is an integer.
    """

    d: sp.Expr
    domain: Domain
    integer: bool = False
    name: str = ""
    part: bool = False
    strict: bool = False

    @cached_property
    def concludes(self) -> Goal:
        indicator, whole = Event(self.d, int(self.strict)), int(self.integer)
        failed = Rel((1 - indicator) * (self.d + (0 if self.strict else whole)), "<=", 0)
        holds = Rel(indicator * (self.d - (whole if self.strict else 0)), ">=", 0)
        return Goal(holds if self.part else failed, self.domain, name=self.name or "an indicator")

    def evidence(self) -> list[Evidence]:
        bad = [] if not self.integer or self._whole() else [f"{self.d} is not known to be an integer"]
        if self.integer and self.strict and not self.part:
            bad.append("an integer d that is not positive may be 0")
        # roots and logarithms are left to the rules that use it, whose hypotheses may be needed
        bad += [why for why in undefined(transparent(self.concludes)) if why.endswith(NONZERO)]
        return [verdict("event", self.concludes.name, iter(bad))]

    def as_conclusion(self) -> list[Evidence]:
        return objections(self.concludes)

    def _whole(self) -> bool:
        return sources.whole(self.d, self.concludes)

    def mutants(self) -> list[Mutant]:
        half = Indicates(self.d + sp.Rational(1, 2), self.domain, integer=True)
        return [Mutant("an integer and a half", killed=not half._whole())] if self.integer else []


@dataclass(frozen=True)
class Among(Element):
    """f(S) <= sum of f(i) over i from low to high, for an integer S in that range, if every f(i) >= 0.

    `nonnegative` proves f >= 0 for every index; an event needs no proof. `given` are hypotheses of the claim's own
    that may be needed for that; they do not contain the index.
    """

    f: sp.Expr
    index: sp.Symbol
    chosen: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    nonnegative: Item | None = None
    name: str = ""
    given: tuple[Rel, ...] = ()

    @property
    def premises(self) -> tuple[Item, ...]:
        return () if self.nonnegative is None else (self.nonnegative,)

    @cached_property
    def concludes(self) -> Goal:
        total = sp.Sum(self.f, (self.index, self.low, self.high))
        rel = Rel(substitute(self.f, {self.index: self.chosen}), "<=", total)
        given = (*self.given, Rel(self.chosen, ">=", self.low), Rel(self.chosen, "<=", self.high))
        return Goal(rel, self.domain, given, self.name or f"{self.chosen} is one of them")

    def evidence(self) -> list[Evidence]:
        return [verdict("one of a sum", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here = self.concludes
        yield from varying(self.f, self.index)
        for x in (self.chosen, self.low, self.high):
            if not sources.inside(sp.sympify(x), Var(integer=True), here):
                yield f"{x} is not known to be an integer"
        if self.index in here.symbols:
            yield f"the index {self.index} is used elsewhere"
        if self.nonnegative is None and not isinstance(self.f, Event):
            yield f"{self.f} is not known to be nonnegative"
        if self.nonnegative is not None:
            least = self.low if sp.sympify(self.low).is_Rational else None
            inside = Rel(self.index, ">=", self.low), Rel(self.index, "<=", self.high)
            inner = Goal(here.rel, {**here.domain, self.index: Var(least, integer=True)}, (*here.given, *inside))
            wanted = Rel(self.f, ">=", 0)
            if not sources.same(conclusion(self.nonnegative).rel, wanted, inner):
                yield f"{conclusion(self.nonnegative).rel} is not {wanted}"
            yield from sources.unmet(conclusion(self.nonnegative), {}, inner)

    def mutants(self) -> list[Mutant]:
        loose = {**self.domain, self.chosen: Var()}
        wrong = replace(self, domain=loose)
        found = [Mutant("hypothesis dropped: an integer", killed=next(wrong._problems(), None) is not None)]
        signed = replace(self, f=self.f - 1)
        return [*found, Mutant("terms of any sign", killed=next(signed._problems(), None) is not None)]


def equals(x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """The indicator of x = y."""
    return Event(-((x - y) ** 2), 0)


@dataclass(frozen=True)
class Picked(Element):
    """The sum over i from low to high of 1{S = i} f(i) is f(S), for an integer S in that range."""

    f: sp.Expr
    index: sp.Symbol
    chosen: sp.Expr
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        total = sp.Sum(equals(self.chosen, self.index) * self.f, (self.index, self.low, self.high))
        rel = Rel(total, "=", substitute(self.f, {self.index: self.chosen}))
        given = (Rel(self.chosen, ">=", self.low), Rel(self.chosen, "<=", self.high))
        return Goal(rel, self.domain, given, self.name or f"{self.chosen} is one of them")

    def evidence(self) -> list[Evidence]:
        return [verdict("one of a sum", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here = self.concludes
        yield from varying(self.f, self.index)
        for x in (self.chosen, self.low, self.high):
            if not sources.inside(sp.sympify(x), Var(integer=True), here):
                yield f"{x} is not known to be an integer"
        if self.index in here.symbols or sp.sympify(self.chosen).has(self.index):
            yield f"the index {self.index} is used elsewhere"

    def mutants(self) -> list[Mutant]:
        wrong = replace(self, chosen=self.chosen + sp.Rational(1, 2))
        return [Mutant("an integer and a half", killed=next(wrong._problems(), None) is not None)]


@dataclass(frozen=True)
class Whether(Element):
    """An event happens or does not: its indicator e is its own square."""

    e: sp.Expr
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        return Goal(Rel(self.e**2, "=", self.e), self.domain, name=self.name or "it happens or not")

    def evidence(self) -> list[Evidence]:
        bad = [] if isinstance(self.e, Event) else [f"{self.e} is no event"]
        return [verdict("event", self.concludes.name, iter(bad))]

    def as_conclusion(self) -> list[Evidence]:
        return objections(self.concludes)

    def mutants(self) -> list[Mutant]:
        half = Whether(self.e / 2, self.domain)
        return [Mutant("half of it", killed=not all(found.ok for found in half.evidence()))]


@dataclass(frozen=True)
class Otherwise(Element):
    """Either d >= 0 or -d > 0: the indicators of the two add up to 1."""

    d: sp.Expr
    domain: Domain
    name: str = ""
    given: tuple[Rel, ...] = ()

    @cached_property
    def concludes(self) -> Goal:
        rel = Rel(Event(-self.d, 1), "=", 1 - Event(self.d, 0))
        return Goal(rel, self.domain, self.given, self.name or "it happens or the opposite does")

    def evidence(self) -> list[Evidence]:
        return [verdict("event", self.concludes.name, iter(())), *objections(self.concludes)]


@dataclass(frozen=True)
class Rescaled(Element):
    """A positive factor does not change the sign: 1{c d >= 0} = 1{d >= 0} for c > 0; `strict`: of d > 0."""

    d: sp.Expr
    c: sp.Expr
    domain: Domain
    strict: bool = False
    given: tuple[Rel, ...] = ()
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        scaled, plain = (Event(e, int(self.strict)) for e in (sp.expand_mul(self.c * self.d), self.d))
        return Goal(Rel(scaled, "=", plain), self.domain, self.given, self.name or "the same sign")

    def evidence(self) -> list[Evidence]:
        return [verdict("event", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        if not proved(self.concludes.with_rel(Rel(self.c, ">", 0), "the factor"), 1500):
            yield f"{self.c} is not known to be positive"

    def mutants(self) -> list[Mutant]:
        wrong = {"sign: the factor negated": -self.c, "the factor 0": sp.S.Zero}
        return [Mutant(m, killed=next(replace(self, c=c)._problems(), None) is not None) for m, c in wrong.items()]
