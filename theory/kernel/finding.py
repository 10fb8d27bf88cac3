"""An argument, and what came out when it was checked: the verdict is computed from the evidence, never stated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from theory.kernel.engines import Evidence, Outcome
from theory.kernel.mutate import Mutant
from theory.kernel.sources import NOTHING, Basis

if TYPE_CHECKING:
    from theory.kernel.items import Item

Items = tuple[dict[str, Any], ...]
BY_HAND = "the statement, which is typed by hand and not generated from what was checked"


class Argument:
    """Why a claim is true or false; what it shows is found when it is checked."""

    @property
    def parts(self) -> tuple[Item, ...]:
        """The items that it is made of."""
        return ()

    def check(self) -> Finding:
        raise NotImplementedError


@dataclass(frozen=True)
class Finding:
    """The outcome of a check. `aim` is what the argument set out to show; `verdict` is what it did show.

    Attributes
    ----------
    aim : str
        "proved", "refuted", "gap", "misprint" or "supported".
    shown : callable or tuple of dict
        What `items` are, or a function that prints them.
    statement : str
        LaTeX, generated from the items that conclude; empty if no item is a relation.
    basis : Basis
        What the proof depends on, also through claims that are used: classical theorems that are cited and steps that
        are arguments in words; laws of a model, which are its probabilistic hypotheses; and which of several laws of a
        model these are.
    own : Basis
        The part of it that this proof has itself.
    uses : tuple of str
        Claims whose statements are used.
    by_hand : bool
        Whether the statement shown to readers was typed, so that nothing compares it with the items.
    coq : tuple of str
        Lemmas in Coq that are this claim, if all of it is.
    legend : mapping of str to str
        What the letters of the statement mean, by their LaTeX.
    typed : tuple of str
        Entries of the counterexample that nothing was compared with: words, and numbers of which the printed relation
        has no letter.
    premises : tuple of str
        Of a gap, what the inference supposes.
    """

    aim: str
    evidence: tuple[Evidence, ...]
    mutants: tuple[Mutant, ...] = ()
    counterexample: dict[str, Any] | None = None
    fails_when: str | None = None
    region: dict[str, Any] | None = None
    shown: Callable[[], Items] | Items = ()
    statement: str = ""
    basis: Basis = NOTHING
    uses: tuple[str, ...] = ()
    by_hand: bool = False
    legend: Mapping[str, str] = field(default_factory=dict)
    coq: tuple[str, ...] = ()
    own: Basis = NOTHING
    typed: tuple[str, ...] = ()
    premises: tuple[str, ...] = ()

    @cached_property
    def items(self) -> Items:
        """Relation, domain, hypotheses with their sources, and engines of everything that was checked, as text.

        They are printed when they are asked for: a table of verdicts does without.
        """
        return self.shown() if callable(self.shown) else self.shown

    def sent(self, details: bool) -> Finding:
        """The finding for another process, its items printed or left out."""
        return replace(self, shown=self.items if details else ())

    @property
    def ok(self) -> bool:
        return self.problem is None

    @property
    def problem(self) -> str | None:
        """The first item without evidence, failed check or accepted mutant; None if there is none."""
        for e in self.evidence:
            if e.engine == "exception":
                return f"its code raises {e.check}"
            if not e.ok:
                return f"{e.engine} says {e.outcome}: {e.check}"
        survivors = [m.name for m in self.mutants if not m.killed]
        if survivors:
            return f"mutant accepted (bug): {'; '.join(survivors)}"
        return None if self.evidence else "nothing was checked"

    @property
    def verdict(self) -> str:
        """What was set out for, if all evidence is there and every mutant is rejected; "open" otherwise."""
        return self.aim if self.ok else "open"

    @property
    def assumes(self) -> tuple[str, ...]:
        """What the verdict depends on besides the engines; empty for what is open."""
        if self.verdict == "open":
            return ()
        typed = self.verdict == "proved" and (self.by_hand or not self.statement)
        return (*self.basis.assumptions, BY_HAND) if typed else self.basis.assumptions

    @property
    def assumes_itself(self) -> tuple[str, ...]:
        """What these items assume, without what the claims that it uses do."""
        return tuple(a for a in self.assumes if a in self.own.assumptions or a == BY_HAND)

    @property
    def laws_itself(self) -> tuple[str, ...]:
        """The laws of a model that these items take, without those of the claims that they use."""
        return () if self.verdict == "open" else self.own.laws

    @property
    def level(self) -> str | None:
        """`argued` if anything is assumed, `kernel` if all of it is a Coq theorem, else `engines`."""
        if self.verdict != "proved":
            return None
        return "argued" if self.assumes else "kernel" if self.coq else "engines"

    def but(self, problems: Iterable[Evidence]) -> Finding:
        """The finding with additional failed checks."""
        more = tuple(problems)
        return replace(self, evidence=(*self.evidence, *more)) if more else self

    def in_coq(self, lemmas: tuple[str, ...]) -> Finding:
        """The finding of a claim that Coq accepted as it is stated now: these lemmas."""
        what = f"Coq theorems when last recorded: {', '.join(lemmas)}"
        return replace(self, coq=lemmas, evidence=(*self.evidence, Evidence("coq", what, Outcome.PROVED)))

    def stated_by_hand(self) -> Finding:
        """The finding of a claim whose statement was typed: at most `argued`."""
        return replace(self, by_hand=True)
