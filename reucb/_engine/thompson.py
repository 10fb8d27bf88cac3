"""Thompson sampling: one draw per arm from its posterior, the highest draw wins."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np

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
def beta(a: float, b: float, rng: Any) -> float:
    """A Beta(a, b) variate as NumPy draws it; Numba's version never returns where U^(1/a) and V^(1/b) both underflow.

    For a, b <= 1 this is Johnk's method: X = U^(1/a) and Y = V^(1/b), rejected while X + Y > 1, give X/(X + Y). Where
    both underflow, the quotient is taken from their logarithms.
    """
    if a > 1.0 or b > 1.0:
        return float(rng.beta(a, b))
    while True:
        u, v = rng.random(), rng.random()
        x, y = u ** (1.0 / a), v ** (1.0 / b)
        if 0.0 < x + y <= 1.0:
            return float(x / (x + y))
        if x + y == 0.0 and u + v > 0.0:
            log_x = log(u) / a if u > 0.0 else -np.inf
            log_y = log(v) / b if v > 0.0 else -np.inf
            return 1.0 / (1.0 + exp(log_y - log_x))


@inlined
def sample_beta(state: Any, rng: Any) -> int:
    """The same for beta posteriors."""
    best, value = 0, -1.0
    for arm in range(state.counts.size):
        draw = beta(state.slots[FIRST, arm], state.slots[SECOND, arm], rng)
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
