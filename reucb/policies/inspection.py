"""Inspection of an agent: the index of every arm, and for ReUCB and ReTS the fitted model."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from reucb._engine import codes as c
from reucb._engine import special
from reucb._engine.agent_calls import refit
from reucb._engine.state import State
from reucb._numerics import FloatArray
from reucb._numerics.shrinkage import shrink


@dataclass(frozen=True)
class AgentFit:
    """The model given the rewards so far: mu0, both variances, and per arm w_k, mu-hat_k, tau_k^2.

    `mu0_mse` is the mean squared error of mu0, 0 where it is known.
    """

    mu0: float
    sigma0_sq: float
    sigma_sq: float | FloatArray
    weights: FloatArray
    mu: FloatArray
    mse: FloatArray
    mu0_mse: float

    def __repr__(self) -> str:
        sigma_sq = f"{self.sigma_sq:g}" if isinstance(self.sigma_sq, float) else f"<{len(self.sigma_sq)} values>"
        return (
            f"<AgentFit of {len(self.mu)} arms: mu0 = {self.mu0:g}, "
            f"sigma0_sq = {self.sigma0_sq:g}, sigma_sq = {sigma_sq}>"
        )


def model(state: State, pending: bool = False) -> AgentFit:
    """The fit of an agent: variances and mu0 by the compiled code that selects (Eq. w-def, Eq. blup, Eq. MSE).

    An arm without a reward has weight 0, so mean mu0 and error sigma0^2 plus that of mu0. Before the first reward, and
    with mu0 unknown, mu0 is nan. With `pending`, pending pulls count in the errors as they do in an index.
    """
    params = state.params
    if state.codes[c.RULE] == c.LINEAR:
        mu0, precision, sigma0_sq = params[c.MU0], np.inf, params[c.SIGMA0_SQ]
        noise: FloatArray = state.noise
    else:
        refit(state)
        sigma0_sq = state.floats[c.FIT_SIGMA0_SQ]
        noise = state.floats[c.FIT_SIGMA_SQ : c.FIT_SIGMA_SQ + 1] if state.codes[c.MOMENTS_KEPT] else state.noise
        largest, weight = max(sigma0_sq, noise.max()), state.floats[c.FIT_TAU_W if pending else c.FIT_W]
        precision = weight / largest if largest > 0 else np.inf
        known = state.ints[c.ROUNDS] or np.isfinite(params[c.MU0])
        mu0 = state.floats[c.CENTER] + state.floats[c.FIT_MU0] if known else np.nan
    counts = state.counts.astype(np.float64)
    weights, _ = _shares(counts, sigma0_sq, noise)
    _, rest = _shares(counts + state.pending if pending else counts, sigma0_sq, noise)
    of_mu0 = np.inf if precision == 0 else 1.0 / precision
    mse = sigma0_sq * rest + np.where(rest > 0, rest * rest, 0.0) * of_mu0
    sigma_sq = float(noise[0]) if noise.size == 1 else noise.copy()
    mu = mu0 + weights * (state.means - mu0)
    return AgentFit(float(mu0), float(sigma0_sq), sigma_sq, weights, mu, mse, float(of_mu0))


def _shares(counts: FloatArray, sigma0_sq: float, noise: FloatArray) -> tuple[FloatArray, FloatArray]:
    """w and 1 - w (Eq. w-def); a noise variance of 0 gives w = 1 to every arm with a reward."""
    found = shrink(counts, np.broadcast_to(noise, counts.shape), np.asarray(sigma0_sq))
    return np.where(found.exact, 1.0, found.weights.high), np.where(found.exact, 0.0, found.complement)


def indices(state: State) -> FloatArray:
    """The index of every arm in the coming round; inf for an arm that has to be pulled once first.

    nan for an arm with an index of its own while another arm has to be pulled first, -inf for an arm that has no index
    because its first reward is pending and the policy has no prior.
    """
    rule, totals = int(state.codes[c.RULE]), state.counts + state.pending
    if (totals == 0).any() and not state.codes[c.BY_INDEX]:
        return np.where(totals == 0, np.inf, np.nan)
    if rule == c.KL_BERNOULLI:
        rate = _exploration(state)
        return np.array(
            [
                special.kl_upper(m, rate / n) if k else -np.inf
                for m, n, k in zip(state.means, totals, state.counts, strict=True)
            ]
        )
    if rule == c.BAYES_BERNOULLI:
        return _beta_indices(state)
    s = _multiplier(state)
    if rule == c.LINEAR and state.params[c.SIGMA0_SQ] == np.inf:
        with np.errstate(divide="ignore"):
            return np.where(state.counts == 0, -np.inf, state.means + s * np.sqrt(state.noise / totals))
    fitted = model(state, pending=True)
    return np.asarray(fitted.mu + s * np.sqrt(fitted.mse))


def _beta_indices(state: State) -> FloatArray:
    wins = np.rint(state.means * state.counts)
    a, b = state.params[c.ALPHA] + wins, state.params[c.BETA] + (state.counts - wins)
    more = state.pending / (a + b)
    p = _tail(state)
    return np.array([special.beta_upper(x, y, p) for x, y in zip(a + a * more, b + b * more, strict=True)])


def _coming(state: State) -> float:
    return float(state.ints[c.ROUNDS] + state.ints[c.WAITING] + 1)


def _exploration(state: State) -> float:
    return special.exploration_rate(_coming(state), float(state.params[c.LOGLOG]))


def _tail(state: State) -> float:
    return special.quantile_tail(_coming(state), float(state.params[c.SCALE]))


def _multiplier(state: State) -> float:
    if state.codes[c.MULTIPLIER] == c.QUANTILE:
        return special.upper_normal(_tail(state))
    return sqrt(state.params[c.SCALE] * _exploration(state))
