"""`python -m theory --coq DIR`: writes the Coq development, checks it where `coqc` is, and compares with the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from theory.coq import record
from theory.coq.check import Checked, CoqEvidence, check
from theory.coq.compiler import ABSENT, coqc
from theory.coq.development import model_theorems
from theory.coq.export import Exported, exported, write
from theory.coq.falsified import turned
from theory.kernel.claim import Claim

Say = Callable[[str], None]


def run(
    directory: Path,
    claims: Iterable[Claim],
    say: Say,
    checking: bool = True,
    recording: bool = False,
    ours: bool = True,
) -> int:
    """Write the development of the proved claims to a folder and check it.

    Parameters
    ----------
    directory
        Where the `.v` files go.
    claims
        The proved claims of the ledger.
    say
        Called with each line of the report.
    checking
        Whether to run `coqc`.
    recording
        Whether to record which claims are Coq theorems.
    ours
        Whether these are the claims that the record is about.

    Returns
    -------
    int
        0 when the development compiles, no false statement is accepted and every recorded claim is a Coq theorem;
        1 otherwise. Lemmas that Coq refuses are listed; they fail the run only if their claim is recorded. Those that
        are recorded as refused are tried again only if their text or the tactics changed.
    """
    chosen = [exported(c) for c in claims]
    files = write(directory, chosen)
    lemmas = sum(len(c.lemmas) for c in chosen)
    say(f"{directory}: {len(files)} files, {lemmas} lemmas of {sum(bool(c.lemmas) for c in chosen)} claims")
    if not checking:
        return 0
    if coqc() is None:
        say(f"not checked: {ABSENT}")
        return 1
    found = check(directory, known=record.refused() if ours else ())
    evidence = found.evidence(chosen)
    wrong = turned(directory, chosen)
    _report(found, evidence, chosen, say)
    say(f"statements made false, proofs kept: {len(wrong.refused)} of {len(wrong.tried)} refused")
    problems = [*_faults(found), *(f"{name}: Coq accepts a false statement" for name in wrong.accepted)]
    problems += [f"{name}: made false, and Coq did not finish" for name in wrong.unfinished]
    lost, notes = _compared(evidence) if ours else ([], [])
    for line in (*problems, *lost, *(() if recording else notes)):
        say(line)
    if recording and ours and not problems:
        say(f"recorded {record.save(evidence.values())} claims")
        record.save_refused(found.roots)
    return 1 if problems or (lost and not recording) else 0


def _report(found: Checked, evidence: dict[str, CoqEvidence], chosen: list[Exported], say: Say) -> None:
    for c in found.files:
        say(f"  {c.name:24} {c.seconds:7.1f} s  {'ok' if c.ok else c.error}")
    for name, error in sorted(found.refused.items()):
        say(f"refused: {name}: {error}")
    theorems = sum(map(len, model_theorems().values()))
    say(f"model: {theorems} theorems for every number of arms")
    accepted = sum(len(e.lemmas) for e in evidence.values())
    say(f"claims: {accepted} of {sum(len(c.lemmas) for c in chosen)} lemmas accepted")
    say(f"claims that are Coq theorems as a whole: {sum(e.complete for e in evidence.values())} of {len(chosen)}")
    say(f"assumed: {', '.join(sorted(found.assumed)) or 'nothing'}")


def _faults(found: Checked) -> Iterator[str]:
    """What is wrong with the development itself."""
    yield from (f"{c.name}: {c.error}" for c in found.files if not c.ok)
    if found.foreign:
        yield f"axioms beyond Coq's classical real numbers: {', '.join(sorted(found.foreign))}"


def _compared(evidence: dict[str, CoqEvidence]) -> tuple[list[str], list[str]]:
    """Differences from the record: claims that are no longer Coq theorems, and other changes.

    Only the first is a failure. A claim whose statement changed and that Coq accepts again, or one that is new, is not
    yet at level `kernel` in the ledger; --record takes it over.
    """
    before = record.read()
    now = {e.id: e for e in evidence.values() if e.complete}
    lost = [f"{id}: recorded as a Coq theorem, and is none now" for id in before if id not in now]
    changed = [id for id, e in now.items() if id in before and before[id]["digest"] != e.digest]
    new = [id for id in now if id not in before]
    notes = [f"out of date, run with --record: {what}: {', '.join(ids)}" for what, ids in (
        ("other statements than recorded, accepted by Coq", changed), ("Coq theorems not yet recorded", new)
    ) if ids]  # fmt: skip
    return lost, notes
