"""The standard normal law: density, upper tail and mean excess, accurate far out in the tails."""

from __future__ import annotations

import numpy as np

from reucb._numerics import FloatArray


def density(s: FloatArray) -> FloatArray:
    """phi(s), the standard normal density."""
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(-s * s / 2) / np.sqrt(2 * np.pi))


def upper_tail(s: FloatArray) -> FloatArray:
    """Q(s) = 1 - Phi(s)."""
    from scipy.special import ndtr

    return np.asarray(ndtr(-s))


def excess(s: FloatArray) -> FloatArray:
    """Psi(s) = E (Z - s)^+ = phi(s) - s Q(s) for s >= 0, by Mills' ratio M as phi(s) (1 - s M(s)), never negative.

    The relative error is at most s^2 units in the last place.
    """
    from scipy.special import erfcx

    mills = np.sqrt(np.pi / 2) * erfcx(s / np.sqrt(2))
    return np.asarray(density(s) * np.maximum(1 - s * mills, 0.0))


def excess_of_any_sign(s: FloatArray) -> FloatArray:
    """Psi(s) for every sign of s; where s < 0 as phi(s) - s Q(s), which does not cancel there."""
    return np.asarray(np.where(s > 0, excess(np.maximum(s, 0.0)), density(s) - s * upper_tail(s)))
