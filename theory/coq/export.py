"""The claims of the ledger as Coq text: for every claim one lemma per relation, in files of about equal size."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from theory.coq import composition
from theory.coq.auxiliary import Auxiliary
from theory.coq.compiler import LIBRARY
from theory.coq.development import write_model, write_support
from theory.coq.lemma import Fact, Lemma, definition, opaque
from theory.coq.proofs import proof
from theory.coq.statement import Statement, computed, rises, statements
from theory.coq.syntax import NoCoq
from theory.kernel import items as kernel
from theory.kernel.argument import Argument, Proof
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.goal import Goal
from theory.kernel.items import Computation, Step
from theory.kernel.rules import Definition, Rises, Use

LEMMAS_PER_FILE = 100
SECONDS_PER_SENTENCE = 900  # one takes about 60 s on a fast machine, 300 s beside other work; time is that of a clock
BATCH = "claims_"
LISTING = "assumptions_of_claims"
FALSE = "falsified_"  # files of statements made false
HEADER = (
    "From Coq Require Import Reals Lra.\nFrom Coquelicot Require Import Coquelicot.\n"
    f"From {LIBRARY} Require Import relations sums.\nOpen Scope R_scope.\n"
    f"Set Default Timeout {SECONDS_PER_SENTENCE}.\n"
)


# Of an item that cannot be written: NoCoq, a substitution that the kernel refuses, or a form that no rule foresees.
UNWRITTEN = (ValueError, TypeError, LookupError, RuntimeError, ArithmeticError, NotImplementedError)


@dataclass(frozen=True)
class Item:
    """One item of a claim: its Coq statements, or why it has none.

    A relation between numbers is a tuple of statements. What a rule concludes is a lemma about sums, means and
    functions, with the lemmas of its premises. A definition of the model is a hypothesis of the lemmas that use it.
    """

    title: str
    statements: tuple[Statement, ...] = ()
    missing: str = ""
    lemma: Lemma | Fact | None = None  # as a premise
    rule: kernel.Item | None = None
    premises: tuple[Lemma | Fact, ...] = ()

    @property
    def texts(self) -> dict[str, str]:
        """The statements of the item by name."""
        if self.rule is not None and isinstance(self.lemma, Lemma):
            return {self.lemma.name: self.lemma.text}
        return {s.name: s.text for s in self.statements}

    def coq(self) -> str:
        """The lemmas with their proofs."""
        if self.rule is None or not isinstance(self.lemma, Lemma):
            return "".join(_lemma(s, self.statements) for s in self.statements)
        auxiliary = Auxiliary(self.lemma.name)
        script = composition.script(self.rule, self.lemma, list(self.premises), auxiliary)
        own = f"Lemma {self.lemma.name} :\n  {self.lemma.text}.\nProof.\n{script}\nQed.\n"
        return "".join([*auxiliary.lemmas, own])


@dataclass(frozen=True)
class Exported:
    """A claim with the Coq statements of its items, and the claims on whose statements they rest."""

    id: str
    name: str
    items: tuple[Item, ...]
    sources: tuple[str, ...] = ()
    concluding: tuple[tuple[str, int], ...] = ()  # name of a conclusion, and its item

    @property
    def complete(self) -> bool:
        """Whether every item has a Coq statement."""
        return bool(self.lemmas) and not any(item.missing for item in self.items)

    @property
    def lemmas(self) -> tuple[str, ...]:
        return tuple(name for item in self.items for name in item.texts)

    @property
    def digest(self) -> str:
        """A digest of all Coq statements of the claim: it changes when what is proved changes."""
        found = [f"{name} : {text}" for item in self.items for name, text in item.texts.items()]
        return hashlib.sha256("\n".join(found).encode()).hexdigest()

    @property
    def applied(self) -> tuple[str, ...]:
        """Claims whose lemmas are applied in a proof."""
        return tuple(dict.fromkeys(item.rule.claim for item in self.items if isinstance(item.rule, Use)))


def identifier(id: str) -> str:
    """The Coq name of a claim."""
    return re.sub(r"\W+", "_", id.replace("*", "star")).strip("_")


def exported(claim: Claim, argument: Argument | None = None) -> Exported:
    """The Coq statements of a claim; no proof is made yet."""
    argument = claim.argument if argument is None else argument
    name = identifier(claim.id)
    if not isinstance(argument, Proof):
        return Exported(claim.id, name, ())
    parts = list(_parts(argument))
    items: list[Item] = []
    for part in parts:
        needed = () if isinstance(part, Goal) else part.premises
        premises = [items[k] for p in needed for k, other in enumerate(parts[: len(items)]) if other is p]
        items.append(_item(f"{name}_{len(items) + 1}", part, premises))
    concluding = tuple(
        (goal.name, k)
        for item in argument.items
        if not isinstance(item, Step) and (goal := kernel.concludes(item)) is not None
        for k, part in enumerate(parts)
        if part is item
    )
    return Exported(claim.id, name, tuple(items), argument.uses, concluding)


@lru_cache(maxsize=1024)
def _of(id: str) -> Exported:
    return exported(REGISTRY[id])


def _parts(argument: Proof) -> Iterator[kernel.Item]:
    """Every part of a proof once, after the parts that it uses."""
    seen: list[object] = []
    for part in (p for item in argument.items for p in _premises_first(item)):
        if not isinstance(part, Step) and not any(part is other for other in seen):
            seen.append(part)
            yield part


def _premises_first(part: kernel.Item) -> Iterator[kernel.Item]:
    for premise in () if isinstance(part, Goal) else part.premises:
        yield from _premises_first(premise)
    yield part


def _item(name: str, part: kernel.Item, premises: list[Item]) -> Item:
    title = getattr(part, "name", "") or type(part).__name__
    try:
        return _stated(name, title, part, premises)
    except UNWRITTEN as error:
        return Item(title, missing=str(error))


def _stated(name: str, title: str, part: kernel.Item, premises: list[Item]) -> Item:
    goal = part.shows if isinstance(part, Computation) else part
    if isinstance(goal, Rises) and goal.order == 1 and not goal.strict and not opaque(goal.concludes):
        needed = [p.statements[-1].name for p in premises if p.statements]
        return Item(title, (rises(name, goal, needed),), lemma=Lemma(name, goal.concludes, plain=True))
    if isinstance(part, Definition):
        return Item(title, lemma=definition(part.gives))
    if isinstance(goal, Goal) and not opaque(goal) and (goal is part or not goal.symbols):
        return Item(title, tuple(statements(name, goal)), lemma=Lemma(name, goal, plain=True))
    if isinstance(part, Computation):
        return Item(title, (computed(name, part.function(*part.true_input)),))
    known = [_premise_of(part)] if isinstance(part, Use) else [_known(p) for p in premises]
    lemma = composition.statement(name, part, known)
    return Item(title, lemma=lemma, rule=part, premises=tuple(known))


def _known(item: Item) -> Lemma | Fact:
    if item.lemma is None:
        raise NoCoq(f"a premise is not in Coq: {item.title}")
    return item.lemma


def _premise_of(part: Use) -> Lemma | Fact:
    """The lemma of another claim's conclusion."""
    source = _of(part.claim)
    found = [k for title, k in source.concluding if not part.item or title == part.item]
    if len(found) != 1 or source.items[found[0]].lemma is None:
        raise NoCoq(f"the statement of {part.claim} is not in Coq")
    return _known(source.items[found[0]])


def chunks(claim: Exported) -> Iterator[str]:
    """The Coq text of a claim: one piece for each item, then the claim as the tuple of its lemmas."""
    proved: list[str] = []
    for item in claim.items:
        text = f"(* item: {_comment(item.title)} *)\n"
        missing, lemmas = item.missing, ""
        if not missing:
            try:
                lemmas = item.coq()
            except UNWRITTEN as error:
                missing = str(error)
        if missing:
            yield f"{text}(* not exported: {_comment(missing)} *)\n"
        else:
            yield text + lemmas
            proved += item.texts
    if claim.complete and proved and len(proved) == len(claim.lemmas):
        yield f"Definition claim_{claim.name} := ({', '.join(proved)}).\n"


def _lemma(statement: Statement, beside: tuple[Statement, ...]) -> str:
    defined = next((s.name for s in beside if s.kind == "defined"), None)
    try:
        script = proof(statement, defined)
    except NoCoq:
        if statement.kind == "relation" and statement.goal.rel.op != "=" and statement.goal.symbols:
            return composition.numbers(statement.name, statement.goal, defined)  # no rational function
        raise
    return f"Lemma {statement.name} :\n  {statement.text}.\nProof.\n{script}\nQed.\n"


def _comment(text: str) -> str:
    """Text that is safe inside a Coq comment."""
    return text.replace('"', "'").replace("(*", "( *").replace("*)", "* )")


def write(directory: Path, claims: Iterable[Exported], model: bool = True) -> list[Path]:
    """Write the model, the tactics and the claims to a folder; what is there already is overwritten."""
    files = [*(write_model(directory) if model else ()), *write_support(directory)]
    for old in (*directory.glob(f"{BATCH}*.v"), *directory.glob(f"{FALSE}*.v")):
        old.unlink()
    for name, text in _batches(list(claims)):
        files.append(directory / f"{name}.v")
        files[-1].write_text(text)
    return files


def _batches(claims: list[Exported]) -> Iterator[tuple[str, str]]:
    """Files of about equal size. A claim is in a later file than the claims whose lemmas it applies."""
    places: dict[str, str] = {}
    open_ = [c for c in claims if c.lemmas]
    number = 0
    while open_:
        waiting = {c.id for c in open_}
        ready = [c for c in open_ if not waiting.intersection(c.applied)] or open_
        open_ = [c for c in open_ if c not in ready]
        for group in _groups(ready):
            number += 1
            name = f"{BATCH}{number:02d}"
            needed = sorted({places[id] for c in group for id in c.applied if id in places})
            needs = f"From {LIBRARY} Require Import {' '.join(needed)}.\n" if needed else ""
            text = "".join(f"\n(* claim {_comment(c.id)} *)\n" + "".join(chunks(c)) for c in group)
            yield name, HEADER + needs + text
            places |= dict.fromkeys((c.id for c in group), name)


def _groups(claims: list[Exported]) -> Iterator[list[Exported]]:
    group: list[Exported] = []
    for claim in claims:
        group.append(claim)
        if sum(len(c.lemmas) for c in group) >= LEMMAS_PER_FILE:
            yield group
            group = []
    if group:
        yield group
