"""Groups of arms with equal counts, each with its arms in a pairing heap.

Arms move from group to group as they are pulled: O(distinct counts) to find a slot, O(log K) amortised in a heap. An
arm that may not be chosen is OUT: it belongs to its group and counts in the sums, but is not in the heap.

The heaps are intrusive: every arm owns one row (first child, next sibling, previous) of an int32 table. Arms read from
the table are made int64 before they are passed on, so that every helper is compiled once. The order is total (higher
mean, then lower arm), so the top of a heap does not depend on the heap's shape.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._engine.arms.layout import book, clear_sums, show_top, write_count
from reucb._engine.codes import CHILD, COUNT, LAST, N_ROWS, NEXT, NONE, OUT, PREV, SIZE, SLOTS, WAIT
from reucb._engine.jit import by_use, inlined, separate

wide: Any = np.int64


@inlined
def above(means: Any, i: int, j: int) -> bool:
    """Whether arm i stands above arm j: higher mean, ties to the lower arm."""
    return bool(means[i] > means[j] or (means[i] == means[j] and i < j))


@inlined
def merge(nodes: Any, means: Any, i: int, j: int) -> int:
    """The root of the heaps i and j put together."""
    if above(means, j, i):
        i, j = j, i
    child = nodes[i, CHILD]
    nodes[j, NEXT] = child
    if child >= 0:
        nodes[child, PREV] = j
    nodes[j, PREV] = i
    nodes[i, CHILD] = j
    return i


@separate
def combine(nodes: Any, means: Any, first: int) -> int:
    """The root of one heap made of a list of siblings (pairs left to right, then right to left); -1 if empty."""
    if first < 0:
        return -1
    stack = -1
    i = first
    while i >= 0:
        j = wide(nodes[i, NEXT])
        if j < 0:
            nodes[i, NEXT] = stack
            stack = i
            break
        following = wide(nodes[j, NEXT])
        winner = merge(nodes, means, i, j)
        nodes[winner, NEXT] = stack
        stack = winner
        i = following
    root = stack
    i = wide(nodes[root, NEXT])
    while i >= 0:
        following = wide(nodes[i, NEXT])
        root = merge(nodes, means, root, i)
        i = following
    nodes[root, NEXT] = -1
    nodes[root, PREV] = -1
    return root


@inlined
def push(nodes: Any, means: Any, root: int, arm: int) -> int:
    """The root after the arm joined the heap."""
    nodes[arm, CHILD] = -1
    nodes[arm, NEXT] = -1
    nodes[arm, PREV] = -1
    return arm if root < 0 else merge(nodes, means, root, arm)


@inlined
def pop(nodes: Any, means: Any, root: int) -> int:
    """The root after the old one has left; -1 if the heap is empty then."""
    return combine(nodes, means, wide(nodes[root, CHILD]))


@inlined
def remove(nodes: Any, means: Any, root: int, arm: int) -> int:
    """The root after the arm, any of the heap, has left it; -1 if the heap is empty then."""
    below = pop(nodes, means, arm)
    if arm == root:
        return below
    previous, following = nodes[arm, PREV], nodes[arm, NEXT]
    if nodes[previous, CHILD] == arm:
        nodes[previous, CHILD] = following
    else:
        nodes[previous, NEXT] = following
    if following >= 0:
        nodes[following, PREV] = previous
    return root if below < 0 else merge(nodes, means, root, below)


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
