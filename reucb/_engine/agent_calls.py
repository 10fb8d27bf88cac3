"""The compiled functions an online agent calls: single pulls, batches of pulls, choices among some arms, whole states.

A whole state is filled from counts, sums and pending pulls: a saved agent, a larger copy, a warm start.

Each keeps the GIL, so it is atomic for threads that share an agent. Index rules choose among some arms on a view: the
slots of the state with heaps of these arms only. Every pull of a batch is pending at once, in the view as in the state,
so the next choice counts it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reucb._engine.arm_groups import enter, find, lift, push, rewrite, show_top, write_count
from reucb._engine.codes import (
    CHILD,
    COUNT,
    GROUPED,
    NEXT,
    NONE,
    OUT,
    PREV,
    ROUNDS,
    RULE,
    SIZE,
    SLOTS,
    SQ_HI,
    SQ_LO,
    SQUARES,
    STALE,
    SUM_HI,
    SUM_LO,
    TS_BERNOULLI,
    TS_GAUSSIAN,
    UNPULLED,
    WAIT,
    WAITING,
)
from reucb._engine.fit import fit
from reucb._engine.jit import by_family, exclusive, inlined, machine_code
from reucb._engine.select import decide
from reucb._engine.state import SIMPLE_SAMPLING, SLOTTED, State
from reucb._engine.steps import choose_arm, copy_numbers, enter_pull, enter_reward, move, prepare, take_back
from reucb._engine.thompson import draw, draw_mu0, pulls_first

REPLACED = -2  # returned in place of an arm: the state was replaced, try again
INF = float("inf")


@inlined
def is_full(state: Any) -> bool:
    """Whether the state was replaced, or may need a slot more than it has room for."""
    room = state.arms.size
    return bool(state.codes[STALE] or (state.codes[GROUPED] and state.ints[SLOTS] == room and room < state.counts.size))


@exclusive
def choose(state: Any) -> int:
    """The arm to pull by an index rule; -1 if no arm may be chosen."""
    return REPLACED if state.codes[STALE] else choose_arm(state, state.ints)


@exclusive
def choose_by_draw(state: Any, own: Any) -> int:
    """The arm to pull by Thompson sampling; `own` is the policy's stream."""
    return REPLACED if state.codes[STALE] else choose_arm(state, own)


@inlined
def observe(state: Any, arm: int, reward: float) -> None:
    """Enter one reward, and its squared deviation."""
    n, deviation = float(state.counts[arm]), reward - state.means[arm]
    state.totals[arm, SQUARES] += n / (n + 1.0) * deviation * deviation
    enter_reward(state, arm, reward)


@exclusive
def absorb(state: Any, arm: int, reward: float) -> bool:
    """Enter one reward; False, and nothing has changed, if the state is full."""
    if is_full(state):
        return False
    observe(state, arm, reward)
    return True


@exclusive
def absorb_many(state: Any, arms: Any, rewards: Any, start: int) -> int:
    """Enter rewards from position `start` on, in order; the position of the first for which there was no room."""
    for i in range(start, arms.size):
        if is_full(state):
            return i
        observe(state, arms[i], rewards[i])
    return int(arms.size)


@exclusive
def take_back_many(state: Any, arms: Any, start: int) -> int:
    """Take back pending pulls from position `start` on; the position of the first for which there was no room."""
    for i in range(start, arms.size):
        if is_full(state):
            return i
        if state.pending[arms[i]] > 0:
            take_back(state, arms[i])
    return int(arms.size)


@exclusive
def refit(state: Any) -> None:
    """Bring the fit of ReUCB up to date (`fit`)."""
    fit(state)


@exclusive
def start_sampling(state: Any) -> None:
    """Write the posteriors of Thompson sampling from counts and means."""
    prepare(state)


@inlined
def hold(state: Any, arm: int) -> None:
    """Make the arm one that may not be chosen."""
    if not state.codes[GROUPED]:
        state.arms[arm] = OUT
        return
    nodes, count, wait = state.nodes, state.counts[arm], state.pending[arm]
    if nodes[arm, PREV] == OUT:
        return
    if count + wait > 0:
        lift(state, find(state, count, wait), arm)
    nodes[arm, CHILD] = NONE
    nodes[arm, NEXT] = NONE
    nodes[arm, PREV] = OUT


@inlined
def release(state: Any, arm: int) -> None:
    """Let the arm be chosen again."""
    count, wait = state.counts[arm], state.pending[arm]
    if count + wait == 0:
        state.ints[UNPULLED] = min(state.ints[UNPULLED], arm)
    if not state.codes[GROUPED]:
        state.arms[arm] = arm if count + wait > 0 else NONE
        return
    state.nodes[arm, PREV] = NONE
    if count + wait > 0:
        slot = find(state, count, wait)
        if push(state.nodes, state.means, state.arms[slot], arm) == arm:
            show_top(state, slot, arm)


@exclusive
def hold_all(state: Any, arms: Any) -> None:
    """`hold` each of the arms."""
    for arm in arms:
        hold(state, arm)


@exclusive
def choose_many(state: Any, out: Any, start: int, distinct: bool) -> int:
    """Fill `out` from position `start` on with the arms an index rule pulls; the first position without room.

    A distinct batch holds the arms it has chosen until it is complete.
    """
    for i in range(start, out.size):
        if is_full(state):
            return i
        arm = choose_arm(state, state.ints)
        out[i] = arm
        enter_pull(state, arm)
        if distinct:
            hold(state, arm)
    if distinct:
        for arm in out:
            release(state, arm)
    return int(out.size)


@inlined
def show(state: Any, view: Any, candidates: Any) -> None:
    """Fill the view: every slot of the state, with the candidates in the heaps."""
    for slot in range(state.ints[SLOTS]):
        view.arms[slot] = NONE
        for row in range(state.slots.shape[0]):
            view.slots[row, slot] = state.slots[row, slot]
    for i in range(state.ints.size):
        view.ints[i] = state.ints[i]
    slot = 0
    for arm in candidates:
        count, wait = state.counts[arm], state.pending[arm]
        if not state.codes[GROUPED]:
            view.arms[arm] = arm if count + wait > 0 else NONE
            continue
        view.nodes[arm, PREV] = NONE
        if count + wait > 0:
            if view.slots[COUNT, slot] != count or view.slots[WAIT, slot] != wait:
                slot = find(view, count, wait)
            if push(view.nodes, view.means, view.arms[slot], arm) == arm:
                show_top(view, slot, arm)


@exclusive
def choose_among(state: Any, view: Any, candidates: Any, out: Any, start: int, distinct: bool, commit: bool) -> int:
    """As `choose_many`, among the candidates (in increasing order); without `commit` the state stays as it is.

    Nothing is chosen if the view was made before another thread added slots to the state, and has no room for them.
    """
    if is_full(state) or view.arms.size < min(state.ints[SLOTS] + out.size - start, state.counts.size):
        return start
    show(state, view, candidates)
    place = 0
    for i in range(start, out.size):
        if is_full(state):
            return i
        while place < candidates.size and state.counts[candidates[place]] + state.pending[candidates[place]] > 0:
            place += 1
        arm = decide(view, candidates[place] if place < candidates.size else -1)
        out[i] = arm
        if commit:
            count, wait, mean = state.counts[arm], state.pending[arm], state.means[arm]
            move(view, arm, count, wait, count, wait + 1, mean)
            move(state, arm, count, wait, count, wait + 1, mean)
            state.pending[arm] = wait + 1
            state.ints[WAITING] += 1
            view.ints[WAITING] += 1
            if distinct:
                hold(view, arm)
    return int(out.size)


@inlined
def sample_among(state: Any, own: Any, candidates: Any, size: int) -> int:
    """The position of the candidate with the highest draw, of the first `size` candidates; draws in their order."""
    if pulls_first(state):
        fewest = 0
        for i in range(size):
            arm = candidates[i]
            if state.counts[arm] + state.pending[arm] == 0:
                return i
            if state.pending[arm] < state.pending[candidates[fewest]]:
                fewest = i
        if state.ints[ROUNDS] == 0:
            return fewest
    mu0 = draw_mu0(state, own)
    best, value = 0, -INF
    for i in range(size):
        drawn = draw(state, candidates[i], mu0, own)
        if drawn > value:
            best, value = i, drawn
    return best


@exclusive
def draw_among(state: Any, own: Any, candidates: Any, out: Any, distinct: bool, commit: bool) -> bool:
    """As `choose_among` by Thompson sampling: each pull is a draw of its own. Chosen candidates leave a distinct batch.

    False, and nothing has changed, if the state was replaced.
    """
    if state.codes[STALE]:
        return False
    size = candidates.size
    for i in range(out.size):
        place = sample_among(state, own, candidates, size)
        out[i] = candidates[place]
        if commit:
            enter_pull(state, candidates[place])
        if distinct:
            size -= 1
            for j in range(place, size):
                candidates[j] = candidates[j + 1]
    return True


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


class Calls(NamedTuple):
    """`select` and `update` of one family of policies."""

    select: Callable[..., int]
    update: Callable[..., bool]


@cache
def _calls(family: Any, rule: int, kinds: tuple[Any, ...]) -> Calls:
    state = family(*(np.zeros((1,) * ndim, dtype) for dtype, ndim in kinds))
    update = machine_code(absorb, state, 0, 0.0)
    if rule < TS_GAUSSIAN:
        return Calls(machine_code(choose, state), update)
    own: Any = np.random.default_rng(0) if rule == TS_BERNOULLI else np.zeros(4, dtype=np.uint64)
    return Calls(machine_code(choose_by_draw, state, own), update)


def calls(state: State) -> Calls:
    """The machine code behind an agent, compiled or loaded on first use."""
    family: Any = type(state)
    return _calls(family, int(state.codes[RULE]), tuple((array.dtype, array.ndim) for array in state))
