"""What the objects of a model are: facts that hold of them because they are defined so.

A model states its definitions in one place (`theory/model`), as relations between means, sums and values of functions;
a proof takes them from there. A relation between free symbols is refused: it would be a claim about all their values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Rel
from theory.kernel.items import Element
from theory.kernel.named import valued
from theory.kernel.sanity import objections
from theory.kernel.terms import OPAQUE, Mean, linear


@dataclass(frozen=True)
class Definition(Element):
    """A relation that defines an object, `of` in words: the arm that an algorithm chooses, the law of an effect.

    `by` are claims that say why an object can be defined in this form, such as that a quantity is a function of what it
    is written as a function of. A proof that takes the definition uses them.

    `world` names the law of a model that has several: no proof, with the claims that it uses, may take definitions of
    two worlds, since both contain the same quantities.
    """

    of: str
    gives: Goal
    by: tuple[str, ...] = ()
    world: str = ""

    @property
    def uses(self) -> tuple[str, ...]:
        return self.by

    @cached_property
    def laws(self) -> tuple[str, ...]:
        """The definition itself, if it says something about means: a law of what is random, or independence."""
        return (self.of,) if any(valued(side).has(Mean) for side in self.gives.rel.stated) else ()

    @property
    def worlds(self) -> tuple[str, ...]:
        return (self.world,) if self.world else ()

    @cached_property
    def concludes(self) -> Goal:
        return self.gives

    def evidence(self) -> list[Evidence]:
        about = any(map(_of_objects, (self.gives.rel, *self.gives.given)))
        what = f"{self.of} (by {', '.join(self.by)})" if self.by else self.of
        what = what if about else f"{self.of}: {self.gives} contains only free symbols and defines nothing"
        outcome = Outcome.PROVED if about else Outcome.UNKNOWN
        return [Evidence("definition", what, outcome), *objections(self.gives)]


def _of_objects(rel: Rel) -> bool:
    """Whether a mean, a sum or a value of a function is left once both sides are compared."""
    left, right = map(valued, rel.stated)
    return bool(sp.expand(linear(left - right)).has(*OPAQUE))
