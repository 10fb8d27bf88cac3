"""Monte-Carlo runs: the compiled kernel, and `run_block`, the unit of work of every executor.

The kernel takes the same steps as the online agent, with NumPy's own streams.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import PCG64, Generator
from numpy.typing import NDArray

from reucb._engine.jit import compiled, inlined, machine_code
from reucb._engine.state import State, new_state, simulated_state
from reucb._engine.steps import choose_arm, copy_numbers, enter_reward, load_stream, prepare, taken
from reucb._engine.streams import POLICY, PRIOR, REWARDS, block_words, normal, put_words, uniform
from reucb._numerics import FloatArray, IntArray
from reucb._simulation.executors import Stopped, stop_flag
from reucb._simulation.job import check_pair

if TYPE_CHECKING:
    from reucb.bandit import Bandit
    from reucb.policies.base import Policy

GAUSSIAN, BERNOULLI, CLIPPED = 0, 1, 2


@inlined
def pay(law: int, mean: float, sigma: float, low: float, high: float, words: Any) -> float:
    """One reward, by one variate of the stream in every round, so that all policies have the same noise."""
    if law == BERNOULLI:
        return 1.0 if uniform(words) < mean else 0.0
    reward = mean + sigma * normal(words)
    if law == CLIPPED:
        return low if reward < low else high if reward > high else reward
    return reward


@compiled
def play(
    state: Any,
    memory: Any,
    fresh: Any,
    law: int,
    mu: Any,
    sigma: Any,
    low: float,
    high: float,
    gaps: Any,
    horizon: int,
    marks: Any,
    reward_words: Any,
    policy_words: Any,
    own: Any,
    out: Any,
    choices: Any,
    rewards: Any,
    stop: Any,
) -> None:
    """Play a run of `horizon` rounds for every row of mu; row r of out: pseudo-regret after each of the marked rounds.

    memory: the buffer of which the arrays of the state are views; fresh: its contents before the first round.
    choices and rewards hold a row per run for its arms and rewards, empty if not requested. The policy's stream begins
    at a row of words per run and is stored in `own`: four words, or a generator for policies that round rewards or draw
    beta variates (then there is one run, and the generator is already set). Once stop[0] is set the remaining rounds
    are skipped.
    """
    for run in range(mu.shape[0]):
        copy_numbers(fresh, memory)
        prepare(state)
        load_stream(state, own, policy_words[run])
        words = reward_words[run]
        regret, mark = 0.0, 0
        for t in range(1, horizon + 1):
            if stop[0]:
                return
            arm = choose_arm(state, own)
            reward = pay(law, mu[run, arm], sigma[arm], low, high, words)
            enter_reward(state, arm, taken(state, reward, own))
            if choices.shape[1]:
                choices[run, t - 1] = arm
                rewards[run, t - 1] = reward
            regret += gaps[run, arm]
            while mark < marks.size and marks[mark] == t:
                out[run, mark] = regret
                mark += 1


_compiled: dict[tuple[type, np.dtype[Any]], Callable[..., None]] = {}


def run_block(
    bandit: Bandit, policy: Policy, horizon: int, marks: IntArray, seed: int, first: int, count: int
) -> FloatArray:
    """Regret of several runs. Each row of the result depends on (seed, run) alone.

    Parameters
    ----------
    bandit : Bandit
        The prior over arm means and the reward law.
    policy : Policy
        The policy that is played.
    horizon : int
        Number of rounds.
    marks : array of int64
        Rounds at which the regret is recorded, from 1 to horizon, in increasing order.
    seed, first, count : int
        Seed of the simulation; the runs are first, first + 1, ..., first + count - 1.

    Returns
    -------
    array of float, shape (count, len(marks))
        Cumulative pseudo-regret after each marked round: of the true means of the reward law.

    Notes
    -----
    The compiled kernel releases the GIL. In a thread whose pool was stopped, the block ends with `Stopped`.

    Examples
    --------
    >>> import numpy as np, scipy.stats, reucb
    >>> from reucb.engine import run_block
    >>> bandit = reucb.Bandit(n_arms=3, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
    >>> regret = run_block(bandit, reucb.ReUCB(), 20, np.array([10, 20]), seed=0, first=0, count=2)
    >>> regret.shape
    (2, 2)
    """
    check_pair(bandit, policy)
    return regret_block(bandit, policy, horizon, marks, seed, first, count)


def regret_block(
    bandit: Bandit, policy: Policy, horizon: int, marks: IntArray, seed: int, first: int, count: int
) -> FloatArray:
    """As `run_block`, for a bandit and a policy that are known to fit."""
    out = np.zeros((count, len(marks)))
    if count:
        nothing = np.zeros((count, 0))
        _play(bandit, policy, horizon, marks, seed, first, out, nothing.astype(np.int64), nothing)
    return out


def play_run(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    marks: IntArray,
    seed: int,
    run: int,
    out: FloatArray,
    choices: IntArray,
    rewards: FloatArray | None = None,
) -> State:
    """Play one run, and write its regret, arms and rewards into arrays.

    Parameters
    ----------
    bandit : Bandit
        The prior over arm means and the reward law.
    policy : Policy
        The policy that is played.
    horizon : int
        Number of rounds.
    marks : array of int64
        Rounds at which the regret is recorded, from 1 to horizon, in increasing order.
    seed, run : int
        Seed of the simulation and number of the run.
    out : array of float, shape (len(marks),)
        Is filled with the cumulative pseudo-regret after each marked round.
    choices : array of int64, shape (horizon,) or (0,)
        Is filled with the arms, unless it is empty.
    rewards : array of float, shape of choices, optional
        Is filled with the rewards.

    Returns
    -------
    State
        The state of the arms after the last round.

    Examples
    --------
    >>> import numpy as np, scipy.stats, reucb
    >>> from reucb.engine import play_run
    >>> bandit = reucb.Bandit(n_arms=3, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
    >>> regret, arms = np.zeros(1), np.zeros(20, dtype=np.int64)
    >>> state = play_run(bandit, reucb.ReUCB(), 20, np.array([20]), 0, 0, regret, arms)
    >>> sorted(arms[:3].tolist())  # the first three rounds pull every arm once
    [0, 1, 2]
    """
    paid = np.zeros(choices.shape) if rewards is None else rewards
    return _play(bandit, policy, horizon, marks, seed, run, out[None], choices[None], paid[None])


def _play(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    marks: IntArray,
    seed: int,
    first: int,
    out: FloatArray,
    choices: IntArray,
    paid: FloatArray,
) -> State:
    """Play one run for each row of `out`; returns the state after the last run."""
    count = len(out)
    prior = block_words(seed, first, count, PRIOR)
    rewards, own = block_words(seed, first, count, REWARDS), block_words(seed, first, count, POLICY)
    mu, gaps = _instances(bandit, prior)
    law, sigma, low, high = bandit.rewards.kernel(bandit.n_arms)
    rule, rounds_rewards = policy.rule(bandit.n_arms), policy.binary
    state, memory = simulated_state(new_state(rule, bandit.n_arms, isqrt(2 * horizon) + 3))
    fresh = memory.copy() if count > 1 else memory
    rng, own_words, stop = Generator(PCG64(0)), np.zeros(4, dtype=np.uint64), stop_flag()
    marks = np.ascontiguousarray(marks, dtype=np.int64)
    at_a_time = 1 if rounds_rewards else count  # a generator is for one run
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
            rng if rounds_rewards else own_words,
            out[rows],
            choices[rows],
            paid[rows],
            stop,
        )
        if stop[0]:
            raise Stopped
    return state


def _instances(bandit: Bandit, words: NDArray[np.uint64]) -> tuple[FloatArray, FloatArray]:
    """Latent means and gaps of the runs with these prior streams, one row each."""
    rng = Generator(PCG64(0))
    mu = np.empty((len(words), bandit.n_arms))
    for row, own in enumerate(words):
        put_words(rng, own)
        mu[row] = bandit.draw(rng)
    means = np.array([bandit.true_means(row) for row in mu])  # by run: the last bits must not depend on the block
    return mu, means.max(axis=1, keepdims=True) - means


def _call(*arguments: Any) -> None:
    """The machine code of `play`: the types of its arguments depend on the family and the layout of the state alone."""
    kind = type(arguments[0]), arguments[0].pending.dtype
    if kind not in _compiled:
        _compiled[kind] = machine_code(play, *arguments)
    _compiled[kind](*arguments)
