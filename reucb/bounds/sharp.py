"""Theorem 2 (them-R-Bayes) sharpened: no factor two, one tail instead of two, sums instead of bounds on them.

The sums over rounds come first, each taken from above: of Gaussian tails, and of the confidence widths of one arm and
of all arms. Other bounds use them too. After s >= 1 pulls of arm k, every other arm pulled at least once,
W >= w_k + (K - 1)/(1 + rho), so Eq. MSE gives

    tau_k^2 <= sigma^2/(s + rho) (1 + (1 - w_k)/(w_k + (K - 1)/(1 + rho))) = sigma^2/(s + alpha),
    alpha = (K - 1) rho/(K + rho),

with equality when all the others were pulled once: the posterior of an arm whose prior mean was learned from
K - 1 single rewards. It sharpens Lemma sec:tau, whose right side beta sigma^2/(s + rho) it equals at s = 1
only. The bound g(s) = sigma/sqrt(s + alpha) is decreasing and completely monotone.
"""

from __future__ import annotations

import math
import sys
from functools import lru_cache
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds._args import Terms, Value, pointwise, setting
from reucb.bounds.normal import excess, expected_max

EXACT = 512  # rounds taken one by one
KNOTS = 1024  # geometric steps beyond; any number gives a bound
HEAD = 32  # pulls summed one by one; beyond, three terms of Euler-Maclaurin are good to 5e-12
PIECES = 512  # pieces of the reversed sum; the bound holds for any number
NAMES = ("initial", "widths", "tail")


def bonus(a: float, rounds: FloatArray) -> FloatArray:
    """sqrt(a log t), also where a log t is larger than any float."""
    return np.asarray(math.sqrt(a) * np.sqrt(np.log(rounds)))


def knots(first: float, last: float) -> FloatArray:
    """Whole rounds from first to last: the first 512 all of them, then about 1024 in geometric steps."""
    near = np.arange(first, min(last, first + EXACT) + 1)
    if near[-1] == last:
        return near
    return np.unique(np.concatenate([near, np.round(np.geomspace(near[-1], last, KNOTS + 1))]))


def falling_sum(rounds: FloatArray, values: FloatArray) -> float:
    """sum_{t=first}^{last} h(t) from above for decreasing h, known at the knots: on [p, q) it is at most h(p)."""
    return float(np.diff(rounds, append=rounds[-1] + 1) @ values)


def convex_sum(rounds: FloatArray, values: FloatArray) -> float:
    """sum_{t=first}^{last} h(t) from above for convex h, known at the knots: between two of them h is below
    its chord.

    A piece [p, q) adds L h(p) + (h(q) - h(p)) (L - 1)/2, L = q - p; the last knot adds h(last). Exact where
    L = 1.
    """
    length = np.diff(rounds)
    return float(length @ values[:-1] + np.diff(values) @ (length - 1) / 2 + values[-1])


def ratio(over: float, under: float) -> float:
    """over/under; infinite where a float cannot hold it."""
    return over / under if under > over / sys.float_info.max else math.inf


def learned_pulls(n_arms: float, sigma0_sq: float, sigma_sq: float) -> float:
    """alpha = (K - 1) rho/(K + rho), below K: number of pulls equivalent to the other arms' first rewards."""
    return (n_arms - 1) / (1 + n_arms * ratio(sigma0_sq, sigma_sq))


def weight(pulls: Any, rho: Any) -> Any:
    """Eq. w-def: pulls/(pulls + rho), rho = sigma^2/sigma_0^2; of numbers or arrays. 1 - w is weight(rho, pulls)."""
    return pulls / (pulls + rho)


def width_sum(pulls: FloatArray, alpha: float) -> FloatArray:
    """sum_{s=1}^m (s + alpha)^{-1/2} from above, at whole m; relative error below 1e-11.

    Exact to m = 32. Beyond, with x = 32.5 + alpha and y = m + 1/2 + alpha, the rest is at most
    2 (sqrt(y) - sqrt(x)) - (x^{-3/2} - y^{-3/2})/48 + 7 (x^{-7/2} - y^{-7/2})/3072:
    the midpoint series of a completely monotone summand is alternately above and below its sum.
    """
    head = np.concatenate([[0.0], np.cumsum(1 / np.sqrt(np.arange(1, HEAD + 1) + alpha))])
    x, y = HEAD + 0.5 + alpha, np.maximum(pulls, HEAD) + 0.5 + alpha
    rest = 2 * (y - x) / (np.sqrt(y) + np.sqrt(x)) - (x**-1.5 - y**-1.5) / 48 + 7 * (x**-3.5 - y**-3.5) / 3072
    return np.asarray(head[np.minimum(pulls, HEAD).astype(np.int64)] + rest)


def pooled(rounds: FloatArray, n_arms: float, alpha: float) -> FloatArray:
    """K S(j/K): the largest sum of the widths of j pulls after every arm was pulled once, in units of sigma.

    S(m) = sum_{s<=m} (s + alpha)^{-1/2}, linear between whole m, is concave: equal shares are worst (Jensen).
    """
    whole, left = np.divmod(rounds, n_arms)
    return np.asarray(n_arms * width_sum(whole, alpha) + left / np.sqrt(whole + 1 + alpha))


def bonus_sum(n_arms: float, horizon: float, sigma_sq: float, a: float, alpha: float) -> float:
    """The most that the bonuses c = sqrt(a log t) tau of rounds K+1..n can add up to.

    The widths of the last j of these rounds add up to at most sigma K S(j/K) (`pooled`), and sqrt(log t) grows, so
    by partial summation, with d_j = K S(j/K) - K S((j-1)/K) = (ceil(j/K) + alpha)^{-1/2},

        sum_t c <= sigma sum_{j=1}^{n-K} sqrt(a log(n + 1 - j)) d_j   (the widest pulls come last).

    Evaluated from above: knots j_p = round((n - K) (p/512)^2), and on (j_p, j_{p+1}] the factor
    sqrt(a log(n - j_p)); with at most 512 rounds every one is a knot. Never above sqrt(a log n) sigma K S((n - K)/K).
    """
    rounds = horizon - n_arms
    if rounds <= PIECES:
        ends = np.arange(rounds + 1)
    else:
        ends = np.unique(np.round(rounds * np.linspace(0, 1, PIECES + 1) ** 2))
    gains = np.diff(pooled(ends, n_arms, alpha))
    return math.sqrt(a) * math.sqrt(sigma_sq) * float(np.sqrt(np.log(horizon - ends[:-1])) @ gains)


def round_robin_regret(n_arms: float, horizon: float, sigma0_sq: float) -> float:
    """Regret of the round robin: min(n, K) sigma0 e_K, exactly."""
    return min(n_arms, horizon) * math.sqrt(sigma0_sq) * float(expected_max(n_arms))


def optimism_tail(n_arms: float, horizon: float, sigma_sq: float, a: float, alpha: float) -> float:
    """sum_{t=K+1}^n Psi(sqrt(a log t)) ((K - 1) g(1) + g(t - K)), from above.

    sum_k tau_k <= sum_k g(n_k) with n_k >= 1 and sum_k n_k = t - 1; g is convex, so the worst is all extra
    pulls on one arm. Psi(sqrt(a log t)) is convex in t: its derivative -(a/2) Q(s)/(s t) rises. A product of
    convex decreasing factors is convex.
    """
    rounds = knots(n_arms + 1, horizon)
    spread = (n_arms - 1) / math.sqrt(1 + alpha) + 1 / np.sqrt(rounds - n_arms + alpha)
    return math.sqrt(sigma_sq) * convex_sum(rounds, excess(bonus(a, rounds)) * spread)


@lru_cache(maxsize=65536)
def sharp_core(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> tuple[float, ...]:
    """The three terms at one point."""
    if horizon <= n_arms or n_arms == 1:
        return round_robin_regret(n_arms, horizon, sigma0_sq), 0.0, 0.0
    alpha = learned_pulls(n_arms, sigma0_sq, sigma_sq)
    return (
        round_robin_regret(n_arms, horizon, sigma0_sq),
        bonus_sum(n_arms, horizon, sigma_sq, a, alpha),
        optimism_tail(n_arms, horizon, sigma_sq, a, alpha),
    )


def sharp_terms(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Terms:
    """The terms of `sharp`: `initial`, `widths`, `tail` and their sum.

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
    >>> terms = reucb.bounds.sharp_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'initial': 22, 'widths': 1732, 'tail': 72, 'total': 1826}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    return pointwise(sharp_core, NAMES, s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq, s.a)


def sharp(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Value:
    """A proved bound on the Bayes regret of ReUCB with known variances, for every a > 0 and fixed unknown mu0.

    n <= K: n sigma0 e_K, exactly. n > K, Gaussian model:

        R_n <= K sigma0 e_K                                                             `initial`
             + sum_{j=1}^{n-K} sqrt(a log(n + 1 - j)) g(ceil(j/K))                      `widths`
             + sum_{t=K+1}^n Psi(sqrt(a log t)) ((K - 1) g(1) + g(t - K))               `tail`

    g(s) = sigma/sqrt(s + alpha), alpha = (K - 1) rho/(K + rho), rho = sigma^2/sigma0^2, Psi(s) = phi(s) - s Q(s).
    It is below K sigma0 e_K + sqrt(a log n) K S((n - K)/K) + K g(1) sum_t Psi(sqrt(a log t)) with S the linearly
    interpolated partial sums of the wider sqrt(sigma^2/(s + rho) (1 + rho (1 + rho)/(K (s + rho)))).

    Why: choices depend on reward differences only, and given those mu-hat_k - mu_k is N(0, tau_k^2); so
    E[U_{I_t} - mu_{I_t}] = E c_{I_t} and E[mu_* - U_*] <= Psi(sqrt(a log t)) sum_k E tau_k. The rest is
    counting: see `bonus_sum` and `optimism_tail`. One arm has no regret.

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
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> round(reucb.bounds.sharp(**setting))
    1826
    """
    return sharp_terms(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a)["total"]


@lru_cache(maxsize=65536)
def sharp_simple_core(n_arms: float, horizon: float, sigma0_sq: float, sigma_sq: float, a: float) -> tuple[float, ...]:
    """The three terms of `sharp_simple` at one point."""
    first = round_robin_regret(n_arms, horizon, sigma0_sq)
    if horizon <= n_arms or n_arms == 1:
        return first, 0.0, 0.0
    rounds, sigma = knots(n_arms + 1, horizon), math.sqrt(sigma_sq)
    leading = 2 * sigma * math.sqrt(a) * math.sqrt(n_arms * (horizon - n_arms) * math.log(horizon))
    widest = sigma / math.sqrt(1 + learned_pulls(n_arms, sigma0_sq, sigma_sq))
    return first, leading, n_arms * widest * convex_sum(rounds, excess(bonus(a, rounds)))


def sharp_simple_terms(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Terms:
    """The terms of `sharp_simple`: `initial`, `leading`, `tail` and their sum.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        Number of arms K, number of rounds n, variance of the arm means, noise variance, and constant of the index. They
        broadcast.

    Returns
    -------
    dict
        `initial`, `leading`, `tail`, `total`: floats, or arrays of the broadcast shape.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> terms = reucb.bounds.sharp_simple_terms(**setting)
    >>> {name: round(value) for name, value in terms.items()}
    {'initial': 22, 'leading': 2141, 'tail': 73, 'total': 2236}
    """
    s = setting(n_arms, horizon, sigma0_sq, sigma_sq, a)
    return pointwise(
        sharp_simple_core, ("initial", "leading", "tail"), s.n_arms, s.horizon, s.sigma0_sq, s.sigma_sq, s.a
    )


def sharp_simple(*, n_arms: Any, horizon: Any, sigma0_sq: Any, sigma_sq: Any, a: Any) -> Value:
    """A closed form above `sharp`: one logarithm less than Theorem them-R-Bayes, and no beta in its leading term.

    n <= K: n sigma0 e_K, exactly. n > K, Gaussian model, any a > 0, fixed unknown mu0:

        R_n <= K sigma0 e_K                                                             `initial`
             + 2 sigma sqrt(a K (n - K) log n)                                          `leading`
             + K sqrt(beta sigma^2/(1 + rho)) sum_{t=K+1}^n Psi(sqrt(a log t))          `tail`

    rho = sigma^2/sigma0^2, beta = 1 + rho/K, Psi(s) = phi(s) - s Q(s). Not knowing mu0 enters through beta in the tail
    only. From `sharp`: the widths of j pulls of an arm add up to at most sigma sum_{s<=j} s^{-1/2} <= 2 sigma sqrt(j),
    equal shares of the n - K rounds are the worst, log t <= log n, and g(1)^2 = beta sigma^2/(1 + rho) bounds every
    tau^2.

    Parameters
    ----------
    n_arms, horizon, sigma0_sq, sigma_sq, a : array_like
        K, n, the variances of effects and noise, and the width of the policy; they broadcast.

    Returns
    -------
    float or ndarray
        The bound, never below `sharp`.

    Raises
    ------
    ValueError, TypeError
        If an argument is out of range or not a number.

    Examples
    --------
    >>> import reucb
    >>> setting = dict(n_arms=50, horizon=10_000, sigma0_sq=0.04, sigma_sq=0.25, a=1.0)
    >>> round(reucb.bounds.sharp_simple(**setting)), round(reucb.bounds.theorem1(**setting))
    (2236, 8086)
    """
    return sharp_simple_terms(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq, a=a)["total"]
