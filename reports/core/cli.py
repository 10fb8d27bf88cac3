"""The command line of the reports: arguments in, a folder and a short table out."""

from __future__ import annotations

import argparse
import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from reports.core.jobs import BadData, Options, Report, Section, Tools
from reports.core.make import PAGE, Tick, choose, make, sections, silent

MOST_THREADS = 4096  # as `reucb.simulate` allows


def parser() -> argparse.ArgumentParser:
    this = argparse.ArgumentParser(
        prog="python -m reports",
        description="Make the report: DIR/index.html and the data behind every picture under DIR/data/. "
        "An interrupted run resumes when the same command is given again; the result is the same.",
    )
    this.add_argument("--full", action="store_true", help="simulations at the paper's size (default: a quick run)")
    this.add_argument(
        "--only", action="append", default=[], metavar="NAME", help="only this section or group; may be repeated"
    )
    this.add_argument("--list", action="store_true", help="list the sections and groups, and exit")
    this.add_argument(
        "--out", type=Path, default=Path("out"), metavar="DIR", help="folder of the report (default: out)"
    )
    this.add_argument("--seed", type=_at_least(0), default=0, metavar="N", help="seed of every simulation (default: 0)")
    this.add_argument(
        "--workers",
        type=_at_least(1, MOST_THREADS),
        metavar="N",
        help="threads of the simulations (default: every core)",
    )
    this.add_argument(
        "--scheduler",
        type=_address,
        metavar="ADDRESS",
        help="Dask scheduler that runs the simulations, tcp://HOST:PORT",
    )
    this.add_argument("--movielens", type=Path, metavar="DIR", help="folder with an unpacked ml-1m or ml-100k")
    return this


def _at_least(low: int, high: float = math.inf) -> Callable[[str], int]:
    allowed = f"{low} or more" if high == math.inf else f"from {low} to {high}"

    def whole(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if not low <= value <= high:
            raise argparse.ArgumentTypeError(f"must be {allowed}, got {text[:40]}")
        return value

    return whole


def _address(text: str) -> str:
    """A scheduler address; malformed ones are rejected here, as Dask answers them with an assertion or a traceback."""
    found = re.fullmatch(r"(?:(?:tcp|tls)://)?(?:\[[0-9A-Fa-f:.]+\]|[\w.-]+):([0-9]{1,5})", text)
    if not found or not 1 <= int(found[1]) <= 65535:
        raise argparse.ArgumentTypeError(f"must be tcp://HOST:PORT or tls://HOST:PORT, got {text[:80]!r}")
    return text


def main(argv: Sequence[str] | None = None) -> int:
    """Make the report and print a summary.

    0: made; 1: a file could not be written, or something proved was contradicted; 2: bad arguments;
    130: interrupted.
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
    errors = Console(stderr=True, soft_wrap=True, highlight=False)
    titles = {section.name: section.title for section in chosen} | {PAGE: "The page"}
    with ExitStack() as opened:
        try:
            executor = opened.enter_context(_executor(asked))
            tick = opened.enter_context(shown(errors, titles))
            report, files = make(asked.out, options, chosen, Tools(executor, asked.movielens), tick)
        except KeyboardInterrupt:
            errors.print("interrupted; the same command resumes from here.")
            return 130
        except Exception as error:  # a cluster raises many kinds of errors; those not explained are raised again
            message = _explained(error, asked)
            if message is None:
                raise
            errors.print(f"error: {message}", markup=False)
            return 1
    return _summary(console, report, files, asked.out)


def _explained(error: Exception, asked: argparse.Namespace) -> str | None:
    """One line about an error that is not a fault of the program; None for the others."""
    kept = "the last page is unchanged."
    if isinstance(error, BadData):
        return f"{error}; {kept}"
    if asked.scheduler and _of_cluster(error):
        why = str(error) or "the connection was lost"
        return f"--scheduler {asked.scheduler}: {why}; {kept} Finished pieces are kept: the same command resumes."
    if isinstance(error, OSError):
        where = error.filename or f"a file in {asked.out}"
        return f"cannot write or read {where}: {error.strerror or error}; {kept}"
    return None


def _of_cluster(error: Exception) -> bool:
    """Whether an error comes from the connection to a Dask scheduler: Dask has its own classes for some of them."""
    known = (CancelledError, ConnectionError, TimeoutError, BrokenExecutor, ImportError)
    nameless = isinstance(error, OSError) and error.filename is None  # files have names
    of_dask = type(error).__module__.partition(".")[0] in ("distributed", "tornado")
    without_tls = isinstance(error, TypeError) and "TLS" in str(error)
    of_cause = isinstance(error.__cause__, Exception) and _of_cluster(error.__cause__)  # as `simulate` raises it
    return isinstance(error, known) or nameless or of_dask or without_tls or of_cause


def _executor(asked: argparse.Namespace) -> AbstractContextManager[Any]:
    """What simulations run on: threads here, or an existing Dask cluster."""
    from reucb.simulation import opened

    return opened(asked.scheduler or asked.workers)


@contextmanager
def shown(console: Console, titles: Mapping[str, str]) -> Iterator[Tick]:
    """A bar for the current section and a line with its time for each finished one; no output in a pipe."""
    if not console.is_terminal:
        yield silent
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        task = bars.add_task("starting", total=None)
        began: dict[str, float] = {}

        def tick(section: str, done: int, total: int) -> None:
            began.setdefault(section, time.monotonic())
            title = titles.get(section, section)
            bars.update(task, description=title, completed=done, total=total or None)
            if done == total:
                spent = time.monotonic() - began[section]
                bars.console.print(f"{spent:6.1f} s  {title}", markup=False, highlight=False)

        yield tick


def _list(console: Console) -> None:
    table = Table("name", "group", "what it shows", box=None)
    for section in sections():
        table.add_row(section.name, section.group, section.title)
    console.print(table)


def _summary(console: Console, report: Report, files: Sequence[Path], out: Path) -> int:
    """Print one line per finding, every contradiction, and the paths of page and data."""
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
