"""One policy on one bandit: the unit of work of every experiment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import reucb
from reports.core.jobs import Outcome, Settings, Tools, Unit
from reucb.policies import policy_from
from reucb.policies.base import Policy
from theory.experiments.settings import SETTINGS

MARKS = 60


def setting_unit(setting: str, label: str, policy: Policy, horizon: int, runs: int, seed: int) -> Unit:
    """The unit that plays `policy` on the bandit of a named setting."""
    bandit = SETTINGS[setting].bandit
    return Unit(play, {
        "setting": setting, "bandit": bandit.describe(), "label": label, "policy": policy.describe(),
        "horizon": horizon, "runs": runs, "seed": seed,
    })  # fmt: skip


def rounds_of(horizon: int) -> NDArray[np.int64]:
    """The rounds a curve is drawn through: dense at first, then every twentieth of the horizon."""
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
