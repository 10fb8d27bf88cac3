"""Checks a written development with `coqc`: which lemmas it accepts, which claims are Coq theorems as a whole."""

from __future__ import annotations

import hashlib
import re
import time
from bisect import bisect_right
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from theory.coq.compiler import (
    JOBS,
    Compiled,
    assumptions_file,
    axioms,
    compile_all,
    compile_file,
    compile_timed,
    imports,
    in_order,
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
AGAIN = "refused before with this text, not tried again"
INDIRECT = "uses a lemma that is refused"
_PIECE = re.compile(r"^(?=\(\* (?:claim|item):? )|^(?=Definition claim_)", re.MULTILINE)
_NAME = re.compile(r"^(?:Lemma|Definition) (\w+)", re.MULTILINE)
_WORD = re.compile(r"\w+")
_LINE = re.compile(r"line (\d+), characters")


@dataclass(frozen=True)
class CoqEvidence:
    """Result of checking one claim."""

    id: str
    complete: bool  # every item of the claim is a Coq theorem
    lemmas: tuple[str, ...]
    refused: tuple[str, ...]
    digest: str
    seconds: float = 0.0  # time of the proofs


@dataclass
class Checked:
    """The outcome of checking a folder."""

    files: list[Compiled] = field(default_factory=list)
    accepted: set[str] = field(default_factory=set)
    refused: dict[str, str] = field(default_factory=dict)  # lemma: error
    roots: dict[str, str] = field(default_factory=dict)  # refused lemma that uses no refused one: digest of its text
    times: dict[str, float] = field(default_factory=dict)  # lemma: time of its proof and of those made for it
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
        return {id: self._evidence(c, id in whole, refused[id]) for id, c in chosen.items()}

    def _evidence(self, claim: Exported, complete: bool, refused: tuple[str, ...]) -> CoqEvidence:
        accepted = tuple(n for n in claim.lemmas if n in self.accepted)
        seconds = sum(self.times.get(n, 0.0) for n in accepted)
        return CoqEvidence(claim.id, complete, accepted, refused, claim.digest, seconds)


def check(directory: Path, jobs: int = JOBS, known: Collection[str] = (), compiled: Iterable[str] = ()) -> Checked:
    """Compile the development in a folder, except files that are `compiled` already.

    A lemma that is refused is left out and the rest is checked. Texts whose digest is in `known` are not tried: Coq
    refused them before.
    """
    batches = sorted(path.stem for path in directory.glob(f"{BATCH}*.v"))
    result = Checked(compile_all(directory, jobs, skip={*batches, LISTING, *compiled}))
    ok = {c.name for c in result.files if c.ok}
    result.accepted = {f"{module}.{n}" for module, names in model_theorems().items() if module in ok for n in names}
    needs = {name: imports((directory / f"{name}.v").read_text()).intersection(batches) for name in batches}

    def checked(name: str, done: Mapping[str, Batch]) -> Batch:
        return _batch(directory, name, known, {n for other in list(done.values()) for n in other.refused})

    for batch in in_order(needs, checked, jobs).values():
        result.files.append(batch.compiled)
        result.accepted |= batch.accepted
        result.refused |= batch.refused
        result.roots |= batch.roots
        result.times |= batch.seconds
    listing = _listing(directory, [c.name for c in result.files if c.ok and c.name.startswith(BATCH)])
    result.files.append(listing)
    own = [c.output for c in result.files if c.name == ASSUMPTIONS]
    result.assumed = axioms("\n".join([listing.output, *own]))
    return result


@dataclass(frozen=True)
class Batch:
    """Result of checking one file of claims."""

    compiled: Compiled
    accepted: set[str]
    refused: dict[str, str]  # lemma: error
    roots: dict[str, str]  # those that use no refused lemma: digest of the text
    seconds: dict[str, float]  # last lemma of a piece: time of its proofs


def _batch(directory: Path, name: str, known: Collection[str], before: Collection[str]) -> Batch:
    """Compile one file of claims. What Coq refuses is left out, with all that uses it, and the rest is compiled."""
    path = directory / f"{name}.v"
    header, *whole = _PIECE.split(path.read_text())
    refused = {n: AGAIN for piece in whole if digest(piece) in known for n in theorems(piece)}
    pieces = _left(whole, {*refused, *before})
    path.write_text(header + "".join(pieces))
    compiled, times = compile_timed(directory, name)
    seconds = compiled.seconds
    if not compiled.ok:
        start = time.perf_counter()
        refused |= survey(directory, name)
        seconds += time.perf_counter() - start
        pieces = _left(pieces, refused)
        path.write_text(header + "".join(pieces))
        compiled, times = compile_timed(directory, name)
        seconds += compiled.seconds
    while not compiled.ok and (at := _LINE.search(compiled.output)):  # a proof that only coqtop finishes
        bad = _containing([header, *pieces], int(at.group(1)))
        if not bad:
            break
        refused |= dict.fromkeys(_NAME.findall(pieces[bad - 1]), compiled.error)
        pieces = _left(pieces, refused)
        path.write_text(header + "".join(pieces))
        compiled, times = compile_timed(directory, name)
        seconds += compiled.seconds
    accepted = {n for piece in pieces for n in _NAME.findall(piece)} if compiled.ok else set()
    out = {n for piece in whole for n in theorems(piece)} - accepted
    refused = {n: refused.get(n, INDIRECT) for n in out}
    compiled = Compiled(name, compiled.ok, seconds, compiled.output)
    return Batch(compiled, accepted, refused, _first_refused(whole, out, before), _seconds([header, *pieces], times))


def _seconds(pieces: list[str], times: Iterable[tuple[int, float]]) -> dict[str, float]:
    """How long the proofs of each piece took, by its last lemma; from the places and times of sentences."""
    starts = list(accumulate((len(piece.encode()) for piece in pieces), initial=0))
    found: dict[str, float] = {}
    for place, seconds in times:
        names = theorems(pieces[bisect_right(starts, place) - 1])
        if names:
            found[names[-1]] = found.get(names[-1], 0.0) + seconds
    return found


def _first_refused(pieces: list[str], refused: Collection[str], before: Collection[str]) -> dict[str, str]:
    """The refused lemmas that use no lemma of another refused piece, with the digest of their piece."""
    found = {}
    for piece in pieces:
        own = theorems(piece)
        if set(own) & set(refused) and not (set(_WORD.findall(piece)) - set(own)) & {*refused, *before}:
            found[own[-1]] = digest(piece)
    return found


def digest(piece: str) -> str:
    """A digest of a piece of a file: statements and proofs."""
    return hashlib.sha256(piece.encode()).hexdigest()[:16]


def names_in(text: str) -> list[str]:
    """The lemmas of a file."""
    return _NAME.findall(text)


def _left(pieces: list[str], refused: Iterable[str]) -> list[str]:
    """The pieces that neither contain nor use a refused lemma."""
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
