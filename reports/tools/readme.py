"""`python -m reports.tools.readme`: settle the ledger; write docs/findings.md, its record, the picture of the README.

python -m reports.tools.readme             all three (the picture from a quick run in out/readme, made if absent)
python -m reports.tools.readme --check     exit 1 if docs/findings.md is not what the ledger says
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from reports.core import atomic_files
from reports.core.jobs import Options, Tools
from reports.core.make import make
from reports.core.registry import choose, sections
from reports.sections.ledger import settled, write_record
from reports.tools.findings import findings_markdown

ROOT = Path(__file__).parents[2]
FINDINGS = ROOT / "docs" / "findings.md"
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
        from theory.ledger import settle

        entries = settle()
        new = findings_markdown(entry.as_json() for entry in entries)
        if asked.check:
            same = FINDINGS.exists() and FINDINGS.read_text(encoding="utf-8") == new
            if not same:
                print("docs/findings.md has changed; run python -m reports.tools.readme", file=sys.stderr)
            return int(not same)
        FINDINGS.parent.mkdir(exist_ok=True)
        atomic_files.write(FINDINGS, new.encode())
        write_record(settled(entries))
    FOLDER.mkdir(exist_ok=True)
    for name, svg in draw(ROOT / "out" / "readme").items():
        atomic_files.write(FOLDER / f"{name}.svg", svg.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
