"""From options to a folder: run what is missing, analyse, write the data, and the page last."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

from reports.core import atomic_files
from reports.core.jobs import Chapter, Options, Report, Section, Tools
from reports.core.panel import Panel
from reports.core.store import Store, canonical, versions

PAGE = "page"  # the stage after all sections
Tick = Callable[[str, int, int], None]  # section, units done, units in all (both 0: a stage without units)


def silent(section: str, done: int, total: int) -> None:
    """Progress without output."""


def chapter(section: Section, options: Options, store: Store, tools: Tools, tick: Tick = silent) -> Chapter:
    """One section with its panels; units whose results are kept are not run again."""
    units = section.units(options)
    outcomes = []
    for done, unit in enumerate(units):
        tick(section.name, done, len(units) + 1)  # drawing counts as one more
        outcomes.append(store.compute(unit, tools))
    tick(section.name, len(units), len(units) + 1)
    panels = tuple(section.analyse(options, outcomes))
    tick(section.name, len(units) + 1, len(units) + 1)
    return Chapter(section, panels)


def make(
    out: Path, options: Options, chosen: Sequence[Section], tools: Tools, tick: Tick = silent
) -> tuple[Report, list[Path]]:
    """Write the whole report into `out`; returns it with the files written, the page last.

    Every file is replaced in one step and the page after all of its data, so an error leaves the previous
    page unchanged.
    """
    store = Store(out / "data" / "units")
    for folder in (out, out / "data"):
        atomic_files.sweep(folder)
    chapters = tuple(chapter(section, options, store, tools, tick) for section in chosen)
    report = Report(options, chapters, options.command(*options.only), versions())
    _check_ids(report)
    files = [path for panel in report.panels for path in _write_panel(out / "data", panel)]
    page = out / "index.html"
    tick(PAGE, 0, 1)
    atomic_files.write(page, _page(report).encode())
    tick(PAGE, 1, 1)
    return report, [*files, page]


def _check_ids(report: Report) -> None:
    ids = [panel.id for panel in report.panels]
    if len(set(ids)) < len(ids):
        raise ValueError(f"panel ids must be unique, got {sorted(ids)}")


def _write_panel(folder: Path, panel: Panel) -> list[Path]:
    """The numbers of a panel as JSON (all) and CSV (the table)."""
    table = {"columns": panel.table.columns, "rows": panel.table.rows}
    record = {
        "id": panel.id, "title": panel.title, "finding": panel.finding, "notes": panel.notes,
        "reproduce": panel.reproduce, "table": table, "data": panel.data,
    }  # fmt: skip
    full = folder / panel.data_file
    atomic_files.write(full, canonical(record).encode() + b"\n")
    if not panel.table.columns:
        return [full]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([panel.table.columns, *panel.table.rows])
    short = full.with_suffix(".csv")
    atomic_files.write(short, text.getvalue().encode())
    return [full, short]


def _page(report: Report) -> str:
    from reports.page import render  # Jinja2 and the ledger, late: not before the data are there

    return render(report)
