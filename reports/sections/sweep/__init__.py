"""Does empirical Bayes regret ever exceed a bound? A sweep over a, K and the variance ratio, with one error rate."""

from reports.core.jobs import Section
from reports.sections.sweep import panels

SECTIONS = (Section("bounds-sweep", "Every setting against every bound", "bounds", panels.units, panels.analyse),)
