"""Two arms exactly: the least Bayes regret of any algorithm, and that of ReUCB*, by dynamic programming.

A policy that uses differences of rewards only, as one that does not know mu0 and treats all values of it alike,
has the state (n1, n2, d): delta = mu_1 - mu_2 is N(d, v), 1/v = 1/(2 sigma0^2) + 1/(sigma^2 (1/n1 + 1/n2)). Pulling
arm 1 costs E(-delta)^+, arm 2 costs E(delta)^+, and the next d is N(d, v - v_next). The first pull of each arm costs
sigma0 e_2 and gives no information about delta before both were pulled, so one pull each is an optimal start.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb._numerics.validation import integer, positive
from reucb.bounds._args import above_zero
from reucb.bounds.normal import excess_of_any_sign

SPAN = 9.0  # the grid of d, in units of sigma0
LONGEST = 2000


def posterior_variance(n1: FloatArray, n2: FloatArray, rho: float) -> FloatArray:
    """v in units of sigma0^2."""
    return np.asarray(1 / (0.5 + 1 / (rho * (1 / n1 + 1 / n2))))


def width(own: FloatArray, other: FloatArray, rho: float) -> FloatArray:
    """tau_k of Eq. MSE for two arms, in units of sigma0."""
    u, w = rho / (own + rho), other / (other + rho)
    return np.asarray(np.sqrt(u * (1 + u / (1 - u + w))))


@lru_cache(maxsize=256)
def solve(horizon: int, rho: float, a: float | None, nodes: int) -> float:
    """The regret in units of sigma0: of the best policy, or of ReUCB* with width a.

    Expectations over the next d are convolutions with a Gaussian by FFT. ReUCB* changes arms at a threshold; the cell
    that contains it is shared in proportion, so that the error is of second order in the step.
    """
    x = np.linspace(-SPAN, SPAN, nodes, endpoint=False)
    step = x[1] - x[0]
    squares = (2 * np.pi * np.fft.rfftfreq(nodes, step)) ** 2 / 2
    after = np.zeros((horizon - 1, nodes))
    for total in range(horizon - 1, 1, -1):
        n1 = np.arange(1.0, total)
        n2 = total - n1
        v = posterior_variance(n1, n2, rho)
        first, second = (v - posterior_variance(*n, rho) for n in ((n1 + 1, n2), (n1, n2 + 1)))
        spectrum = np.fft.rfft(after)  # row i: arm 1 pulled i + 1 times
        root = np.sqrt(v)[:, None]
        one = root * excess_of_any_sign(x / root) + np.fft.irfft(
            spectrum[1:] * np.exp(-first[:, None] * squares), nodes
        )
        two = root * excess_of_any_sign(-x / root) + np.fft.irfft(
            spectrum[:-1] * np.exp(-second[:, None] * squares), nodes
        )
        if a is None:
            after = np.minimum(one, two)
        else:
            threshold = math.sqrt(a * math.log(total + 1)) * (width(n2, n1, rho) - width(n1, n2, rho))
            share = np.clip((x - threshold[:, None]) / step + 0.5, 0.0, 1.0)
            after = share * one + (1 - share) * two
    start = math.sqrt(2 - float(posterior_variance(np.array(1.0), np.array(1.0), rho)))
    weights = np.exp(-((x / start) ** 2) / 2)
    return float(after[0] @ weights / weights.sum()) + 2 / math.sqrt(math.pi)


def _value(horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: float | None, nodes: Any) -> float:
    rounds, nodes = integer("horizon", horizon, 1, LONGEST), integer("nodes", nodes, 64, 2**16)
    prior, noise = float(above_zero("sigma0_sq", sigma0_sq)), float(above_zero("sigma_sq", sigma_sq))
    if rounds <= 2:
        return rounds * math.sqrt(prior / math.pi)
    return math.sqrt(prior) * solve(rounds, noise / prior, a, nodes)


def two_arm_optimum(*, horizon: Any, sigma0_sq: Any, sigma_sq: Any, nodes: Any = 512) -> float:
    """The least Bayes regret of any algorithm for two arms that uses differences of rewards only.

    Parameters
    ----------
    horizon : int
        n, from 1 to 2000. The time is of order n^2: about a second for n = 200.
    sigma0_sq, sigma_sq : float
        The variances of effects and noise.
    nodes : int
        Points of the grid of d; the error falls like nodes^-2.

    Returns
    -------
    float
        An approximation, not a bound: with 512 nodes it changes by less than 1e-4 of its value when the nodes are
        doubled (n <= 200, sigma/sigma0 from 1/2 to 5).

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.two_arm_optimum(horizon=20, sigma0_sq=1.0, sigma_sq=1.0), 3)
    2.566
    """
    return _value(horizon, sigma0_sq, sigma_sq, None, nodes)


def two_arm_reucb(*, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, nodes: Any = 1024) -> float:
    """The Bayes regret of ReUCB* (mu0 estimated, variances known) for two arms, by the recursion of `two_arm_optimum`.

    Parameters
    ----------
    horizon : int
        n, from 1 to 2000.
    sigma0_sq, sigma_sq, a : float
        Variance of the arm means, noise variance, and constant of the index.
    nodes : int, optional
        Points of the grid of d.

    Returns
    -------
    float
        An approximation. The choice of ReUCB* jumps at a threshold, so convergence is slower than in `two_arm_optimum`:
        with 1024 nodes the value changes by less than 3e-3 of itself when the nodes are doubled.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> round(reucb.bounds.two_arm_reucb(horizon=20, sigma0_sq=1.0, sigma_sq=1.0, a=1.0), 1)
    2.8
    """
    return _value(horizon, sigma0_sq, sigma_sq, positive("a", a), nodes)
