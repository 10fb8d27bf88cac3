"""Where does a bound say anything? Its ratio to random play over the parameters."""

from reports.core.jobs import Section
from reports.sections.vacuity import maps

SECTIONS = (Section("bounds-vacuity", "Where a bound says something", "bounds", maps.units, maps.analyse),)
