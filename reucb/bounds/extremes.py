"""The expected best of K arms, and the regret of random play it gives."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb._numerics.validation import real_array
from reucb.bounds._args import Value, plain, together, whole


@cache
def panels(low: float, high: float, width: float, order: int = 16) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of Gauss-Legendre of the given order on equal panels of [low, high]."""
    nodes, weights = np.polynomial.legendre.leggauss(order)
    edges = np.linspace(low, high, round((high - low) / width) + 1)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    return (middle[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()


def expected_max(n_arms: Any) -> Value:
    """The expected maximum e_K of K independent standard normal variables, to 1e-12.

    e_K = int_0^oo (1 - Phi(x)^K - Q(x)^K) dx with Q = 1 - Phi, by Gauss-Legendre quadrature of order 16 on the 48
    panels of width 1/4 of [0, 12], with 1 - Phi^K = -expm1(K log1p(-Q)). The remainder beyond 12 is below K * 1e-33.

    Parameters
    ----------
    n_arms : array_like
        K, positive integers.

    Returns
    -------
    float or ndarray
        e_K; a float if `n_arms` is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.expected_max(50), 3)
    2.249
    """
    from scipy.special import ndtr

    arms = whole("n_arms", n_arms)
    nodes, weights = panels(0.0, 12.0, 0.25)
    upper = ndtr(-nodes)
    log_lower, log_upper = np.log1p(-upper), np.log(upper)
    count = arms.reshape(-1, 1)
    sums = np.array([(-np.expm1(k * log_lower) - np.exp(k * log_upper)) @ weights for k in count])
    return plain(np.where(arms == 1, 0.0, sums.reshape(arms.shape)))


def trivial(*, n_arms: Any, horizon: Any, sigma0_sq: Any) -> Value:
    """The Bayes regret of uniformly random play and of round robin: n sigma0 e_K, exactly.

    An arm chosen without data has the expected mean mu0, and the best of K Gaussian arms has mu0 + sigma0 e_K
    (`expected_max`).

    Parameters
    ----------
    n_arms, horizon, sigma0_sq : array_like
        Number of arms K, number of rounds n, and variance of the arm means (>= 0). They broadcast.

    Returns
    -------
    float or ndarray
        The regret; a float if every argument is a number.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.trivial(n_arms=50, horizon=10_000, sigma0_sq=0.04))
    4498
    """
    arms, rounds = whole("n_arms", n_arms), whole("horizon", horizon)
    variance = real_array("sigma0_sq", sigma0_sq, low=0.0)
    together(n_arms=arms, horizon=rounds, sigma0_sq=variance)
    return plain(np.asarray(rounds * np.sqrt(variance) * expected_max(arms)))
