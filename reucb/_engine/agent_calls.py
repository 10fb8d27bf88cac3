"""The compiled functions an online agent calls, one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from reucb._engine import thompson
from reucb._engine.arms.layout import rewrite, show_top, write_count
from reucb._engine.arms.state import State
from reucb._engine.codes import RULE, TS_BERNOULLI, TS_GAUSSIAN
from reucb._engine.fit import fit
from reucb._engine.jit import compiled, machine_code
from reucb._engine.select import select
from reucb._engine.update import update


@compiled
def choose(state: Any) -> int:
    """The arm to pull (`select`)."""
    return select(state)


@compiled
def draw_normal(state: Any, words: Any) -> int:
    """The arm to pull by Gaussian Thompson sampling."""
    return thompson.sample_normal(state, words)


@compiled
def draw_beta(state: Any, rng: Any) -> int:
    """The arm to pull by Bernoulli Thompson sampling."""
    return thompson.sample_beta(state, rng)


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
    write_count(state, slot, state.counts[arm], arm)
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
def _calls(rule: int, kinds: tuple[Any, ...]) -> Calls:
    state = State(*(np.zeros((1,) * ndim, dtype) for dtype, ndim in kinds))
    if rule == TS_GAUSSIAN:
        return Calls(
            machine_code(draw_normal, state, np.zeros(4, dtype=np.uint64)), machine_code(absorb_sampled, state, 0, 0.0)
        )
    if rule == TS_BERNOULLI:
        return Calls(
            machine_code(draw_beta, state, np.random.default_rng(0)), machine_code(absorb_sampled, state, 0, 0.0)
        )
    return Calls(machine_code(choose, state), machine_code(absorb, state, 0, 0.0))


def calls(state: State) -> Calls:
    """The machine code behind an agent, compiled or loaded on first use."""
    rule = int(state.codes[RULE])
    return _calls(rule if rule >= TS_GAUSSIAN else 0, tuple((array.dtype, array.ndim) for array in state))
