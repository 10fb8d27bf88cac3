"""Monte-Carlo runs, compiled: the same steps as those of the online agent, with NumPy's own streams."""

from __future__ import annotations

from typing import Any

from reucb._engine.jit import compiled, inlined
from reucb._engine.rebuild import copy_numbers
from reucb._engine.rng.normals import normal, uniform
from reucb._engine.steps import choose_arm, enter_reward, load_stream, prepare, taken

GAUSSIAN, BERNOULLI, CLIPPED = 0, 1, 2


@inlined
def pay(law: int, mean: float, sigma: float, low: float, high: float, words: Any) -> float:
    """One reward; one variate of the stream per round whatever the arm, so policies share their noise."""
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

    memory: what the arrays of the state are views of, and fresh: what it holds before the first round.
    choices and rewards hold a row per run for its arms and rewards, of length 0 where nobody asks. The policy's stream
    begins at a row of words per run and lives in `own`: four words, or a generator for policies that round rewards or
    draw beta variates (then there is one run, and the generator is there). Once stop[0] is set the rest is left undone.
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
