"""Composition: what follows from several relations, a relation at other arguments, the statement of another claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Any

import sympy as sp

from theory.kernel import sources
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import FLIPPED, Goal, Rel, Var, free_symbols
from theory.kernel.items import Element, Item, concludes
from theory.kernel.mutate import Mutant, few_mutants, mutants
from theory.kernel.named import valued
from theory.kernel.prove import prove
from theory.kernel.sanity import objections
from theory.kernel.subexpressions import head, heads
from theory.kernel.terms import bound, transparent

Domain = Mapping[sp.Symbol, Var]


def conclusion(item: Item) -> Goal:
    """The relation that a premise proves; an error if it proves none."""
    goal = concludes(item)
    if goal is None:
        raise ValueError(f"{type(item).__name__} proves no relation and cannot be a premise here")
    return goal


def merged(goals: tuple[Goal, ...]) -> dict[sp.Symbol, Var]:
    """One domain for several goals; for a symbol of more than one of them, the narrowest of its ranges."""
    domain: dict[sp.Symbol, Var] = {}
    for goal in goals:
        for x, var in goal.domain.items():
            if x not in domain or var.within(domain[x]):
                domain[x] = var
    return domain


def left_out(premises: tuple[Goal, ...], here: Goal) -> dict[sp.Symbol, Var]:
    """Ranges of what occurs in premises. Those of functions that occur in the conclusion must be its own."""
    sides = (side for r in (here.rel, *here.given) for side in r.stated)
    functions = frozenset().union(*map(heads, sides))
    return {x: var for x, var in merged(premises).items() if x.is_Symbol or head(x) not in functions}


def verdict(rule: str, what: str, problems: Iterator[str]) -> Evidence:
    """Evidence of a rule's side conditions."""
    why = next(problems, None)
    outcome = Outcome.PROVED if why is None else Outcome.UNKNOWN
    return Evidence(rule, what + (f": {why}" if why else ""), outcome)


@dataclass(frozen=True)
class Follows(Element):
    """A relation that follows from its premises by arithmetic: proved by both engines, the premises as hypotheses.

    Sums, means and other opaque terms are symbols there. `given` are hypotheses of the claim's own. The hypotheses of
    a premise must be among these, follow from them, or be proved by the premises before it.
    """

    rel: Rel
    parts: tuple[Item, ...]
    domain: Domain | None = None
    given: tuple[Rel, ...] = ()
    name: str = ""
    squares: tuple[sp.Expr, ...] = ()

    @property
    def premises(self) -> tuple[Item, ...]:
        return self.parts

    @cached_property
    def concludes(self) -> Goal:
        goals = tuple(conclusion(p) for p in self.parts)
        domain = merged(goals) if self.domain is None else dict(self.domain)
        given = dict.fromkeys((*self.given, *(h for g in goals for h in g.given if self.domain is None)))
        letters = {x: tex for g in goals for x, tex in g.letters.items()}
        needed = self.rel.symbols.union(*(h.symbols for h in given))
        where = {x: value for x, value in sources.meaning(*goals).items() if x in needed}
        needed = needed.union(*(free_symbols(value) for value in where.values()))
        kept = {x: v for x, v in domain.items() if x in needed or not x.is_Symbol}
        short = {x: value for g in goals for x, value in g.short.items()}
        return Goal(self.rel, kept, tuple(given), self.name, letters=letters, where=where, short=short)

    @cached_property
    def step(self) -> Goal:
        """The goal for the engines: the conclusion, given the premises."""
        goals = tuple(conclusion(p) for p in self.parts)
        here = self.concludes
        domain = {**left_out(goals, here), **here.domain, **(self.domain or {})}
        given = (*here.given, *(Rel(*_sides(g.rel)) for g in goals))
        name, where = self.name or "follows", sources.meaning(*goals)
        return Goal(here.rel, domain, tuple(dict.fromkeys(given)), name, self.squares, where=where)

    def evidence(self) -> list[Evidence]:
        found, known = [], self.concludes.given
        for p in self.parts:
            premise = conclusion(p)
            what = f"{self.name or self.rel}: premise {premise.name or premise.rel} applies"
            found.append(verdict("composition", what, sources.unmet(premise, {}, replace(self.step, given=known))))
            known = (*known, Rel(*_sides(premise.rel)))  # later premises may need it
        return [*found, *objections(self.step), *prove(self.step)]

    def mutants(self) -> list[Mutant]:
        return mutants(transparent(self.step))

    def few_mutants(self) -> list[Mutant]:
        return few_mutants(transparent(self.step))


def _sides(rel: Rel) -> tuple[sp.Expr, str, sp.Expr]:
    return rel.stated[0], rel.op, rel.stated[1]


def follows(
    rel: Rel,
    *premises: Item,
    domain: Domain | None = None,
    given: tuple[Rel, ...] = (),
    name: str = "",
    squares: tuple[sp.Expr, ...] = (),
) -> Follows:
    """The relation, from these premises. Without `domain` the premises' domains and hypotheses are taken over."""
    return Follows(rel, tuple(premises), domain, given, name, squares)


def chain(*premises: Item, name: str = "", domain: Domain | None = None, given: tuple[Rel, ...] = ()) -> Follows:
    """a <= c from a <= b and b <= c, and so on: relations in one direction, each starting where the last one ended."""
    rels = [conclusion(p).rel for p in premises]
    up = next((r.op for r in rels if r.op != "="), "=")
    facing = [r if r.op == "=" or r.op[0] == up[0] else Rel(r.stated[1], FLIPPED[r.op], r.stated[0]) for r in rels]
    ops = {r.op for r in facing}
    op = "=" if ops == {"="} else up[0] if ops & {"<", ">"} else up[0] + "="
    rel = Rel(facing[0].stated[0], op, facing[-1].stated[1])
    return Follows(rel, tuple(premises), domain, given, name or "chain")


@dataclass(frozen=True)
class Instance(Element):
    """A proved relation at other arguments; that these lie in its domain and meet its hypotheses is proved."""

    item: Item
    at: Mapping[sp.Symbol, sp.Expr]
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.item)
        rel, name = sources.instance(source.rel, self.at), self.name or source.name
        letters = {x: letter for x, letter in source.letters.items() if x not in self.at}
        found = Goal(rel, self.domain, self.given, name, letters=letters, short=source.short)
        return sources.explaining(found, sources.meaning(source, at=self.at))

    def evidence(self) -> list[Evidence]:
        source = conclusion(self.item)
        what = ", ".join(f"{x} = {v}" for x, v in self.at.items())
        problems = sources.unmet(source, self.at, self.concludes)
        found = verdict("instance", f"{self.concludes.name or source.rel} at {what}", problems)
        return [found, *objections(self.concludes)]

    def mutants(self) -> list[Mutant]:
        return list(_outside(conclusion(self.item), self.at, self.concludes))

    def few_mutants(self) -> list[Mutant]:
        return list(islice(_outside(conclusion(self.item), self.at, self.concludes), 1))


def _outside(source: Goal, at: Mapping[sp.Symbol, sp.Expr], here: Goal) -> Iterator[Mutant]:
    """Arguments outside the range of a symbol, which must be refused."""
    for x, value in at.items():
        var = source.domain.get(x)
        if var is not None and var.low is not None and x in source.symbols:
            outside = {**at, x: var.low - 1 - value**2}
            refused = next(sources.unmet(source, outside, here), None) is not None
            yield Mutant(f"argument: {x} below {var.low}", killed=refused)


def instance(
    item: Item, at: Mapping[sp.Symbol, Any], domain: Domain, given: tuple[Rel, ...] = (), name: str = ""
) -> Instance:
    return Instance(item, {x: sp.sympify(v) for x, v in at.items()}, domain, given, name)


@dataclass(frozen=True)
class Applied(Element):
    """A proved relation at other arguments, whose hypotheses there are what the premises `parts` say.

    `given` are hypotheses of the claim's own. A hypothesis of the relation or of a part must be among these, follow
    from them, or be proved by the parts before it. No engine is asked about the relation itself.
    """

    item: Item
    at: Mapping[sp.Symbol, sp.Expr]
    parts: tuple[Item, ...]
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item, *self.parts)

    @cached_property
    def concludes(self) -> Goal:
        source = conclusion(self.item)
        goals = (source, *map(conclusion, self.parts))
        letters = {x: letter for g in goals for x, letter in g.letters.items() if x not in self.at}
        short = {x: value for g in goals for x, value in g.short.items()}
        rel = sources.instance(source.rel, self.at)
        found = Goal(rel, self.domain, self.given, self.name or source.name, letters=letters, short=short)
        return sources.explaining(found, self._meaning)

    @property
    def _meaning(self) -> dict[sp.Symbol, sp.Expr]:
        """What symbols of the relation, at these arguments, and of the premises stand for."""
        goals = tuple(map(conclusion, self.parts))
        return {**sources.meaning(*goals), **sources.meaning(conclusion(self.item), at=self.at)}

    def evidence(self) -> list[Evidence]:
        found = [verdict("composition", f"{self.concludes.name}: the premises apply", self._problems())]
        return [*found, *objections(self.concludes)]

    def _here(self, *parts: Goal) -> Goal:
        """What is known here after these premises."""
        goals = tuple(map(conclusion, self.parts))
        known = (Rel(*_sides(g.rel)) for g in parts)
        domain = {**left_out(goals, self.concludes), **self.domain}
        return replace(self.concludes, domain=domain, given=(*self.given, *known), where=self._meaning)

    def _problems(self) -> Iterator[str]:
        goals = tuple(map(conclusion, self.parts))
        for i, premise in enumerate(goals):
            yield from sources.unmet(premise, {}, self._here(*goals[:i]))  # earlier premises may give what it needs
        yield from sources.unmet(conclusion(self.item), self.at, self._here(*goals))

    def mutants(self) -> list[Mutant]:
        """Without its premises, or with an argument outside the range of a symbol, it must be refused."""
        source = conclusion(self.item)
        needed = next(sources.unmet(source, self.at, self._here()), None) is not None
        return [*([Mutant("premises dropped", killed=True)] if needed else []), *self.few_mutants()]

    def few_mutants(self) -> list[Mutant]:
        here = self._here(*map(conclusion, self.parts))
        return list(islice(_outside(conclusion(self.item), self.at, here), 1))


def applied(
    item: Item, at: Mapping[sp.Symbol, Any], *parts: Item, domain: Domain, given: tuple[Rel, ...] = (), name: str = ""
) -> Applied:
    """A lemma at these arguments, its hypotheses proved by the parts."""
    return Applied(item, {x: sp.sympify(v) for x, v in at.items()}, tuple(parts), domain, given, name)


@dataclass(frozen=True)
class Restated(Element):
    """A proved relation in other words: named quantities for their values, or the other way round.

    Both must have the same direction and, by the arithmetic of their sides, the same difference.
    """

    item: Item
    rel: Rel
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    @cached_property
    def concludes(self) -> Goal:
        return replace(conclusion(self.item), rel=self.rel, name=self.name or "restated", points=None, wider=())

    def _problems(self) -> Iterator[str]:
        before = conclusion(self.item)
        if not sources.same(self.rel, before.rel, before):
            yield f"{self.rel} is not {before.rel}"

    def evidence(self) -> list[Evidence]:
        return [verdict("restated", self.concludes.name, self._problems()), *objections(self.concludes)]

    def mutants(self) -> list[Mutant]:
        (left, right), op = self.rel.stated, self.rel.op
        wrong = {"constant: 1 added": Rel(left, op, right + 1)}
        if op != "=":
            wrong["direction: sides exchanged"] = Rel(right, op, left)
        return [
            Mutant(name, killed=next(replace(self, rel=r)._problems(), None) is not None) for name, r in wrong.items()
        ]


def restated(item: Item, rel: Rel, name: str = "") -> Restated:
    """The relation of an item, written as `rel`."""
    return Restated(item, rel, name)


@dataclass(frozen=True)
class Replaced(Element):
    """A proved relation with b for a, where `equality` proves a = b: also inside unspecified functions.

    `rel` is the result as it is to be written. Neither a nor b may contain a symbol that an operator of the relation
    binds. `given` are hypotheses of the claim's own, which must give those of both premises.
    """

    item: Item
    equality: Item
    rel: Rel
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.equality, self.item)

    @cached_property
    def concludes(self) -> Goal:
        goals = conclusion(self.equality), conclusion(self.item)
        letters = {x: letter for g in goals for x, letter in g.letters.items()}
        short = {x: value for g in goals for x, value in g.short.items()}
        name = self.name or "equals for equals"
        found = Goal(self.rel, self.domain, self.given, name, letters=letters, short=short)
        return sources.explaining(found, sources.meaning(*goals))

    def evidence(self) -> list[Evidence]:
        found = verdict("replaced", self.concludes.name, self._problems(self.rel))
        return [found, *objections(self.concludes)]

    def _problems(self, rel: Rel) -> Iterator[str]:
        equality, source = conclusion(self.equality), conclusion(self.item)
        here = replace(self.concludes, where=sources.meaning(equality, source))
        if equality.rel.op != "=":
            yield f"{equality.rel} is no equation"
        before, after = map(valued, equality.rel.stated)
        sides = [valued(side) for side in source.rel.stated]
        captured = (free_symbols(before) | free_symbols(after)) & set().union(*map(bound, sides))
        if captured:
            yield f"{', '.join(sorted(map(str, captured)))} is bound in {source.rel}"
        replaced = Rel(sides[0].xreplace({before: after}), source.rel.op, sides[1].xreplace({before: after}))
        if source.rel.every or not sources.same(rel, replaced, here):
            yield f"{rel} is not {replaced}"
        yield from sources.unmet(equality, {}, here)
        known = (*here.given, Rel(*_sides(equality.rel)))  # which may give what the relation needs
        yield from sources.unmet(source, {}, replace(here, given=known))

    def mutants(self) -> list[Mutant]:
        left, right = self.rel.stated
        wrong = Rel(left, self.rel.op, right + 1)
        return [Mutant("constant: 1 added", killed=next(self._problems(wrong), None) is not None)]


def replaced(
    item: Item, equality: Item, rel: Rel, domain: Domain, given: tuple[Rel, ...] = (), name: str = ""
) -> Replaced:
    """The relation of an item with the right side of the equality for its left side, written as `rel`."""
    return Replaced(item, equality, rel, domain, given, name)


@dataclass(frozen=True)
class Cases(Element):
    """A relation that is proved where h holds and where it does not: `split` is h, a hypothesis of the first item.

    The other hypotheses of both items are kept.
    """

    split: Rel
    where: Item
    elsewhere: Item
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.where, self.elsewhere)

    @cached_property
    def concludes(self) -> Goal:
        first, second = conclusion(self.where), conclusion(self.elsewhere)
        cases = (self.split, self.split.negation)
        given = dict.fromkeys(h for goal in (first, second) for h in goal.given if h not in cases)
        domain, name, where = merged((first, second)), self.name or first.name, sources.meaning(first, second)
        return replace(first, domain=domain, given=tuple(given), name=name, wider=(), where=where)

    def evidence(self) -> list[Evidence]:
        what = f"{self.concludes.name}: {self.split}, and otherwise"
        return [verdict("cases", what, self._problems()), *objections(self.concludes)]

    def _problems(self) -> Iterator[str]:
        from theory.kernel.rules.means import split_after_average  # which is made of these rules

        first, second = conclusion(self.where), conclusion(self.elsewhere)
        if not sources.same(first.rel, second.rel, self.concludes):
            yield f"{first.rel} and {second.rel} are not the same relation"
        yield from sources.averaged((self.split,), first.rel)
        for item in (self.where, self.elsewhere):
            yield from split_after_average(item, (self.split,))
        here = self.concludes
        for goal, case in ((first, self.split), (second, self.split.negation)):
            yield from sources.unmet(goal, {}, replace(here, given=(*here.given, case)))

    def mutants(self) -> list[Mutant]:
        wrong = Cases(self.split.negation, self.where, self.elsewhere)
        return [Mutant("cases: exchanged", killed=next(wrong._problems(), None) is not None)]


@dataclass(frozen=True)
class Use(Element):
    """The statement of another claim, at named arguments: a premise that is proved there, not here."""

    claim: str
    at: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    item: str = ""
    domain: Domain | None = None

    @cached_property
    def concludes(self) -> Goal:
        found = [g for g in sources.conclusions(self.claim) if not self.item or g.name == self.item]
        if len(found) != 1:
            names = ", ".join(repr(g.name) for g in sources.conclusions(self.claim))
            raise ValueError(f"uses({self.claim!r}): item={self.item!r} must name one of its conclusions: {names}")
        rel = sources.instance(found[0].rel, self.at)
        given = tuple(sources.moved(h, self.at) for h in found[0].given)
        kept = {
            x: v for x, v in found[0].domain.items() if x not in self.at and (x in found[0].symbols or not x.is_Symbol)
        }
        domain = {**kept, **(self.domain or {})}
        shown = found[0]
        name = self.item or self.claim
        where = sources.meaning(shown, at=self.at)
        return Goal(rel, domain, given, name, letters=shown.letters, where=where, short=shown.short)

    @property
    def uses(self) -> tuple[str, ...]:
        return (self.claim,)

    def evidence(self) -> list[Evidence]:
        found = next(g for g in sources.conclusions(self.claim) if not self.item or g.name == self.item)
        what = f"the statement of {self.claim}" + (f", {self.item}" if self.item else "")
        return [verdict("ledger", what, sources.unmet(found, self.at, self.concludes))]


def uses(claim: str, at: Mapping[sp.Symbol, Any] | None = None, *, item: str = "", domain: Domain | None = None) -> Use:
    """The statement of a proved claim as a premise: `item` names one of its conclusions, `at` gives arguments.

    `domain` is where the symbols in the arguments live.
    """
    return Use(claim, {x: sp.sympify(v) for x, v in (at or {}).items()}, item, domain)
