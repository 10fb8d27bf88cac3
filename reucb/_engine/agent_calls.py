"""The compiled functions an online agent calls. Each keeps the GIL, so it is atomic for threads that share an agent."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reucb._engine.arms.state import State
from reucb._engine.codes import GROUPED, RULE, SLOTS, SQUARES, STALE, TS_BERNOULLI, TS_GAUSSIAN
from reucb._engine.fit import fit
from reucb._engine.jit import exclusive, inlined, machine_code
from reucb._engine.steps import choose_arm, enter_reward, prepare, take_back

REPLACED = -2  # in the place of an arm: the state was replaced, ask again


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
def draw(state: Any, own: Any) -> int:
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
    return Calls(machine_code(draw, state, own), update)


def calls(state: State) -> Calls:
    """The machine code behind an agent, compiled or loaded on first use."""
    family: Any = type(state)
    return _calls(family, int(state.codes[RULE]), tuple((array.dtype, array.ndim) for array in state))
