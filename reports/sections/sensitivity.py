"""How sensitive is the regret to parameters chosen by the user? A wrong sigma_0^2, and what the paper leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import PALETTE
from reports.sections.common import experiments
from reports.sections.common.experiments import BUDGETS, PolicyRow, Question
from reucb.policies.base import Policy

FACTORS = {f"× {f:g}": f for f in (0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)}
TRUE_FACTOR = "× 1"
WRONG_SETTINGS = {"gaussian-a": ("N(1, 0.04)", 0.04, "blue"), "gaussian-b": ("N(1, 1)", 1.0, "orange"),
         "gaussian-c": ("U[1, 2]", 1 / 12, "green")}  # fmt: skip
NOISE = 0.25
WRONG_TITLE = "Regret of ReUCB* and ReTS with a wrong σ₀²"
WRONG_NOTES = (
    "solid: ReUCB*; dashed: ReTS, Thompson sampling in the same model; both given σ² and the σ₀² on the axis",
    "regret relative to ReUCB* with the true σ₀²; paired over runs, bands are 95 % intervals",
)
SAMPLED = "ReTS "
MEAN_VARIANCE = 0.22  # E p(1 - p) for p ~ U[0.2, 0.5]
OPEN_QUESTIONS = (
    Question("KL-UCB's rate", "ucb-family", {
        "log t (used)": reucb.KLUCB(sigma_sq=0.25),
        "log t + 3 log log t": reucb.KLUCB(sigma_sq=0.25, c=3.0),
    }, "log t (used)"),
    Question("Bayes-UCB's level", "ucb-family", {
        "1 - 1/t (used)": reucb.BayesUCB(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25),
        "1 - 1/(t log⁵ n)": reucb.BayesUCB(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25, c=5.0, horizon=10_000),
    }, "1 - 1/t (used)"),
    Question("noise given to UCB1 on Bernoulli", "bernoulli-50", {
        "1/4 (used)": reucb.UCB1(sigma_sq=0.25),
        f"mean variance {MEAN_VARIANCE}": reucb.UCB1(sigma_sq=MEAN_VARIANCE),
    }, "1/4 (used)"),
    Question("noise given to ReUCB* on Bernoulli", "bernoulli-50", {
        "1/4 (used)": reucb.ReUCB(a=1.0, sigma0_sq=0.0075, sigma_sq=0.25),
        f"mean variance {MEAN_VARIANCE}": reucb.ReUCB(a=1.0, sigma0_sq=0.0075, sigma_sq=MEAN_VARIANCE),
    }, "1/4 (used)"),
    Question("width constant a of ReUCB", "gaussian-a", {
        "1 (used)": reucb.ReUCB(a=1.0), "1/2": reucb.ReUCB(a=0.5), "2": reucb.ReUCB(a=2.0),
    }, "1 (used)"),
)  # fmt: skip
OPEN_NOTES = (
    "ratio to the choice used in this report, paired over runs, 95 % intervals",
    "the start of ReUCB is measured by benchmarks/start_rule.py; the horizon is 10,000 throughout, as in the paper "
    "where it states one",
)


def given_variances(variance: float) -> dict[str, Policy]:
    """ReUCB* and ReTS given this variance times each factor."""
    given: dict[str, dict[str, Any]] = {
        label: {"sigma0_sq": f * variance, "sigma_sq": NOISE} for label, f in FACTORS.items()
    }
    known: dict[str, Policy] = {label: reucb.ReUCB(a=1.0, **values) for label, values in given.items()}
    return known | {SAMPLED + label: reucb.ReTS(**values) for label, values in given.items()}


WRONG_QUESTIONS = tuple(
    Question(title, name, given_variances(variance), TRUE_FACTOR)
    for name, (title, variance, _) in WRONG_SETTINGS.items()
)


def wrong_units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return experiments.units(WRONG_QUESTIONS, budget.horizon, budget.method_runs, options.seed)


def wrong_analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = experiments.rows(WRONG_QUESTIONS, outcomes)
    under, over = (
        ", ".join(f"{row.against.ratio:.2f}" for row in rows if row.label == label) for label in ("× 0.1", "× 10")
    )
    finding = (
        f"A σ₀² that is ten times too small multiplies the regret of ReUCB* by {under} in the three settings, "
        f"one that is ten times too large by {over}."
    )
    svg, points = _draw_wrong({q.title: [row for row in rows if row.question == q.title] for q in WRONG_QUESTIONS})
    table = [row.record("setting", "σ₀² used") for row in rows]
    return [Panel("wrong-spread", WRONG_TITLE, finding, svg, tuple(points), Table.of(table), data=table,
                  notes=WRONG_NOTES, reproduce=options.command("wrong-spread"))]  # fmt: skip


def _draw_wrong(curves: Mapping[str, Sequence[PolicyRow]]) -> tuple[str, list[HoverPoint]]:
    """Ratio over factor, both on logarithmic axes."""
    colours = {title: PALETTE[colour] for title, _, colour in WRONG_SETTINGS.values()}
    x = list(FACTORS.values())
    with plotting.figure(7.6, 4.4) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", yscale="log", xlabel="σ₀² used / true σ₀²", ylabel="regret / ReUCB* with the true σ₀²")
        for title, rows in curves.items():
            for some, line in ((rows[: len(x)], "-"), (rows[len(x) :], "--")):
                low, ratio, high = ([getattr(row.against, end) for row in some] for end in ("low", "ratio", "high"))
                axes.plot(x, ratio, line, marker="o", markersize=4, color=colours[title])
                axes.fill_between(x, low, high, color=colours[title], alpha=0.18, linewidth=0)
        axes.axhline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
        plotting.decimal_ticks(axes.xaxis, x)
        plotting.decimal_ticks(axes.yaxis)
        plotting.end_labels(
            axes,
            x[-1],
            [
                (rows[last].against.ratio, name + title, colours[title])
                for title, rows in curves.items()
                for last, name in ((len(x) - 1, ""), (-1, SAMPLED))
            ],
        )
        points = [
            point
            for rows in curves.values()
            for point in plotting.points(axes, x + x, [row.against.ratio for row in rows], [row.text for row in rows])
        ]
        return plotting.to_svg(
            fig, "wrong-spread", "Regret of ReUCB* and ReTS given a wrong variance of the arm means"
        ), points


def open_units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return experiments.units(OPEN_QUESTIONS, budget.horizon, budget.method_runs, options.seed)


def open_analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = experiments.rows(OPEN_QUESTIONS, outcomes)
    widest = max(rows, key=lambda row: abs(np.log(row.against.ratio)))
    finding = (
        f"The choice that matters most is {widest.question}: {widest.label} instead of the one used multiplies the "
        f"regret by {widest.against.ratio:.2f}."
    )
    table = [row.record("question", "choice") for row in rows]
    return [Panel("unstated-choices", "What the paper leaves open", finding, table=Table.of(table), data=table,
                  reproduce=options.command("unstated-choices"), notes=OPEN_NOTES)]  # fmt: skip


SECTIONS = (
    Section("wrong-spread", "Regret with a wrong σ₀²", "experiments", wrong_units, wrong_analyse),
    Section("unstated-choices", "What the paper leaves open", "experiments", open_units, open_analyse),
)
