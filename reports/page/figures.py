"""Panels as the page shows them: a static picture with rounded coordinates, tooltips, and the table below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from reports.core.jobs import Report
from reports.core.panel import Cell, Panel

ACTIVE = re.compile(
    r"<\s*(script|foreignObject|iframe|object|embed|animate|set)\b|\son\w+\s*=|javascript:|@import", re.I
)
OUTSIDE = re.compile(r"""(?:href|src)\s*=\s*["'](?!#|data:image/png)|url\(\s*["']?(?!#)""", re.I)
SHAPES = re.compile(r'\b(d|points|x|y|x1|x2|y1|y2|cx|cy|width|height|transform)="([^"]*)"')


def inline(svg: str) -> Markup:
    """The picture as inline markup, coordinates to a hundredth of a point.

    A picture with a script or an external reference is rejected.
    """
    if not svg:
        return Markup("")
    for rule in (ACTIVE, OUTSIDE):
        found = rule.search(svg)
        if found:
            raise ValueError(f"svg must be a static picture without external references, got {found[0]!r} in it")
    return Markup(re.sub(r"<[^>]*>", lambda tag: SHAPES.sub(_short, tag[0]), svg))


def _short(attribute: re.Match[str]) -> str:
    value = re.sub(r"-?\d*\.\d{3,}(?!\d*e)", lambda m: f"{round(float(m[0]), 2):g}", attribute[2])
    if attribute[1] == "d":
        value = re.sub(r"\s*\n\s*", "", value).strip()
    return f'{attribute[1]}="{value}"'


def view_box_size(svg: str) -> tuple[float, float]:
    """Width and height of the viewBox."""
    found = re.search(r'viewBox="\s*[-\d.]+\s+[-\d.]+\s+([\d.]+)\s+([\d.]+)', svg)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)


MOST_ROWS = 300  # of a table in the page; the data file has all
GROUPS = {"bounds": "Bounds against regret", "experiments": "The paper’s experiments", "speed": "Speed"}
HERO = "bounds-curves"  # the panel of the first screen
OPEN = ("bounds-optimality", "bounds-waterfall-counting", "bounds-best", "gaussian-a", "variance-methods")


@dataclass(frozen=True)
class Figure:
    """One panel, ready for the template."""

    panel: Panel
    svg: Markup
    width: float
    height: float
    points: list[list[Any]]
    rows: Sequence[Sequence[Cell]]
    left_out: int
    open: bool = False  # whether it is unfolded at load


@dataclass(frozen=True)
class Part:
    """A group of sections under one heading of the page."""

    name: str
    title: str
    chapters: tuple[tuple[str, tuple[Figure, ...]], ...]


def figure(panel: Panel) -> Figure:
    width, height = view_box_size(panel.svg)
    points = [[p.x, p.y, p.label] for p in panel.points]
    rows = panel.table.rows[:MOST_ROWS]
    left_out = len(panel.table.rows) - len(rows)
    return Figure(panel, inline(panel.svg), width, height, points, rows, left_out, panel.id in OPEN)


def parts(report: Report) -> tuple[Part, ...]:
    """All panels but the ledger's, group by group; the groups the page knows come first."""
    names = dict.fromkeys(chapter.section.group for chapter in report.chapters)
    known = [name for name in GROUPS if name in names]
    others = [name for name in names if name not in GROUPS and name != "ledger"]
    return tuple(_part(report, name) for name in (*known, *others))


def _part(report: Report, name: str) -> Part:
    chapters = [c for c in report.chapters if c.section.group == name and c.panels]
    title = GROUPS.get(name, name[:1].upper() + name[1:])
    return Part(name, title, tuple((c.section.title, tuple(figure(p) for p in c.panels)) for c in chapters))


def hero(found: Sequence[Part]) -> Figure | None:
    """The one picture of the first screen: bounds against regret if it is there."""
    bounds = [f for part in found if part.name == "bounds" for _, figures in part.chapters for f in figures if f.svg]
    return next((f for f in bounds if f.panel.id == HERO), bounds[0] if bounds else None)


def cell_text(value: Cell) -> str:
    """A cell as text: four significant digits, a dash for a missing value."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f") if abs(value) >= 10_000 else str(value)
    if isinstance(value, float):
        return f"{value:.4g}".replace("-", "−").replace("e+0", "e").replace("e+", "e").replace("e−0", "e−")
    return value
