"""How does ReUCB do on movie ratings (`fig:movie`)? The recorded runs on MovieLens, or runs on the user's copy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reports.core import FloatArray
from reports.core.jobs import BadData, Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import Panel
from reports.core.store import digest as digest_of
from reports.sections import paper_panels
from reports.sections.common.experiments import BUDGETS, rounds_of
from theory.experiments.evidence import recorded
from theory.experiments.movielens.play import LABELS, curves
from theory.experiments.movielens.ratings import NOISE, ratings

RECORDED = (
    "recorded by `python -m theory.experiments.record --movielens DIR`; the ratings themselves are not part of this "
    "project, --movielens DIR uses your own copy"
)
SIZE = (
    "5,000 runs with seed 4 left open whether the regret of ReUCB is at most 0.8 times that of TS; the number of runs "
    "was then raised, and the sentence is judged on runs with another seed"
)
NOTES = (
    "the paper's fig:movie",
    f"rewards N(M_jk, {NOISE}²); TS and ReUCB* are given the mean and variance of the row",
)


def units(options: Options) -> list[Unit]:
    """Runs on the user's copy; without one the recorded runs are shown."""
    if options.movielens is None:
        return []
    budget, data = BUDGETS[options.budget], ratings(options.movielens, options.seed)
    shared = {
        "source": data.source, "digest": matrix_digest(data.values), "seed": options.seed, "horizon": budget.horizon,
        "runs": budget.movielens_runs,
    }  # fmt: skip
    return [Unit(play, {**shared, "label": label}) for label in LABELS]


def matrix_digest(values: FloatArray) -> str:
    """What identifies the data in the settings of a unit. A path does not, and must not appear in a report."""
    return digest_of(np.ascontiguousarray(values).tobytes())


def play(settings: Settings, tools: Tools) -> Outcome:
    """Mean regret over rounds with its standard error, and the final regret of every run."""
    horizon, runs = settings["horizon"], settings["runs"]
    values = ratings(tools.movielens, settings["seed"]).values
    if matrix_digest(values) != settings["digest"]:
        raise BadData(f"movielens={str(tools.movielens)!r}: changed while the report was made")
    marks = rounds_of(horizon)
    found = curves(values, settings["label"], marks, runs, settings["seed"])
    stderr = found.std(0, ddof=1) / np.sqrt(runs)
    return {"rounds": marks, "mean": found.mean(0), "stderr": stderr, "final": found[:, -1]}


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    if options.movielens is None:
        about = recorded().about["real movielens"]
        title = f"Movie recommendation, K = 128 ({about['source']}; recorded runs)"
        files = ", ".join(f"{name} (SHA-256 {digest[:12]}…)" for name, digest in about["files"].items())
        made = f"seed {about['seed']}, made from {files}"
        return [paper_panels.panel("movielens", title, recorded_outcomes(), options, (*NOTES, RECORDED, made, SIZE))]
    data = ratings(options.movielens, options.seed)
    title = f"Movie recommendation, K = 128 ({data.source})"
    return [paper_panels.panel("movielens", title, dict(zip(LABELS, outcomes, strict=True)), options, NOTES)]


def recorded_outcomes() -> dict[str, Outcome]:
    """The runs on MovieLens that the ledger is judged on, as curves and final regrets."""
    numbers = recorded().numbers
    found: dict[str, Outcome] = {}
    for label in LABELS:
        mean, stderr = numbers[f"real/curve/{label}"].tolist()
        final = recorded().final(f"real/{label}").tolist()
        found[label] = {"rounds": numbers["real/rounds"].tolist(), "mean": mean, "stderr": stderr, "final": final}
    return found


SECTIONS = (Section("movielens", "MovieLens", "experiments", units, analyse),)
