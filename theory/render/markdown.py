"""The ledger as a Markdown table."""

from __future__ import annotations

from collections.abc import Iterable

from theory.ledger import Entry
from theory.render.terminal import tallies

COLUMNS = ("verdict", "level or severity", "claim", "where", "why", "repaired by")


def ledger(entries: Iterable[Entry], title: str) -> str:
    """All claims, one row each, below the tallies."""
    entries = list(entries)
    rows = [f"# {title}: the ledger", "", *(f"- {line}" for line in tallies(entries)), "", _row(COLUMNS)]
    rows.append(_row("---" for _ in COLUMNS))
    for e in entries:
        repair = f"`{e.repaired_by}`" if e.repaired_by else ""
        rank = e.level or e.claim.severity or ""
        rows.append(_row((e.verdict, rank, f"`{e.claim.id}`", e.where, e.claim.why, repair)))
    return "\n".join(rows) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
