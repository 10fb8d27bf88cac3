"""Rewards and pending pulls enter the state: O(1) on the statistics, then the arm moves to its new slot."""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._engine.arms.groups import regroup
from reucb._engine.arms.layout import rewrite
from reucb._engine.arms.state import BERNOULLI_INDEX, ESTIMATED, KNOWN, Linear
from reucb._engine.codes import (
    ALL_HI,
    CENTER,
    CROSS,
    GROUPED,
    PULLED,
    ROUNDS,
    TOTAL_HI,
    TOTAL_LO,
    UNPULLED,
    WAITING,
    WITHIN_HI,
)
from reucb._engine.jit import by_family, by_layout, by_use, inlined
from reucb._engine.sums import add, add_reward

wide: Any = np.int64  # a constant that is passed on as such would compile the callee once more


def _keep_nothing(state: Any, arm: int, reward: float) -> None:
    pass


def _keep_centre(state: Any, arm: int, reward: float) -> None:
    """Deviations from a typical reward keep their digits."""
    if state.ints[ROUNDS] == 0:
        state.floats[CENTER] = reward


def _keep_moments(state: Any, arm: int, reward: float) -> None:
    """Update the squared deviations within arms and about the grand mean, and N^2 - sum n_k^2 (never subtracted)."""
    floats = state.floats
    if state.ints[ROUNDS] == 0:
        floats[CENTER] = reward
    n, rounds = float(state.counts[arm]), float(state.ints[ROUNDS])
    within = reward - state.means[arm]
    add(floats, wide(WITHIN_HI), n / (n + 1.0) * within * within)
    if rounds > 0.0:
        total = (reward - floats[CENTER]) - (floats[TOTAL_HI] + floats[TOTAL_LO]) / rounds
        add(floats, wide(ALL_HI), rounds / (rounds + 1.0) * total * total)
    add(floats, wide(TOTAL_HI), reward - floats[CENTER])
    floats[CROSS] += 2.0 * (rounds - n)


keep = by_family(
    {
        **dict.fromkeys((Linear, *BERNOULLI_INDEX), _keep_nothing),
        **dict.fromkeys(KNOWN, _keep_centre),
        **dict.fromkeys(ESTIMATED, _keep_moments),
    }
)


regroup_inlined = inlined(regroup)


def _move(state: Any, arm: int, count: int, wait: int, new_count: int, new_wait: int, mean: float) -> None:
    if state.codes[GROUPED]:
        regroup_inlined(state, arm, count, wait, new_count, new_wait, mean)
    else:
        rewrite(state, arm, new_count, new_wait, mean)


def _rewrite(state: Any, arm: int, count: int, wait: int, new_count: int, new_wait: int, mean: float) -> None:
    rewrite(state, arm, new_count, new_wait, mean)


# Brings the arm from its old counts of rewards and pending pulls to the new ones.
move = by_layout(_move, regroup, _rewrite)


def _take_pending(state: Any, arm: int) -> int:
    wait = 0
    if state.ints[WAITING] > 0:
        wait = state.pending[arm]
        if wait > 0:
            state.pending[arm] = wait - 1
            state.ints[WAITING] -= 1
    return wait


def _no_wait(state: Any, arm: int) -> int:
    return 0


# Takes off one pending pull of the arm, if it has any; how many it had.
take_pending = by_use(_take_pending, _no_wait)


def update(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of one arm; it answers a pending pull of that arm, if there is one."""
    ints = state.ints
    keep(state, arm, reward)
    count, wait = state.counts[arm], take_pending(state, arm)
    mean = add_reward(state.totals, arm, reward, count + 1)
    move(state, arm, count, wait, count + 1, wait - 1 if wait > 0 else 0, mean)
    state.counts[arm] = count + 1
    ints[ROUNDS] += 1
    if count == 0:
        ints[PULLED] += 1


def pend(state: Any, arm: int) -> None:
    """Enter one pull without a reward."""
    count, wait = state.counts[arm], state.pending[arm]
    move(state, arm, count, wait, count, wait + 1, state.means[arm])
    state.pending[arm] = wait + 1
    state.ints[WAITING] += 1


def give_up(state: Any, arm: int) -> None:
    """Take back one pending pull."""
    count, wait = state.counts[arm], take_pending(state, arm)
    move(state, arm, count, wait, count, wait - 1, state.means[arm])
    if count + wait == 1:
        state.ints[UNPULLED] = min(state.ints[UNPULLED], arm)
