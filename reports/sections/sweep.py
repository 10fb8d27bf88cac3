"""Does empirical Bayes regret ever exceed a bound? A sweep over a, K and sigma0/sigma with one error probability.

`python -m reports.sections.sweep SETTINGS` repeats one cell of the sweep and prints its numbers.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from rich import table as rich_table
from rich.console import Console

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.core.store import json_value
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bound_cells import LAWS, run
from reports.sections.common.bound_tests import BoundTest
from reports.sections.common.bounds_budget import BUDGETS, ERROR
from reports.sections.curves import COLOURS

SHOWN = ("theorem1", "combined")
SCALE = LinearSegmentedColormap.from_list("slack", ["#f4efe1", "#f0c27b", "#cf6a4c", "#7c2d4f", "#2b1538"])
PIPE_WIDTH = 200  # columns when the output is not a terminal
WORST = 3.0  # log10 of the ratio at the dark end
LOOK = {
    "theorem2": ("o", PALETTE["red"]),
    "theorem2_derived": ("s", PALETTE["orange"]),
    "theorem2_repaired": ("D", PALETTE["green"]),
}


def units(options: Options) -> list[Unit]:
    sweep = BUDGETS[options.budget].sweep
    return [
        Unit(bound_cells.run, cell)
        for make in (bound_cells.gaussian, bound_cells.bounded)
        for cell in make(sweep, options.seed)
    ]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    tests = bound_tests.family([unit.settings for unit in units(options)], outcomes)
    return [_verdict_panel(options, tests), _ratio_panel(options, tests), _bounded_panel(options, tests)]


def record(test: BoundTest) -> dict[str, Any]:
    """One row of the table of tests."""
    model = {name: test.settings["model"][name] for name in ("n_arms", "sigma0_sq", "sigma_sq", "a")}
    numbers = {"regret": test.mean, "stderr": test.stderr, "bound": test.value, "ratio": test.ratio}
    verdict = "rejected" if test.rejected else "not rejected"
    about = {"law": test.settings["law"], "policy": test.settings["policy"], **model, "rounds": test.horizon}
    kind = {"covered": test.covered or test.bound == "exact", "vacuous": test.vacuous, "verdict": verdict}
    return about | {"against": test.bound} | numbers | {"random": test.random} | kind


def _verdict_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    rejected = [test for test in tests if test.rejected]
    wrong = [test for test in tests if test.contradiction]
    proved = [test for test in tests if test.covered]
    later = [test for test in proved if test.horizon > test.settings["model"]["n_arms"]]
    closest = min((test for test in later if test.upper), key=lambda test: test.ratio)
    below = max((test for test in later if not test.upper), key=lambda test: test.ratio)
    rows = [record(test) for test in tests]
    last = max(test.horizon for test in tests)
    title = "Is the regret between its bounds? Every setting, every bound, every horizon"
    svg, points = draw_ranges("bounds-sweep", title, tests)
    return Panel(
        id="bounds-sweep",
        title=title,
        svg=svg,
        points=tuple(points),
        finding=(
            f"{len(tests):,} tests with one error probability of {ERROR:g} in total: {len(rejected)} rejected, of "
            f"which {len(wrong)} contradict something proved. The closest upper bound is {closest.ratio:.2f} times the "
            f"regret ({bound_cells.TITLES[closest.bound]}, n = {closest.horizon:,}), the closest lower bound "
            f"{below.ratio:.2f} times."
        ),
        table=Table.of([row for row in rows if row["rounds"] == last]),
        data={"tests": rows},
        notes=(
            "H0: Bayes regret <= upper bound (>= lower bound). Rejected when (mean - bound) / stderr exceeds the 1 - "
            "error/M quantile of Student's t, M the number of tests (Bonferroni), with the opposite sign for a lower "
            "bound. The bounds counting, least of ours and lower are tested at the last horizon.",
            "In the first K rounds the regret is compared from both sides with its exact value n E(max - mean).",
            "covered: the theorem applies to this policy (upper bounds: ReUCB*; lower bound: every policy), law and "
            "horizon. The printed bound for rewards in [0, 1] and the estimated variances of ReUCB are not covered by "
            "a valid proof; a rejection there is a finding.",
            "The table shows the last horizon; the data file has all.",
        ),
        reproduce=options.command("bounds-sweep"),
        alerts=bound_tests.alerts(tests),
    )


def _ratio_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    sweep = BUDGETS[options.budget].sweep
    spread = 0.4
    chosen = [
        test
        for test in tests
        if test.settings["law"] == "gaussian" and test.settings["policy"] == "ReUCB*" and test.bound in SHOWN
        and test.horizon == sweep.horizon and np.isclose(test.settings["model"]["sigma0_sq"], spread**2)
    ]  # fmt: skip
    at = {(t.bound, t.settings["model"]["a"], t.settings["model"]["n_arms"]): t for t in chosen}
    title = f"Bound divided by regret: σ₀/σ = {spread:g}, n = {sweep.horizon:,}"
    svg, points = draw_heat_maps(title, sweep.a, sweep.n_arms, at)
    best = {bound: [t.ratio for t in chosen if t.bound == bound] for bound in SHOWN}
    empty = sum(t.vacuous for t in chosen if t.bound == "theorem1")
    return Panel(
        id="bounds-ratio",
        title=title,
        finding=(
            f"The printed bound is {min(best['theorem1']):.0f} to {max(best['theorem1']):.0f} times the regret and "
            f"vacuous in {empty} of {len(best['theorem1'])} cells; the best bound proved here "
            f"{min(best['combined']):.1f} to "
            f"{max(best['combined']):.0f} times."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of([record(test) for test in chosen]),
        data=[record(test) for test in chosen],
        notes=("* marks a vacuous bound (above random play). The printed bound needs a >= 1.",),
        reproduce=options.command("bounds-sweep"),
    )


def _bounded_panel(options: Options, tests: Sequence[BoundTest]) -> Panel:
    table = bounded_rows(tests)
    chosen = [test for _, row in table for test in row]
    title = f"Rewards in [0, 1]: K = {chosen[0].settings['model']['n_arms']}, n = {chosen[0].horizon:,}"
    svg, points = draw_bounded("bounds-bounded", title, table)
    repaired = [test for test in chosen if test.bound == "theorem2_repaired"]
    silent = sum(all(test.bound != "theorem2" for test in row) for _, row in table)
    return Panel(
        id="bounds-bounded",
        title=title,
        finding=(
            f"The printed bound for rewards in [0, 1] does not apply in {silent} of {len(table)} rows (a < m, as in "
            f"the paper's experiments); the repaired theorem is {min(t.ratio for t in repaired):.0f} to "
            f"{max(t.ratio for t in repaired):.0f} times the regret and vacuous in "
            f"{sum(t.vacuous for t in repaired)} of {len(repaired)} rows."
        ),
        svg=svg,
        points=tuple(points),
        table=Table.of([record(test) for test in chosen]),
        data=[record(test) for test in chosen],
        notes=tuple(
            f"{law.title}: σ₀² = {law.sigma0_sq:.4g}, σ² = {law.sigma_sq:.4g}; {law.why}." for law in LAWS.values()
        ),
        reproduce=options.command("bounds-sweep"),
    )


def ranges(tests: Sequence[BoundTest]) -> dict[str, dict[int, list[float]]]:
    """bound -> horizon -> the ratios bound / regret of all Gaussian cells of ReUCB*, sorted."""
    found: dict[str, dict[int, list[float]]] = {bound: {} for bound in COLOURS}
    for test in tests:
        if test.bound in found and test.settings["law"] == "gaussian" and test.settings["policy"] == "ReUCB*":
            found[test.bound].setdefault(test.horizon, []).append(test.ratio)
    return {bound: {n: sorted(values) for n, values in at.items()} for bound, at in found.items()}


def draw_ranges(name: str, title: str, tests: Sequence[BoundTest]) -> tuple[str, list[HoverPoint]]:
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
) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
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
    axes.add_patch(plotting.tile(x, y, SCALE(shade)))
    ink = plotting.ink_on(SCALE(shade))
    text = f"{test.ratio:.0f}" if test.ratio >= 10 else f"{test.ratio:.1f}"
    axes.text(x + 0.5, y + 0.5, text + ("*" if test.vacuous else ""), color=ink, ha="center", va="center")


def _labels(
    axes: Any, bound: str, widths: Sequence[float], arms: Sequence[int], at: dict[tuple[str, float, int], BoundTest]
) -> list[HoverPoint]:
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


def draw_bounded(name: str, title: str, table: Sequence[tuple[str, list[BoundTest]]]) -> tuple[str, list[HoverPoint]]:
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


SECTIONS = (Section("bounds-sweep", "Every setting against every bound", "bounds", units, analyse),)


def main(argv: list[str]) -> int:
    """Print regret, standard error, random play and every bound at the horizons of the cell."""
    outcome = json_value(run(json.loads(argv[0]), Tools()))
    table = rich_table.Table("rounds", "regret", "stderr", "random play", *outcome["bounds"], box=None)
    columns = [outcome[name] for name in ("horizons", "mean", "stderr", "random")]
    for row in zip(*columns, *outcome["bounds"].values(), strict=True):
        table.add_row(*("" if value is None else f"{value:.6g}" for value in row))
    Console(width=None if sys.stdout.isatty() else PIPE_WIDTH).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
