"""`run_block`: the regret curves of a block of runs, the unit of work of every executor."""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from reucb._engine.arms.state import State, new_state, simulated_state
from reucb._engine.jit import machine_code
from reucb._engine.kernel import play
from reucb._engine.rng.streams import POLICY, PRIOR, REWARDS, block_words, put_words, stream
from reucb._simulation.job import check_pair
from reucb._simulation.threads import Stopped, stop_flag

if TYPE_CHECKING:
    from reucb.bandit import Bandit
    from reucb.policies.base import Policy

__all__ = ["POLICY", "PRIOR", "REWARDS", "play_run", "run_block", "stream"]

_compiled: dict[tuple[type, np.dtype[Any]], Callable[..., None]] = {}


def run_block(
    bandit: Bandit, policy: Policy, horizon: int, marks: NDArray[np.int64], seed: int, first: int, count: int
) -> NDArray[np.float64]:
    """Cumulative pseudo-regret after each marked round, shape (count, len(marks)), of the runs first, first + 1, ...

    Regret counts the true means of the reward law. `marks` are rounds from 1 to horizon in increasing order. The
    kernel releases the GIL; a run's row depends on (seed, run) alone. In a thread whose pool was told to stop, the
    block ends at once with `Stopped`.
    """
    check_pair(bandit, policy)
    out = np.zeros((count, len(marks)))
    if count:
        nothing = np.zeros((count, 0))
        _play(bandit, policy, horizon, marks, seed, first, out, nothing.astype(np.int64), nothing)
    return out


def play_run(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    marks: NDArray[np.int64],
    seed: int,
    run: int,
    out: NDArray[np.float64],
    choices: NDArray[np.int64],
    rewards: NDArray[np.float64] | None = None,
) -> State:
    """One run into out (and its arms and rewards into the last two unless they are empty); the state at its end."""
    paid = np.zeros(choices.shape) if rewards is None else rewards
    return _play(bandit, policy, horizon, marks, seed, run, out[None], choices[None], paid[None])


def _play(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    marks: NDArray[np.int64],
    seed: int,
    first: int,
    out: NDArray[np.float64],
    choices: NDArray[np.int64],
    paid: NDArray[np.float64],
) -> State:
    """As many runs as `out` has rows; the state at the end of the last."""
    count = len(out)
    mu, gaps = _instances(bandit, block_words(seed, first, count, PRIOR))
    law, sigma, low, high = bandit.rewards.kernel(bandit.n_arms)
    state, memory = simulated_state(new_state(policy.rule(bandit.n_arms), bandit.n_arms, isqrt(2 * horizon) + 3))
    fresh = memory.copy() if count > 1 else memory
    rewards, own = (block_words(seed, first, count, use) for use in (REWARDS, POLICY))
    rng, own_words, stop = Generator(PCG64(0)), np.zeros(4, dtype=np.uint64), stop_flag()
    marks = np.ascontiguousarray(marks, dtype=np.int64)
    at_a_time = 1 if policy.binary else count  # a generator serves one run
    for i in range(0, count, at_a_time):
        rows = slice(i, i + at_a_time)
        put_words(rng, own[i])
        _call(
            state,
            memory,
            fresh,
            int(law),
            mu[rows],
            np.array(sigma),
            float(low),
            float(high),
            gaps[rows],
            int(horizon),
            marks,
            rewards[rows],
            own[rows],
            rng if policy.binary else own_words,
            out[rows],
            choices[rows],
            paid[rows],
            stop,
        )
        if stop[0]:
            raise Stopped
    return state


def _instances(bandit: Bandit, words: NDArray[np.uint64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Latent means and gaps of the runs with these prior streams, one row each."""
    rng = Generator(PCG64(0))
    mu, means = np.empty((len(words), bandit.n_arms)), np.empty((len(words), bandit.n_arms))
    for row, own in enumerate(words):
        put_words(rng, own)
        mu[row] = bandit.draw(rng)
        means[row] = bandit.rewards.mean(mu[row])
    return mu, means.max(axis=1, keepdims=True) - means


def _call(*arguments: Any) -> None:
    """The machine code of `play`: the types of its arguments depend on the family and the layout of the state alone."""
    kind = type(arguments[0]), arguments[0].pending.dtype
    if kind not in _compiled:
        _compiled[kind] = machine_code(play, *arguments)
    _compiled[kind](*arguments)
