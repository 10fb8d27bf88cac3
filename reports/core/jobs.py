"""A report as plain data: its arguments, its units of work and its sections.

An experiment is three small things: what is run (a pure function from settings to a result), its settings
(plain data, one set per budget) and its analysis (pure functions from results to panels). A `Unit` is the
first two, a `Section` joins the third.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from reports.core.panel import Panel
from theory.experiments.movielens.read import BadData

__all__ = ["BadData", "Budget", "Chapter", "Options", "Outcome", "Report", "Section", "Settings", "Tools", "Unit"]

Budget = Literal["quick", "full"]
Settings = Mapping[str, Any]  # JSON values only
Outcome = Mapping[str, Any]  # JSON values; NumPy arrays and scalars are accepted and come back as lists and numbers


@dataclass(frozen=True)
class Options:
    """The arguments that determine the bytes of a report."""

    budget: Budget = "quick"
    seed: int = 0
    movielens: Path | None = None
    only: tuple[str, ...] = ()

    def command(self, *names: str) -> str:
        """The command that makes these sections (none: all) again under these options."""
        words = ["python -m reports", *(f"--only {name}" for name in names)]
        words += ["--full"] if self.budget == "full" else []
        words += [f"--seed {self.seed}"] if self.seed else []
        words += ["--movielens DIR"] if self.movielens else []
        return " ".join(words)


@dataclass(frozen=True)
class Tools:
    """What a unit may use and what must not change its result.

    executor   for `reucb.simulate` (None: its default)
    movielens  folder of the user's copy; settings hold the digest of what is read from it
    """

    executor: Any = None
    movielens: Path | None = None


@dataclass(frozen=True)
class Unit:
    """A piece of work that is computed once; the result of `run(settings, tools)` must depend on the settings alone.

    `run` is a function at module level; its module's source and the source of `reucb` are part of the key
    under which the result is kept, so results of another version of the program are not used. Seeds and digests
    of files that are read must be part of `settings`.
    """

    run: Callable[[Settings, Tools], Outcome]
    settings: Settings


@dataclass(frozen=True)
class Section:
    """One heading of the report: its units for some options, and the panels drawn from their outcomes (same order
    as the units).

    `--only` takes `name` or `group`.
    """

    name: str
    title: str
    group: str
    units: Callable[[Options], Sequence[Unit]]
    analyse: Callable[[Options, Sequence[Outcome]], Sequence[Panel]]


@dataclass(frozen=True)
class Chapter:
    """A section with its panels."""

    section: Section
    panels: tuple[Panel, ...]


@dataclass(frozen=True)
class Report:
    """Everything the page shows: `reports.page.render(report) -> str` turns it into one HTML file."""

    options: Options
    chapters: tuple[Chapter, ...]
    command: str
    versions: Mapping[str, str]

    @property
    def panels(self) -> tuple[Panel, ...]:
        return tuple(panel for chapter in self.chapters for panel in chapter.panels)
