"""One reward enters the state: O(1) on the statistics, O(log K) amortised on the groups."""

from __future__ import annotations

from math import sqrt
from typing import Any

from reucb._engine.codes import (
    ALL_HI,
    ALL_LO,
    BLUP,
    CENTER,
    COUNT,
    CROSS,
    GROUPED,
    LAST,
    LINEAR,
    MOMENTS_KEPT,
    N_ROWS,
    PULLED,
    ROUNDS,
    RULE,
    SHRINK,
    SIGMA0_SQ,
    SIGMA_SQ,
    SIZE,
    SLOTS,
    SPREAD,
    SQ_HI,
    SQ_LO,
    SUM_HI,
    SUM_LO,
    SUMS,
    TOP,
    TOTAL_HI,
    TOTAL_LO,
    WEIGHT,
    WITHIN_HI,
    WITHIN_LO,
)
from reucb._engine.heap import push, remove
from reucb._engine.jit import compiled, inlined
from reucb._engine.pairs import add, add_at, add_reward, square_error


@inlined
def shares(n: float, sigma0_sq: float, sigma_sq: float, largest: float) -> tuple[float, float, float]:
    """GLS weight g = n/(n v0 + v), w = v0 g and 1 - w = v/(n v0 + v), for v = sigma^2/M, M the largest variance of all.

    Eq. w-def without subtraction, and without overflow. Right in the limits: sigma0^2 = 0 gives w = 0 and g = n,
    sigma^2 = 0 gives w = 1, sigma0^2 = inf gives w = 1.
    """
    if sigma0_sq == float("inf"):
        return 1.0, 1.0, 0.0
    v0, v = sigma0_sq / largest, sigma_sq / largest
    g = n / (n * v0 + v)
    return g, v0 * g, v / (n * v0 + v)


@inlined
def settle(state: Any, slot: int, count: int, arm: int) -> None:
    """Write what depends on the count alone into the slot: weight, shrinkage, width."""
    slots, params = state.slots, state.params
    slots[COUNT, slot] = count
    rule = state.codes[RULE]
    if rule > BLUP:
        slots[SHRINK, slot] = 0.0  # the Bernoulli rules: no bound on the quantile is known yet
        return
    sigma_sq = state.noise[arm] if state.noise.size > 1 else state.noise[0]
    g, w, shrink = shares(float(count), params[SIGMA0_SQ], sigma_sq, max(params[SIGMA0_SQ], params[SIGMA_SQ]))
    if rule == LINEAR:
        slots[WEIGHT, slot] = w
        slots[SPREAD, slot] = sqrt(w * (sigma_sq / count))
    else:
        slots[WEIGHT, slot] = g
        slots[SPREAD, slot] = params[SIGMA0_SQ] * shrink
    slots[SHRINK, slot] = shrink


@inlined
def show_top(state: Any, slot: int, arm: int) -> None:
    """Make the arm the one that stands for its slot."""
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm] - state.floats[CENTER]
    if state.codes[RULE] > BLUP:
        state.slots[SHRINK, slot] = 0.0


@inlined
def book(state: Any, slot: int, deviation: float, sign: float) -> None:
    """Add (sign = 1) or take away (-1) one arm's mean, and its square, in the sums of the slot."""
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * deviation)
    if state.codes[SUMS] == 2:
        add_at(state.slots, SQ_HI, SQ_LO, slot, sign * (deviation * deviation))
        state.slots[SQ_LO, slot] += sign * square_error(deviation)


@inlined
def find(state: Any, count: int) -> int:
    """The slot of the arms pulled `count` times; -1 if there is none."""
    counts = state.slots[COUNT]
    for slot in range(state.ints[SLOTS]):
        if counts[slot] == count:
            return slot
    return -1


@inlined
def leave(state: Any, slot: int, arm: int) -> None:
    """Take the arm out of its group; an empty slot is overwritten by the last."""
    slots, ints = state.slots, state.ints
    slots[SIZE, slot] -= 1.0
    if slots[SIZE, slot] > 0.0:
        root = remove(state.nodes, state.means, state.arms[slot], arm)
        if root != state.arms[slot]:
            show_top(state, slot, root)
        return
    ints[SLOTS] -= 1
    last = ints[SLOTS]
    if slot != last:
        state.arms[slot] = state.arms[last]
        for row in range(N_ROWS):
            slots[row, slot] = slots[row, last]


@inlined
def enter(state: Any, slot: int, count: int, arm: int) -> None:
    """Put the arm into the group of its new count, a new slot (slot = -1) if it is the first."""
    slots = state.slots
    if slot < 0:
        slot = state.ints[SLOTS]
        state.ints[SLOTS] += 1
        settle(state, slot, count, arm)
        slots[SIZE, slot] = 0.0
        for row in (SUM_HI, SUM_LO, SQ_HI, SQ_LO):
            slots[row, slot] = 0.0
        push(state.nodes, state.means, -1, arm)
        show_top(state, slot, arm)
    elif push(state.nodes, state.means, state.arms[slot], arm) == arm:
        show_top(state, slot, arm)
    slots[SIZE, slot] += 1.0
    if state.codes[SUMS]:
        book(state, slot, state.means[arm] - state.floats[CENTER], 1.0)


@inlined
def regroup(state: Any, arm: int, count: int, mean: float) -> None:
    """Move the arm from the group of `count` to the next one; its mean becomes `mean`."""
    slots, ints, center = state.slots, state.ints, state.floats[CENTER]
    target = find(state, count + 1)
    if count == 0:
        state.means[arm] = mean
        enter(state, target, 1, arm)
        return
    slot = ints[LAST]
    if slot >= ints[SLOTS] or slots[COUNT, slot] != count:
        slot = find(state, count)
    if target < 0 and slots[SIZE, slot] == 1.0:  # alone, and nobody there: the group moves as it is
        state.means[arm] = mean
        settle(state, slot, count + 1, arm)
        show_top(state, slot, arm)
        for row in (SUM_HI, SUM_LO, SQ_HI, SQ_LO):
            slots[row, slot] = 0.0
        if state.codes[SUMS]:
            book(state, slot, mean - center, 1.0)
        return
    if state.codes[SUMS]:
        book(state, slot, state.means[arm] - center, -1.0)
    if target == ints[SLOTS] - 1 and slots[SIZE, slot] == 1.0:
        target = slot  # the last slot is about to move here
    leave(state, slot, arm)
    state.means[arm] = mean
    enter(state, target, count + 1, arm)


@inlined
def rewrite(state: Any, arm: int, count: int, mean: float) -> None:
    """The dense counterpart of `regroup`: the arm is its own slot."""
    state.means[arm] = mean
    settle(state, arm, count + 1, arm)
    show_top(state, arm, arm)
    if state.codes[SUMS]:
        state.slots[SUM_HI, arm] = state.slots[TOP, arm]
    if state.codes[SUMS] == 2:
        state.slots[SQ_HI, arm] = state.slots[TOP, arm] * state.slots[TOP, arm]
        state.slots[SQ_LO, arm] = square_error(state.slots[TOP, arm])


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
