"""The mean of a clipped Gaussian, accurate in the tails and for noise far wider than the interval."""

from __future__ import annotations

import numpy as np

from reucb._numerics.arrays import FloatArray

_WIDE = 0.25  # intervals shorter than this many sigmas are integrated: the closed form would cancel


def clipped_mean(mu: FloatArray, sigma: FloatArray, low: float, high: float) -> FloatArray:
    """E min(max(X, low), high) for X ~ N(mu, sigma^2).

    With h(z) = z Phi(z) + phi(z) = E max(Z + z, 0), the mean is

        low + sigma (h((mu - low)/sigma) - h((mu - high)/sigma)).

    Seen from the nearer end (h(z) = z + h(-z) turns one form into the other) both terms are small together, so
    the distance to that end keeps its relative precision. When sigma is wide beside the interval the two terms
    cancel; there the same number is the integral of P(X > x) over it, by a Gauss-Legendre rule exact to rounding.
    """
    mu, sigma = np.broadcast_arrays(mu, sigma)
    result = np.array(np.clip(mu, low, high))
    noisy = sigma > 0
    mu, sigma = mu[noisy], sigma[noisy]
    near_low = mu <= low + (high - low) / 2
    with np.errstate(over="ignore", under="ignore"):
        inside = np.where(near_low, mu - low, high - mu) / sigma  # reflect: one end serves for both
        width = np.broadcast_to((high - low) / sigma, inside.shape)
        closed = _gain(inside) - _gain(inside - width)
        reach = sigma * np.where(width < _WIDE, _integrated(inside, width), closed)
        value = np.where(near_low, low + reach, high - reach)
    result[noisy] = np.clip(value, low, high)
    return result


def _gain(z: FloatArray) -> FloatArray:
    """h(z) = E max(Z + z, 0); for z < 0 as phi(z) (1 + z R(-z)), R Mills' ratio, which loses z^2 ulp at most."""
    from scipy.special import erfcx, ndtr

    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    below = np.minimum(z, 0.0)
    mills = np.sqrt(np.pi / 2) * erfcx(-below / np.sqrt(2))
    left = density * np.maximum(1 + below * mills, 0.0)
    right = z * ndtr(z) + density
    return np.asarray(np.where(z < 0, left, right))


def _integrated(inside: FloatArray, width: FloatArray) -> FloatArray:
    """Integral of Phi(inside - x) for x from 0 to width <= 1/4: 20 nodes are exact to rounding there."""
    from scipy.special import ndtr

    nodes, weights = np.polynomial.legendre.leggauss(20)
    points = inside[..., None] - np.minimum(width, _WIDE)[..., None] * (nodes + 1) / 2
    return np.asarray(width / 2 * (ndtr(points) @ weights))
