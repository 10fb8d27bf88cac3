"""Pairing heaps of arms, intrusive: every arm owns one row (first child, next sibling, previous) of an int32 table.

Arms read from the table are made int64 before they are passed on, so that every helper is compiled once.

The order is total (higher mean, then lower arm), so the top of a heap does not depend on the heap's shape.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._engine.codes import CHILD, NEXT, PREV
from reucb._engine.jit import inlined, separate

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
