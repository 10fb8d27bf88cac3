"""Theorem 2 of the paper (Gaussian rewards) as printed, term by term, and repaired.

The functions are called `theorem1` and `theorem2`: the first and the second theorem of the paper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb._numerics.validation import shown
from reucb.bounds._args import (
    Setting,
    Terms,
    Value,
    positive_integers,
    require,
    setting,
    with_total,
)

NEEDS = " needs a >= 1 in part (1), a >= 2 in part (2)"


def log_ratio(s: Setting) -> FloatArray:
    """log(1 + n sigma0^2/sigma^2) / log(1 + sigma0^2/sigma^2), between 1 and n."""
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        odds = s.sigma0_sq / s.sigma_sq
        found = np.log1p(odds * s.horizon) / np.log1p(odds)
    log_odds = np.log(s.sigma0_sq) - np.log(s.sigma_sq)
    found = np.where(log_odds > 600, 1 + np.log(s.horizon) / np.where(log_odds > 600, log_odds, 1.0), found)
    return np.where(log_odds < -600, s.horizon, found)


def learning_price(s: Setting) -> FloatArray:
    """beta = 1 + sigma^2 / (K sigma0^2), the factor by which the bound grows because mu0 is unknown."""
    return 1 + s.rho / s.n_arms


def priced(s: Setting, value: FloatArray) -> FloatArray:
    """beta times a value, without forming rho, which may be too large for a float."""
    sigma0, sigma = np.sqrt(s.sigma0_sq), np.sqrt(s.sigma_sq)
    with np.errstate(over="ignore"):
        return np.asarray(value + sigma / s.n_arms * (value / sigma0) * (sigma / sigma0))


def root_term(s: Setting) -> FloatArray:
    """2 sqrt(a log_ratio K n log n): both leading terms, but for sigma0 and their power of beta."""
    return np.asarray(2 * np.sqrt(s.a) * np.sqrt(log_ratio(s) * s.n_arms * s.horizon * np.log(s.horizon)))


def first_deviation(s: Setting) -> FloatArray:
    """sqrt(v), v = sigma^2/(1 + rho): the posterior deviation of an arm after one reward, mu0 known."""
    sigma0, sigma = np.sqrt(s.sigma0_sq), np.sqrt(s.sigma_sq)
    return np.asarray(np.minimum(sigma, sigma0) * (np.maximum(sigma, sigma0) / np.hypot(sigma, sigma0)))


def tail_term(s: Setting, part_two: FloatArray) -> FloatArray:
    """K sqrt(8 n / pi) in part (1), (1 + log n) K sqrt(2 / pi) in part (2).

    The tails of Theorem them-R-Bayes are beta sqrt(v) times this.
    """
    scale = s.n_arms * np.sqrt(2 / np.pi)
    return np.asarray(scale * np.where(part_two, 1 + np.log(s.horizon), 2 * np.sqrt(s.horizon)))


def choose_part(
    s: Setting, part: int | None, threshold: FloatArray, theorem: str, strict: bool, **found: FloatArray
) -> FloatArray:
    """True where part (2) is used: where asked for, by default from twice the threshold of part (1) on."""
    if part is not None and (not isinstance(part, (int, np.integer)) or isinstance(part, bool) or part not in (1, 2)):
        raise ValueError(f"part = {shown(part)}: must be 1, 2 or None (part 2 wherever its hypothesis holds)")
    second = s.a >= 2 * threshold if part is None else np.full(s.a.shape, part == 2)
    require(s.a >= np.where(second, 2, 1) * threshold, theorem, strict, a=s.a, **found)
    return np.asarray(second)


def theorem1_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Terms:
    """The terms of `theorem1`: `leading`, `tail` and their sum.

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
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> terms = reucb.bounds.theorem1_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'leading': 6419, 'tail': 1667, 'total': 8086}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    second = choose_part(s, part, np.ones(()), "Theorem them-R-Bayes" + NEEDS, strict)
    together_with_mean = np.hypot(np.sqrt(s.sigma0_sq), np.sqrt(s.sigma_sq) / np.sqrt(s.n_arms))  # sqrt(beta) sigma0
    with np.errstate(over="ignore"):
        tail = priced(s, tail_term(s, second) * first_deviation(s))
        return with_total(leading=root_term(s) * together_with_mean, tail=tail)


def theorem1(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """The bound of Theorem 2 (them-R-Bayes, Gaussian model) as printed.

        leading  = 2 sqrt(a log(1 + n/rho)/log(1 + 1/rho) beta sigma0^2 K n log n)
        tail (1) = beta K sqrt(8 n v / pi)
        tail (2) = beta K (1 + log n) sqrt(2 v / pi)

    rho = sigma^2/sigma0^2, beta = 1 + rho/K, v = sigma^2/(1 + rho). Part (1) needs a >= 1, part (2) needs a >= 2.

    As printed it is false at n = 1 (K = 2, sigma0 = 1, sigma = 1/10: the regret is 1/sqrt(pi) and the bound is
    smaller); `theorem1_repaired` requires n >= 2, where it is true.

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
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> round(reucb.bounds.theorem1(**setting))
    8086
    """
    return theorem1_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )["total"]


def theorem1_repaired(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """Theorem 2 repaired: `theorem1` with the additional hypothesis n >= 2, without which it is false.

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
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> round(reucb.bounds.theorem1_repaired(**setting))
    8086
    """
    rounds = positive_integers("horizon", horizon)
    require(
        rounds >= 2, "Theorem them-R-Bayes is false at n = 1; repaired, it needs horizon >= 2", strict, horizon=rounds
    )
    return theorem1(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )
