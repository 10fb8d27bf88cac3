"""Batches of pulls and rewards, choices among some arms, added and retired arms: checks and calls of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from reucb._engine import codes as c
from reucb._engine.agent_calls import (
    absorb_many,
    choose_among,
    choose_many,
    draw_among,
    fill,
    hold_all,
    replace_slots,
    take_back_many,
)
from reucb._engine.state import State, new_state, with_room
from reucb._numerics import FloatArray, IntArray, validation

if TYPE_CHECKING:
    from reucb.policies.agent import Agent

MOST_ARMS = MOST_PULLS = 2**31 - 1  # numbers of arms are kept in 32 bits


def choose(agent: Agent, size: int | None, among: Any, distinct: bool) -> int | IntArray:
    """What `Agent.select` gives for these arguments."""
    distinct = validation.flag("distinct", distinct)
    out = np.zeros(1 if size is None else validation.integer("size", size, 0, MOST_PULLS), dtype=np.int64)
    candidates = _candidates(agent, among)
    available = agent.n_arms if candidates is None else candidates.size
    if available == 0:
        raise ValueError(f"no arm to choose: {'every arm is retired' if among is None else 'among allows none'}")
    if distinct and out.size > available:
        raise ValueError(f"size = {out.size}: must be at most the {available} arms to choose from, as distinct = True")
    commit = size is not None
    if agent._sampling:
        if candidates is None:
            candidates = np.arange(agent.n_arms)
        while not draw_among(agent._state, agent._own, candidates, out, distinct, commit):
            agent._grow()
    elif candidates is None:
        _all_arms(agent, out, distinct)
    else:
        _some_arms(agent, candidates, out, distinct, commit)
    return out if commit else int(out[0])


def _candidates(agent: Agent, among: Any) -> IntArray | None:
    """The arms to choose from in increasing order; None for all of them."""
    if among is None:
        return None if agent._retired is None or not agent._sampling else np.flatnonzero(~agent._retired)
    mask = validation.arranged(among)
    if mask is not None and mask.dtype == bool:
        if mask.shape != (agent.n_arms,):
            raise ValueError(f"among has shape {mask.shape}: a mask must have shape ({agent.n_arms},)")
        allowed = np.flatnonzero(mask)
    else:
        places = validation.count_array("among", among, 0, agent.n_arms - 1)
        if places.ndim != 1:
            raise ValueError(f"among has shape {places.shape}: must be a mask of the arms, or a list of arms")
        allowed = np.unique(places.astype(np.int64))
    return allowed if agent._retired is None else allowed[~agent._retired[allowed]]


def _all_arms(agent: Agent, out: IntArray, distinct: bool) -> None:
    """A batch by an index rule; arms it may not choose are out of its heaps."""
    if agent._retired is not None and distinct and out.size > np.count_nonzero(~agent._retired):
        left = np.count_nonzero(~agent._retired)
        raise ValueError(f"size = {out.size}: must be at most the {left} arms that are not retired, as distinct = True")
    if agent._retired is not None and agent._retired.all():
        raise ValueError("no arm to choose: every arm is retired")
    done = 0
    while (done := choose_many(agent._state, out, done, distinct)) < out.size:
        agent._grow()


def _some_arms(agent: Agent, candidates: IntArray, out: IntArray, distinct: bool, commit: bool) -> None:
    """One choice, or a batch, by an index rule among the candidates."""
    done = 0
    while done < out.size:
        if distinct:
            candidates = np.setdiff1d(candidates, out[:done], assume_unique=True)
        state = agent._state
        view = _view(state, out.size - done)
        done = choose_among(state, view, candidates, out, done, distinct, commit)
        if done < out.size:
            agent._grow()


def _view(state: State, pulls: int) -> State:
    """Arrays for the slots of the state, with other heaps and room for the slots that so many pulls may add."""
    if not state.codes[c.GROUPED]:
        return with_room(state, state.arms.size)
    room = min(int(state.ints[c.SLOTS]) + pulls + 1, state.counts.size + 1)
    return with_room(state, room)._replace(nodes=np.empty(state.nodes.shape, dtype=np.int32))


def checked_pull(agent: Agent, arm: Any, reward: Any) -> tuple[int, float]:
    """One arm and its reward, if the agent can take them."""
    arm = validation.integer("arm", arm, 0, agent.n_arms - 1)
    return arm, float(_rewards(agent, validation.real("reward", _number(reward))))


def enter(agent: Agent, arms: Any, rewards: Any) -> None:
    """What `Agent.update` does with several rewards, one after the other."""
    rewards = _rewards(agent, validation.real_array("reward", _numbers(rewards), ndim=1))
    places = validation.count_array("arm", arms, 0, agent.n_arms - 1)
    if places.shape != rewards.shape:
        raise ValueError(f"arm has shape {places.shape} and reward {rewards.shape}: must be equal")
    if agent._binary:
        for i in np.flatnonzero((rewards > 0.0) & (rewards < 1.0)).tolist():
            rewards[i] = 1.0 if agent._rng.random() < rewards[i] else 0.0
    done, order = 0, places.astype(np.int64)
    while (done := absorb_many(agent._state, order, rewards, done)) < order.size:
        agent._grow()


def _rewards(agent: Agent, value: Any) -> Any:
    """The rewards when the policy can take them."""
    array = np.asarray(value, dtype=np.float64)
    largest = validation.LARGEST_REWARD
    allowed = "a reward from 0 to 1" if agent._binary else f"at most {largest:g} in absolute value"
    validation.refuse("reward", array, (array < agent._low) | (array > agent._high), allowed)
    return array


def _number(value: Any) -> Any:
    """A boolean as a number."""
    return int(value) if isinstance(value, (bool, np.bool_)) else value


def _numbers(value: Any) -> Any:
    """An array or list of booleans, or a list with booleans in it, as numbers."""
    if isinstance(value, np.ndarray) and value.dtype == bool:
        return value.astype(np.float64)
    return [_number(v) for v in value] if isinstance(value, (list, tuple)) else value


def forget(agent: Agent, arms: Any) -> None:
    """What `Agent.forget` does."""
    waiting = agent._state.pending
    if arms is None:
        order = np.repeat(np.arange(agent.n_arms), waiting)
    else:
        order = np.atleast_1d(validation.count_array("arms", arms, 0, agent.n_arms - 1)).astype(np.int64).ravel()
    given_up, times = np.unique(order, return_counts=True)
    for arm, wanted in zip(given_up.tolist(), times.tolist(), strict=True):
        if wanted > waiting[arm]:
            raise ValueError(f"arms holds arm {arm} {wanted} times: must be at most its {waiting[arm]} pending pulls")
    done = 0
    while (done := take_back_many(agent._state, order, done)) < order.size:
        agent._grow()


def retire(agent: Agent, arms: Any) -> None:
    """What `Agent.retire` does."""
    arms = np.unique(validation.count_array("arms", arms, 0, agent.n_arms - 1)).astype(np.int64)
    with agent._lock:
        mask = agent.retired
        mask[arms] = True
        agent._retired = mask
        if not agent._sampling:
            hold_all(agent._state, arms)


def add_arms(agent: Agent, n: Any) -> IntArray:
    """What `Agent.add_arms` does: a larger copy takes the place of the state."""
    n = validation.integer("n", n, 1, MOST_ARMS - agent.n_arms)
    with agent._lock:
        old, first = agent._state, agent.n_arms
        larger = enlarged(old, new_state(agent.policy.rule(first + n), first + n, max(64, int(old.ints[c.SLOTS]))))
        if agent._retired is not None:
            agent._retired = np.append(agent._retired, np.zeros(n, dtype=bool))
        agent._state = larger
    return np.arange(first, first + n)


def enlarged(old: State, new: State) -> State:
    """Fill `new`, which has more arms, with the contents of `old`."""
    k = old.counts.size
    replace_slots(State(*old), State(*with_room(old, old.arms.size)))  # from now on other threads retry
    for name in ("counts", "means", "totals", "pending"):
        getattr(new, name)[:k] = getattr(old, name)
    if old.codes[c.GROUPED]:
        new.nodes[:k, c.PREV] = np.where(old.nodes[:, c.PREV] == c.OUT, c.OUT, c.NONE)
    elif new.codes[c.GROUPED]:
        new.nodes[:k, c.PREV] = np.where(old.arms == c.OUT, c.OUT, c.NONE)
    else:
        new.arms[:k] = np.where(old.arms == c.OUT, c.OUT, c.NONE)
    new.floats[:] = old.floats
    slots = new.ints[c.SLOTS]
    new.ints[:] = old.ints
    new.ints[c.SLOTS] = slots
    fill(new, groups_of(old) if new.codes[c.GROUPED] else np.zeros((0, 6)))
    return new


def groups_of(state: State) -> FloatArray:
    """One row per slot of a grouped state: count, pending pulls, four sums. No rows for a dense one."""
    rows = (c.COUNT, c.WAIT, c.SUM_HI, c.SUM_LO, c.SQ_HI, c.SQ_LO)
    n_slots = int(state.ints[c.SLOTS]) if state.codes[c.GROUPED] else 0
    return np.ascontiguousarray(state.slots[rows, :n_slots].T)
