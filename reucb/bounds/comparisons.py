"""Bounds that the paper compares Theorem 2 (them-R-Bayes) with: mu0 known, no common mean, no prior at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from reucb._numerics.validation import real_array
from reucb.bounds._args import (
    Terms,
    Value,
    above_zero,
    broadcast_together,
    float_or_array,
    require,
    setting,
    with_total,
)
from reucb.bounds.gaussian import NEEDS, choose_part, first_deviation, root_term, tail_term


def known_mu0_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Terms:
    """The terms of `known_mu0`: `leading`, `tail` and their sum.

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
    >>> terms = reucb.bounds.known_mu0_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'leading': 6052, 'tail': 1482, 'total': 7534}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    second = choose_part(s, part, np.ones(()), "the bound with mu0 known" + NEEDS, strict)
    with np.errstate(over="ignore"):
        leading, tail = root_term(s) * np.sqrt(s.sigma0_sq), tail_term(s, second) * first_deviation(s)
        return with_total(leading=leading, tail=tail)


def known_mu0(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, part: int | None = None, strict: bool = True
) -> Value:
    """Theorem 2 (them-R-Bayes) for a policy that knows mu0: beta is replaced by 1.

    The printed proof with tilde-tau in place of tau: the leading term loses the factor sqrt(beta), the tail the factor
    beta.

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
    >>> round(reucb.bounds.known_mu0(**setting))
    7534
    """
    return known_mu0_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )["total"]


def no_structure_terms(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    sigma_q_sq: Any,
    part: int | None = None,
    strict: bool = True,
) -> Terms:
    """The terms of `no_structure`: `leading`, `tail` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    sigma_q_sq : array_like
        Variance of mu0 under the wider prior, >= 0.
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
    >>> terms = reucb.bounds.no_structure_terms(**setting, sigma_q_sq=1.0)
    >>> {name: round(value) for name, value in terms.items()}
    {'leading': 11143, 'tail': 3582, 'total': 14725}
    """
    spread, prior = broadcast_together(
        sigma_q_sq=real_array("sigma_q_sq", sigma_q_sq, low=0.0), sigma0_sq=above_zero("sigma0_sq", sigma0_sq)
    )
    return known_mu0_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=spread + prior, sigma_sq=sigma_sq, a=a, part=part, strict=strict
    )


def no_structure(
    *,
    n_arms: Any,
    horizon: Any,
    sigma0_sq: Any,
    sigma_sq: Any,
    a: Any,
    sigma_q_sq: Any,
    part: int | None = None,
    strict: bool = True,
) -> Value:
    """`known_mu0` for arms treated as independent draws from N(0, sigma_q^2 + sigma0^2), without a common mean.

    The paper prints the leading term in its discussion of Theorem 2; the tail is that of `known_mu0` at the wider
    prior.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    sigma_q_sq : array_like
        Variance of mu0 under the wider prior, >= 0.
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
    >>> round(reucb.bounds.no_structure(**setting, sigma_q_sq=1.0))
    14725
    """
    return no_structure_terms(
        n_arms=n_arms,
        horizon=horizon,
        sigma0_sq=sigma0_sq,
        sigma_sq=sigma_sq,
        a=a,
        sigma_q_sq=sigma_q_sq,
        part=part,
        strict=strict,
    )["total"]


def classical(*, n_arms: Any, horizon: Any, sigma_sq: Any, a: Any, strict: bool = True) -> Value:
    """The leading term for the classical width without a prior: 4 sqrt(a sigma^2 K n log n).

    With w_k = 1 the index is r-bar_k + sqrt(a sigma^2 log t / n_k). If all intervals hold, a round costs at most twice
    the width of the pulled arm; log t <= log n; an arm pulled n_k times adds at most sum_{s<n_k} s^{-1/2} <= 2
    sqrt(n_k); and sum_k sqrt(n_k) <= sqrt(K n) by Cauchy-Schwarz. Comparable with the `leading` terms of the other
    bounds.

    Parameters
    ----------
    n_arms, horizon, sigma_sq, a : array_like
        Number of arms K, number of rounds n, noise variance, and constant of the index. They broadcast.
    strict : bool, optional
        If False, evaluate the formula also for a < 1.

    Returns
    -------
    float or ndarray
        The leading term; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.classical(n_arms=50, horizon=10_000, sigma_sq=0.25, a=1.0))
    4292
    """
    s = setting(n_arms, horizon, 1.0, sigma_sq, a)
    require(s.a >= 1, "the classical width is compared for a >= 1", strict, a=s.a)
    return float_or_array(
        np.asarray(4 * np.sqrt(s.a) * np.sqrt(s.sigma_sq) * np.sqrt(s.n_arms * s.horizon * np.log(s.horizon)))
    )
