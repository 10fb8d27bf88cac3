"""A bound of order log^2 n: an arm is pulled while its width exceeds its gap, averaged over the prior."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds._args import Terms, Value, above_zero, broadcast_together, float_or_array, pointwise, require, setting
from reucb.bounds.normal import average_over_gaps, excess
from reucb.bounds.sharp import bonus, convex_sum, knots, learned_pulls, pooled, ratio, round_robin_regret, sharp_core

NAMES = ("initial", "gaps", "tail", "deviations")
LAST_TRIED = 1e15  # largest horizon at which the two bounds are compared


def gap_cost(
    n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float, b: float, price: FloatArray
) -> FloatArray:
    """E sum_{k != *} (Delta_k - price)^+ min(n - K, ((B sigma/Delta_k)^2 - alpha)^+) + price (n - K).

    A pull of arm k at width tau on the good event has Delta_k <= B tau, B as in `logarithmic`, so arm k has no more
    such pulls than the second factor. There are n - K pulls in all, so for any price >= 0 only the cost above
    the price has to be counted for each of them.
    """
    rounds, alpha = horizon - n_arms, learned_pulls(n_arms, sigma0_sq, sigma_sq)
    reach = (
        (math.sqrt(a) + math.sqrt(b)) * math.sqrt(math.log(horizon)) * ratio(math.sqrt(sigma_sq), math.sqrt(sigma0_sq))
    )
    with np.errstate(over="ignore"):  # a price too large for a float in this unit is above every gap
        levels = np.asarray(price)[..., None] / math.sqrt(sigma0_sq)

    def cost(z: FloatArray) -> FloatArray:
        with np.errstate(over="ignore"):  # more pulls than a float can represent: all rounds
            return np.maximum(z - levels, 0.0) * np.clip((reach / z) ** 2 - alpha, 0.0, rounds)

    kinks = (reach / math.sqrt(rounds + alpha), reach / math.sqrt(max(alpha, 1e-300)), *levels.ravel())
    return math.sqrt(sigma0_sq) * average_over_gaps(cost, kinks, n_arms) + price * rounds


def tails(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float, b: float) -> tuple[float, float]:
    """The cost of rounds outside the good event: the terms `tail` and `deviations` of `logarithmic`.

    The second is sum_t q_t tau_{I_t}. The widths of the first j rounds after the K-th add up to at most sigma K S(j/K)
    and q falls, so by partial summation it is at most sigma sum_j q_{K+j} (ceil(j/K) + alpha)^{-1/2}; evaluated from
    above with q at the left end of the pieces of `knots`.
    """
    alpha, rounds = learned_pulls(n_arms, sigma0_sq, sigma_sq), knots(n_arms + 1, horizon)
    optimism = (n_arms - 1) / math.sqrt(1 + alpha) * convex_sum(rounds, excess(bonus(a, rounds)))
    falling = (n_arms - 1) * rounds ** (-a / 2) + (1 + math.sqrt(a / b)) * rounds ** (-b / 2)
    met = pooled(np.append(rounds, horizon + 1) - 1 - n_arms, n_arms, alpha)
    deviations = float(falling @ np.diff(met)) / math.sqrt(2 * math.pi)
    return math.sqrt(sigma_sq) * optimism, math.sqrt(sigma_sq) * deviations


@lru_cache(maxsize=65536)
def logarithmic_core(
    n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float, b: float
) -> tuple[float, ...]:
    """The four terms at one point."""
    first = round_robin_regret(n_arms, horizon, sigma0_sq)
    if horizon <= n_arms or n_arms == 1:
        return first, 0.0, 0.0, 0.0
    point = (n_arms, horizon, sigma0_sq, sigma_sq, a, b)
    return first, float(gap_cost(*point, np.zeros(()))), *tails(*point)


def logarithmic_terms(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, b: Any = 1.0, strict: bool = True
) -> Terms:
    """The terms of `logarithmic`: `initial`, `gaps`, `tail`, `deviations` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    b : array_like, optional
        Parameter of the bound, > 0; the order log^2 n needs b >= 1.
    strict : bool, optional
        If False, evaluate the formula also where the hypotheses do not hold.

    Returns
    -------
    dict
        `initial`, `gaps`, `tail`, `deviations`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    >>> terms = reucb.bounds.logarithmic_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'initial': 22, 'gaps': 1906, 'tail': 1, 'deviations': 26, 'total': 1956}
    """
    s, second = setting(n_arms, horizon, sigma0_sq, sigma_sq, a), above_zero("b", b)
    require(s.a >= 2, "the logarithmic bound is of order log^2 n for a >= 2", strict, a=s.a)
    require(second >= 1, "the logarithmic bound is of order log^2 n for b >= 1", strict, b=second)
    broadcast_together(arguments=s.a, b=second)
    return pointwise(logarithmic_core, NAMES, s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq, s.a, second)


def logarithmic(
    *, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, b: Any = 1.0, strict: bool = True
) -> Value:
    """A gap-dependent bound on the Bayes regret of ReUCB with known variances: order log^2 n for a >= 2.

    n <= K: n sigma0 e_K, exactly. n > K, Gaussian model, fixed unknown mu0, any a, b > 0:

        R_n <= K sigma0 e_K                                                             `initial`
             + E sum_{k != *} Delta_k min(n - K, ((B sigma/Delta_k)^2 - alpha)^+)       `gaps`
             + (K - 1) g(1) sum_{t=K+1}^n Psi(sqrt(a log t))                            `tail`
             + sum_{t=K+1}^n q_t g(ceil((t - K)/K))                                     `deviations`

    B = (sqrt(a) + sqrt(b)) sqrt(log n), q_t = ((K - 1) t^{-a/2} + (1 + sqrt(a/b)) t^{-b/2})/sqrt(2 pi); alpha, g
    and Psi as in `sharp`. It holds for every a > 0 and b > 0 (strict=False); the order needs a >= 2 and b >= 1.

    Why: given the reward differences the errors X_k = mu-hat_k - mu_k are N(0, tau_k^2) and positively correlated. Let
    s = sqrt(a log t), x = sqrt(b log t), I the pulled arm.
    - mu_* <= U_* and X_I <= x tau_I: then Delta_I <= (s + x) tau_I, and `gaps` counts the round.
    - mu_* <= U_* and X_I > x tau_I: the round costs at most X_I + s tau_I, on average
      (phi(x) + s Q(x)) tau_I <= (1 + s/x) phi(x) tau_I.
    - mu_* > U_*, * not I: it costs at most (mu_* - U_*) + (X_I + s tau_I)^+, on average over each arm k that may be *
      at most Psi(s) tau_k + (s + Psi(s)) Q(s) tau_I by the positive correlation, and (s + Psi(s)) Q(s) <= phi(s).
    The average over the prior is a quadrature (`normal.average_over_gaps`), relative error below 1e-9.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.
    b : array_like, optional
        Parameter of the bound, > 0; the order log^2 n needs b >= 1.
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
    >>> round(reucb.bounds.logarithmic(**setting))
    1956
    """
    return logarithmic_terms(
        n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a, b=b, strict=strict
    )["total"]


def _below_sharp(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> bool:
    point = (n_arms, horizon, sigma0_sq, sigma_sq, a)
    return sum(logarithmic_core(*point, 1.0)) < sum(sharp_core(*point))


def _first_below(n_arms: float, sigma0_sq: float, sigma_sq: float, a: float) -> float:
    """The last loss on a grid of 64 horizons, then bisection up to the next point of the grid."""
    grid = np.unique(np.round(np.geomspace(n_arms + 1, LAST_TRIED, 64))).tolist()
    lost = [i for i, n in enumerate(grid) if not _below_sharp(n_arms, n, sigma0_sq, sigma_sq, a)]
    if not lost:
        return float(grid[0])
    if lost[-1] == len(grid) - 1:
        return math.inf
    low, high = grid[lost[-1]], grid[lost[-1] + 1]
    while high - low > 1:
        middle = float(math.floor((low + high) / 2))
        low, high = (low, middle) if _below_sharp(n_arms, middle, sigma0_sq, sigma_sq, a) else (middle, high)
    return float(high)


def logarithmic_from(*, n_arms: Any, sigma0_sq: Any, sigma_sq: Any, a: Any, strict: bool = True) -> Value:
    """The horizon from which on `logarithmic` is below `sharp`.

    Found on a grid of 64 horizons, then by bisection after the last grid point at which it is not below. That it is
    below between the later grid points is observed, not proved.

    Parameters
    ----------
    n_arms, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, variance of the arm means, noise variance, and constant of the index. They broadcast.
    strict : bool, optional
        If False, a < 2 is allowed.

    Returns
    -------
    float or ndarray
        The horizon; inf if `logarithmic` is not below `sharp` at 1e15.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number, or `strict` is True and a hypothesis does not hold.

    Examples
    --------
    >>> import reucb
    >>> reucb.bounds.logarithmic_from(n_arms=50, sigma0_sq=0.04, sigma_sq=0.25, a=2.0)
    6208.0
    """
    s = setting(n_arms, 1, sigma0_sq, sigma_sq, a)
    require(s.a >= 2, "the logarithmic bound is of order log^2 n for a >= 2", strict, a=s.a)
    points = np.broadcast(s.n_arms, s.sigma0_sq, s.sigma_sq, s.a)
    return float_or_array(np.array([_first_below(*map(float, point)) for point in points]).reshape(points.shape))
