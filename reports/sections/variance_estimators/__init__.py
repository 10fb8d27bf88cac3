"""Which variance estimator should ReUCB use? Regret with each, and what each estimates along the way."""

from reports.core.jobs import Section
from reports.sections.variance_estimators import comparison, early_estimates, zero_estimates

GROUP = "experiments"
COMPARISON = Section(
    "variance-methods", "Which variance estimator inside ReUCB", GROUP, comparison.units, comparison.analyse
)
EARLY = Section(
    "early-estimates", "What the estimators say early on", GROUP, early_estimates.units, early_estimates.analyse
)
ZERO = Section("zero-estimates", "What an estimate of 0 costs", GROUP, zero_estimates.units, zero_estimates.analyse)
SECTIONS = (COMPARISON, EARLY, ZERO)
