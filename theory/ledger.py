"""The ledger: every claim of a collection with the verdict that its check found."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from theory.checking import checked
from theory.collection import Collection, Place, the_paper
from theory.coq.every_k import THEOREMS as EVERY_K
from theory.coq.record import in_record
from theory.kernel import sources
from theory.kernel.argument import Finding
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.sources import NOTHING, Basis

VERDICTS = ("proved", "refuted", "gap", "misprint", "supported", "open")
DEFECTS = ("refuted", "gap", "misprint")
RECORDED_AS = ("assumes", "laws", "worlds")  # what a proof depends on, in a line of the record
LEVELS = ("argued", "engines", "kernel")  # of a proved claim, the weakest first


@dataclass(frozen=True)
class Entry:
    """One claim after its check ran."""

    claim: Claim
    finding: Finding
    repaired_by: str | None
    recorded: str | None
    seconds: float
    place: Place | None = None
    recorded_level: str | None = None
    expected: bool = True  # whether a verdict must be recorded
    inherited: Basis = NOTHING  # what the claims whose statements the proof uses depend on
    unsupported: str | None = None  # why the claims that the proof uses do not support it

    @property
    def verdict(self) -> str:
        return "open" if self.unsupported else self.finding.verdict

    @property
    def level(self) -> str | None:
        """How a proved claim is proved: in Coq, by two engines, or with steps that are assumed."""
        if self.verdict != "proved":
            return None
        return "argued" if self.assumes else "kernel" if self.finding.coq else "engines"

    @property
    def coq_model(self) -> tuple[str, ...]:
        """Theorems of the hand-written Coq model, for every number of arms, that compose a proved claim."""
        return EVERY_K.get(self.claim.id, ()) if self.verdict == "proved" else ()

    @property
    def assumes(self) -> tuple[str, ...]:
        """Cited theorems and steps in words on which the verdict depends."""
        if self.verdict == "open":
            return ()
        return tuple(dict.fromkeys((*self.finding.assumes, *self.inherited.assumptions)))

    @property
    def laws(self) -> tuple[str, ...]:
        """Laws of the model on which the verdict depends: of these items, and of the claims that they use."""
        return self.basis.laws

    @property
    def basis(self) -> Basis:
        """Everything the verdict depends on, itself and through the claims that are used; nothing for what is open."""
        return NOTHING if self.verdict == "open" else Basis.joined((self.finding.basis, self.inherited))

    @property
    def says(self) -> str:
        return self.claim.says or self.statement

    @property
    def statement(self) -> str:
        """LaTeX of what was checked; empty if nothing of it is a relation."""
        return self.finding.statement

    @property
    def items(self) -> list[dict[str, Any]]:
        return [dict(item) for item in self.finding.items]

    @property
    def uses(self) -> tuple[str, ...]:
        """Claims on which the proof depends: those whose statements it takes, as found in it."""
        return self.finding.uses

    @property
    def cites(self) -> tuple[str, ...]:
        """Claims to which the claim refers and on which its proof does not depend."""
        return tuple(d for d in self.claim.cites if d not in self.uses)

    @property
    def where(self) -> str:
        if self.place is None:
            return self.claim.where or "ours"
        if self.claim.by == "us" and self.claim.repairs is None:
            return f"ours, on {self.place.number}, {self.place.label}"
        return str(self.place)

    @property
    def missing(self) -> str | None:
        """Of an open claim: what would decide it."""
        return (self.finding.fails_when or self.broken) if self.verdict == "open" else None

    @property
    def broken(self) -> str | None:
        """Why the check of this claim did not go through; None if it did."""
        return self.finding.problem or self.unsupported

    @property
    def problem(self) -> str | None:
        """Why this entry cannot be trusted: its check failed, or it found something else than recorded."""
        if self.broken:
            return self.broken
        if self.expected and self.recorded != self.verdict:
            known = f"recorded as {self.recorded}" if self.recorded else "no verdict recorded"
            return f"{known}, found {self.verdict}"
        if self.recorded_level is not None and self.recorded_level not in LEVELS:
            return f"recorded at level {self.recorded_level!r}, which must be one of {', '.join(LEVELS)}"
        if self.level and self.recorded_level and LEVELS.index(self.level) < LEVELS.index(self.recorded_level):
            stale = self.recorded_level == "kernel" and in_record(self.claim)
            hint = "; Coq accepted another statement of it: python -m theory --coq DIR --record" if stale else ""
            return f"recorded at level {self.recorded_level}, found {self.level}{hint}"
        return None

    def as_json(self, details: bool = True) -> dict[str, Any]:
        """The entry for other programs; without `details` no item is printed, which takes longest."""
        c, f = self.claim, self.finding
        ours = c.by == "us" and c.repairs is None
        return {
            "id": c.id,
            "where": self.where,
            "number": self.place.number if self.place and not ours else None,
            "line": self.place.line if self.place and not ours else None,
            "by": c.by,
            "kind": c.kind,
            "verdict": self.verdict,
            "level": self.level,
            "coq_model": list(self.coq_model),
            "assumes": list(self.assumes),
            "assumes_itself": list(self.finding.assumes_itself),
            "laws": list(self.laws),
            "laws_itself": list(self.finding.laws_itself),
            "severity": c.severity,
            "cause": c.cause,
            "says": self.says,
            "typed": self.says != self.statement,
            "statement": self.statement,
            "legend": dict(f.legend),
            "why": c.why,
            "counterexample": f.counterexample,
            "counterexample_typed": list(f.typed),
            "premises": list(f.premises),
            "fails_when": f.fails_when,
            "missing": self.missing,
            "region": f.region,
            "repairs": c.repairs,
            "repaired_by": self.repaired_by,
            "uses": list(self.uses),
            "cites": list(self.cites),
            "depends_on": [*self.uses, *self.cites],
            "items": self.items if details else [],
            "evidence": [e.as_json() for e in f.evidence],
            "mutants": {"tried": len(f.mutants), "killed": sum(m.killed for m in f.mutants)},
            "problem": self.problem,
        }


def load(collection: Collection | None = None) -> dict[str, Claim]:
    """All claims of a collection by id, in ledger order; by default those of this project."""
    return (collection or the_paper()).claims()


def recorded(collection: Collection | None = None) -> dict[str, str]:
    """The recorded verdict of every claim."""
    return {name: found["verdict"] for name, found in (collection or the_paper()).recorded().items()}


def recorded_uses(collection: Collection | None = None) -> dict[str, tuple[str, ...]]:
    """The claims on which the proof of each claim depends, as recorded."""
    return {name: tuple(found.get("uses", ())) for name, found in (collection or the_paper()).recorded().items()}


def check_claims(
    ids: Iterable[str] | None = None,
    progress: Callable[[Claim], None] | None = None,
    collection: Collection | None = None,
    details: bool = True,
    processes: int | None = None,
) -> list[Entry]:
    """Run the checks of the named claims, all by default, in the order given; without `details` no item is printed.

    By default on all cores when there are enough claims to pay for starting `processes`; with 1 in this process.
    """
    collection = collection or the_paper()
    claims, record = collection.claims(), collection.recorded()
    repaired = {c.repairs: c.id for c in claims.values() if c.repairs}
    chosen = list(claims if ids is None else ids)
    found = {}
    for name, finding, seconds in checked(chosen, collection, details, processes):
        if progress:
            progress(claims[name])
        found[name] = finding, seconds
    entries = []
    for name in chosen:
        claim, (finding, seconds) = REGISTRY.get(name, claims[name]), found[name]  # imported by now
        was, place = record.get(name, {}), collection.place(claim)
        entries.append(
            Entry(
                claim,
                finding,
                repaired.get(name),
                was.get("verdict"),
                seconds,
                place,
                was.get("level"),
                expected=bool(record) or collection.complete,
            )
        )
    return supported(inherit(entries, record), claims, record)


def supported(entries: list[Entry], known: Iterable[str], record: Mapping[str, Any]) -> list[Entry]:
    """Leave a verdict open if the proof uses what is not proved, or itself, or takes laws that exclude each other, and
    a misprint if what is meant is not proved.

    Of the claims that are not among the entries, those without a recorded verdict are not judged here.
    """
    verdicts = {name: record.get(name, {}).get("verdict", "proved") for name in known}
    waiting = {e.claim.id: e for e in entries}
    verdicts |= dict.fromkeys(waiting, "open")
    worlds = {name: excluding(e.basis.worlds) for name, e in waiting.items()}

    def objection(e: Entry) -> str | None:
        if worlds[e.claim.id]:
            return f"takes laws that exclude each other: {', '.join(worlds[e.claim.id])}"
        for u in e.uses:
            if verdicts.get(u) != "proved":
                return f"uses {u}, which is {verdicts.get(u, 'unknown')}"
        if e.verdict == "misprint" and e.repaired_by is None:
            return "a misprint, and no claim proves what is meant"
        if e.verdict == "misprint" and verdicts.get(str(e.repaired_by)) != "proved":
            return f"a misprint, but {e.repaired_by} is {verdicts.get(str(e.repaired_by), 'unknown')}"
        return None

    while found := [name for name, e in waiting.items() if objection(e) is None]:
        verdicts |= {name: waiting.pop(name).verdict for name in found}
    return [replace(e, unsupported=objection(e)) if e.claim.id in waiting else e for e in entries]


def excluding(worlds: Iterable[str]) -> list[str]:
    """Worlds that exclude each other: two of one kind, the part of the name before a colon."""
    kinds: dict[str, list[str]] = {}
    for world in worlds:
        kinds.setdefault(world.rpartition(": ")[0], []).append(world)
    return next((found for found in kinds.values() if len(found) > 1), [])


def inherit(entries: list[Entry], record: Mapping[str, Any]) -> list[Entry]:
    """Add to every verdict what the claims depend on that it uses, directly or through others.

    A claim that is not among the entries counts as it is recorded. That a used claim's statement was typed is not
    inherited: the kernel compares what is used with what was checked.
    """
    by_id = {e.claim.id: e for e in entries}

    def below(name: str, seen: set[str]) -> Iterator[Basis]:
        """What a claim and those that it uses depend on; each claim once, also in a cycle, which `disorder` reports."""
        if name in seen:
            return
        seen.add(name)
        if name not in by_id:
            yield as_recorded(record.get(name, {}))
            return
        yield by_id[name].finding.basis
        for used in by_id[name].uses:
            yield from below(used, seen)

    return [replace(e, inherited=Basis.joined(below(e.claim.id, set()))) if e.verdict != "open" else e for e in entries]


def as_recorded(was: Mapping[str, Any]) -> Basis:
    """What a claim depends on, by its line of the record."""
    return Basis(*(tuple(was.get(key, ())) for key in RECORDED_AS))


@contextmanager
def recorded_assumptions(collection: Collection) -> Iterator[None]:
    """Proofs that are checked here count what the claims that they use depend on as it is recorded."""
    record = collection.recorded().items()
    sources.RECORDED.update({name: as_recorded(was) for name, was in record if was["verdict"] == "proved"})
    try:
        yield
    finally:
        sources.RECORDED.clear()


def write_record(entries: Iterable[Entry], collection: Collection) -> list[str]:
    """Record the outcomes of the entries whose checks went through; the others stay as they were and are returned.

    Outcomes of claims that are not among the entries are kept while the claim exists.
    """
    if collection.record is None:
        raise ValueError("this collection has no file of recorded verdicts")
    record = {name: was for name, was in collection.recorded().items() if name in collection.claims()}
    refused = []
    for e in entries:
        if e.broken:
            refused.append(f"{e.claim.id}: {e.broken}")
        else:
            level: dict[str, Any] = {"level": e.level} if e.level else {}
            basis = {key: list(texts) for key, texts in zip(RECORDED_AS, e.basis, strict=True) if texts}
            used: dict[str, Any] = {"uses": list(e.uses)} if e.uses else {}
            record[e.claim.id] = {"verdict": e.verdict, **level, **basis, **used}
    rows = [f" {json.dumps(name)}: {json.dumps(record[name])}" for name in collection.claims() if name in record]
    replace_file(collection.record, "{\n" + ",\n".join(rows) + "\n}\n")
    return refused


def replace_file(path: Path, text: str) -> None:
    """Write a file atomically, through a temporary file of its own in the same folder."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
