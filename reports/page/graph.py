"""Dependencies of all claims: one row per section of the paper, one mark per claim, an arc per dependency.

The layout is a function of the ledger alone: rows in its order, claims within a row moved towards what they
depend on by a few sweeps of averages, ties by the ledger's order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.page.claims import View

LEFT, RIGHT, TOP, ROW, WIDTH = 172.0, 12.0, 16.0, 36.0, 1040.0
NARROWEST = 15.0  # between neighbours; a longer row is broken
SWEEPS = 6


@dataclass(frozen=True)
class Node:
    view: View
    x: float
    y: float
    reach: tuple[str, ...]


@dataclass(frozen=True)
class Edge:
    source: str
    target: str
    path: str
    kind: str


@dataclass(frozen=True)
class Row:
    title: str
    y: float
    count: int


@dataclass(frozen=True)
class Graph:
    width: float
    height: float
    rows: tuple[Row, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def layout(groups: Mapping[str, Sequence[View]]) -> Graph:
    """Places for all claims and paths for all dependencies."""
    lines = [
        (title if first == 0 else "", list(views)[first : first + _fits()])
        for title, views in groups.items()
        for first in range(0, len(views), _fits())
    ]
    order = _ordered(
        [[view.raw["id"] for view in line] for _, line in lines],
        {v.raw["id"]: v for _, line in lines for v in line},
    )
    by_id = {view.raw["id"]: view for _, line in lines for view in line}
    place: dict[str, tuple[float, float]] = {}
    rows = []
    for i, ((title, line), ids) in enumerate(zip(lines, order, strict=True)):
        y = TOP + ROW * (i + 0.5)
        rows.append(Row(title, y, len(groups[title]) if title else len(line)))
        step = min((WIDTH - LEFT - RIGHT) / len(ids), 40.0)
        for j, name in enumerate(ids):
            place[name] = (round(LEFT + step * (j + 0.5), 1), y)
    nodes = tuple(
        Node(by_id[name], *place[name], tuple(pair[0] for pair in by_id[name].raw["impact"])) for name in place
    )
    return Graph(WIDTH, TOP + ROW * len(lines) + 10, tuple(rows), nodes, tuple(_edges(by_id, place)))


def _fits() -> int:
    return int((WIDTH - LEFT - RIGHT) / NARROWEST)


def _ordered(lines: list[list[str]], by_id: Mapping[str, View]) -> list[list[str]]:
    """Each row sorted by the mean place of its neighbours in the graph, a few times over."""
    near: dict[str, list[str]] = {name: [] for name in by_id}
    for name, view in by_id.items():
        for other in (*view.raw["depends_on"], view.raw["repairs"]):
            if other in by_id and other != name:
                near[name].append(other)
                near[other].append(name)
    lines = [list(line) for line in lines]
    for _ in range(SWEEPS):
        at = {name: (j + 0.5) / len(line) for line in lines for j, name in enumerate(line)}
        for line in lines:
            goal = {name: sum(at[o] for o in near[name]) / len(near[name]) if near[name] else at[name] for name in line}
            line.sort(key=lambda name: (round(0.5 * goal[name] + 0.5 * at[name], 9), at[name]))
    return lines


def _edges(by_id: Mapping[str, View], place: Mapping[str, tuple[float, float]]) -> list[Edge]:
    edges = []
    for name, view in by_id.items():
        for other in dict.fromkeys(view.raw["depends_on"]):
            if other in place and other != name:
                edges.append(Edge(other, name, _path(place[other], place[name]), "uses"))
        if view.raw["repairs"] in place:
            edges.append(Edge(view.raw["repairs"], name, _path(place[view.raw["repairs"]], place[name]), "repairs"))
    return edges


def _path(start: tuple[float, float], end: tuple[float, float]) -> str:
    """A curve that leaves and arrives upright; an arc above the row for neighbours in it."""
    (x1, y1), (x2, y2) = start, end
    if y1 == y2:
        lift = y1 - min(ROW * 0.42, 6 + abs(x2 - x1) * 0.12)
        return f"M{x1:g} {y1:g}C{x1:g} {lift:g} {x2:g} {lift:g} {x2:g} {y2:g}"
    bend = (y2 - y1) * 0.5
    return f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"
