"""Does an estimate of 0 cost regret? Recorded runs with the unbiased estimator, split by their early estimate."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reports.core.jobs import Options, Outcome, Settings, Tools, Unit
from reports.core.panel import Cell, Panel, Table
from reports.sections.variance_estimators import early_estimates
from reports.sections.variance_estimators.recorded_runs import LOST, PRINTED, UNBIASED
from theory.experiments.evidence import recorded
from theory.experiments.settings import SETTINGS

WHERE = ("gaussian-a", "gaussian-c")
TITLE = "Final regret of runs whose early estimate of σ₀² was 0, and of the others"
NOTES = (
    "ReUCB with the unbiased estimator on the recorded runs; early: after two rounds per arm; ± is 95 %",
    "lost runs: final regret above five times the median of the printed estimator",
)


def units(options: Options) -> list[Unit]:
    about = recorded().about
    return [
        Unit(split, {"setting": name, "method": "anova", "horizon": 2 * SETTINGS[name].bandit.n_arms,
                     "seed": about["seed"], "runs": about["runs"], "evidence": about["sha256"]})
        for name in WHERE
    ]  # fmt: skip


def split(settings: Settings, tools: Tools) -> Outcome:
    """Which of the recorded runs have the estimate 0 at the end of this short horizon."""
    marks = np.array([settings["horizon"]])
    return {"zero": [bool(early_estimates.estimates(settings, run, marks)[0] == 0) for run in range(settings["runs"])]}


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    rows = [row for name, o in zip(WHERE, outcomes, strict=True) for row in records(name, np.array(o["zero"]))]
    pairs = zip(WHERE, rows[::2], rows[1::2], strict=True)
    told = [
        f"{zero['mean regret']} against {other['mean regret']} ({SETTINGS[name].short})" for name, zero, other in pairs
    ]
    finding = f"Mean final regret of runs that had the estimate 0, against the others: {'; '.join(told)}."
    return [Panel("zero-estimates", TITLE, finding, table=Table.of(rows), data=rows, notes=NOTES,
                  reproduce=options.command("zero-estimates"))]  # fmt: skip


def records(name: str, zero: np.ndarray) -> list[dict[str, Cell]]:
    """Two rows: runs with the estimate 0, and the others."""
    final, limit = recorded().final(f"{name}/{UNBIASED}"), LOST * np.median(recorded().final(f"{name}/{PRINTED}"))
    return [
        {"setting": SETTINGS[name].short, "early estimate": words, "runs": len(part),
         "mean regret": round(float(part.mean()), 1), "± (95 %)": round(1.96 * part.std(ddof=1) / len(part) ** 0.5, 1),
         "lost (%)": round(100 * float((part > limit).mean()), 1)}
        for words, part in (("0", final[zero]), ("above 0", final[~zero]))
    ]  # fmt: skip
