"""Arms move from group to group as they are pulled: O(distinct counts) to find a slot, O(log K) amortised in a heap."""

from __future__ import annotations

from typing import Any

from reucb._engine.arms.heap import push, remove
from reucb._engine.arms.layout import book, show_top, write_count
from reucb._engine.codes import (
    CENTER,
    COUNT,
    LAST,
    N_ROWS,
    SIZE,
    SLOTS,
    SQ_HI,
    SQ_LO,
    SUM_HI,
    SUM_LO,
    SUMS,
)
from reucb._engine.jit import inlined


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
        write_count(state, slot, count, arm)
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
        write_count(state, slot, count + 1, arm)
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
