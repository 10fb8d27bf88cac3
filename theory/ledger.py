"""The ledger: every claim, its verdict as the check found it, what it rests on and what repairs it."""

from __future__ import annotations

import importlib
import json
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from theory.kernel.argument import Finding
from theory.kernel.claim import REGISTRY, Claim

RECORD = Path(__file__).with_name("recorded.json")
FEW = 40
VERDICTS = ("proved", "refuted", "gap", "misprint", "supported")


@dataclass(frozen=True)
class Entry:
    """One claim after its check ran."""

    claim: Claim
    finding: Finding
    repaired_by: str | None
    recorded: str | None
    seconds: float

    @property
    def verdict(self) -> str:
        return self.finding.verdict

    @property
    def in_words(self) -> bool:
        """Whether a step of it is an argument in words, not a computation."""
        return any(e.engine == "argument in words" for e in self.finding.evidence)

    @property
    def problem(self) -> str | None:
        """Why this entry cannot be trusted as it stands; None when its check ran through and agreed with the record."""
        for e in self.finding.evidence:
            if not e.ok:
                return f"{e.engine} says {e.outcome}: {e.check}"
        survivors = [m.name for m in self.finding.mutants if not m.killed]
        if survivors:
            return f"false variants believed: {'; '.join(survivors)}"
        if self.recorded != self.verdict:
            return f"recorded as {self.recorded}, found {self.verdict}"
        return None

    def as_json(self) -> dict[str, Any]:
        c, f = self.claim, self.finding
        return {
            "id": c.id,
            "where": c.where,
            "kind": c.kind,
            "verdict": f.verdict,
            "says": c.says,
            "why": c.why,
            "counterexample": f.counterexample,
            "fails_when": f.fails_when,
            "region": f.region,
            "repairs": c.repairs,
            "repaired_by": self.repaired_by,
            "depends_on": list(c.depends_on),
            "evidence": [e.as_json() for e in f.evidence],
            "mutants": {"tried": len(f.mutants), "killed": sum(m.killed for m in f.mutants)},
            "problem": self.problem,
        }


def load() -> dict[str, Claim]:
    """All claims: of the paper, its sections before its appendices, then ours."""
    modules = []
    for package in ("theory.paper", "theory.ours"):
        found = pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}.")
        modules += sorted((m.name for m in found), key=lambda name: ("section" not in name, name))
    for module in modules:
        importlib.import_module(module)
    place = {module: i for i, module in enumerate(modules)}
    return dict(sorted(REGISTRY.items(), key=lambda item: place.get(item[1].module, len(place))))


def recorded() -> dict[str, str]:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def settle(ids: Iterable[str] | None = None, progress: Callable[[Claim], None] | None = None) -> list[Entry]:
    """Run the checks of the named claims, all by default, in ledger order."""
    claims = load()
    repaired = {c.repairs: c.id for c in claims.values() if c.repairs}
    record = recorded()
    chosen = list(claims if ids is None else ids)
    entries = []
    for name, (finding, seconds) in zip(chosen, _checked(chosen), strict=True):
        if progress:
            progress(claims[name])
        entries.append(Entry(claims[name], finding, repaired.get(name), record.get(name), seconds))
    return entries


def check(name: str) -> tuple[Finding, float]:
    """Run the check of one claim; what it found and how long it took."""
    start = time.perf_counter()
    finding = load()[name].build().check()
    return finding, time.perf_counter() - start


def _checked(names: list[str]) -> Iterator[tuple[Finding, float]]:
    """The checks in order, on all cores when there are enough of them to pay for starting processes."""
    if len(names) < FEW:
        yield from map(check, names)
        return
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        yield from pool.map(check, names, chunksize=4)


def disorder(entries: Iterable[Entry]) -> list[str]:
    """What is wrong with the ledger as a whole: dangling names, defects without repair, misprints not put right."""
    by_id = {e.claim.id: e for e in entries}
    problems = []
    for name, e in by_id.items():
        problems += [f"{name}: depends on unknown claim {d}" for d in e.claim.depends_on if d not in by_id]
        if e.claim.repairs and e.claim.repairs not in by_id:
            problems.append(f"{name}: repairs unknown claim {e.claim.repairs}")
        if e.verdict in ("refuted", "gap", "misprint") and e.claim.kind != "statistical" and e.repaired_by is None:
            problems.append(f"{name}: {e.verdict} and not repaired")
        if e.verdict == "misprint" and e.repaired_by and by_id[e.repaired_by].verdict != "proved":
            problems.append(f"{name}: a misprint, but {e.repaired_by} is {by_id[e.repaired_by].verdict}")
    problems += [f"{name}: recorded, but no such claim" for name in recorded() if name not in by_id]
    return problems
