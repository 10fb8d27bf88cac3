"""Checks a written development with `coqc`: which lemmas it accepts, which claims are Coq theorems as a whole."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from theory.coq.compiler import (
    JOBS,
    Compiled,
    assumptions_file,
    axioms,
    compile_all,
    compile_file,
    imports,
    survey,
    theorems,
)
from theory.coq.development import ASSUMPTIONS, model_theorems
from theory.coq.export import BATCH, LISTING, Exported

# What Coq's own real numbers assume, and classical logic that Coquelicot and Interval use.
CLASSICAL = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
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
        """Axioms beyond those of Coq's classical real numbers."""
        return self.assumed - CLASSICAL

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
    for layer in _layers(directory, batches):
        with ThreadPoolExecutor(jobs) as pool:
            for compiled, accepted, refused in pool.map(lambda name: _batch(directory, name), layer):
                result.files.append(compiled)
                result.accepted |= accepted
                result.refused.update(refused)
    listing = _listing(directory, [c.name for c in result.files if c.ok and c.name.startswith(BATCH)])
    result.files.append(listing)
    own = [c.output for c in result.files if c.name == ASSUMPTIONS]
    result.assumed = axioms("\n".join([listing.output, *own]))
    return result


def _layers(directory: Path, batches: list[str]) -> Iterator[list[str]]:
    """Files of claims in the order in which they apply each other's lemmas."""
    needs = {name: imports((directory / f"{name}.v").read_text()).intersection(batches) for name in batches}
    while needs:
        ready = [name for name, needed in needs.items() if not needed & set(needs)]
        if not ready:
            raise ValueError(f"files that wait for each other: {sorted(needs)}")
        yield ready
        needs = {name: needed for name, needed in needs.items() if name not in ready}


def _batch(directory: Path, name: str) -> tuple[Compiled, set[str], dict[str, str]]:
    """Compile one file of claims. What Coq refuses is left out, with all that uses it, and the rest is compiled."""
    path = directory / f"{name}.v"
    compiled = compile_file(directory, name)
    seconds, refused = compiled.seconds, dict[str, str]()
    header, *pieces = _PIECE.split(path.read_text())
    if not compiled.ok:
        start = time.perf_counter()
        refused = survey(directory, name)
        seconds += time.perf_counter() - start
        pieces = _left(pieces, refused)
        path.write_text(header + "".join(pieces))
        compiled = compile_file(directory, name)
        seconds += compiled.seconds
    while not compiled.ok and (at := _LINE.search(compiled.output)):  # a proof that only coqtop finishes
        bad = _containing([header, *pieces], int(at.group(1)))
        if not bad:
            break
        refused |= dict.fromkeys(_NAME.findall(pieces[bad - 1]), compiled.error)
        pieces = _left(pieces, refused)
        path.write_text(header + "".join(pieces))
        compiled = compile_file(directory, name)
        seconds += compiled.seconds
    accepted = {n for piece in pieces for n in _NAME.findall(piece)} if compiled.ok else set()
    return Compiled(name, compiled.ok, seconds, compiled.output), accepted, refused


def names_in(text: str) -> list[str]:
    """The lemmas of a file."""
    return _NAME.findall(text)


def _left(pieces: list[str], refused: Mapping[str, str]) -> list[str]:
    """The pieces in which no refused lemma stands or is used."""
    out = set(refused)
    left = []
    for piece in pieces:
        if out.intersection(_WORD.findall(piece)):
            out.update(_NAME.findall(piece))
        else:
            left.append(piece)
    return left


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
