"""Classical theorems: stated once, with a reference, and used by name.

A theorem has a form: for its parameters, the relations that it needs and the one that it gives, with which a use of it
is compared. What the kernel cannot express is no theorem to cite. A claim that cites a theorem is `argued`.

A theorem may need a relation for every value of symbols and functions that what it gives does not contain (`Need`).
Nothing may be supposed of them: a hypothesis about them could be met later by values of one's own choice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction

from theory.kernel import sources
from theory.kernel.defined import Around, occurrences, within
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.falsify import falsify
from theory.kernel.goal import Goal, Rel, Var, at_least
from theory.kernel.hidden import unshown
from theory.kernel.items import Element, Item, concludes
from theory.kernel.mutate import Mutant
from theory.kernel.named import valued
from theory.kernel.sanity import objections
from theory.kernel.terms import Mean, substitute, transparent, variables

INDEX = at_least(1, integer=True)


class Need(NamedTuple):
    """A relation that a theorem needs for all values in these ranges of symbols and functions, where `given` holds."""

    rel: Rel
    every: Mapping[sp.Expr, Var] = {}
    given: tuple[Rel, ...] = ()


class Form(NamedTuple):
    """What a theorem says of its parameters: the relations that it needs, and the one that it gives.

    `random` are symbols and values of functions of which nothing may be supposed. `family` is a function whose first
    argument must be an integer from 1 to `last` wherever it occurs in what the theorem gives. `ranges` are those in
    which parameters must be. `declared` are the objects of a model that the theorem is about.
    """

    needs: tuple[Need, ...]
    gives: Rel
    random: tuple[sp.Expr, ...] = ()
    family: UndefinedFunction | None = None
    last: sp.Expr = sp.S.One
    ranges: tuple[tuple[sp.Expr, Var], ...] = ()
    declared: tuple[Declared, ...] = ()


class Declared(NamedTuple):
    """An object of a model of which a theorem speaks: a value of a function, what else it is about, and the module that
    says so. A ledger says which modules may."""

    value: AppliedUndef
    about: Mapping[str, sp.Expr]
    made_in: str


class Objects:
    """The functions of models that are what a theorem is about, `what` in words: a function of the same arguments may
    be anything else."""

    def __init__(self, what: str) -> None:
        self.what = what
        self._known: dict[UndefinedFunction, Declared] = {}

    def declare(self, value: sp.Expr, **about: sp.Expr) -> None:
        """Say that a value of a function of different symbols is such an object; the calling module says it.

        Raises
        ------
        ValueError
            If it is no value of a function, or if something else is said of this function.
        """
        plain = isinstance(value, AppliedUndef) and all(x.is_Symbol for x in value.args)
        if not plain or len(set(value.args)) < len(value.args):
            raise ValueError(f"{value}: must be a value of a function of different symbols")
        found = Declared(value, about, str(sys._getframe(1).f_globals["__name__"]))
        if self._known.setdefault(value.func, found)[:2] != found[:2]:
            raise ValueError(f"{value}: {self.what} is declared as {self._known[value.func].value}")

    def find(self, value: sp.Expr) -> Declared:
        """The declaration of an object, at the arguments of this value.

        Raises
        ------
        ValueError
            If there is none.
        """
        found = self._known.get(value.func) if isinstance(value, AppliedUndef) else None
        if found is None or len(found.value.args) != len(value.args):
            raise ValueError(f"{value}: no module of a model declares that it is {self.what}")
        at = dict(zip(found.value.args, value.args, strict=True))
        return Declared(value, {name: substitute(x, at) for name, x in found.about.items()}, found.made_in)


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
    form : callable
        Its statement as relations between the parameters of a use. It raises ValueError for parameters of which the
        theorem says nothing.
    wrong : callable or None
        From the parameters of a use, those of uses that must be refused, by what is wrong with them.
    """

    name: str
    says: str
    reference: str
    hypotheses: tuple[str, ...]
    form: Callable[..., Form]
    wrong: Callable[..., dict[str, Mapping[str, Any]]] | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.reference})"


@dataclass(frozen=True)
class Cited(Element):
    """An application of a theorem: items that establish its hypotheses, in its order, and what it then gives.

    `at` are the parameters of its form. After the hypotheses there may be items that say which indices
    of a family are in its range. As in a definition, what it gives must show what its objects depend on, but for the
    symbols `every`.
    """

    theorem: Theorem
    checked: tuple[Item, ...]
    gives: Goal
    name: str = ""
    at: Mapping[str, Any] = field(default_factory=dict)
    every: tuple[sp.Symbol, ...] = ()

    @property
    def premises(self) -> tuple[Item, ...]:
        return self.checked

    @cached_property
    def concludes(self) -> Goal:
        return self.gives

    @cached_property
    def assumes(self) -> tuple[str, ...]:
        return (str(self.theorem),)

    @property
    def declared(self) -> tuple[Declared, ...]:
        """The objects of a model that it is about."""
        form = self._form(self.at)
        return () if isinstance(form, str) else form.declared

    def evidence(self) -> list[Evidence]:
        why = next(self._problems(), None)
        if why is not None:
            return [Evidence("cited", f"{self.theorem.name}: {why}", Outcome.UNKNOWN)]
        used = Evidence("cited", f"{self.theorem}: {self.name}", Outcome.TAKEN)
        return [used, *objections(self.gives), *self._unsound(self.gives)]

    def _problems(self) -> Iterator[str]:
        """Why this is no use of the theorem."""
        wanted, given = len(self.theorem.hypotheses), len(self.checked)
        if given < wanted:
            yield f"it has {wanted} hypotheses, {given} are checked: {self.theorem.hypotheses}"
            return
        form = self._form(self.at)
        if isinstance(form, str):
            yield form
            return
        for need, item in zip(form.needs, self.checked[:wanted], strict=True):
            yield from self._unmet(need, item, self.gives)
        yield from _supposed(form.random, self.gives)
        for value, var in form.ranges:
            if not sources.inside(value, var, self.gives):
                yield f"{value} is not known to be {var}"
        if sources.same(form.gives, self.gives.rel, self.gives):
            yield from self._outside(form, self.checked[wanted:], self.gives)
        else:
            yield f"it gives {form.gives}, not {self.gives.rel}"

    def _form(self, at: Mapping[str, Any]) -> Form | str:
        """What the theorem says of these parameters, or why it says nothing."""
        try:
            return self.theorem.form(**at)
        except (TypeError, ValueError) as error:
            return f"its parameters are not those of its form: {error}"

    def _unmet(self, need: Need, item: Item, gives: Goal) -> Iterator[str]:
        """Why an item does not say what is needed, for all values for which it is."""
        found = concludes(item)
        functions = {x.func for x in need.every if isinstance(x, AppliedUndef)}
        free = {x: v for x, v in gives.domain.items() if x.is_Symbol or x.func not in functions}
        here = replace(gives, domain={**free, **need.every}, given=(*gives.given, *need.given))
        if found is None or not sources.same(found.rel, need.rel, here):
            yield f"it needs {need.rel}, and {'nothing' if found is None else found.rel} is checked"
            return
        rels = (gives.rel, *gives.given)
        sides = [valued(side) for r in rels for side in r.stated]
        sides += [sp.sympify(end) for r in rels for _, *ends in r.every for end in ends]
        for x in need.every:
            if any(side.has(x.func) if isinstance(x, AppliedUndef) else x in variables(side) for side in sides):
                yield f"it needs {need.rel} for every {x}, of which {gives} says something"
            if isinstance(x, AppliedUndef):
                yield from _particular(x.func, item)
        yield from sources.unmet(found, {}, here)

    def _outside(self, form: Form, facts: tuple[Item, ...], gives: Goal) -> Iterator[str]:
        """Places where the index of a family may be none of its range; `facts` say that an index is."""
        if form.family is None:
            yield from [f"{len(facts)} items are checked that it does not need"] if facts else []
            return
        if not sources.inside(form.last, INDEX, gives):
            yield f"{form.last} is not known to be an integer >= 1"
        for (index, *_), around in occurrences(Goal(form.gives, gives.domain), form.family):
            here = _where(around, gives)
            goals = [goal for goal in map(concludes, facts) if goal is not None]
            known = tuple(
                g.rel for g in goals if g.symbols <= set(here.domain) and not list(sources.unmet(g, {}, here))
            )
            if not sources.inside(index, INDEX, here):
                yield f"the index {index} is not known to be an integer >= 1"
            if not sources.known(Rel(index, "<=", form.last), here, (*here.given, *known)):
                yield f"the index {index} is not known to be at most {form.last}"

    def mutants(self) -> list[Mutant]:
        """What the form of the theorem does not give must be refused."""
        left, right = self.gives.rel.stated
        wrong = replace(self, gives=replace(self.gives, rel=Rel(left, self.gives.rel.op, right / 2)))
        found = [Mutant("constant: right side halved", killed=next(wrong._problems(), None) is not None)]
        if self.theorem.wrong is None or isinstance(self._form(self.at), str):
            return found
        for name, at in self.theorem.wrong(**self.at).items():
            form = self._form(at)
            if not isinstance(form, str):
                other = replace(self, at=at, gives=replace(self.gives, rel=form.gives))
                found.append(Mutant(name, killed=next(other._problems(), None) is not None))
        return found

    def _unsound(self, gives: Goal) -> list[Evidence]:
        """A relation between free symbols says that it holds for all their values; a theorem is about chances."""
        why = list(unshown(gives, self.every))
        if transparent(gives) is gives and falsify(gives) is not None:
            why.append("false for some values of its symbols; state it of a mean or of the chance of an event")
        return [Evidence("cited", f"{gives}: {what}", Outcome.UNKNOWN) for what in why]


def _supposed(random: tuple[sp.Expr, ...], gives: Goal) -> Iterator[str]:
    """Hypotheses and ranges that restrict what is random: the theorem is about all its values."""
    for x in random:
        ends = [sp.sympify(end) for h in gives.given for _, *limits in h.every for end in limits]
        if x.is_Symbol and any(x in variables(valued(e)) for e in (*ends, *(e for h in gives.given for e in h.stated))):
            yield f"a hypothesis is about {x}, which is random"
        if sources.range_of(x, gives.domain) != Var():
            yield f"{x} is random, and its range is restricted"


def _particular(function: UndefinedFunction, item: Item) -> Iterator[str]:
    """Relations behind an item that say what a function is, though it must be any; a law of means holds for any."""
    from theory.kernel.rules.functions import stipulated  # which knows these rules

    for goal in stipulated(item):
        sides = [valued(side) for r in (goal.rel, *goal.given) for side in r.stated]
        inside = any(mean.has(function) for side in map(valued, goal.rel.stated) for mean in side.atoms(Mean))
        if any(side.has(function) for side in sides) and not inside:
            yield f"{function} must be any function: {goal.name}"


def _where(around: Around, gives: Goal) -> Goal:
    """What is known inside operators: of what they bind, only that it is within their limits."""
    bound = {x for x, *_ in around}
    free = tuple(h for h in gives.given if not h.every and not h.symbols & bound)
    return within(around, replace(gives, given=free))


def cited(
    theorem: Theorem,
    *,
    hypotheses: tuple[Item, ...] = (),
    gives: Goal,
    name: str = "",
    at: Mapping[str, Any] | None = None,
    every: tuple[sp.Symbol, ...] = (),
) -> Cited:
    """Use a classical theorem: one checked item for each of its hypotheses, and the relation that it gives.

    `at` are the parameters of its form: what is checked and what it gives must be what the form says.
    Further items say that indices of a family are in its range, where the form has one.
    """
    return Cited(theorem, tuple(hypotheses), gives, name, at or {}, tuple(every))
