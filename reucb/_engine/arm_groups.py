"""Arms in slots, one for each arm or one for a group of arms with equal counts: what a slot holds, how arms move.

A slot holds the weight and width of its count, its top mean, and the sums over its arms. In a dense state every arm is
its own slot. In a grouped state a slot is a group of arms with equal counts, its arms in a pairing heap; arms move from
group to group as they are pulled: O(distinct counts) to find a slot, O(log K) amortised in a heap. An arm that may not
be chosen is OUT: it belongs to its group and counts in the sums, but is not in the heap.

The heaps are intrusive: every arm owns one row (first child, next sibling, previous) of an int32 table. Arms read from
the table are made int64 before they are passed on, so that every helper is compiled once. The order is total (higher
mean, then lower arm), so the top of a heap does not depend on the heap's shape.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from reucb._engine.codes import (
    CENTER,
    CHILD,
    COUNT,
    LAST,
    MORE,
    N_ROWS,
    NEXT,
    NONE,
    OUT,
    PREV,
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
    TOP,
    WAIT,
    WEIGHT,
)
from reucb._engine.jit import by_family, by_use, inlined, separate
from reucb._engine.state import BERNOULLI_INDEX, BY_LIKELIHOOD, BY_SQUARES, ESTIMATED, KNOWN, RETS, REUCB, Linear
from reucb._engine.sums import add_at, square_error

INF = float("inf")
wide: Any = np.int64


@inlined
def weighting(n: float, v0: float, v: float) -> tuple[float, float]:
    """g = n/(n v0 + v) and v/(n v0 + v), from variances in any unit: Eq. w-def is w = v0 g, 1 - w the second.

    The weights of the compiled engine; `likelihood` and `sums` have the same quotient in units of sigma^2. nan for
    n = v = 0.
    """
    scale = 1.0 / (n * v0 + v)
    return n * scale, v * scale


@inlined
def shares(n: float, sigma0_sq: float, sigma_sq: float, largest: float) -> tuple[float, float, float]:
    """GLS weight g, w and 1 - w of `weighting`, for v0 = sigma0^2/M and v = sigma^2/M, M the largest variance of all.

    Without subtraction, and without overflow. Right in the limits: sigma0^2 = 0 gives w = 0 and g = n,
    sigma^2 = 0 gives w = 1, sigma0^2 = inf gives w = 1, n = 0 gives g = w = 0.
    """
    if n == 0.0:
        return 0.0, 0.0, 1.0
    if sigma0_sq == INF:
        return 1.0, 1.0, 0.0
    v0 = sigma0_sq / largest
    g, rest = weighting(n, v0, sigma_sq / largest)
    return g, v0 * g, rest


@inlined
def noise_of(state: Any, arm: int) -> float:
    """sigma^2 of the arm."""
    return float(state.noise[arm] if state.noise.size > 1 else state.noise[0])


def _linear_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    slots, prior = state.slots, state.params[SIGMA0_SQ]
    sigma_sq, largest = noise_of(state, arm), max(state.params[SIGMA0_SQ], state.params[SIGMA_SQ])
    _, w, shrink = shares(float(count + wait), prior, sigma_sq, largest)
    slots[COUNT, slot] = count
    slots[WAIT, slot] = wait
    slots[WEIGHT, slot] = w
    slots[SHRINK, slot] = shrink
    slots[SPREAD, slot] = sqrt(w * (sigma_sq / (count + wait)))
    if wait > 0:
        slots[WEIGHT, slot] = shares(float(count), prior, sigma_sq, largest)[1]
        if count == 0 and prior == INF:
            slots[SPREAD, slot] = -INF  # without a prior, an arm without a reward has no index
    elif count == 0:
        slots[SPREAD, slot] = sqrt(prior)


def _blup_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    slots, prior = state.slots, state.params[SIGMA0_SQ]
    sigma_sq, largest = noise_of(state, arm), max(state.params[SIGMA0_SQ], state.params[SIGMA_SQ])
    g, _, shrink = shares(float(count + wait), prior, sigma_sq, largest)
    slots[COUNT, slot] = count
    slots[WAIT, slot] = wait
    slots[WEIGHT, slot] = g
    slots[SHRINK, slot] = shrink
    slots[SPREAD, slot] = prior * shrink
    slots[MORE, slot] = 0.0
    if wait > 0:
        slots[WEIGHT, slot] = shares(float(count), prior, sigma_sq, largest)[0]
        slots[MORE, slot] = g - slots[WEIGHT, slot]


def _plugin_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    state.slots[COUNT, slot] = count
    state.slots[WAIT, slot] = wait
    state.slots[MORE, slot] = 0.0


def _bernoulli_count(state: Any, slot: int, count: int, wait: int, arm: int) -> None:
    state.slots[COUNT, slot] = count
    state.slots[WAIT, slot] = wait
    state.slots[SHRINK, slot] = 0.0  # no bound on the quantile is known yet


# Writes what depends on the counts alone into the slot: weight, shrinkage, width. `arm` is one of the slot.
write_count = by_family(
    {
        Linear: _linear_count,
        **dict.fromkeys(KNOWN, _blup_count),
        **dict.fromkeys(ESTIMATED, _plugin_count),
        **dict.fromkeys(BERNOULLI_INDEX, _bernoulli_count),
    }
)


def _gaussian_top(state: Any, slot: int, arm: int) -> None:
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm] - state.floats[CENTER]


def _bernoulli_top(state: Any, slot: int, arm: int) -> None:
    state.arms[slot] = arm
    state.slots[TOP, slot] = state.means[arm]
    state.slots[SHRINK, slot] = 0.0


# Makes the arm the representative of its slot.
show_top = by_family(
    {
        **dict.fromkeys((Linear, *REUCB, *RETS), _gaussian_top),
        **dict.fromkeys(BERNOULLI_INDEX, _bernoulli_top),
    }
)


def _book_nothing(state: Any, slot: int, arm: int, sign: float) -> None:
    pass


def _book_sum(state: Any, slot: int, arm: int, sign: float) -> None:
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * (state.means[arm] - state.floats[CENTER]))


def _book_squares(state: Any, slot: int, arm: int, sign: float) -> None:
    deviation = state.means[arm] - state.floats[CENTER]
    add_at(state.slots, SUM_HI, SUM_LO, slot, sign * deviation)
    add_at(state.slots, SQ_HI, SQ_LO, slot, sign * (deviation * deviation))
    state.slots[SQ_LO, slot] += sign * square_error(deviation)


# Adds (sign = 1) or takes away (-1) an arm's mean, and its square, in the sums of the slot.
book = by_family(
    {
        **dict.fromkeys((Linear, *BERNOULLI_INDEX), _book_nothing),
        **dict.fromkeys((*KNOWN, *BY_SQUARES), _book_sum),
        **dict.fromkeys(BY_LIKELIHOOD, _book_squares),
    }
)


@inlined
def clear_sums(state: Any, slot: int) -> None:
    """Empty the sums of the slot."""
    slots = state.slots
    slots[SUM_HI, slot] = 0.0
    slots[SUM_LO, slot] = 0.0
    slots[SQ_HI, slot] = 0.0
    slots[SQ_LO, slot] = 0.0


@inlined
def rewrite(state: Any, arm: int, count: int, wait: int, mean: float) -> None:
    """The dense counterpart of `regroup`: the arm is its own slot."""
    state.means[arm] = mean
    write_count(state, arm, count, wait, arm)
    out = state.arms[arm] == OUT
    show_top(state, arm, arm)
    if out:
        state.arms[arm] = OUT
    elif count + wait == 0:
        state.arms[arm] = NONE
    clear_sums(state, arm)
    if count > 0:
        book(state, arm, arm, 1.0)


@inlined
def above(means: Any, i: int, j: int) -> bool:
    """Whether arm i is above arm j: higher mean, ties to the lower arm."""
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
            state.means[arm] = mean  # the only arm of its group, and the target group does not exist: relabel it
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
