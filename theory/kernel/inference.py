"""A printed inference: what it supposes, whether that is more than nothing, and whether it holds at a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import statement
from theory.kernel.defined import defined_at
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.exact import holds_at
from theory.kernel.falsify import Counterexample, falsify
from theory.kernel.goal import NEGATED, Goal, Letter, Point, Rel, Var
from theory.kernel.items import Item, concludes
from theory.kernel.named import Named, spelled
from theory.kernel.prove import proved
from theory.kernel.reader import reader

NO_PREMISES = "the inference has no premises about what it concludes: without them this is a false statement, not a gap"
NO_FACT = "it is no hypothesis, and a fact is to be an item"
PLAIN = "it compares numbers that were put in, and does not say of what they are"


@dataclass(frozen=True)
class Inference:
    """A printed conclusion and the premises it is inferred from: hypotheses, relations at the point, facts to prove."""

    printed: Goal
    premises: tuple[Rel | Item, ...]
    breaks: bool  # whether it is to be shown that it does: a gap
    letters: Mapping[sp.Symbol, Letter]  # for the items that have none of their own

    def evidence(self, found: Counterexample | None) -> Iterator[Evidence]:
        """Why this is no inference, or supposes nothing; and that its premises hold where its conclusion fails."""
        wrong = [PLAIN] if _of_plain_numbers(self.printed.rel) else []
        if self.breaks:
            wrong += [] if any(map(self._speaks, self._supposed)) else [NO_PREMISES]
            wrong += self._idle()
        for why in wrong:
            yield Evidence("sanity", f"{self.printed.name or self.printed.rel}: {why}", Outcome.UNKNOWN)
        for p in self.premises:
            if isinstance(p, Rel) and p.source is not None:
                what = f"premise {p} by {p.source}: a premise with a source is a hypothesis of the goal"
                yield Evidence("sanity", what, Outcome.UNKNOWN)
            elif isinstance(p, Rel):
                outcome = Outcome.PROVED if found is not None and self._holds(p, found.point) else Outcome.UNKNOWN
                yield Evidence("exact", f"premise {self._written(p)} where the conclusion fails", outcome)

    def stated(self) -> tuple[str, ...]:
        """The premises of a gap as readers see them: its hypotheses, and facts with the domain on which they hold."""
        if not self.breaks:
            return ()
        letters = {**self.own_letters, **self.printed.letters}
        facts = (statement.text(replace(g, letters={**letters, **g.letters})) for g in self.facts)
        hypotheses = (self._written(h) + (f" [by {h.source}]" if h.source else "") for h in self._hypotheses)
        return (*hypotheses, *(f"{fact} [a fact, proved]" for fact in facts))

    @cached_property
    def whole(self) -> Goal:
        """The printed relation with the relations at the point among its hypotheses."""
        premises = [p for p in self.premises if isinstance(p, Rel)]
        domain = {**dict.fromkeys(set().union(*(p.symbols for p in premises)), Var()), **self.printed.domain}
        return replace(self.printed, domain=domain, given=(*self.printed.given, *premises))

    @cached_property
    def own_letters(self) -> Mapping[sp.Symbol, Letter]:
        """The letters of items: a symbol of the printed relation has the one that it has there, or none."""
        own = self.printed.symbols - set(self.printed.letters)
        return {x: letter for x, letter in self.letters.items() if x not in own}

    @property
    def facts(self) -> tuple[Goal, ...]:
        """What its items conclude."""
        goals = (concludes(p) for p in self.premises if not isinstance(p, Rel))
        return tuple(g for g in goals if g is not None)

    @property
    def _hypotheses(self) -> tuple[Rel, ...]:
        """Hypotheses of the inference, and further relations at the point."""
        return (*self.printed.given, *(p for p in self.premises if isinstance(p, Rel)))

    @property
    def _supposed(self) -> tuple[Rel, ...]:
        return (*self._hypotheses, *(g.rel for g in self.facts))

    def _holds(self, premise: Rel, point: Point) -> bool:
        """Whether a premise holds at a point in the ranges of all its symbols, which the conclusion need not have."""
        domain = self.printed.domain
        inside = all(x in domain and x in point.values and point.values[x] in domain[x] for x in premise.symbols)
        return inside and not premise.every and holds_at(premise, point) is True and defined_at(premise, point.values)

    def _idle(self) -> Iterator[str]:
        """Premises that suppose nothing: a hypothesis excludes points of the domain; a fact is an item, and proved."""
        for premise in self._supposed:
            if _ranged(premise, self.printed):
                yield f"premise {premise} is the range of its symbol, and supposes nothing"
        for premise in self._hypotheses:
            if not self._excludes(premise):
                yield f"premise {premise} holds on the whole domain, or no point is found where it does not: {NO_FACT}"
            if self._contradicts(premise):
                yield f"premise {premise} says that the conclusion fails: nothing is inferred from it"
        for fact in self.facts:
            for x in sorted(fact.symbols & self.printed.symbols, key=spelled):
                if not fact.domain[x].meets(self.printed.domain[x]):
                    yield f"premise {fact.rel} is about {x} {fact.domain[x]}, none of the conclusion's values"

    def _speaks(self, premise: Rel) -> bool:
        """Whether a premise says something, and of what the conclusion is about."""
        says = premise.stated[0] != premise.stated[1] and not _of_plain_numbers(premise)
        return says and bool(_things(premise) & _things(self.printed.rel))

    def _excludes(self, premise: Rel) -> bool:
        """Whether a point of the domain is found that a hypothesis excludes; of one by another claim it is not asked.

        That engines do not prove it is not enough: they do not know that the sine of x is at most 1.
        """
        if _of_plain_numbers(premise):
            return False
        if premise.every or not premise.symbols or premise.source is not None:
            return True
        return falsify(Goal(premise, self.whole.domain)) is not None

    def _contradicts(self, premise: Rel) -> bool:
        """Whether the conclusion fails wherever a hypothesis holds, and not everywhere else, too.

        Numbers that were computed from an example are any numbers here.
        """
        if premise.every or premise.source is not None or not premise.symbols <= set(self.printed.domain):
            return False
        rel, names = self.printed.rel, {}
        if not premise.symbols | rel.symbols:
            found = sorted(set().union(*(side.atoms(Named) for r in (premise, rel) for side in r.stated)), key=spelled)
            names = {q: sp.Dummy(f"number_{m}") for m, q in enumerate(found)}
        left, right, *sides = (side.xreplace(names) for side in (*rel.stated, *premise.stated))
        supposed = Rel(sides[0], premise.op, sides[1])
        domain = {**self.printed.domain, **dict.fromkeys(names.values(), Var())}
        denied = ("<", ">") if rel.op == "=" else (NEGATED[rel.op],)
        goals = [Goal(Rel(left, op, right), domain, squares=self.printed.squares) for op in denied]
        return any(proved(replace(g, given=(supposed,))) and not proved(g) for g in goals)

    def _written(self, premise: Rel) -> str:
        """A premise in the letters of the conclusion, with definitions that are not printed beside this."""
        shown = reader(replace(self.printed, domain=self.whole.domain))
        said = shown.relation(premise), *(f"{name} = {value}" for name, value in shown.where(latex=False))
        told = statement.as_json(self.printed, (), "printed")["where"]
        return ", where ".join(part for part in said if part not in told)


def _of_plain_numbers(rel: Rel) -> bool:
    """Whether both sides were put in as numbers: no symbol and no name says of what they are."""
    return not any(side.free_symbols or side.has(Named) for side in rel.stated)


def _things(rel: Rel) -> set[Any]:
    """What a relation is about: symbols, functions and kinds of named quantities."""
    terms = (x.func for side in rel.stated for x in side.atoms(AppliedUndef, Named))
    return {*rel.symbols, *terms}


def _ranged(rel: Rel, goal: Goal) -> bool:
    """Whether a premise says no more than the range of a symbol does."""
    if rel.op == "=":
        return False
    difference, strict = rel.slack
    above, term = difference.as_coeff_Add()
    factor, x = term.as_coeff_Mul()
    if not (x in goal.domain and factor.is_Rational):
        return False
    end, var = -above / factor, goal.domain[x]
    if factor > 0:
        return var.within(Var(end, strict=strict))
    return var.high is not None and bool(var.high < end if strict else var.high <= end)
