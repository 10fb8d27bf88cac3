"""The printed estimator against the unbiased one on the recorded runs, always at the paper's size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reports.core.panel import Cell, Panel, Table
from reports.sections.common.paired import compare
from theory.experiments.evidence import recorded
from theory.experiments.intervals import Interval
from theory.experiments.settings import SETTINGS

TITLE = "The unbiased estimator in place of the printed one, at the paper's size"
NOTES = (
    "ratio: mean regret with anova over that with moments, paired over runs, 95 % interval",
    "lost runs: final regret above five times the median of the setting (a good arm was given up early)",
    "moments overestimates, anova is often 0 at first (early-estimates); a value too small can multiply the regret, "
    "a value too large has little effect (wrong-spread)",
)
PRINTED, UNBIASED = "ReUCB", "ReUCB (anova)"
LOST = 5.0


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


def pair(name: str) -> Pair:
    """The two estimators in this setting, on recorded runs."""
    printed, unbiased = (recorded().final(f"{name}/{label}") for label in (PRINTED, UNBIASED))
    limit = LOST * float(np.median(printed))
    lost = (float((final > limit).mean()) for final in (printed, unbiased))
    ratio = compare(unbiased, printed)
    return Pair(SETTINGS[name].short, float(printed.mean()), float(unbiased.mean()), ratio, *lost)


def panel(settings: Sequence[str]) -> Panel:
    """The comparison as a table."""
    pairs = [pair(name) for name in settings]
    rows = [p.record() for p in pairs]
    again = "python -m theory.experiments.record; python -m reports --only variance-methods"
    return Panel("printed-or-unbiased", TITLE, finding(pairs), table=Table.of(rows), data=rows, notes=NOTES,
                 reproduce=again)  # fmt: skip


def finding(pairs: Sequence[Pair]) -> str:
    better, worse = [p.setting for p in pairs if p.ratio.high < 1], [p.setting for p in pairs if p.ratio.low > 1]
    ratios = np.array([p.ratio.ratio for p in pairs])
    return (
        f"Unbiased instead of printed: regret lower in {_named(better)} of {len(pairs)} settings, higher in "
        f"{_named(worse)}, open in the rest; {np.exp(np.log(ratios).mean()):.2f} times on average, {ratios.max():.2f} "
        "times at worst."
    )


def _named(settings: Sequence[str]) -> str:
    return f"{len(settings)} ({'; '.join(settings)})" if settings else "none"
