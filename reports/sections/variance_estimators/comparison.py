"""Variance estimators inside ReUCB: printed, unbiased, ML and REML; recorded runs at the size of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import reucb
from reports.core import plotting
from reports.core.jobs import Options, Outcome, Unit
from reports.core.panel import Cell, HoverPoint, Panel, Table
from reports.core.plotting import PALETTE
from reports.sections.common import experiments
from reports.sections.common.experiments import BUDGETS, COLOURS, PolicyRow, Question, compare
from reucb.variance import METHODS
from theory.experiments.evidence import recorded
from theory.experiments.intervals import Interval
from theory.experiments.settings import ESTIMATED, SETTINGS

WHERE = ESTIMATED
KNOWN, SAMPLING = "ReUCB*", "ReTS"
SHOWN = (*METHODS, SAMPLING)
QUESTIONS = tuple(
    Question(SETTINGS[name].short, name, {
        **{method: reucb.ReUCB(a=1.0, method=method) for method in METHODS}, KNOWN: SETTINGS[name].policies[KNOWN],
        SAMPLING: reucb.ReTS(),
    }, KNOWN)
    for name in WHERE
)  # fmt: skip
TITLE = "Which variance estimator inside ReUCB?"
NOTES = (
    "regret relative to ReUCB*, which is given the variances; paired over runs, 95 % intervals",
    "moments: as printed (`variance2`), too large on average by (K - 1) σ²/n*; anova: unbiased, cut off at 0",
    "ReTS: Thompson sampling in the same model, variances by reml",
    "for Bernoulli rewards ReUCB* is given the largest variance 1/4, and estimated variances can do better",
)
RECORDED_TITLE = "The unbiased estimator in place of the printed one, at the paper's size"
RECORDED_NOTES = (
    "ratio: mean regret with anova over that with moments, paired over runs, 95 % interval",
    "lost runs: final regret above five times the median of the setting (a good arm was given up early)",
    "moments overestimates, anova is often 0 at first (early-estimates); a value too small can multiply the regret, "
    "a value too large has little effect (wrong-spread)",
)
PRINTED, UNBIASED = "ReUCB", "ReUCB (anova)"
LOST = 5.0


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return experiments.units(QUESTIONS, budget.horizon, budget.estimator_runs, options.seed)


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [row for row in experiments.rows(QUESTIONS, outcomes) if row.label != KNOWN]
    svg, points = draw(rows)
    table = [row.record("setting", "method") for row in rows]
    return [Panel("variance-methods", TITLE, finding(rows), svg, tuple(points), Table.of(table), data=table,
                  notes=NOTES, reproduce=options.command("variance-methods")), recorded_panel(WHERE)]  # fmt: skip


def finding(rows: Sequence[PolicyRow]) -> str:
    """The best method on average over settings, the best in its worst setting, and how the printed one compares."""
    ratios = {m: [row.against.ratio for row in rows if row.label == m] for m in METHODS}
    mean = {m: float(np.exp(np.mean(np.log(values)))) for m, values in ratios.items()}
    worst = {m: max(values) for m, values in ratios.items()}
    best, safest = min(mean, key=mean.__getitem__), min(worst, key=worst.__getitem__)
    wins = sum(p < a for p, a in zip(ratios["moments"], ratios["anova"], strict=True))
    return (
        f"Averaged over settings, {best} has the lowest regret ({mean[best]:.2f} times that of known variances; as "
        f"printed: {mean['moments']:.2f}); {safest} has the lowest regret in its worst setting "
        f"({worst[safest]:.2f} times). The printed estimator has lower regret than the unbiased one in "
        f"{wins} of {len(WHERE)} settings."
    )


def draw(rows: Sequence[PolicyRow]) -> tuple[str, list[HoverPoint]]:
    """A dot with its interval for each method, settings from top to bottom."""
    title = "Regret of ReUCB with four variance estimators, relative to ReUCB*"
    names = [q.title for q in reversed(QUESTIONS)]
    with plotting.figure(8.6, 5.0) as fig:
        axes = fig.subplots()
        axes.set(xscale="log", xlabel="regret relative to ReUCB* (known variances)", ylim=(-0.6, len(names) - 0.4))
        for method in SHOWN:
            _dots(axes, method, [row for row in rows if row.label == method], names)
        axes.axvline(1, color=plotting.INK, linewidth=0.8, linestyle=":")
        plotting.decimal_ticks(axes.xaxis)
        axes.set_yticks(range(len(names)), names)
        fig.legend(loc="outside upper center", ncols=len(SHOWN))
        x, y = [row.against.ratio for row in rows], [_height(row, names) for row in rows]
        points = plotting.points(axes, x, y, [row.text for row in rows])
        return plotting.to_svg(fig, "variance-methods", title), points


def _height(row: PolicyRow, names: Sequence[str]) -> float:
    """Methods of one setting are side by side, in order from above."""
    return names.index(row.question) + 0.32 - 0.16 * SHOWN.index(row.label)


def _dots(axes: Any, method: str, rows: Sequence[PolicyRow], names: Sequence[str]) -> None:
    found = [row.against for row in rows]
    ends = [[i.ratio - i.low for i in found], [i.high - i.ratio for i in found]]
    x, y = [i.ratio for i in found], [_height(row, names) for row in rows]
    look = {"fmt": "o", "markersize": 4, "linewidth": 1.3, "color": PALETTE[COLOURS[method]]}
    axes.errorbar(x, y, xerr=ends, label=method, **look)


@dataclass(frozen=True)
class Pair:
    """Both estimators in one setting: mean regrets, their ratio, and the share of runs each loses."""

    setting: str
    printed: float
    unbiased: float
    ratio: Interval
    lost_printed: float
    lost_unbiased: float

    def record(self) -> dict[str, Cell]:
        i = self.ratio
        return {
            "setting": self.setting, "moments": round(self.printed, 1), "anova": round(self.unbiased, 1),
            "ratio": round(i.ratio, 3), "low": round(i.low, 3), "high": round(i.high, 3),
            "lost, moments (%)": round(100 * self.lost_printed, 1),
            "lost, anova (%)": round(100 * self.lost_unbiased, 1),
        }  # fmt: skip


def recorded_pair(name: str) -> Pair:
    """The two estimators in this setting, on recorded runs."""
    printed, unbiased = (recorded().final(f"{name}/{label}") for label in (PRINTED, UNBIASED))
    limit = LOST * float(np.median(printed))
    lost = (float((final > limit).mean()) for final in (printed, unbiased))
    ratio = compare(unbiased, printed)
    return Pair(SETTINGS[name].short, float(printed.mean()), float(unbiased.mean()), ratio, *lost)


def recorded_panel(settings: Sequence[str]) -> Panel:
    """The comparison as a table."""
    pairs = [recorded_pair(name) for name in settings]
    rows = [p.record() for p in pairs]
    again = "python -m theory.experiments.record; python -m reports --only variance-methods"
    return Panel("printed-or-unbiased", RECORDED_TITLE, recorded_finding(pairs), table=Table.of(rows), data=rows,
                 notes=RECORDED_NOTES, reproduce=again)  # fmt: skip


def recorded_finding(pairs: Sequence[Pair]) -> str:
    better, worse = [p.setting for p in pairs if p.ratio.high < 1], [p.setting for p in pairs if p.ratio.low > 1]
    ratios = np.array([p.ratio.ratio for p in pairs])
    return (
        f"Unbiased instead of printed: regret lower in {_named(better)} of {len(pairs)} settings, higher in "
        f"{_named(worse)}, undecided in the rest; {np.exp(np.log(ratios).mean()):.2f} times on average, "
        f"{ratios.max():.2f} times at worst."
    )


def _named(settings: Sequence[str]) -> str:
    return f"{len(settings)} ({'; '.join(settings)})" if settings else "none"
