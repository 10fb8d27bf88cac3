"""The same sum written otherwise: in another order, with another index, in blocks of equal terms; whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import sympy as sp

from theory.kernel import sources
from theory.kernel.engines import Evidence
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Element, Item
from theory.kernel.mutate import Mutant
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.sanity import objections
from theory.kernel.terms import indices, linear, substitute, varying

WHOLE = Var(integer=True)


def _not_whole(here: Goal, *values: sp.Expr) -> Iterator[str]:
    for x in map(sp.sympify, values):
        if not sources.inside(x, WHOLE, here):
            yield f"{x} is not known to be an integer"


@dataclass(frozen=True)
class Exchange(Element):
    """A double sum in the other order: sum over i of the sum over j is the sum over j of the sum over i.

    `inner` and `outer` are (index, low, high); the ends of neither may depend on the other index.
    """

    f: sp.Expr
    inner: tuple[sp.Symbol, sp.Expr, sp.Expr]
    outer: tuple[sp.Symbol, sp.Expr, sp.Expr]
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        left, right = (sp.Sum(self.f, *limits) for limits in ((self.inner, self.outer), (self.outer, self.inner)))
        return Goal(Rel(linear(left), "=", linear(right)), self.domain, name=self.name or "order of summation")

    def evidence(self) -> list[Evidence]:
        return [verdict("exchange", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        (i, *ends), (j, *others) = self.inner, self.outer
        if i == j:
            yield f"both indices are {i}"
        limits = [sp.sympify(end) for end in (*ends, *others)]
        dependent = [end for end in limits if end.has(i) or end.has(j)]
        yield from (f"the end {end} depends on an index" for end in dependent)
        if not dependent:
            yield from _not_whole(self.concludes, *limits)

    def mutants(self) -> list[Mutant]:
        i, low, _ = self.inner
        wrong = replace(self, inner=(i, low, self.outer[0]))
        return [Mutant("range: up to the other index", killed=next(wrong._problems(), None) is not None)]


@dataclass(frozen=True)
class Reindex(Element):
    """A sum over t as a sum over i, where t = `at` is i + c or c - i: counted from elsewhere, or from the end."""

    f: sp.Expr
    t: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    i: sp.Symbol
    at: sp.Expr
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        way = self.at.coeff(self.i)
        ends = [sp.expand(way * (end - (self.at - way * self.i))) for end in (self.low, self.high)]
        other = sp.Sum(substitute(self.f, {self.t: self.at}), (self.i, *(ends if way == 1 else ends[::-1])))
        rel = Rel(linear(sp.Sum(self.f, (self.t, self.low, self.high))), "=", linear(other))
        return Goal(rel, self.domain, self.given, self.name or f"{self.t} = {self.at}")

    def evidence(self) -> list[Evidence]:
        return [verdict("another index", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        shift = sp.expand(self.at - self.at.coeff(self.i) * self.i)
        if self.at.coeff(self.i) not in (1, -1) or shift.has(self.i):
            yield f"{self.at} is neither {self.i} + c nor c - {self.i}"
        yield from _not_whole(self.concludes, shift, self.low, self.high)
        yield from varying(self.f, self.t)
        if self.f.has(self.i) or self.i in self.concludes.symbols or self.i in indices(self.f):
            yield f"the index {self.i} is used elsewhere"

    def mutants(self) -> list[Mutant]:
        wrong = {
            "moved by a half": self.at + sp.Rational(1, 2),
            "twice as fast": self.at + self.at.coeff(self.i) * self.i,
        }
        found = {name: replace(self, at=at) for name, at in wrong.items()}
        return [Mutant(f"index: {name}", killed=next(r._problems(), None) is not None) for name, r in found.items()]


@dataclass(frozen=True)
class Blocks(Element):
    """Blocks of `size` equal terms: the sum of f(ceil(i/size)), i from 1 to m, is size (f(1) + ... + f(M)) and what is
    left, (m - size M) f(M + 1), if size M <= m <= size (M + 1)."""

    f: sp.Expr
    j: sp.Symbol
    i: sp.Symbol
    size: sp.Symbol
    m: sp.Symbol
    M: sp.Symbol
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        m, M, size = self.m, self.M, self.size
        whole = sp.Sum(substitute(self.f, {self.j: sp.ceiling(self.i / size)}), (self.i, 1, m))
        parts = size * sp.Sum(self.f, (self.j, 1, M)) + (m - size * M) * substitute(self.f, {self.j: M + 1})
        given = (Rel(size * M, "<=", m), Rel(m, "<=", size * (M + 1)))
        return Goal(Rel(whole, "=", parts), self.domain, given, self.name or "in blocks")

    def evidence(self) -> list[Evidence]:
        return [verdict("blocks", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        yield from varying(self.f, self.j)
        if len({self.i, self.j, self.size, self.m, self.M}) < 5:
            yield "indices, size and numbers of terms must be five symbols"
        least = {self.size: 1, self.m: 0, self.M: 0}
        for x, low in least.items():
            if not sources.inside(x, Var(sp.Integer(low), integer=True), self.concludes):
                yield f"{x} is not known to be an integer >= {low}"
        if self.f.has(self.i) or self.f.has(self.m, self.M):
            yield "a term depends on more than its block"

    def mutants(self) -> list[Mutant]:
        loose = replace(self, domain={**self.domain, self.m: Var(sp.Integer(0))})
        return [Mutant("m: not an integer", killed=next(loose._problems(), None) is not None)]


@dataclass(frozen=True)
class Quotient(Element):
    """What holds for an integer M with size M <= m <= size (M + 1) and does not contain M holds: there is such an M.

    The two inequalities must be hypotheses of the premise, and M must occur in nothing else.
    """

    item: Item
    size: sp.Symbol
    m: sp.Symbol
    M: sp.Symbol
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @property
    def _range(self) -> tuple[Rel, Rel]:
        return Rel(self.size * self.M, "<=", self.m), Rel(self.m, "<=", self.size * (self.M + 1))

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.item)
        given = tuple(h for h in source.given if h not in self._range)
        left = source.rel.symbols.union(*(h.symbols for h in given))
        domain = {x: v for x, v in source.domain.items() if x != self.M or x in left}
        return replace(source, domain=domain, given=given, name=self.name or source.name)

    def evidence(self) -> list[Evidence]:
        return [verdict("quotient", self.name, self._problems())]

    def _problems(self) -> Iterator[str]:
        source = conclusion(self.item)
        for x, low in ((self.size, 1), (self.m, 0)):
            if not source.domain.get(x, Var()).within(Var(sp.Integer(low), integer=True)):
                yield f"{x} is not known to be an integer >= {low}"
        if not Var(sp.Integer(0), integer=True).within(source.domain.get(self.M, Var())):
            yield f"{self.M} may be restricted further than to the integers >= 0"
        sides = [side for r in (source.rel, *source.given) if r not in self._range for side in r.stated]
        limits = [sp.sympify(end) for h in source.given for _, *ends in h.every for end in ends]
        if any(side.has(self.M) for side in (*sides, *limits)):
            yield f"{self.M} occurs elsewhere"
        yield from sources.constant_meaning(source, self.M)
        yield from sources.captured(source, self.M)

    def mutants(self) -> list[Mutant]:
        swapped = replace(self, M=self.m, m=self.M)
        return [Mutant("quotient and dividend exchanged", killed=next(swapped._problems(), None) is not None)]


@dataclass(frozen=True)
class NextInteger(Element):
    """a >= b + 1 if a > b, for integers a and b."""

    left: sp.Expr
    right: sp.Expr
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        rel = Rel(self.left, ">=", sp.sympify(self.right) + 1)
        return Goal(rel, self.domain, (Rel(self.left, ">", self.right),), self.name or "the next integer")

    def evidence(self) -> list[Evidence]:
        what = self.concludes.name
        return [
            verdict("integers", what, _not_whole(self.concludes, self.left, self.right)),
            *objections(self.concludes),
        ]

    def mutants(self) -> list[Mutant]:
        half = replace(self, right=self.right + sp.Rational(1, 2))
        return [Mutant("a half more", killed=next(_not_whole(half.concludes, half.left, half.right), None) is not None)]
