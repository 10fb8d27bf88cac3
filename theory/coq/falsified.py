"""Statements made false, with their proofs kept: Coq must refuse each of them.

The right side of a relation is put on the wrong side of the left one, by 1: a <= b becomes a <= a - 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import sympy as sp

from theory.coq.check import names_in
from theory.coq.compiler import JOBS, LIBRARY, UNFINISHED, survey
from theory.coq.export import BATCH, FALSE, HEADER, UNWRITTEN, Exported, Item
from theory.coq.lemma import Lemma, relation_text, sides
from theory.kernel.goal import Rel

EVERY = 20  # one relation in so many is tried in a full check
PER_FILE = 40
SECONDS = 20  # for a sentence of a false statement: proofs of true ones take a fraction of this, failing ones any time


@dataclass(frozen=True)
class Turned:
    """Which false statements were tried, and which of them Coq accepted, refused or did not finish."""

    tried: tuple[str, ...]
    accepted: tuple[str, ...]
    refused: dict[str, str]
    unfinished: tuple[str, ...] = ()


def turned(directory: Path, claims: Iterable[Exported], every: int = EVERY) -> Turned:
    """Try false statements in a folder that was checked: one for every so many accepted lemmas."""
    files = _compiled(directory)
    texts = [text for item in _accepted_items(directory, claims)[::every] if (text := falsified(item))]
    imports = f"From {LIBRARY} Require Import {' '.join(path.stem for path in files)}.\n" if files else ""
    parts = -(-len(texts) // PER_FILE)
    found: dict[str, str] = {}
    with ThreadPoolExecutor(JOBS) as pool:
        for part in pool.map(lambda k: _surveyed(directory, f"{FALSE}{k}", imports, texts[k::parts]), range(parts)):
            found |= part
    tried = tuple(names_in("".join(texts)))
    unfinished = tuple(n for n in tried if found.get(n) == UNFINISHED)
    refused = {n: error for n, error in found.items() if error != UNFINISHED}
    return Turned(tried, tuple(n for n in tried if n not in found), refused, unfinished)


def _compiled(directory: Path) -> list[Path]:
    return sorted(path for path in directory.glob(f"{BATCH}*.v") if path.with_suffix(".vo").exists())


def _accepted_items(directory: Path, claims: Iterable[Exported]) -> list[Item]:
    """The items of claims whose lemmas are all in a file that Coq compiled."""
    standing = {n for path in _compiled(directory) for n in names_in(path.read_text())}
    return [item for claim in claims for item in claim.items if item.texts and standing.issuperset(item.texts)]


def _surveyed(directory: Path, name: str, imports: str, texts: list[str]) -> dict[str, str]:
    (directory / f"{name}.v").write_text(f"{HEADER}{imports}Set Default Timeout {SECONDS}.\n{''.join(texts)}")
    return survey(directory, name)


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
    left, right = sides(goal.rel)
    wrong = right + 1 if isinstance(left, sp.Limit) else left - 1 if goal.rel.op[0] == "<" else left + 1
    false = Rel(left, goal.rel.op, wrong)
    head = head[: -len(said)] + relation_text(false)
    return head.replace(f"Lemma {name} :", f"Lemma {name}_false :", 1) + ".\nProof.\n" + proof
