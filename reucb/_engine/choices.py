"""Batches of pulls, and choices among some of the arms.

Index rules choose among some arms on a view: the slots of the state with heaps of these arms only. Every pull of a
batch is pending at once, in the view as in the state, so the next choice counts it.
"""

from __future__ import annotations

from typing import Any

from reucb._engine.agent_calls import is_full
from reucb._engine.arms.groups import find, lift
from reucb._engine.arms.heap import push
from reucb._engine.arms.layout import show_top
from reucb._engine.codes import (
    CHILD,
    COUNT,
    GROUPED,
    NEXT,
    NONE,
    OUT,
    PREV,
    ROUNDS,
    SLOTS,
    STALE,
    UNPULLED,
    WAIT,
    WAITING,
)
from reucb._engine.jit import exclusive, inlined
from reucb._engine.select import decide
from reucb._engine.steps import choose_arm, enter_pull
from reucb._engine.thompson import draw, draw_mu0, pulls_first
from reucb._engine.update import move

INF = float("inf")


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
