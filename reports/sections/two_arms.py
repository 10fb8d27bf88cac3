"""How far are ReUCB* and ReTS above the least possible regret, known for two arms (`bounds.two_arm_optimum`)?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import scipy.stats

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE
from reports.sections.common.bounds_budget import BUDGETS
from reucb import bounds

TITLE = "Two arms: ReUCB* and ReTS against the exact optimum"
NOISE = (0.5, 1.0, 2.5)  # sigma / sigma0
POLICIES = {  # a, colour
    "ReUCB*, a = 0.5": (0.5, PALETTE["orange"]),
    "ReUCB*, a = 1": (1.0, INK),
    "ReUCB*, a = 2": (2.0, PALETTE["purple"]),
    "ReTS": (None, PALETTE["brown"]),
}


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget].two_arms
    shared = {"rounds": list(budget.rounds), "runs": budget.runs, "seed": options.seed}
    return [Unit(run, {"noise": noise, **shared}) for noise in NOISE]


def run(settings: Settings, tools: Tools) -> Outcome:
    """The optimum at each horizon by dynamic programming, and the simulated regret of every policy."""
    rounds, noise = settings["rounds"], settings["noise"]
    bandit = reucb.Bandit(2, scipy.stats.norm(0.0, 1.0), reucb.Gaussian(noise))
    known: dict[str, Any] = {"sigma0_sq": 1.0, "sigma_sq": noise**2}
    found = {}
    for label, (a, _) in POLICIES.items():
        policy = reucb.ReTS(**known) if a is None else reucb.ReUCB(a=a, **known)
        result = reucb.simulate(
            bandit, policy, horizon=rounds[-1], runs=settings["runs"], seed=settings["seed"], record=rounds,
            executor=tools.executor, progress=False,
        )  # fmt: skip
        found[label] = {"mean": result.mean, "stderr": result.stderr}
    return {
        "rounds": rounds,
        "optimum": [bounds.two_arm_optimum(horizon=n, sigma0_sq=1.0, sigma_sq=noise**2) for n in rounds],
        "regret": found,
    }


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [row for noise, outcome in zip(NOISE, outcomes, strict=True) for row in _rows(noise, outcome)]
    svg, points = _draw(rows)
    excess = {name: [row["regret / optimum"] - 1 for row in rows if row["policy"] == name] for name in POLICIES}
    ranges = "; ".join(f"{name}: {min(x):.0%} to {max(x):.0%}" for name, x in excess.items())
    return [
        Panel(
            id="bounds-two-arms",
            title=TITLE,
            finding=f"Excess over the least possible regret, for {rows[0]['n']} to {rows[-1]['n']} rounds: {ranges}.",
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=[{"noise": noise, **outcome} for noise, outcome in zip(NOISE, outcomes, strict=True)],
            notes=(
                f"{BUDGETS[options.budget].two_arms.runs:,} runs each; bars are 95 % confidence intervals. The optimum "
                "is computed by dynamic programming over (pulls, pulls, estimated difference); its numerical error is "
                "below 0.1 %.",
                "Both policies know the variances and estimate the mean of the arms.",
            ),
            reproduce=options.command("bounds-two-arms"),
        )
    ]


def _rows(noise: float, outcome: Outcome) -> list[dict[str, Any]]:
    rows = []
    for label in POLICIES:
        found = outcome["regret"][label]
        for n, best, mean, error in zip(
            outcome["rounds"], outcome["optimum"], found["mean"], found["stderr"], strict=True
        ):
            rows.append({"σ/σ₀": noise, "policy": label, "n": n, "optimum": best, "regret": mean, "stderr": error,
                         "regret / optimum": mean / best})  # fmt: skip
    return rows


def _draw(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[HoverPoint]]:
    points: list[HoverPoint] = []
    with plotting.figure(9.0, 3.4) as fig:
        every = fig.subplots(1, len(NOISE), sharey=True)
        for axes, noise in zip(every, NOISE, strict=True):
            axes.set(xscale="log", xlabel="rounds n")
            axes.set_title(f"σ/σ₀ = {noise:g}", loc="left")
            axes.axhline(1, color=PALETTE["green"], lw=1.2)
            for name, (_, colour) in POLICIES.items():
                mine = [row for row in rows if row["σ/σ₀"] == noise and row["policy"] == name]
                ratio = [row["regret / optimum"] for row in mine]
                half = [1.96 * row["stderr"] / row["optimum"] for row in mine]
                label = name if noise == NOISE[0] else None
                axes.errorbar([r["n"] for r in mine], ratio, yerr=half, color=colour, marker="o", ms=4, label=label)
            plotting.decimal_ticks(axes.xaxis, sorted({row["n"] for row in rows}))
        every[0].set_ylabel("regret / least possible")
        every[0].plot([], [], color=PALETTE["green"], lw=1.2, label="least possible")
        fig.legend(loc="outside upper right", ncols=5)
        for axes, noise in zip(every, NOISE, strict=True):
            mine = [row for row in rows if row["σ/σ₀"] == noise]
            labels = [f"{r['policy']}, n = {r['n']}: {r['regret']:.3f}, optimum {r['optimum']:.3f}" for r in mine]
            points += plotting.points(axes, [r["n"] for r in mine], [r["regret / optimum"] for r in mine], labels)
        return plotting.to_svg(fig, "bounds-two-arms", TITLE), points


SECTIONS = (Section("bounds-two-arms", "Two arms: the exact optimum", "bounds", units, analyse),)
