"""Time of a round against the number of arms: compiled, grouped by count or dense, and by the online agent."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.cases import ESTIMATED, KNOWN, gaussian_bandit
from benchmarks.clock import race
from reucb.engine import arm_state as engine_state
from reucb.engine import run_block

ARMS = (2, 5, 10, 16, 20, 30, 50, 100, 300, 1_000, 10_000, 100_000, 1_000_000)
POLICIES = {"known": KNOWN, "estimated": ESTIMATED}
LARGEST_DENSE = 1_000  # the dense rule costs O(K) per round: beyond this it is only a waiting time


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """One row per number of arms: nanoseconds per round after every arm was pulled once."""
    for n_arms in ARMS[::3] if quick else ARMS:
        row: dict[str, Any] = {"n_arms": n_arms}
        for name, policy in POLICIES.items():
            row[f"{name}_ns"] = compiled_round(policy, n_arms, quick)
            if n_arms <= LARGEST_DENSE:
                row[f"{name}_grouped_ns"] = compiled_round(policy, n_arms, quick, dense_below=0)
                row[f"{name}_dense_ns"] = compiled_round(policy, n_arms, quick, dense_below=n_arms + 1)
            row[f"{name}_agent_ns"] = agent_round(policy, n_arms, quick)
        yield row


def compiled_round(policy: Any, n_arms: int, quick: bool, dense_below: int | None = None) -> float:
    """Of a compiled run: the time of K + M rounds less that of the first K, over M."""
    more = max(10_000, n_arms // (10 if quick else 1))
    runs = max(1, min(20, 200_000 // (n_arms + more)))
    bandit = gaussian_bandit(n_arms)
    below = engine_state.DENSE_BELOW if dense_below is None else dense_below

    def block(horizon: int) -> Any:
        return run_block(bandit, policy, horizon, np.array([horizon]), 0, 0, runs)

    with patch.object(engine_state, "DENSE_BELOW", below):
        block(n_arms + 1)
        seconds = race({"start": partial(block, n_arms), "whole": partial(block, n_arms + more)}, 2 if quick else 3)
    return (seconds["whole"] - seconds["start"]) * 1e9 / (more * runs)


def agent_round(policy: Any, n_arms: int, quick: bool) -> float:
    """Of an online agent: select and update, after one reward of each arm."""
    rng = np.random.default_rng(0)
    means = rng.normal(1.0, 0.2, n_arms)
    known = means.tolist()
    agent = policy.start(n_arms=n_arms, seed=0)
    agent.update(np.arange(n_arms), means + 0.5 * rng.standard_normal(n_arms))
    noise = (0.5 * rng.standard_normal(2_000 if quick else 10_000)).tolist()

    def rounds() -> None:
        for z in noise:
            arm = agent.select()
            agent.update(arm, known[arm] + z)

    rounds()
    return race({"agent": rounds}, 2 if quick else 3)["agent"] * 1e9 / len(noise)
