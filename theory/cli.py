"""`python -m theory`: the ledger as a table, one claim explained, JSON, or files to send."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress, SpinnerColumn, TextColumn
from rich.table import Table

from theory.impact import around
from theory.ledger import RECORD, VERDICTS, Entry, disorder, load, settle
from theory.render import export
from theory.render.terminal import explain

PIPE_WIDTH = 200  # nobody wraps lines in a pipe
COLOURS = {
    "proved": "green",
    "refuted": "red",
    "gap": "yellow",
    "misprint": "magenta",
    "supported": "cyan",
    "open": "red",
}


def main(argv: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(argv)
    out, err = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH), Console(stderr=True)
    if args.label is not None and args.label not in load():
        near = [i for i in load() if args.label in i]
        err.print(f"no claim {args.label!r}" + (f"; did you mean {', '.join(near[:8])}?" if near else ""), markup=False)
        return 1
    if args.label is not None:
        return _explain(args.label, out, err)
    entries = _run(err)
    if args.json:
        print(json.dumps([e.as_json() for e in entries], indent=1, ensure_ascii=False))
    elif args.record:
        RECORD.write_text(json.dumps({e.claim.id: e.verdict for e in entries}, indent=1) + "\n")
        out.print(f"recorded {len(entries)} verdicts")
        return 0
    elif args.export is not None:
        for path in export.write(entries, args.export):
            out.print(str(path), markup=False)
    else:
        _table(entries, out)
    problems = [f"{e.claim.id}: {e.problem}" for e in entries if e.problem] + disorder(entries)
    for p in problems:
        err.print(p, markup=False)
    return 1 if problems else 0


def _explain(label: str, out: Console, err: Console) -> int:
    """Check only what the explanation of one claim speaks of; 0 when its own check ran through and agreed."""
    entries = _run(err, around(label, load().values()))
    explain(label, entries, out)
    return 1 if any(e.problem for e in entries if e.claim.id == label) else 0


def _parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="python -m theory", description="Every claim of the paper, with a machine-checked verdict."
    )
    p.add_argument("label", nargs="?", help="explain this claim")
    what = p.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print the ledger as JSON")
    what.add_argument("--export", type=Path, metavar="DIR", help="write the ledger as Markdown, the erratum as LaTeX")
    what.add_argument("--record", action="store_true", help="record the verdicts found now as the expected ones")
    return p


def _run(err: Console, ids: list[str] | None = None) -> list[Entry]:
    if not sys.stderr.isatty():
        return settle(ids)
    columns = SpinnerColumn(), TextColumn("{task.completed}/{task.total} {task.description}")
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("", total=len(load() if ids is None else ids))
        return settle(ids, progress=lambda c: bar.update(task, advance=1, description=c.id))


def _table(entries: list[Entry], out: Console) -> None:
    table = Table(box=None, pad_edge=False, expand=True)
    for column in ("verdict", "claim", "mutants", "why"):
        table.add_column(column, no_wrap=True, overflow="ellipsis", ratio=1 if column == "why" else None)
    for e in entries:
        dead = sum(m.killed for m in e.finding.mutants)
        score = f"{dead}/{len(e.finding.mutants)}" if e.finding.mutants else ""
        verdict = f"[{COLOURS[e.verdict]}]{e.verdict}[/]" + (" †" if e.in_words else "")
        table.add_row(verdict, escape(e.claim.id), score, escape(first_sentence(e.claim.why)))
    out.print(table)
    counts = Counter(e.verdict for e in entries)
    tried = sum(len(e.finding.mutants) for e in entries)
    killed = sum(m.killed for e in entries for m in e.finding.mutants)
    repaired = sum(e.repaired_by is not None for e in entries)
    found = ", ".join(f"{counts[v]} {v}" for v in VERDICTS if counts[v])
    out.print(f"\n{len(entries)} claims: {found}; {repaired} repaired")
    out.print(f"mutation score: {killed} of {tried} false variants refused")
    out.print("† one step is an argument in words; the explanation of the claim names it")


def first_sentence(text: str) -> str:
    return re.split(r"(?<!Eq)\. ", text)[0].rstrip(".")
