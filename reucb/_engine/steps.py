"""The steps of a round by family of policy: choose an arm, take its reward, enter it.

A reward or a pending pull takes O(1) on the statistics; then the arm moves to its new slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._engine.arm_groups import regroup, rewrite
from reucb._engine.codes import (
    ALL_HI,
    CENTER,
    CROSS,
    GROUPED,
    PULLED,
    ROUNDS,
    TOTAL_HI,
    TOTAL_LO,
    UNPULLED,
    WAITING,
    WITHIN_HI,
)
from reucb._engine.jit import by_family, by_layout, by_use, inlined
from reucb._engine.select import select
from reucb._engine.state import (
    BERNOULLI_INDEX,
    ESTIMATED,
    KNOWN,
    RETS,
    REUCB,
    SIMPLE_SAMPLING,
    SLOTTED,
    BernoulliSampling,
    GaussianSampling,
    Linear,
)
from reucb._engine.sums import add, add_reward
from reucb._engine.thompson import begin, posterior, sample, sample_normal

wide: Any = np.int64  # a constant that is passed on as such would make Numba compile the callee a second time
BINARY = (*BERNOULLI_INDEX, BernoulliSampling)
GAUSSIAN = (Linear, *REUCB, GaussianSampling, *RETS)

# The arm to pull; `own` is the policy's stream.
choose_arm = by_family(
    {
        **dict.fromkeys((Linear, *REUCB, *BERNOULLI_INDEX), select),
        GaussianSampling: sample_normal,
        **dict.fromkeys((BernoulliSampling, *RETS), sample),
    }
)


def _as_it_is(state: Any, reward: float, own: Any) -> float:
    return reward


def _rounded(state: Any, reward: float, rng: Any) -> float:
    """A reward in [0, 1] as 0 or 1 with the same mean; a stream value is used only strictly in between."""
    if reward == 0.0 or reward == 1.0:
        return reward
    return 1.0 if rng.random() < reward else 0.0


# The reward as the policy takes it.
taken = by_family({**dict.fromkeys(BINARY, _rounded), **dict.fromkeys(GAUSSIAN, _as_it_is)})


def _keep_nothing(state: Any, arm: int, reward: float) -> None:
    pass


def _keep_centre(state: Any, arm: int, reward: float) -> None:
    """Set the centre: rewards are stored as deviations from the first one, to preserve precision."""
    if state.ints[ROUNDS] == 0:
        state.floats[CENTER] = reward


def _keep_moments(state: Any, arm: int, reward: float) -> None:
    """Update the squared deviations within arms and about the grand mean, and N^2 - sum n_k^2 (never subtracted)."""
    floats = state.floats
    if state.ints[ROUNDS] == 0:
        floats[CENTER] = reward
    n, rounds = float(state.counts[arm]), float(state.ints[ROUNDS])
    within = reward - state.means[arm]
    add(floats, wide(WITHIN_HI), n / (n + 1.0) * within * within)
    if rounds > 0.0:
        total = (reward - floats[CENTER]) - (floats[TOTAL_HI] + floats[TOTAL_LO]) / rounds
        add(floats, wide(ALL_HI), rounds / (rounds + 1.0) * total * total)
    add(floats, wide(TOTAL_HI), reward - floats[CENTER])
    floats[CROSS] += 2.0 * (rounds - n)


keep = by_family(
    {
        **dict.fromkeys((Linear, *BERNOULLI_INDEX), _keep_nothing),
        **dict.fromkeys(KNOWN, _keep_centre),
        **dict.fromkeys(ESTIMATED, _keep_moments),
    }
)


regroup_inlined = inlined(regroup)


def _move(state: Any, arm: int, count: int, wait: int, new_count: int, new_wait: int, mean: float) -> None:
    if state.codes[GROUPED]:
        regroup_inlined(state, arm, count, wait, new_count, new_wait, mean)
    else:
        rewrite(state, arm, new_count, new_wait, mean)


def _rewrite(state: Any, arm: int, count: int, wait: int, new_count: int, new_wait: int, mean: float) -> None:
    rewrite(state, arm, new_count, new_wait, mean)


# Brings the arm from its old counts of rewards and pending pulls to the new ones.
move = by_layout(_move, regroup, _rewrite)


def _take_pending(state: Any, arm: int) -> int:
    wait = 0
    if state.ints[WAITING] > 0:
        wait = state.pending[arm]
        if wait > 0:
            state.pending[arm] = wait - 1
            state.ints[WAITING] -= 1
    return wait


def _no_wait(state: Any, arm: int) -> int:
    return 0


# Takes off one pending pull of the arm, if it has any; how many it had.
take_pending = by_use(_take_pending, _no_wait)


def update(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of one arm; it answers a pending pull of that arm, if there is one."""
    ints = state.ints
    keep(state, arm, reward)
    count, wait = state.counts[arm], take_pending(state, arm)
    mean = add_reward(state.totals, arm, reward, count + 1)
    move(state, arm, count, wait, count + 1, wait - 1 if wait > 0 else 0, mean)
    state.counts[arm] = count + 1
    ints[ROUNDS] += 1
    if count == 0:
        ints[PULLED] += 1


def learn(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of one arm."""
    take_pending(state, arm)
    state.counts[arm] += 1
    state.means[arm] = add_reward(state.totals, arm, reward, state.counts[arm])
    state.ints[ROUNDS] += 1
    posterior(state, arm)


# One reward of one arm enters the state.
enter_reward = by_family({**dict.fromkeys(SLOTTED, update), **dict.fromkeys(SIMPLE_SAMPLING, learn)})


def pend(state: Any, arm: int) -> None:
    """Enter one pull without a reward."""
    count, wait = state.counts[arm], state.pending[arm]
    move(state, arm, count, wait, count, wait + 1, state.means[arm])
    state.pending[arm] = wait + 1
    state.ints[WAITING] += 1


def give_up(state: Any, arm: int) -> None:
    """Take back one pending pull."""
    count, wait = state.counts[arm], take_pending(state, arm)
    move(state, arm, count, wait, count, wait - 1, state.means[arm])
    if count + wait == 1:
        state.ints[UNPULLED] = min(state.ints[UNPULLED], arm)


def _pend_only(state: Any, arm: int) -> None:
    state.pending[arm] += 1
    state.ints[WAITING] += 1


def _give_up_only(state: Any, arm: int) -> None:
    take_pending(state, arm)


# One pull without a reward; one such pull taken back.
enter_pull = by_family({**dict.fromkeys(SLOTTED, pend), **dict.fromkeys(SIMPLE_SAMPLING, _pend_only)})
take_back = by_family({**dict.fromkeys(SLOTTED, give_up), **dict.fromkeys(SIMPLE_SAMPLING, _give_up_only)})


def _ready(state: Any) -> None:
    pass


# Fills what a fresh state needs before its first round.
prepare = by_family({**dict.fromkeys(SLOTTED, _ready), **dict.fromkeys(SIMPLE_SAMPLING, begin)})


@inlined
def copy_numbers(source: Any, target: Any) -> None:
    """Overwrite an array of one dimension with another."""
    for i in range(source.size):
        target[i] = source[i]


def _copy_words(state: Any, own: Any, words: Any) -> None:
    for i in range(words.size):
        own[i] = words[i]


def _generator(state: Any, own: Any, words: Any) -> None:
    pass


# Sets the policy's stream to the words of a run; a generator is already set and is for one run.
load_stream = by_family({**dict.fromkeys(BINARY, _generator), **dict.fromkeys(GAUSSIAN, _copy_words)})
