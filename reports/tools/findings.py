"""docs/findings.md, made from the ledger: every defect of the paper by severity, with counterexample and repair."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reports.sections.ledger import DEFECTS, SEVERITIES, severity, tally

Claim = Mapping[str, Any]
HEAD = ("place", "verdict", "reason", "counterexample", "instead")
INTRODUCTION = """\
# Findings

Generated from the ledger by `python -m reports.tools.readme`; do not edit. `python -m theory LABEL` explains one entry
with its proof. Numbers are those of the compiled paper, labels those of its source.
"""


def findings_markdown(claims: Iterable[Claim]) -> str:
    """The page: counts, then one table per severity, the worst first.

    `claims` are records of the ledger as `theory.ledger.Entry.as_json` gives them.
    """
    claims = list(claims)
    by_id = {c["id"]: c for c in claims}
    groups: dict[str, list[Claim]] = {}
    for c in claims:
        if c["by"] == "paper" and c["verdict"] in DEFECTS:
            groups.setdefault(c.get("severity") or severity(c) or "argument", []).append(c)
    names = [*(name for name in SEVERITIES if name in groups), *sorted(set(groups) - set(SEVERITIES))]
    parts = [INTRODUCTION, _counts(claims), *(_section(name, groups[name], by_id) for name in names)]
    return "\n".join(parts)


def _counts(claims: Sequence[Claim]) -> str:
    t = tally(claims)
    levels = Counter(c.get("level") for c in claims if c["verdict"] == "proved" and c.get("level"))
    told = ", ".join(f"{count} {name}" for name, count in sorted(levels.items()))
    open_ones = f", {t['open']} open" if t["open"] else ""
    return (
        f"{t['paper']} claims of the paper: {t['proved']} proved, {t['supported']} supported by simulation, "
        f"{t['refuted']} refuted, {t['gap']} with a gap, {t['misprint']} misprints{open_ones}. {t['repaired']} of the "
        f"{t['fail']} defects are repaired. Besides: {t['own']} results of our own.\n"
        + (f"\nProved claims by level (ours included): {told}.\n" if told else "")
    )


def _section(name: str, defects: Sequence[Claim], by_id: Mapping[str, Claim]) -> str:
    ordered = sorted(defects, key=lambda c: DEFECTS.index(c["verdict"]))
    rows = [_row(HEAD), _row(["---"] * len(HEAD)), *(_row(_cells(c, by_id)) for c in ordered)]
    meaning = SEVERITIES.get(name, "")
    return (
        f"## {name.capitalize()} ({len(defects)})\n\n{meaning[:1].upper()}{meaning[1:]}.\n\n" + "\n".join(rows) + "\n"
    )


def _cells(c: Claim, by_id: Mapping[str, Claim]) -> list[str]:
    repair = by_id.get(c["repaired_by"])
    instead = f"${repair['says']}$ ({repair['verdict']})" if repair else ""
    number = c.get("number")
    place = f"{number}, `{c['id']}`" if number else f"`{c['id']}`"
    return [place, c["verdict"], c["why"], _example(c), instead]


def _example(c: Claim) -> str:
    found = dict(c["counterexample"] or {})
    sides = [str(found.pop(side)) for side in ("left", "right") if side in found]
    at = ", ".join(f"{name} = {_value(value)}" for name, value in found.items())
    return at + (f": {' against '.join(sides)}" if len(sides) == 2 else "")


def _value(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(re.sub(r"\s+", " ", cell).replace("|", r"\|") for cell in cells) + " |"
