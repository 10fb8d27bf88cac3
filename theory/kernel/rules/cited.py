"""Classical theorems: stated once, with a reference, and used by name.

A theorem that the kernel can express has a form: for its parameters, the relations that it needs and the one that it
gives, with which a use of it is compared. How another theorem gives what it is used for is an argument in words, and
the relation that it is used for is part of what the claim assumes. A claim that cites a theorem is `argued`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import sympy as sp

from theory.kernel import sources, statement
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.hidden import unshown
from theory.kernel.items import Element, Item, concludes
from theory.kernel.mutate import Mutant
from theory.kernel.named import spelled
from theory.kernel.sanity import objections
from theory.kernel.terms import transparent


class Form(NamedTuple):
    """What a theorem says of its parameters: the relations that it needs, and the one that it gives.

    `every` are symbols for all real values of which the relations that it needs must hold.
    """

    needs: tuple[Rel, ...]
    gives: Rel
    every: tuple[sp.Symbol, ...] = ()


@dataclass(frozen=True)
class Theorem:
    """A theorem of the literature.

    Attributes
    ----------
    name, reference : str
        What it is called, and where it is proved.
    says : str
        Its statement in LaTeX.
    hypotheses : tuple of str
        What has to be checked where it is used, in words.
    form : callable or None
        Its statement as relations between the parameters of a use, if the kernel can express it.
    """

    name: str
    says: str
    reference: str
    hypotheses: tuple[str, ...] = ()
    form: Callable[..., Form] | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.reference})"


@dataclass(frozen=True)
class Cited(Element):
    """An application of a theorem: items that establish its hypotheses, in its order, and what it then gives.

    `at` are the parameters of its form, if it has one. As in a definition, what it gives must show what its objects
    depend on, but for the symbols `every`.
    """

    theorem: Theorem
    checked: tuple[Item, ...]
    gives: Goal | None
    name: str = ""
    at: Mapping[str, Any] = field(default_factory=dict)
    every: tuple[sp.Symbol, ...] = ()

    @property
    def premises(self) -> tuple[Item, ...]:
        return self.checked

    @cached_property
    def concludes(self) -> Goal | None:
        return self.gives

    @cached_property
    def assumes(self) -> tuple[str, ...]:
        if self.theorem.form is not None or self.gives is None:
            return (str(self.theorem),)
        return (f"{self.theorem}, applied in words to: {statement.reader(self.gives).relation(self.gives.rel)}",)

    def evidence(self) -> list[Evidence]:
        why = next(self._problems(), None)
        if why is not None:
            return [Evidence("cited", f"{self.theorem.name}: {why}", Outcome.UNKNOWN)]
        sound = [] if self.gives is None else [*objections(self.gives), *self._unsound(self.gives)]
        return [Evidence("cited", f"{self.theorem}: {self.name}", Outcome.PROVED), *sound]

    def _problems(self) -> Iterator[str]:
        """Why this is no use of the theorem."""
        wanted, given = len(self.theorem.hypotheses), len(self.checked)
        if wanted != given:
            yield f"it has {wanted} hypotheses, {given} are checked: {self.theorem.hypotheses}"
        if self.theorem.form is None:
            return
        if self.gives is None:
            yield "what it gives is not stated"
            return
        try:
            form = self.theorem.form(**self.at)
        except TypeError as error:
            yield f"its parameters are not those of its form: {error}"
            return
        for needed, item in zip(form.needs, self.checked, strict=True):
            found = concludes(item)
            if found is None or not sources.same(found.rel, needed, self.gives):
                yield f"it needs {needed}, and {'nothing' if found is None else found.rel} is checked"
                continue
            yield from sources.unmet(found, {}, self.gives)
            for x in sorted(set(form.every) & found.symbols, key=spelled):
                if found.domain.get(x) != Var() or any(x in h.symbols for h in found.given):
                    yield f"it needs {needed} for every real {x}"
        if not sources.same(form.gives, self.gives.rel, self.gives):
            yield f"it gives {form.gives}, not {self.gives.rel}"

    def mutants(self) -> list[Mutant]:
        """What the form of the theorem does not give must be refused."""
        if self.theorem.form is None or self.gives is None:
            return []
        left, right = self.gives.rel.stated
        wrong = replace(self, gives=replace(self.gives, rel=Rel(left, self.gives.rel.op, right / 2)))
        return [Mutant("constant: right side halved", killed=next(wrong._problems(), None) is not None)]

    def _unsound(self, gives: Goal) -> list[Evidence]:
        """A relation between free symbols says that it holds for all their values; a theorem is about chances."""
        why = list(unshown(gives, self.every))
        if transparent(gives) is gives and falsify(gives) is not None:
            why.append("false for some values of its symbols; state it of a mean or of the chance of an event")
        return [Evidence("cited", f"{gives}: {what}", Outcome.UNKNOWN) for what in why]


def cited(
    theorem: Theorem,
    *,
    hypotheses: tuple[Item, ...] = (),
    gives: Goal | None = None,
    name: str = "",
    at: Mapping[str, Any] | None = None,
    every: tuple[sp.Symbol, ...] = (),
) -> Cited:
    """Use a classical theorem: one checked item for each of its hypotheses, and the relation that it gives.

    `at` are the parameters of its form, if it has one: what is checked and what it gives must be what the form says.
    """
    return Cited(theorem, tuple(hypotheses), gives, name, at or {}, tuple(every))
