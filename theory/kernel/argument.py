"""The four ways a claim can be settled exactly, and what each of them has to show.

proved    every goal by two engines, each with mutants that are rejected, and no failed check
refuted   an exact counterexample; if a region of failure is named, that it is exactly the region
gap       an exact example where the printed inference breaks: its premises hold, its conclusion fails
misprint  refuted as printed; the repair, a claim of its own, must come out proved

What an argument sets out to show is its verdict only if all of this succeeds; else the verdict is `open`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import sources, statement
from theory.kernel.defined import defined_at
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.exact import holds_at, sign
from theory.kernel.falsify import Counterexample, falsify, violates
from theory.kernel.finding import Finding, Items
from theory.kernel.goal import NEGATED, Goal, Letter, Point, Rel, Var
from theory.kernel.items import (
    Computation,
    Element,
    Item,
    Step,
    Words,
    concludes,
    exactly_equal,
    step,
    used,
)
from theory.kernel.mutate import Mutant
from theory.kernel.named import Named, spelled
from theory.kernel.proof_parts import check_all, each, parts_of
from theory.kernel.prove import proved
from theory.kernel.region import READER, Region, TypedRegion, exactly
from theory.kernel.sanity import assumptions, empty
from theory.kernel.shown import Display
from theory.kernel.sources import Basis, inherited, unexplained
from theory.kernel.terms import OPAQUE, substitute

__all__ = [
    "Argument", "Computation", "Element", "Finding", "Item", "Proof", "Refutation", "Step", "Words",
    "exactly_equal", "gap", "misprint", "proof", "refuted", "step",
]  # fmt: skip


class Argument:
    @property
    def parts(self) -> tuple[Item, ...]:
        """The items that it is made of."""
        return ()

    def check(self) -> Finding:
        raise NotImplementedError


@dataclass(frozen=True)
class Proof(Argument):
    """Every item holds, one of them by more than definition, and mutants of every goal were rejected."""

    items: tuple[Item, ...]
    false_variants: tuple[Goal, ...] = ()
    fails_when: str | None = None
    letters: Mapping[sp.Symbol, Letter] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Item, ...]:
        return self.items

    @property
    def conclusions(self) -> tuple[Goal, ...]:
        """What is stated: the relations of the items that are not steps."""
        found = [g for g in (concludes(item) for item in self.items if not isinstance(item, Step)) if g is not None]
        return tuple(replace(g, letters={**g.letters, **self.letters}) if self.letters else g for g in found)

    @cached_property
    def uses(self) -> tuple[str, ...]:
        """Claims whose statements are used by these items."""
        return used(*self.items)

    @cached_property
    def basis(self) -> Basis:
        """What these items depend on, without the claims that they use."""
        return basis_of(self.items)

    def check(self) -> Finding:
        evidence, killed, shown = gather(self.items, self.letters, known(self.conclusions))
        for variant in self.false_variants:
            false = falsify(variant) is not None
            killed.append(Mutant(variant.name, killed=false and not proved(variant, 1500)))
        for goal in self.conclusions:
            unclear = (*statement.alike(goal), *unexplained(goal))
            evidence += [Evidence("sanity", f"{goal.name}: {why}", Outcome.UNKNOWN) for why in unclear]
        evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in statement.two_meanings(self.conclusions)]
        evidence += [e for item in self.items if not isinstance(item, Goal) for e in item.as_conclusion()]
        if all(_says_nothing(item) for item in self.items):
            evidence.append(Evidence("sanity", "every equation holds by definition", Outcome.UNKNOWN))
        needed = 3 if any(isinstance(item, Goal) for item in self.items) else 1
        if len(killed) < needed:
            found = f"only {len(killed)} mutants, {needed} needed"
            evidence.append(Evidence("mutation", found, Outcome.UNKNOWN))
        rests_on = Basis.joined((self.basis, *map(inherited, self.uses)))
        return Finding(
            "proved",
            tuple(evidence),
            tuple(killed),
            fails_when=self.fails_when,
            shown=shown,
            statement=statement.latex(*self.conclusions),
            legend=statement.legend(self.conclusions),
            uses=self.uses,
            own=self.basis,
            basis=rests_on,
        )


def basis_of(items: Sequence[Item]) -> Basis:
    """Classical theorems and arguments in words of these items, and the laws of a model that they take."""
    elements = [part for part in parts_of(items) if not isinstance(part, Goal)]
    columns = ((text for part in elements for text in getattr(part, kind)) for kind in ("assumes", "laws", "worlds"))
    return Basis(*(tuple(dict.fromkeys(column)) for column in columns))


def known(goals: Sequence[Goal]) -> Mapping[sp.Symbol, Letter]:
    """The letters of these goals for symbols of a model, which mean the same in all items of a claim."""
    return {x: letter for g in goals for x, letter in g.letters.items() if x.is_Symbol and x.name in READER}


def gather(
    items: Sequence[Item],
    letters: Mapping[sp.Symbol, Letter] | None = None,
    stated: Mapping[sp.Symbol, Letter] | None = None,
) -> tuple[list[Evidence], list[Mutant], Callable[[], Items]]:
    """Evidence and mutants of items and of everything below them, each part once, and what prints them.

    Items are printed in `letters`, in their own, and where they have none in those of the statement.
    """
    evidence: list[Evidence] = []
    killed: list[Mutant] = []
    shown: list[tuple[Goal, tuple[str, ...], str]] = []
    concluding = {id(item) for item in items if not isinstance(item, Step)}
    parts = parts_of(items)
    for part, (found, rejected) in zip(parts, check_all(parts, concluding), strict=True):
        role = "conclusion" if id(part) in concluding else "step"
        evidence += found
        killed += rejected
        goal = concludes(part)
        if goal is not None:
            written = replace(goal, letters={**(stated or {}), **goal.letters, **(letters or {})})
            shown.append((written, tuple(e.engine for e in found), role))
    return evidence, killed, lambda: tuple(each(lambda part: statement.as_json(*part), shown))


def _says_nothing(item: Item) -> bool:
    return isinstance(item, Words) or (isinstance(item, Goal) and empty(item))


@dataclass(frozen=True)
class Refutation(Argument):
    """The printed relation fails at an exact point; `region`, if given, is proved to be exactly where it fails.

    Where the items of a region are about another form of the relation, this is said wherever the region is shown.

    `fails_iff` is short for the region where another inequality holds.
    """

    printed: Goal
    at: Point | None = None
    fails_iff: Rel | None = None
    fails_when: str | None = None
    region: Region | TypedRegion | None = None
    verdict: str = "refuted"
    also: tuple[Item, ...] = field(default=())
    premises: tuple[Rel | Item, ...] = ()  # of the printed inference: relations at the point, or items to prove
    letters: Mapping[sp.Symbol, Letter] = field(default_factory=dict)  # for the items that have none of their own

    @property
    def parts(self) -> tuple[Item, ...]:
        return (*(p for p in self.premises if not isinstance(p, Rel)), *self.also)

    def check(self) -> Finding:
        found: Counterexample | None = falsify(self.printed) if self.at is None else violates(self.printed, self.at)
        outcome = Outcome.UNKNOWN if found is None else Outcome.PROVED
        search = "none was found" if self.at is None else "this point is none"
        what = f"counterexample to {self.printed.name or self.printed.rel}"
        evidence = [Evidence("exact", what if found is not None else f"{what}: {search}", outcome)]
        evidence += [*assumptions(self.printed), *sources.evidence(self.printed)]
        evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in self._unclear()]
        premises = [p for p in self.premises if isinstance(p, Rel)]
        display = None if found is None else found.display(premises)
        evidence += [*self._inference(found), *_shown(display)]
        evidence += [] if found is None else _stands(self._whole, found.point)
        region = self._region(evidence)
        items = (*(() if region is None else region.items), *self.parts)
        stated = {**self._letters, **known((self.printed,))}
        more, killed, shown = gather(items, stated=stated)
        goals = (concludes(item) for item in self.parts if not isinstance(item, Step))
        for goal in (replace(g, letters={**stated, **g.letters}) for g in goals if g is not None):
            evidence += [Evidence("sanity", f"{goal.name}: {why}", Outcome.UNKNOWN) for why in statement.alike(goal)]
        drawn = None if region is None else region.as_json(self.printed)
        own, found_used = basis_of(items), used(self.printed, *items)
        return Finding(
            self.verdict,
            (*evidence, *more),
            tuple(killed),
            None if found is None else found.shown(premises),
            self.fails_when or (None if region is None else region.inequality),
            drawn,
            shown=lambda: (statement.as_json(self.printed, ["exact"], "printed"), *shown()),
            statement=statement.latex(self.printed),
            legend=statement.legend((self.printed,)),
            uses=found_used,
            own=own,
            basis=Basis.joined((own, *map(inherited, found_used))),
            typed=() if display is None else display.typed,
            premises=self._premises(),
        )

    @cached_property
    def _whole(self) -> Goal:
        """The printed relation with the relations at the point among its hypotheses."""
        premises = [p for p in self.premises if isinstance(p, Rel)]
        domain = {**dict.fromkeys(set().union(*(p.symbols for p in premises)), Var()), **self.printed.domain}
        return replace(self.printed, domain=domain, given=(*self.printed.given, *premises))

    @cached_property
    def _letters(self) -> Mapping[sp.Symbol, Letter]:
        """The letters of items: a symbol of the printed relation has the one that it has there, or none."""
        own = self.printed.symbols - set(self.printed.letters)
        return {x: letter for x, letter in self.letters.items() if x not in own}

    def _unclear(self) -> Iterator[str]:
        """What would be read as something else: beside each other, and in the letters of the printed relation."""
        more = self._whole.symbols - self.printed.symbols  # premises without have definitions of their own beside them
        yield from statement.alike(self._whole if more else self.printed)
        stated, beside = (statement.reader(goal).letters for goal in (self.printed, self._whole))
        for x in sorted(self.printed.symbols, key=spelled):
            if stated.get(x, x) != beside.get(x, x):
                yield f"{x} is printed as {stated.get(x, x)}, which is another symbol of a premise"
        for fact in self._facts:
            read = statement.reader(fact).letters
            for x in sorted((x for x in fact.letters if x in fact.symbols & self.printed.symbols), key=spelled):
                if read.get(x, x) != stated.get(x, x):
                    yield f"{x} is {stated.get(x, x)} in {self.printed.rel}, and {read.get(x, x)} in premise {fact.rel}"

    def _region(self, evidence: list[Evidence]) -> Region | TypedRegion | None:
        region = self._region_of(evidence)
        if isinstance(region, Region):
            evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in region.unclear(self.printed)]
        return region

    def _region_of(self, evidence: list[Evidence]) -> Region | TypedRegion | None:
        if self.fails_iff is None:
            if self.region is not None and not self.region.items:
                what = f"no item proves that it fails where {self.region.inequality}"
                evidence.append(Evidence("sanity", what, Outcome.UNKNOWN))
            return self.region
        if self.printed.rel.op == "=":
            what = "fails_iff is for inequalities; for an equation say region=unequal(...)"
            evidence.append(Evidence("sanity", what, Outcome.UNKNOWN))
            return None
        return exactly(self.printed, self.fails_iff)

    def _inference(self, found: Counterexample | None) -> Iterator[Evidence]:
        """A gap is an inference that breaks: it has premises about its example, and they hold where it fails."""
        wrong = [PLAIN] if _of_plain_numbers(self.printed.rel) else []
        if self.verdict == "gap":
            wrong += [] if any(map(self._speaks, self._supposed)) else [NO_PREMISES]
            wrong += self._idle()
        for why in wrong:
            yield Evidence("sanity", f"{self.printed.name or self.printed.rel}: {why}", Outcome.UNKNOWN)
        for p in self.premises:
            if isinstance(p, Rel) and p.source is not None:
                what = f"premise {p} by {p.source}: a premise with a source is a hypothesis of the goal"
                yield Evidence("sanity", what, Outcome.UNKNOWN)
            elif isinstance(p, Rel):
                holds = found is not None and not p.every and self._in_range(p, found.point)
                holds = holds and found is not None and holds_at(p, found.point) is True
                holds = holds and found is not None and defined_at(p, found.point.values)
                outcome = Outcome.PROVED if holds else Outcome.UNKNOWN
                yield Evidence("exact", f"premise {self._written(p)} where the conclusion fails", outcome)

    def _in_range(self, premise: Rel, point: Point) -> bool:
        """Whether a point is in the ranges of all symbols of a premise, which the conclusion need not have."""
        domain = self.printed.domain
        return all(x in domain and x in point.values and point.values[x] in domain[x] for x in premise.symbols)

    @property
    def _hypotheses(self) -> tuple[Rel, ...]:
        """Hypotheses of the inference, and further relations at the point."""
        return (*self.printed.given, *(p for p in self.premises if isinstance(p, Rel)))

    @property
    def _facts(self) -> tuple[Goal, ...]:
        """What its items conclude."""
        goals = (concludes(p) for p in self.premises if not isinstance(p, Rel))
        return tuple(g for g in goals if g is not None)

    @property
    def _supposed(self) -> tuple[Rel, ...]:
        return (*self._hypotheses, *(g.rel for g in self._facts))

    def _idle(self) -> Iterator[str]:
        """Premises that suppose nothing: a hypothesis excludes points of the domain; a fact is an item, and proved."""
        for premise in self._supposed:
            if _ranged(premise, self.printed):
                yield f"premise {premise} is the range of its symbol, and supposes nothing"
        for premise in self._hypotheses:
            if not self._excludes(premise):
                yield f"premise {premise} holds on the whole domain, or no point is found where it does not: {NO_FACT}"
            if self._contradicts(premise):
                yield f"premise {premise} says that the conclusion fails: nothing is inferred from it"
        for fact in self._facts:
            for x in sorted(fact.symbols & self.printed.symbols, key=spelled):
                if not fact.domain[x].meets(self.printed.domain[x]):
                    yield f"premise {fact.rel} is about {x} {fact.domain[x]}, none of the conclusion's values"

    def _speaks(self, premise: Rel) -> bool:
        """Whether a premise says something, and of what the conclusion is about."""
        says = premise.stated[0] != premise.stated[1] and not _of_plain_numbers(premise)
        return says and bool(_things(premise) & _things(self.printed.rel))

    def _premises(self) -> tuple[str, ...]:
        """The premises of a gap as readers see them: its hypotheses, and facts with the domain on which they hold."""
        if self.verdict != "gap":
            return ()
        letters = {**self._letters, **self.printed.letters}
        facts = (statement.text(replace(g, letters={**letters, **g.letters})) for g in self._facts)
        hypotheses = (self._written(h) + (f" [by {h.source}]" if h.source else "") for h in self._hypotheses)
        return (*hypotheses, *(f"{fact} [a fact, proved]" for fact in facts))

    def _excludes(self, premise: Rel) -> bool:
        """Whether a point of the domain is found that a hypothesis excludes; of one by another claim it is not asked.

        That engines do not prove it is not enough: they do not know that the sine of x is at most 1.
        """
        if _of_plain_numbers(premise):
            return False
        if premise.every or not premise.symbols or premise.source is not None:
            return True
        return falsify(Goal(premise, self._whole.domain)) is not None

    def _contradicts(self, premise: Rel) -> bool:
        """Whether the conclusion fails wherever a hypothesis holds, and not everywhere else, too.

        Numbers that were computed from an example are any numbers here.
        """
        if premise.every or premise.source is not None or not premise.symbols <= set(self.printed.domain):
            return False
        rel, names = self.printed.rel, {}
        if not premise.symbols | rel.symbols:
            found = sorted(set().union(*(side.atoms(Named) for r in (premise, rel) for side in r.stated)), key=spelled)
            names = {q: sp.Dummy(f"number_{m}") for m, q in enumerate(found)}
        left, right, *sides = (side.xreplace(names) for side in (*rel.stated, *premise.stated))
        supposed = Rel(sides[0], premise.op, sides[1])
        domain = {**self.printed.domain, **dict.fromkeys(names.values(), Var())}
        denied = ("<", ">") if rel.op == "=" else (NEGATED[rel.op],)
        goals = [Goal(Rel(left, op, right), domain, squares=self.printed.squares) for op in denied]
        return any(proved(replace(g, given=(supposed,))) and not proved(g) for g in goals)

    def _written(self, premise: Rel) -> str:
        """A premise in the letters of the conclusion, with definitions that are not printed beside this."""
        shown = statement.reader(replace(self.printed, domain=self._whole.domain))
        said = shown.relation(premise), *(f"{name} = {value}" for name, value in shown.where(latex=False))
        told = statement.as_json(self.printed, (), "printed")["where"]
        return ", where ".join(part for part in said if part not in told)


NO_PREMISES = "the inference has no premises about what it concludes: without them this is a false statement, not a gap"
NO_FACT = "it is no hypothesis, and a fact is to be an item"
PLAIN = "it compares numbers that were put in, and does not say of what they are"


def _of_plain_numbers(rel: Rel) -> bool:
    """Whether both sides were put in as numbers: no symbol and no name says of what they are."""
    return not any(side.free_symbols or side.has(Named) for side in rel.stated)


def _things(rel: Rel) -> set[Any]:
    """What a relation is about: symbols, functions and kinds of named quantities."""
    terms = (x.func for side in rel.stated for x in side.atoms(AppliedUndef, Named))
    return {*rel.symbols, *terms}


def _ranged(rel: Rel, goal: Goal) -> bool:
    """Whether a premise says no more than the range of a symbol does."""
    if rel.op == "=":
        return False
    difference, strict = rel.slack
    above, term = difference.as_coeff_Add()
    factor, x = term.as_coeff_Mul()
    if not (x in goal.domain and factor.is_Rational):
        return False
    end, var = -above / factor, goal.domain[x]
    if factor > 0:
        return var.within(Var(end, strict=strict))
    return var.high is not None and bool(var.high < end if strict else var.high <= end)


def _stands(printed: Goal, point: Point) -> Iterator[Evidence]:
    """Why a point is no counterexample: a symbol that stands for an expression has another value there, or this
    expression has a symbol with a value out of its range."""
    for x, meaning in sources.meanings(printed).items():
        for y in sorted(meaning.free_symbols & set(point.values), key=spelled):
            if y not in printed.domain or point.values[y] not in printed.domain[y]:
                what = f"{y} = {point.values[y]} was used, which is not in its range"
                yield Evidence("sanity", what, Outcome.UNKNOWN)
        at = substitute(meaning, {y: v for y, v in point.values.items() if y in meaning.free_symbols}).doit()
        known = at.is_number and not at.has(*OPAQUE)
        if not known or x not in point.values or sign(at - point.values[x]) != 0:
            used = f"{x} = {point.values[x]} was used" if x in point.values else f"{x} has no value"
            what = f"{used}, and it stands for {meaning}" + (f" = {at}" if known else "")
            yield Evidence("sanity", what, Outcome.UNKNOWN)


def _shown(display: Display | None) -> Iterator[Evidence]:
    for why in () if display is None else display.problems():
        yield Evidence("sanity", f"the counterexample cannot be redone from what is shown: {why}", Outcome.UNKNOWN)


def proof(
    *items: Item,
    false_variants: tuple[Goal, ...] = (),
    fails_when: str | None = None,
    letters: Mapping[sp.Symbol, Letter] | None = None,
) -> Proof:
    """Proved by these items: goals, computations, cited theorems, and rules that join them.

    Parameters
    ----------
    *items : Goal or other item
        What is proved. The relations of the items that are not steps are the statement.
    false_variants : tuple of Goal
        Further mutants, which must be false and must not be proved.
    fails_when : str, optional
        Where the statement does not hold, in words.
    letters : mapping of symbols to Letter, optional
        How readers write the symbols of all items; added to the letters of each goal.

    Returns
    -------
    Proof
        An argument; its `check()` returns a finding with `.verdict`, `.ok` and `.assumes`.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.argument import proof
    >>> from theory.kernel.goal import Goal, Rel, real
    >>> x = sp.Symbol("x")
    >>> finding = proof(Goal(Rel(2 * x, "<=", x**2 + 1), {x: real()}, squares=(x - 1,))).check()
    >>> finding.verdict, finding.ok
    ('proved', True)
    """
    return Proof(tuple(items), tuple(false_variants), fails_when, letters or {})


def refuted(printed: Goal, **more: Any) -> Refutation:
    """False as printed: there is an exact counterexample.

    Parameters
    ----------
    printed : Goal
        The printed statement.
    **more
        Further attributes of `Refutation`: `at`, a point where it fails (without it, one is searched for);
        `fails_iff` or `region`, exactly where it fails; `fails_when`, the same in words; `premises`, of an
        inference; `also`, further items to be proved.

    Returns
    -------
    Refutation
        An argument; its `check()` returns a finding with `.verdict` and `.ok`.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.argument import refuted
    >>> from theory.kernel.goal import Goal, Rel, positive
    >>> x = sp.Symbol("x")
    >>> refuted(Goal(Rel(x, "<=", x**2), {x: positive()}), fails_iff=Rel(x, "<", 1)).check().verdict
    'refuted'
    """
    return Refutation(printed, **more)


def misprint(printed: Goal, **more: Any) -> Refutation:
    """Wrong as printed, and the intended statement is unmistakable; the claim that repairs it must be proved.

    Parameters
    ----------
    printed : Goal
        The printed statement.
    **more
        Further attributes of `Refutation`: `at`, a point where it fails (without it, one is searched for);
        `fails_iff` or `region`, exactly where it fails; `fails_when`, the same in words; `premises`, of an
        inference; `also`, further items to be proved.

    Returns
    -------
    Refutation
        An argument; its `check()` returns a finding with `.verdict` and `.ok`.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.argument import misprint
    >>> from theory.kernel.goal import Goal, Rel, positive
    >>> x = sp.Symbol("x")
    >>> misprint(Goal(Rel(x + 1, "=", x - 1), {x: positive()})).check().verdict
    'misprint'
    """
    return Refutation(printed, verdict="misprint", **more)


def gap(inference: Goal, **more: Any) -> Refutation:
    """The printed inference fails at an exact point, where its premises hold; what it was to show is not refuted.

    Premises are the hypotheses `given` of the inference, relations that hold at the point, or items to be proved, the
    facts from which it starts: `premises=(...)`. A hypothesis must exclude points of the domain; a fact is true for
    all values, and is shown as such. One of them must speak of what the conclusion is about (have a symbol, a function
    or a kind of named quantity in common with it), and the conclusion must not compare numbers that were put in.

    Parameters
    ----------
    inference : Goal
        The conclusion of the printed inference, with its premises as hypotheses.
    **more
        Further attributes of `Refutation`: `at`, a point where it fails (without it, one is searched for);
        `fails_iff` or `region`, exactly where it fails; `fails_when`, the same in words; `premises`, of an
        inference; `also`, further items to be proved.

    Returns
    -------
    Refutation
        An argument; its `check()` returns a finding with `.verdict` and `.ok`.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.argument import gap
    >>> from theory.kernel.goal import Goal, Rel, positive
    >>> x = sp.Symbol("x")
    >>> gap(Goal(Rel(x, ">", 2), {x: positive()}, (Rel(x, ">", 1),))).check().verdict
    'gap'
    """
    return Refutation(inference, verdict="gap", **more)
