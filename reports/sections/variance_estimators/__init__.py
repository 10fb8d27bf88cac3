"""Which variance estimator should ReUCB use? Regret with each, and what each estimates along the way."""

from collections.abc import Sequence

from reports.core.jobs import Options, Outcome, Section, Unit
from reports.core.panel import Panel
from reports.sections.variance_estimators import comparison, early_estimates, many_arms

GROUP = "experiments"


def _units(options: Options) -> list[Unit]:
    return [*comparison.units(options), *many_arms.units(options)]


def _analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    first = len(comparison.units(options))
    return [*comparison.analyse(options, outcomes[:first]), *many_arms.analyse(options, outcomes[first:])]


COMPARISON = Section("variance-methods", "Which variance estimator inside ReUCB", GROUP, _units, _analyse)
EARLY = Section("early-estimates", "Estimates in early rounds", GROUP, early_estimates.units, early_estimates.analyse)
ZERO = Section(
    "zero-estimates", "Regret after an estimate of 0", GROUP, early_estimates.zero_units, early_estimates.zero_analyse
)
SECTIONS = (COMPARISON, EARLY, ZERO)
