"""The three steps of a round by family of policy: choose an arm, take its reward, enter it."""

from __future__ import annotations

from typing import Any

from reucb._engine.arms.state import (
    BERNOULLI_INDEX,
    RETS,
    REUCB,
    SIMPLE_SAMPLING,
    SLOTTED,
    BernoulliSampling,
    GaussianSampling,
    Linear,
)
from reucb._engine.codes import WAITING
from reucb._engine.jit import by_family
from reucb._engine.select import select
from reucb._engine.thompson import begin, learn, sample, sample_normal
from reucb._engine.update import give_up, pend, take_pending, update

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

# One reward of one arm enters the state.
enter_reward = by_family({**dict.fromkeys(SLOTTED, update), **dict.fromkeys(SIMPLE_SAMPLING, learn)})


def _ready(state: Any) -> None:
    pass


# Fills what a fresh state needs before its first round.
prepare = by_family({**dict.fromkeys(SLOTTED, _ready), **dict.fromkeys(SIMPLE_SAMPLING, begin)})


def _pend_only(state: Any, arm: int) -> None:
    state.pending[arm] += 1
    state.ints[WAITING] += 1


def _give_up_only(state: Any, arm: int) -> None:
    take_pending(state, arm)


# One pull without a reward; one such pull taken back.
enter_pull = by_family({**dict.fromkeys(SLOTTED, pend), **dict.fromkeys(SIMPLE_SAMPLING, _pend_only)})
take_back = by_family({**dict.fromkeys(SLOTTED, give_up), **dict.fromkeys(SIMPLE_SAMPLING, _give_up_only)})


def _as_it_is(state: Any, reward: float, own: Any) -> float:
    return reward


def _rounded(state: Any, reward: float, rng: Any) -> float:
    """A reward in [0, 1] as 0 or 1 with the same mean; a stream value is used only strictly in between."""
    if reward == 0.0 or reward == 1.0:
        return reward
    return 1.0 if rng.random() < reward else 0.0


# The reward as the policy takes it.
taken = by_family({**dict.fromkeys(BINARY, _rounded), **dict.fromkeys(GAUSSIAN, _as_it_is)})


def _copy_words(state: Any, own: Any, words: Any) -> None:
    for i in range(words.size):
        own[i] = words[i]


def _generator(state: Any, own: Any, words: Any) -> None:
    pass


# Brings the policy's stream to the words of a run; a generator is there already and serves one run.
load_stream = by_family({**dict.fromkeys(BINARY, _generator), **dict.fromkeys(GAUSSIAN, _copy_words)})
