"""One simulation: its checked settings, and the chunks of runs into which it is divided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reucb._numerics import IntArray
from reucb._numerics.validation import LARGEST_COUNT, arranged, integer, shown
from reucb.bandit import Bandit
from reucb.policies import Policy

# One word of the spawn key holds the number of a run, so that no two runs share a stream.
MOST_RUNS = 2**32

DEFAULT_RECORD = 200


@dataclass(frozen=True, eq=False)
class Job:
    """One simulation, checked. `rounds` are reported; `marks` are `rounds` and the last round; `chunk` is in runs."""

    bandit: Bandit
    policy: Policy
    horizon: int
    runs: int
    seed: int
    rounds: IntArray
    marks: IntArray
    chunk: int

    @cached_property
    def settings(self) -> dict[str, Any]:
        """What the result depends on, in plain JSON types: jobs with equal settings have bit-for-bit equal results."""
        return {
            "bandit": self.bandit.describe(),
            "policy": self.policy.describe(),
            "horizon": self.horizon,
            "runs": self.runs,
            "seed": self.seed,
            "rounds": self.rounds.tolist(),
        }


def make_job(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    runs: int,
    seed: int,
    record: int | Sequence[int] | IntArray,
    chunk: int | None = None,
) -> Job:
    """The job of these settings; ValueError or TypeError names the one that is not allowed."""
    if not isinstance(bandit, Bandit):
        raise TypeError(f"bandit = {shown(bandit)}: must be a reucb.Bandit")
    if not isinstance(policy, Policy):
        raise TypeError(f"policy = {shown(policy)}: must be a policy such as reucb.ReUCB(a=1.0)")
    check_pair(bandit, policy)
    horizon = integer("horizon", horizon, 1, LARGEST_COUNT)
    runs = integer("runs", runs, 1, MOST_RUNS)
    seed = integer("seed", seed, 0)
    rounds = recorded_rounds(horizon, record)
    marks = rounds if rounds[-1] == horizon else np.append(rounds, horizon)
    chunk = chunk_size(horizon, bandit.n_arms) if chunk is None else integer("chunk", chunk, 1)
    return Job(bandit, policy, horizon, runs, seed, rounds, marks, chunk)


def check_pair(bandit: Bandit, policy: Policy) -> None:
    """Reject rewards that the policy cannot use, and a policy for another number of arms."""
    _, _, low, high = bandit.rewards.kernel(bandit.n_arms)
    if policy.binary and not (low >= 0.0 and high <= 1.0):
        raise ValueError(
            f"policy = {policy!r} needs rewards in [0, 1]; rewards = {bandit.rewards!r} lie in [{low}, {high}]"
        )
    policy.rule(bandit.n_arms)


def recorded_rounds(horizon: int, record: int | Sequence[int] | IntArray) -> IntArray:
    """Increasing 1-based rounds: the given ones, or `record` of them evenly spaced up to the horizon."""
    if isinstance(record, (int, np.integer)) and not isinstance(record, bool):
        count = min(integer("record", record, 1, LARGEST_COUNT), horizon)
        return np.array([-(-step * horizon // count) for step in range(1, count + 1)], dtype=np.int64)
    given = arranged(record)
    if given is None or given.ndim != 1 or given.size == 0 or given.dtype.kind not in "iu":
        raise TypeError(f"record = {shown(record)}: must be a number of rounds, or a list of 1-based rounds")
    if given.min() < 1 or given.max() > horizon or np.any(given[1:] <= given[:-1]):
        raise ValueError(f"record = {shown(record)}: must be increasing rounds from 1 to horizon = {horizon}")
    return given.astype(np.int64)


def chunk_size(horizon: int, n_arms: int) -> int:
    """Runs per chunk, from the work of one run only, never from the number of workers.

    A chunk lasts about a tenth of a second (one run if that is longer): long enough to hide the cost of
    submitting it, short enough that Ctrl-C is quick and a kill loses little. Sampling policies visit every
    arm in every round, so their work sets the scale.
    """
    work = horizon * (1 + n_arms / 50)
    return max(1, min(256, int(500_000 / work)))


def chunks(runs: int, size: int) -> list[tuple[int, int]]:
    """The runs 0..runs-1 cut into pairs (first run, number of runs)."""
    return [(first, min(size, runs - first)) for first in range(0, runs, size)]
