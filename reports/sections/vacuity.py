"""For which parameters is a bound below random play, and which bound is the smallest? Formulas only.

Maps over (K, n) and over (a, sigma0/sigma): each bound divided by random play, its largest term, the smallest bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, NullLocator

from reports.core import FloatArray, bound_table, plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK
from reports.core.store import canonical, digest
from reports.sections.common import bound_cells
from reports.sections.common.bound_cells import TITLES
from reports.sections.common.bounds_budget import BUDGETS
from reucb import bounds

TERMS = {"theorem1": bounds.theorem1_terms, "sharp": bounds.sharp_terms}
SHOWN = (*TERMS, *(("counting",) if "counting" in bound_table.table() else ()))
# Candidates for the smallest; Theorem 2 is true from n = 2 on, and random play means that no bound is below it.
RIVALS = ("random", "theorem1", "sharp", "logarithmic", "counting")
EQUAL = 1e-9
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
DRAWN_EQUAL = 1e-6  # a bound equal to random play is drawn as no better
LEVELS = (-3.0, -2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0)
RATIO_COLOURS = LinearSegmentedColormap.from_list(
    "worth", ["#14603f", "#3f9a6d", "#a8d5b5", "#f3e3b3", "#dd8f5a", "#a33b4a", "#571f38"]
)
SMALLEST_TITLE = "Which bound is the smallest"
BOUND_COLOURS = {
    "random": "#b9bcc2",
    "theorem1": "#d9707f",
    "sharp": "#7fb0e6",
    "logarithmic": "#b79be0",
    "counting": "#74bd97",
}


def run(settings: Settings, tools: Tools) -> Outcome:
    """On the grid x x y: bound / random play, and the index of the largest term (formulas with several terms only)."""
    model = model_of(_point(settings))
    if settings["bound"] == "counting":
        return {"ratio": counting_ratio(model), "terms": [], "largest": None}
    terms = TERMS[settings["bound"]](**model)
    names = [name for name in terms if name != "total"]
    shape = np.broadcast_shapes(*(np.shape(value) for value in model.values()))
    largest = np.argmax(np.stack([np.broadcast_to(terms[name], shape) for name in names]), axis=0)
    return {"ratio": np.asarray(terms["total"]) / _play(model), "terms": names, "largest": largest}


def smallest(settings: Settings, tools: Tools) -> Outcome:
    """On the grid: which of RIVALS is the smallest (the first of equal ones), and the ratio of that to random play."""
    model = model_of(_point(settings))
    ratios = np.stack([np.ones_like(_play(model)), *(_ratio(name, model) for name in RIVALS[1:])])
    best = np.argmin(np.where(ratios < 1 - EQUAL, ratios, np.where(ratios <= 1, 1.0, np.inf)), axis=0)
    return {"best": best, "ratio": np.minimum(ratios.min(axis=0), 1.0)}


def _ratio(name: str, model: dict[str, Any]) -> FloatArray:
    if name == "counting":
        return counting_ratio(model)
    legal = np.asarray(model["a"]) >= {"theorem1": 1.0, "logarithmic": 2.0}.get(name, 0.0)
    asked = model | {"a": np.where(legal, model["a"], 2.0)}
    found = np.asarray(getattr(bounds, name)(**asked)) / _play(model)
    return np.where(legal & (np.asarray(model["horizon"]) >= 2), found, np.inf)


def counting_ratio(model: dict[str, Any]) -> FloatArray:
    """counting / random play, interpolated in the recorded table; exactly 1 for n <= K."""
    rho = np.asarray(model["sigma_sq"], float) / np.asarray(model["sigma0_sq"], float)
    wanted = (model["n_arms"], model["horizon"], rho, model["a"])
    arms, rounds, rho, a = np.broadcast_arrays(*(np.asarray(values, float) for values in wanted))
    found = np.asarray(bounds.sharp(**model) / _play(model))
    for at in np.ndindex(found.shape):
        place = {"arms": arms[at], "rounds": rounds[at] / arms[at], "rho": rho[at], "a": a[at]}
        value = bound_table.interpolate("counting", place) if rounds[at] > arms[at] else 0.0
        found[at] *= np.inf if value is None else np.exp(value)
    return np.where(rounds > arms, found, 1.0)


def _play(model: dict[str, Any]) -> FloatArray:
    given = {name: model[name] for name in ("n_arms", "horizon", "sigma0_sq")}
    shape = np.broadcast_shapes(*(np.shape(value) for value in model.values()))
    return np.broadcast_to(np.asarray(bounds.trivial(**given), float), shape)


def _point(settings: Settings) -> dict[str, Any]:
    x, y = settings["x"], settings["y"]
    across, up = np.meshgrid(np.asarray(x["values"]), np.asarray(y["values"]))
    return dict(settings["fixed"]) | {x["name"]: across, y["name"]: up}


def model_of(point: Settings) -> dict[str, Any]:
    """The arguments of a bound from (n_arms, horizon, a, spread), spread = sigma0 / sigma and sigma = 1."""
    return {
        "n_arms": point["n_arms"],
        "horizon": point["horizon"],
        "sigma0_sq": np.square(point["spread"]),
        "sigma_sq": 1.0,
        "a": point["a"],
    }


def units(options: Options) -> list[Unit]:
    """Ratio to random play of each bound over each map, then the smallest bound over each map."""
    size = BUDGETS[options.budget].grid
    shown = [{"bound": bound, **_map_of(axes, size)} for bound in SHOWN for axes in MAPS.values()]
    finer = [_map_of(axes, 2 * size) for axes in MAPS.values()]
    return [*(Unit(run, one) for one in shown), *(Unit(smallest, one) for one in finer)]


def _map_of(axes: tuple[str, str, dict[str, float]], size: int) -> dict[str, Any]:
    x, y, fixed = axes
    return {
        **{key: {"name": name, "values": _values(name, size)} for key, name in (("x", x), ("y", y))},
        "fixed": fixed,
        "table": digest(canonical(bound_table.table())),
    }


def _values(name: str, size: int) -> list[float]:
    """Points along an axis, evenly spaced in the logarithm; integers for K and n."""
    _, low, high = AXES[name]
    values = np.geomspace(low, high, size)
    whole = name in ("n_arms", "horizon")
    return list(np.unique(values.round().astype(int)).tolist() if whole else values.tolist())


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    every = [(unit.settings, outcome) for unit, outcome in zip(units(options), outcomes, strict=True)]
    pairs, best = every[: -len(MAPS)], every[-len(MAPS) :]
    title = "Where a bound is below random play"
    svg, points = _draw_ratios("bounds-vacuity", title, pairs)
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
                "For n <= K the regret of round robin is that of random play, and the new bounds are equal to it.",
                f"The counting bound is interpolated in a recorded table ({_error()}).",
            ),
            reproduce=options.command("bounds-vacuity"),
        ),
        _smallest_panel(options, best),
    ]


def _error() -> str:
    record = bound_table.table().get("counting")
    return "not made yet" if record is None else bound_table.error(record)


def _share(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    """Share of a map on which the bound is below random play, and how often each term is the largest."""
    ratio, largest = np.asarray(outcome["ratio"]), np.asarray(outcome["largest"] or 0)
    over = next(name for name, (x, _, _) in MAPS.items() if x == settings["x"]["name"])
    terms = {name: float((largest == i).mean()) for i, name in enumerate(outcome["terms"])}
    text = ", ".join(f"{name} {share:.0%}" for name, share in terms.items() if share)
    beats = float((ratio < 1 - 1e-9).mean())
    return {"bound": settings["bound"], "over": over, "beats_random_play": beats,
            "smallest_ratio": ratio.min(), "largest_ratio": ratio.max(), "largest_term": text}  # fmt: skip


def _draw_ratios(name: str, title: str, pairs: Sequence[tuple[Settings, Outcome]]) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
    with plotting.figure(8.6, 5.6) as fig:
        grid = fig.subplots(len(MAPS), len(SHOWN), squeeze=False)
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
            points += _ratio_points(grid[row, column], settings, outcome)
        return plotting.to_svg(fig, name, title), points


def _map(axes: Any, settings: Settings, outcome: Outcome) -> Any:
    x, y = settings["x"]["values"], settings["y"]["values"]
    worth = np.clip(np.log10(np.asarray(outcome["ratio"])) + DRAWN_EQUAL, LEVELS[0], LEVELS[-1])
    axes.set(xscale="log", yscale="log")
    shade = axes.contourf(x, y, worth, levels=LEVELS, cmap=RATIO_COLOURS)
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


def _ratio_points(axes: Any, settings: Settings, outcome: Outcome) -> list[HoverPoint]:
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


def _smallest_panel(options: Options, pairs: Sequence[tuple[Settings, Outcome]]) -> Panel:
    rows = [_smallest_row(*pair) for pair in pairs]
    svg, points = _draw_smallest(pairs)
    shares_text = "; ".join(f"over {row['over']}: {_share_text(row)}" for row in rows)
    return Panel(
        id="bounds-best",
        title=SMALLEST_TITLE,
        finding=f"Share of the map on which each is the smallest; {shares_text}.",
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data=[{"settings": settings, **outcome} for settings, outcome in pairs],
        notes=(
            "Upper bounds on the regret of ReUCB*. Grey: no bound is below random play. The printed bound needs a >= "
            "1, the logarithmic bound a >= 2. The counting bound is interpolated in a recorded table.",
        ),
        reproduce=options.command("bounds-vacuity"),
    )


def _share_text(row: dict[str, Any]) -> str:
    return ", ".join(
        f"{_bound_title(name)} {row[_bound_title(name)]:.0%}" for name in RIVALS if row[_bound_title(name)]
    )


def _bound_title(name: str) -> str:
    return TITLES.get(name, "none below random play")


def _smallest_row(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    best = np.asarray(outcome["best"])
    shares = {_bound_title(name): float((best == i).mean()) for i, name in enumerate(RIVALS)}
    return {"over": f"{NAMES[settings['x']['name']]} and {NAMES[settings['y']['name']]}", **shares}


def _draw_smallest(pairs: Sequence[tuple[Settings, Outcome]]) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
    with plotting.figure(8.6, 3.9) as fig:
        every = fig.subplots(1, len(pairs))
        for axes, (settings, outcome) in zip(every, pairs, strict=True):
            x, y = settings["x"], settings["y"]
            axes.set(xscale="log", yscale="log", xlabel=AXES[x["name"]][0], ylabel=AXES[y["name"]][0])
            best = np.asarray(outcome["best"])
            for i, name in enumerate(RIVALS):  # one by one: levels 0, 1, ... would draw those between two neighbours
                smallest = (best == i).astype(float)
                if smallest.any():
                    axes.contourf(x["values"], y["values"], smallest, levels=[0.5, 1.5], colors=[BOUND_COLOURS[name]])
            fixed = ", ".join(f"{NAMES[key]} = {value:,g}" for key, value in settings["fixed"].items())
            axes.set_title(fixed, loc="left")
            for axis, name in ((axes.xaxis, x["name"]), (axes.yaxis, y["name"])):
                if name in ("a", "spread"):
                    plotting.decimal_ticks(axis, (0.3, 1, 3) if name == "spread" else (1, 2, 4))
        shown = [Patch(color=BOUND_COLOURS[name], label=_bound_title(name)) for name in RIVALS]
        fig.legend(handles=shown, loc="outside upper right", ncols=3)
        for axes, pair in zip(every, pairs, strict=True):
            points += _smallest_points(axes, *pair)
        return plotting.to_svg(fig, "bounds-best", SMALLEST_TITLE), points


def _smallest_points(axes: Any, settings: Settings, outcome: Outcome) -> list[HoverPoint]:
    x, y = settings["x"], settings["y"]
    places = [(i, j) for i in range(2, len(y["values"]), 8) for j in range(2, len(x["values"]), 8)]
    labels = [
        f"{NAMES[x['name']]} = {x['values'][j]:.3g}, {NAMES[y['name']]} = {y['values'][i]:.3g}: "
        f"{_bound_title(RIVALS[outcome['best'][i][j]])}, {outcome['ratio'][i][j]:.3g} of random play"
        for i, j in places
    ]
    return plotting.points(axes, [x["values"][j] for _, j in places], [y["values"][i] for i, _ in places], labels)


SECTIONS = (Section("bounds-vacuity", "Where a bound is below random play", "bounds", units, analyse),)
