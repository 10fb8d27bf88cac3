"""How far above the regret the proved bounds stay, over the horizons: the picture of the sweep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reports.core import plotting
from reports.core.panel import Point
from reports.core.plotting import INK, number
from reports.sections.common import bound_cells
from reports.sections.common.bound_tests import BoundTest
from reports.sections.curves import COLOURS


def ranges(tests: Sequence[BoundTest]) -> dict[str, dict[int, list[float]]]:
    """bound -> horizon -> the ratios bound / regret of all Gaussian cells of ReUCB*, sorted."""
    found: dict[str, dict[int, list[float]]] = {bound: {} for bound in COLOURS}
    for test in tests:
        if test.bound in found and test.settings["law"] == "gaussian" and test.settings["policy"] == "ReUCB*":
            found[test.bound].setdefault(test.horizon, []).append(test.ratio)
    return {bound: {n: sorted(values) for n, values in at.items()} for bound, at in found.items()}


def draw(name: str, title: str, tests: Sequence[BoundTest]) -> tuple[str, list[Point]]:
    """For each bound and horizon a bar from the smallest to the largest ratio, the median marked."""
    found, drawn = ranges(tests), []
    with plotting.figure(8.2, 3.8) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="rounds n", ylabel="bound / regret, all Gaussian settings")
        axes.axhline(1, color=INK, lw=1.2)
        for place, (bound, at) in enumerate(found.items()):
            n = np.array(sorted(at)) * 1.12 ** (place - 1.5)
            low, middle, high = (np.array([f(at[k]) for k in sorted(at)]) for f in (min, np.median, max))
            axes.vlines(n, low, high, color=COLOURS[bound], lw=3, alpha=0.45)
            axes.plot(n, middle, "o", color=COLOURS[bound], ms=5, label=bound_cells.TITLES[bound])
            spans = zip(sorted(at), low, middle, high, strict=True)
            labels = [f"{bound_cells.TITLES[bound]}, n = {k:,}: {number(a)} to {number(c)} times, median {number(b)}"
                      for k, a, b, c in spans]  # fmt: skip
            drawn.append((n, middle, labels))
        text = "an upper bound below this line, or a lower bound above it, would be false"
        axes.annotate(text, (1, 1), xytext=(0, -12), textcoords="offset points", fontsize=9)
        fig.legend(loc="outside upper right", ncols=3)
        points = [point for n, y, labels in drawn for point in plotting.points(axes, n, y, labels)]
        return plotting.to_svg(fig, name, title), points
