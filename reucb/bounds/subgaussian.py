"""Theorem 5 of the paper (them-R-Bayes-SubR, rewards in [0, 1]): as printed, as its proof derives it, and repaired.

The repaired bound holds for adaptive sampling and any a > 0.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds._args import (
    Terms,
    Value,
    above_zero,
    broadcast_together,
    float_or_array,
    pointwise,
    positive_integers,
    setting,
    with_total,
)
from reucb.bounds.gaussian import choose_part, first_deviation, priced, root_term, tail_term
from reucb.bounds.sharp import bonus_sum, falling_sum, knots, learned_pulls, ratio

NAMES = ("initial", "widths", "tail")


def m_constant(*, n_arms: Any, sigma0_sq: Any, sigma_sq: Any) -> Value:
    """The constant m of Theorem 5 (them-R-Bayes-SubR): (1 + sqrt(rho/K))^2 / (1 + 1/(K (1 + rho))).

    Parameters
    ----------
    n_arms, sigma0_sq, sigma_sq : array_like
        Number of arms K, variance of the arm means and noise variance; rho = sigma_sq/sigma0_sq. They broadcast.

    Returns
    -------
    float or ndarray
        The constant; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.m_constant(n_arms=50, sigma0_sq=0.04, sigma_sq=0.25), 3)
    1.827
    """
    arms, prior, noise = broadcast_together(
        n_arms=positive_integers("n_arms", n_arms),
        sigma0_sq=above_zero("sigma0_sq", sigma0_sq),
        sigma_sq=above_zero("sigma_sq", sigma_sq),
    )
    with np.errstate(over="ignore", under="ignore"):
        root = np.sqrt(noise) / np.sqrt(prior)
        return float_or_array(np.asarray((1 + root / np.sqrt(arms)) ** 2 / (1 + 1 / (arms * (1 + root**2)))))


def _sub_gaussian(derived: bool, part: int | None, strict: bool, **arguments: Any) -> Terms:
    s = setting(**arguments)
    least = np.asarray(m_constant(n_arms=s.n_arms, sigma0_sq=s.sigma0_sq, sigma_sq=s.sigma_sq))
    needs = "Theorem them-R-Bayes-SubR needs a >= m in part (1), a >= 2 m in part (2) (m is `m_constant`)"
    second = choose_part(s, part, least, needs, strict, m=least)
    harmonic = s.n_arms * (1 + np.log(s.horizon))
    with np.errstate(over="ignore"):
        if derived:
            tail = 4 * np.where(second, harmonic, s.n_arms * np.sqrt(s.horizon))
        else:
            tail = np.where(second, 2 * harmonic, priced(s, tail_term(s, np.zeros(())) * first_deviation(s)))
        return with_total(leading=priced(s, root_term(s) * np.sqrt(s.sigma0_sq)), tail=tail)


def theorem2_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Terms:
    """The terms of `theorem2`: `leading`, `tail` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    part : {1, 2}, optional
        Part of the theorem. By default part 2 where its hypothesis holds, else part 1.
    strict : bool, optional
        If False, evaluate the formula also where the hypotheses do not hold.

    Returns
    -------
    dict
        `leading`, `tail`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    >>> terms = reucb.bounds.theorem2_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'leading': 9629, 'tail': 1667, 'total': 11296}
    """
    return _sub_gaussian(
        False, part, strict, n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a
    )


def theorem2(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """The bound of Theorem 5 (them-R-Bayes-SubR, rewards in [0, 1]) as printed.

        leading  = 2 beta sqrt(a log(1 + n/rho)/log(1 + 1/rho) sigma0^2 K n log n)
        tail (1) = beta K sqrt(8 n v / pi), as in `theorem1`
        tail (2) = 2 K (1 + log n)

    Part (1) needs a >= m and part (2) needs a >= 2 m (`m_constant`). The theorem is not true in general, and its proof
    ends with other tails than those printed: see `theorem2_derived` and `theorem2_repaired`.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    part : {1, 2}, optional
        Part of the theorem. By default part 2 where its hypothesis holds, else part 1.
    strict : bool, optional
        If False, evaluate the formula also where the hypotheses do not hold.

    Returns
    -------
    float or ndarray
        The bound; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    >>> round(reucb.bounds.theorem2(**setting))
    11296
    """
    return theorem2_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )["total"]


def theorem2_derived_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Terms:
    """The terms of `theorem2_derived`: `leading`, `tail` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    part : {1, 2}, optional
        Part of the theorem. By default part 2 where its hypothesis holds, else part 1.
    strict : bool, optional
        If False, evaluate the formula also where the hypotheses do not hold.

    Returns
    -------
    dict
        `leading`, `tail`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    >>> terms = reucb.bounds.theorem2_derived_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'leading': 9629, 'tail': 20000, 'total': 29629}
    """
    return _sub_gaussian(
        True, part, strict, n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a
    )


def theorem2_derived(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """The bound that the printed proof of Theorem 5 (them-R-Bayes-SubR) ends with.

    The leading term is that of `theorem2`; the tails are 4 K sqrt(n) in part (1) and 4 K (1 + log n) in part (2). The
    proof has gaps, so this is not a proved bound: see `theorem2_repaired`.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    part : {1, 2}, optional
        Part of the theorem. By default part 2 where its hypothesis holds, else part 1.
    strict : bool, optional
        If False, evaluate the formula also where the hypotheses do not hold.

    Returns
    -------
    float or ndarray
        The bound; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    >>> round(reucb.bounds.theorem2_derived(**setting))
    29629
    """
    return theorem2_derived_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )["total"]


def inflation(n_arms: float, rho: float) -> float:
    """kappa: with all errors below L standard deviations, |mu-hat_k - mu_k| <= sqrt(kappa) L tau_k for any sampling.

    kappa = max_u (1 + sqrt(K u))^2/(1 + u) over u = (1 - w_k)/W in [0, rho/K]: (1 + sqrt(rho))^2/(1 + rho/K) for
    rho <= K^2, else K + 1. It takes the place of m in the printed theorem.
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
    """Theorem 5 repaired: a bound on the Bayes regret for rewards and means in [0, 1] under adaptive sampling.

    It holds for any a > 0. mu_k - mu0 is subG(sigma0^2) and, given mu_k, the rewards minus mu_k are independent and
    subG(sigma^2):

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
