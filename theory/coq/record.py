"""The outcome of the last run of Coq: the claims that are Coq theorems, and the lemmas that it refused.

For every claim that is a Coq theorem its lemmas and a digest of them are kept. Of a refused lemma the digest of its
text is kept: it is not tried again with the same tactics, as a proof that fails takes longer than one that does not.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from theory.coq.development import SUPPORT
from theory.kernel.argument import Argument
from theory.kernel.claim import REGISTRY, Claim

if TYPE_CHECKING:
    from theory.coq.check import CoqEvidence

RECORD = Path(__file__).with_name("recorded.json")
REFUSED = Path(__file__).with_name("refused.json")


def read() -> dict[str, dict[str, Any]]:
    """The record: claim id, then `digest`, `lemmas` and `seconds`, the CPU time of their proofs."""
    return _read(RECORD, RECORD.stat().st_mtime_ns) if RECORD.exists() else {}


@lru_cache(maxsize=1)
def _read(path: Path, changed: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def save(evidence: Iterable[CoqEvidence]) -> int:
    """Record the claims that are Coq theorems as a whole; how many there are."""
    kept = {
        e.id: {"digest": e.digest, "lemmas": list(e.lemmas), "seconds": round(e.seconds, 2)}
        for e in evidence
        if e.complete
    }
    draft = RECORD.with_suffix(".tmp")
    draft.write_text(json.dumps(kept, indent=1) + "\n")
    draft.replace(RECORD)
    return len(kept)


def refused() -> frozenset[str]:
    """Digests of the texts that Coq refused with the tactics as they are now."""
    if not REFUSED.exists():
        return frozenset()
    found = json.loads(REFUSED.read_text(encoding="utf-8"))
    return frozenset(found["lemmas"].values()) if found["tactics"] == _tactics() else frozenset()


def save_refused(lemmas: Mapping[str, str]) -> None:
    """Record refused lemmas: name, and digest of the text."""
    text = json.dumps({"tactics": _tactics(), "lemmas": dict(sorted(lemmas.items()))}, indent=1)
    draft = REFUSED.with_suffix(".tmp")
    draft.write_text(text + "\n")
    draft.replace(REFUSED)


def _tactics() -> str:
    """A digest of the files that every exported claim needs."""
    found = hashlib.sha256()
    for path in sorted(SUPPORT.glob("*.v")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def in_record(claim: Claim) -> bool:
    """Whether Coq accepted the claim when it was last run, as it was stated then."""
    return claim.id in read()


def kernel_lemmas(claim: Claim, argument: Argument | None = None, alone: bool = False) -> tuple[str, ...] | None:
    """The Coq lemmas of a claim that Coq accepted as it is stated now; None if its level is not `kernel`.

    Nothing is run: the claim's Coq statements are printed again and their digest is compared with the record. The same
    must be true of the claims whose statements its proof uses: they are hypotheses of its lemmas. `alone`: of those,
    that they are in the record.
    """
    if claim.id not in read():
        return None
    if REGISTRY.get(claim.id) is claim and (argument is None or argument is claim.argument):
        found = _accepted_sources(claim.id, _digest(claim.id))
    else:
        found = _sources(claim, argument, _digest(claim.id))
    seen, open_ = {claim.id}, list(found or ())
    while open_ and found is not None and not alone:
        name = open_.pop()
        if name not in seen:
            seen.add(name)
            found = _accepted_sources(name, _digest(name))
            open_ += found or ()
    whole = found is not None and all(_digest(name) for name in open_)
    return tuple(read()[claim.id]["lemmas"]) if whole else None


def _digest(name: str) -> str:
    return str(read().get(name, {}).get("digest", ""))


@lru_cache(maxsize=1024)
def _accepted_sources(name: str, digest: str) -> tuple[str, ...] | None:
    """The claims that a claim of the ledger uses, if its lemmas have this digest."""
    return _sources(REGISTRY[name], None, digest) if name in REGISTRY and digest else None


def _sources(claim: Claim, argument: Argument | None, digest: str) -> tuple[str, ...] | None:
    from theory.coq.export import exported  # most claims that are explained alone need no Coq

    found = exported(claim, argument)
    return found.sources if found.complete and found.digest == digest else None


def kernel_seconds(claim: Claim) -> float:
    """The CPU time of the proofs of a claim when Coq was last run; 0 if that is not recorded."""
    return float(read().get(claim.id, {}).get("seconds", 0.0))
