"""How good is the bound for rewards in [0, 1]? `reucb.bounds.bounded` compared with the paper's bound and the regret.

One evaluation of the bound takes up to a minute, so the report takes its values from a record, made by
`python -m reports.tools.record_bounds bounded`; regret and the other bounds are computed here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE, number
from reports.sections.common.bounds_budget import BUDGETS
from reucb import bounds
from reucb.policies.base import Policy

FILE = Path(__file__).parents[1] / "recorded" / "bounded.json"
HORIZON, NOISE = 10_000, 0.25  # rounds; the variance proxy of rewards in [0, 1]
WITH_RETS = 1.0  # the a beside which ReTS, which has none, is simulated
PRIORS = {
    "U[0, 1]": scipy.stats.uniform(0, 1),
    "U[0.2, 0.5]": scipy.stats.uniform(0.2, 0.3),
    "Beta(1, 9)": scipy.stats.beta(1, 9),
}
CASES = (
    *(("U[0, 1]", 10, a) for a in (1.0, 2.0, 4.0)),
    *(("U[0, 1]", 50, a) for a in (1.0, 2.0, 4.0)),
    *(("U[0.2, 0.5]", 20, a) for a in (1.0, 2.0, 4.0)),
    *(("U[0.2, 0.5]", 50, a) for a in (1.0, 2.0, 4.0)),
    *(("U[0.2, 0.5]", 100, a) for a in (1.0, 2.0, 4.0)),
    *(("Beta(1, 9)", 20, a) for a in (1.0, 2.0, 4.0)),
)
MARKS = {
    "bounded (ours)": ("D", PALETTE["green"]),
    "printed bound repaired (ours)": ("s", PALETTE["teal"]),
    "printed bound": ("o", PALETTE["red"]),
    "ReTS*": ("x", PALETTE["brown"]),
}
TITLE = f"Bernoulli rewards: bounds divided by the regret of ReUCB*, n = {HORIZON:,}"


def key(prior: str, n_arms: int, a: float) -> str:
    return f"{prior}, K = {n_arms}, a = {a:g}"


@cache
def recorded() -> dict[str, float]:
    """Values of `reucb.bounds.bounded` by case; empty if none were recorded."""
    return dict(json.loads(FILE.read_text(encoding="utf-8"))["values"]) if FILE.exists() else {}


def model(prior: str, n_arms: int, a: float) -> dict[str, Any]:
    """The arguments of a bound: proxies are the variance of the prior and 1/4."""
    return {"n_arms": n_arms, "horizon": HORIZON, "sigma0_sq": float(PRIORS[prior].var()), "sigma_sq": NOISE, "a": a}


def cases() -> list[tuple[str, int, float]]:
    """Those whose bound is recorded."""
    return [case for case in CASES if key(*case) in recorded()]


def units(options: Options) -> list[Unit]:
    runs = BUDGETS[options.budget].curve.runs
    return [Unit(run, {"prior": p, "n_arms": k, "a": a, "runs": runs, "seed": options.seed}) for p, k, a in cases()]


def run(settings: Settings, tools: Tools) -> Outcome:
    """Regret of ReUCB* and ReTS, random play, and the paper's bound as printed and repaired."""
    prior = PRIORS[settings["prior"]]
    given = model(settings["prior"], settings["n_arms"], settings["a"])
    bandit = reucb.Bandit(settings["n_arms"], prior, reucb.Bernoulli())
    known: dict[str, Any] = {"sigma0_sq": given["sigma0_sq"], "sigma_sq": NOISE}
    policies: list[Policy] = [reucb.ReUCB(a=settings["a"], **known)]
    if settings["a"] == WITH_RETS:
        policies.append(reucb.ReTS(**known))
    result, *sampled = (
        reucb.simulate(
            bandit, policy, horizon=HORIZON, runs=settings["runs"], seed=settings["seed"], record=[HORIZON],
            executor=tools.executor, progress=False,
        )
        for policy in policies
    )  # fmt: skip
    level = (np.arange(20_000) + 0.5) / 20_000
    best = float(np.mean(prior.ppf(level ** (1 / settings["n_arms"]))))
    try:
        printed = float(np.asarray(bounds.theorem2(**given)))
    except ValueError:  # a < m
        printed = None
    return {
        "mean": result.mean[-1], "stderr": result.stderr[-1], "random": HORIZON * (best - float(prior.mean())),
        "sampled": sampled[0].mean[-1] if sampled else None,
        "printed": printed, "repaired": float(np.asarray(bounds.theorem2_repaired(**given))),
    }  # fmt: skip


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    if not outcomes:
        return []
    found = dict(zip(cases(), outcomes, strict=True))
    rows = [
        _row(case, outcome, found.get((*case[:2], WITH_RETS), {}).get("sampled")) for case, outcome in found.items()
    ]
    svg, points = _draw(rows)
    ratio = [row["bounded (ours)"] / row["regret"] for row in rows]
    useful = sum(row["bounded (ours)"] < row["random play"] for row in rows)
    old = sum(row["printed bound repaired (ours)"] < row["random play"] for row in rows)
    command = options.command("bounds-bernoulli")
    above = [row for row in rows if row["regret"] - 5 * row["stderr"] > row["bounded (ours)"]]
    return [
        Panel(
            id="bounds-bernoulli",
            title=TITLE,
            finding=(
                f"The new bound is {min(ratio):.1f} to {max(ratio):.1f} times the regret and below random play in "
                f"{useful} of {len(rows)} settings; the repaired printed bound in {old}."
            ),
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=rows,
            notes=(
                "Bernoulli rewards, σ² = 1/4, σ₀² the variance of the prior. The printed bound needs a >= m.",
                "ReTS*: regret of Thompson sampling in the Gaussian model with the same variances, which has no a.",
                "Values of the new bound are recorded by `python -m reports.tools.record_bounds bounded`: one takes up "
                "to a minute.",
            ),
            reproduce=command,
            alerts=tuple(f"{row['setting']}: the regret is above the bound; reproduce: {command}" for row in above),
        )
    ]


def _row(case: tuple[str, int, float], outcome: Outcome, sampled: float | None) -> dict[str, Any]:
    return {
        "setting": key(*case), "regret": outcome["mean"], "stderr": outcome["stderr"], "ReTS*": sampled,
        "bounded (ours)": recorded()[key(*case)], "printed bound repaired (ours)": outcome["repaired"],
        "printed bound": outcome["printed"], "random play": outcome["random"],
    }  # fmt: skip


def _draw(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(8.2, 1.3 + 0.29 * len(rows)) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", ylim=(len(rows) - 0.4, -0.6), xlabel="divided by the regret of ReUCB*")
        axes.axvline(1, color=INK, lw=1.2)
        for y, row in enumerate(rows):
            play = row["random play"] / row["regret"]
            axes.plot([1, play], [y, y], color=PALETTE["grey"], lw=7, alpha=0.3, solid_capstyle="butt")
        drawn = []
        for name, (marker, colour) in MARKS.items():
            known = [(row[name] / row["regret"], y, row) for y, row in enumerate(rows) if row[name]]
            axes.plot([x for x, _, _ in known], [y for _, y, _ in known], marker, color=colour, ms=6, label=name)
            texts = [f"{name}: {number(r[name])}; regret {number(r['regret'])}, random play {number(r['random play'])}"
                     for _, _, r in known]  # fmt: skip
            drawn.append(([x for x, _, _ in known], [y for _, y, _ in known], texts))
        axes.plot([], [], color=PALETTE["grey"], lw=7, alpha=0.3, label="up to random play")
        axes.set_yticks(range(len(rows)), [row["setting"] for row in rows])
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        fig.legend(loc="outside upper right", ncols=5)
        points = [point for x, y, texts in drawn for point in plotting.points(axes, x, y, texts)]
        return plotting.to_svg(fig, "bounds-bernoulli", TITLE), points


SECTIONS = (Section("bounds-bernoulli", "Rewards in [0, 1]: the new bound", "bounds", units, analyse),)
