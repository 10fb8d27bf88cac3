"""The picture for rewards in [0, 1]: Theorem them-R-Bayes-SubR as printed, as derived, repaired, against regret."""

from __future__ import annotations

from collections.abc import Sequence

from reports.core import plotting
from reports.core.panel import Point
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common import bound_cells
from reports.sections.common.bound_tests import BoundTest
from reports.sections.common.bounded_bandits import LAWS

LOOK = {
    "theorem2": ("o", PALETTE["red"]),
    "theorem2_derived": ("s", PALETTE["orange"]),
    "theorem2_repaired": ("D", PALETTE["green"]),
}


def rows(tests: Sequence[BoundTest]) -> list[tuple[str, list[BoundTest]]]:
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


def draw(name: str, title: str, table: Sequence[tuple[str, list[BoundTest]]]) -> tuple[str, list[Point]]:
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
