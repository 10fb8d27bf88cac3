"""The live state of a policy: plain arrays, one slot per arm (dense) or per distinct count (grouped).

Arms pulled equally often share weight and width, so within such a group only the highest mean can win: a slot holds the
group's count, size, top mean and sums, and a pairing heap its arms. Pending pulls (no reward yet) narrow the width and
do not change the mean, so a group is identified by its count of rewards and its count of pending pulls. Slots are not
ordered; an empty group is overwritten by the last one. A dense state has a slot per arm and no heaps; selection
reads both alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reucb._engine import codes as c
from reucb._engine.codes import Rule
from reucb._numerics import FloatArray, IntArray

DENSE_BELOW = 20  # measured: with fewer arms the plain scan is faster than the groups (benchmarks/arms_curve.py)
LINEAR_FACTOR = 3  # a linear index costs a third of ReUCB's, so scanning is faster up to three times as many arms


class State(NamedTuple):
    """The complete state of a policy. Layout: `reucb/_engine/codes.py`. Its subclasses are the families of policies."""

    counts: IntArray
    means: FloatArray
    totals: FloatArray  # per arm: the sum of its rewards as a pair (high, low part); squared deviations
    pending: IntArray  # per arm: pulls without a reward yet
    nodes: NDArray[np.int32]
    arms: IntArray  # the top arm of each slot, NONE if no arm of it may be chosen
    slots: FloatArray
    ints: IntArray
    floats: FloatArray
    codes: IntArray
    params: FloatArray
    noise: FloatArray  # sigma^2, one number or one per arm


class Linear(State):
    """UCB1, ReUCBInf, Gaussian KL-UCB and Bayes-UCB, ReUCB with everything known."""


class Blup(State):
    """ReUCB with known variances."""


class Plugin(State):
    """ReUCB with variances estimated from squares."""


class Likelihood(State):
    """ReUCB with variances estimated by likelihood."""


class KlBernoulli(State):
    """KL-UCB for rewards 0 and 1."""


class BayesBernoulli(State):
    """Bayes-UCB for rewards 0 and 1."""


class GaussianSampling(State):
    """Thompson sampling, everything known."""


class BernoulliSampling(State):
    """Thompson sampling for rewards 0 and 1."""


class BlupSampling(State):
    """ReTS with known variances."""


class PluginSampling(State):
    """ReTS with variances estimated from squares."""


class LikelihoodSampling(State):
    """ReTS with variances estimated by likelihood."""


# Families that share code.
REUCB = (Blup, Plugin, Likelihood)
RETS = (BlupSampling, PluginSampling, LikelihoodSampling)
KNOWN = (Blup, BlupSampling)  # variances
BY_SQUARES = (Plugin, PluginSampling)
BY_LIKELIHOOD = (Likelihood, LikelihoodSampling)
ESTIMATED = (*BY_SQUARES, *BY_LIKELIHOOD)
BERNOULLI_INDEX = (KlBernoulli, BayesBernoulli)
SIMPLE_SAMPLING = (GaussianSampling, BernoulliSampling)
SLOTTED = (Linear, *REUCB, *RETS, *BERNOULLI_INDEX)  # all others: a posterior per arm

_FAMILIES: dict[int, type[State]] = {
    c.LINEAR: Linear,
    c.BLUP: Blup,
    c.KL_BERNOULLI: KlBernoulli,
    c.BAYES_BERNOULLI: BayesBernoulli,
    c.TS_GAUSSIAN: GaussianSampling,
    c.TS_BERNOULLI: BernoulliSampling,
}


def family(rule: Rule) -> type[State]:
    """The class of state by which code for the rule is chosen."""
    if rule.kind == c.PLUGIN:
        return Likelihood if rule.method >= c.ML else Plugin
    if rule.kind == c.TS_MODEL:
        return BlupSampling if not rule.moments else LikelihoodSampling if rule.method >= c.ML else PluginSampling
    return _FAMILIES[rule.kind]


def is_grouped(rule: Rule, n_arms: int) -> bool:
    """Whether arms are kept in groups: from DENSE_BELOW on, for an index that at equal counts rises with the mean."""
    below = DENSE_BELOW * (LINEAR_FACTOR if rule.kind == c.LINEAR else 1)
    return (n_arms >= below or rule.by_index) and len(rule.noise) == 1 and rule.kind < c.TS_GAUSSIAN


def new_state(rule: Rule, n_arms: int, capacity: int, grouped: bool | None = None) -> State:
    """The state before the first round; `capacity` bounds the number of distinct counts (at most n_arms is used)."""
    if grouped is None:
        grouped = is_grouped(rule, n_arms)
    slots = max(1, min(n_arms, capacity)) if grouped else n_arms
    table = np.zeros((c.N_ROWS, slots))
    table[c.SIZE] = 0.0 if grouped else 1.0
    table[c.SHRINK] = 1.0
    table[c.SPREAD] = max(rule.sigma0_sq, 0.0)  # of an arm never pulled: nothing is known but its prior
    ints = np.zeros(c.N_INTS, dtype=np.int64)
    ints[c.SLOTS] = 0 if grouped else n_arms
    settings = [rule.kind, rule.multiplier, rule.method, grouped, rule.sums, rule.moments, rule.by_index, False]
    return family(rule)(
        counts=np.zeros(n_arms, dtype=np.int64),
        means=np.zeros(n_arms),
        totals=np.zeros((n_arms, 3)),
        pending=np.zeros(n_arms, dtype=np.int64),
        nodes=np.full((n_arms if grouped else 1, 3), -1, dtype=np.int32),
        arms=np.full(slots, c.NONE, dtype=np.int64),
        slots=table,
        ints=ints,
        floats=np.zeros(c.N_FLOATS),
        codes=np.array(settings, dtype=np.int64),
        params=np.array(rule.params, dtype=np.float64),
        noise=np.array(rule.noise, dtype=np.float64),
    )


def with_room(state: State, room: int) -> State:
    """Empty arrays like the state's, with room for that many slots of a grouped state."""
    slots: NDArray[Any] = np.zeros((c.N_ROWS, room))
    return state._replace(
        slots=slots, arms=np.full(room, c.NONE, dtype=np.int64), ints=state.ints.copy(), codes=state.codes.copy()
    )


def simulated_state(state: State) -> tuple[State, IntArray]:
    """The state for a simulation, where no pull is ever pending, and the memory that its arrays are views of.

    One copy of the memory restores the state. The type of `pending`, which is empty, says whether
    arms are kept in groups, so that code for the other layout is not compiled.
    """
    state = state._replace(pending=np.zeros(0, dtype=np.int8 if state.codes[c.GROUPED] else np.int16))
    words = [-(-array.nbytes // 8) for array in state]
    memory: IntArray = np.zeros(sum(words), dtype=np.int64)
    views, start = [], 0
    arrays: tuple[NDArray[Any], ...] = tuple(state)
    for array, length in zip(arrays, words, strict=True):
        view = memory[start : start + length].view(array.dtype)[: array.size].reshape(array.shape)
        view[...] = array
        views.append(view)
        start += length
    return type(state)._make(views), memory
