"""The claims of the ledger as Coq text: for every claim one lemma per relation, in files of about equal size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from theory.coq.compiler import LIBRARY
from theory.coq.development import BY_MODEL, theorem_text, write_model, write_support
from theory.coq.proofs import proof
from theory.coq.statement import Statement, rises, statements
from theory.coq.syntax import NoCoq
from theory.kernel import items as kernel
from theory.kernel.argument import Argument, Proof
from theory.kernel.claim import Claim
from theory.kernel.goal import Goal
from theory.kernel.items import Computation, Step
from theory.kernel.rules import Rises

LEMMAS_PER_FILE = 100
BATCH = "claims_"
LISTING = "assumptions_of_claims"
HEADER = (
    "From Coq Require Import Reals Lra.\nFrom Coquelicot Require Import Coquelicot.\n"
    f"From {LIBRARY} Require Import relations.\nOpen Scope R_scope.\n"
)


@dataclass(frozen=True)
class Item:
    """One item of a claim: its Coq statements, or why it has none."""

    title: str
    statements: tuple[Statement, ...] = ()
    missing: str = ""


@dataclass(frozen=True)
class Exported:
    """A claim with the Coq statements of its items, and the claims whose statements they have as hypotheses."""

    id: str
    name: str
    items: tuple[Item, ...]
    sources: tuple[str, ...] = ()
    by_model: tuple[str, ...] = ()  # theorems of the model that are this claim, for every number of arms
    says: str = ""

    @property
    def complete(self) -> bool:
        """Whether every item has a Coq statement."""
        return bool(self.by_model) or (bool(self.items) and not any(item.missing for item in self.items))

    @property
    def lemmas(self) -> tuple[str, ...]:
        return self.by_model or tuple(s.name for item in self.items for s in item.statements)

    @property
    def digest(self) -> str:
        """A digest of all Coq statements of the claim: it changes when what is proved changes."""
        found = [f"{s.name} : {s.text}" for item in self.items for s in item.statements]
        if self.by_model:
            found = [self.says, *(theorem_text(name) for name in self.by_model)]
        return hashlib.sha256("\n".join(found).encode()).hexdigest()


def identifier(id: str) -> str:
    """The Coq name of a claim."""
    return re.sub(r"\W+", "_", id.replace("*", "star")).strip("_")


def exported(claim: Claim, argument: Argument | None = None) -> Exported:
    """The Coq statements of a claim; no proof is made yet."""
    argument = claim.build() if argument is None else argument
    name = identifier(claim.id)
    if not isinstance(argument, Proof):
        return Exported(claim.id, name, ())
    if claim.id in BY_MODEL:
        says = "; ".join(map(str, argument.conclusions))
        return Exported(claim.id, name, (), by_model=BY_MODEL[claim.id], says=says)
    return Exported(claim.id, name, tuple(_items(name, argument)), argument.uses)


def _items(name: str, argument: Proof) -> Iterator[Item]:
    """Every part of a proof once, what it rests on before it."""
    named: list[tuple[object, str]] = []
    for part in (p for item in argument.items for p in _premises_first(item)):
        if isinstance(part, Step) or any(part is other for other, _ in named):
            continue
        named.append((part, f"{name}_{len(named) + 1}"))
        needed = () if isinstance(part, Goal) else part.premises
        yield _item(named[-1][1], part, [n for p in needed for other, n in named if other is p])


def _premises_first(part: kernel.Item) -> Iterator[kernel.Item]:
    for premise in () if isinstance(part, Goal) else part.premises:
        yield from _premises_first(premise)
    yield part


def _item(name: str, part: kernel.Item, premises: list[str]) -> Item:
    goal = part.shows if isinstance(part, Computation) else part
    title = getattr(part, "name", "") or type(part).__name__
    try:
        if isinstance(goal, Rises):
            return Item(title, (rises(name, goal, premises),))
        if isinstance(goal, Goal) and (goal is part or not goal.symbols):  # of computations, relations between numbers
            return Item(title, tuple(statements(name, goal)))
        return Item(title, missing=f"{type(part).__name__} is not in Coq")
    except NoCoq as error:
        return Item(title, missing=str(error))


def chunks(claim: Exported) -> Iterator[str]:
    """The Coq text of a claim: one piece for each item, then the claim as the tuple of its lemmas."""
    proved = []
    for item in claim.items:
        text = f"(* item: {_comment(item.title)} *)\n"
        try:
            lemmas = [_lemma(s, item.statements) for s in item.statements]
        except NoCoq as error:
            yield f"{text}(* not exported: {_comment(str(error))} *)\n"
            continue
        if item.missing:
            yield f"{text}(* not exported: {_comment(item.missing)} *)\n"
        else:
            yield text + "".join(lemmas)
            proved += [s.name for s in item.statements]
    if claim.complete and proved and len(proved) == len(claim.lemmas):
        yield f"Definition claim_{claim.name} := ({', '.join(proved)}).\n"


def _lemma(statement: Statement, beside: tuple[Statement, ...]) -> str:
    defined = next((s.name for s in beside if s.kind == "defined"), None)
    return f"Lemma {statement.name} :\n  {statement.text}.\nProof.\n{proof(statement, defined)}\nQed.\n"


def _comment(text: str) -> str:
    """Text that is safe inside a Coq comment."""
    return text.replace('"', "'").replace("(*", "( *").replace("*)", "* )")


def write(directory: Path, claims: Iterable[Exported], model: bool = True) -> list[Path]:
    """Write the model, the tactics and the claims to a folder; what is there already is overwritten."""
    files = [*(write_model(directory) if model else ()), *write_support(directory)]
    for old in directory.glob(f"{BATCH}*.v"):
        old.unlink()
    names = []
    for i, text in enumerate(_batches(claims), 1):
        names.append(f"{BATCH}{i:02d}")
        files.append(directory / f"{names[-1]}.v")
        files[-1].write_text(HEADER + text)
    return files


def _batches(claims: Iterable[Exported]) -> Iterator[str]:
    text, lemmas = "", 0
    for claim in claims:
        if not claim.lemmas or claim.by_model:
            continue
        text += f"\n(* claim {_comment(claim.id)} *)\n" + "".join(chunks(claim))
        lemmas += len(claim.lemmas)
        if lemmas >= LEMMAS_PER_FILE:
            yield text
            text, lemmas = "", 0
    if text:
        yield text
