"""Thompson sampling: one draw per arm from its posterior, the highest draw wins. Pending pulls change no posterior."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Any

import numpy as np

from reucb._engine.arm_groups import weighting
from reucb._engine.codes import (
    ALPHA,
    BETA,
    FIT_MU0,
    FIT_SIGMA0_SQ,
    FIT_SIGMA_SQ,
    FIT_W,
    MOMENTS_KEPT,
    MU0,
    ROUNDS,
    SIGMA0_SQ,
    SIGMA_SQ,
    SPREAD,
    TOP,
    WEIGHT,
)
from reucb._engine.fit import fit
from reucb._engine.jit import by_family, inlined
from reucb._engine.select import fewest_pending, lowest_unpulled
from reucb._engine.state import RETS, SIMPLE_SAMPLING, BernoulliSampling, GaussianSampling
from reucb._engine.streams import highest_draw, normal

FIRST, SECOND = 0, 1  # rows of state.slots: posterior mean and sd, or the two parameters of the beta posterior
INF = float("inf")


def _normal_posterior(state: Any, arm: int) -> None:
    """N(mu0 + w (mean - mu0), sigma0^2 (1 - w))."""
    params, slots = state.params, state.slots
    g, rest = weighting(float(state.counts[arm]), params[SIGMA0_SQ], params[SIGMA_SQ])
    slots[FIRST, arm] = params[MU0] + g * params[SIGMA0_SQ] * (state.means[arm] - params[MU0])
    slots[SECOND, arm] = sqrt(params[SIGMA0_SQ] * rest)


def _beta_posterior(state: Any, arm: int) -> None:
    """Beta(alpha + wins, beta + losses)."""
    params, slots = state.params, state.slots
    n = float(state.counts[arm])
    wins = round(state.means[arm] * n)
    slots[FIRST, arm] = params[ALPHA] + wins
    slots[SECOND, arm] = params[BETA] + (n - wins)


# Writes the posterior of an arm from its count and mean.
posterior = by_family({GaussianSampling: _normal_posterior, BernoulliSampling: _beta_posterior})


def begin(state: Any) -> None:
    """Write the posterior of every arm."""
    for arm in range(state.counts.size):
        posterior(state, arm)


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


def sample_normal(state: Any, words: Any) -> int:
    """The arm with the highest draw from its normal posterior; draws in the order of the arms, ties to the lowest."""
    return highest_draw(state.slots[FIRST], state.slots[SECOND], words)


def _draw_normal(state: Any, arm: int, mu0: float, words: Any) -> float:
    return float(state.slots[FIRST, arm] + state.slots[SECOND, arm] * normal(words))


def _draw_beta(state: Any, arm: int, mu0: float, rng: Any) -> float:
    return beta(state.slots[FIRST, arm], state.slots[SECOND, arm], rng)


def _draw_given_mu0(state: Any, arm: int, mu0: float, words: Any) -> float:
    """A draw from N(mu0 + w (mean - mu0), sigma0^2 (1 - w)), as a deviation from the centre."""
    slots, floats = state.slots, state.floats
    sigma0_sq, sigma_sq = floats[FIT_SIGMA0_SQ], floats[FIT_SIGMA_SQ]
    v0 = sigma0_sq / max(sigma0_sq, sigma_sq) if sigma_sq > 0.0 else 1.0
    mean = mu0 + v0 * slots[WEIGHT, arm] * (slots[TOP, arm] - mu0)
    return float(mean + sqrt(slots[SPREAD, arm]) * normal(words))


# A draw from the posterior of an arm, given mu0.
draw = by_family(
    {
        GaussianSampling: _draw_normal,
        BernoulliSampling: _draw_beta,
        **dict.fromkeys(RETS, _draw_given_mu0),
    }
)


def _no_effect(state: Any, own: Any) -> float:
    return 0.0


def _draw_mu0(state: Any, words: Any) -> float:
    """mu0 from N(mu0-hat, Var(mu0-hat)), as a deviation from the centre; mu0 itself where it is known."""
    fit(state)
    floats = state.floats
    if floats[FIT_W] == INF:
        return float(floats[FIT_MU0])
    of_mu0 = max(floats[FIT_SIGMA0_SQ], floats[FIT_SIGMA_SQ]) / floats[FIT_W]
    return float(floats[FIT_MU0] + sqrt(of_mu0) * normal(words))


# A draw of mu0 from its posterior, for the policies that do not know it.
draw_mu0 = by_family({**dict.fromkeys(SIMPLE_SAMPLING, _no_effect), **dict.fromkeys(RETS, _draw_mu0)})


def _never(state: Any) -> bool:
    return False


def _without_model(state: Any) -> bool:
    """Variances are estimated once every arm was pulled; mu0, where it is unknown, needs one reward."""
    return bool(state.codes[MOMENTS_KEPT] or (state.ints[ROUNDS] == 0 and state.params[MU0] != state.params[MU0]))


# Whether an arm never pulled comes before any draw.
pulls_first = by_family({**dict.fromkeys(SIMPLE_SAMPLING, _never), **dict.fromkeys(RETS, _without_model)})


def sample(state: Any, own: Any) -> int:
    """The arm with the highest draw; mu0 is drawn first, then the arms in order, ties to the lowest."""
    if pulls_first(state):
        arm: int = lowest_unpulled(state)
        if arm < 0 and state.ints[ROUNDS] == 0:
            arm = fewest_pending(state)
            return arm
        if arm >= 0:
            return arm
    mu0 = draw_mu0(state, own)
    best, value = 0, -INF
    for i in range(state.counts.size):
        drawn = draw(state, i, mu0, own)
        if drawn > value:
            best, value = i, drawn
    return best
