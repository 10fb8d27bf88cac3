"""From options to a folder: run what is missing, analyse, write the data, and the page last.

`sections` lists all sections in the order of the page; each module lists its own in `SECTIONS`.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from reports.core.jobs import Chapter, Options, Report, Section, Tools
from reports.core.panel import Panel
from reports.core.store import Store, canonical, remove_leftovers, versions, write_file

HOME = "reports.sections"
# In the order of the page.
PACKAGES = tuple(
    f"{HOME}.{name}"
    for name in (
        "ledger",
        "curves",
        "optimality",
        "two_arms",
        "sweep",
        "bounded_rewards",
        "first_rounds",
        "waterfall",
        "vacuity",
        "coverage",
        "paper_panels",
        "movielens",
        "variance_estimators",
        "sensitivity",
        "more_arms",
        "run_times",
        "speed",
    )
)
PAGE = "page"  # the stage after all sections


def sections(packages: Sequence[str] = PACKAGES) -> tuple[Section, ...]:
    """All sections, names and groups free of clashes."""
    found = tuple(section for package in packages for section in import_module(package).SECTIONS)
    names = [section.name for section in found]
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise ValueError(f"section names must be unique, got twice: {', '.join(doubled)}")
    return found


def choose(found: Sequence[Section], only: Sequence[str]) -> tuple[Section, ...]:
    """The sections whose name or group was asked for; all of them if no names are given."""
    known = {section.name for section in found} | {section.group for section in found}
    for name in only:
        if name not in known:
            raise ValueError(f"--only must name a section or a group of {', '.join(sorted(known))}; got {name!r}")
    return tuple(section for section in found if not only or section.name in only or section.group in only)


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
        remove_leftovers(folder)
    chapters = tuple(chapter(section, options, store, tools, tick) for section in chosen)
    report = Report(options, chapters, options.command(*options.only), versions())
    _check_ids(report)
    files = [path for panel in report.panels for path in _write_panel(out / "data", panel)]
    page = out / "index.html"
    tick(PAGE, 0, 1)
    write_file(page, _page(report).encode())
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
    write_file(full, canonical(record).encode() + b"\n")
    if not panel.table.columns:
        return [full]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([panel.table.columns, *panel.table.rows])
    short = full.with_suffix(".csv")
    write_file(short, text.getvalue().encode())
    return [full, short]


def _page(report: Report) -> str:
    from reports.page import render  # imported late: Jinja2 and the ledger are needed for the page only

    return render(report)
