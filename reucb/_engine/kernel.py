"""One Monte-Carlo run, compiled: the same `select` and `update` as the online agent, fed by NumPy's own streams."""

from __future__ import annotations

from typing import Any

from reucb._engine.codes import RULE, TS_GAUSSIAN
from reucb._engine.jit import compiled, inlined
from reucb._engine.select import select
from reucb._engine.thompson import begin, learn, sample
from reucb._engine.update import update

GAUSSIAN, BERNOULLI, CLIPPED = 0, 1, 2


@inlined
def pay(law: int, mean: float, sigma: float, low: float, high: float, rng: Any) -> float:
    """One reward; one variate of the stream per round whatever the arm, so policies share their noise."""
    if law == BERNOULLI:
        return 1.0 if rng.random() < mean else 0.0
    reward = mean + sigma * rng.standard_normal()
    if law == CLIPPED:
        return float(min(max(reward, low), high))
    return float(reward)


@inlined
def rounded(reward: float, rng: Any) -> float:
    """A reward in [0, 1] as 0 or 1 with the same mean; a stream value is used only strictly in between."""
    if reward == 0.0 or reward == 1.0:
        return reward
    return 1.0 if rng.random() < reward else 0.0


@compiled
def play(state: Any, law: int, mu: Any, sigma: Any, low: float, high: float, gaps: Any, horizon: int, marks: Any,
         binary: bool, rewards_rng: Any, policy_rng: Any, out: Any, choices: Any) -> None:
    """Play `horizon` rounds; out[i] = cumulative pseudo-regret after round marks[i]; choices, if any, the arms."""
    sampling = state.codes[RULE] >= TS_GAUSSIAN
    if sampling:
        begin(state)
    regret, mark = 0.0, 0
    for t in range(1, horizon + 1):
        arm = sample(state, policy_rng) if sampling else select(state)
        reward = pay(law, mu[arm], sigma[arm], low, high, rewards_rng)
        if binary:
            reward = rounded(reward, policy_rng)
        if sampling:
            learn(state, arm, reward)
        else:
            update(state, arm, reward)
        if choices.size:
            choices[t - 1] = arm
        regret += gaps[arm]
        while mark < marks.size and marks[mark] == t:
            out[mark] = regret
            mark += 1
