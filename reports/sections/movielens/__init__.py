"""How does ReUCB do on movie ratings (`fig:movie`)? A copy of MovieLens, or a synthetic matrix that says so."""

from reports.core.jobs import Section
from reports.sections.movielens import experiment

SECTIONS = (Section("movielens", "MovieLens", "experiments", experiment.units, experiment.analyse),)
