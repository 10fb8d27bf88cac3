"""What a proof is made of: goals, computations, cited theorems, arguments in words, and rules that join them.

Every item gives evidence, mutants that it must reject, what it concludes (a goal, if it is a relation), what it
assumes and which claims it uses. An item is a `Goal` or an `Element`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from theory.kernel import sources
from theory.kernel.engines import Evidence, Outcome, timed
from theory.kernel.exact import decide
from theory.kernel.falsify import LIMIT, falsify
from theory.kernel.goal import Goal, Rel, once
from theory.kernel.mutate import FEWEST, Mutant, few_mutants, mutants
from theory.kernel.named import valued
from theory.kernel.prove import prove
from theory.kernel.sanity import assumptions, objections
from theory.kernel.terms import averaged_in, transparent, variables

NEARBY = 12  # points at which what a rule concludes is tried: no proof, but a rule may have a gap


class Element:
    """A part of a proof. `premises` are the items it depends on: steps of the proof, not conclusions."""

    @property
    def concludes(self) -> Goal | None:
        return None

    @property
    def premises(self) -> tuple[Item, ...]:
        return ()

    @property
    def assumes(self) -> tuple[str, ...]:
        return ()

    @property
    def laws(self) -> tuple[str, ...]:
        """What it takes from a model about means, in words."""
        return ()

    @property
    def worlds(self) -> tuple[str, ...]:
        """Which law of a model it takes, where the model has several."""
        return ()

    @property
    def uses(self) -> tuple[str, ...]:
        return ()

    def evidence(self) -> list[Evidence]:
        """Of this item alone; its premises are checked apart."""
        raise NotImplementedError

    def as_conclusion(self) -> list[Evidence]:
        """Further evidence that is needed if the item is stated, and is no step of a proof."""
        return []

    def mutants(self) -> list[Mutant]:
        return []

    def few_mutants(self) -> list[Mutant]:
        """Those that are tried where the item is a step, not a part of what the claim states."""
        return self.mutants()


Item = Goal | Element


@dataclass(frozen=True)
class Step(Element):
    """An item that is a lemma inside the proof, not a part of what the claim states."""

    item: Item

    @property
    def premises(self) -> tuple[Item, ...]:
        return (self.item,)

    def evidence(self) -> list[Evidence]:
        return []


def step(item: Item) -> Step:
    """Mark an item as a lemma inside the proof."""
    return Step(item)


@dataclass(frozen=True)
class Words(Element):
    """A step that is an argument in words, named as such. A claim that has one is `argued`."""

    text: str

    @property
    def assumes(self) -> tuple[str, ...]:
        return (f"in words: {self.text}",)

    def evidence(self) -> list[Evidence]:
        return [Evidence("argument in words", self.text, Outcome.PROVED)]


Exact = Rel | Sequence[Rel]


@dataclass(frozen=True)
class Computation(Element):
    """An exact computation: `function(*true_input)` gives relations between exact numbers, which must all hold.

    `shows` is one of them, if the claim is to state it.

    The mutants are other inputs of the same function: each must give a relation that fails, not one that is not
    decided. A result that is not exact (a float, or anything but relations) is rejected.
    """

    engine: str
    name: str
    function: Callable[..., Exact]
    true_input: tuple[Any, ...]
    false_inputs: Mapping[str, tuple[Any, ...]]
    shows: Goal | None = None

    @property
    def concludes(self) -> Goal | None:
        return self.shows

    def evidence(self) -> list[Evidence]:
        result = self.function(*self.true_input)
        found = [timed(self.engine, self.name, lambda: (_outcome(result), None))]
        if found[0].ok:
            found += [e for goal in _irrational(result) for e in prove(goal)]  # the engines behind it
        if self.shows is not None and self.shows.rel not in _relations(result):
            what = f"{self.name}: {self.shows} is not what is computed"
            found.append(Evidence("sanity", what, Outcome.UNKNOWN))
        if not self.false_inputs:
            found.append(Evidence("mutation", f"{self.name}: no false input given", Outcome.UNKNOWN))
        return found

    def mutants(self) -> list[Mutant]:
        return [
            Mutant(label, killed=_outcome(self.function(*given)) is Outcome.REFUTED)
            for label, given in self.false_inputs.items()
        ]


def exactly_equal(left: Any, right: Any) -> Rel:
    """left = right as a relation between exact numbers; for fractions, integers and SymPy's rationals."""
    return Rel(exact(left), "=", exact(right))


def exact(value: Any) -> sp.Expr:
    if isinstance(value, Fraction):
        return sp.Rational(value.numerator, value.denominator)
    if isinstance(value, float):
        raise TypeError(f"{value!r}: a float is not exact")
    return sp.sympify(value)


def _relations(result: Exact) -> list[Rel]:
    return [result] if isinstance(result, Rel) else list(result)


def _outcome(result: Exact) -> Outcome:
    relations = _relations(result)
    if not relations or not all(isinstance(r, Rel) for r in relations):
        return Outcome.UNKNOWN
    if any(side.has(sp.Float) or side.free_symbols for r in relations for side in (r.left, r.right)):
        return Outcome.UNKNOWN
    if any(decide(r) is False for r in relations):
        return Outcome.REFUTED
    holds = all(decide(r) for r in relations if _rational(r))
    return (
        Outcome.PROVED if holds and all(e.ok for goal in _irrational(result) for e in prove(goal)) else Outcome.UNKNOWN
    )


def _rational(rel: Rel) -> bool:
    return bool(rel.left.is_Rational and rel.right.is_Rational)


def _irrational(result: Exact) -> list[Goal]:
    """The relations that rational arithmetic does not decide, as goals for the engines."""
    return [Goal(r) for r in _relations(result) if not _rational(r)]


def concludes(item: Item) -> Goal | None:
    """The relation that an item proves; None if it proves none that the kernel can print."""
    return item if isinstance(item, Goal) else item.concludes


def check(part: Item, states: bool = True) -> tuple[list[Evidence], list[Mutant]]:
    """Evidence and mutants of one part alone, without its premises; fewer mutants of a step, which states nothing."""
    if not isinstance(part, Goal):
        goal, tried = part.concludes, part.mutants if states else part.few_mutants
        if goal is None:
            return part.evidence(), tried()
        premises = [known for p in part.premises if (known := concludes(p)) is not None]
        about = [*assumptions(goal), *sources.evidence(goal), *_surely(premises, goal), *_ranges(part), *_nearby(goal)]
        return [*part.evidence(), *about], tried()
    hidden = assumptions(part)
    if hidden:
        return hidden, []
    rejected = (mutants if states else few_mutants)(transparent(part))
    found = [*objections(part), *sources.evidence(part), *_surely(_sources(part), part), *prove(part)]
    if len(rejected) < FEWEST:
        what = f"{part.name or part}: {len(rejected)} mutants were found, {FEWEST} are needed"
        found.append(Evidence("mutation", what, Outcome.UNKNOWN))
    if not all(e.ok for e in found):
        found = [*_counterexample(part), *found]
    return found, rejected


def _counterexample(goal: Goal, limit: int = LIMIT) -> list[Evidence]:
    """Where a goal fails, if one of the first points shows it; opaque terms have no values at a point."""
    found = falsify(goal, limit) if transparent(goal) is goal and not goal.where else None
    if found is None:
        return []
    where = ", ".join(f"{x} = {value}" for x, value in found.shown().items())
    return [Evidence("exact", f"{goal.name or goal}: fails at {where}", Outcome.REFUTED)]


@once
def _nearby(goal: Goal) -> list[Evidence]:
    return _counterexample(goal, NEARBY)


def _sources(goal: Goal) -> list[Goal]:
    """The conclusions of claims that give hypotheses of a goal."""
    found: list[Goal] = []
    for claim in dict.fromkeys(h.source.claim for h in goal.given if h.source is not None):
        try:
            found += sources.conclusions(claim)
        except sources.NoSuchStatement:  # which `evidence` reports
            continue
    return found


def _surely(premises: Sequence[Goal], goal: Goal) -> list[Evidence]:
    """A hypothesis about what a relation averages holds almost surely, and is read so only beside a mean.

    If X <= y almost surely, E X <= y; where E X is replaced by its value, `if X <= y` would be read of one value of X.
    """
    spoken = frozenset().union(*(variables(valued(side)) for h in goal.given for side in h.stated))
    if not spoken:
        return []
    lost = {x for p in premises for x in spoken & _averaged(p.rel) if any(x in h.symbols for h in p.given)}
    lost -= _averaged(goal.rel)
    what = "a hypothesis contains it, and no mean is left"
    return [
        Evidence("sanity", f"{goal.name}: {x} was averaged; {what}", Outcome.UNKNOWN) for x in sorted(lost, key=str)
    ]


def _ranges(part: Element) -> list[Evidence]:
    """Ranges that a step assumes, and what it concludes does not state."""
    from theory.kernel.rules.ranges import lost  # rules are made of items

    goal, at = part.concludes, getattr(part, "at", None)
    if goal is None or not part.premises:
        return []
    found = lost(part.premises, goal, getattr(part, "domain", None), at if isinstance(at, Mapping) else None)
    return [Evidence("ranges", f"{goal.name or goal}: {why}", Outcome.UNKNOWN) for why in found]


def _averaged(rel: Rel) -> frozenset[sp.Symbol]:
    return frozenset().union(*(averaged_in(valued(side)) for side in rel.stated))


def below(*parts: Item) -> Iterator[Item]:
    """Everything that these parts depend on, each once: the premises of an item before it."""
    seen: dict[int, Item] = {}  # kept alive, so that no other part has its identity

    def visit(part: Item) -> Iterator[Item]:
        for p in () if isinstance(part, Goal) else part.premises:
            if id(p) not in seen:
                seen[id(p)] = p
                yield from visit(p)
                yield p

    for part in parts:
        yield from visit(part)


def used(*items: Item) -> tuple[str, ...]:
    """Claims whose statements these items use."""
    return tuple(dict.fromkeys(claim for part in (*below(*items), *items) for claim in _uses(part)))


def _uses(part: Item) -> Iterator[str]:
    """Claims whose statements a part uses itself."""
    if not isinstance(part, Goal):
        yield from part.uses
    goal = concludes(part)
    yield from () if goal is None else (h.source.claim for h in goal.given if h.source is not None)
