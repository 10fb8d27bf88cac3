"""Agents that start: without rewards, or from aggregates (rewards per arm, their means and squared deviations)."""

from __future__ import annotations

from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from reucb._engine import codes as c
from reucb._engine.agent_calls import start_sampling
from reucb._engine.arms.state import State, new_state
from reucb._engine.codes import Rule
from reucb._engine.rebuild import fill
from reucb._numerics import FloatArray, validation
from reucb.policies.base import Policy, reward_range
from reucb.policies.saved_state import MOST_ROUNDS, restore

if TYPE_CHECKING:
    from reucb.policies.agent import Agent


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
    restore(state, n.astype(np.int64), nothing, nothing, nothing)
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
    if fsum(n.tolist()) > MOST_ROUNDS:
        raise ValueError(f"counts has the sum {fsum(n.tolist()):g}: must be at most 2**53")
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
    """The same for rewards 0 and 1, where counts and means say everything."""
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
