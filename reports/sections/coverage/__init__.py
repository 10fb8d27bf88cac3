"""What happens when an assumption of the model fails? Coverage of the intervals and regret, case by case."""

from reports.core.jobs import Section
from reports.sections.coverage import panels

SECTIONS = (Section("bounds-coverage", "Violated assumptions", "bounds", panels.units, panels.analyse),)
