"""Sums over an index: of a relation term by term, split in two, telescoping, and induction.

A quantity that differs from term to term is a function of the index: for `n` summed over i, `family={n: f(i)}`
with `f = sp.Function("n")`. The index is a symbol that occurs nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import sources
from theory.kernel.engines import Evidence
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Element, Item
from theory.kernel.mutate import Mutant
from theory.kernel.named import spelled, valued
from theory.kernel.prove import prove, proved
from theory.kernel.rules.compose import Domain, conclusion, verdict
from theory.kernel.sanity import objections
from theory.kernel.terms import OPERATORS, Event, binds, bound, linear, substitute, transparent, variables, varying

WEAK = {"<": "<=", ">": ">=", "<=": "<=", ">=": ">=", "=": "="}


@dataclass(frozen=True)
class SumOver(Element):
    """From a(x) <= b(x) for every x to sum a(x_i) <= sum b(x_i), i from `low` to `high`.

    Parameters
    ----------
    item : the relation of one term
    index : the symbol of the index; the term may contain it (a round t), or only through `family`
    low, high : its range; high >= low - 1 is a side condition (an empty sum is 0)
    family : what differs from term to term, as functions of the index
    where : names for sums: {Wo: sp.Sum(...)} states the result in the symbol Wo
    """

    item: Item
    index: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    family: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict)
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    def _sum(self, side: sp.Expr) -> sp.Expr:
        total = linear(sp.Sum(side.xreplace(dict(self.family)), (self.index, self.low, self.high)))
        return total.xreplace(dict(_named(name, linear(expr)) for name, expr in self.where.items()))

    @cached_property
    def concludes(self) -> Goal:
        term = conclusion(self.item)
        left, right = term.rel.stated
        rel = Rel(self._sum(left), WEAK[term.rel.op], self._sum(right))
        families = {value: term.domain[x] for x, value in self.family.items() if x in term.domain and _varies(value)}
        where = {**term.where, **self.where}
        name = self.name or f"summed over {self.index}"
        domain = {**families, **self.domain}
        return Goal(rel, domain, self.given, name, letters=term.letters, where=where, short=term.short)

    def evidence(self) -> list[Evidence]:
        here = self.concludes
        what = f"{here.name}: {self.index} from {self.low} to {self.high}"
        return [verdict("sum", what, self._problems()), *objections(here)]

    def _problems(self) -> Iterator[str]:
        term, here = conclusion(self.item), self.concludes
        if self.index in here.symbols:
            yield f"the index {self.index} is used elsewhere"
        yield from sources.captured(term, self.index)
        yield from sources.elsewhere(term, self.family)
        yield from sources.constant_meaning(term, self.index, *self.family)
        meant = sources.meaning(term)
        for x, total in self.where.items():
            if {self.index, *self.family} & variables(sp.sympify(total)):
                yield f"{x} stands for {total}, which differs from term to term"
            if valued(sp.sympify(total)).has(sp.Integral):
                yield f"{x} stands for {total}, which may be no number"
        for x in sorted(set(self.where) & set(meant), key=spelled):
            yield f"{x} stands for {meant[x]} in one term"
        arguments = {self.index, *self.family}.union(*(sp.sympify(v).free_symbols for v in self.family.values()))
        sides = [valued(side) for r in (term.rel, *term.given) for side in r.stated]
        captured = arguments & set().union(*map(bound, sides), *({i for i, *_ in h.every} for h in term.given))
        if self.family and captured:
            yield f"{', '.join(sorted(map(str, captured)))} is bound in one term"
        for end in (self.low, self.high):
            if not sources.whole(sp.sympify(end), here):
                yield f"{end} is not known to be an integer"
        length = Goal(Rel(sp.sympify(self.high) - self.low + 1, ">=", 0), here.domain, here.given)
        if not all(e.ok for e in prove(length)):
            yield f"{self.high} >= {self.low} - 1 is not known"
        within = Rel(self.index, ">=", self.low), Rel(self.index, "<=", self.high)
        index = {self.index: Var(self._least(), integer=True)}
        inner = Goal(here.rel, {**here.domain, **index}, (*here.given, *within))
        for x, value in self.family.items():
            if not x.is_Symbol or not isinstance(value, AppliedUndef | Event):
                yield f"{x} = {value}: a symbol becomes a value of a function, or an event"
                continue
            if x not in term.domain:
                continue
            known = here.domain[value] if _varies(value) else Var(sp.Integer(0), integer=True, high=sp.Integer(1))
            if not known.within(term.domain[x]):
                yield f"{value} is not known to be {term.domain[x]}"
        for x in sorted(term.symbols - set(self.family) - {self.index}, key=spelled):
            if x not in here.domain or not sources.inside(x, term.domain[x], inner):
                yield f"{x} is not known to be {term.domain[x]}"
        for x in sorted(sources.families(term) - set(self.family), key=spelled):
            known = sources.range_of(x, here.domain)
            if not known.within(term.domain[x]) and not sources.inside(x, term.domain[x], inner):
                yield f"{x} is not known to be {term.domain[x]}"
        if self.index in term.domain and not sources.inside(self.index, term.domain[self.index], inner):
            yield f"the index is not known to be {term.domain[self.index]}"
        for h in term.given:
            wanted = _for_family(h, self.family)
            if wanted.symbols & {self.index} or self.index in set().union(*(e.free_symbols for e in wanted.stated)):
                wanted = wanted.for_every(self.index, self.low, self.high)
            if any(sources.same(wanted, known, here) for known in here.given):
                continue
            plain = _for_family(h, self.family)  # what the range of the index gives
            if plain.every or not plain.symbols <= set(inner.domain) or not proved(replace(inner, rel=plain), 2000):
                yield f"the hypothesis {wanted} is not known"

    def _least(self) -> sp.Rational | None:
        """The least index, where it is a number or has a lower bound."""
        low = sp.sympify(self.low)
        if low.is_Rational:
            return low
        return self.domain[low].low if low.is_Symbol and low in self.domain else None

    def mutants(self) -> list[Mutant]:
        """The same rule with a range of negative length, or with a symbol left free, must be refused."""
        shorter = SumOver(self.item, self.index, self.low, self.low - 3, self.domain, self.family, {}, self.given)
        term = conclusion(self.item)
        bounded = [x for x in sorted(term.symbols & set(self.domain), key=spelled) if term.domain[x] != Var()]
        found = [Mutant("range: of negative length", killed=next(shorter._problems(), None) is not None)]
        for x in bounded:  # where the range follows from the hypotheses, leaving it out changes nothing
            if next(replace(self, domain={**self.domain, x: Var()})._problems(), None) is not None:
                found.append(Mutant(f"hypothesis dropped: range of {x}", killed=True))
        return found


def _named(name: sp.Symbol, total: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """A sum and what it is in terms of its name; a constant factor that was taken out of the sum goes to the name."""
    outside, inside = total.as_independent(sp.Sum, as_Add=False)
    return (inside, name / outside) if isinstance(inside, sp.Sum) else (total, name)


def _for_family(rel: Rel, family: Mapping[sp.Expr, sp.Expr]) -> Rel:
    left, right = (side.xreplace(dict(family)) for side in rel.stated)
    every = tuple((i, *(end.xreplace(dict(family)) for end in ends)) for i, *ends in rel.every)
    return Rel(left, rel.op, right, every=every)


def _varies(value: sp.Expr) -> bool:
    """A value of a family has the range that is given; an event has its own."""
    return not isinstance(value, Event)


@dataclass(frozen=True)
class Telescoping(Element):
    """From f(j) <= F(j+1) - F(j) for every j >= low to sum_{j=low}^{high} f(j) <= F(high+1) - F(low)."""

    item: Item
    total: sp.Expr  # F, as an expression in the index
    index: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def inner(self) -> SumOver:
        return SumOver(self.item, self.index, self.low, self.high, self.domain, given=self.given)

    @cached_property
    def concludes(self) -> Goal:
        term = conclusion(self.item)
        summed = linear(sp.Sum(term.rel.stated[0], (self.index, self.low, self.high)))
        last, first = (substitute(self.total, {self.index: at}) for at in (sp.sympify(self.high) + 1, self.low))
        rel = Rel(summed, WEAK[term.rel.op], last - first)
        found = Goal(rel, self.domain, self.given, self.name or "telescoping", letters=term.letters, short=term.short)
        return sources.explaining(found, term.where)

    def difference(self, total: sp.Expr) -> Goal:
        """That the right side of the premise is a difference of consecutive values of F."""
        term = conclusion(self.item)
        consecutive = total.subs(self.index, self.index + 1) - total
        rel = Rel(term.rel.stated[1], "=", consecutive)
        return Goal(rel, term.domain, name=f"{self.name or 'telescoping'}: a difference of consecutive values")

    def evidence(self) -> list[Evidence]:
        what = f"{self.concludes.name}: {self.index} from {self.low} to {self.high}"
        return [
            verdict("telescoping", what, chain(varying(self.total, self.index), self.inner._problems())),
            *objections(self.difference(self.total)),
            *prove(self.difference(self.total)),
            *objections(self.concludes),
        ]

    def mutants(self) -> list[Mutant]:
        wrong = {"total: doubled": 2 * self.total, "total: shifted by one": self.total.subs(self.index, self.index + 1)}
        return [Mutant(name, killed=not all(e.ok for e in prove(self.difference(t)))) for name, t in wrong.items()]


@dataclass(frozen=True)
class Induction(Element):
    """P(n) for every integer n >= start, from P(start) and from P(n) to P(n+1).

    `rel` is P in the symbol `n`. A sum with upper end n + 1 is its last term more than the sum up to n; a sum from
    `start` to `start` is one term; a product likewise. With `until`, P(n) is concluded for n <= until only, and the
    step and its lemmas may suppose n + 1 <= until. P(n) says that the relation holds for all values of the other
    symbols; `also` are further values of some of them at which the step and its lemmas may suppose it.
    """

    rel: Rel
    n: sp.Symbol
    start: sp.Expr
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""
    squares: tuple[sp.Expr, ...] = ()
    lemmas: tuple[Item, ...] = ()  # relations that the step needs, proved for every n >= start for which P(n) holds
    first: tuple[Item, ...] = ()  # relations without n that the base needs
    until: sp.Expr | None = None  # the last n, if P(n) need not hold beyond
    also: tuple[Mapping[sp.Symbol, sp.Expr], ...] = ()  # where else the step supposes P(n), such as {c: c - 1}

    def __post_init__(self) -> None:
        for x in {x for at in self.also for x in at}:
            fixed = (sp.sympify(self.start), *(() if self.until is None else (self.until,)))
            supposed = set().union(*(h.symbols for h in self.given)) | set().union(*(end.free_symbols for end in fixed))
            if x == self.n or x not in self.domain or x in supposed:
                raise ValueError(f"also={self.also}: {x} must have a range, and nothing else may be supposed of it")
        if self.until is not None and self.until.has(self.n):
            raise ValueError(f"until={self.until}: the last {self.n} must not depend on {self.n}")
        if not sp.sympify(self.start).is_Integer:
            raise ValueError(f"start={self.start}: must be an integer")
        for item in self.first:
            if self.n in conclusion(item).rel.symbols:
                raise ValueError(f"first={conclusion(item).rel}: what the base needs must not depend on {self.n}")

    @property
    def premises(self) -> tuple[Item, ...]:
        return (*self.first, *self.lemmas)

    @cached_property
    def concludes(self) -> Goal:
        given = (*self.given, *self._up_to(self.n))
        return Goal(self.rel, self._domain, given, self.name or f"every {self.n} >= {self.start}")

    def _up_to(self, value: sp.Expr) -> tuple[Rel, ...]:
        return () if self.until is None else (Rel(value, "<=", self.until),)

    @property
    def _domain(self) -> dict[sp.Symbol, Var]:
        start = sp.sympify(self.start)
        return {**self.domain, self.n: Var(start, integer=True)}

    def _at(self, value: sp.Expr) -> Rel:
        start = sp.sympify(self.start)
        left, right = (unrolled(side.subs(self.n, value), self.n, start) for side in self.rel.stated)
        return Rel(left, self.rel.op, right)

    @property
    def base(self) -> Goal:
        domain = {x: v for x, v in self.domain.items() if x != self.n}
        given = (*self.given, *(conclusion(item).rel for item in self.first))
        return Goal(self._at(sp.sympify(self.start)), domain, given, f"{self.concludes.name}: base")

    @property
    def _supposed(self) -> tuple[Rel, ...]:
        """P(n): the relation, and what it is at the other values that are named."""
        return (self.rel, *(sources.instance(self.rel, at) for at in self.also))

    @property
    def step(self) -> Goal:
        facts = tuple(conclusion(item).rel for item in self.lemmas)
        given = (*self.given, *self._up_to(self.n + 1), *facts, *self._supposed)
        return Goal(self._at(self.n + 1), self._domain, given, f"{self.concludes.name}: step", self.squares)

    def evidence(self) -> list[Evidence]:
        here = replace(self.concludes, given=(*self.given, *self._up_to(self.n + 1), *self._supposed))
        lemmas = [
            verdict("induction", f"lemma {conclusion(p).name}", sources.unmet(conclusion(p), {}, here))
            for p in self.lemmas
        ]
        lemmas += [
            verdict("induction", f"base: {conclusion(p).name}", sources.unmet(conclusion(p), {}, self.concludes))
            for p in self.first
        ]
        facts = (self.concludes, *map(conclusion, self.premises))
        lemmas += [
            verdict("induction", f"{fact.name}: every {self.n}", sources.captured(fact, self.n)) for fact in facts
        ]
        if self.n in set().union(*(h.symbols for h in self.given), set()):
            return [verdict("induction", self.concludes.name, iter([f"a hypothesis depends on {self.n}"]))]
        lemmas += (
            [verdict("induction", f"{self.concludes.name}: at other values", self._outside())] if self.also else []
        )
        return [*lemmas, *(e for goal in (self.base, self.step) for e in (*objections(goal), *prove(goal)))]

    def _outside(self) -> Iterator[str]:
        """Values in `also` that may be outside the range of their symbol, or of a parameter of the functions."""
        here = replace(self.concludes, given=(*self.given, *self._up_to(self.n + 1)))
        for at in self.also:
            yield from sources.elsewhere(self.concludes, at)
            yield from sources.infinite(self.concludes, at, here)
        for x, value in (pair for at in self.also for pair in at.items()):
            if not sources.inside(sp.sympify(value), self.domain[x], here):
                yield f"{x} = {value} is not known to be {self.domain[x]}"

    def mutants(self) -> list[Mutant]:
        """Mutants of the relation must fail in the base or in the step; true ones do not count."""
        left, right = self.rel.stated
        wrong = {
            "direction: reversed": Rel(left, {"=": "<", "<=": ">", "<": ">", ">=": "<", ">": "<"}[self.rel.op], right),
            "constant: halved": Rel(left, self.rel.op, right / 2),
            "constant: doubled": Rel(left, self.rel.op, 2 * right),
            "constant: 1 less": Rel(left, self.rel.op, right - 1),
            "constant: 1 more": Rel(left, self.rel.op, right + 1),
        }
        other = {name: replace(self, rel=rel) for name, rel in wrong.items()}
        false = {name: o for name, o in other.items() if falsify(transparent(o.base)) is not None}
        found = [Mutant(name, killed=not all(proved(g, 1500) for g in (o.base, o.step))) for name, o in false.items()]
        for x in dict.fromkeys(x for at in self.also for x in at):
            least = self.domain[x].low
            if least is not None:
                outside = replace(self, also=({x: least - 1 - self.n**2},))
                found.append(Mutant(f"argument: {x} below {least}", killed=next(outside._outside(), None) is not None))
        return found


@dataclass(frozen=True)
class SplitSum(Element):
    """The sum from low to high is the sum from low to middle and that from middle + 1 to high."""

    f: sp.Expr
    index: sp.Symbol
    low: sp.Expr
    middle: sp.Expr
    high: sp.Expr
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        whole = sp.Sum(self.f, (self.index, self.low, self.high))
        first = sp.Sum(self.f, (self.index, self.low, self.middle))
        if all(sp.sympify(end).is_Integer for end in (self.low, self.middle)):
            first = sp.Add(*(self.f.subs(self.index, m) for m in range(int(self.low), int(self.middle) + 1)))
        rest = sp.Sum(self.f, (self.index, sp.sympify(self.middle) + 1, self.high))
        return Goal(Rel(whole, "=", first + rest), self.domain, self.given, self.name or "split")

    def evidence(self) -> list[Evidence]:
        return [verdict("split", self.concludes.name, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        here = self.concludes
        yield from varying(self.f, self.index)
        for end in (self.low, self.middle, self.high):
            if not sources.whole(sp.sympify(end), here):
                yield f"{end} is not known to be an integer"
        for low, high in ((self.low, self.middle), (sp.sympify(self.middle) + 1, self.high)):
            length = Goal(Rel(sp.sympify(high) - low + 1, ">=", 0), here.domain, here.given)
            if not all(e.ok for e in prove(length)):
                yield f"{high} >= {low} - 1 is not known"

    def mutants(self) -> list[Mutant]:
        wrong = replace(self, middle=self.low - 3)
        return [Mutant("range: of negative length", killed=next(wrong._problems(), None) is not None)]


def unrolled(expr: sp.Expr, n: sp.Symbol, start: sp.Expr) -> sp.Expr:
    """Sums up to n + 1 as sums up to n and one term more; sums of one term as that term.

    n >= start must give at least this one term: an empty sum is 0. Where an operator binds n, it is another number.
    """
    inner = {q: sp.Dummy() for q in expr.atoms(*OPERATORS) if n in binds(q) and q.args[0].has(sp.Sum, sp.Product)}
    if inner:
        return unrolled(expr.xreplace(inner), n, start).xreplace({name: q for q, name in inner.items()})
    for term in sorted((e for e in expr.atoms(sp.Sum, sp.Product) if len(e.args) == 2), key=spelled):
        i, low, high = term.args[1]
        if high == low - 1:
            expr = expr.xreplace({term: sp.S.Zero if isinstance(term, sp.Sum) else sp.S.One})
        elif high == low:
            expr = expr.xreplace({term: substitute(term.args[0], {i: high})})
        elif (high - n).is_Integer and high - n > 0 and (start + high - n - low).is_nonnegative:
            rest = unrolled(term.func(term.args[0], (i, low, high - 1)), n, start)
            last = substitute(term.args[0], {i: high})
            expr = expr.xreplace({term: rest + last if isinstance(term, sp.Sum) else rest * last})
    return expr
