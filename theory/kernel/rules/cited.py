"""Classical theorems: stated once, with a reference, and used by name with their hypotheses checked.

A claim that cites one is `argued`, and lists it in what it assumes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal
from theory.kernel.items import Element, Item
from theory.kernel.sanity import objections
from theory.kernel.terms import transparent


@dataclass(frozen=True)
class Theorem:
    """A theorem of the literature: name, statement in LaTeX, reference, and what has to be checked where it is used."""

    name: str
    says: str
    reference: str
    hypotheses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.name} ({self.reference})"


@dataclass(frozen=True)
class Cited(Element):
    """An application of a theorem: goals that establish its hypotheses, in its order, and what it then gives."""

    theorem: Theorem
    checked: tuple[Item, ...]
    gives: Goal | None
    name: str = ""

    @property
    def premises(self) -> tuple[Item, ...]:
        return self.checked

    @cached_property
    def concludes(self) -> Goal | None:
        return self.gives

    @property
    def assumes(self) -> tuple[str, ...]:
        return (str(self.theorem),)

    def evidence(self) -> list[Evidence]:
        wanted, given = len(self.theorem.hypotheses), len(self.checked)
        if wanted != given:
            what = f"{self.theorem.name} has {wanted} hypotheses, {given} are checked: {self.theorem.hypotheses}"
            return [Evidence("cited", what, Outcome.UNKNOWN)]
        sound = [] if self.gives is None else [*objections(self.gives), *self._about_nothing(self.gives)]
        return [Evidence("cited", f"{self.theorem}: {self.name}", Outcome.PROVED), *sound]

    def _about_nothing(self, gives: Goal) -> list[Evidence]:
        """A relation between free symbols says that it holds for all their values; a theorem is about probabilities."""
        if transparent(gives) is not gives or falsify(gives) is None:
            return []
        what = f"{gives}: false for some values of its symbols; state it of a mean or of the chance of an event"
        return [Evidence("cited", what, Outcome.UNKNOWN)]


def cited(theorem: Theorem, *, hypotheses: tuple[Item, ...] = (), gives: Goal | None = None, name: str = "") -> Cited:
    """Use a classical theorem: one checked item for each of its hypotheses, and the relation that it gives."""
    return Cited(theorem, tuple(hypotheses), gives, name)
