"""The recommendation experiment (`fig:movie`): arms are movies, each run plays one user group."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import reucb
from reucb.engine import run_block
from reucb.policies import Policy
from theory.experiments.intervals import FloatArray
from theory.experiments.movielens.ratings import NOISE

LABELS = ("ReUCB", "ReUCB*", "ReTS", "TS", "UCB1")


def policy(label: str, row: FloatArray) -> Policy:
    """TS and ReUCB* are given the moments of the row they will play; ReUCB and ReTS estimate them."""
    mean, variance, noise = float(row.mean()), float(row.var()), NOISE**2
    return {
        "ReUCB": reucb.ReUCB(a=1.0),
        "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=variance, sigma_sq=noise),
        "ReTS": reucb.ReTS(),
        "TS": reucb.GaussianTS(mu0=mean, sigma0_sq=variance, sigma_sq=noise),
        "UCB1": reucb.UCB1(sigma_sq=noise),
    }[label]


def bandit(row: FloatArray) -> reucb.Bandit:
    """The bandit of one user group."""
    return reucb.Bandit(len(row), row, reucb.Gaussian(NOISE))


def curves(values: FloatArray, label: str, marks: NDArray[np.int64], runs: int, seed: int) -> FloatArray:
    """Regret of each run at the marked rounds, runs x marks.

    Each run draws a row uniformly and plays it; the same rows and the same noise for every policy, and fewer runs are
    the first of more.
    """
    rows = np.random.default_rng([seed, 129]).integers(len(values), size=runs)
    found = np.empty((runs, len(marks)))
    for run, row in enumerate(values[rows]):
        found[run] = run_block(bandit(row), policy(label, row), int(marks[-1]), marks, seed, run, 1)[0]
    return found
