"""`run_block`: the regret curves of a block of runs, the unit of work of every executor."""

from __future__ import annotations

import logging
from collections.abc import Callable
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from reucb._engine.jit import direct, is_compiled
from reucb._engine.kernel import play
from reucb._engine.normals import seeded_words, words_of
from reucb._engine.state import State, new_state

if TYPE_CHECKING:
    from reucb.bandit import Bandit
    from reucb.policies.base import Policy

PRIOR, REWARDS, POLICY = 0, 1, 2

_log = logging.getLogger("reucb")
_compiled: list[Callable[..., None]] = []
_SILENT = Generator(PCG64(0))  # stands where a policy draws nothing: never read
_SILENT_WORDS = words_of(_SILENT)
_NOTHING: NDArray[np.int64] = np.zeros(0, dtype=np.int64)


def stream(seed: int, run: int, use: int) -> Generator:
    """The random stream of one run for one use (prior, rewards, policy)."""
    return Generator(PCG64(SeedSequence(seed, spawn_key=(run, use))))


def compiling_needed() -> bool:
    """Whether the next block has to compile first (nothing in memory, nothing in the cache on disk)."""
    return not is_compiled(play)


def _check_pair(bandit: Bandit, policy: Policy) -> None:
    """Refuse rewards the policy has no likelihood for."""
    _, _, low, high = bandit.rewards.kernel(bandit.n_arms)
    if policy.binary and not (low >= 0.0 and high <= 1.0):
        raise ValueError(f"policy = {policy!r} needs rewards in [0, 1]; rewards = {bandit.rewards!r} lie in "
                         f"[{low}, {high}]")


def run_block(bandit: Bandit, policy: Policy, horizon: int, marks: NDArray[np.int64], seed: int, first: int,
              count: int) -> NDArray[np.float64]:
    """Cumulative pseudo-regret after each marked round, shape (count, len(marks)), of the runs first, first + 1, ...

    Regret counts the true means of the reward law. `marks` are rounds from 1 to horizon in increasing order. The
    kernel releases the GIL; a run's row depends on (seed, run) alone.
    """
    _check_pair(bandit, policy)
    if compiling_needed():
        _log.info("compiling the engine (once; the result is cached on disk)")
    marks = np.ascontiguousarray(marks, dtype=np.int64)
    out = np.zeros((count, marks.size))
    for i in range(count):
        play_run(bandit, policy, horizon, marks, seed, first + i, out[i], _NOTHING)
    return out


def play_run(bandit: Bandit, policy: Policy, horizon: int, marks: NDArray[np.int64], seed: int, run: int,
             out: NDArray[np.float64], choices: NDArray[np.int64]) -> State:
    """One run into out (and its arms into choices unless that is empty); the state at its end."""
    n_arms = bandit.n_arms
    mu = np.array(bandit.draw(stream(seed, run, PRIOR)))  # writable, as the compiled types have it
    means = bandit.rewards.mean(mu)
    law, sigma, low, high = bandit.rewards.kernel(n_arms)
    state = new_state(policy.plan(n_arms), n_arms, isqrt(2 * horizon) + 3)
    own = stream(seed, run, POLICY) if policy.random else _SILENT
    arguments = (state, int(law), mu, np.array(sigma), float(low), float(high), means.max() - means, int(horizon),
                 marks, policy.binary, seeded_words(SeedSequence(seed, spawn_key=(run, REWARDS))),
                 words_of(own) if policy.random else _SILENT_WORDS, own, out, choices)
    _kernel(arguments)(*arguments)
    return state


def _kernel(arguments: tuple[Any, ...]) -> Callable[..., None]:
    """The machine code of `play`: the types of its arguments are always the same."""
    if not _compiled:
        _compiled.append(direct(play, *arguments))
    return _compiled[0]
