"""One problem for rewards in [0, 1]: its numbers, its prior on a mesh, and posteriors given 0/1 rewards.

Only the distribution function of the prior is used. Masses allow for rounding errors; posterior means and weights are
bounds from above or from below.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from reucb._numerics import FloatArray
from reucb.bounds.sharp import weight

EXACT = 20_000  # counts taken one by one
RATIO = 1.02  # of neighbouring counts beyond
LAMBDAS = np.geomspace(0.1, 5.0, 14)  # times the scale of Z
LARGEST_LAMBDA = 600.0  # exp(lam Z) is finite for lam up to here, as |Z| <= 1
CELLS = 512  # cells of equal length, and as many of equal mass
POINTS = 1 << 14  # of the sums over the distribution function
PARTS = 16  # of a cell, for its moments
ATOM = 1e-6  # a larger difference between cdf(ppf(u)) and u is taken for an atom
RELATIVE, ABSOLUTE = 1e-12, 1e-16  # error allowed for in the mass of a cell
GROUPS = 128  # of cells, for the posterior law after the last pull that is followed


@dataclass(frozen=True)
class BoundedSetting:
    """ReUCB* with numbers sigma^2, sigma0^2, a on K arms for n > K rounds; `binary`: rewards are 0 or 1."""

    n_arms: int
    horizon: int
    sigma0_sq: float
    sigma_sq: float
    a: float
    binary: bool

    @property
    def rho(self) -> float:
        """sigma^2/sigma0^2."""
        return self.sigma_sq / self.sigma0_sq

    @property
    def first_weight(self) -> float:
        """w(1), the weight of an arm pulled once."""
        return float(weight(1, self.rho))

    @property
    def most_pulls(self) -> int:
        """n - K, the most pulls of one arm before the last round; also the rounds after the first K."""
        return self.horizon - self.n_arms

    def mesh(self, most: int) -> int:
        """How many cells of the best mean or blocks of rounds: `most` from 10^4 rounds on, fewer for fewer rounds."""
        share: float = min(1.0, math.log10(1 + self.most_pulls) / 4) ** 1.5
        return max(1, round(most * share))

    def radius(self, rounds: float) -> float:
        """C_t = sigma sqrt(a log t)."""
        return math.sqrt(self.sigma_sq * self.a * math.log(rounds))

    @cached_property
    def counts(self) -> FloatArray:
        """0 (not used), then the counts 1..n-K: one by one up to EXACT, then in geometric steps, n - K the last."""
        return counts_up_to(self.most_pulls)


def counts_up_to(last: int) -> FloatArray:
    """0, 1, 2, .., then geometric, the last one `last`."""
    near = np.arange(min(last, EXACT) + 1.0)
    if near[-1] == last:
        return near
    far = np.geomspace(EXACT, last, 1 + int(np.ceil(np.log(last / EXACT) / np.log(RATIO))))
    return np.unique(np.concatenate([near, np.floor(far[:-1]), [float(last)]]))


@dataclass(frozen=True)
class Prior:
    """A law on [low, high] within [0, 1] without atoms."""

    law: Any

    @cached_property
    def support(self) -> tuple[float, float]:
        low, high = self.law.support()
        return float(low), float(high)

    def cdf(self, x: Any) -> FloatArray:
        return np.asarray(self.law.cdf(x), dtype=np.float64)

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, used to choose meshes: no bound depends on their accuracy."""
        return float(self.law.mean()), float(self.law.std())

    def gain(self, n_arms: int) -> float:
        """E max_k mu_k - E mu = int F - F^K, from above: F(right) - F(left)^K on every cell."""
        x = np.linspace(*self.support, POINTS + 1)
        cdf = self.cdf(x)
        return float(np.diff(x) @ (cdf[1:] - cdf[:-1] ** n_arms))

    def best_excess(self, n_arms: int) -> float:
        """E max_k mu_k - low = int 1 - F^K, from above."""
        x = np.linspace(*self.support, POINTS + 1)
        return float(np.diff(x) @ (1 - self.cdf(x)[:-1] ** n_arms))

    def best_spread(self, n_arms: int) -> float:
        """Approximate standard deviation of the best mean, used to choose a mesh."""
        quantiles = self.law.ppf(((np.arange(POINTS) + 0.5) / POINTS) ** (1 / n_arms))
        return float(np.std(quantiles))

    def best_cells(self, n_arms: int, count: int) -> FloatArray:
        """Edges of about `count` cells for the best mean: the sum of mass times length is least when the lengths go
        like the root of one over the density. Below the first edge the mass is below 1e-6.
        """
        low, high = self.support
        quantiles = np.asarray(self.law.ppf(np.linspace(1e-6, 1, POINTS // 4) ** (1 / n_arms)))
        x = np.unique(np.clip(np.append(quantiles, np.linspace(quantiles[0], high, POINTS // 4)), low, high))
        reached = np.append(0.0, np.cumsum(np.sqrt(np.diff(x) * np.diff(self.cdf(x) ** n_arms))))
        edges = np.unique(np.interp(np.linspace(0, reached[-1], count + 1), reached, x))
        return np.append(edges[:-1], high)

    def cell_moments(self, grid: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """Integrals of 1, mu - p, q - mu and (mu - p)(q - mu) over every cell [p, q] of the grid, from above."""
        p, q = grid[:-1, None], grid[1:, None]
        parts = p + (q - p) * np.arange(PARTS + 1) / PARTS
        mass = np.diff(self.cdf(parts), axis=1)
        mass += RELATIVE * mass + ABSOLUTE
        up, down = parts[:, 1:] - p, q - parts[:, :-1]
        return mass.sum(axis=1), (mass * up).sum(axis=1), (mass * down).sum(axis=1), (mass * up * down).sum(axis=1)


def checked_prior(prior: Any) -> Prior:
    """The prior, if it is one that the theorem allows."""
    shown = " ".join(repr(prior).split())[:80]
    if hasattr(prior, "freeze"):
        raise TypeError(f"prior = {shown}: must be frozen, that is, called with its parameters")
    if hasattr(prior, "pmf") or not all(
        hasattr(prior, name) for name in ("cdf", "sf", "ppf", "support", "mean", "std")
    ):
        raise TypeError(f"prior = {shown}: must be a frozen continuous scipy.stats distribution within [0, 1]")
    low, high = prior.support()
    if np.ndim(low) or np.ndim(high):
        raise ValueError(f"prior has a support of shape {np.shape(low)}: must be one distribution for all arms")
    if not 0 <= low < high <= 1:
        raise ValueError(f"prior has support [{low}, {high}]: must lie within [0, 1]")
    shares = (np.arange(POINTS) + 0.5) / POINTS
    places = prior.ppf(shares)
    jump = prior.cdf(places) - shares
    if not np.all(np.abs(jump) < ATOM):
        worst = places[np.argmax(~(np.abs(jump) < ATOM))]
        raise ValueError(f"prior jumps at {worst}: must have a continuous distribution function, ppf its inverse")
    return Prior(prior)


@dataclass(frozen=True)
class PriorMesh:
    """Cells [edges[i], edges[i + 1]] of the prior and the mass of each, from below and from above."""

    edges: FloatArray
    low: FloatArray
    high: FloatArray

    def place(self, x: float) -> int:
        """The number of the edge x."""
        return int(np.searchsorted(self.edges, x))


def mesh(prior: Prior, marks: FloatArray, cells: int = CELLS) -> PriorMesh:
    """A mesh with the marks among its edges."""
    low, high = prior.support
    by_mass = np.clip(prior.law.ppf(np.arange(1, cells) / cells), low, high)
    edges = np.unique(np.concatenate([np.linspace(low, high, cells + 1), by_mass, marks]))
    cdf, beyond = prior.cdf(edges), np.asarray(prior.law.sf(edges))
    mass = np.where(cdf[1:] < 0.5, np.diff(cdf), -np.diff(beyond))
    slack = RELATIVE * mass + ABSOLUTE
    return PriorMesh(edges, np.maximum(mass - slack, 0.0), mass + slack)


@dataclass(frozen=True)
class CellLikelihood:
    """The likelihood of s = 0..pulls successes (rows) divided by its peak: its least and largest value in each cell."""

    mesh: PriorMesh
    least: FloatArray
    most: FloatArray


def likelihood(mesh: PriorMesh, pulls: int) -> CellLikelihood:
    """x^s (1 - x)^(pulls - s) has one peak, at s/pulls, so in a cell it is least at an end."""
    from scipy.special import xlog1py, xlogy

    s = np.arange(pulls + 1.0)[:, None]
    peak = s / max(pulls, 1)
    logs = xlogy(s, mesh.edges) + xlog1py(pulls - s, -mesh.edges) - xlogy(s, peak) - xlog1py(pulls - s, -peak)
    at = np.exp(np.minimum(logs, 0.0))
    most = np.maximum(at[:, :-1], at[:, 1:])
    most[(mesh.edges[:-1] <= peak) & (peak <= mesh.edges[1:])] = 1.0
    return CellLikelihood(mesh, np.minimum(at[:, :-1], at[:, 1:]), most)


def posterior_means(found: CellLikelihood, cut: int, sign: int) -> FloatArray:
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


def posterior_weights(found: CellLikelihood, cut: int, sign: int) -> tuple[FloatArray, FloatArray]:
    """P(mu in a group of cells | s) from above, and the end of each group where sign * mu is largest."""
    first = np.unique(np.linspace(0, cut - 1, GROUPS + 1).astype(int))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        share = np.add.reduceat(found.most[:, :cut] * found.mesh.high[:cut], first, axis=1)
        share /= (found.least[:, :cut] @ found.mesh.low[:cut])[:, None]
    ends = found.mesh.edges[np.append(first[1:], cut)] if sign > 0 else found.mesh.edges[first]
    return np.minimum(np.where(np.isnan(share), 1.0, share), 1.0), ends
