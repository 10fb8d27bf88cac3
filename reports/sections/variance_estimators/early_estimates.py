"""Estimates of sigma_0^2 in early rounds, each on the runs of its own ReUCB, and the regret after an estimate of 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import reucb
from reports.core import FloatArray, IntArray, plotting
from reports.core.jobs import Options, Outcome, Settings, Tools, Unit
from reports.core.panel import Cell, HoverPoint, Panel, Table
from reports.core.plotting import PALETTE
from reports.sections.common.experiments import BUDGETS, COLOURS
from reports.sections.variance_estimators.comparison import LOST, PRINTED, UNBIASED
from reucb.engine import play_run
from theory.experiments.evidence import recorded
from theory.experiments.settings import SETTINGS

METHODS = ("moments", "anova")
WHERE = {"gaussian-a": 0.04, "gaussian-b": 1.0, "bernoulli-50": 0.09 / 12}
QUANTILES = (0.1, 0.5, 0.9)
TITLE = "Estimates of σ₀² over time, and how often the unbiased one is 0"
NOTES = (
    "moments: as printed, which is too large on average; anova: unbiased, cut off at 0 (ReUCB then uses σ̂²/n)",
    "both drift as pulls go to good arms: no estimator is unbiased under adaptive sampling",
)
SPLIT_SETTINGS = ("gaussian-a", "gaussian-c")
ZERO_TITLE = "Final regret of runs whose early estimate of σ₀² was 0, and of the others"
ZERO_NOTES = (
    "ReUCB with the unbiased estimator on the recorded runs; early: after two rounds per arm; ± is 95 %",
    "lost runs: final regret above five times the median of the printed estimator",
)


def marks_of(n_arms: int, horizon: int) -> IntArray:
    """Rounds to look at, from the second one after one pull each (before, no variance can be estimated)."""
    return np.unique(np.geomspace(n_arms + 2, horizon, 24).round().astype(np.int64))


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return [
        Unit(follow, {"setting": name, "bandit": SETTINGS[name].bandit.describe(), "method": method, "true": true,
                      "horizon": budget.early_horizon, "runs": budget.method_runs, "seed": options.seed})
        for name, true in WHERE.items() for method in METHODS
    ]  # fmt: skip


def follow(settings: Settings, tools: Tools) -> Outcome:
    """Quantiles over runs of estimate/truth, and the share of runs whose estimate is 0, at the marked rounds."""
    marks = marks_of(SETTINGS[settings["setting"]].bandit.n_arms, settings["horizon"])
    ratios = np.array([estimates(settings, run, marks) for run in range(settings["runs"])]) / settings["true"]
    return {"rounds": marks, "quantiles": np.quantile(ratios, QUANTILES, axis=0), "zero": (ratios == 0).mean(axis=0)}


def estimates(settings: Settings, run: int, marks: IntArray) -> FloatArray:
    """sigma_0^2 as estimated by one run's own method after each marked round."""
    return estimates_on(SETTINGS[settings["setting"]].bandit, settings, run, marks)


def estimates_on(bandit: reucb.Bandit, settings: Settings, run: int, marks: IntArray) -> FloatArray:
    """The same on any bandit; `settings` has method, horizon and seed."""
    method, horizon = settings["method"], settings["horizon"]
    policy, last, regret = reucb.ReUCB(a=1.0, method=method), np.array([horizon]), np.zeros(1)
    arms, rewards = np.zeros(horizon, dtype=np.int64), np.zeros(horizon)
    play_run(bandit, policy, horizon, last, settings["seed"], run, regret, arms, rewards)
    sums = [[np.bincount(arms[:t], rewards[:t] ** power, minlength=bandit.n_arms) for t in marks] for power in range(3)]
    counts, first, second = np.array(sums)
    means = first / counts
    squares = np.where(counts > 1, np.maximum(second - counts * means**2, 0.0), 0.0)
    found = reucb.variance_components(counts.astype(np.int64), means, squares, method=method)
    return np.asarray(found.sigma0_sq)


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    keys = [(name, method) for name in WHERE for method in METHODS]
    found = dict(zip(keys, outcomes, strict=True))
    table = [record(name, method, found[name, method]) for name, method in keys]
    zero = {name: max(found[name, "anova"]["zero"]) for name in WHERE}
    shares = ", ".join(f"{100 * share:.0f} % ({SETTINGS[name].short})" for name, share in zero.items())
    start = ", ".join(f"{found[name, 'moments']['quantiles'][1][0]:.1f}" for name in WHERE)
    finding = (
        f"At its worst round the unbiased estimate is 0 in {shares} of the runs; the printed one starts at a median of "
        f"{start} times the truth."
    )
    svg, points = draw(found)
    return [Panel("early-estimates", TITLE, finding, svg, tuple(points), Table.of(table), notes=NOTES,
                  data={f"{name}/{method}": outcome for (name, method), outcome in found.items()},
                  reproduce=options.command("early-estimates"))]  # fmt: skip


def record(name: str, method: str, o: Outcome) -> dict[str, Cell]:
    """Estimate over truth early and late, and the share of zeros."""
    middle = o["quantiles"][1]
    return {"setting": SETTINGS[name].short, "method": method, "median at the start": round(middle[0], 3),
            "median at the end": round(middle[-1], 3), "largest share of 0": round(max(o["zero"]), 3),
            "share of 0 at the end": round(o["zero"][-1], 3)}  # fmt: skip


def draw(found: Mapping[tuple[str, str], Outcome]) -> tuple[str, list[HoverPoint]]:
    """Above: estimate over truth, median and 10-90 %; below: the share of runs at 0."""
    points: list[HoverPoint] = []
    with plotting.figure(9.2, 4.6) as fig:
        grid = fig.subplots(2, len(WHERE), sharex=True, sharey="row", height_ratios=[1.6, 1])
        for (upper, lower), name in zip(grid.T, WHERE, strict=True):
            upper.set_title(SETTINGS[name].short, loc="left")
            upper.axhline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
            for method in METHODS:
                _curves(upper, lower, found[name, method], method)
            lower.set(xscale="log", xlabel="round", ylim=(-0.04, 1.04))
        _scales(grid)
        fig.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=len(METHODS))
        for (upper, lower), name in zip(grid.T, WHERE, strict=True):
            for method in METHODS:
                points += _labels(upper, lower, found[name, method], method)
        return plotting.to_svg(fig, "early-estimates", TITLE), points


def _curves(upper: Any, lower: Any, o: Outcome, method: str) -> None:
    colour = PALETTE[COLOURS[method]]
    low, middle, high = o["quantiles"]
    upper.plot(o["rounds"], middle, color=colour, label=method)
    upper.fill_between(o["rounds"], low, high, color=colour, alpha=0.18, linewidth=0)
    lower.plot(o["rounds"], o["zero"], color=colour)


def _scales(grid: Any) -> None:
    grid[0, 0].set_yscale("symlog", linthresh=1.0)
    ticks = [0, 0.5, 1, 2, 5, 10, 20]
    grid[0, 0].set_yticks(ticks, [f"{t:g}" for t in ticks])
    grid[0, 0].set_yticks([], minor=True)
    grid[0, 0].set_ylim(bottom=-0.05)
    grid[0, 0].set_ylabel("estimate / true σ₀²")
    grid[1, 0].set_ylabel("share of runs at 0")


def _labels(upper: Any, lower: Any, o: Outcome, method: str) -> list[HoverPoint]:
    some = slice(None, None, 4)
    rounds, middle, zero = (values[some] for values in (o["rounds"], o["quantiles"][1], o["zero"]))
    above = [
        f"{method}, round {t:,}: {value:.2f} times the truth (median)" for t, value in zip(rounds, middle, strict=True)
    ]
    below = [f"{method}, round {t:,}: 0 in {100 * share:.0f} % of runs" for t, share in zip(rounds, zero, strict=True)]
    return plotting.points(upper, rounds, middle, above) + plotting.points(lower, rounds, zero, below)


def zero_units(options: Options) -> list[Unit]:
    about = recorded().about
    return [
        Unit(early_zeros, {"setting": name, "method": "anova", "horizon": 2 * SETTINGS[name].bandit.n_arms,
                     "seed": about["seed"], "runs": about["runs"], "evidence": about["sha256"]})
        for name in SPLIT_SETTINGS
    ]  # fmt: skip


def early_zeros(settings: Settings, tools: Tools) -> Outcome:
    """Which of the recorded runs have the estimate 0 at the end of this short horizon."""
    marks = np.array([settings["horizon"]])
    return {"zero": [bool(estimates(settings, run, marks)[0] == 0) for run in range(settings["runs"])]}


def zero_analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [
        row for name, o in zip(SPLIT_SETTINGS, outcomes, strict=True) for row in zero_records(name, np.array(o["zero"]))
    ]
    pairs = zip(SPLIT_SETTINGS, rows[::2], rows[1::2], strict=True)
    listed = [
        f"{zero['mean regret']} against {other['mean regret']} ({SETTINGS[name].short})" for name, zero, other in pairs
    ]
    finding = f"Mean final regret of runs with an early estimate of 0 against that of the others: {'; '.join(listed)}."
    return [Panel("zero-estimates", ZERO_TITLE, finding, table=Table.of(rows), data=rows, notes=ZERO_NOTES,
                  reproduce=options.command("zero-estimates"))]  # fmt: skip


def zero_records(name: str, zero: NDArray[np.bool_]) -> list[dict[str, Cell]]:
    """Two rows: runs with the estimate 0, and the others."""
    final, limit = recorded().final(f"{name}/{UNBIASED}"), LOST * np.median(recorded().final(f"{name}/{PRINTED}"))
    return [
        {"setting": SETTINGS[name].short, "early estimate": words, "runs": len(part),
         "mean regret": round(float(part.mean()), 1), "± (95 %)": round(1.96 * part.std(ddof=1) / len(part) ** 0.5, 1),
         "lost (%)": round(100 * float((part > limit).mean()), 1)}
        for words, part in (("0", final[zero]), ("above 0", final[~zero]))
    ]  # fmt: skip
