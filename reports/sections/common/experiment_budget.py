"""How much the sections on the paper's experiments simulate, and the colour of each policy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ExperimentBudget:
    """How much is simulated."""

    horizon: int
    runs: int
    movielens_runs: int
    method_runs: int
    estimator_runs: int  # of each variance estimator; likelihoods are maximised in every round
    early_horizon: int


BUDGETS = {
    "quick": ExperimentBudget(10_000, 80, 40, 40, 24, 3_000),
    "full": ExperimentBudget(10_000, 1_000, 200, 400, 400, 10_000),
}

COLOURS = {
    "ReUCB": "blue",
    "ReUCB*": "teal",
    "ReUCB* (σ₀² = 1)": "teal",
    "ReUCB∞": "purple",
    "ReTS": "brown",
    "TS": "orange",
    "TS (Gauss)": "orange",
    "TS (Beta)": "purple",
    "TSm": "red",
    "TSm1": "purple",
    "TSm2": "red",
    "Bayes-UCB": "green",
    "KL-UCB": "red",
    "UCB1": "grey",
    "moments": "blue",
    "anova": "orange",
    "ml": "green",
    "reml": "purple",
}
