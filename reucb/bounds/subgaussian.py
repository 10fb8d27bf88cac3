"""Theorem 5 (them-R-Bayes-SubR) repaired: rewards in [0, 1], adaptive sampling, any a > 0."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds._args import Terms, Value, pointwise, setting
from reucb.bounds.tails import falling_sum, knots
from reucb.bounds.widths import bonus_sum, learned_pulls, ratio

NAMES = ("initial", "widths", "tail")


def inflation(n_arms: float, rho: float) -> float:
    """kappa: with all errors below L standard deviations, |mu-hat_k - mu_k| <= sqrt(kappa) L tau_k for any sampling.

    kappa = max_u (1 + sqrt(K u))^2/(1 + u) over u = (1 - w_k)/W in [0, rho/K]: (1 + sqrt(rho))^2/(1 + rho/K) for
    rho <= K^2, else K + 1. It stands where the printed theorem has m.
    """
    if rho > n_arms**2:
        return n_arms + 1
    return (1 + math.sqrt(rho)) ** 2 / (1 + rho / n_arms)


def pieces(log_t: FloatArray, a: float) -> FloatArray:
    """1 + log t sqrt(a log t)/4: into how many pieces, at most, the counts up to t are cut."""
    return np.asarray(1 + math.sqrt(a) * log_t * np.sqrt(log_t) / 4)


def failure(rounds: FloatArray, n_arms: float, sigma0_sq: float, sigma_sq: float, a: float) -> FloatArray:
    """P(some interval fails in round t) <= min(1, 4 K t^{1 - a/(2 kappa)}, 2 K p e^{(1 + 1/sigma0^2)/2} t^{-a/2}).

    p = `pieces`. The minimum does not increase in t: a power above 1 never falls below 1 (4 K > 1), and where the last
    entry is below 1, a log t > 2 log 2 + 1 + 2 log p > 3 (p - 1)/p, and there it falls.
    """
    log_t, capped = np.log(rounds), min(a, 1e300)  # a smaller a is a larger bound
    by_prior = math.log(4 * n_arms) + (1 - capped / (2 * inflation(n_arms, ratio(sigma_sq, sigma0_sq)))) * log_t
    known = 1 + min(ratio(1.0, sigma0_sq), 1e306)
    by_range = math.log(2 * n_arms) + np.log(pieces(log_t, a)) + (known - capped * log_t) / 2
    return np.asarray(np.exp(np.minimum(0.0, np.minimum(by_prior, by_range))))


@lru_cache(maxsize=65536)
def subgaussian_core(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> tuple[float, ...]:
    """The three terms at one point."""
    first = min(n_arms, horizon) * min(1.0, math.sqrt(2 * sigma0_sq * math.log(n_arms)))
    if horizon <= n_arms or n_arms == 1:
        return first, 0.0, 0.0
    rounds = knots(n_arms + 1, horizon)
    alpha = learned_pulls(n_arms, sigma0_sq, sigma_sq)
    return (
        first,
        2 * bonus_sum(n_arms, horizon, sigma_sq, a, alpha),
        falling_sum(rounds, failure(rounds, n_arms, sigma0_sq, sigma_sq, a)),
    )


def theorem2_repaired_terms(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Terms:
    """The terms of `theorem2_repaired`: `initial`, `widths`, `tail` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.

    Returns
    -------
    dict
        `initial`, `widths`, `tail`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> terms = reucb.bounds.theorem2_repaired_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'initial': 28, 'widths': 3463, 'tail': 9950, 'total': 13441}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    return pointwise(subgaussian_core, NAMES, s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq, s.a)


def theorem2_repaired(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Value:
    """A bound on the Bayes regret of ReUCB for rewards and means in [0, 1], valid under adaptive sampling; any a > 0.

    mu_k - mu0 is subG(sigma0^2) and, given mu_k, the rewards minus mu_k are independent and subG(sigma^2):

        R_n <= min(n, K) min(1, sigma0 sqrt(2 log K))                                   `initial`
             + 2 sum_{j=1}^{n-K} sqrt(a log(n + 1 - j)) g(ceil(j/K))                    `widths`
             + sum_{t=K+1}^n min(1, 4 K t^{1 - a/(2 kappa)}, 2 K p e^{(1 + 1/sigma0^2)/2} t^{-a/2})   `tail`

    g as in `sharp`, kappa = `inflation`, p = `pieces`. Why: fix the rewards of every arm in advance. For each count
    s <= t the errors w (r-bar - mu_k) + (1 - w)(mu0 - mu_k) are subG(tilde-tau^2) and w (r-bar - mu0) is
    subG(w sigma0^2), by the tower rule; a union over counts and arms holds them all below sqrt(2 L) deviations but for
    probability 4 K t e^{-L}. Then |r0-bar - mu0| <= sqrt(2 L) sigma0 sqrt(K/W), and |mu-hat_k - mu_k| <= c_k for
    L = a log t/(2 kappa). Without the prior: |r0-bar - mu_k| <= 1, and sums of s <= t noises stay below
    cosh(y) sigma sqrt(2 L s) but for probability 2 K (1 + log(t)/(4 y)) e^{-L}, being below lines that touch this curve
    (Ville's inequality); with y^2 = 1/(a log t) an L above (a log t - 1/sigma0^2 - 1)/2 does. A round costs 2 c or 1.
    So sqrt(n), up to logarithms, for every a >= 1; but above n, and so vacuous, until a log t is well above 1/sigma0^2
    (or a above 2 kappa).

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.

    Returns
    -------
    float or ndarray
        The bound; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=10, sigma0_sq=0.25, sigma_sq=0.25, a=4.0)
    >>> values = reucb.bounds.theorem2_repaired(horizon=[10**4, 10**6, 10**8], **setting)
    >>> (values / [10**4, 10**6, 10**8]).round(3)
    array([0.364, 0.046, 0.005])
    """
    return theorem2_repaired_terms(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a)["total"]
