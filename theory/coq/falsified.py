"""Statements made false, with their proofs kept: Coq must refuse each of them.

The right side of a relation is put on the wrong side of the left one, by 1: a <= b becomes a <= a - 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from theory.coq.check import names_in
from theory.coq.compiler import LIBRARY, survey
from theory.coq.export import BATCH, HEADER, UNWRITTEN, Exported, Item
from theory.coq.lemma import Lemma, relation_text, sides
from theory.kernel.goal import Rel

FILE = "falsified"
EVERY = 12  # one relation in so many is tried in a full check


@dataclass(frozen=True)
class Turned:
    """Which false statements were tried, and which of them Coq accepted or refused."""

    tried: tuple[str, ...]
    accepted: tuple[str, ...]
    refused: dict[str, str]


def turned(directory: Path, claims: Iterable[Exported], every: int = EVERY) -> Turned:
    """Try false statements in a folder that was checked: one for every so many accepted lemmas."""
    files = sorted(path for path in directory.glob(f"{BATCH}*.v") if path.with_suffix(".vo").exists())
    standing = {n for path in files for n in names_in(path.read_text())}
    wanted = [item for claim in claims for item in claim.items if item.texts and standing.issuperset(item.texts)]
    texts = [text for item in wanted[::every] if (text := falsified(item))]
    imports = f"From {LIBRARY} Require Import {' '.join(path.stem for path in files)}.\n" if files else ""
    (directory / f"{FILE}.v").write_text(HEADER + imports + "".join(texts))
    refused = survey(directory, FILE)
    tried = tuple(names_in("".join(texts)))
    return Turned(tried, tuple(n for n in tried if n not in refused), refused)


def falsified(item: Item) -> str:
    """The last lemma of an item made false, with the proof of the true one; empty if there is none."""
    *_, name = item.texts
    goal = item.lemma.goal if isinstance(item.lemma, Lemma) else None
    if goal is None or (item.statements and item.statements[-1].kind not in ("relation", "rises")):
        return ""
    try:
        text = item.coq()
    except UNWRITTEN:
        return ""
    start = text.index(f"Lemma {name} :")
    own, said = text[start:], relation_text(goal.rel)
    head, proof = own.split(".\nProof.\n", 1)
    if not head.endswith(said):
        return ""
    left = sides(goal.rel)[0]
    false = Rel(left, goal.rel.op, left - 1 if goal.rel.op[0] == "<" else left + 1)
    head = head[: -len(said)] + relation_text(false)
    return head.replace(f"Lemma {name} :", f"Lemma {name}_false :", 1) + ".\nProof.\n" + proof
