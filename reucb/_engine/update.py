"""One reward enters the state: O(1) on the statistics, then the arm moves to its new slot."""

from __future__ import annotations

from typing import Any

from reucb._engine.arms.groups import regroup
from reucb._engine.arms.layout import rewrite
from reucb._engine.codes import (
    ALL_HI,
    ALL_LO,
    CENTER,
    CROSS,
    GROUPED,
    MOMENTS_KEPT,
    PULLED,
    ROUNDS,
    SLOTS,
    SUMS,
    TOTAL_HI,
    TOTAL_LO,
    WITHIN_HI,
    WITHIN_LO,
)
from reucb._engine.compensated import add, add_reward
from reucb._engine.jit import compiled, inlined


@inlined
def keep_moments(state: Any, arm: int, reward: float) -> None:
    """Update the squared deviations within arms and about the grand mean, and N^2 - sum n_k^2 (never subtracted)."""
    floats = state.floats
    n, rounds = float(state.counts[arm]), float(state.ints[ROUNDS])
    within = reward - state.means[arm]
    add(floats, WITHIN_HI, WITHIN_LO, n / (n + 1.0) * within * within)
    if rounds > 0.0:
        total = (reward - floats[CENTER]) - (floats[TOTAL_HI] + floats[TOTAL_LO]) / rounds
        add(floats, ALL_HI, ALL_LO, rounds / (rounds + 1.0) * total * total)
    add(floats, TOTAL_HI, TOTAL_LO, reward - floats[CENTER])
    floats[CROSS] += 2.0 * (rounds - n)


@inlined
def update(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of one arm."""
    ints = state.ints
    if ints[ROUNDS] == 0 and state.codes[SUMS]:
        state.floats[CENTER] = reward  # deviations from a typical reward keep their digits
    if state.codes[MOMENTS_KEPT]:
        keep_moments(state, arm, reward)
    count = state.counts[arm]
    mean = add_reward(state.totals, arm, reward, count + 1)
    if state.codes[GROUPED]:
        regroup(state, arm, count, mean)
    else:
        rewrite(state, arm, count, mean)
    state.counts[arm] = count + 1
    ints[ROUNDS] += 1
    if count == 0:
        ints[PULLED] += 1


@compiled
def update_many(state: Any, arms: Any, rewards: Any, start: int) -> int:
    """Enter rewards from position `start` on, in order; stop where a slot more than there is room for may be needed."""
    for i in range(start, arms.size):
        if state.codes[GROUPED] and state.ints[SLOTS] == state.arms.size and state.arms.size < state.counts.size:
            return i
        update(state, arms[i], rewards[i])
    return int(arms.size)
