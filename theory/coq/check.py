"""Checks a written development with `coqc`: which lemmas it accepts, which claims are Coq theorems as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from theory.coq.compiler import JOBS, Compiled, assumptions_file, axioms, compile_all, compile_file, theorems
from theory.coq.development import ASSUMPTIONS, model_theorems
from theory.coq.export import BATCH, LISTING, Exported

# What Coq's own real numbers assume, and classical logic that Coquelicot and Interval use.
CLASSICAL = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
# Coq's machine integers and floats, with which the tactic `interval` computes; only numeric enclosures rest on them.
MACHINE = ("PrimInt63.", "Uint63.", "PrimFloat.", "FloatAxioms.")
_PIECE = re.compile(r"^(?=\(\* (?:claim|item):? )|^(?=Definition claim_)", re.MULTILINE)
_NAME = re.compile(r"^(?:Lemma|Definition) (\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_LINE = re.compile(r"line (\d+), characters")


@dataclass(frozen=True)
class CoqEvidence:
    """What Coq says of one claim."""

    id: str
    complete: bool  # every item of the claim is a Coq theorem
    lemmas: tuple[str, ...]
    refused: tuple[str, ...]
    digest: str


@dataclass
class Checked:
    """The outcome of checking a folder."""

    files: list[Compiled] = field(default_factory=list)
    accepted: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)  # lemma: error
    assumed: set[str] = field(default_factory=set)

    @property
    def seconds(self) -> float:
        return sum(c.seconds for c in self.files)

    @property
    def failed(self) -> list[Compiled]:
        """Files other than the claims that do not compile."""
        return [c for c in self.files if not c.ok and not c.name.startswith(BATCH)]

    @property
    def foreign(self) -> set[str]:
        """Axioms beyond those of Coq's classical real numbers and of its machine arithmetic."""
        return {a for a in self.assumed - CLASSICAL if not a.startswith(MACHINE)}

    def evidence(self, claims: Iterable[Exported]) -> dict[str, CoqEvidence]:
        """What was found of each claim that has a Coq statement.

        A claim is complete if all its items are accepted and all claims whose statements it has as hypotheses are
        complete, too.
        """
        chosen = {c.id: c for c in claims if c.lemmas}
        refused = {c.id: tuple(n for n in c.lemmas if n not in self.accepted) for c in chosen.values()}
        whole = {c.id for c in chosen.values() if c.complete and not refused[c.id]}
        while bare := {id for id in whole if not whole.issuperset(chosen[id].sources)}:
            whole -= bare
        return {
            c.id: CoqEvidence(
                c.id, c.id in whole, tuple(n for n in c.lemmas if n in self.accepted), refused[c.id], c.digest
            )
            for c in chosen.values()
        }


def check(directory: Path, jobs: int = JOBS) -> Checked:
    """Compile the development in a folder. A lemma that is refused is left out and the rest is checked."""
    batches = sorted(path.stem for path in directory.glob(f"{BATCH}*.v"))
    result = Checked(compile_all(directory, jobs, skip={*batches, LISTING}))
    ok = {c.name for c in result.files if c.ok}
    result.accepted = {f"{module}.{n}" for module, names in model_theorems().items() if module in ok for n in names}
    with ThreadPoolExecutor(jobs) as pool:
        for compiled, accepted, refused in pool.map(lambda name: _batch(directory, name), batches):
            result.files.append(compiled)
            result.accepted |= accepted
            result.refused.update(refused)
    listing = _listing(directory, [c.name for c in result.files if c.ok and c.name.startswith(BATCH)])
    result.files.append(listing)
    own = [c.output for c in result.files if c.name == ASSUMPTIONS]
    result.assumed = axioms("\n".join([listing.output, *own]))
    return result


def _batch(directory: Path, name: str) -> tuple[Compiled, set[str], dict[str, str]]:
    """Compile one file of claims. After a lemma that is refused the rest is tried, then all that is left together."""
    path = directory / f"{name}.v"
    header, *rest = _PIECE.split(path.read_text())
    kept: list[str] = []
    refused: dict[str, str] = {}
    seconds = 0.0
    while True:
        path.write_text(header + "".join(rest))
        compiled = compile_file(directory, name)
        seconds += compiled.seconds
        if compiled.ok:
            break
        at = _LINE.search(compiled.output)
        bad = None if at is None else _containing([header, *rest], int(at.group(1)))
        if not bad:
            return Compiled(name, False, seconds, compiled.output), set(), {name: compiled.error}
        names = _NAME.findall(rest[bad - 1])
        refused.update(dict.fromkeys(names, compiled.error))
        kept += rest[: bad - 1]
        rest = [piece for piece in rest[bad:] if not set(names) & set(_WORD.findall(piece))]
    kept += rest
    if refused:
        path.write_text(header + "".join(kept))
        compiled = compile_file(directory, name)
        seconds += compiled.seconds
    accepted = {n for piece in kept for n in _NAME.findall(piece)} if compiled.ok else set()
    return Compiled(name, compiled.ok, seconds, compiled.output), accepted, refused


def _containing(pieces: list[str], line: int) -> int | None:
    """The piece that a line is in."""
    seen = 0
    for i, piece in enumerate(pieces):
        seen += piece.count("\n")
        if line <= seen:
            return i
    return None


def _listing(directory: Path, batches: list[str]) -> Compiled:
    """What all accepted lemmas together assume."""
    text = assumptions_file([(batch, theorems((directory / f"{batch}.v").read_text())) for batch in batches])
    (directory / f"{LISTING}.v").write_text(text)
    return compile_file(directory, LISTING)
