"""The regret of random play; ReUCB* is no worse for at most two rounds per arm, and for two arms always."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics.validation import real_array
from reucb.bounds._args import Value, broadcast_together, float_or_array, positive_integers, require, setting
from reucb.bounds.normal import density, expected_max, panels, upper_tail
from reucb.bounds.sharp import round_robin_regret
from reucb.bounds.sums import ratio

SLACK = 1e-9  # relative to the regret of random play; covers the quadrature


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

    K > 2 and n > 2 K is open. With mu0 known and a bonus that does not depend on t the argument for K = 2 goes
    through: the other arms are pulled in an order of their own, whatever happens to arm 1. With sqrt(a log t) a pull
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
