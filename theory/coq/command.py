"""`python -m theory --coq DIR`: writes the Coq development, checks it where `coqc` is, and compares with the record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from theory.coq import record
from theory.coq.check import MACHINE, Checked, CoqEvidence, check
from theory.coq.compiler import ABSENT, coqc
from theory.coq.development import model_theorems
from theory.coq.export import Exported, exported, write
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
        0 when everything that could be checked was accepted as recorded, 1 otherwise.
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
    found = check(directory)
    evidence = found.evidence(chosen)
    problems = [*_faults(found), *(_changed(evidence) if ours and not recording else ())]
    _report(found, evidence, chosen, say)
    for problem in problems:
        say(problem)
    if recording and ours and not found.failed:
        say(f"recorded {record.save(evidence.values())} claims")
    return 1 if problems else 0


def accepted(claims: Iterable[Claim]) -> dict[str, CoqEvidence]:
    """Export claims to a folder of their own and check them: what Coq says of each."""
    chosen = [exported(c) for c in claims]
    with TemporaryDirectory() as folder:
        write(Path(folder), chosen, model=any(c.by_model for c in chosen))
        return check(Path(folder)).evidence(chosen)


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
    machine = {a for a in found.assumed if a.startswith(MACHINE)}
    also = f", and {len(machine)} of Coq's machine arithmetic (numeric enclosures only)" if machine else ""
    say(f"assumed: {', '.join(sorted(found.assumed - machine)) or 'nothing'}{also}")


def _faults(found: Checked) -> Iterator[str]:
    """What is wrong with the development itself."""
    yield from (f"{c.name}: {c.error}" for c in found.files if not c.ok)
    if found.foreign:
        yield f"axioms beyond Coq's classical real numbers: {', '.join(sorted(found.foreign))}"


def _changed(evidence: dict[str, CoqEvidence]) -> Iterator[str]:
    """Claims that are not what the record says of them."""
    before = record.read()
    for id, entry in before.items():
        now = evidence.get(id)
        if now is None or not now.complete:
            yield f"{id}: recorded as a Coq theorem, and is none now"
        elif now.digest != entry["digest"]:
            yield f"{id}: its Coq statement is not the recorded one; run with --record"
    new = [e.id for e in evidence.values() if e.complete and e.id not in before]
    if new:
        yield f"Coq theorems that are not recorded, run with --record: {', '.join(new)}"
