"""With many arms the estimator of sigma_0^2 decides the regret: 1,000 arms, and click-through rates of 500 articles.

A likelihood does not depend on the rule that chose the arms; sums of squares do. The estimates are those on the runs of
each method's own ReUCB.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Settings, Tools, Unit
from reports.core.panel import Cell, HoverPoint, Panel, Table
from reports.core.plotting import PALETTE
from reports.sections.common.experiments import BUDGETS, COLOURS
from reports.sections.variance_estimators.early_estimates import estimates_on
from reucb.policies.base import Policy
from reucb.variance import METHODS

KNOWN, SAMPLING = "known", "ReTS"
BARS = (*METHODS, KNOWN, SAMPLING)
TITLE = "Many arms: regret and estimated σ₀² with four variance estimators"


@dataclass(frozen=True)
class ManyArms:
    """A bandit with many arms, its horizon, and its variances: of the arm means, and of a reward on average."""

    title: str
    bandit: reucb.Bandit
    horizon: int
    sigma0_sq: float
    sigma_sq: float


CLICKS = scipy.stats.beta(10.5, 199.5)  # mean 0.05, standard deviation 0.015
WHERE = {
    "many-arms": ManyArms(
        "1,000 arms N(1, 0.04), σ = 0.5",
        reucb.Bandit(1000, scipy.stats.norm(1, 0.2), reucb.Gaussian(0.5)),
        10_000,
        0.04,
        0.25,
    ),
    "clicks": ManyArms(
        "500 click rates, 0.05 ± 0.015",
        reucb.Bandit(500, CLICKS, reucb.Bernoulli()),
        20_000,
        float(CLICKS.var()),
        float(CLICKS.mean() * (1 - CLICKS.mean())),
    ),
}


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return [
        Unit(follow, {"setting": name, "bandit": where.bandit.describe(), "method": method, "horizon": where.horizon,
                      "runs": budget.method_runs, "estimated": budget.estimator_runs // 2, "seed": options.seed})
        for name, where in WHERE.items() for method in (KNOWN, SAMPLING, *METHODS)
    ]  # fmt: skip


def follow(settings: Settings, tools: Tools) -> Outcome:
    """Final regrets, and the estimate / truth over rounds (median over some of the runs)."""
    where, method = WHERE[settings["setting"]], settings["method"]
    result = reucb.simulate(
        where.bandit, _policy(where, method), horizon=settings["horizon"], runs=settings["runs"],
        seed=settings["seed"], record=[settings["horizon"]], executor=tools.executor, progress=False,
    )  # fmt: skip
    found: dict[str, Any] = {"final": result.final}
    if method in METHODS:
        marks = np.unique(np.geomspace(1.02 * where.bandit.n_arms, settings["horizon"], 14).round().astype(np.int64))
        rows = [estimates_on(where.bandit, settings, run, marks) for run in range(settings["estimated"])]
        found |= {"rounds": marks, "estimate": np.median(np.array(rows), axis=0) / where.sigma0_sq}
    return found


def _policy(where: ManyArms, method: str) -> Policy:
    """ReUCB with this estimator, ReUCB* or ReTS."""
    if method == SAMPLING:
        return reucb.ReTS()
    known: dict[str, Any] = {"sigma0_sq": where.sigma0_sq, "sigma_sq": where.sigma_sq}
    return reucb.ReUCB(a=1.0, **(known if method == KNOWN else {"method": method}))


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    keys = [(name, method) for name in WHERE for method in (KNOWN, SAMPLING, *METHODS)]
    found = dict(zip(keys, outcomes, strict=True))
    rows = [_record(name, method, found) for name, method in keys]
    svg, points = _draw(found)
    summary = "; ".join(
        f"{WHERE[name].title}: " + ", ".join(f"{m} {np.mean(found[name, m]['final']):.0f}" for m in BARS)
        for name in WHERE
    )
    return [
        Panel(
            id="variance-many-arms",
            title=TITLE,
            finding=f"Final regret: {summary}.",
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data={f"{name}/{method}": outcome for (name, method), outcome in found.items()},
            notes=(
                "known: ReUCB* given both variances (for clicks the average variance of a reward). moments: as in the "
                "paper, the default of ReUCB(). ReTS: Thompson sampling in the same model, variances by reml.",
                "estimates: median over runs of estimate / true σ₀², each on the runs of its own policy",
            ),
            reproduce=options.command("variance-methods"),
        )
    ]


def _record(name: str, method: str, found: Mapping[tuple[str, str], Outcome]) -> dict[str, Cell]:
    outcome = found[name, method]
    final, known = np.asarray(outcome["final"]), np.mean(found[name, KNOWN]["final"])
    last = round(outcome["estimate"][-1], 3) if "estimate" in outcome else None
    return {
        "setting": WHERE[name].title, "method": method, "regret": round(float(final.mean()), 1),
        "± (95 %)": round(1.96 * float(final.std(ddof=1)) / len(final) ** 0.5, 1),
        "regret / known": round(float(final.mean() / known), 3), "σ₀² estimate / truth at the end": last,
    }  # fmt: skip


def _draw(found: Mapping[tuple[str, str], Outcome]) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
    with plotting.figure(9.2, 5.4) as fig:
        grid = fig.subplots(2, len(WHERE), height_ratios=[1, 1.2])
        for (upper, lower), (name, where) in zip(grid.T, WHERE.items(), strict=True):
            upper.set_title(where.title, loc="left")
            _bars(upper, name, found)
            lower.axhline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
            for method in METHODS:
                outcome = found[name, method]
                lower.plot(outcome["rounds"], outcome["estimate"], color=PALETTE[COLOURS[method]],
                           label=method if name == "many-arms" else None)  # fmt: skip
            top = max(2.0, min(8.0, max(max(found[name, m]["estimate"]) for m in METHODS)))
            lower.set(xscale="log", xlabel="round", ylabel="estimate / true σ₀²", ylim=(-0.05, 1.05 * top))
        fig.legend(loc="outside upper right", ncols=len(METHODS))
        for (upper, lower), name in zip(grid.T, WHERE, strict=True):
            points += _labels(upper, lower, name, found)
        return plotting.to_svg(fig, "variance-many-arms", TITLE), points


def _bars(axes: Any, name: str, found: Mapping[tuple[str, str], Outcome]) -> None:
    methods = BARS
    for y, method in enumerate(methods):
        final = np.asarray(found[name, method]["final"])
        colour = PALETTE[COLOURS.get(method, "grey")]
        axes.barh(
            y,
            final.mean(),
            xerr=1.96 * final.std(ddof=1) / len(final) ** 0.5,
            ecolor=plotting.INK,
            color=colour,
            alpha=0.8,
            height=0.7,
        )
    axes.set(ylim=(len(methods) - 0.4, -0.6), xlabel="final regret")
    axes.set_yticks(range(len(methods)), methods)
    axes.tick_params(axis="y", length=0)


def _labels(upper: Any, lower: Any, name: str, found: Mapping[tuple[str, str], Outcome]) -> list[HoverPoint]:
    methods = BARS
    means = [float(np.mean(found[name, method]["final"])) for method in methods]
    text = [f"{method}: {plotting.number(mean)}" for method, mean in zip(methods, means, strict=True)]
    points = plotting.points(upper, means, list(range(len(methods))), text)
    for method in METHODS:
        outcome = found[name, method]
        seen = [(n, v) for n, v in zip(outcome["rounds"], outcome["estimate"], strict=True) if v < lower.get_ylim()[1]]
        words = [f"{method}, round {n:,}: {v:.2f} times the truth" for n, v in seen]
        points += plotting.points(lower, [n for n, _ in seen], [v for _, v in seen], words)
    return points
