"""Where does a bound say anything, and which bound is the smallest? Over the parameters, formulas only."""

from reports.core.jobs import Section
from reports.sections.vacuity import maps

SECTIONS = (Section("bounds-vacuity", "Where a bound is below random play", "bounds", maps.units, maps.analyse),)
