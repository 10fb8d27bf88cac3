"""The paper's experiments, panel by panel, and what lies beyond them: variance estimators, silent choices."""

from __future__ import annotations

from functools import partial

from reports.experiments import choices, early, methods, movielens, panels, times, wrong_spread, zeros
from reports.experiments.settings import SETTINGS
from reports.plan import Section

SECTIONS: tuple[Section, ...] = (
    *(
        Section(name, setting.title, "experiments", partial(panels.units, name), partial(panels.analyse, name))
        for name, setting in SETTINGS.items()
    ),
    Section("movielens", "MovieLens", "experiments", movielens.units, movielens.analyse),
    Section("variance-methods", "Which variance estimator inside ReUCB", "experiments", methods.units, methods.analyse),
    Section("wrong-spread", "What a wrong σ₀² costs", "experiments", wrong_spread.units, wrong_spread.analyse),
    Section("early-estimates", "What the estimators say early on", "experiments", early.units, early.analyse),
    Section("zero-estimates", "What an estimate of 0 costs", "experiments", zeros.units, zeros.analyse),
    Section("silent-choices", "What the paper leaves open", "experiments", choices.units, choices.analyse),
    Section("run-times", "Run times", "experiments", times.units, times.analyse),
)
