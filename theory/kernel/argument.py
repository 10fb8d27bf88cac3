"""The four ways a claim can be settled exactly, and what each of them has to show.

proved    every goal by two engines, each with mutants that are rejected, and no failed check
refuted   an exact counterexample; if a region of failure is named, that it is exactly the region
gap       an exact example where the printed inference breaks: its premises hold, its conclusion fails
misprint  refuted as printed; the repair, a claim of its own, must come out proved

What an argument sets out to show is its verdict only if all of this succeeds; else the verdict is `open`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import sympy as sp

from theory.kernel import statement
from theory.kernel.ambiguity import alike, two_meanings
from theory.kernel.engines import Evidence, Outcome
from theory.kernel.falsify import falsify
from theory.kernel.finding import Argument, Finding
from theory.kernel.goal import Goal, Letter
from theory.kernel.items import Computation, Element, Item, Step, Words, concludes, exactly_equal, step, used
from theory.kernel.mutate import Mutant
from theory.kernel.proof_parts import basis_of, gather, known
from theory.kernel.prove import proved
from theory.kernel.refutation import Refutation
from theory.kernel.sanity import empty
from theory.kernel.sources import Basis, inherited, unexplained

__all__ = [
    "Argument", "Computation", "Element", "Finding", "Item", "Proof", "Refutation", "Step", "Words",
    "exactly_equal", "gap", "misprint", "proof", "refuted", "step",
]  # fmt: skip


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
            unclear = (*alike(goal), *unexplained(goal))
            evidence += [Evidence("sanity", f"{goal.name}: {why}", Outcome.UNKNOWN) for why in unclear]
        evidence += [Evidence("sanity", why, Outcome.UNKNOWN) for why in two_meanings(self.conclusions)]
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


def _says_nothing(item: Item) -> bool:
    return isinstance(item, Words) or (isinstance(item, Goal) and empty(item))


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
