"""The vacuity map: where a bound is below random play, over (K, n) and over (a, sigma0/sigma)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import FixedLocator, NullLocator

from reports.core import bound_table, plotting
from reports.core.jobs import Options, Outcome, Settings, Unit
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import INK
from reports.core.store import canonical, digest
from reports.sections.common import bound_cells
from reports.sections.common.bounds_budget import BUDGETS
from reports.sections.vacuity import ratios, smallest_bound

MAPS: dict[str, tuple[str, str, dict[str, float]]] = {
    "K and n": ("n_arms", "horizon", {"a": 2.0, "spread": 0.4}),
    "a and σ₀/σ": ("a", "spread", {"n_arms": 50, "horizon": 10_000}),
}
AXES = {
    "n_arms": ("arms K", 5, 500),
    "horizon": ("rounds n", 10, 10**5),
    "a": ("width coefficient a", 1.0, 4.0),
    "spread": ("σ₀ / σ", 0.2, 3.0),
}
NAMES = {"n_arms": "K", "horizon": "n", "a": "a", "spread": "σ₀/σ"}
EQUAL = 1e-6  # a bound equal to random play is drawn as no better
LEVELS = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
COLOURS = LinearSegmentedColormap.from_list(
    "worth", ["#14603f", "#3f9a6d", "#a8d5b5", "#f3e3b3", "#dd8f5a", "#a33b4a", "#571f38"]
)


def units(options: Options) -> list[Unit]:
    """Ratio to random play of each bound over each map, then the smallest bound over each map."""
    size = BUDGETS[options.budget].grid
    shown = [{"bound": bound, **_map_of(axes, size)} for bound in ratios.SHOWN for axes in MAPS.values()]
    finer = [_map_of(axes, 2 * size) for axes in MAPS.values()]
    return [*(Unit(ratios.run, one) for one in shown), *(Unit(ratios.smallest, one) for one in finer)]


def _map_of(axes: tuple[str, str, dict[str, float]], size: int) -> dict[str, Any]:
    x, y, fixed = axes
    return {
        **{key: {"name": name, "values": _values(name, size)} for key, name in (("x", x), ("y", y))},
        "fixed": fixed,
        "table": digest(canonical(bound_table.table())),
    }


def _values(name: str, size: int) -> list[float]:
    """Points along an axis, evenly spaced in the logarithm; whole where the quantity is."""
    _, low, high = AXES[name]
    values = np.geomspace(low, high, size)
    whole = name in ("n_arms", "horizon")
    return list(np.unique(values.round().astype(int)).tolist() if whole else values.tolist())


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    every = [(unit.settings, outcome) for unit, outcome in zip(units(options), outcomes, strict=True)]
    pairs, best = every[: -len(MAPS)], every[-len(MAPS) :]
    title = "Where a bound is below random play"
    svg, points = _draw("bounds-vacuity", title, pairs)
    shares = [_share(*pair) for pair in pairs]
    first = {row["bound"]: row["beats_random_play"] for row in shares if row["over"] == "K and n"}
    return [
        Panel(
            id="bounds-vacuity",
            title=title,
            finding="Over K = 5 to 500 and n = 10 to 10⁵ (log scales, a = 2, σ₀/σ = 0.4) the bound is below random "
            "play on "
            + ", ".join(f"{share:.0%} of the map ({bound_cells.TITLES[bound]})" for bound, share in first.items())
            + ".",
            svg=svg,
            points=tuple(points),
            table=Table.of(shares),
            data=[{"settings": settings, **outcome} for settings, outcome in pairs],
            notes=(
                "Formulas only, no simulation; σ = 1. The solid line is where the bound equals random play; across the "
                "dotted line another of its terms becomes the largest.",
                "For n <= K the regret of round robin is that of random play, and the new bounds say so exactly.",
                f"The counting bound is interpolated in a recorded table ({_error()}).",
            ),
            reproduce=options.command("bounds-vacuity"),
        ),
        smallest_bound.panel(options, best),
    ]


def _error() -> str:
    record = bound_table.table().get("counting")
    return "not made yet" if record is None else bound_table.error(record)


def _share(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    """How much of a map is worth something, and which term is the largest how often."""
    ratio, largest = np.asarray(outcome["ratio"]), np.asarray(outcome["largest"] or 0)
    over = next(name for name, (x, _, _) in MAPS.items() if x == settings["x"]["name"])
    terms = {name: float((largest == i).mean()) for i, name in enumerate(outcome["terms"])}
    text = ", ".join(f"{name} {share:.0%}" for name, share in terms.items() if share)
    beats = float((ratio < 1 - 1e-9).mean())
    return {"bound": settings["bound"], "over": over, "beats_random_play": beats,
            "smallest_ratio": ratio.min(), "largest_ratio": ratio.max(), "largest_term": text}  # fmt: skip


def _draw(name: str, title: str, pairs: Sequence[tuple[Settings, Outcome]]) -> tuple[str, list[Point]]:
    points: list[Point] = []
    with plotting.figure(8.6, 5.6) as fig:
        grid = fig.subplots(len(MAPS), len(ratios.SHOWN), squeeze=False)
        for i, (settings, outcome) in enumerate(pairs):
            column, row = divmod(i, len(MAPS))
            axes = grid[row, column]
            shade = _map(axes, settings, outcome)
            if row == 0:
                axes.set_title(bound_cells.TITLES[settings["bound"]], loc="left")
            if column == 0:
                fixed = ", ".join(f"{NAMES[key]} = {value:,g}" for key, value in settings["fixed"].items())
                axes.set_ylabel(f"{fixed}\n\n{AXES[settings['y']['name']][0]}")
            axes.set_xlabel(AXES[settings["x"]["name"]][0])
        bar = fig.colorbar(shade, ax=grid, shrink=0.9, ticks=[-3, -2, -1, 0, 1, 2, 3])
        bar.ax.set_yticklabels(["1/1000", "1/100", "1/10", "1", "10", "100", "1000"])
        bar.set_label("bound / random play")
        bar.outline.set_visible(False)
        for i, (settings, outcome) in enumerate(pairs):
            column, row = divmod(i, len(MAPS))
            points += _points(grid[row, column], settings, outcome)
        return plotting.to_svg(fig, name, title), points


def _map(axes: Any, settings: Settings, outcome: Outcome) -> Any:
    x, y = settings["x"]["values"], settings["y"]["values"]
    worth = np.clip(np.log10(np.asarray(outcome["ratio"])) + EQUAL, LEVELS[0], LEVELS[-1])
    axes.set(xscale="log", yscale="log")
    shade = axes.contourf(x, y, worth, levels=LEVELS, cmap=COLOURS)
    axes.contour(x, y, worth, levels=[0.0], colors="#101010", linewidths=1.6)
    largest = np.asarray(outcome["largest"] or 0, dtype=float)
    if largest.min() < largest.max():
        axes.contour(x, y, largest, levels=[0.5, 1.5, 2.5], colors="#101010", linewidths=1.1, linestyles="dotted")
    for axis, name in ((axes.xaxis, settings["x"]["name"]), (axes.yaxis, settings["y"]["name"])):
        if name in ("a", "spread"):
            ticks = [1, 2, 4] if name == "a" else [0.3, 1, 3]
            axis.set_major_locator(FixedLocator(ticks))
            axis.set_minor_locator(NullLocator())
            axis.set_ticklabels([f"{tick:g}" for tick in ticks])
    axes.tick_params(color=INK)
    return shade


def _points(axes: Any, settings: Settings, outcome: Outcome) -> list[Point]:
    """Some places of the map with their numbers."""
    x, y, ratio = settings["x"], settings["y"], np.asarray(outcome["ratio"])
    every = [slice(1, len(axis["values"]), max(1, len(axis["values"]) // 7)) for axis in (x, y)]
    chosen = [(i, j) for i in range(len(y["values"]))[every[1]] for j in range(len(x["values"]))[every[0]]]
    labels = []
    for i, j in chosen:
        place = f"{NAMES[x['name']]} = {x['values'][j]:.3g}, {NAMES[y['name']]} = {y['values'][i]:.3g}"
        term = f", largest term: {outcome['terms'][outcome['largest'][i][j]]}" if outcome["terms"] else ""
        labels.append(f"{place}: bound / random play = {ratio[i, j]:.3g}{term}")
    return plotting.points(axes, [x["values"][j] for _, j in chosen], [y["values"][i] for i, _ in chosen], labels)
