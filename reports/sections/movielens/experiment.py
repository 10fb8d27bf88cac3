"""The recommendation experiment (`fig:movie`): arms are movies, each run is one user group."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import reucb
from reports.core.jobs import BadData, Options, Outcome, Settings, Tools, Unit
from reports.core.panel import Panel
from reports.core.store import digest
from reports.sections import paper_panels
from reports.sections.common.paper_settings import BUDGETS
from reports.sections.common.simulate import rounds_of
from reports.sections.movielens.ratings import NOISE, ratings
from reucb.engine import run_block
from reucb.policies.base import Policy

LABELS = ("ReUCB", "ReUCB*", "TS", "UCB1")
NOTES = (
    "the paper's fig:movie",
    f"rewards N(M_jk, {NOISE}²); TS and ReUCB* are given the mean and variance of the row",
)


def policy(label: str, row: NDArray[np.float64]) -> Policy:
    """Thompson sampling and ReUCB* are given the moments of the row they will play."""
    mean, variance, noise = float(row.mean()), float(row.var()), NOISE**2
    return {
        "ReUCB": reucb.ReUCB(a=1.0),
        "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=variance, sigma_sq=noise),
        "TS": reucb.GaussianTS(mu0=mean, sigma0_sq=variance, sigma_sq=noise),
        "UCB1": reucb.UCB1(sigma_sq=noise),
    }[label]


def units(options: Options) -> list[Unit]:
    budget = BUDGETS[options.budget]
    return _units(options.movielens, options.seed, budget.horizon, budget.movielens_runs)


def stand_in_units(seed: int, horizon: int, runs: int) -> list[Unit]:
    """The same on the synthetic matrix."""
    return _units(None, seed, horizon, runs)


def _units(folder: Path | None, seed: int, horizon: int, runs: int) -> list[Unit]:
    data = ratings(folder, seed)
    shared = {
        "source": data.source, "seed": seed, "horizon": horizon,
        "digest": matrix_digest(data.values), "runs": runs,
    }  # fmt: skip
    return [Unit(play, {**shared, "label": label}) for label in LABELS]


def matrix_digest(values: NDArray[np.float64]) -> str:
    """What identifies the data in the settings of a unit; a path would not, and does not belong into a report."""
    return digest(np.ascontiguousarray(values).tobytes())


def play(settings: Settings, tools: Tools) -> Outcome:
    """Each run draws a row uniformly and plays it; the same rows and the same noise for every policy."""
    horizon, runs = settings["horizon"], settings["runs"]
    values = ratings(tools.movielens, settings["seed"]).values
    if matrix_digest(values) != settings["digest"]:
        raise BadData(f"movielens={str(tools.movielens)!r}: changed while the report was made")
    rows = np.random.default_rng([settings["seed"], 129]).integers(len(values), size=runs)
    marks = rounds_of(horizon)
    curves = np.empty((runs, len(marks)))
    for run, row in enumerate(values[rows]):
        bandit = reucb.Bandit(len(row), row, reucb.Gaussian(NOISE))
        curves[run] = run_block(bandit, policy(settings["label"], row), horizon, marks, settings["seed"], run, 1)[0]
    stderr = curves.std(0, ddof=1) / np.sqrt(runs)
    half = curves[:, np.searchsorted(marks, horizon // 2)]
    return {"rounds": marks, "mean": curves.mean(0), "stderr": stderr, "half": half, "final": curves[:, -1]}


def example(label: str, seed: int) -> tuple[reucb.Bandit, Policy]:
    """One row of the stand-in with its policy, to measure run times on."""
    row = ratings(None, seed).values[0]
    return reucb.Bandit(len(row), row, reucb.Gaussian(NOISE)), policy(label, row)


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    data = ratings(options.movielens, options.seed)
    title = f"Movie recommendation, K = 128 ({data.source})"
    return [paper_panels.panel("movielens", title, dict(zip(LABELS, outcomes, strict=True)), options, NOTES)]
