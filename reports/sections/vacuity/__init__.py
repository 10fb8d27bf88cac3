"""For which parameters is a bound below random play, and which bound is the smallest? Formulas only."""

from reports.core.jobs import Section
from reports.sections.vacuity import maps

SECTIONS = (Section("bounds-vacuity", "Where a bound is below random play", "bounds", maps.units, maps.analyse),)
