"""Overview of the ledger: counts by author and level, defects by severity, marks by section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.page.claims import LEVELS, VERDICTS, View
from reports.sections.ledger import SEVERITIES

AUTHORS = {"paper": "claims of the paper", "repair": "repairs", "us": "our own results"}


@dataclass(frozen=True)
class Severity:
    """The defects of one severity, by their cause where the ledger names it."""

    name: str
    meaning: str
    defects: tuple[View, ...]

    @property
    def causes(self) -> list[tuple[str, tuple[View, ...]]]:
        """(cause, defects), the most frequent cause first; "" for those without one."""
        by: dict[str, list[View]] = {}
        for view in self.defects:
            by.setdefault(view.raw.get("cause_text") or "", []).append(view)
        return [(cause, tuple(by[cause])) for cause in sorted(by, key=lambda cause: (cause == "", -len(by[cause])))]


def severities(shown: Mapping[str, View]) -> list[Severity]:
    """The defects of the paper by severity, the worst first; unknown severities last."""
    by: dict[str, list[View]] = {}
    for view in shown.values():
        if view.defect:
            by.setdefault(view.raw.get("severity") or "argument", []).append(view)
    names = [*(name for name in SEVERITIES if name in by), *sorted(name for name in by if name not in SEVERITIES)]
    return [Severity(name, SEVERITIES.get(name, ""), tuple(by[name])) for name in names]


def author(view: View) -> str:
    """paper, repair (ours, of a claim of the paper) or us."""
    if view.raw["by"] == "paper":
        return "paper"
    return "repair" if view.raw["repairs"] else "us"


@dataclass(frozen=True)
class Counts:
    """A table: one row per author, one column per verdict; proved ones also by level where levels are known."""

    columns: tuple[tuple[str, str], ...]  # (name, meaning)
    rows: tuple[tuple[str, int, tuple[int, ...]], ...]  # (author, claims, number in each column)


def counts(shown: Mapping[str, View]) -> Counts:
    found = Counter((author(view), key) for view in shown.values() for key in _keys(view))
    levels = [name for name in LEVELS if any((who, name) in found for who in AUTHORS)]
    verdicts = [name for name in VERDICTS if any((who, name) in found for who in AUTHORS)]
    columns = tuple((name, VERDICTS.get(name) or LEVELS[name]) for name in _order(verdicts, levels))
    rows = tuple(
        (words, found[who, "all"], tuple(found[who, name] for name, _ in columns))
        for who, words in AUTHORS.items()
        if found[who, "all"]
    )
    return Counts(columns, rows)


def _keys(view: View) -> list[str]:
    level = view.raw.get("level") if view.raw["verdict"] == "proved" else None
    return ["all", view.raw["verdict"], *([level] if level else [])]


def _order(verdicts: Sequence[str], levels: Sequence[str]) -> list[str]:
    """Levels stand right after "proved", which they divide."""
    return [key for name in verdicts for key in ([name, *levels] if name == "proved" else [name])]
