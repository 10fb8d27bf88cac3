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
from theory.kernel.goal import Goal, Rel
from theory.kernel.mutate import FEWEST, Mutant, mutants
from theory.kernel.prove import prove
from theory.kernel.sanity import assumptions, objections
from theory.kernel.terms import transparent


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

    def mutants(self) -> list[Mutant]:
        return []


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

    The mutants are other inputs of the same function: each must give a relation that fails. A result that is not
    exact (a float, or anything but relations) is rejected.
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
        found = [timed(self.engine, self.name, lambda: (_outcome(self.function(*self.true_input)), None))]
        if not self.false_inputs:
            found.append(Evidence("mutation", f"{self.name}: no false input given", Outcome.UNKNOWN))
        return found

    def mutants(self) -> list[Mutant]:
        return [
            Mutant(label, killed=_outcome(self.function(*given)) is not Outcome.PROVED)
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


def _outcome(result: Exact) -> Outcome:
    relations = [result] if isinstance(result, Rel) else list(result)
    if not relations or not all(isinstance(r, Rel) for r in relations):
        return Outcome.UNKNOWN
    if any(side.has(sp.Float) or side.free_symbols for r in relations for side in (r.left, r.right)):
        return Outcome.UNKNOWN
    if any(decide(r) is False for r in relations):
        return Outcome.REFUTED
    rational = [r for r in relations if r.left.is_Rational and r.right.is_Rational]
    others = [Goal(r) for r in relations if r not in rational]
    settled = all(decide(r) for r in rational) and all(e.ok for goal in others for e in prove(goal))
    return Outcome.PROVED if settled else Outcome.UNKNOWN


def concludes(item: Item) -> Goal | None:
    """The relation that an item proves; None if it proves none that the kernel can print."""
    return item if isinstance(item, Goal) else item.concludes


def check(part: Item) -> tuple[list[Evidence], list[Mutant]]:
    """Evidence and mutants of one part alone, without its premises."""
    if not isinstance(part, Goal):
        return part.evidence(), part.mutants()
    hidden = assumptions(part)
    if hidden:
        return hidden, []
    rejected = mutants(transparent(part))
    found = [*objections(part), *sources.evidence(part), *prove(part)]
    if len(rejected) < FEWEST:
        what = f"{part.name or part}: {len(rejected)} mutants were found, {FEWEST} are needed"
        found.append(Evidence("mutation", what, Outcome.UNKNOWN))
    return found, rejected


def below(part: Item) -> Iterator[Item]:
    """Everything that a part depends on."""
    if not isinstance(part, Goal):
        for p in part.premises:
            yield p
            yield from below(p)


def assumed(item: Item) -> tuple[str, ...]:
    """Classical theorems and arguments in words that an item depends on."""
    if isinstance(item, Goal):
        return ()
    return tuple(dict.fromkeys((*(a for p in item.premises for a in assumed(p)), *item.assumes)))


def used(item: Item) -> tuple[str, ...]:
    """Claims whose statements an item uses."""
    if isinstance(item, Goal):
        return tuple(dict.fromkeys(h.source.claim for h in item.given if h.source is not None))
    return tuple(dict.fromkeys((*(u for p in item.premises for u in used(p)), *item.uses)))
