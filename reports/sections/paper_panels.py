"""A panel of the paper: regret over time with confidence bands, and the distribution of the final regret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import Cell, HoverPoint, Panel, Table
from reports.core.plotting import PALETTE, number
from reports.sections.common.experiments import BUDGETS, COLOURS, compare, setting_unit
from reports.sections.run_times import milliseconds
from reucb.policies import Policy
from theory.experiments.settings import SETTINGS

Z = 1.96
LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)
Outcomes = Mapping[str, Outcome]  # by the name of the policy


def policies(name: str) -> dict[str, Policy]:
    """The policies of the paper's panel, and Thompson sampling in the same model."""
    return {**SETTINGS[name].policies, "ReTS": reucb.ReTS()}


def units(name: str, options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return [
        setting_unit(name, label, policy, budget.horizon, budget.runs, options.seed)
        for label, policy in policies(name).items()
    ]


def analyse(name: str, options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    setting = SETTINGS[name]
    by_label = dict(zip(policies(name), outcomes, strict=True))
    return [panel(name, setting.title, by_label, options, (f"the paper's {setting.label}", *setting.chosen))]


def panel(name: str, title: str, outcomes: Outcomes, options: Options, notes: tuple[str, ...]) -> Panel:
    svg, points = draw(name, title, outcomes)
    runs = len(next(iter(outcomes.values()))["final"])
    about = (
        f"{runs:,} runs; bands are 95 % confidence intervals of the mean; boxes 5, 25, 50, 75, 95 %, dots the mean; "
        "run times as recorded, one core"
    )
    return Panel(
        id=name, title=title, finding=finding(outcomes), svg=svg, points=tuple(points), notes=(about, *notes),
        table=Table.of(records(name, outcomes)), data=dict(outcomes), reproduce=options.command(name),
    )  # fmt: skip


def records(name: str, outcomes: Outcomes) -> list[dict[str, Cell]]:
    """Final regret of every policy (mean, error, quantiles), the best first, and its recorded run time."""
    rows: list[dict[str, Cell]] = []
    for label in ordered(outcomes):
        o = outcomes[label]
        low, _, median, _, high = np.quantile(o["final"], LEVELS).round(1).tolist()
        rows.append({
            "policy": label, "mean": round(o["mean"][-1], 2), "± (95 %)": round(Z * o["stderr"][-1], 2), "5 %": low,
            "median": median, "95 %": high, "ms per run": milliseconds(name, label),
        })  # fmt: skip
    return rows


def ordered(outcomes: Outcomes) -> list[str]:
    """Policies by their mean final regret, the best first."""
    return sorted(outcomes, key=lambda label: float(outcomes[label]["mean"][-1]))


def finding(outcomes: Outcomes) -> str:
    """The order of the policies, joined by ≈ where a paired comparison cannot tell two neighbours apart."""
    order = ordered(outcomes)
    words = [f"{order[0]} {number(outcomes[order[0]]['mean'][-1])}"]
    for better, worse in pairwise(order):
        pair = compare(outcomes[better]["final"], outcomes[worse]["final"])
        words.append(f"{'<' if pair.high < 1 else '≈'} {worse} {number(outcomes[worse]['mean'][-1])}")
    return "Final regret: " + " ".join(words) + "."


def draw(name: str, title: str, outcomes: Outcomes) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(9.2, 4.0) as fig:
        curves, spread = fig.subplots(1, 2, width_ratios=[1.55, 1])
        _curves(curves, outcomes)
        places = {label: place for place, label in enumerate(reversed(ordered(outcomes)))}
        _boxes(spread, outcomes, places)
        ends = [(o["mean"][-1], label, PALETTE[COLOURS[label]]) for label, o in outcomes.items()]
        plotting.end_labels(curves, next(iter(outcomes.values()))["rounds"][-1], ends)
        points = [p for label, o in outcomes.items() for p in _curve_points(curves, label, o)]
        points += [p for label, place in places.items() for p in _box_points(spread, label, outcomes[label], place)]
        return plotting.to_svg(fig, name, title), points


def _curves(axes: Any, outcomes: Outcomes) -> None:
    for label, o in outcomes.items():
        colour = PALETTE[COLOURS[label]]
        mean, error = np.asarray(o["mean"]), Z * np.asarray(o["stderr"])
        axes.plot(o["rounds"], mean, color=colour)
        axes.fill_between(o["rounds"], mean - error, mean + error, color=colour, alpha=0.18, linewidth=0)
        last = o["rounds"][-1]
    top = max(o["mean"][-1] + Z * o["stderr"][-1] for o in outcomes.values())
    axes.set(xlabel="round n", ylabel="Bayes regret", xlim=(0, last), ylim=(0, 1.03 * top))


def _boxes(axes: Any, outcomes: Outcomes, places: Mapping[str, int]) -> None:
    """Final regrets: 5-95 % as a line, 25-75 % as a bar, the median as a stroke, the mean as a dot."""
    for label, place in places.items():
        colour, final = PALETTE[COLOURS[label]], np.asarray(outcomes[label]["final"])
        low, q1, median, q3, high = np.quantile(final, LEVELS)
        axes.plot([low, high], [place, place], color=colour, linewidth=1.4)
        axes.barh(place, q3 - q1, left=q1, height=0.5, color=colour, alpha=0.55, linewidth=0)
        axes.plot([median, median], [place - 0.25, place + 0.25], color=colour, linewidth=2.2)
        axes.plot([final.mean()], [place], marker="o", markersize=4, color=plotting.INK)
    axes.set(xlabel="final regret over runs", xlim=(0, None))
    axes.set_yticks(range(len(places)), list(places))


def _curve_points(axes: Any, label: str, o: Outcome) -> list[HoverPoint]:
    some = slice(5, None, 6)
    rounds, mean, error = (o[key][some] for key in ("rounds", "mean", "stderr"))
    text = [f"{label}, n = {n:,}: {number(m)} ± {number(Z * e)}" for n, m, e in zip(rounds, mean, error, strict=True)]
    return plotting.points(axes, rounds, mean, text)


def _box_points(axes: Any, label: str, o: Outcome, place: int) -> list[HoverPoint]:
    median, spread = float(np.median(o["final"])), float(np.std(o["final"], ddof=1))
    return plotting.points(axes, [median], [place], [f"{label}: median {number(median)}, sd {number(spread)}"])


SECTIONS = tuple(
    Section(name, setting.title, "experiments", partial(units, name), partial(analyse, name))
    for name, setting in SETTINGS.items()
)
