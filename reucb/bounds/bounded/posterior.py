"""Posterior means of an arm with 0/1 rewards whose mean has the prior cut at y, from above or from below."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.bounded.prior import Mesh

GROUPS = 128  # of cells, for the posterior law after the last pull that is followed


@dataclass(frozen=True)
class Likelihood:
    """The likelihood of s = 0..pulls successes (rows) divided by its peak: its least and largest value in each cell."""

    mesh: Mesh
    least: FloatArray
    most: FloatArray


def likelihood(mesh: Mesh, pulls: int) -> Likelihood:
    """x^s (1 - x)^(pulls - s) has one peak, at s/pulls, so in a cell it is least at an end."""
    from scipy.special import xlog1py, xlogy

    s = np.arange(pulls + 1.0)[:, None]
    peak = s / max(pulls, 1)
    logs = xlogy(s, mesh.edges) + xlog1py(pulls - s, -mesh.edges) - xlogy(s, peak) - xlog1py(pulls - s, -peak)
    at = np.exp(np.minimum(logs, 0.0))
    most = np.maximum(at[:, :-1], at[:, 1:])
    most[(mesh.edges[:-1] <= peak) & (peak <= mesh.edges[1:])] = 1.0
    return Likelihood(mesh, np.minimum(at[:, :-1], at[:, 1:]), most)


def means(found: Likelihood, cut: int, sign: int) -> FloatArray:
    """E[mu | s], s = 0..pulls, for the prior cut at edge number `cut`: from above (sign = 1) or below (-1).

    With masses m and likelihood L, E[mu | s] <= p + sum_i m_i max_i((x - p) L)/sum_i m_i L for every p, here one close
    to it. E[mu | s] rises in s, so a bound from above at s + 1 is one at s, and the bounds rise too.
    Where L underflows only the range is known.
    """
    edges, low, high = found.mesh.edges[: cut + 1], found.mesh.low[:cut], found.mesh.high[:cut]
    least, most = found.least[:, :cut], found.most[:, :cut]
    middle = (low + high) * (least + most)
    ends = edges[1:] if sign > 0 else edges[:-1]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        guess = (middle @ (edges[:-1] + edges[1:])) / (2 * middle.sum(axis=1))
        far = sign * (ends - guess[:, None])
        excess = np.where(far > 0, far * (most * high), far * (least * low)).sum(axis=1)
        bound = guess + sign * excess / np.where(excess > 0, least @ low, most @ high)
    if sign > 0:
        bound = np.where(np.isfinite(bound), np.minimum(bound, edges[-1]), edges[-1])
        return np.asarray(np.minimum.accumulate(bound[::-1])[::-1])
    bound = np.where(np.isfinite(bound), np.maximum(bound, edges[0]), edges[0])
    return np.asarray(np.maximum.accumulate(bound))


def weights(found: Likelihood, cut: int, sign: int) -> tuple[FloatArray, FloatArray]:
    """P(mu in a group of cells | s) from above, and the end of each group where sign * mu is largest."""
    first = np.unique(np.linspace(0, cut - 1, GROUPS + 1).astype(int))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = np.add.reduceat(found.most[:, :cut] * found.mesh.high[:cut], first, axis=1)
        share /= (found.least[:, :cut] @ found.mesh.low[:cut])[:, None]
    ends = found.mesh.edges[np.append(first[1:], cut)] if sign > 0 else found.mesh.edges[first]
    return np.minimum(np.where(np.isnan(share), 1.0, share), 1.0), ends
