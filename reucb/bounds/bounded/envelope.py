"""Envelopes G = sup over stopping times tau >= 1 of E exp(lam Z_tau), Z_j = sign (S_j - level j)/(j + rho), from above.

S_j is the sum of j rewards of one arm, 0 or 1, whose mean is drawn from a law or known. By Lemma 1, whatever the
sampling, P(sum_i w_i sign (rbar_i - level) > x in some round) <= exp(-lam x) prod_i G_i.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reucb._engine.jit import compiled
from reucb._numerics.arrays import FloatArray

ROUNDING = 1e-9  # of log G; the recursions lose less than 1e-11 in 10^4 steps


@compiled
def backward(
    lams: FloatArray,
    levels: FloatArray,
    sign: int,
    rho: float,
    first: int,
    last: int,
    mean: FloatArray,
    values: FloatArray,
) -> None:
    """Optimal stopping from V_{last+1} = values to V_first: V_j(S) = max(exp(lam Z_j), p V(S + 1) + (1 - p) V(S)).

    `mean` holds p_last(S), afterwards p_{first-1}: p_{j-1}(S) = p_j(S)/(1 + p_j(S) - p_j(S + 1)), as rewards are
    exchangeable. Row i of `values` has lams[i] and levels[i]. Both arrays are overwritten.
    """
    for j in range(last, first - 1, -1):
        for i in range(len(lams)):
            value = values[i]
            ratio = math.exp(sign * lams[i] / (j + rho))
            stop = math.exp(-sign * lams[i] * levels[i] * j / (j + rho))
            for s in range(j + 1):
                value[s] = max(stop, value[s] + mean[s] * (value[s + 1] - value[s]))
                stop *= ratio
        for s in range(j):
            mean[s] = mean[s] / (1 + mean[s] - mean[s + 1])


def noise_after(lams: FloatArray, pulls: int, rho: float) -> FloatArray:
    """H = 1 + int_0^inf lam exp(lam x - 8 x^2 (J + rho)) dx, a factor for the noise of the pulls after J."""
    from scipy.special import erf

    a = 8 * (pulls + rho)
    return np.asarray(
        1 + lams * np.sqrt(np.pi / a) / 2 * np.exp(lams**2 / (4 * a)) * (1 + erf(lams / (2 * np.sqrt(a))))
    )


@dataclass(frozen=True)
class Arm:
    """What is known of one arm's mean, on the side where the sign makes envelopes larger.

    means[0] holds E[mu | S] after J - 1 pulls, later entries after fewer, the last one before any: bounds from above
    for sign = 1, from below for sign = -1, rising in S. weights[s, i] bounds P(mu in group i | S_J = s) and ends[i] is
    the end of the group where sign * mu is largest.
    """

    sign: int
    means: Sequence[FloatArray]
    weights: FloatArray
    ends: FloatArray

    @classmethod
    def known(cls, mean: float, sign: int, pulls: int) -> Arm:
        """An arm of known mean."""
        return cls(sign, [np.full(pulls, mean)], np.ones((pulls + 1, 1)), np.array([mean]))


def envelopes(arm: Arm, lams: FloatArray, levels: FloatArray, rho: float, ends_there: bool) -> FloatArray:
    """log G for each pair (lams[i], levels[i]); `ends_there`: no arm is pulled more than J = len(arm.means[0]) times.

    After J pulls, Z_j is a weighted mean of Z_J and sign (mu - level) plus noise, so that
    V_J <= H (e^{lam Z_J} + E[(e^{lam sign (mu - level)} - e^{lam Z_J})^+ | S_J]). The exact V_J is monotone in S, so
    its bound is made so. Then every V_j is, and means that are too large (sign = 1) or too small (-1) only raise it.
    """
    sign, pulls = arm.sign, len(arm.means[0])
    s = np.arange(pulls + 1.0)
    values = np.exp(lams[:, None] * sign * (s - levels[:, None] * pulls) / (pulls + rho))
    if not ends_there:
        for now, lam, level, factor in zip(values, lams, levels, noise_after(lams, pulls, rho), strict=True):
            later = np.exp(lam * sign * (arm.ends - level))
            bound = factor * (now + (arm.weights * np.maximum(later - now[:, None], 0.0)).sum(axis=1))
            now[:] = np.minimum.accumulate(bound[::-sign])[::-sign]
    mean = arm.means[0].copy()
    better = np.minimum if sign > 0 else np.maximum
    for known, following in zip(arm.means, [*arm.means[1:], np.zeros(1)], strict=True):
        mean[: len(known)] = better(mean[: len(known)], known)
        backward(lams, levels, sign, rho, len(following), len(known) - 1, mean, values)
    return np.asarray(np.log(values[:, 0] + mean[0] * (values[:, 1] - values[:, 0])) + ROUNDING)
