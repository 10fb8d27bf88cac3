"""Arms move from group to group as they are pulled: O(distinct counts) to find a slot, O(log K) amortised in a heap.

An arm that may not be chosen is OUT: it belongs to its group and counts in the sums, but is not in the heap.
"""

from __future__ import annotations

from typing import Any

from reucb._engine.arms.heap import pop, push, remove
from reucb._engine.arms.layout import book, clear_sums, show_top, write_count
from reucb._engine.codes import COUNT, LAST, N_ROWS, NONE, OUT, PREV, SIZE, SLOTS, WAIT
from reucb._engine.jit import by_use, inlined


@inlined
def find(state: Any, count: int, wait: int) -> int:
    """The slot of the arms with `count` rewards and `wait` pending pulls; -1 if there is none."""
    counts = state.slots[COUNT]
    for slot in range(state.ints[SLOTS]):
        if counts[slot] == count and state.slots[WAIT, slot] == wait:
            return slot
    return -1


def _any_arm(state: Any, slot: int, arm: int) -> int:
    return remove(state.nodes, state.means, state.arms[slot], arm)


def _top_arm(state: Any, slot: int, arm: int) -> int:
    return pop(state.nodes, state.means, arm)


# The root of the slot's heap after the arm has left it; in a simulation the arm was the root.
take_out = by_use(_any_arm, _top_arm)


@inlined
def lift(state: Any, slot: int, arm: int) -> None:
    """Take the arm out of the heap of its slot."""
    root = take_out(state, slot, arm)
    if root < 0:
        state.arms[slot] = NONE
    elif root != state.arms[slot]:
        show_top(state, slot, root)


@inlined
def leave(state: Any, slot: int, arm: int) -> None:
    """Take the arm out of its group; an empty slot is overwritten by the last."""
    slots, ints = state.slots, state.ints
    slots[SIZE, slot] -= 1.0
    if slots[SIZE, slot] > 0.0:
        if state.nodes[arm, PREV] != OUT:
            lift(state, slot, arm)
        return
    ints[SLOTS] -= 1
    last = ints[SLOTS]
    if slot != last:
        state.arms[slot] = state.arms[last]
        for row in range(N_ROWS):
            slots[row, slot] = slots[row, last]


@inlined
def enter(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    """Put the arm into the group of its new counts, a new slot (slot = -1) if it is the first."""
    slots = state.slots
    if slot < 0:
        slot = state.ints[SLOTS]
        state.ints[SLOTS] += 1
        state.arms[slot] = NONE
        write_count(state, slot, count, wait, arm)
        slots[SIZE, slot] = 0.0
        clear_sums(state, slot)
    if state.nodes[arm, PREV] != OUT and push(state.nodes, state.means, state.arms[slot], arm) == arm:
        show_top(state, slot, arm)
    slots[SIZE, slot] += 1.0
    if count > 0:
        book(state, slot, arm, 1.0)


def regroup(state: Any, arm: int, count: int, wait: int, new_count: int, new_wait: int, mean: float) -> None:
    """Move the arm from the group of (count, wait) to that of (new_count, new_wait); its mean becomes `mean`.

    Arms without rewards and pending pulls are in no group.
    """
    slots, ints = state.slots, state.ints
    target = find(state, new_count, new_wait)
    if count + wait > 0:
        slot = ints[LAST]
        if slot >= ints[SLOTS] or slots[COUNT, slot] != count or slots[WAIT, slot] != wait:
            slot = find(state, count, wait)
        if target < 0 and slots[SIZE, slot] == 1.0 and new_count + new_wait > 0:
            state.means[arm] = mean  # alone, and nobody there: the group moves as it is
            write_count(state, slot, new_count, new_wait, arm)
            if state.nodes[arm, PREV] != OUT:
                show_top(state, slot, arm)
            clear_sums(state, slot)
            if new_count > 0:
                book(state, slot, arm, 1.0)
            return
        if count > 0:
            book(state, slot, arm, -1.0)
        if target == ints[SLOTS] - 1 and slots[SIZE, slot] == 1.0:
            target = slot  # the last slot is about to move here
        leave(state, slot, arm)
    state.means[arm] = mean
    if new_count + new_wait > 0:
        enter(state, target, new_count, new_wait, arm)
