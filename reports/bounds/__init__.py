"""Monte-Carlo against the bounds: how far the theorems are from the algorithm, and which step loses what."""

from __future__ import annotations

from reports.bounds import ablation, cascade, curves, first, maps, sweep
from reports.plan import Section

SECTIONS: tuple[Section, ...] = (
    Section("bounds-curves", "Regret and its bounds", "bounds", curves.units, curves.analyse),
    Section("bounds-sweep", "Every cell against every bound", "bounds", sweep.units, sweep.analyse),
    Section("bounds-first", "The first rounds, exactly", "bounds", first.units, first.analyse),
    Section("bounds-waterfall", "What each proof step costs", "bounds", cascade.units, cascade.analyse),
    Section("bounds-vacuity", "Where a bound says something", "bounds", maps.units, maps.analyse),
    Section("bounds-coverage", "Where the assumptions end", "bounds", ablation.units, ablation.analyse),
)
