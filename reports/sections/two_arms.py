"""With two arms the best possible regret is known exactly: how far above it is ReUCB*?

Among policies that do not change when all rewards are shifted, the state is (pulls, pulls, d): given the rewards the
difference of the two means is N(d, v), 1/v = 1/2 + 1/(rho (1/n1 + 1/n2)), in units of sigma0. A pull of arm 1 costs
E(-delta)^+, of arm 2 E(delta)^+, and moves d by a normal step of variance v - v'. Both arms are pulled once at first:
a pull before that costs the same and says nothing about the difference. Backward induction gives the optimum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import scipy.stats
from numpy.polynomial.hermite_e import hermegauss
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import ndtr

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import Panel, Point, Table
from reports.core.plotting import INK, PALETTE
from reports.sections.common.bounds_budget import BUDGETS

Floats = NDArray[np.float64]
TITLE = "Two arms: ReUCB* against the exact optimum"
NOISE = (0.5, 1.0, 2.5)  # sigma / sigma0
WIDTHS = {0.5: PALETTE["orange"], 1.0: INK, 2.0: PALETTE["purple"]}
REACH = 7.0  # of the grid of d, in units of sigma0; beyond it the better arm is certain
NODES, STEPS = 161, 13


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget].two_arms
    shared = {"rounds": list(budget.rounds), "runs": budget.runs, "seed": options.seed}
    return [Unit(run, {"noise": noise, **shared}) for noise in NOISE]


def run(settings: Settings, tools: Tools) -> Outcome:
    """The optimum at each horizon by backward induction, and the simulated regret of ReUCB* for each a."""
    rounds, noise = settings["rounds"], settings["noise"]
    bandit = reucb.Bandit(2, scipy.stats.norm(0.0, 1.0), reucb.Gaussian(noise))
    found = {}
    for a in WIDTHS:
        result = reucb.simulate(
            bandit, reucb.ReUCB(a=a, sigma0_sq=1.0, sigma_sq=noise**2), horizon=rounds[-1], runs=settings["runs"],
            seed=settings["seed"], record=rounds, executor=tools.executor, progress=False,
        )  # fmt: skip
        found[f"{a:g}"] = {"mean": result.mean, "stderr": result.stderr}
    return {"rounds": rounds, "optimum": [optimum(n, noise**2) for n in rounds], "regret": found}


def optimum(horizon: int, rho: float, nodes: int = NODES) -> float:
    """The least Bayes regret over `horizon` rounds with two arms, in units of sigma0."""
    grid = np.linspace(-REACH, REACH, nodes)
    value = np.zeros((horizon - 1, nodes))  # rows: pulls of arm 1 = 1, ..., t - 1 after t pulls
    for t in range(horizon - 1, 1, -1):
        value = _before(value, t, grid, rho)
    x, weights = _normal_nodes(41)
    spread = np.sqrt(2.0 - variance(1, 1, rho))
    later = float(weights @ CubicSpline(grid, value[0])(np.clip(spread * x, -REACH, REACH))) if horizon > 2 else 0.0
    return float(min(horizon, 2) / np.sqrt(np.pi) + later)


def variance(first: int, second: int, rho: float) -> float:
    """Of the difference of the means, given the rewards."""
    return 1.0 / (0.5 + 1.0 / (rho * (1.0 / first + 1.0 / second)))


def _before(value: Floats, t: int, grid: Floats, rho: float) -> Floats:
    """From the value after t + 1 pulls to that after t pulls."""
    spline = [CubicSpline(grid, row) for row in value]
    x, weights = _normal_nodes(STEPS)
    found = np.empty((t - 1, len(grid)))
    for first in range(1, t // 2 + 1):
        second = t - first
        v = variance(first, second, rho)
        missed = _excess(grid, v)  # E(delta)^+: the cost of arm 2
        costs = []
        for one, two, cost in ((first + 1, second, missed - grid), (first, second + 1, missed)):
            step = np.sqrt(max(v - variance(one, two, rho), 0.0))
            ahead = np.clip(grid[:, None] + step * x, -REACH, REACH)
            costs.append(cost + spline[one - 1](ahead) @ weights)
        found[first - 1] = np.minimum(*costs)
        found[second - 1] = found[first - 1][::-1]  # the arms exchanged
    return found


def _excess(d: Floats, v: float) -> Floats:
    """E(delta)^+ for delta ~ N(d, v)."""
    s = np.sqrt(v)
    return np.asarray(d * ndtr(d / s) + s * np.exp(-((d / s) ** 2) / 2) / np.sqrt(2 * np.pi))


def _normal_nodes(count: int) -> tuple[Floats, Floats]:
    """Nodes and weights for the mean of a function of N(0, 1)."""
    x, weights = hermegauss(count)
    return x, weights / weights.sum()


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [row for noise, outcome in zip(NOISE, outcomes, strict=True) for row in _rows(noise, outcome)]
    svg, points = _draw(rows)
    excess = {a: [row["regret / optimum"] - 1 for row in rows if row["a"] == a] for a in WIDTHS}
    told = "; ".join(f"a = {a:g}: {min(x):.0%} to {max(x):.0%}" for a, x in excess.items())
    return [
        Panel(
            id="bounds-two-arms",
            title=TITLE,
            finding=f"Excess over the least possible regret, for {rows[0]['n']} to {rows[-1]['n']} rounds: {told}.",
            svg=svg,
            points=tuple(points),
            table=Table.of(rows),
            data=[{"noise": noise, **outcome} for noise, outcome in zip(NOISE, outcomes, strict=True)],
            notes=(
                f"{BUDGETS[options.budget].two_arms.runs:,} runs each; bars are 95 % confidence intervals. The optimum "
                "is computed by backward induction over (pulls, pulls, estimated difference); its numerical error is "
                "below 0.3 %.",
            ),
            reproduce=options.command("bounds-two-arms"),
        )
    ]


def _rows(noise: float, outcome: Outcome) -> list[dict[str, Any]]:
    rows = []
    for a in WIDTHS:
        found = outcome["regret"][f"{a:g}"]
        for n, best, mean, error in zip(
            outcome["rounds"], outcome["optimum"], found["mean"], found["stderr"], strict=True
        ):
            rows.append({"σ/σ₀": noise, "a": a, "n": n, "optimum": best, "regret": mean, "stderr": error,
                         "regret / optimum": mean / best})  # fmt: skip
    return rows


def _draw(rows: Sequence[Mapping[str, Any]]) -> tuple[str, list[Point]]:
    points: list[Point] = []
    with plotting.figure(9.0, 3.4) as fig:
        every = fig.subplots(1, len(NOISE), sharey=True)
        for axes, noise in zip(every, NOISE, strict=True):
            axes.set(xscale="log", xlabel="rounds n")
            axes.set_title(f"σ/σ₀ = {noise:g}", loc="left")
            axes.axhline(1, color=PALETTE["green"], lw=1.2)
            for a, colour in WIDTHS.items():
                mine = [row for row in rows if row["σ/σ₀"] == noise and row["a"] == a]
                ratio = [row["regret / optimum"] for row in mine]
                half = [1.96 * row["stderr"] / row["optimum"] for row in mine]
                label = f"ReUCB*, a = {a:g}" if noise == NOISE[0] else None
                axes.errorbar([r["n"] for r in mine], ratio, yerr=half, color=colour, marker="o", ms=4, label=label)
            plotting.plain_ticks(axes.xaxis, sorted({row["n"] for row in rows}))
        every[0].set_ylabel("regret / least possible")
        every[0].plot([], [], color=PALETTE["green"], lw=1.2, label="least possible")
        fig.legend(loc="outside upper right", ncols=4)
        for axes, noise in zip(every, NOISE, strict=True):
            mine = [row for row in rows if row["σ/σ₀"] == noise]
            labels = [f"a = {r['a']:g}, n = {r['n']}: {r['regret']:.3f}, optimum {r['optimum']:.3f}" for r in mine]
            points += plotting.points(axes, [r["n"] for r in mine], [r["regret / optimum"] for r in mine], labels)
        return plotting.to_svg(fig, "bounds-two-arms", TITLE), points


SECTIONS = (Section("bounds-two-arms", "Two arms: the exact optimum", "bounds", units, analyse),)
