"""Where does the regret of ReUCB lie? Simulated curves between a lower bound for every algorithm and upper bounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bound_cells import BEYOND, TITLES
from reports.sections.common.bounds_budget import BUDGETS
from reucb import bounds

COLOURS = {
    "theorem1": PALETTE["red"],
    "sharp": PALETTE["blue"],
    "logarithmic": PALETTE["purple"],
    "counting": PALETTE["green"],
    "lower": PALETTE["brown"],
}
NEEDS = {"theorem1": 1.0, "logarithmic": 2.0}  # the least a for which the theorem applies
Pair = tuple[Settings, Outcome]
Lines = Mapping[str, tuple[Any, Any]]  # name -> (rounds, values)


def units(options: Options) -> list[Unit]:
    """The simulated cells, and for each a the bounds that are too slow to be evaluated at every round."""
    curve = BUDGETS[options.budget].curve
    cells = list(bound_cells.curves(curve, options.seed))
    slow = [
        Unit(bound_cells.bound_lines, {"model": _model(cells, a), "rounds": bound_cells.slow_horizons(curve)})
        for a in curve.a
    ]
    return [*(Unit(bound_cells.run, cell) for cell in cells), *slow]


def _model(cells: Sequence[Settings], a: float) -> dict[str, Any]:
    return next(dict(cell["model"]) for cell in cells if cell["model"]["a"] == a)


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    """One panel for each a."""
    every = list(zip([unit.settings for unit in units(options)], outcomes, strict=True))
    panels = []
    for a in BUDGETS[options.budget].curve.a:
        here = [pair for pair in every if pair[0]["model"]["a"] == a]
        pairs = [pair for pair in here if "policy" in pair[0]]
        slow = next(pair for pair in here if "rounds" in pair[0])
        panels.append(_panel(options, a, pairs, slow))
    return panels


def _panel(options: Options, a: float, pairs: Sequence[Pair], slow: Pair) -> Panel:
    name = "bounds-curves" if a == 1 else f"bounds-curves-a{a:g}"
    model = pairs[0][0]["model"]
    last = pairs[0][0]["horizons"][-1]
    title = f"Regret of ReUCB between its bounds: K = {model['n_arms']}, σ₀ = {model['sigma0_sq'] ** 0.5:g}, " + (
        f"σ = {model['sigma_sq'] ** 0.5:g}, a = {a:g}"
    )
    lines = _bound_lines(model, last, slow)
    svg, points = _draw(name, title, pairs, lines)
    tests = bound_tests.family([s for s, _ in pairs], [o for _, o in pairs])
    at_end = _at_end(pairs[0][1])
    return Panel(
        id=name,
        title=title,
        finding=_finding(at_end, last),
        svg=svg,
        points=tuple(points),
        table=Table.of(_records(pairs)),
        data={
            "cells": [{"settings": s, "outcome": o} for s, o in pairs],
            "bounds": {name: {"n": n, "values": y} for name, (n, y) in lines.items()},
        },
        notes=(
            f"{pairs[0][0]['runs']} runs each; bands are 95 % confidence intervals of the mean. Bounds are formulas "
            f"and are drawn to n = {BEYOND * last:,}.",
            "ReUCB* knows both variances; the upper bounds are about it. ReUCB and ReTS (Thompson sampling in the same "
            "model) estimate them. The lower bound holds "
            "for every algorithm, also for one that knows mu_0. Random play is shown for comparison.",
            *_takes_over(model),
        ),
        reproduce=options.command("bounds-curves"),
        alerts=bound_tests.alerts(tests),
        headlines=_headlines(at_end, model, last) if a == 1 else (),
    )


def _at_end(outcome: Outcome) -> dict[str, float]:
    """Regret of ReUCB*, random play and every bound that applies, after the last round."""
    values = {name: found[-1] for name, found in outcome["bounds"].items()}
    known = {name: value for name, value in values.items() if value is not None}
    return {"regret": outcome["mean"][-1], "random": outcome["random"][-1], **known}


def _takes_over(model: dict[str, Any]) -> tuple[str, ...]:
    """From which horizon on the logarithmic bound is below the sharp one."""
    if model["a"] < 2:
        return ()
    return (f"The logarithmic bound is below the sharp one from n = {bounds.logarithmic_from(**model):,.0f} on.",)


def _bound_lines(model: dict[str, Any], last: int, slow: Pair) -> dict[str, tuple[Any, Any]]:
    """Every applicable bound and random play, on a grid of horizons beyond the simulated ones."""
    n = np.unique(np.geomspace(1, BEYOND * last, 91).round().astype(int))
    play = bounds.trivial(n_arms=model["n_arms"], horizon=n, sigma0_sq=model["sigma0_sq"])
    lines: dict[str, tuple[Any, Any]] = {"random": (n, play)}
    for name in COLOURS:
        if name in bound_cells.SLOW:
            lines[name] = (np.asarray(slow[0]["rounds"]), np.asarray(slow[1][name]))
        elif model["a"] >= NEEDS.get(name, 0):
            start = 2 if name == "theorem1" else 1
            lines[name] = (n[n >= start], np.asarray(bound_cells.GAUSSIAN[name](**model, horizon=n[n >= start])))
    return lines


def _draw(name: str, title: str, pairs: Sequence[Pair], lines: Lines) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(8.2, 5.2) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="rounds n", ylabel="Bayes regret")
        n, play = lines["random"]
        shown = n >= pairs[0][0]["model"]["n_arms"] / 5  # until every arm was pulled all policies play at random
        axes.set_xlim(n[shown][0], n[-1])
        axes.set_ylim(play[shown][0] * 0.6, play[-1] * 1.15)
        axes.plot(n, play, "--", color=PALETTE["grey"])
        axes.fill_between(n, play, axes.get_ylim()[1], color=PALETTE["grey"], alpha=0.13, lw=0)
        axes.text(1.5 * n[shown][0], play[-1] * 0.4, "worse than random play", fontsize=9)
        labels = [(play[-1], "random play", PALETTE["grey"])]
        for bound, colour in COLOURS.items():
            if bound in lines:
                axes.plot(*lines[bound], color=colour)
                labels.append((float(lines[bound][1][-1]), TITLES[bound].split(",")[0], colour))
        drawn = []
        for (settings, outcome), colour in zip(pairs, (INK, PALETTE["orange"], PALETTE["teal"]), strict=True):
            rounds = np.asarray(outcome["horizons"])
            low, high = bound_tests.mean_interval(outcome, settings["runs"])
            axes.fill_between(rounds, np.maximum(low, 1e-9), high, color=colour, alpha=0.18, lw=0)
            axes.plot(rounds, outcome["mean"], color=colour, lw=2.4)
            drawn.append((settings["policy"], rounds, outcome["mean"], colour))
        plotting.end_labels(axes, n[-1], labels)
        names = [(mean[-1], policy, colour) for policy, _, mean, colour in drawn]
        plotting.end_labels(axes, drawn[0][1][-1], names, gap=10.0)
        points = _points(axes, drawn, lines)
        return plotting.to_svg(fig, name, title), points


def _points(axes: Any, drawn: Sequence[tuple[str, Any, Any, str]], lines: Lines) -> list[HoverPoint]:
    points = []
    curves = [(policy, rounds, mean, 3) for policy, rounds, mean, _ in drawn]
    curves += [(TITLES.get(name, "random play"), n, y, 3 if len(n) > 20 else 1) for name, (n, y) in lines.items()]
    for text, n, y, step in curves:
        seen = np.asarray(n) >= axes.get_xlim()[0]
        x, heights = np.asarray(n)[seen][::step], np.asarray(y)[seen][::step]
        labels = [f"{text}: {number(v)} at n = {k:,}" for k, v in zip(x, heights, strict=True)]
        points += plotting.points(axes, x, heights, labels)
    return points


def _finding(at: Mapping[str, float], last: int) -> str:
    uppers = {name: at[name] for name in (*COLOURS, "combined") if name in at and name not in bound_cells.LOWER}
    best = min(uppers, key=uppers.__getitem__)
    side = {"theorem1": 0.0}  # the printed formula is quoted, the others are bounds
    listed = ", ".join(f"{TITLES[name]} {number(value, side.get(name, np.inf))}" for name, value in uppers.items())
    return (
        f"After {last:,} rounds the regret of ReUCB* is {number(at['regret'])}, that of random play "
        f"{number(at['random'])}. Upper bounds: {listed}; the best is {at[best] / at['regret']:.2f} times the regret. "
        f"No algorithm has a Bayes regret below {number(at['lower'], -np.inf)}, so ReUCB* is within a factor "
        f"{at['regret'] / at['lower']:.2f} of the best possible."
    )


def _headlines(at: Mapping[str, float], model: Mapping[str, Any], last: int) -> tuple[str, ...]:
    if "theorem1" not in at or "combined" not in at:
        return ()
    where = f"K = {model['n_arms']}, n = {last:,}"
    side = "above" if at["theorem1"] > at["random"] else "below"
    return (
        f"In the setting of Fig. 1(a) at {where}, the printed bound is {number(at['theorem1'])}, {side} the "
        f"regret of random play ({number(at['random'])}). The least bound proved here is "
        f"{number(at['combined'], np.inf)}; the regret of ReUCB* is {number(at['regret'])}.",
        f"No algorithm has a Bayes regret below {number(at['lower'], -np.inf)} there: ReUCB* is within a factor "
        f"{at['regret'] / at['lower']:.2f} of the best possible.",
    )


def _records(pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    records = []
    for settings, outcome in pairs:
        for i, horizon in enumerate(outcome["horizons"]):
            if horizon in bound_cells.horizons(outcome["horizons"][-1]):
                at = {name: values[i] for name, values in outcome["bounds"].items()}
                numbers = {"regret": outcome["mean"][i], "stderr": outcome["stderr"][i], "random": outcome["random"][i]}
                records.append({"policy": settings["policy"], "rounds": horizon, **numbers, **at})
    return records


SECTIONS = (Section("bounds-curves", "Regret between its bounds", "bounds", units, analyse),)
