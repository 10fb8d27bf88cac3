"""The regret of ReUCB* with a sigma_0^2 that is too large or too small."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import PALETTE
from reports.sections.common import paired
from reports.sections.common.experiment_budget import BUDGETS
from reports.sections.common.paired import Question, Row
from reucb.policies.base import Policy

FACTORS = {f"× {f:g}": f for f in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)}
TRUE = "× 1"
WHERE = {"gaussian-a": ("N(1, 0.04)", 0.04, "blue"), "gaussian-b": ("N(1, 1)", 1.0, "orange"),
         "gaussian-c": ("U[1, 2]", 1 / 12, "green")}  # fmt: skip
NOISE = 0.25


def told(variance: float) -> dict[str, Policy]:
    """ReUCB* given this variance times each factor."""
    return {label: reucb.ReUCB(a=1.0, sigma0_sq=f * variance, sigma_sq=NOISE) for label, f in FACTORS.items()}


QUESTIONS = tuple(Question(title, name, told(variance), TRUE) for name, (title, variance, _) in WHERE.items())
TITLE = "Regret of ReUCB* with a wrong σ₀²"
NOTES = ("regret relative to ReUCB* with the true σ₀²; paired over runs, bands are 95 % intervals",)


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return paired.units(QUESTIONS, budget.horizon, budget.method_runs, options.seed)


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = paired.rows(QUESTIONS, outcomes)
    under, over = (
        ", ".join(f"{row.against.ratio:.2f}" for row in rows if row.label == label) for label in ("× 0.1", "× 10")
    )
    finding = (
        f"A tenfold too small σ₀² multiplies the regret by {under} in the three settings, "
        f"a tenfold too large one by {over}."
    )
    svg, points = draw({q.title: [row for row in rows if row.question == q.title] for q in QUESTIONS})
    table = [row.record("setting", "σ₀² used") for row in rows]
    return [Panel("wrong-spread", TITLE, finding, svg, tuple(points), Table.of(table), data=table, notes=NOTES,
                  reproduce=options.command("wrong-spread"))]  # fmt: skip


def draw(curves: Mapping[str, Sequence[Row]]) -> tuple[str, list[Point]]:
    """Ratio over factor, both on logarithmic axes."""
    colours = {title: PALETTE[colour] for title, _, colour in WHERE.values()}
    x = list(FACTORS.values())
    with plotting.figure(7.6, 4.0) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="σ₀² used / true σ₀²", ylabel="regret / regret with the true σ₀²")
        for title, rows in curves.items():
            low, ratio, high = ([getattr(row.against, end) for row in rows] for end in ("low", "ratio", "high"))
            axes.plot(x, ratio, marker="o", markersize=4, color=colours[title])
            axes.fill_between(x, low, high, color=colours[title], alpha=0.18, linewidth=0)
        axes.axhline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
        plotting.plain_ticks(axes.xaxis, x)
        plotting.plain_ticks(axes.yaxis)
        plotting.end_labels(
            axes, x[-1], [(rows[-1].against.ratio, title, colours[title]) for title, rows in curves.items()]
        )
        points = [
            point
            for rows in curves.values()
            for point in plotting.points(axes, x, [row.against.ratio for row in rows], [row.text for row in rows])
        ]
        return plotting.to_svg(fig, "wrong-spread", "Regret of ReUCB* given a wrong variance of the arm means"), points


SECTIONS = (Section("wrong-spread", "Regret with a wrong σ₀²", "experiments", units, analyse),)
