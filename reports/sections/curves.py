"""The one picture: regret curves, random play and the bounds, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Unit
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bounds_budget import BUDGETS
from reucb import bounds

COLOURS = {
    "theorem1": PALETTE["red"],
    "sharp": PALETTE["blue"],
    "logarithmic": PALETTE["purple"],
    "combined": PALETTE["green"],
}
BEYOND = 10  # bounds are drawn up to this multiple of the longest simulated horizon


def units(options: Options) -> list[Unit]:
    return [
        Unit(bound_cells.run, settings) for settings in bound_cells.curves(BUDGETS[options.budget].curve, options.seed)
    ]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    """One panel for each a."""
    settings = [unit.settings for unit in units(options)]
    panels = []
    for a in BUDGETS[options.budget].curve.a:
        pairs = [pair for pair in zip(settings, outcomes, strict=True) if pair[0]["model"]["a"] == a]
        panels.append(_panel(options, a, pairs))
    return panels


def _panel(options: Options, a: float, pairs: Sequence[tuple[Settings, Outcome]]) -> Panel:
    name = "bounds-curves" if a == 1 else f"bounds-curves-a{a:g}"
    model = pairs[0][0]["model"]
    last = pairs[0][0]["horizons"][-1]
    title = f"Regret and its bounds: K = {model['n_arms']}, σ₀ = {model['sigma0_sq'] ** 0.5:g}, " + (
        f"σ = {model['sigma_sq'] ** 0.5:g}, a = {a:g}"
    )
    lines = _bound_lines(model, last)
    svg, points = _draw(name, title, pairs, lines)
    tests = bound_tests.family([s for s, _ in pairs], [o for _, o in pairs])
    return Panel(
        id=name,
        title=title,
        finding=_finding(pairs, lines, last),
        svg=svg,
        points=tuple(points),
        table=Table.of(_records(pairs)),
        data={"cells": [{"settings": s, "outcome": o} for s, o in pairs], "bounds": lines},
        notes=(
            f"{pairs[0][0]['runs']} runs each; bands are 95 % confidence intervals of the mean. Bounds are formulas "
            "and "
            f"are drawn to n = {BEYOND * last:,}.",
            "ReUCB* knows both variances and is what the theorems speak about; ReUCB estimates them.",
            *_takes_over(model),
        ),
        reproduce=options.command("bounds-curves"),
        alerts=bound_tests.alerts(tests),
    )


def _takes_over(model: dict[str, Any]) -> tuple[str, ...]:
    """From which horizon on the logarithmic bound is the better one."""
    if model["a"] < 2:
        return ()
    return (f"The logarithmic bound is below the sharp one from n = {bounds.logarithmic_from(**model):,.0f} on.",)


def _bound_lines(model: dict[str, Any], last: int) -> dict[str, Any]:
    """Every applicable bound and random play on a grid of horizons beyond the simulated ones."""
    n = np.unique(np.geomspace(1, BEYOND * last, 91).round().astype(int))
    lines: dict[str, Any] = {"n": n, "random": bounds.trivial(
        n_arms=model["n_arms"], horizon=n, sigma0_sq=model["sigma0_sq"])}  # fmt: skip
    for name, bound in bound_cells.GAUSSIAN.items():
        if model["a"] >= {"theorem1": 1, "logarithmic": 2}.get(name, 0):
            lines[name] = bound(**model, horizon=n)
    return lines


def _draw(
    name: str, title: str, pairs: Sequence[tuple[Settings, Outcome]], lines: dict[str, Any]
) -> tuple[str, list[Point]]:
    with plotting.figure(8.2, 4.9) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="rounds n", ylabel="Bayes regret")
        n, labels = lines["n"], [(lines["random"][-1], "random play", PALETTE["grey"])]
        axes.set_xlim(1, n[-1])
        axes.set_ylim(lines["random"][0] * 0.6, lines["random"][-1] * 1.15)
        axes.plot(n, lines["random"], "--", color=PALETTE["grey"])
        axes.fill_between(n, lines["random"], axes.get_ylim()[1], color=PALETTE["grey"], alpha=0.13, lw=0)
        axes.text(1.5, lines["random"][-1] * 0.4, "vacuous: worse than random play", fontsize=9)
        drawn = []
        for bound, colour in COLOURS.items():
            if bound in lines:
                shown = n >= 2 if bound == "theorem1" else n >= 1
                axes.plot(n[shown], lines[bound][shown], color=colour)
                labels.append((lines[bound][-1], bound_cells.TITLES[bound], colour))
        for (settings, outcome), colour in zip(pairs, (INK, PALETTE["orange"]), strict=True):
            rounds = np.asarray(outcome["horizons"])
            low, high = bound_tests.mean_interval(outcome, settings["runs"])
            axes.fill_between(rounds, np.maximum(low, 1e-9), high, color=colour, alpha=0.18, lw=0)
            axes.plot(rounds, outcome["mean"], color=colour, lw=2.4)
            drawn.append((settings["policy"], rounds, outcome["mean"], colour))
        plotting.end_labels(axes, n[-1], labels)
        _name_curves(axes, drawn)
        points = _points(axes, drawn, lines)
        return plotting.to_svg(fig, name, title), points


def _name_curves(axes: Any, drawn: Sequence[tuple[str, Any, Any, str]]) -> None:
    """The simulated curves end inside the picture: name them there, the higher one above."""
    ends = [(mean[-1], policy, rounds[-1], colour) for policy, rounds, mean, colour in drawn]
    for order, (mean, policy, last, colour) in enumerate(sorted(ends)):
        axes.annotate(
            f"{policy}, simulated", (last, mean), xytext=(5, (-9, 3)[order]), textcoords="offset points", color=colour,
            va="center", fontsize=9,
        )  # fmt: skip


def _points(axes: Any, drawn: Sequence[tuple[str, Any, Any, str]], lines: dict[str, Any]) -> list[Point]:
    points = []
    curves = [(policy, rounds, mean) for policy, rounds, mean, _ in drawn]
    curves += [(bound_cells.TITLES.get(name, "random play"), lines["n"], y) for name, y in lines.items() if name != "n"]
    for text, n, y in curves:
        inside = slice(1 if text == bound_cells.TITLES["theorem1"] else 0, None, 3)
        labels = [f"{text}: {number(v)} at n = {k:,}" for k, v in zip(n[inside], y[inside], strict=True)]
        points += plotting.points(axes, n[inside], y[inside], labels)
    return points


def _finding(pairs: Sequence[tuple[Settings, Outcome]], lines: dict[str, Any], last: int) -> str:
    outcome = pairs[0][1]
    mean, random = outcome["mean"][-1], outcome["random"][-1]
    ends = {name: outcome["bounds"][name][-1] for name in COLOURS}
    values = {name: value for name, value in ends.items() if value is not None}
    parts = [f"{bound_cells.TITLES[name]} {number(value)}" for name, value in values.items()]
    vacuous = "vacuous" if values["theorem1"] >= random else "not vacuous"
    return (
        f"After {last:,} rounds ReUCB* has lost {number(mean)} and random play {number(random)}; the bounds say "
        f"{', '.join(parts)}: the printed one is {values['theorem1'] / mean:.0f} times the regret and {vacuous}, the "
        f"best one {min(values.values()) / mean:.1f} times."
    )


def _records(pairs: Sequence[tuple[Settings, Outcome]]) -> list[dict[str, Any]]:
    records = []
    for settings, outcome in pairs:
        for i, horizon in enumerate(outcome["horizons"]):
            if horizon in bound_cells.horizons(outcome["horizons"][-1]):
                at = {name: values[i] for name, values in outcome["bounds"].items()}
                numbers = {"regret": outcome["mean"][i], "stderr": outcome["stderr"][i], "random": outcome["random"][i]}
                records.append({"policy": settings["policy"], "rounds": horizon, **numbers, **at})
    return records


SECTIONS = (Section("bounds-curves", "Regret and its bounds", "bounds", units, analyse),)
