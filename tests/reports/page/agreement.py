"""A grid of settings, and how far the page's bounds are from Python's on it."""

from __future__ import annotations

from itertools import product
from typing import Any

from reports.page.explorer import CURVES, value

GRID = product(
    (0.3, 1.0, 2.0, 8.0),
    (1, 2, 7, 50, 1000),
    (1, 2, 40, 700, 10_000, 10**7),
    (0.05, 0.2, 2.0),
    (0.1, 0.5, 3.0),
)
POINTS = [dict(zip(("a", "K", "n", "sigma0", "sigma"), point, strict=True)) for point in list(GRID)[::11]]


def worst_error(points: Any, found: Any) -> float:
    """The largest relative difference over all bounds and points, infinite where the two disagree on a hypothesis.

    Both sides sum the same terms in double precision; rounding alone separates them, about 1e-13.
    """
    worst = 0.0
    for point, page in zip(points, found, strict=True):
        for curve in CURVES:
            ours = value(curve, point)
            if (ours is None) != (page[curve.name]["why"] is not None):
                return float("inf")
            if ours is not None:
                theirs = page[curve.name]["value"]
                worst = max(worst, abs(theirs - ours) / abs(ours) if ours else abs(theirs))
    return worst
