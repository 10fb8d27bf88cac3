"""An agent as plain JSON and back, exact to the bit.

Floats are JSON numbers: Python writes the shortest decimal that reads back as the same double. The sums of a group are
saved with it, in slot order, because a sum remembers in its last bits the order in which it was made.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from reucb._engine import codes as c
from reucb._engine import thompson
from reucb._engine.agent_calls import fill_arm, fill_slot
from reucb._engine.arms.heap import push
from reucb._engine.arms.state import State, new_state
from reucb._numerics.validation import LARGEST_REWARD
from reucb.policies.base import Policy

if TYPE_CHECKING:
    from reucb.policies.agent import Agent

FORMAT, VERSION = "reucb agent", 1
_SUM_ROWS = (c.SUM_HI, c.SUM_LO, c.SQ_HI, c.SQ_LO)
_KEPT = range(c.CENTER, c.CROSS + 1)
_KEYS = ("format", "version", "policy", "n_arms", "counts", "totals", "sums", "groups", "rng")


def save(agent: Agent) -> dict[str, Any]:
    """The agent's state as JSON types."""
    state = agent._state
    n_slots = state.ints[c.SLOTS] if state.codes[c.GROUPED] else 0
    groups = [
        [int(state.slots[c.COUNT, i]), *(float(state.slots[row, i]) for row in _SUM_ROWS)] for i in range(n_slots)
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "policy": agent.policy.describe(),
        "n_arms": agent.n_arms,
        "counts": state.counts.tolist(),
        "totals": state.totals.tolist(),
        "sums": [float(state.floats[i]) for i in _KEPT],
        "groups": groups,
        "rng": json.loads(json.dumps(agent.stream().bit_generator.state)),
    }


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(f"state does not fit: {what}")


def _numbers(name: str, value: Any, length: int | None, kind: type) -> None:
    """A list of plain finite numbers of the asked length."""
    _need(
        isinstance(value, list) and (length is None or len(value) == length),
        f"{name} must be a list" + (f" of {length} numbers" if length is not None else ""),
    )
    right = all(type(x) is int for x in value) if kind is int else all(type(x) in (int, float) for x in value)
    _need(
        right and bool(np.isfinite(np.array(value, dtype=np.float64)).all()),
        f"{name} must hold finite numbers ({kind.__name__})",
    )


def _check_header(policy: Policy, saved: Any) -> None:
    """Format, version and policy."""
    _need(isinstance(saved, Mapping), f"it is a {type(saved).__name__}, not a dict")
    missing = [key for key in _KEYS if key not in saved]
    _need(not missing, f"it lacks {', '.join(map(repr, missing))}")
    foreign = [key for key in saved if key not in _KEYS]
    _need(not foreign, f"it holds {', '.join(map(repr, foreign))}, which no saved agent has")
    _need(saved["format"] == FORMAT, f"format = {saved['format']!r}, not {FORMAT!r}")
    _need(saved["version"] == VERSION, f"version = {saved['version']!r}; this package reads version {VERSION}")
    _need(saved["policy"] == policy.describe(), f"it is of {saved['policy']!r}, not of {policy.describe()!r}")


def _check_body(policy: Policy, saved: Mapping[str, Any]) -> None:
    """Shapes and values."""
    n_arms = saved["n_arms"]
    _need(type(n_arms) is int and n_arms >= 1, f"n_arms = {n_arms!r}")
    _numbers("counts", saved["counts"], n_arms, int)
    _need(isinstance(saved["totals"], list) and len(saved["totals"]) == n_arms, "totals must be one pair per arm")
    for pair in saved["totals"]:
        _numbers("totals", pair, 2, float)
    _numbers("sums", saved["sums"], len(_KEPT), float)
    counts = np.array(saved["counts"], dtype=np.int64)
    _need(bool((counts >= 0).all()), "a count is negative")
    totals = np.array(saved["totals"], dtype=np.float64).sum(axis=1)
    low, high = (0.0, 1.0) if policy.binary else (-LARGEST_REWARD, LARGEST_REWARD)
    slack = 1e-9 * np.abs(totals)
    _need(
        bool(((totals >= low * counts - slack) & (totals <= high * counts + slack)).all()),
        f"the total of an arm is not a sum of rewards in [{low:g}, {high:g}]",
    )
    _need(not policy.binary or bool((totals == np.rint(totals)).all()), "the total of an arm is not its number of wins")
    _need(isinstance(saved["groups"], list), "groups must be a list")


def _restore_groups(state: State, groups: list[Any]) -> None:
    """Put the arms into the saved groups."""
    counts, slots = state.counts, state.slots
    for group in groups:
        _numbers("a group", group, 1 + len(_SUM_ROWS), float)
    kinds = [group[0] for group in groups]
    _need(sorted(kinds) == np.unique(counts[counts > 0]).tolist(), "groups and counts disagree")
    place = {kind: slot for slot, kind in enumerate(kinds)}
    state.arms[: len(kinds)] = -1
    state.ints[c.SLOTS] = len(kinds)
    for arm in np.flatnonzero(counts).tolist():
        slot = place[int(counts[arm])]
        slots[c.SIZE, slot] += 1
        state.arms[slot] = push(state.nodes, state.means, int(state.arms[slot]), arm)
    for slot, group in enumerate(groups):
        fill_slot(state, slot, int(state.arms[slot]))
        for row, value in zip(_SUM_ROWS, group[1:], strict=True):
            slots[row, slot] = value
        if state.codes[c.SUMS]:
            members = state.means[counts == group[0]] - state.floats[c.CENTER]
            bound = 1e-9 * max(np.abs(members).sum(), np.abs(state.means).max(), abs(state.floats[c.CENTER]))
            _need(abs(members.sum() - (group[1] + group[2])) <= bound, f"the sum of group {group[0]} is not its arms'")


def load(policy: Policy, saved: Mapping[str, Any]) -> Agent:
    """The agent that was saved; anything that does not fit is refused."""
    from reucb.policies.agent import Agent

    _check_header(policy, saved)
    _check_body(policy, saved)
    n_arms = saved["n_arms"]
    distinct = len(saved["groups"])
    state = new_state(policy.rule(n_arms), n_arms, max(64, distinct))
    state.counts[:] = saved["counts"]
    state.totals[:] = saved["totals"]
    state.means[:] = (state.totals[:, 0] + state.totals[:, 1]) / np.maximum(state.counts, 1)
    state.floats[_KEPT] = saved["sums"]
    state.ints[c.ROUNDS] = state.counts.sum()
    state.ints[c.PULLED] = np.count_nonzero(state.counts)
    rng = np.random.default_rng()
    try:
        rng.bit_generator.state = saved["rng"]
    except (TypeError, ValueError, KeyError, OverflowError) as error:
        raise ValueError(f"state does not fit: rng is not a generator's state ({error})") from None
    if state.codes[c.RULE] >= c.TS_GAUSSIAN:
        thompson.begin(state)
    elif state.codes[c.GROUPED]:
        _restore_groups(state, saved["groups"])
    else:
        _restore_slots(state)
    _need(bool(state.codes[c.GROUPED]) or not saved["groups"], "groups must be empty: this agent keeps none")
    return Agent(policy, state, rng)


def _restore_slots(state: State) -> None:
    """Fill the slots of a dense state, each from its own arm."""
    for arm in np.flatnonzero(state.counts).tolist():
        fill_arm(state, arm)
