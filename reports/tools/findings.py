"""The main findings as a table in Markdown, made from the ledger: what is wrong in the paper, the worst first."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from reports.sections.ledger import DEFECTS

STANDING = (r"\bTheorem\b", r"\b(Lemma|Proposition)\b", r"\b(Eq\.|Algorithm)")
HEAD = ("claim", "verdict", "why", "counterexample", "instead")


def findings_markdown(entries: Iterable[Any], limit: int | None = 20) -> str:
    """The defects among settled claims (`theory.ledger.settle`) as a Markdown table, the `limit` most important.

    Statements before steps of proofs, theorems before lemmas before equations before prose, a statement before its
    parts, refuted before gap before misprint, what more claims rest on first; then the ledger's order.
    """
    entries = list(entries)
    by_id = {e.claim.id: e for e in entries}
    carried = _carried(entries)
    defects = [e for e in entries if e.verdict in DEFECTS and e.claim.repairs is None]
    defects.sort(key=lambda e: importance(e, carried.get(e.claim.id, 0)))
    shown = defects if limit is None else defects[:limit]
    rows = [_row(HEAD), _row(["---"] * len(HEAD)), *(_row(_cells(e, by_id)) for e in shown)]
    left = len(defects) - len(shown)
    return "\n".join(rows) + (f"\n\nand {left} more: `python -m theory`.\n" if left else "\n")


def importance(entry: Any, carried: int) -> tuple[int, int, int, int, int]:
    """What to sort by, the most important least."""
    where = entry.where
    standing = next((i for i, pattern in enumerate(STANDING) if re.search(pattern, where)), len(STANDING))
    step = int(entry.claim.kind in ("step", "notation") or "proof" in where.lower())
    return step, standing, int("/" in entry.claim.id), DEFECTS.index(entry.verdict), -carried


def _carried(entries: Iterable[Any]) -> dict[str, int]:
    from theory.impact import reached

    entries = list(entries)
    sound = {e.claim.id for e in entries if e.verdict == "proved"}
    return {e.claim.id: len(reached(e.claim.id, (x.claim for x in entries), sound)) for e in entries}


def _cells(entry: Any, by_id: dict[str, Any]) -> list[str]:
    repair = by_id.get(entry.repaired_by)
    instead = f"${repair.says}$ ({repair.verdict})" if repair else ""
    return [
        f"`{entry.claim.id}`, {entry.where.split(',')[0]}",
        entry.verdict,
        entry.claim.why,
        _example(entry),
        instead,
    ]


def _example(entry: Any) -> str:
    found = dict(entry.finding.counterexample or {})
    sides = [str(found.pop(side)) for side in ("left", "right") if side in found]
    at = ", ".join(f"{name} = {_plain(value)}" for name, value in found.items())
    return at + (f": {' against '.join(sides)}" if len(sides) == 2 else "")


def _plain(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(re.sub(r"\s+", " ", cell).replace("|", r"\|") for cell in cells) + " |"
