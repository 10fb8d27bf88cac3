"""What the objects of a model are: facts that hold of them because they are defined so.

A model states its definitions in one place (`theory/model`), as relations between means, sums and values of functions;
a proof takes them from there. A relation between free symbols is refused: it would be a claim about all their values.
So is a symbol on which the defined object depends without showing it: the definition could be used at two values of the
symbol, and the object would have two values.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import FrameType

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.goal import Goal, Rel
from theory.kernel.hidden import unshown
from theory.kernel.items import Element
from theory.kernel.named import spelled, valued
from theory.kernel.sanity import objections
from theory.kernel.subexpressions import head, heads
from theory.kernel.terms import OPAQUE, Mean, linear


@dataclass(frozen=True)
class Definition(Element):
    """A relation that defines an object, `of` in words: the maximiser of a function, the law of a variable.

    `by` are claims that say why an object can be defined in this form, such as that a quantity is a function of what it
    is written as a function of. A proof that takes the definition uses them.

    `world` names the law of a model that has several: no proof, with the claims that it uses, may take definitions of
    two worlds, since both contain the same quantities. A model that has several of something else, such as agents by
    whose rewards an outcome is split, names its kind before a colon: "outcome: by the rewards r". Only worlds of one
    kind exclude each other.

    A symbol of the relation must be an argument of the defined object (a value of a function, or a mean), a parameter
    that its model declares (`theory.kernel.sources.fix`), or one of `every`: symbols for whose every value the relation
    holds of the same object, as the maximum of f is at least f(k) for every k.

    `made_in` is the module in which the relation is written. A ledger says which modules may define.
    """

    of: str
    gives: Goal
    by: tuple[str, ...] = ()
    world: str = ""
    every: tuple[sp.Symbol, ...] = ()
    made_in: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "made_in", _writer(self.gives.rel, sys._getframe(1)))

    def for_every(self, *symbols: sp.Symbol) -> Definition:
        """The same definition, which holds of the same object for every value of these symbols."""
        return replace(self, every=(*self.every, *symbols))

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
        why = next(self._problems(), None)
        what = f"{self.of} (by {', '.join(self.by)})" if self.by else self.of
        if self.every:
            what += f", for every {', '.join(map(spelled, self.every))}"
        what = what if why is None else f"{self.of}: {why}"
        outcome = Outcome.TAKEN if why is None else Outcome.UNKNOWN
        return [Evidence("definition", what, outcome), *objections(self.gives)]

    def _problems(self) -> Iterator[str]:
        if not any(map(_of_objects, (self.gives.rel, *self.gives.given))):
            yield f"{self.gives} contains only free symbols and defines nothing"
        yield from unshown(self.gives, self.every)


class Defines:
    """An object of a model whose methods make definitions of what it is made of: they are made where it is."""

    made_in: str

    def __post_init__(self) -> None:
        frame = sys._getframe(2)  # that which makes the object of a dataclass
        while frame.f_back is not None and frame.f_globals.get("__name__") == "dataclasses":
            frame = frame.f_back
        object.__setattr__(self, "made_in", _owner(frame))


def _owner(frame: FrameType) -> str:
    """The module of a frame, or that in which the object was made whose method this is, or calls it in its module."""
    module, caller = str(frame.f_globals.get("__name__", "")), frame
    while not isinstance(found := caller.f_locals.get("self"), Defines):
        if caller.f_back is None or caller.f_back.f_globals.get("__name__", "") != module:
            return module
        caller = caller.f_back
    return found.made_in


def _writer(rel: Rel, frame: FrameType | None) -> str:
    """The module in which a relation is written, from which a definition is made at this frame.

    A function that is given the relation, such as one that adds a domain, did not write it; nor did the kernel.
    """
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        arguments = frame.f_code.co_varnames[: frame.f_code.co_argcount + frame.f_code.co_kwonlyargcount]
        values = [frame.f_locals.get(name) for name in arguments]
        given = any(value is rel or getattr(value, "rel", None) is rel for value in values)
        if not given and module != "dataclasses" and not module.startswith("theory.kernel."):
            return _owner(frame)
        frame = frame.f_back
    return ""


def _of_objects(rel: Rel) -> bool:
    """Whether a mean, a sum or a value of a function is left once both sides are compared."""
    return _left_over(*map(valued, rel.stated))


@lru_cache(maxsize=16384)  # claims share definitions. Equal relations may be written with different sides
def _left_over(left: sp.Expr, right: sp.Expr) -> bool:
    if any(isinstance(x, AppliedUndef) and head(x) not in heads(y) for x, y in ((left, right), (right, left))):
        return True  # nothing on the other side can cancel it
    return bool(sp.expand(linear(left - right)).has(*OPAQUE))
