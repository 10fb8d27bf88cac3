"""`python -m reports.tools.readme`: check the ledger; write findings.md and laws.md in docs, the record of the ledger,
and the picture of the README.

python -m reports.tools.readme             all of them (the picture from a quick run in out/readme, made if absent)
python -m reports.tools.readme --check     exit 1 if one of the two pages does not agree with the ledger
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reports.core.jobs import Options, Tools
from reports.core.make import choose, make, sections
from reports.core.store import write_file
from reports.sections.ledger import DEFECTS, SEVERITIES, checked_now, tally, write_record

Claim = Mapping[str, Any]
WIDTH = 120  # of lines of text
INTRODUCTION = """\
# Findings

Generated from the ledger by `python -m reports.tools.readme`; do not edit. `python -m theory LABEL` explains one entry
with its proof. Numbers are those of the compiled paper, labels those of its source.
"""


def findings_markdown(claims: Iterable[Claim]) -> str:
    """The page: counts, then the defects by severity, the worst first, each under a heading of its own.

    `claims` are records of the ledger as `theory.ledger.Entry.as_json` gives them.
    """
    claims = list(claims)
    by_id = {c["id"]: c for c in claims}
    groups: dict[str, list[Claim]] = {}
    for c in claims:
        if c["by"] == "paper" and c["verdict"] in DEFECTS:
            groups.setdefault(c.get("severity") or "argument", []).append(c)
    names = [*(name for name in SEVERITIES if name in groups), *sorted(set(groups) - set(SEVERITIES))]
    parts = [INTRODUCTION, _counts(claims), *(_section(name, groups[name], by_id) for name in names)]
    return "\n".join(parts)


def _counts(claims: Sequence[Claim]) -> str:
    t = tally(claims)
    levels = Counter(c.get("level") for c in claims if c["verdict"] == "proved" and c.get("level"))
    by_level = ", ".join(f"{count} {name}" for name, count in sorted(levels.items()))
    own = sum(bool(c.get("assumes_itself")) for c in claims if c.get("level"))
    if own:
        how = f"{own} of them through a step of their own, the others through claims that they use"
        by_level = by_level.replace(" argued", f" argued ({how})")
    open_ones = f", {t['open']} open" if t["open"] else ""
    found = (
        f"{t['paper']} claims of the paper: {t['proved']} proved, {t['supported']} supported by simulation, "
        f"{t['refuted']} refuted, {t['gap']} with a gap, {t['misprint']} misprints{open_ones}. {t['repaired']} of the "
        f"{t['fail']} defects are repaired. The ledger also has {t['own']} results of our own."
    )
    levels_text = [f"Proved claims by level (ours included): {by_level}."] if by_level else []
    return "\n\n".join(textwrap.fill(text, WIDTH) for text in (found, *levels_text)) + "\n"


def _section(name: str, defects: Sequence[Claim], by_id: Mapping[str, Claim]) -> str:
    ordered = sorted(defects, key=lambda c: DEFECTS.index(c["verdict"]))
    meaning = SEVERITIES.get(name, "")
    head = f"## {name.capitalize()} ({len(defects)})\n\n{meaning[:1].upper()}{meaning[1:]}.\n\n"
    return head + "\n".join(_defect(c, by_id) for c in ordered)


def _defect(c: Claim, by_id: Mapping[str, Claim]) -> str:
    """One defect: place and verdict, reason, counterexample, what holds instead."""
    number, repair = c.get("number"), by_id.get(c["repaired_by"])
    parts = [f"### {f'{number}, ' if number else ''}`{c['id']}`: {c['verdict']}", _text(c["why"])]
    if example := _example(c):
        typed = ", ".join(c.get("counterexample_typed") or ())
        parts.append(
            _text(f"Counterexample: {example}." + (f" (Typed, compared with nothing: {typed}.)" if typed else ""))
        )
    if repair:
        level = f", {repair['level']}" if repair.get("level") else ""
        parts.append(f"Instead, `{repair['id']}` ({repair['verdict']}{level}):")
        parts += [f"$$\n{formula}\n$$" for formula in repair["says"].split(r";\qquad ")]
    return "\n\n".join(parts) + "\n"


def _text(words: str) -> str:
    """Text that Markdown shows unchanged, in lines of limited length."""
    escaped = re.sub(r"([*<$\\])", r"\\\1", re.sub(r"\s+", " ", words))
    return textwrap.fill(escaped, WIDTH, break_long_words=False, break_on_hyphens=False)


def _example(c: Claim) -> str:
    found = dict(c["counterexample"] or {})
    sides = [str(found.pop(side)) for side in ("left", "right") if side in found]
    at = ", ".join(f"{name} = {_value(value)}" for name, value in found.items())
    return at + (f": {' against '.join(sides)}" if len(sides) == 2 else "")


def _value(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)


ROOT = Path(__file__).parents[2]
FINDINGS = ROOT / "docs" / "findings.md"
LAWS = ROOT / "docs" / "laws.md"
FOLDER = ROOT / "reports" / "pictures"
PICTURES = {"bounds-curves": "sandwich"}  # panel -> file


def picture(svg: str) -> str:
    """An inline picture of the page as a file of its own: black on white, whatever surrounds it."""
    svg = svg.replace("currentColor", "#1a1a1a")
    svg = re.sub(r"var\(--[a-z]+, (#[0-9a-f]+)\)", r"\1", svg)
    box = re.search(r'viewBox="([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)"', svg)
    assert box is not None  # every picture of the page has one
    paper = f'<rect x="{box[1]}" y="{box[2]}" width="{box[3]}" height="{box[4]}" fill="#fff"/>'
    return re.sub(r"(<svg[^>]*>)", lambda m: m[1] + paper, svg, count=1) + "\n"


def draw(out: Path) -> dict[str, str]:
    """The chosen panels of a quick run, by file name."""
    options = Options(only=tuple(PICTURES))
    report, _ = make(out, options, choose(sections(), options.only), Tools())
    return {PICTURES[panel.id]: picture(panel.svg) for panel in report.panels if panel.id in PICTURES}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m reports.tools.readme", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if the findings have changed")
    parser.add_argument("--no-findings", action="store_true", help="draw the pictures only")
    asked = parser.parse_args(argv)
    if not asked.no_findings:
        from theory.ledger import check_claims, load
        from theory.render.laws import laws_markdown

        entries = check_claims()
        findings = findings_markdown(entry.as_json(details=False) for entry in entries)
        pages = {FINDINGS: findings, LAWS: laws_markdown(load())}
        if asked.check:
            changed = [p for p, new in pages.items() if not p.exists() or p.read_text(encoding="utf-8") != new]
            for page in changed:
                print(f"docs/{page.name} has changed; run python -m reports.tools.readme", file=sys.stderr)
            return int(bool(changed))
        FINDINGS.parent.mkdir(exist_ok=True)
        for page, new in pages.items():
            write_file(page, new.encode())
        write_record(checked_now(entries))
    FOLDER.mkdir(exist_ok=True)
    for name, svg in draw(ROOT / "out" / "readme").items():
        write_file(FOLDER / f"{name}.svg", svg.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
