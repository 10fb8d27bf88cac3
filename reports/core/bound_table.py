"""A recorded table of `reucb.bounds.counting` and `lower`, and interpolation in it.

Both take about a second for a setting, too long for a slider. The table holds log(bound / reference) on a grid of (K,
n/K, rho = sigma^2/sigma0^2, a), made by `python -m reports.tools.record_bounds table`; the reference is a bound that
the page computes, so that the ratio varies slowly. Between the nodes a cubic through the four nearest nodes along each
axis is used, in logarithms. All bounds are homogeneous: sigma0 times a function of these four numbers. An interpolated
value is not a bound; the table records its error at random points between the nodes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from reports.core import FloatArray
from reucb import bounds

FILE = Path(__file__).parents[1] / "recorded" / "bound_table.json"
AXES: dict[str, dict[str, tuple[float, ...]]] = {
    "counting": {
        "arms": (5, 25, 120, 500),
        "rounds": (1, 2, 5, 10, 25, 100, 500, 3_000, 20_000),  # n/K
        "rho": (0.1, 0.5, 2.0, 8.0, 30.0),
        "a": (0.5, 0.75, 1.0, 1.5, 2.5, 4.0),
    },
    "lower": {
        "arms": (2, 5, 15, 50, 250, 2000),
        "rounds": (1, 2, 4, 8, 20, 60, 200, 1_000, 10_000, 100_000),
        "rho": (0.01, 0.05, 0.2, 0.7, 2.5, 8.0, 25.0, 100.0),
    },
}
REFERENCE = {"counting": "sharp", "lower": "trivial"}
NEAREST = 4


def setting(name: str, place: Mapping[str, float]) -> dict[str, float]:
    """The arguments of a bound at a place of the table."""
    arms = round(place["arms"])
    given = {"n_arms": arms, "horizon": round(arms * place["rounds"]), "sigma0_sq": 1.0, "sigma_sq": place["rho"]}
    return given | ({"a": place["a"]} if "a" in AXES[name] else {})


def reference(name: str, given: Mapping[str, float]) -> float:
    """The bound that values of the table are divided by."""
    known = ("n_arms", "horizon", "sigma0_sq") if REFERENCE[name] == "trivial" else tuple(given)
    return float(np.asarray(getattr(bounds, REFERENCE[name])(**{key: given[key] for key in known})))


def evaluate(name: str, place: Mapping[str, float]) -> float:
    """log(bound / reference) at a place of the table, computed."""
    given = setting(name, place)
    found = getattr(bounds, name)(**given)
    return float(np.log(float(np.asarray(found)) / reference(name, given)))


def nodes(name: str) -> list[dict[str, float]]:
    """The places of the table of one bound, the last axis fastest."""
    axes = AXES[name]
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


@cache
def table() -> dict[str, Any]:
    """The recorded table: for each bound its values, in the order of `nodes`, and its error between the nodes.

    Empty if it was not made yet: then nothing is interpolated.
    """
    if not FILE.exists():
        return {}
    return dict(json.loads(FILE.read_text(encoding="utf-8")))


def error(record: Mapping[str, Any]) -> str:
    """The error of interpolation at random places between the nodes, in words."""
    return (
        f"error at random points: median {record['median_error']:.1%}, nine in ten below {record['usual_error']:.1%}, "
        f"largest {record['largest_error']:.0%}"
    )


def interpolate(name: str, place: Mapping[str, float], values: Sequence[float] | None = None) -> float | None:
    """log(bound / reference) between the nodes; None outside of the table."""
    axes = AXES[name]
    if values is None and name not in table():
        return None
    windows = [_window(known, float(place[axis])) for axis, known in axes.items()]
    if None in windows:
        return None
    sizes = [len(known) for known in axes.values()]
    grid = np.asarray(table()[name]["values"] if values is None else values, dtype=float).reshape(sizes)
    for first, weights in reversed([window for window in windows if window is not None]):
        grid = grid[..., first : first + NEAREST] @ weights
    return float(grid)


def _window(axis: Sequence[float], at: float) -> tuple[int, FloatArray] | None:
    """The first of the four nearest nodes, and Lagrange's weights in the logarithm."""
    low, high = axis[0], axis[-1]
    if not low * (1 - 1e-12) <= at <= high * (1 + 1e-12):
        return None
    x, known = np.log(at), np.log(np.asarray(axis, dtype=float))
    first = int(np.clip(np.searchsorted(known, x) - NEAREST // 2, 0, len(known) - NEAREST))
    here = known[first : first + NEAREST]
    weights = [np.prod([(x - other) / (node - other) for other in here if other != node]) for node in here]
    return first, np.asarray(weights)
