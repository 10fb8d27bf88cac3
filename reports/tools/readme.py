"""Keep the README in step: `python -m reports.tools.readme` puts in the findings of the ledger and two of its pictures.

python -m reports.tools.readme             findings and pictures (drawn from the quick run in out/, made if absent)
python -m reports.tools.readme --check     exit 1 if the findings in the README are not those of the ledger
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from reports.core import atomic_files
from reports.tools.findings import findings_markdown

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PICTURES = {
    "bounds-curves": "Regret of ReUCB and the bounds on it",
    "bounds-waterfall": "What each step of the proof costs",
}
SHOWN = 12


def findings(entries: Iterable[Any]) -> str:
    """Counts in one sentence, then the table."""
    entries = list(entries)
    of = {v: sum(e.verdict == v for e in entries) for v in ("proved", "refuted", "gap", "misprint", "supported")}
    repaired = sum(e.repaired_by is not None for e in entries)
    head = (
        f"{len(entries)} claims: {of['proved']} proved, {of['refuted']} refuted, {of['gap']} with a gap, "
        f"{of['misprint']} misprints, {of['supported']} supported by simulation; {repaired} repaired."
    )
    return f"{head}\n\n{findings_markdown(entries, SHOWN)}"


def put(text: str, name: str, body: str) -> str:
    """The text with what stands between the two marks of this name replaced."""
    pattern = re.compile(rf"(<!-- {name}: [^>]*-->\n).*?(<!-- /{name} -->)", re.S)
    if len(pattern.findall(text)) != 1:
        raise ValueError(f"README.md: the marks <!-- {name}: ... --> and <!-- /{name} --> must stand there once")
    return pattern.sub(lambda m: m[1] + body.rstrip("\n") + "\n" + m[2], text)


def picture(svg: str) -> str:
    """An inline picture of the page as a file of its own: black on white, whatever surrounds it."""
    svg = svg.replace("currentColor", "#1a1a1a")
    svg = re.sub(r"var\(--[a-z]+, (#[0-9a-f]+)\)", r"\1", svg)
    box = re.search(r'viewBox="([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)"', svg)
    assert box is not None  # every picture of the page has one
    paper = f'<rect x="{box[1]}" y="{box[2]}" width="{box[3]}" height="{box[4]}" fill="#fff"/>'
    return re.sub(r"(<svg[^>]*>)", lambda m: m[1] + paper, svg, count=1) + "\n"


def draw(options: Any, out: Path) -> dict[str, str]:
    """The chosen panels of a quick run."""
    from reports.core.jobs import Tools
    from reports.core.make import make
    from reports.core.registry import choose, sections

    report, _ = make(out, options, choose(sections(), options.only), Tools())
    return {panel.id: panel.svg for panel in report.panels if panel.id in PICTURES}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m reports.tools.readme", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if the findings have drifted")
    args = parser.parse_args(argv)

    from reports.core.jobs import Options
    from theory.ledger import settle

    old = README.read_text(encoding="utf-8")
    new = put(old, "findings", findings(settle()))
    if args.check:
        if new != old:
            print(
                "README.md: the findings are not those of the ledger; run python -m reports.tools.readme",
                file=sys.stderr,
            )
        return int(new != old)
    for name, svg in draw(Options(only=tuple(PICTURES)), ROOT / "out" / "readme").items():
        path = ROOT / "reports" / "pictures" / f"{name}.svg"
        path.parent.mkdir(exist_ok=True)
        atomic_files.write(path, picture(svg).encode())
    shown = "\n\n".join(f"![{text}](reports/pictures/{name}.svg)" for name, text in PICTURES.items())
    atomic_files.write(README, put(new, "pictures", shown).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
