"""The command line of the reports: arguments in, a folder and a short table out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from reports.core.jobs import BadData, Options, Report, Section, Tools
from reports.core.make import Tick, make, silent
from reports.core.registry import choose, sections


def parser() -> argparse.ArgumentParser:
    this = argparse.ArgumentParser(
        prog="python -m reports",
        description="Make the report: DIR/index.html and the data behind every picture under DIR/data/. "
        "Stopped at any moment and started again with the same arguments, it goes on where it was.",
    )
    this.add_argument("--full", action="store_true", help="the paper's size (default: a quick budget)")
    this.add_argument("--only", action="append", default=[], metavar="NAME", help="a section or group; may be repeated")
    this.add_argument("--list", action="store_true", help="list sections and groups, and stop")
    this.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="folder of the report (default: out)"
    )
    this.add_argument("--seed", type=_at_least(0), default=0, metavar="N", help="seed of every simulation (default: 0)")
    this.add_argument(
        "--workers", type=_at_least(1), metavar="N", help="threads of the simulations (default: every core)"
    )
    this.add_argument("--scheduler", metavar="ADDRESS", help="address of a Dask scheduler that runs the simulations")
    this.add_argument("--movielens", type=Path, metavar="DIR", help="folder with an unpacked ml-1m or ml-100k")
    return this


def _at_least(low: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low:
            raise argparse.ArgumentTypeError(f"must be {low} or more, got {text}")
        return value

    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Make the report and tell how it went.

    0: made; 1: a file could not be written, or something proved was contradicted; 2: bad arguments;
    130: stopped.
    """
    this = parser()
    asked = this.parse_args(argv)
    console = Console(soft_wrap=True)
    try:
        chosen = choose(sections(), asked.only)
        if asked.list:
            _list(console)
            return 0
        if asked.scheduler and asked.workers:
            raise ValueError("--workers and --scheduler exclude each other: the cluster has its own workers")
        if asked.movielens and not asked.movielens.is_dir():
            raise ValueError(f"--movielens must be a folder, got {str(asked.movielens)!r}")
    except ValueError as error:
        this.error(str(error))
    return _run(asked, chosen, console)


def _run(asked: argparse.Namespace, chosen: Sequence[Section], console: Console) -> int:
    only = tuple(sorted(set(asked.only)))
    options = Options("full" if asked.full else "quick", asked.seed, asked.movielens, only)
    trouble = Console(stderr=True, soft_wrap=True, highlight=False)
    with ExitStack() as opened:
        try:
            executor = opened.enter_context(_executor(asked))
        except OSError as error:
            trouble.print(f"error: --scheduler {asked.scheduler}: {error}", markup=False)
            return 1
        try:
            tick = opened.enter_context(_progress(trouble, chosen))
            report, files = make(asked.out, options, chosen, Tools(executor), tick)
        except OSError as error:
            where = f" {error.filename}" if error.filename else f" under {asked.out}"
            why = f"{error.strerror or error}; the last page is as it was."
            trouble.print(f"error: cannot write or read{where}: {why}", markup=False)
            return 1
        except BadData as error:
            trouble.print(f"error: {error}; the last page is as it was.", markup=False)
            return 1
        except KeyboardInterrupt:
            trouble.print("stopped; the same command goes on from here.")
            return 130
    return _summary(console, report, files, asked.out)


def _executor(asked: argparse.Namespace) -> AbstractContextManager[Any]:
    """What simulations run on: threads here, or an existing Dask cluster."""
    from reucb.simulation import opened

    return opened(asked.scheduler or asked.workers)


@contextmanager
def _progress(console: Console, chosen: Sequence[Section]) -> Iterator[Tick]:
    """Bars on a terminal, nothing in a pipe."""
    if not console.is_terminal:
        yield silent
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        tasks = {section.name: bars.add_task(section.title, total=None) for section in chosen}
        yield lambda name, done, total: bars.update(tasks[name], completed=done, total=total)


def _list(console: Console) -> None:
    table = Table("name", "group", "what it shows", box=None)
    for section in sections():
        table.add_row(section.name, section.group, section.title)
    console.print(table)


def _summary(console: Console, report: Report, files: Sequence[Path], out: Path) -> int:
    """The findings in short, the contradictions in full, and where everything is."""
    table = Table("panel", "finding", box=None, show_lines=False)
    for panel in report.panels:
        table.add_row(panel.id, escape(panel.finding))
    console.print(table)
    alerts = [alert for panel in report.panels for alert in panel.alerts]
    for alert in alerts:
        console.print(f"[bold red]contradiction:[/] {escape(alert)}", highlight=False)
    console.print(f"page  {escape(str(out / 'index.html'))}", highlight=False)
    console.print(f"data  {escape(str(out / 'data'))} ({len(files) - 1} files)", highlight=False)
    return 1 if alerts else 0
