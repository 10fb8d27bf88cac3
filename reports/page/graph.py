"""Two pictures of dependencies: all claims, and the stated results with the defects that affect them.

All claims: one row per section of the paper, one mark per claim, an arc per dependency. The layout is a function of the
ledger alone: rows in its order, claims within a row moved towards what they depend on by a few sweeps of averages, ties
by the order of the ledger.

Stated results (theorems, lemmas, propositions): one row each, in the order of the paper. Arcs to the left of the names
lead from a result to those that depend on it, marks to the right are the defects that it depends on or contains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.page.claims import View

LEFT, RIGHT, TOP, ROW, WIDTH = 172.0, 12.0, 16.0, 36.0, 1040.0
NARROWEST = 15.0  # between neighbours; a longer row is broken
SWEEPS = 6
STATED = re.compile(r"\b(Theorem|Lemma|Proposition|Corollary)\b")
NOT_STATED = re.compile(r"\b(proof|after|before|end)\b", re.I)
GUTTER, NAMES, MARKS = 150.0, 168.0, 470.0  # names have at most 36 characters
RESULT_ROW, RESULT_TOP, STEP = 34.0, 30.0, 19.0


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
class GraphRow:
    title: str
    y: float
    count: int


@dataclass(frozen=True)
class Graph:
    width: float
    height: float
    rows: tuple[GraphRow, ...]
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
        rows.append(GraphRow(title, y, len(groups[title]) if title else len(line)))
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
    """A curve that is vertical at both ends; an arc above the row for two claims of one row."""
    (x1, y1), (x2, y2) = start, end
    if y1 == y2:
        lift = y1 - min(ROW * 0.42, 6 + abs(x2 - x1) * 0.12)
        return f"M{x1:g} {y1:g}C{x1:g} {lift:g} {x2:g} {lift:g} {x2:g} {y2:g}"
    bend = (y2 - y1) * 0.5
    return f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2:g}"


@dataclass(frozen=True)
class Mark:
    """A result (at the head of its row) or a defect that affects it."""

    view: View
    x: float
    y: float
    result: bool
    lights: tuple[tuple[int, str], ...]  # numbers of the marks highlighted with it, and why


@dataclass(frozen=True)
class ResultsMap:
    width: float
    height: float
    marks: tuple[Mark, ...]
    arcs: tuple[tuple[str, str, str], ...]  # from, to, path


def stated(shown: Mapping[str, View]) -> list[View]:
    """The results that the paper states under a name of their own."""
    return [view for view in shown.values() if _stated(view)]


def _stated(view: View) -> bool:
    where = view.raw["where"].partition(";")[0]
    if view.raw["by"] != "paper" or view.raw["kind"] in ("step", "notation", "prose"):
        return False
    whole = "/" not in view.raw["id"] or re.search(r"/part-\d$", view.raw["id"]) is not None
    return whole and bool(STATED.search(where)) and not NOT_STATED.search(where)


def hits(result: View, shown: Mapping[str, View]) -> list[View]:
    """The defects on which this result depends, or which are a part of it."""
    name = result.raw["id"]
    return [
        view
        for view in shown.values()
        if view.defect
        and view is not result
        and (name in {target for target, _ in view.raw["impact"]} or view.raw["id"].startswith(f"{name}/"))
    ]


def results_map(shown: Mapping[str, View]) -> ResultsMap | None:
    """The picture; None if nothing is stated."""
    results = stated(shown)
    if not results:
        return None
    rows = {view.raw["id"]: RESULT_TOP + RESULT_ROW * (i + 0.5) for i, view in enumerate(results)}
    places = [(view, NAMES, rows[view.raw["id"]], True) for view in results]
    for result in results:
        struck = [view for view in hits(result, shown) if view.raw["id"] not in rows]
        step = min(STEP, (WIDTH - MARKS - RIGHT) / max(len(struck), 1))
        places += [
            (view, round(MARKS + step * (j + 0.5), 1), rows[result.raw["id"]], False) for j, view in enumerate(struck)
        ]
    reach = {result.raw["id"]: _users(result, results, shown) for result in results}
    marks = tuple(Mark(*place, _highlighted(place[0], places, reach)) for place in places)
    arcs = tuple((name, user, _arc(rows[name], rows[user])) for name, users in reach.items() for user in users)
    return ResultsMap(WIDTH, RESULT_TOP + RESULT_ROW * len(results) + 8, marks, arcs)


def _users(result: View, results: Sequence[View], shown: Mapping[str, View]) -> list[str]:
    """The results that depend on this one, through claims that are not results themselves."""
    names, found = {view.raw["id"] for view in results}, set()
    ahead, seen = [result.raw["id"]], {result.raw["id"]}
    while ahead:
        for user in shown[ahead.pop()].used_by:
            if user in seen or user not in shown:
                continue
            seen.add(user)
            if user in names:
                found.add(user)
            else:
                ahead.append(user)
    return [view.raw["id"] for view in results if view.raw["id"] in found]


def _highlighted(
    view: View, places: Sequence[tuple[View, float, float, bool]], reach: Mapping[str, Sequence[str]]
) -> tuple[tuple[int, str], ...]:
    """The marks highlighted with a mark: its own copies, and the results that depend on it."""
    name = view.raw["id"]
    targets = set(reach.get(name, ())) | {target for target, _ in view.raw["impact"]}
    return tuple(
        (i, "same" if other.raw["id"] == name else "hit")
        for i, (other, _, _, result) in enumerate(places)
        if other.raw["id"] == name
        or (result and (other.raw["id"] in targets or name.startswith(f"{other.raw['id']}/")))
    )


def _arc(start: float, end: float) -> str:
    """An arc from row to row, wider for rows that are farther apart."""
    x, bulge = GUTTER + 6, max(14.0, min(abs(end - start) * 0.42, GUTTER - 8))
    return f"M{x:g} {start:g}C{x - bulge:g} {start:g} {x - bulge:g} {end:g} {x:g} {end:g}"
