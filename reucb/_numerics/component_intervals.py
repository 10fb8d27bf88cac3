"""Standard errors and confidence intervals of the two variance components."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import special

from reucb._numerics.arrays import FloatArray
from reucb._numerics.likelihood import OneWay, noiseless, profile, projected_trace


def information_errors(data: OneWay, between: FloatArray, phi: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Standard errors of (sigma0^2, sigma^2) by the expected information of the (restricted) likelihood.

    Half the matrix of tr(P), tr(P^2), ... in units of phi: rows and columns are the derivatives of the variance of all
    rewards by sigma0^2 and by sigma^2. With phi known the second row does not exist. Where phi is estimated as 0, the
    arm means are the arms, and the first error is that of their variance.
    """
    exact = phi == 0
    unit = np.where(exact, 1.0, phi)
    n, h = data.n, profile(data, np.where(exact, 0.0, between / unit)).h
    inverse = np.where(n > 0, 1 / np.where(n > 0, n, 1.0), 0.0)

    def trace(left: FloatArray, right: FloatArray) -> FloatArray:
        return projected_trace(h, left, right) if data.restricted else np.asarray((h * h * left * right).sum(-1))

    # The variance of an arm mean has the derivatives 1 by sigma0^2 and 1/n by sigma^2.
    one = np.ones_like(h)
    if data.within is None:
        return np.sqrt(2 / trace(one, one)), np.zeros_like(phi)
    both = trace(one, one), trace(one, inverse), trace(inverse, inverse) + n.sum(-1) - data.arms
    determinant = both[0] * both[2] - both[1] ** 2
    first = np.where(
        exact, between * np.sqrt(2 / (data.arms - data.restricted)), unit * np.sqrt(2 * both[2] / determinant)
    )
    return first, phi * np.sqrt(2 * both[0] / determinant)


def quadratic_errors(
    data: OneWay, between: FloatArray, phi: FloatArray, effective: FloatArray, *, unbiased: bool
) -> tuple[FloatArray, FloatArray]:
    """Standard errors of the quadratic estimates: their exact variances for Gaussian rewards and fixed counts."""
    n, size = data.n, data.n.sum(-1)
    spread = np.where(n > 0, between[:, None] + phi[:, None] / np.where(n > 0, n, 1.0), 0.0)
    squares = projected_trace(n, spread, spread)  # P = diag(n) - n n'/N is the form of the sum of squares
    noise = np.zeros_like(phi) if data.within is None else 2 * phi**2 / (size - data.arms)
    bias = (data.arms - 1) ** 2 * noise if unbiased else 0.0
    return np.sqrt(2 * squares + bias) / effective, np.sqrt(noise)


def noise_interval(data: OneWay, level: float) -> tuple[FloatArray, FloatArray]:
    """sigma^2 between SSW over quantiles of chi-square with N - K degrees of freedom: exact for Gaussian rewards."""
    assert data.within is not None
    half = (data.n.sum(-1) - data.arms) / 2
    tails = (1 - level) / 2
    low, high = special.gammaincinv(half, 1 - tails), special.gammaincinv(half, tails)
    return data.within / (2 * low), data.within / (2 * high)


def between_interval(data: OneWay, level: float) -> tuple[FloatArray, FloatArray]:
    """sigma0^2 by the Q-profile: the values at which sum_k (r-bar_k - mu)^2 / (sigma0^2 + v_k) is no outlier.

    At the truth the sum over K - 1 has the F distribution with K - 1 and inf degrees of freedom where v_k is known.
    With v_k = s^2/n_k estimated it is close to F with K - 1 and nu, nu = (N - K) / mean of (1 - w_k)^2 (Satterthwaite):
    exact for sigma0^2 = 0, and as sigma0^2 grows.
    """
    arms, tails = data.arms, (1 - level) / 2
    constant = np.zeros(len(arms), dtype=bool)
    if data.within is None:
        phi, rest = np.ones(len(arms)), np.full(len(arms), np.inf)
    else:
        constant = data.within == 0  # the arm means are the arms
        rest = data.n.sum(-1) - arms
        phi = np.where(constant, 1.0, data.within) / rest

    def bound(probability: float) -> FloatArray:
        def above(ratio: FloatArray) -> FloatArray:
            point = profile(data, ratio)
            spread = point.residual if data.within is None else point.residual - data.within
            shrink = point.h / np.where(data.n > 0, data.n, 1.0)  # 1 - w_k
            nu = rest / ((shrink**2).sum(-1) / arms)
            freedom = np.asarray(arms - 1, dtype=np.float64)
            return np.asarray(spread - phi * freedom * _f_quantile(freedom, nu, probability), dtype=np.float64)

        exact = noiseless(data) * (arms - data.restricted) / (2 * special.gammaincinv((arms - 1) / 2, probability))
        return np.where(constant, exact, phi * _crossing(data, above))

    return bound(1 - tails), bound(tails)


def _f_quantile(first: FloatArray, second: FloatArray, probability: float) -> FloatArray:
    large = ~(second < 1e8)  # there F is chi-square to eight digits
    finite = special.fdtri(first, np.where(large, 1.0, second), probability)
    return np.asarray(np.where(large, 2 * special.gammaincinv(first / 2, probability) / first, finite))


def _crossing(data: OneWay, above: Callable[[FloatArray], FloatArray]) -> FloatArray:
    """The ratio at which a decreasing function turns negative: 0 if it is nowhere positive."""
    low, high = np.zeros(len(data.n)), 1 / data.n.max(-1)
    for _ in range(2000):
        positive = above(high) > 0
        if not positive.any():
            break
        low, high = np.where(positive, high, low), np.where(positive, 4 * high, high)
    for _ in range(70):
        middle = (low + high) / 2
        positive = above(middle) > 0
        low, high = np.where(positive, middle, low), np.where(positive, high, middle)
    return np.where(above(np.zeros_like(low)) > 0, (low + high) / 2, 0.0)
