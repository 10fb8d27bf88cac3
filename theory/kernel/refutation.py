"""A printed relation that fails at an exact point: it is refuted, a misprint, or where an inference has a gap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import sympy as sp

from theory.kernel import sources, statement
from theory.kernel.ambiguity import alike
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.exact import sign
from theory.kernel.falsify import Counterexample, falsify, violates
from theory.kernel.finding import Argument, Finding
from theory.kernel.goal import Goal, Letter, Point, Rel
from theory.kernel.inference import Inference
from theory.kernel.items import Item, Step, concludes, used
from theory.kernel.named import spelled
from theory.kernel.proof_parts import basis_of, gather, known
from theory.kernel.reader import reader
from theory.kernel.region import Region, TypedRegion, exactly
from theory.kernel.sanity import assumptions
from theory.kernel.shown import Display
from theory.kernel.sources import Basis, inherited
from theory.kernel.terms import OPAQUE, substitute


@dataclass(frozen=True)
class Refutation(Argument):
    """The printed relation fails at an exact point; `region`, if given, is proved to be exactly where it fails.

    Where the items of a region are about another form of the relation, this is said wherever the region is shown.

    `fails_iff` is short for the region where another inequality holds.
    """

    printed: Goal
    at: Point | None = None
    fails_iff: Rel | None = None
    fails_when: str | None = None
    region: Region | TypedRegion | None = None
    verdict: str = "refuted"
    also: tuple[Item, ...] = field(default=())
    premises: tuple[Rel | Item, ...] = ()  # of the printed inference: relations at the point, or items to prove
    letters: Mapping[sp.Symbol, Letter] = field(default_factory=dict)  # for the items that have none of their own

    @property
    def parts(self) -> tuple[Item, ...]:
        return (*(p for p in self.premises if not isinstance(p, Rel)), *self.also)

    @cached_property
    def inference(self) -> Inference:
        """The printed relation as what its premises, if it has any, are to show."""
        return Inference(self.printed, self.premises, self.verdict == "gap", self.letters)

    def check(self) -> Finding:
        found: Counterexample | None = falsify(self.printed) if self.at is None else violates(self.printed, self.at)
        outcome = Outcome.UNKNOWN if found is None else Outcome.PROVED
        search = "none was found" if self.at is None else "this point is none"
        what = f"counterexample to {self.printed.name or self.printed.rel}"
        evidence = [Evidence("exact", what if found is not None else f"{what}: {search}", outcome)]
        evidence += [*assumptions(self.printed), *sources.evidence(self.printed)]
        evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in self._unclear()]
        premises = [p for p in self.premises if isinstance(p, Rel)]
        display = None if found is None else found.display(premises)
        evidence += [*self.inference.evidence(found), *_redone(display)]
        evidence += [] if found is None else _stands(self.inference.whole, found.point)
        region = self._region(evidence)
        items = (*(() if region is None else region.items), *self.parts)
        stated = {**self.inference.own_letters, **known((self.printed,))}
        more, killed, shown = gather(items, stated=stated)
        goals = (concludes(item) for item in self.parts if not isinstance(item, Step))
        for goal in (replace(g, letters={**stated, **g.letters}) for g in goals if g is not None):
            evidence += [Evidence("sanity", f"{goal.name}: {why}", Outcome.UNKNOWN) for why in alike(goal)]
        drawn = None if region is None else region.as_json(self.printed)
        own, found_used = basis_of(items), used(self.printed, *items)
        return Finding(
            self.verdict,
            (*evidence, *more),
            tuple(killed),
            None if found is None else found.shown(premises),
            self.fails_when or (None if region is None else region.inequality),
            drawn,
            shown=lambda: (statement.as_json(self.printed, ["exact"], "printed"), *shown()),
            statement=statement.latex(self.printed),
            legend=statement.legend((self.printed,)),
            uses=found_used,
            own=own,
            basis=Basis.joined((own, *map(inherited, found_used))),
            typed=() if display is None else display.typed,
            premises=self.inference.stated(),
        )

    def _unclear(self) -> Iterator[str]:
        """What would be read as something else: beside each other, and in the letters of the printed relation."""
        whole = self.inference.whole
        more = whole.symbols - self.printed.symbols  # premises without have definitions of their own beside them
        yield from alike(whole if more else self.printed)
        stated, beside = (reader(goal).letters for goal in (self.printed, whole))
        for x in sorted(self.printed.symbols, key=spelled):
            if stated.get(x, x) != beside.get(x, x):
                yield f"{x} is printed as {stated.get(x, x)}, which is another symbol of a premise"
        for fact in self.inference.facts:
            read = reader(fact).letters
            for x in sorted((x for x in fact.letters if x in fact.symbols & self.printed.symbols), key=spelled):
                if read.get(x, x) != stated.get(x, x):
                    yield f"{x} is {stated.get(x, x)} in {self.printed.rel}, and {read.get(x, x)} in premise {fact.rel}"

    def _region(self, evidence: list[Evidence]) -> Region | TypedRegion | None:
        region = self._region_of(evidence)
        if isinstance(region, Region):
            evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in region.unclear(self.printed)]
        return region

    def _region_of(self, evidence: list[Evidence]) -> Region | TypedRegion | None:
        if self.fails_iff is None:
            if self.region is not None and not self.region.items:
                what = f"no item proves that it fails where {self.region.inequality}"
                evidence.append(Evidence("sanity", what, Outcome.UNKNOWN))
            return self.region
        if self.printed.rel.op == "=":
            what = "fails_iff is for inequalities; for an equation say region=unequal(...)"
            evidence.append(Evidence("sanity", what, Outcome.UNKNOWN))
            return None
        return exactly(self.printed, self.fails_iff)


def _stands(printed: Goal, point: Point) -> Iterator[Evidence]:
    """Why a point is no counterexample: a symbol that stands for an expression has another value there, or this
    expression has a symbol with a value out of its range."""
    for x, meaning in sources.meanings(printed).items():
        for y in sorted(meaning.free_symbols & set(point.values), key=spelled):
            if y not in printed.domain or point.values[y] not in printed.domain[y]:
                what = f"{y} = {point.values[y]} was used, which is not in its range"
                yield Evidence("sanity", what, Outcome.UNKNOWN)
        at = substitute(meaning, {y: v for y, v in point.values.items() if y in meaning.free_symbols}).doit()
        known = at.is_number and not at.has(*OPAQUE)
        if not known or x not in point.values or sign(at - point.values[x]) != 0:
            used = f"{x} = {point.values[x]} was used" if x in point.values else f"{x} has no value"
            what = f"{used}, and it stands for {meaning}" + (f" = {at}" if known else "")
            yield Evidence("sanity", what, Outcome.UNKNOWN)


def _redone(display: Display | None) -> Iterator[Evidence]:
    for why in () if display is None else display.problems():
        yield Evidence("sanity", f"the counterexample cannot be redone from what is shown: {why}", Outcome.UNKNOWN)
