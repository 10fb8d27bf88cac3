"""The pictures of the sweep: ranges of bound / regret, heat maps over a and K, and the bounds for rewards in [0, 1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap

from reports.core import plotting
from reports.core.panel import Point
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common import bound_cells
from reports.sections.common.bound_tests import BoundTest
from reports.sections.common.bounded_bandits import LAWS
from reports.sections.curves import COLOURS

SHOWN = ("theorem1", "combined")
SCALE = LinearSegmentedColormap.from_list("slack", ["#f4efe1", "#f0c27b", "#cf6a4c", "#7c2d4f", "#2b1538"])
WORST = 3.0  # log10 of the ratio at the dark end
LOOK = {
    "theorem2": ("o", PALETTE["red"]),
    "theorem2_derived": ("s", PALETTE["orange"]),
    "theorem2_repaired": ("D", PALETTE["green"]),
}


def ranges(tests: Sequence[BoundTest]) -> dict[str, dict[int, list[float]]]:
    """bound -> horizon -> the ratios bound / regret of all Gaussian cells of ReUCB*, sorted."""
    found: dict[str, dict[int, list[float]]] = {bound: {} for bound in COLOURS}
    for test in tests:
        if test.bound in found and test.settings["law"] == "gaussian" and test.settings["policy"] == "ReUCB*":
            found[test.bound].setdefault(test.horizon, []).append(test.ratio)
    return {bound: {n: sorted(values) for n, values in at.items()} for bound, at in found.items()}


def draw_ranges(name: str, title: str, tests: Sequence[BoundTest]) -> tuple[str, list[Point]]:
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


def draw_heat_maps(
    title: str, widths: Sequence[float], arms: Sequence[int], at: dict[tuple[str, float, int], BoundTest]
) -> tuple[str, list[Point]]:
    points: list[Point] = []
    with plotting.figure(8.2, 0.9 + 0.42 * len(widths)) as fig:
        both = fig.subplots(1, 2, sharey=True)
        for axes, bound in zip(both, SHOWN, strict=True):
            axes.set_title(bound_cells.TITLES[bound], loc="left")
            axes.set(xlim=(0, len(arms)), ylim=(0, len(widths)), xlabel="arms K")
            axes.set_xticks(np.arange(len(arms)) + 0.5, [str(k) for k in arms])
            axes.set_yticks(np.arange(len(widths)) + 0.5, [f"{a:g}" for a in widths])
            axes.tick_params(length=0)
            axes.spines[:].set_visible(False)
            for i, a in enumerate(widths):
                for j, k in enumerate(arms):
                    _cell(axes, j, i, at.get((bound, a, k)))
            points += _labels(axes, bound, widths, arms, at)
        both[0].set_ylabel("width coefficient a")
        return plotting.to_svg(fig, "bounds-ratio", title), points


def _cell(axes: Any, x: int, y: int, test: BoundTest | None) -> None:
    if test is None:
        axes.text(x + 0.5, y + 0.5, "–", ha="center", va="center")
        return
    shade = float(np.clip(np.log10(test.ratio) / WORST, 0, 1))
    axes.add_patch(plotting.box(x, y, SCALE(shade)))
    ink = plotting.ink_on(SCALE(shade))
    text = f"{test.ratio:.0f}" if test.ratio >= 10 else f"{test.ratio:.1f}"
    axes.text(x + 0.5, y + 0.5, text + ("*" if test.vacuous else ""), color=ink, ha="center", va="center")


def _labels(
    axes: Any, bound: str, widths: Sequence[float], arms: Sequence[int], at: dict[tuple[str, float, int], BoundTest]
) -> list[Point]:
    places = [(j + 0.5, i + 0.5, at[bound, a, k]) for i, a in enumerate(widths) for j, k in enumerate(arms)
              if (bound, a, k) in at]  # fmt: skip
    labels = [
        f"a = {t.settings['model']['a']:g}, K = {t.settings['model']['n_arms']}: regret {plotting.number(t.mean)}, "
        f"bound {plotting.number(t.value)}, random play {plotting.number(t.random)}"
        for _, _, t in places
    ]
    return plotting.points(axes, [x for x, _, _ in places], [y for _, y, _ in places], labels)


def bounded_rows(tests: Sequence[BoundTest]) -> list[tuple[str, list[BoundTest]]]:
    """(name of the row, its tests): ReUCB* with the most arms at the last horizon, one row for each law and a."""
    last = max(test.horizon for test in tests)
    arms = max(test.settings["model"]["n_arms"] for test in tests if test.settings["law"] != "gaussian")
    found: dict[str, list[BoundTest]] = {}
    for test in tests:
        model, law = test.settings["model"], test.settings["law"]
        here = test.settings["policy"] == "ReUCB*" and test.horizon == last and model["n_arms"] == arms
        if here and law != "gaussian" and test.bound in LOOK:
            found.setdefault(f"{LAWS[law].title}, a = {model['a']:.3g}", []).append(test)
    return list(found.items())


def draw_bounded(name: str, title: str, table: Sequence[tuple[str, list[BoundTest]]]) -> tuple[str, list[Point]]:
    """Each row: regret at 1, random play as a bar end, the bounds as marks."""
    with plotting.figure(8.2, 1.2 + 0.27 * len(table)) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", ylim=(len(table) - 0.4, -0.6), xlabel="divided by the regret of ReUCB*")
        axes.axvline(1, color=INK, lw=1.2)
        for y, (_, tests) in enumerate(table):
            play = tests[0].random / tests[0].mean
            axes.plot([1, play], [y, y], color=PALETTE["grey"], lw=7, alpha=0.3, solid_capstyle="butt")
            for test in tests:
                marker, colour = LOOK[test.bound]
                axes.plot(test.ratio, y, marker, color=colour, ms=6)
        axes.set_yticks(range(len(table)), [text for text, _ in table])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        for bound, (marker, colour) in LOOK.items():
            axes.plot([], [], marker, color=colour, label=bound_cells.TITLES[bound])
        axes.plot([], [], color=PALETTE["grey"], lw=7, alpha=0.3, label="up to random play")
        fig.legend(loc="outside upper right", ncols=4)
        marks = [(test, y) for y, (_, tests) in enumerate(table) for test in tests]
        labels = [
            f"{bound_cells.TITLES[t.bound]}: {number(t.value)}; regret {number(t.mean)}, random play {number(t.random)}"
            for t, _ in marks
        ]
        points = plotting.points(axes, [t.ratio for t, _ in marks], [y for _, y in marks], labels)
        return plotting.to_svg(fig, name, title), points
