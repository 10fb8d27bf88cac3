"""How agents start: without rewards, from aggregates, or from a saved state; and how a state is saved.

Aggregates are the number of rewards of each arm, their means and squared deviations.

A saved state is plain JSON and bit-for-bit exact. Floats are JSON numbers: Python writes the shortest decimal that is
read as the same double. A list of more than LONGEST_LIST numbers is written as base64 text of its little-endian bytes
instead, which is many times faster. The sums of a group are saved with it, in slot order, because the last bits of a
sum depend on the order of its terms. A digest over all numbers shows whether any of them was altered; limits are
checked before arrays are made.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reucb._engine import codes as c
from reucb._engine.agent_calls import copy_state, fill, start_sampling
from reucb._engine.codes import Rule
from reucb._engine.state import State, new_state
from reucb._numerics import BoolArray, FloatArray, validation
from reucb._numerics.validation import LARGEST_COUNT, shown
from reucb.policies.base import Policy, reward_range
from reucb.policies.batches import groups_of

if TYPE_CHECKING:
    from reucb.policies.agent import Agent

FORMAT, VERSION = "reucb agent", 2
_KEPT = range(c.CENTER, c.CROSS + 1)
# what is saved as lists of numbers: name, type, numbers per entry
_PER_ARM = {"counts": np.int64, "totals": np.float64, "totals_low": np.float64, "sq_devs": np.float64}
_ANY_LENGTH = {"pending_arms": np.int64, "pending_pulls": np.int64, "retired": np.int64, "groups": np.float64}
_LISTS = {**_PER_ARM, **_ANY_LENGTH, "sums": np.float64}
_GROUP = 6
LONGEST_LIST = 5_000
_KEYS = ("format", "version", "policy", "n_arms", *_LISTS, "rng", "digest")

Arrays = dict[str, NDArray[Any]]


def new_agent(policy: Policy, n_arms: int, seed: int | None) -> Agent:
    """What `Policy.start` gives without aggregates."""
    from reucb.policies.agent import Agent

    state = new_state(policy.rule(n_arms), n_arms, 64)
    if state.codes[c.RULE] in (c.TS_GAUSSIAN, c.TS_BERNOULLI):
        start_sampling(state)
    return Agent(policy, state, np.random.default_rng(seed))


def warm_agent(policy: Policy, counts: Any, means: Any, sq_devs: Any, n_arms: int | None, seed: int | None) -> Agent:
    """What `Policy.start` gives for aggregates."""
    from reucb.policies.agent import Agent

    n, values, squares = _statistics(policy, counts, means, sq_devs, n_arms)
    rule = policy.rule(n.size)
    if rule.moments and sq_devs is None:
        raise ValueError(f"sq_devs = None: must be given, as {policy!r} estimates variances")
    state = new_state(rule, n.size, max(64, np.unique(n).size))
    state.totals[:, c.TOTAL] = n * values
    state.totals[:, c.SQUARES] = squares
    nothing = np.zeros(0, dtype=np.int64)
    fill_counts(state, n.astype(np.int64), nothing, nothing, nothing)
    _write_sums(state, rule, n, squares)
    fill(state, np.zeros((0, 6)))
    return Agent(policy, state, np.random.default_rng(seed))


def _statistics(
    policy: Policy, counts: Any, means: Any, sq_devs: Any, n_arms: int | None
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Counts, means and squared deviations, checked; 0 for arms without rewards."""
    n = validation.count_array("counts", counts)
    if n.ndim != 1 or n.size == 0:
        raise ValueError(f"counts has shape {n.shape}: must have one entry per arm")
    if n_arms is not None and n_arms != n.size:
        raise ValueError(f"n_arms = {n_arms}: must be the number of entries of counts ({n.size}), or left out")
    if fsum(n.tolist()) > LARGEST_COUNT:
        raise ValueError(f"counts add up to {fsum(n.tolist()):g}: must be at most 2**53")
    if means is None:
        raise ValueError("means = None: must be given with counts")
    values = validation.real_array("means", means, shape=n.shape, finite=False)
    low, high = reward_range(policy)
    pulled = n > 0
    with np.errstate(invalid="ignore"):
        outside = pulled & ~((values >= low) & (values <= high))
    validation.refuse("means", values, outside, f"a mean of rewards in [{low:g}, {high:g}] where the count is positive")
    values = np.where(pulled, values, 0.0)
    if policy.binary:
        return _wins(n, values)
    squares = np.zeros(n.shape) if sq_devs is None else validation.real_array("sq_devs", sq_devs, shape=n.shape, low=0)
    validation.refuse("sq_devs", squares, (n < 2) & (squares != 0), "0 where the count is below 2")
    most = n * validation.LARGEST_REWARD**2
    validation.refuse("sq_devs", squares, squares > most, "at most counts times the square of the largest reward")
    return n, values, squares


def _wins(n: FloatArray, values: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The same for rewards 0 and 1, where counts and means are sufficient."""
    wins = np.rint(n * values)
    off = np.abs(n * values - wins) > 1e-6 * np.maximum(n, 1.0)
    validation.refuse("means", values, off, "a whole number of wins divided by the count")
    safe = np.maximum(n, 1.0)
    return n, wins / safe, wins * (n - wins) / safe


def _write_sums(state: State, rule: Rule, n: FloatArray, squares: FloatArray) -> None:
    """The running sums of a model: centre, totals about it, squares within arms and about the grand mean."""
    rounds = float(n.sum())
    if not rule.sums or rounds == 0:
        return
    center = state.means[int(n.argmax())]
    deviations = n * (state.means - center)
    total, within = fsum(deviations.tolist()), fsum(squares.tolist())
    state.floats[c.CENTER] = center
    if rule.moments:
        between = fsum((n * (state.means - center - total / rounds) ** 2).tolist())
        state.floats[c.TOTAL_HI] = total
        state.floats[c.WITHIN_HI] = within
        state.floats[c.ALL_HI] = within + between
        state.floats[c.CROSS] = fsum((n * (rounds - n)).tolist())


def save(agent: Agent) -> dict[str, Any]:
    """The agent's state as JSON types."""
    state = _snapshot(agent)
    waiting = np.flatnonzero(state.pending)
    arrays: Arrays = {
        "counts": state.counts,
        "totals": state.totals[:, c.TOTAL],
        "totals_low": state.totals[:, c.TOTAL_REST],
        "sq_devs": state.totals[:, c.SQUARES],
        "pending_arms": waiting,
        "pending_pulls": state.pending[waiting],
        "retired": np.flatnonzero(agent.retired),
        "groups": groups_of(state).ravel(),
        "sums": state.floats[list(_KEPT)],
    }
    head = {
        "format": FORMAT,
        "version": VERSION,
        "policy": agent.policy.describe(),
        "n_arms": state.counts.size,
        "rng": json.loads(json.dumps(agent.stream().bit_generator.state)),
    }
    lists = {name: _written(arrays[name], kind) for name, kind in _LISTS.items()}
    return {**head, **lists, "digest": _digest(head, arrays)}


def _little(kind: type[Any]) -> np.dtype[Any]:
    """The type of number as it is written."""
    return np.dtype(kind).newbyteorder("<")


def _written(array: NDArray[Any], kind: type[Any]) -> list[Any] | str:
    """The numbers as a list, or as base64 text where there are many."""
    if array.size <= LONGEST_LIST:
        numbers: list[Any] = array.tolist()
        return numbers
    return base64.b64encode(np.ascontiguousarray(array, dtype=_little(kind)).tobytes()).decode()


def _snapshot(agent: Agent) -> State:
    """A copy of the state at one moment, whatever other threads do."""
    while True:
        state = agent._state
        arrays: Any = (np.empty_like(array) for array in state)
        copy = type(state)(*arrays)
        if copy_state(State(*state), State(*copy)):  # compiled once for all families
            return copy


def _digest(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> str:
    """SHA-256 of everything in the state: numbers as little-endian bytes of eight."""
    whole = hashlib.sha256(json.dumps(head, sort_keys=True).encode())
    for name, kind in _LISTS.items():
        array = np.ascontiguousarray(arrays[name], dtype=_little(kind))
        whole.update(f"{name} {array.size} ".encode())
        whole.update(array.tobytes())
    return whole.hexdigest()


def _need(condition: bool, what: str) -> None:
    if not condition:
        raise ValueError(f"invalid agent state: {what}")


def _header(policy: Policy, saved: Any) -> dict[str, Any]:
    """Format, version, policy, number of arms and stream, checked."""
    _need(isinstance(saved, Mapping), f"it is a {type(saved).__name__}, not a dict")
    _need(saved.get("format") == FORMAT, f"format = {shown(saved.get('format'))}, not {FORMAT!r}")
    version = saved.get("version")
    _need(
        type(version) is int and version == VERSION,
        f"version = {shown(version)}; this package reads version {VERSION} (states saved by reucb 0.1 cannot be read)",
    )
    missing = [key for key in _KEYS if key not in saved]
    _need(not missing, f"missing keys {', '.join(map(repr, missing))}")
    foreign = [key for key in saved if key not in _KEYS]
    _need(not foreign, f"unknown keys {', '.join(map(shown, foreign))}")
    own = policy.describe()
    _need(saved["policy"] == own, f"it belongs to {shown(saved['policy'])}, not to {shown(own)}")
    n_arms = saved["n_arms"]
    whole = type(n_arms) is int and 1 <= n_arms < 2**31
    _need(whole, f"n_arms = {shown(n_arms)}: must be an integer from 1 to 2**31 - 1")
    _check_stream(saved["rng"])
    return {key: saved[key] for key in ("format", "version", "policy", "n_arms", "rng")}


def _check_stream(rng: Any) -> None:
    """The words of a PCG64 generator."""
    right = isinstance(rng, dict) and set(rng) == {"bit_generator", "state", "has_uint32", "uinteger"}
    _need(right and rng["bit_generator"] == "PCG64" and isinstance(rng["state"], dict), "rng is not a PCG64 state")
    _need(set(rng["state"]) == {"state", "inc"}, "rng is not a PCG64 state")
    limits = {"has_uint32": (rng, 2), "uinteger": (rng, 2**32), "state": (rng["state"], 2**128)}
    for name, (place, limit) in {**limits, "inc": (rng["state"], 2**128)}.items():
        value = place[name]
        _need(type(value) is int and 0 <= value < limit, f"rng: {name} = {shown(value)} is not a word of PCG64")
    _need(rng["state"]["inc"] % 2 == 1, "rng: inc must be odd")


def _arrays(saved: Mapping[str, Any], n_arms: int) -> Arrays:
    """The lists as arrays of numbers, their lengths and types checked first."""
    lengths = {**dict.fromkeys(_PER_ARM, n_arms), "sums": len(_KEPT)}
    for name in _LISTS:
        value, length = saved[name], lengths.get(name)
        _need(isinstance(value, (list, str)), f"{name} = {shown(value)}: must be a list of numbers, or base64 text")
        size = len(value) if isinstance(value, list) else len(value) * 3 // 32
        most = _GROUP * n_arms if name == "groups" else n_arms
        _need(
            size <= most if length is None else size == length,
            f"{name} has {size} entries: must have {f'at most {most}' if length is None else length}",
        )
    return {name: _array(name, saved[name], kind) for name, kind in _LISTS.items()}


def _array(name: str, value: list[Any] | str, kind: type[Any]) -> NDArray[Any]:
    if isinstance(value, str):
        try:
            content = base64.b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            content = b"?"
        _need(len(content) % 8 == 0, f"{name} is not base64 text of numbers of eight bytes")
        decoded = np.frombuffer(content, dtype=_little(kind)).astype(kind)
        _need(bool(np.isfinite(decoded).all()), f"{name} must hold finite numbers")
        return decoded
    allowed = {int} if kind is np.int64 else {int, float}
    wrong = set(map(type, value)) - allowed
    _need(not wrong, f"{name} holds {', '.join(sorted(t.__name__ for t in wrong))}: must hold finite numbers")
    try:
        array = np.array(value, dtype=kind)
    except OverflowError:
        raise ValueError(f"invalid agent state: {name} holds a number beyond {np.dtype(kind)}") from None
    _need(bool(np.isfinite(array).all()), f"{name} must hold finite numbers")
    return array


def _check_body(policy: Policy, arrays: Arrays, n_arms: int) -> None:
    """Counts, totals and pending pulls that an agent can have."""
    counts, totals = arrays["counts"], arrays["totals"] + arrays["totals_low"]
    _need(int(counts.min()) >= 0, "a count is negative")
    _need(float(counts.sum(dtype=np.float64)) <= LARGEST_COUNT, "there are more than 2**53 rewards")
    low, high = reward_range(policy)
    slack = 1e-9 * np.abs(totals)
    _need(
        bool(((totals >= low * counts - slack) & (totals <= high * counts + slack)).all()),
        f"the total of an arm is not a sum of rewards in [{low:g}, {high:g}]",
    )
    _need(not policy.binary or bool((totals == np.rint(totals)).all()), "the total of an arm is not its number of wins")
    _need(bool((arrays["sq_devs"] >= 0).all()), "sq_devs must be >= 0")
    for name in ("pending_arms", "retired"):
        arms = arrays[name]
        inside = arms.size == 0 or bool(arms[0] >= 0 and arms[-1] < n_arms and (np.diff(arms) > 0).all())
        _need(inside, f"{name} must be arms in increasing order")
    pulls = arrays["pending_pulls"]
    _need(pulls.size == arrays["pending_arms"].size and bool((pulls > 0).all()), "pending_pulls must be positive")
    _need(float(pulls.sum(dtype=np.float64)) <= LARGEST_COUNT, "there are more than 2**53 pending pulls")


def load(policy: Policy, saved: Mapping[str, Any]) -> Agent:
    """The agent that was saved; ValueError for anything else."""
    try:
        head = _header(policy, saved)
        arrays = _arrays(saved, head["n_arms"])
        _need(saved["digest"] == _digest(head, arrays), "numbers and digest do not match: the state was altered")
    except RecursionError:
        raise ValueError("invalid agent state: it is nested too deeply") from None
    _check_body(policy, arrays, head["n_arms"])
    return _agent(policy, head, arrays)


def _agent(policy: Policy, head: Mapping[str, Any], arrays: Arrays) -> Agent:
    """The agent with these numbers."""
    from reucb.policies.agent import Agent

    n_arms = head["n_arms"]
    groups = np.ascontiguousarray(arrays["groups"], dtype=np.float64)
    _need(groups.size % _GROUP == 0, f"groups must hold {_GROUP} numbers each")
    groups = groups.reshape(-1, _GROUP)
    state = new_state(policy.rule(n_arms), n_arms, max(64, len(groups)))
    _need(len(groups) == 0 or bool(state.codes[c.GROUPED]), "groups must be empty: an agent with so few arms has none")
    for column, name in ((c.TOTAL, "totals"), (c.TOTAL_REST, "totals_low"), (c.SQUARES, "sq_devs")):
        state.totals[:, column] = arrays[name]
    state.floats[list(_KEPT)] = arrays["sums"]
    retired = fill_counts(state, arrays["counts"], arrays["pending_arms"], arrays["pending_pulls"], arrays["retired"])
    touched = state.ints[c.ROUNDS] + state.ints[c.WAITING] > 0
    _need(len(groups) > 0 or not (state.codes[c.GROUPED] and touched), "groups and counts disagree")
    _need(fill(state, groups), "groups and counts disagree")
    rng = np.random.default_rng(0)
    rng.bit_generator.state = head["rng"]
    return Agent(policy, state, rng, retired)


def fill_counts(
    state: State, counts: NDArray[Any], waiting: NDArray[Any], pulls: NDArray[Any], out: NDArray[Any]
) -> BoolArray | None:
    """Write counts, means and what follows from them into a state; the mask of retired arms, None if there is none."""
    state.counts[:] = counts
    state.means[:] = (state.totals[:, c.TOTAL] + state.totals[:, c.TOTAL_REST]) / np.maximum(counts, 1)
    state.pending[waiting] = pulls
    state.ints[c.ROUNDS] = counts.sum()
    state.ints[c.PULLED] = np.count_nonzero(counts)
    state.ints[c.WAITING] = pulls.sum()
    if out.size == 0:
        return None
    if state.codes[c.GROUPED]:
        state.nodes[out, c.PREV] = c.OUT
    elif state.codes[c.RULE] < c.TS_GAUSSIAN:
        state.arms[out] = c.OUT
    retired = np.zeros(state.counts.size, dtype=bool)
    retired[out] = True
    return retired
