"""The picture of which bound is the smallest where."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Settings
from reports.core.panel import Panel, Point, Table
from reports.sections.common.bound_cells import TITLES
from reports.sections.vacuity.ratios import RIVALS

TITLE = "Which bound is the smallest"
COLOURS = {
    "random": "#b9bcc2",
    "theorem1": "#d9707f",
    "sharp": "#7fb0e6",
    "logarithmic": "#b79be0",
    "counting": "#74bd97",
}
NAMES = {"n_arms": "arms K", "horizon": "rounds n", "a": "width coefficient a", "spread": "σ₀ / σ"}
SHORT = {"n_arms": "K", "horizon": "n", "a": "a", "spread": "σ₀/σ"}


def panel(options: Options, pairs: Sequence[tuple[Settings, Outcome]]) -> Panel:
    rows = [_row(*pair) for pair in pairs]
    svg, points = _draw(pairs)
    told = "; ".join(f"over {row['over']}: {_shares(row)}" for row in rows)
    return Panel(
        id="bounds-best",
        title=TITLE,
        finding=f"Share of the map on which each is the smallest; {told}.",
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


def _shares(row: dict[str, Any]) -> str:
    return ", ".join(f"{title(name)} {row[title(name)]:.0%}" for name in RIVALS if row[title(name)])


def title(name: str) -> str:
    return TITLES.get(name, "none below random play")


def _row(settings: Settings, outcome: Outcome) -> dict[str, Any]:
    best = np.asarray(outcome["best"])
    shares = {title(name): float((best == i).mean()) for i, name in enumerate(RIVALS)}
    return {"over": f"{SHORT[settings['x']['name']]} and {SHORT[settings['y']['name']]}", **shares}


def _draw(pairs: Sequence[tuple[Settings, Outcome]]) -> tuple[str, list[Point]]:
    points: list[Point] = []
    with plotting.figure(8.6, 3.9) as fig:
        every = fig.subplots(1, len(pairs))
        for axes, (settings, outcome) in zip(every, pairs, strict=True):
            x, y = settings["x"], settings["y"]
            colours = ListedColormap([COLOURS[name] for name in RIVALS])
            axes.set(xscale="log", yscale="log", xlabel=NAMES[x["name"]], ylabel=NAMES[y["name"]])
            best = np.asarray(outcome["best"], dtype=float)
            levels = np.arange(len(RIVALS) + 1) - 0.5
            axes.contourf(x["values"], y["values"], best, levels=levels, colors=colours.colors)
            fixed = ", ".join(f"{SHORT[key]} = {value:,g}" for key, value in settings["fixed"].items())
            axes.set_title(fixed, loc="left")
            for axis, name in ((axes.xaxis, x["name"]), (axes.yaxis, y["name"])):
                if name in ("a", "spread"):
                    plotting.plain_ticks(axis, (0.3, 1, 3) if name == "spread" else (1, 2, 4))
        shown = [Patch(color=COLOURS[name], label=title(name)) for name in RIVALS]
        fig.legend(handles=shown, loc="outside upper right", ncols=3)
        for axes, pair in zip(every, pairs, strict=True):
            points += _points(axes, *pair)
        return plotting.to_svg(fig, "bounds-best", TITLE), points


def _points(axes: Any, settings: Settings, outcome: Outcome) -> list[Point]:
    x, y = settings["x"], settings["y"]
    places = [(i, j) for i in range(2, len(y["values"]), 8) for j in range(2, len(x["values"]), 8)]
    labels = [
        f"{SHORT[x['name']]} = {x['values'][j]:.3g}, {SHORT[y['name']]} = {y['values'][i]:.3g}: "
        f"{title(RIVALS[outcome['best'][i][j]])}, {outcome['ratio'][i][j]:.3g} of random play"
        for i, j in places
    ]
    return plotting.points(axes, [x["values"][j] for _, j in places], [y["values"][i] for i, _ in places], labels)
