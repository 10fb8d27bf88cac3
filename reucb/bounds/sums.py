"""Sums over rounds, from above: of Gaussian tails, and of the confidence widths of one arm and of all arms.

After s >= 1 pulls of arm k, every other arm pulled at least once, W >= w_k + (K - 1)/(1 + rho), so Eq. MSE
gives

    tau_k^2 <= sigma^2/(s + rho) (1 + (1 - w_k)/(w_k + (K - 1)/(1 + rho))) = sigma^2/(s + alpha),
    alpha = (K - 1) rho/(K + rho),

with equality when all the others were pulled once: the posterior of an arm whose prior mean was learned from
K - 1 single rewards. It sharpens Lemma sec:tau, whose right side beta sigma^2/(s + rho) it equals at s = 1
only. The bound g(s) = sigma/sqrt(s + alpha) is decreasing and completely monotone.
"""

from __future__ import annotations

import math
import sys

import numpy as np

from reucb._numerics import FloatArray

EXACT = 512  # rounds taken one by one
KNOTS = 1024  # geometric steps beyond; any number gives a bound
HEAD = 32  # pulls summed one by one; beyond, three terms of Euler-Maclaurin are good to 5e-12
PIECES = 512  # pieces of the reversed sum; the bound holds for any number


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
    """alpha = (K - 1) rho/(K + rho): the pulls that the other arms' first rewards are worth (< K)."""
    return (n_arms - 1) / (1 + n_arms * ratio(sigma0_sq, sigma_sq))


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
    """K S(j/K): the most width, in units of sigma, that j pulls can meet once every arm was pulled.

    S(m) = sum_{s<=m} (s + alpha)^{-1/2}, linear between whole m, is concave: equal shares are worst (Jensen).
    """
    whole, left = np.divmod(rounds, n_arms)
    return np.asarray(n_arms * width_sum(whole, alpha) + left / np.sqrt(whole + 1 + alpha))


def bonus_sum(n_arms: float, horizon: float, sigma_sq: float, a: float, alpha: float) -> float:
    """The most that the bonuses c = sqrt(a log t) tau of rounds K+1..n can add up to.

    The last j of these rounds meet at most sigma K S(j/K) of width (`pooled`), and sqrt(log t) grows, so by
    partial summation, with d_j = K S(j/K) - K S((j-1)/K) = (ceil(j/K) + alpha)^{-1/2},

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
