"""The paper's experiments: budgets, colours, units, and paired comparisons of policies on the same bandits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

import reucb
from reports.core import IntArray
from reports.core.jobs import Outcome, Settings, Tools, Unit
from reports.core.panel import Cell
from reucb.policies import policy_from
from reucb.policies.base import Policy
from theory.experiments.intervals import Interval, mean_ratio
from theory.experiments.settings import SETTINGS

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
MARKS = 60
ERROR = 0.05
SAME = Interval(1.0, 1.0, 1.0)  # a policy against itself


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


def setting_unit(setting: str, label: str, policy: Policy, horizon: int, runs: int, seed: int) -> Unit:
    """The unit that plays `policy` on the bandit of a named setting."""
    bandit = SETTINGS[setting].bandit
    return Unit(play, {
        "setting": setting, "bandit": bandit.describe(), "label": label, "policy": policy.describe(),
        "horizon": horizon, "runs": runs, "seed": seed,
    })  # fmt: skip


def rounds_of(horizon: int) -> IntArray:
    """The rounds of a curve: dense at first, then every twentieth of the horizon."""
    early = np.geomspace(1, horizon, MARKS).round().astype(np.int64)
    return np.union1d(early, np.linspace(0, horizon, 21)[1:].round().astype(np.int64))


def play(settings: Settings, tools: Tools) -> Outcome:
    """Mean regret with its standard error over rounds, and every run's regret at the end."""
    result = reucb.simulate(
        SETTINGS[settings["setting"]].bandit, policy_from(settings["policy"]), horizon=settings["horizon"],
        runs=settings["runs"], seed=settings["seed"], record=rounds_of(settings["horizon"]), executor=tools.executor,
        progress=False,
    )  # fmt: skip
    return {"rounds": result.rounds, "mean": result.mean, "stderr": result.stderr, "final": result.final}


def compare(first: ArrayLike, second: ArrayLike, error: float = ERROR) -> Interval:
    """The ratio of mean regrets, paired over runs (common random numbers), with the interval that the ledger uses."""
    return mean_ratio(np.asarray(first, float), np.asarray(second, float), error)


@dataclass(frozen=True)
class Question:
    """Policies compared in one setting; regrets are divided by that of `reference`."""

    title: str
    setting: str
    policies: Mapping[str, Policy]
    reference: str


@dataclass(frozen=True)
class PolicyRow:
    """One policy: its mean regret, and the ratio to that of the reference (exactly 1 for the reference itself)."""

    question: str
    label: str
    regret: float
    against: Interval

    def record(self, question: str, label: str) -> dict[str, Cell]:
        """The row of a table whose first two columns have these names."""
        c = self.against
        return {question: self.question, label: self.label, "regret": round(self.regret, 2),
                "ratio": round(c.ratio, 3), "low": round(c.low, 3), "high": round(c.high, 3)}  # fmt: skip

    @property
    def text(self) -> str:
        c = self.against
        return f"{self.question}, {self.label}: {c.ratio:.3f} [{c.low:.3f}, {c.high:.3f}]"


def units(questions: Sequence[Question], horizon: int, runs: int, seed: int) -> list[Unit]:
    """One unit per question and policy."""
    return [
        setting_unit(q.setting, label, policy, horizon, runs, seed)
        for q in questions
        for label, policy in q.policies.items()
    ]


def rows(questions: Sequence[Question], outcomes: Sequence[Outcome]) -> list[PolicyRow]:
    """The answers, in the order of the questions and their policies."""
    found = iter(outcomes)
    answers = []
    for q in questions:
        finals = {label: next(found)["final"] for label in q.policies}
        for label, final in finals.items():
            pair = SAME if label == q.reference else compare(final, finals[q.reference])
            answers.append(PolicyRow(q.title, label, float(np.mean(final)), pair))
    return answers
