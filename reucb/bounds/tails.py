"""Sums over rounds of Gaussian tails, from above, at a cost that does not grow with the horizon."""

from __future__ import annotations

import math

import numpy as np

from reucb._numerics.arrays import FloatArray

EXACT = 512  # rounds taken one by one
PIECES = 1024  # geometric pieces beyond; any number gives a bound


def density(s: FloatArray) -> FloatArray:
    """phi(s), the standard normal density."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-s * s / 2) / np.sqrt(2 * np.pi))


def upper_tail(s: FloatArray) -> FloatArray:
    """Q(s) = 1 - Phi(s)."""
    from scipy.special import ndtr

    return np.asarray(ndtr(-s))


def excess(s: FloatArray) -> FloatArray:
    """Psi(s) = E (Z - s)^+ = phi(s) - s Q(s), by the Mills ratio M as phi(s) (1 - s M(s)), never negative."""
    from scipy.special import erfcx

    return np.asarray(density(s) * np.maximum(1 - s * np.sqrt(np.pi / 2) * erfcx(s / np.sqrt(2)), 0.0))


def excess_of_any_sign(s: FloatArray) -> FloatArray:
    """Psi(s) for every sign of s: Psi(-s) = s + Psi(s)."""
    return np.asarray(excess(np.abs(s)) + np.maximum(-s, 0.0))


def bonus(a: float, rounds: FloatArray) -> FloatArray:
    """sqrt(a log t), also where a log t is larger than any float."""
    return np.asarray(math.sqrt(a) * np.sqrt(np.log(rounds)))


def knots(first: float, last: float) -> FloatArray:
    """Whole rounds from first to last: the first 512 all of them, then about 1024 in geometric steps."""
    near = np.arange(first, min(last, first + EXACT) + 1)
    if near[-1] == last:
        return near
    return np.unique(np.concatenate([near, np.round(np.geomspace(near[-1], last, PIECES + 1))]))


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
