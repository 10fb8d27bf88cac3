"""Limits: sequences that rise to one, with a rate, and bounds that hold all along and so in the limit."""

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
from theory.kernel.rules.calculus import Limit
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.rules.sums import WEAK, unrolled
from theory.kernel.sanity import objections
from theory.kernel.terms import depends


@dataclass(frozen=True)
class RisesTo(Element):
    """f(n) <= lim f <= f(n) + rate(n), for every integer n >= start, if 0 <= f(n+1) - f(n) <= rate(n) - rate(n+1).

    Parameters
    ----------
    f, rate : expressions in `n`; the rate tends to 0, so that f is bounded and has a limit
    steps : two items, which prove f(n+1) - f(n) >= 0 and f(n+1) - f(n) <= rate(n) - rate(n+1)
    index : the symbol that tends to infinity in the printed limit
    vanishing : an expression that tends to 0; the limit is printed as that of f + vanishing
    above : conclude lim f <= f(n) + rate(n) instead of f(n) <= lim f
    """

    f: sp.Expr
    n: sp.Symbol
    rate: sp.Expr
    steps: tuple[Item, Item]
    index: sp.Symbol
    domain: Domain
    start: int = 1
    vanishing: sp.Expr = sp.S.Zero
    above: bool = False
    name: str = ""

    @property
    def _range(self) -> dict[sp.Expr, Var]:
        return {**self.domain, self.n: Var(sp.Integer(self.start), integer=True)}

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        parts = (self.rate, self.vanishing) if self.vanishing != 0 else (self.rate,)
        domain = {**self.domain, self.n: Var(sp.Integer(0), strict=True)}
        limits = [Limit(part, self.n, sp.S.Zero, domain, f"{self.name}: {part} tends to 0") for part in parts]
        return (*self.steps, *limits)

    @cached_property
    def concludes(self) -> Goal:
        limit = sp.Limit((self.f + self.vanishing).subs(self.n, self.index), self.index, sp.oo, "-")
        rel = Rel(limit, "<=", self.f + self.rate) if self.above else Rel(self.f, "<=", limit)
        return Goal(rel, self._range, name=self.name or "rises to its limit")

    @property
    def _wanted(self) -> tuple[Rel, Rel]:
        step = unrolled(self.f.subs(self.n, self.n + 1), self.n, sp.Integer(self.start)) - self.f
        return Rel(step, ">=", 0), Rel(step, "<=", self.rate - self.rate.subs(self.n, self.n + 1))

    def evidence(self) -> list[Evidence]:
        return [verdict("rises to a limit", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here = self.concludes
        for item, wanted in zip(self.steps, self._wanted, strict=True):
            proved = conclusion(item)
            if not sources.same(proved.rel, wanted, here):
                yield f"{proved.rel} is not {wanted}"
            yield from sources.unmet(proved, {}, here)
            yield from sources.captured(proved, self.n)
        if self.f.has(self.index) or self.index in self.domain:
            yield f"the index {self.index} is used elsewhere"

    def mutants(self) -> list[Mutant]:
        """Another rate, or another sequence, must be rejected: the steps are not about it."""
        wrong = {
            "rate: halved": replace(self, rate=self.rate / 2),
            "sequence: 1/n added": replace(self, f=self.f + 1 / self.n),
            "steps exchanged": replace(self, steps=self.steps[::-1]),
        }
        return [Mutant(name, killed=next(r._problems(), None) is not None) for name, r in wrong.items()]


@dataclass(frozen=True)
class InLimit(Element):
    """a <= L from a <= f(x) for every x of a range without upper end, if f tends to L; likewise a >= L.

    Neither a nor a hypothesis depends on x. A strict relation becomes a weak one.
    """

    item: Item
    x: sp.Symbol
    value: sp.Expr
    name: str = ""

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        every = conclusion(self.item)
        f = every.rel.stated[1]
        domain = {y: v for y, v in every.domain.items() if y in f.free_symbols}
        return self.item, Limit(f, self.x, self.value, domain, f"{self.name or 'in the limit'}: limit")

    @cached_property
    def concludes(self) -> Goal:
        every = conclusion(self.item)
        rel = Rel(every.rel.stated[0], WEAK[every.rel.op], self.value)
        needed = rel.symbols.union(*(h.symbols for h in every.given))  # x only if the rule does not apply
        domain = {y: v for y, v in every.domain.items() if self.x in needed or y != self.x}  # ranges of functions stay
        found = Goal(rel, domain, every.given, self.name or "in the limit", letters=every.letters, short=every.short)
        return sources.explaining(found, every.where)

    def evidence(self) -> list[Evidence]:
        return [verdict("limit", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        every = conclusion(self.item)
        if self.x in every.rel.stated[0].free_symbols or depends(every.rel.stated[0], self.x):
            yield f"{every.rel.stated[0]} depends on {self.x}"
        yield from (f"the hypothesis {h} contains {self.x}" for h in every.given if self.x in h.symbols)
        yield from sources.captured(every, self.x)
        yield from sources.constant_meaning(every, self.x)
        if every.domain[self.x].high is not None:
            yield f"the range of {self.x} has an upper end"

    def mutants(self) -> list[Mutant]:
        """What depends on x has no limit that bounds it."""
        every = conclusion(self.item)
        left, right = every.rel.stated
        wrong = replace(self, item=replace(every, rel=Rel(left + self.x, every.rel.op, right + self.x)))
        return [Mutant(f"{self.x} on both sides", killed=next(wrong._problems(), None) is not None)]
