"""A state filled from counts, sums and pending pulls: a saved agent, a larger copy, a warm start."""

from __future__ import annotations

from typing import Any

from reucb._engine.arms.groups import enter, find, push
from reucb._engine.arms.layout import rewrite, show_top, write_count
from reucb._engine.arms.state import SIMPLE_SAMPLING, SLOTTED
from reucb._engine.codes import COUNT, GROUPED, NONE, OUT, PREV, SIZE, SLOTS, SQ_HI, SQ_LO, STALE, SUM_HI, SUM_LO, WAIT
from reucb._engine.jit import by_family, exclusive, inlined
from reucb._engine.steps import prepare


def _fill(state: Any, groups: Any) -> bool:
    """Put every arm with a reward or a pending pull into its slot; slots begin as `groups` says, with those sums.

    A row of groups: count, pending pulls, four sums. Without rows, slots and sums are made from the arms in order.
    False if the rows are not the groups of the arms.
    """
    slots, known = state.slots, groups.shape[0]
    for slot in range(known):
        state.arms[slot] = NONE
        write_count(state, slot, int(groups[slot, 0]), int(groups[slot, 1]), 0)
        slots[SIZE, slot] = 0.0
    if state.codes[GROUPED]:
        state.ints[SLOTS] = known
    slot = 0
    for arm in range(state.counts.size):
        count, wait = state.counts[arm], state.pending[arm]
        if count + wait == 0:
            continue
        if not state.codes[GROUPED]:
            rewrite(state, arm, count, wait, state.means[arm])
            continue
        if slot >= state.ints[SLOTS] or slots[COUNT, slot] != count or slots[WAIT, slot] != wait:
            slot = find(state, count, wait)
        if slot < 0:
            if known:
                return False
            enter(state, slot, count, wait, arm)
            slot = 0
        elif not known:
            enter(state, slot, count, wait, arm)
        else:
            slots[SIZE, slot] += 1.0
            if state.nodes[arm, PREV] != OUT and push(state.nodes, state.means, state.arms[slot], arm) == arm:
                show_top(state, slot, arm)
    for slot in range(known):
        if slots[SIZE, slot] == 0.0:
            return False
        slots[SUM_HI, slot] = groups[slot, 2]
        slots[SUM_LO, slot] = groups[slot, 3]
        slots[SQ_HI, slot] = groups[slot, 4]
        slots[SQ_LO, slot] = groups[slot, 5]
    return True


def _write_posteriors(state: Any, groups: Any) -> bool:
    prepare(state)
    return bool(groups.shape[0] == 0)


_filled = by_family({**dict.fromkeys(SLOTTED, _fill), **dict.fromkeys(SIMPLE_SAMPLING, _write_posteriors)})


@exclusive
def fill(state: Any, groups: Any) -> bool:
    """Write the slots of a state whose counts, means, totals, pending pulls and sums are there (`_fill`)."""
    return bool(_filled(state, groups))


@inlined
def copy_numbers(source: Any, target: Any) -> None:
    """Overwrite an array of one dimension with another."""
    for i in range(source.size):
        target[i] = source[i]


@inlined
def copy_table(source: Any, target: Any) -> None:
    """Overwrite an array of two dimensions with another."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@exclusive
def copy_state(source: Any, target: Any) -> bool:
    """Copy what changes from round to round, at one moment; False if the state was replaced."""
    if source.codes[STALE]:
        return False
    copy_numbers(source.counts, target.counts)
    copy_numbers(source.means, target.means)
    copy_table(source.totals, target.totals)
    copy_numbers(source.pending, target.pending)
    copy_table(source.slots, target.slots)
    copy_numbers(source.ints, target.ints)
    copy_numbers(source.floats, target.floats)
    copy_numbers(source.codes, target.codes)
    return True


@exclusive
def replace_slots(old: Any, new: Any) -> bool:
    """Copy the slots into a state with more room and mark the old one as replaced; False if it was replaced before."""
    if old.codes[STALE]:
        return False
    for i in range(old.ints.size):
        new.ints[i] = old.ints[i]
    for slot in range(old.ints[SLOTS]):
        new.arms[slot] = old.arms[slot]
        for row in range(old.slots.shape[0]):
            new.slots[row, slot] = old.slots[row, slot]
    old.codes[STALE] = 1
    return True
