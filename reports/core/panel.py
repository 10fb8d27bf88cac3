"""Panels, the data that a report passes to the page: no file handles, no matplotlib objects.

A section's analysis returns panels; the framework writes `data/<id>.json` (everything) and `data/<id>.csv`
(the table) for each, and the page renders them. Nothing in a panel may depend on the clock, the machine or a
path.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Cell = str | float | int | bool | None


@dataclass(frozen=True)
class HoverPoint:
    """A point of a picture and the text that is shown there: (x, y) in the units of the SVG's viewBox, y downwards."""

    x: float
    y: float
    label: str


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a missing number is None, never NaN."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"rows must have {len(self.columns)} cells {self.columns}, got {row!r}")

    @classmethod
    def of(cls, records: Sequence[Mapping[str, Cell]]) -> Table:
        """A table of dictionaries that share their keys; the first one gives the order of the columns."""
        columns = tuple(records[0]) if records else ()
        return cls(columns, tuple(tuple(record[name] for name in columns) for record in records))


@dataclass(frozen=True)
class Panel:
    """One picture with its finding, its numbers and the way to make it again.

    id         slug, unique in the report, the name of the data files
    title      what is shown
    finding    one sentence computed from the numbers
    svg        inline `<svg>` of `reports.core.plotting.to_svg` ("" for a panel that is only a table)
    points     points with a text that is shown on hovering or tapping
    table      the main numbers
    data       JSON value with all the numbers behind the picture
    notes      what was assumed or chosen
    reproduce  the command that makes this panel
    alerts     contradictions of something proved; each ends with the command that reproduces it
    headlines  sentences for the first screen
    """

    id: str
    title: str
    finding: str
    svg: str = ""
    points: tuple[HoverPoint, ...] = ()
    table: Table = field(default_factory=lambda: Table((), ()))
    data: Any = None
    notes: tuple[str, ...] = ()
    reproduce: str = ""
    alerts: tuple[str, ...] = ()
    headlines: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", self.id):
            raise ValueError(f"id must be a slug of a-z, 0-9 and single hyphens, got {self.id!r}")

    @property
    def data_file(self) -> str:
        """Name of the JSON file under `data/` that holds this panel's numbers."""
        return f"{self.id}.json"
