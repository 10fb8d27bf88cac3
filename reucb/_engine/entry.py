"""The compiled functions an online agent calls, one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reucb._engine import thompson
from reucb._engine.fit import fit
from reucb._engine.jit import compiled, direct
from reucb._engine.select import select
from reucb._engine.state import State
from reucb._engine.update import rewrite, settle, show_top, update


@compiled
def choose(state: Any) -> int:
    """The arm to pull (`select`)."""
    return select(state)


@compiled
def draw(state: Any, rng: Any) -> int:
    """The arm to pull by Thompson sampling (`sample`)."""
    return thompson.sample(state, rng)


@compiled
def absorb(state: Any, arm: int, reward: float) -> None:
    """Enter one reward (`update`)."""
    update(state, arm, reward)


@compiled
def absorb_sampled(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of Thompson sampling (`learn`)."""
    thompson.learn(state, arm, reward)


@compiled
def refit(state: Any) -> None:
    """Bring the fit of ReUCB up to date (`fit`)."""
    fit(state)


@compiled
def fill_slot(state: Any, slot: int, arm: int) -> None:
    """Write count, weight and top of a group whose top is known."""
    settle(state, slot, state.counts[arm], arm)
    show_top(state, slot, arm)


@compiled
def fill_arm(state: Any, arm: int) -> None:
    """Write the slot of one arm of a dense state from its count and mean."""
    rewrite(state, arm, state.counts[arm] - 1, state.means[arm])


class Calls(NamedTuple):
    """`select` and `update` of one kind of policy."""

    select: Callable[..., int]
    update: Callable[..., None]


@cache
def _calls(sampling: bool, kinds: tuple[Any, ...]) -> Calls:
    state = State(*(np.zeros((1,) * ndim, dtype) for dtype, ndim in kinds))
    if sampling:
        return Calls(direct(draw, state, np.random.default_rng(0)), direct(absorb_sampled, state, 0, 0.0))
    return Calls(direct(choose, state), direct(absorb, state, 0, 0.0))


def calls(state: State, sampling: bool) -> Calls:
    """The machine code behind an agent, compiled or loaded on first use."""
    return _calls(sampling, tuple((array.dtype, array.ndim) for array in state))
