"""Is the empirical Bayes regret between its bounds? One-sided tests with one error probability for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

from reports.core import FloatArray
from reports.core.jobs import Outcome, Settings
from reports.core.store import canonical
from reports.sections.common.bound_cells import EXACT_START, LOWER, PROVED
from reports.sections.common.bounds_budget import ERROR


@dataclass(frozen=True)
class BoundTest:
    """One comparison of a mean with a bound ("exact": with the value it must have), at one horizon of one
    cell.
    """

    settings: Settings
    bound: str
    horizon: int
    mean: float
    stderr: float
    value: float
    random: float
    rejected: bool

    @property
    def ratio(self) -> float:
        return self.value / self.mean

    @property
    def upper(self) -> bool:
        return self.bound not in LOWER

    @property
    def vacuous(self) -> bool:
        """An upper bound that is no better than random play."""
        return self.upper and self.value >= self.random

    @property
    def contradiction(self) -> bool:
        """Rejected although proved for this policy, law and horizon."""
        return self.rejected and (self.bound == "exact" or self.covered)

    @property
    def covered(self) -> bool:
        """The theorem applies here: upper bounds to ReUCB*, Theorem 2 from n = 2 on, lower bounds to any policy."""
        if self.bound == "theorem1" and self.horizon == 1:
            return False
        if not self.upper:
            return True
        return self.settings["policy"] == "ReUCB*" and self.bound in PROVED


def family(cells: Sequence[Settings], outcomes: Sequence[Outcome], error: float = ERROR) -> list[BoundTest]:
    """All tests of the sweep; the probability that any true hypothesis is rejected is at most `error`.

    Bonferroni: each of the M tests rejects when (mean - bound) / stderr exceeds the 1 - error/M quantile of
    Student's t with runs - 1 degrees of freedom; for a lower bound (bound - mean) / stderr. Regret is skewed to the
    right, which makes the first statistic exceed its quantile less often than under normality, so that its probability
    is conservative, and the second more often: lower bounds are far enough below the mean for this not to matter (the
    table shows by how many standard errors). In the first K rounds (round robin) the mean is compared from both sides
    with its exact value, n rounds of random play.
    """
    drafts = [draft for pair in zip(cells, outcomes, strict=True) for draft in _comparisons(*pair)]
    tests = []
    for settings, bound, at in drafts:
        sides = 2 if bound == "exact" else 1
        critical = scipy.stats.t.isf(error / len(drafts) / sides, settings["runs"] - 1)
        off = (at["mean"] - at["value"]) * (-1 if bound in LOWER else 1)
        distance = abs(off) if bound == "exact" else off
        tests.append(BoundTest(settings, bound, **at, rejected=bool(distance > critical * at["stderr"])))
    return tests


def _comparisons(settings: Settings, outcome: Outcome) -> Iterator[tuple[Settings, str, dict[str, Any]]]:
    """(cell, bound, numbers) for every horizon and applicable bound."""
    for i, horizon in enumerate(outcome["horizons"]):
        first = horizon <= settings["model"]["n_arms"]
        at = {"horizon": horizon} | {name: outcome[name][i] for name in ("mean", "stderr", "random")}
        if first:
            yield settings, "exact", at | {"value": outcome["random"][i]}
        for name, values in outcome["bounds"].items():
            if values[i] is not None and not (first and name in EXACT_START):
                yield settings, name, at | {"value": values[i]}


def command(test: BoundTest) -> str:
    """A command that repeats one test."""
    return f"python -m reports.sections.sweep '{canonical({**test.settings, 'horizons': [test.horizon]})}'"


def alerts(tests: Sequence[BoundTest]) -> tuple[str, ...]:
    """One line for every contradiction of something proved, with the command that repeats it."""
    return tuple(
        f"{test.settings['policy']} on {test.settings['law']}: regret {test.mean:.6g} +- {test.stderr:.2g} after "
        f"{test.horizon} rounds against {test.value:.6g} ({test.bound}); reproduce: {command(test)}"
        for test in tests
        if test.contradiction
    )


def mean_interval(outcome: Outcome, runs: int) -> tuple[FloatArray, FloatArray]:
    """95 % confidence interval of the Bayes regret at every horizon."""
    mean, half = np.asarray(outcome["mean"]), np.asarray(outcome["stderr"])
    half = half * scipy.stats.t.isf(0.025, runs - 1)
    return mean - half, mean + half
