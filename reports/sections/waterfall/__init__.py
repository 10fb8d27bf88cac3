"""What does each step of a proof cost? The levels of a proof, measured on simulated paths."""

from reports.core.jobs import Section
from reports.sections.waterfall import panels

SECTIONS = (Section("bounds-waterfall", "What each proof step costs", "bounds", panels.units, panels.analyse),)
