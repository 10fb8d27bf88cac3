"""What the objects of a model are: facts that hold of them because they are defined so.

A model states its definitions in one place (`theory/model`), as relations between means, sums and values of functions;
a proof takes them from there. A relation between free symbols is refused: it would be a claim about all their values.
So is a definition that is made beside claims, by whatever call: nobody would look for it there.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import sympy as sp

from theory.kernel.claim import REGISTRY
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
    two worlds, since both speak of the same quantities.
    """

    of: str
    gives: Goal
    by: tuple[str, ...] = ()
    world: str = ""
    made_in: str = field(init=False, compare=False, repr=False)  # the module

    def __post_init__(self) -> None:
        frame, own = sys._getframe(1), (__name__, "dataclasses", "copy")
        while frame.f_globals["__name__"] in own and frame.f_back is not None:
            frame = frame.f_back
        object.__setattr__(self, "made_in", frame.f_globals["__name__"])

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
        what = what if about else f"{self.of}: {self.gives} speaks of free symbols only and defines nothing"
        if self.made_in in _beside_claims(len(REGISTRY)):
            about, what = False, f"{self.of}: made in {self.made_in}, beside claims and in no model"
        outcome = Outcome.PROVED if about else Outcome.UNKNOWN
        return [Evidence("definition", what, outcome), *objections(self.gives)]


@lru_cache(maxsize=1)
def _beside_claims(count: int) -> frozenset[str]:
    """Modules with claims, and all modules of packages that have some; `count`, of claims, changes with imports."""
    found = {claim.module for claim in REGISTRY.values()}
    packages = {module.rpartition(".")[0] for module in found} - {""}
    return frozenset(found | {name for name in sys.modules if name.rpartition(".")[0] in packages})


def _of_objects(rel: Rel) -> bool:
    """Whether a mean, a sum or a value of a function is left once both sides are compared."""
    left, right = map(valued, rel.stated)
    return bool(sp.expand(linear(left - right)).has(*OPAQUE))
