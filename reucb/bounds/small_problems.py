"""Few rounds, or two arms: ReUCB* is no worse than random play; for two arms its regret and the least one are computed.

Random play has a closed form; that ReUCB* is no worse is proved for at most two rounds per arm, and for two arms.

Two arms are solved by dynamic programming, for ReUCB* and for the best algorithm. A policy that uses differences of
rewards only, as one that does not know mu0 and treats all values of it alike, has the state (n1, n2, d):
delta = mu_1 - mu_2 is N(d, v), 1/v = 1/(2 sigma0^2) + 1/(sigma^2 (1/n1 + 1/n2)). Pulling arm 1 costs E(-delta)^+, arm 2
costs E(delta)^+, and the next d is N(d, v - v_next). The first pull of each arm costs sigma0 e_2 and gives no
information about delta before both were pulled, so one pull each is an optimal start.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb._numerics.validation import integer, positive, real_array
from reucb.bounds._args import (
    Value,
    above_zero,
    broadcast_together,
    float_or_array,
    positive_integers,
    require,
    setting,
)
from reucb.bounds.normal import density, excess_of_any_sign, expected_max, panels, upper_tail
from reucb.bounds.sharp import ratio, round_robin_regret, weight

SLACK = 1e-9  # relative to the regret of random play; covers the quadrature
SPAN = 9.0  # the grid of d, in units of sigma0
LONGEST = 2000


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
    arms, rounds = positive_integers("n_arms", n_arms), positive_integers("horizon", horizon)
    variance = real_array("sigma0_sq", sigma0_sq, low=0.0)
    broadcast_together(n_arms=arms, horizon=rounds, sigma0_sq=variance)
    return float_or_array(np.asarray(rounds * np.sqrt(variance) * expected_max(arms)))


@lru_cache(maxsize=65536)
def sum_of_largest(n_arms: float, number: float) -> float:
    """E of the sum of the `number` largest of K standard normals, to 1e-10 for each.

    K E[Z; fewer than m of the K - 1 others exceed Z], a binomial probability; the mean of all K is 0.
    """
    from scipy.special import betainc

    if number >= n_arms:
        return 0.0
    nodes, weights = panels(-12.0, 12.0, 0.125)
    among = betainc(n_arms - number, number, upper_tail(-nodes))
    return n_arms * float((nodes * density(nodes) * among) @ weights)


def few_rounds_proved(n_arms: float, horizon: float) -> bool:
    """Whether `few_rounds` is proved for K arms and n rounds."""
    return n_arms <= 2 or horizon <= 2 * n_arms


@lru_cache(maxsize=65536)
def few_rounds_core(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float) -> float:
    """The bound at one point."""
    if horizon <= n_arms or n_arms == 1:
        return round_robin_regret(n_arms, horizon, sigma0_sq)
    sigma0, played = math.sqrt(sigma0_sq), horizon * float(expected_max(n_arms))
    share = 1 / math.hypot(1.0, ratio(math.sqrt(sigma_sq), sigma0))
    gain = share * sum_of_largest(n_arms, horizon - n_arms) if horizon < 2 * n_arms else 0.0
    return sigma0 * (played * (1 + SLACK) - gain)


def few_rounds(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, strict: bool = True) -> Value:
    """A proved bound on the Bayes regret of ReUCB* for n <= 2 K, and for K = 2 and every n; any a > 0.

    n <= K: n sigma0 e_K, exactly. K < n <= 2 K, in units of sigma0, rho = sigma^2/sigma0^2:

        R_n <= n e_K - (1 + rho)^{-1/2} E[sum of the n - K largest of K standard normals] <= n e_K.

    K = 2: R_n <= n e_2. Both hold for mu0 estimated and for mu0 known. n e_K is the regret of random play (`trivial`).

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq : array_like
        K, n and the variances of effects and noise; they broadcast.
    strict : bool
        False evaluates n sigma0 e_K where it is not proved to be a bound.

    Returns
    -------
    float or ndarray
        The bound.

    Raises
    ------
    ValueError
        For K > 2 and n > 2 K, where it is open whether ReUCB* can be worse than random play.

    Notes
    -----
    Let mu0 = 0. R_n = n e_K - E sum_t mu_{I_t}, and the first K rounds add 0 to the sum.

    n <= 2 K. Consider round K + i, i <= K, and let T be the set of arms pulled more than once before it. An arm
    enters T when it is pulled at count 1; among arms of count 1 all widths are equal and the estimates are ordered
    like the first rewards, so T holds the |T| <= i - 1 arms of largest first reward. Let J be the best arm outside T:
    its first reward is at least r_(i), the i-th largest. The pulled arm I has U_I >= U_J and tau_I <= tau_J, as tau
    falls with the count, so mu-hat_I >= mu-hat_J. Given the reward differences, E[mu_I - mu_J] = mu-hat_I - mu-hat_J;
    hence E mu_I >= E mu_J. Given all rewards E mu_J = r_J/(1 + rho) >= r_(i)/(1 + rho), and r has variance 1 + rho.
    The sum of the m largest of K centred variables has mean >= 0.

    K = 2. Fix mu_2 and all noise and raise mu_1. Then the pulls n_1(t) of arm 1 do not fall, for every t: where both
    runs have the same n_1 they have the same n_2 = t - 1 - n_1, the same widths, and mu-hat_1 - mu-hat_2, a positive
    multiple of rbar_1 - rbar_2 at given counts (or rising in rbar_1, mu0 known), is not lower in the raised run; so
    it pulls arm 1 whenever the other does. Hence N_1 rises with mu_1 and E[N_1 mu_1] = E Cov(N_1, mu_1 | mu_2, noise)
    >= 0, and likewise for arm 2.

    K > 2 and n > 2 K is open. With mu0 known and a bonus that does not depend on t the argument for K = 2 remains
    valid: the order in which the other arms are pulled does not depend on arm 1. With sqrt(a log t) a pull
    of arm 1 delays the others, whose order may change with the bonus; with mu0 estimated it also changes their
    estimates. Simulation of 210 settings (K = 3, 5, 12, rho = 0.02 to 300, a = 0.02 to 400, n up to 4 K + 6, 10^4
    runs each) shows no case: E sum_t mu_{I_t} was nowhere below 0 by more than 2.1 standard errors, with values near
    0 only for large a, where ReUCB* is a round robin.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=80, sigma0_sq=1.0, sigma_sq=1.0)
    >>> round(reucb.bounds.few_rounds(**setting)), round(reucb.bounds.trivial(n_arms=50, horizon=80, sigma0_sq=1.0))
    (166, 180)
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, 1.0)
    known = (s.n_arms <= 2) | (s.horizon <= 2 * s.n_arms)
    require(known, "few_rounds is proved for n <= 2 K or K <= 2", strict, n_arms=s.n_arms, horizon=s.horizon)
    points = np.broadcast(s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq)
    return float_or_array(np.array([few_rounds_core(*map(float, point)) for point in points]).reshape(points.shape))


def posterior_variance(n1: FloatArray, n2: FloatArray, rho: float) -> FloatArray:
    """v in units of sigma0^2."""
    return np.asarray(1 / (0.5 + 1 / (rho * (1 / n1 + 1 / n2))))


def width(own: FloatArray, other: FloatArray, rho: float) -> FloatArray:
    """tau_k of Eq. MSE for two arms, in units of sigma0."""
    u, w = weight(rho, own), weight(other, rho)
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
