"""What an agent shows of its inside: the index of every arm, and for ReUCB the fitted model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reucb._engine import codes as c
from reucb._engine import select as engine_select
from reucb._engine import special
from reucb._engine.agent_calls import refit
from reucb._engine.arms.state import State
from reucb._numerics.arrays import FloatArray


@dataclass(frozen=True)
class AgentFit:
    """The model behind the coming round: mu0, both variances, and per arm w_k, mu-hat_k, tau_k^2."""

    mu0: float
    sigma0_sq: float
    sigma_sq: float | FloatArray
    weights: FloatArray
    mu: FloatArray
    mse: FloatArray


def model(state: State) -> AgentFit:
    """The fit of a ReUCB agent, by the compiled code that selects (Eq. w-def, Eq. blup, Eq. MSE).

    An arm never pulled has weight 0, so mean mu0 and error sigma0^2 plus that of mu0. Before the first reward, and with
    mu0 unknown, mu0 is nan.
    """
    params = state.params
    if state.codes[c.RULE] == c.LINEAR:
        mu0, precision, sigma0_sq = params[c.MU0], np.inf, params[c.SIGMA0_SQ]
        noise: FloatArray = state.noise
    else:
        refit(state)
        sigma0_sq = state.floats[c.FIT_SIGMA0_SQ]
        noise = state.noise if state.codes[c.RULE] == c.BLUP else state.floats[c.FIT_SIGMA_SQ : c.FIT_SIGMA_SQ + 1]
        precision = state.floats[c.FIT_W] / max(sigma0_sq, noise.max()) if max(sigma0_sq, noise.max()) > 0 else np.inf
        mu0 = (
            state.floats[c.CENTER] + state.floats[c.FIT_MU0]
            if state.ints[c.ROUNDS] or np.isfinite(params[c.MU0])
            else np.nan
        )
    counts = state.counts.astype(np.float64)
    known = noise > 0
    scale = np.maximum(sigma0_sq, noise)
    v0, v = (
        np.where(known, part / np.where(scale > 0, scale, 1.0), full) for part, full in ((sigma0_sq, 1.0), (noise, 0.0))
    )
    below = counts * v0 + v
    pulled = below > 0
    weights = np.where(pulled, counts * v0 / np.where(pulled, below, 1.0), 0.0)
    shrink = np.where(pulled, v / np.where(pulled, below, 1.0), 1.0)
    with np.errstate(divide="ignore"):
        of_mu0 = np.inf if precision == 0 else 1.0 / precision
    mse = sigma0_sq * shrink + np.where(shrink > 0, shrink * shrink, 0.0) * (of_mu0 if np.isfinite(of_mu0) else np.inf)
    sigma_sq = float(noise[0]) if noise.size == 1 else noise.copy()
    return AgentFit(float(mu0), float(sigma0_sq), sigma_sq, weights, mu0 + weights * (state.means - mu0), mse)


def indices(state: State) -> FloatArray:
    """The index of every arm in the coming round; inf for an arm that has to be pulled once first."""
    rule = state.codes[c.RULE]
    if state.ints[c.PULLED] < state.counts.size:
        return np.where(state.counts == 0, np.inf, np.nan)
    if rule == c.KL_BERNOULLI:
        rate = engine_select.exploration(state)
        return np.array([special.kl_upper(m, rate / n) for m, n in zip(state.means, state.counts, strict=True)])
    if rule == c.BAYES_BERNOULLI:
        p, alpha, beta = engine_select.tail(state), state.params[c.ALPHA], state.params[c.BETA]
        wins = np.rint(state.means * state.counts)
        return np.array(
            [special.beta_upper(alpha + s, beta + (n - s), p) for s, n in zip(wins, state.counts, strict=True)]
        )
    s = engine_select.multiplier(state)
    if rule == c.LINEAR and state.params[c.SIGMA0_SQ] == np.inf:
        return np.asarray(state.means + s * np.sqrt(state.noise / state.counts))
    fitted = model(state)
    return np.asarray(fitted.mu + s * np.sqrt(fitted.mse))
