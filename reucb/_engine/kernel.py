"""Monte-Carlo runs, compiled: the same `select` and `update` as the online agent, fed by NumPy's own streams."""

from __future__ import annotations

from typing import Any

from reucb._engine.codes import RULE, TS_GAUSSIAN
from reucb._engine.jit import compiled, inlined
from reucb._engine.rng.normals import normal, uniform
from reucb._engine.select import select
from reucb._engine.thompson import begin, learn, sample_beta, sample_normal
from reucb._engine.update import update

GAUSSIAN, BERNOULLI, CLIPPED = 0, 1, 2


@inlined
def pay(law: int, mean: float, sigma: float, low: float, high: float, words: Any) -> float:
    """One reward; one variate of the stream per round whatever the arm, so policies share their noise."""
    if law == BERNOULLI:
        return 1.0 if uniform(words) < mean else 0.0
    reward = mean + sigma * normal(words)
    if law == CLIPPED:
        return min(max(reward, low), high)
    return reward


@inlined
def rounded(reward: float, rng: Any) -> float:
    """A reward in [0, 1] as 0 or 1 with the same mean; a stream value is used only strictly in between."""
    if reward == 0.0 or reward == 1.0:
        return reward
    return 1.0 if rng.random() < reward else 0.0


@inlined
def copy_rows(target: Any, source: Any) -> None:
    """Overwrite a table with another."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]


@compiled
def reset(state: Any, fresh: Any) -> None:
    """Bring the state back to what it was before the first round."""
    for arm in range(fresh.counts.size):
        state.counts[arm] = fresh.counts[arm]
        state.means[arm] = fresh.means[arm]
    for slot in range(fresh.arms.size):
        state.arms[slot] = fresh.arms[slot]
    for i in range(fresh.ints.size):
        state.ints[i] = fresh.ints[i]
    for i in range(fresh.floats.size):
        state.floats[i] = fresh.floats[i]
    copy_rows(state.totals, fresh.totals)
    copy_rows(state.nodes, fresh.nodes)
    copy_rows(state.slots, fresh.slots)


@inlined
def play_one(
    state: Any,
    law: int,
    mu: Any,
    sigma: Any,
    low: float,
    high: float,
    gaps: Any,
    horizon: int,
    marks: Any,
    binary: bool,
    reward_words: Any,
    policy_words: Any,
    policy_rng: Any,
    out: Any,
    choices: Any,
    stop: Any,
) -> None:
    """One run from a fresh state."""
    rule = state.codes[RULE]
    if rule >= TS_GAUSSIAN:
        begin(state)
    regret, mark = 0.0, 0
    for t in range(1, horizon + 1):
        if stop[0]:
            return
        if rule < TS_GAUSSIAN:
            arm = select(state)
        elif rule == TS_GAUSSIAN:
            arm = sample_normal(state, policy_words)
        else:
            arm = sample_beta(state, policy_rng)
        reward = pay(law, mu[arm], sigma[arm], low, high, reward_words)
        if binary:
            reward = rounded(reward, policy_rng)
        if rule < TS_GAUSSIAN:
            update(state, arm, reward)
        else:
            learn(state, arm, reward)
        if choices.size:
            choices[t - 1] = arm
        regret += gaps[arm]
        while mark < marks.size and marks[mark] == t:
            out[mark] = regret
            mark += 1


@compiled
def play(
    state: Any,
    fresh: Any,
    law: int,
    mu: Any,
    sigma: Any,
    low: float,
    high: float,
    gaps: Any,
    horizon: int,
    marks: Any,
    binary: bool,
    reward_words: Any,
    policy_words: Any,
    policy_rng: Any,
    out: Any,
    choices: Any,
    stop: Any,
) -> None:
    """Play a run of `horizon` rounds for every row of mu; row r of out: pseudo-regret after each of the marked rounds.

    choices holds a row per run for its arms, of length 0 where nobody asks. The policy's stream is there
    twice, as words for normals and as a generator for beta variates and rounding (then there is one run); a policy uses
    one of the two. Once stop[0] is set the rest is left undone.
    """
    for run in range(mu.shape[0]):
        reset(state, fresh)
        play_one(
            state,
            law,
            mu[run],
            sigma,
            low,
            high,
            gaps[run],
            horizon,
            marks,
            binary,
            reward_words[run],
            policy_words[run],
            policy_rng,
            out[run],
            choices[run],
            stop,
        )
