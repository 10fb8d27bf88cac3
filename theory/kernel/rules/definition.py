"""What the objects of a model are: facts that hold of them because they are defined so.

A model states its definitions in one place (`theory/model`), as relations between means, sums and values of functions;
a proof takes them from there. A relation between free symbols is refused: it would be a claim about all their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal
from theory.kernel.items import Element
from theory.kernel.sanity import objections
from theory.kernel.terms import transparent


@dataclass(frozen=True)
class Definition(Element):
    """A relation that defines an object, `of` in words: the arm that an algorithm chooses, the law of an effect."""

    of: str
    gives: Goal

    @cached_property
    def concludes(self) -> Goal:
        return self.gives

    def evidence(self) -> list[Evidence]:
        about = transparent(self.gives) is not self.gives
        what = self.of if about else f"{self.of}: {self.gives} speaks of free symbols only and defines nothing"
        outcome = Outcome.PROVED if about else Outcome.UNKNOWN
        return [Evidence("definition", what, outcome), *objections(self.gives)]
