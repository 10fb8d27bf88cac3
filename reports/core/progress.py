"""Progress of a report: one line per finished section on a terminal, nothing in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

Tick = Callable[[str, int, int], None]  # section, units done, units in all (both 0: a stage without units)


def silent(section: str, done: int, total: int) -> None:
    """No output."""


@contextmanager
def shown(console: Console, titles: Mapping[str, str]) -> Iterator[Tick]:
    """A bar for the section under way and a line with its time for each that is done; silent if not a terminal."""
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
