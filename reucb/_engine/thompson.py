"""Thompson sampling: one draw per arm from its posterior, the highest draw wins."""

from __future__ import annotations

from math import sqrt
from typing import Any

from reucb._engine.codes import ALPHA, BETA, MU0, ROUNDS, RULE, SIGMA0_SQ, SIGMA_SQ, TS_GAUSSIAN
from reucb._engine.compensated import add_reward
from reucb._engine.jit import compiled, inlined
from reucb._engine.rng.normals import highest_draw

FIRST, SECOND = 0, 1  # rows of state.slots: posterior mean and sd, or the two parameters of the beta posterior


@compiled
def begin(state: Any) -> None:
    """Write the posterior of every arm from its count and mean."""
    for arm in range(state.counts.size):
        posterior(state, arm)


@inlined
def posterior(state: Any, arm: int) -> None:
    """The arm's posterior: N(mu0 + w (mean - mu0), sigma0^2 (1 - w)), or Beta(alpha + wins, beta + losses)."""
    params, slots = state.params, state.slots
    n, mean = float(state.counts[arm]), state.means[arm]
    if state.codes[RULE] == TS_GAUSSIAN:
        scale = 1.0 / (n * params[SIGMA0_SQ] + params[SIGMA_SQ])
        slots[FIRST, arm] = params[MU0] + n * params[SIGMA0_SQ] * scale * (mean - params[MU0])
        slots[SECOND, arm] = sqrt(params[SIGMA0_SQ] * (params[SIGMA_SQ] * scale))
    else:
        wins = round(mean * n)
        slots[FIRST, arm] = params[ALPHA] + wins
        slots[SECOND, arm] = params[BETA] + (n - wins)


@inlined
def sample_normal(state: Any, words: Any) -> int:
    """The arm with the highest draw from its normal posterior; draws in the order of the arms, ties to the lowest."""
    return highest_draw(state.slots[FIRST], state.slots[SECOND], words)


@inlined
def sample_beta(state: Any, rng: Any) -> int:
    """The same for beta posteriors."""
    best, value = 0, -1.0
    for arm in range(state.counts.size):
        draw = rng.beta(state.slots[FIRST, arm], state.slots[SECOND, arm])
        if draw > value:
            best, value = arm, draw
    return best


@inlined
def learn(state: Any, arm: int, reward: float) -> None:
    """Enter one reward of one arm."""
    state.counts[arm] += 1
    state.means[arm] = add_reward(state.totals, arm, reward, state.counts[arm])
    state.ints[ROUNDS] += 1
    posterior(state, arm)
