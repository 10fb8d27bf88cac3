"""The four ways a claim can be settled exactly, and what each of them has to show.

proved    every goal by two engines, and no false neighbour of any goal
refuted   an exact counterexample; if a region of failure is named, that it is exactly the region
gap       an exact example where the printed inference breaks, while the conclusion itself stays open
misprint  refuted as printed; the repair, a claim of its own, must come out proved
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from theory.kernel.engines import Evidence, Outcome, timed
from theory.kernel.falsify import Counterexample, falsify, violates
from theory.kernel.goal import Goal, Point, Rel
from theory.kernel.mutate import Mutant, mutants
from theory.kernel.prove import prove, proved
from theory.kernel.region import Region, exactly
from theory.kernel.sanity import empty, objections


@dataclass(frozen=True)
class Finding:
    """What came out when an argument was checked."""

    verdict: str
    evidence: tuple[Evidence, ...]
    mutants: tuple[Mutant, ...] = ()
    counterexample: dict[str, Any] | None = None
    fails_when: str | None = None
    region: dict[str, Any] | None = None

    @property
    def ok(self) -> bool:
        return all(e.ok for e in self.evidence) and all(m.killed for m in self.mutants)


@dataclass(frozen=True)
class Custom:
    """A check that is no relation between expressions: a computation, with false variants that it must refuse.

    `shows` is the relation that it proves together with its companions, for those who look for violations of it.
    """

    engine: str
    check: str
    holds: Callable[[], bool]
    false_variants: tuple[tuple[str, Callable[[], bool]], ...] = ()
    shows: Goal | None = None

    def evidence(self) -> list[Evidence]:
        return [timed(self.engine, self.check, lambda: (Outcome.PROVED if self.holds() else Outcome.UNKNOWN, None))]

    def mutants(self) -> list[Mutant]:
        return [Mutant(name, killed=not run()) for name, run in self.false_variants]


@dataclass(frozen=True)
class Words:
    """A step that is an argument in words, named as such."""

    text: str

    def evidence(self) -> list[Evidence]:
        return [Evidence("argument in words", self.text, Outcome.PROVED)]


Item = Goal | Custom | Words


class Argument:
    def check(self) -> Finding:
        raise NotImplementedError


@dataclass(frozen=True)
class Proof(Argument):
    """Every item holds, one of them by more than definition, and at least three false neighbours were refused."""

    items: tuple[Item, ...]
    false_variants: tuple[Goal, ...] = ()
    fails_when: str | None = None

    def check(self) -> Finding:
        evidence: list[Evidence] = []
        killed: list[Mutant] = []
        for item in self.items:
            if isinstance(item, Goal):
                evidence += [*objections(item), *prove(item)]
                killed += mutants(item)
            elif isinstance(item, Custom):
                evidence += item.evidence()
                killed += item.mutants()
            else:
                evidence += item.evidence()
        for variant in self.false_variants:
            false = falsify(variant) is not None
            killed.append(Mutant(variant.name, killed=false and not proved(variant, 1500)))
        if all(isinstance(item, Words) or (isinstance(item, Goal) and empty(item)) for item in self.items):
            evidence.append(Evidence("sanity", "every equation holds by definition", Outcome.UNKNOWN))
        if len(killed) < 3:
            found = f"only {len(killed)} false variants, three are needed"
            evidence.append(Evidence("mutation", found, Outcome.UNKNOWN))
        return Finding("proved", tuple(evidence), tuple(killed), fails_when=self.fails_when)


@dataclass(frozen=True)
class Refutation(Argument):
    """The printed relation fails at an exact point; `region`, if given, is proved to be exactly where it fails.

    `fails_iff` is short for the region where another inequality holds.
    """

    printed: Goal
    at: Point | None = None
    fails_iff: Rel | None = None
    fails_when: str | None = None
    region_of: Goal | None = None
    region: Region | None = None
    verdict: str = "refuted"
    also: tuple[Item, ...] = field(default=())

    def check(self) -> Finding:
        found: Counterexample | None = falsify(self.printed) if self.at is None else violates(self.printed, self.at)
        outcome = Outcome.UNKNOWN if found is None else Outcome.PROVED
        evidence = [Evidence("exact", f"counterexample to {self.printed.name or self.printed.rel}", outcome)]
        killed: list[Mutant] = []
        region = self.region
        if self.fails_iff is not None:
            region = exactly(self.region_of or self.printed, self.fails_iff)
        for item in () if region is None else region.items:
            evidence += [*objections(item), *prove(item)] if isinstance(item, Goal) else item.evidence()
        for item in self.also:
            evidence += prove(item) if isinstance(item, Goal) else item.evidence()
            killed += mutants(item) if isinstance(item, Goal) else item.mutants() if isinstance(item, Custom) else []
        shown = None if found is None else found.shown()
        when = self.fails_when or (None if region is None else region.inequality)
        drawn = None if region is None else region.as_json()
        return Finding(self.verdict, tuple(evidence), tuple(killed), shown, when, drawn)


def proof(*items: Item, false_variants: tuple[Goal, ...] = (), fails_when: str | None = None) -> Proof:
    return Proof(tuple(items), tuple(false_variants), fails_when)


def refuted(printed: Goal, **more: Any) -> Refutation:
    return Refutation(printed, **more)


def misprint(printed: Goal, **more: Any) -> Refutation:
    """Wrong as printed; the ledger insists that the repaired claim is proved."""
    return Refutation(printed, verdict="misprint", **more)


def gap(inference: Goal, **more: Any) -> Refutation:
    """The printed inference fails at an exact point; the conclusion is not refuted by that."""
    return Refutation(inference, verdict="gap", **more)
