"""Theorems, lemmas and propositions, the defects that affect each, and their dependencies.

One row per stated result, in the order of the paper: arcs to the left of the names lead from a result to those that
depend on it, marks to the right are the defects that it depends on or contains.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.page.claims import View

STATED = re.compile(r"\b(Theorem|Lemma|Proposition|Corollary)\b")
NOT_STATED = re.compile(r"\b(proof|after|before|end)\b", re.I)
GUTTER, NAMES, MARKS, RIGHT, WIDTH = 150.0, 168.0, 440.0, 12.0, 1040.0
ROW, TOP, STEP = 34.0, 30.0, 19.0


@dataclass(frozen=True)
class Mark:
    """A result (at the head of its row) or a defect that hits it."""

    view: View
    x: float
    y: float
    result: bool
    lights: tuple[tuple[int, str], ...]  # places of other marks that belong to it, and why


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
    """The defects that reach this result, or are a part of it."""
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
    rows = {view.raw["id"]: TOP + ROW * (i + 0.5) for i, view in enumerate(results)}
    places = [(view, NAMES, rows[view.raw["id"]], True) for view in results]
    for result in results:
        struck = [view for view in hits(result, shown) if view.raw["id"] not in rows]
        step = min(STEP, (WIDTH - MARKS - RIGHT) / max(len(struck), 1))
        places += [
            (view, round(MARKS + step * (j + 0.5), 1), rows[result.raw["id"]], False) for j, view in enumerate(struck)
        ]
    reach = {result.raw["id"]: _users(result, results, shown) for result in results}
    marks = tuple(Mark(*place, _lights(place[0], places, reach)) for place in places)
    arcs = tuple((name, user, _arc(rows[name], rows[user])) for name, users in reach.items() for user in users)
    return ResultsMap(WIDTH, TOP + ROW * len(results) + 8, marks, arcs)


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


def _lights(
    view: View, places: Sequence[tuple[View, float, float, bool]], reach: Mapping[str, Sequence[str]]
) -> tuple[tuple[int, str], ...]:
    """What is lit with a mark: its own copies, and the results that it reaches."""
    name = view.raw["id"]
    targets = set(reach.get(name, ())) | {target for target, _ in view.raw["impact"]}
    return tuple(
        (i, "same" if other.raw["id"] == name else "hit")
        for i, (other, _, _, result) in enumerate(places)
        if other.raw["id"] == name
        or (result and (other.raw["id"] in targets or name.startswith(f"{other.raw['id']}/")))
    )


def _arc(start: float, end: float) -> str:
    """From row to row through the gutter, the farther the wider."""
    x, bulge = GUTTER + 6, max(14.0, min(abs(end - start) * 0.42, GUTTER - 8))
    return f"M{x:g} {start:g}C{x - bulge:g} {start:g} {x - bulge:g} {end:g} {x:g} {end:g}"
