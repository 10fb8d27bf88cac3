"""The uncertainty of sigma0^2/sigma^2, and intervals that average over it.

An interval that takes estimated variances for the truth is too short: at an estimate of 0 it is that of one common
mean. Here the variances have weights proportional to the restricted likelihood, with respect to d sigma0^2 and
d log sigma^2. For lam = sigma0^2/sigma^2 they are evaluated at nodes; given lam, sigma^2 is Q over a chi-square
variable, so that an arm mean has a t distribution about its BLUP. An interval ends at quantiles of the mixture.

With two or three arms these weights would all lie at infinity; there they are with respect to d of the shrinkage
s/(s + lam), s = 1/mean count. The degrees of freedom are N - 3, and N - 2 with two arms, so that the limit without
pooling is no shorter than the interval of an arm's own mean. Alternatives were compared by coverage: docs/intervals.md.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from reucb._numerics.arrays import FloatArray
from reucb._numerics.likelihood import OneWay, best_ratio, profile, projected_trace

_NODES = 64
_FLAT_FROM = 4  # arms
_STEPS = 60  # far more than Newton's method takes; enough for bisection alone


class Nodes(NamedTuple):
    """Weights that sum to 1, ratios and phi, each (nodes, rows); degrees of freedom (rows,), inf where phi is known."""

    weights: FloatArray
    ratio: FloatArray
    phi: FloatArray
    freedom: FloatArray


def ratio_nodes(data: OneWay) -> Nodes:
    """Nodes for the ratio given the data; rewards must vary within arms.

    They are even in log(lam - best + D), D = sqrt((K - 1) / tr P^2) a typical variance of an arm mean over phi: on that
    scale the standard deviation is near sqrt(2/(K - 1)). They reach 8 of these on both sides, and to where the tail
    lam^((1 - K)/2) has a weight below 1e-4.
    """
    data = data._replace(restricted=True)
    best, arms = best_ratio(data), data.arms
    h = profile(data, best).h
    one = np.ones_like(h)
    scale = np.sqrt((arms - 1) / projected_trace(h, one, one))
    sd = np.sqrt(2 / (arms - 1))
    start, stop = np.log(np.maximum(1 - best / scale, np.exp(-8 * sd))), 8 * sd + 14 / np.maximum(arms / 2 - 1, 0.5)
    edges = best + scale * np.expm1(start + (stop - start) * np.linspace(0, 1, _NODES + 1)[:, None])
    edges = np.maximum(edges, 0.0)
    middle = (edges[1:] + edges[:-1]) / 2
    points = [profile(data, ratio) for ratio in middle]
    value, residual = (np.stack([getattr(p, name) for p in points]) for name in ("value", "residual"))
    freedom = data.freedom - np.minimum(2, arms - 1)
    if data.within is not None:
        value = value - (data.freedom - freedom) * np.log(residual)
    typical = arms / data.n.sum(-1)
    shrinkage = typical / (typical + edges)
    measure = np.where(arms >= _FLAT_FROM, np.diff(edges, axis=0), -np.diff(shrinkage, axis=0))
    weights = np.exp((value.min(0) - value) / 2) * measure
    weights = weights / weights.sum(0)
    kept = (weights > 1e-12).any(1)
    weights, middle, residual = weights[kept], middle[kept], residual[kept]
    if data.within is None:
        return Nodes(weights, middle, np.ones_like(middle), np.full(len(best), np.inf))
    return Nodes(weights, middle, residual / freedom, freedom)


def mixture_quantile(
    weights: FloatArray, centre: FloatArray, spread: FloatArray, freedom: FloatArray, probability: float
) -> FloatArray:
    """The quantile of a mixture of t distributions, nodes on the first axis: Newton's method within a bracket."""
    large = ~(freedom < 1e8)  # there t is normal to eight digits
    safe = np.where(large, 1.0, freedom)
    peak = np.where(large, 0.0, special.gammaln((safe + 1) / 2) - special.gammaln(safe / 2) - np.log(safe) / 2)
    ends = centre + spread * np.where(large, special.ndtri(probability), special.stdtrit(safe, probability))
    low, high = ends.min(0), ends.max(0)
    x, width = (weights * ends).sum(0), high - low
    for _ in range(_STEPS):
        z = (x - centre) / spread
        excess = (weights * np.where(large, special.ndtr(z), special.stdtr(safe, z))).sum(0) - probability
        height = np.where(
            large, np.exp(-z * z / 2) / np.sqrt(2), np.exp(peak - (safe + 1) / 2 * np.log1p(z * z / safe))
        )
        low, high = np.where(excess < 0, x, low), np.where(excess < 0, high, x)
        with np.errstate(divide="ignore", invalid="ignore"):
            following = x - excess / (weights * height / (np.sqrt(np.pi) * spread)).sum(0)
        inside = (low <= following) & (following <= high)
        past, x = x, np.where(inside, following, (low + high) / 2)
        if (np.abs(x - past) <= 1e-10 * width).all():
            break
    return np.asarray(x)
