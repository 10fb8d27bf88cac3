"""Averages over the prior of what the suboptimal arms cost, by quadrature."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import lru_cache

import numpy as np
from numpy.polynomial import Chebyshev
from numpy.polynomial.legendre import leggauss

from reucb._numerics.arrays import FloatArray
from reucb.bounds.extremes import panels

FAR = 16.0  # in units of sigma0; a gap beyond it has probability below K * 1e-28
STEP = 0.5


def gap_density(z: FloatArray, n_arms: float) -> FloatArray:
    """p_K(z): the density of the K - 1 gaps (mu_* - mu_k)/sigma0 to the best arm, total mass K - 1.

    p_K(z) = K (K - 1) int phi(y) phi(y - z) Phi(y)^{K-2} dy: best arm at y, arm k at y - z, all others below y.
    Recipe: Gauss-Legendre of order 16 on the panels of width 1/2 of [-9, 13].
    """
    from scipy.special import log_ndtr

    y, weights = panels(-9.0, 13.0, 0.5)
    best = (n_arms - 2) * log_ndtr(y) - y * y / 2
    joint = np.exp(best - (y - z[..., None]) ** 2 / 2)
    return np.asarray(n_arms * (n_arms - 1) / (2 * np.pi) * (joint @ weights))


@lru_cache(maxsize=1024)
def _log_density(n_arms: float) -> Chebyshev:
    """log p_K on [0, 16] as a polynomial: it is smooth, and many integrals share it."""
    return Chebyshev.interpolate(lambda z: np.log(gap_density(z, n_arms)), 96, domain=[0, FAR])


def mesh(kinks: Iterable[float]) -> FloatArray:
    """Panel edges from 0 to 16: every kink, doublings of the smallest up to 1/2, then steps of 1/2."""
    cuts = np.sort([k for k in kinks if 0 < k < FAR])
    doublings = max(math.ceil(math.log2(STEP / cuts[0])), 0) if cuts.size else 0
    ladder = cuts[0] * 2.0 ** np.arange(1, doublings) if doublings else cuts
    return np.unique(np.concatenate([[0.0], cuts, ladder, np.arange(1, FAR / STEP + 1) * STEP]))


def average(cost: Callable[[FloatArray], FloatArray], kinks: Iterable[float], n_arms: float) -> FloatArray:
    """E sum_{k != *} cost(z_k) over the scaled gaps z_k, for a cost smooth between its kinks, at worst like 1/z.

    Recipe: Gauss-Legendre of order 16 on the panels of `mesh`, against p_K. Relative error below 1e-9. A cost may
    return several rows, one per last axis of nodes: as many averages come back.
    """
    edges = mesh(kinks)
    nodes, weights = leggauss(16)
    half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
    z = (middle[:, None] + half[:, None] * nodes).ravel()
    return np.asarray(cost(z) @ ((half[:, None] * weights).ravel() * np.exp(_log_density(n_arms)(z))))
