"""A Bayesian stopping problem solved from below: when to stop pulling an arm (claim ours/lower).

mu ~ N(0, 1) and y is known. Pulling the arm costs (y - mu - d)^+ each time, and after stopping each of the rounds
that are left costs min((mu - y)^+, h0). After i rewards mu - y is N(x, t_i^2), t_i^2 = rho/(i + rho); with
G(x) = E(y - mu - d)^+ and H(x) = E min((mu - y)^+, h0) the least cost to go is

    W_i = min((n - i) H, G + E W_{i+1}),

and for a block of rewards i+1..j that are revealed together before the decision, a relaxation that costs no more,

    W_i = E min((n - i) H_j, (j - i) G_j + W_j).

The solution here is a function of x that is linear between the nodes of a grid at each stage and nowhere above W.
Problems that differ in d only are solved together, one row of an array each.

The martingale dual of the problem is simulated and free of the errors of any grid. For any martingale M with M_0 = 0,
inf_tau E Z_tau >= E min_l (Z_l - M_l), Z_l the cost of stopping at stage l. Here M is made of the values W_l that
`solve` found, dM = c (G_l - G_{l-1}) + W_l - E(W_l | stage l - 1), c the pulls counted at stage l. As W_l is linear
between nodes, its conditional mean is a finite sum, exact except for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from reucb._numerics import FloatArray, IntArray
from reucb.bounds.normal import density, excess, excess_of_any_sign

FAR = 8.5  # number of standard deviations of posterior and transition that are kept
WINDOW = 7.0  # half width of a window in standard deviations; E(Z - 7)^+ is below 1e-13


@dataclass(frozen=True)
class StoppingMesh:
    """Relative length of blocks, step of the grid in posterior deviations (at most), number of values of d.

    Every mesh gives a bound.
    """

    ratio: float = 0.03
    fineness: float = 0.03
    cells: int = 20


@dataclass(frozen=True)
class Stage:
    """A point in time: rewards seen, posterior deviation t, and the decision min(stop H, pull G + what follows).

    `counted` are the pulls already paid for at the decision; stop is infinite at a stage without a decision, which
    stands for an amount of information between two rewards.
    """

    count: float
    deviation: float
    stop: float
    pull: float
    counted: float


def block_ends(horizon: float, rho: float, ratio: float) -> list[float]:
    """Counts 0 = i_0 < i_1 < ... = n: single pulls, then blocks that lengthen i + rho by `ratio`."""
    counts = [0.0]
    while counts[-1] < horizon:
        block = max(1.0, math.floor(ratio * (counts[-1] + rho)))
        left = horizon - counts[-1]
        counts.append(horizon if left < 1.5 * block else counts[-1] + block)
    return counts


def stages(horizon: float, sigma: float, ratio: float) -> list[Stage]:
    """All stages in order of time. Where the posterior deviation would fall by more than half, some are added.

    Without noise (sigma = 0) one pull reveals the mean, and later rounds cost nothing.
    """
    if sigma == 0:
        return [Stage(0.0, 1.0, horizon, 1.0, 0.0)]
    rho = sigma**2
    counts = block_ends(horizon, rho, ratio)
    found: list[Stage] = []
    for i, count in enumerate(counts):
        deviation = sigma / math.sqrt(count + rho) if count else 1.0
        before = count - counts[i - 1] if i else 1.0
        counted = count - before if before > 1 else count
        while found and deviation < found[-1].deviation / 2:
            found.append(Stage(math.nan, found[-1].deviation / 2, math.inf, 0.0, counted))
        single = i + 1 < len(counts) and counts[i + 1] == count + 1
        if before > 1:
            found.append(Stage(count, deviation, horizon - counted, before, counted))
        else:
            found.append(Stage(count, deviation, horizon - count, float(single), counted))
    return found


def step_deviation(now: Stage, later: Stage, sigma: float) -> float:
    """The standard deviation of the change of the posterior mean from one stage to a later one."""
    if math.isfinite(now.count) and math.isfinite(later.count):
        return now.deviation * later.deviation * math.sqrt(later.count - now.count) / sigma
    return math.sqrt((now.deviation - later.deviation) * (now.deviation + later.deviation))


@dataclass(frozen=True)
class Grid:
    """Nodes step * (-half..half)."""

    step: float
    half: int

    @property
    def nodes(self) -> FloatArray:
        return np.asarray(self.step * np.arange(-self.half, self.half + 1, dtype=np.float64))


def grid(deviation: float, fineness: float) -> Grid:
    """Steps are powers of two of at most `fineness` deviations, so that a coarser grid is part of a finer one."""
    step = 2.0 ** math.floor(math.log2(fineness * deviation))
    return Grid(step, math.ceil(FAR * deviation / step))


def pull_cost(x: FloatArray, t: float, d: FloatArray | float) -> FloatArray:
    """G(x) = t Psi((x + d)/t)."""
    return t * excess_of_any_sign((x + d) / t)


def stop_cost(x: FloatArray, t: float, h0: float) -> FloatArray:
    """H(x) = t (Psi(-x/t) - Psi((h0 - x)/t))."""
    return t * (excess_of_any_sign(-x / t) - excess_of_any_sign((h0 - x) / t))


def largest_density(x: FloatArray) -> FloatArray:
    """max of phi on each interval [x_i, x_{i+1}]."""
    low, high = x[..., :-1], x[..., 1:]
    return density(np.where((high > 0) & (low < 0), 0.0, np.minimum(np.abs(high), np.abs(low))))


def smallest_density(x: FloatArray) -> FloatArray:
    """min of phi on each interval [x_i, x_{i+1}]."""
    return density(np.maximum(np.abs(x[1:]), np.abs(x[:-1])))


def at_nodes(curvature: FloatArray, step: float) -> FloatArray:
    """What to take off at each node so that chords are below: step^2/8 times the larger curvature of its two cells.

    A function with second derivative at most c on a cell is at least its chord minus step^2/8 c.
    """
    inner = np.maximum(curvature[..., 1:], curvature[..., :-1])
    edge = np.concatenate([curvature[..., :1], inner, curvature[..., -1:]], axis=-1)
    return np.asarray(step * (step / 8 * np.maximum(edge, 0.0)))


class Transition:
    """x -> E f(x + s Z) at the nodes of a grid, for f linear between the nodes of a finer grid and zero outside.

    The values of several functions f are the rows of an array.
    """

    def __init__(self, fine: Grid, coarse: Grid, deviation: float) -> None:
        self.fine, self.coarse, self.deviation = fine, coarse, deviation
        self.stride = round(coarse.step / fine.step)
        self.reach = math.ceil(FAR * deviation / fine.step) + 1

    def _at_coarse(self, values: FloatArray, kernel: FloatArray, cells: int = 0) -> FloatArray:
        """The convolution at the nodes of the coarse grid; zero where it does not reach."""
        full = np.stack([np.convolve(row, kernel) for row in values])
        length = full.shape[-1]
        at = (length - 1) // 2 + self.stride * np.arange(-self.coarse.half, self.coarse.half + 1 - cells)
        inside = (at >= 0) & (at < length)
        return np.where(inside, full[:, np.clip(at, 0, length - 1)], 0.0)

    def mean(self, values: FloatArray) -> FloatArray:
        """E f(x + s Z), exact except for rounding: each node weighs s/h times a second difference of Psi."""
        return self._at_coarse(values, _weights(self.fine.step / self.deviation, self.reach))

    def curvature(self, values: FloatArray) -> FloatArray:
        """The second derivative of `mean` from above, on each cell of the coarse grid.

        It is sum_k kink_k phi_s(x_k - x), kink_k the change of slope at x_k: the largest density on the cell where the
        kink is positive, the smallest where it is negative.
        """
        kinks = np.diff(np.pad(values, ((0, 0), (2, 2))), n=2) / self.fine.step
        top, bottom = _densities(self.fine.step, self.coarse.step, self.deviation, self.reach + self.stride)
        up = self._at_coarse(np.maximum(kinks, 0.0), top, 1)
        down = self._at_coarse(np.maximum(-kinks, 0.0), bottom, 1)
        return (up - down) / self.deviation


# The kernels of a transition depend on the grids alone: a search for h0 uses those of its first solution.


@lru_cache(maxsize=512)
def _weights(ratio: float, reach: int) -> FloatArray:
    """The weights of the nodes up to `reach` from a point, `ratio` deviations apart."""
    offsets = ratio * np.arange(-reach - 1, reach + 2)
    weights = np.diff(excess(np.abs(offsets)), n=2) / ratio  # Psi(-s) = s + Psi(s)
    weights[reach] += 1.0
    return np.maximum(weights, 0.0)


@lru_cache(maxsize=512)
def _densities(fine: float, coarse: float, deviation: float, reach: int) -> tuple[FloatArray, FloatArray]:
    """Largest and smallest density of x - x_k for x in the cell that starts at x_k + d fine, d up to `reach`."""
    d = fine * np.arange(-reach, reach + 1)
    low, high = d / deviation, (d + coarse) / deviation
    nearest = np.where((low < 0) & (high > 0), 0.0, np.minimum(np.abs(low), np.abs(high)))
    return density(nearest), density(np.maximum(np.abs(low), np.abs(high)))


Solution: TypeAlias = tuple[Stage, Grid, FloatArray]


def solve(horizon: float, sigma: float, h0: float, d: FloatArray, mesh: StoppingMesh) -> Iterator[Solution]:
    """Backward in time: every stage with its grid and, for each d, the values at its nodes; the last one is stage 0.

    At a node each of the two parts of min(stop H, pull G + E W) is lowered until its chords are below it; the chord of
    the smaller of the two is then below both.
    """
    following: Solution | None = None
    offsets = np.asarray(d, dtype=np.float64)[:, None]
    for stage in reversed(stages(horizon, sigma, mesh.ratio)):
        t = stage.deviation
        here = grid(t, mesh.fineness)
        x = here.nodes
        go = stage.pull * pull_cost(x, t, offsets)
        bend = stage.pull * largest_density((x + offsets) / t) / t
        if following is not None:
            later, fine, values = following
            move = Transition(fine, here, step_deviation(stage, later, sigma))
            go += move.mean(values)
            bend += move.curvature(values)
        value = go - at_nodes(bend, here.step)
        if math.isfinite(stage.stop):
            bend = (largest_density(x / t) - smallest_density((h0 - x) / t)) / t
            value = np.minimum(value, stage.stop * (stop_cost(x, t, h0) - at_nodes(bend, here.step)))
        value[:, [0, -1]] = np.minimum(value[:, [0, -1]], 0.0)  # beyond the grid it is zero, and W >= 0
        following = stage, here, value
        yield following


def value_at(grid: Grid, values: FloatArray, row: IntArray, x: FloatArray) -> FloatArray:
    """Piecewise linear functions, one per row of `values`, at points x; zero one step beyond the grid."""
    padded = np.pad(values, ((0, 0), (1, 2)))
    place = np.clip(x / grid.step + grid.half + 1, 0.0, 2.0 * grid.half + 2)
    left = place.astype(np.intp)
    share = place - left
    return np.asarray(padded[row, left] * (1 - share) + padded[row, left + 1] * share)


def mean_at(grid: Grid, values: FloatArray, row: IntArray, x: FloatArray, deviation: float) -> FloatArray:
    """E f(x + s Z) = f(x) + sum_k kink_k s Psi(|x - x_k|/s), the sum over the nodes within seven deviations."""
    kinks = np.pad(np.diff(np.pad(values, ((0, 0), (2, 2))), n=2) / grid.step, ((0, 0), (1, 1)))
    reach = math.ceil(WINDOW * deviation / grid.step)
    middle = np.rint(x / grid.step)
    index = middle[:, None] + np.arange(-reach, reach + 1)
    kink = kinks[row[:, None], np.clip(index + grid.half + 2, 0, kinks.shape[1] - 1).astype(np.intp)]
    distance = np.abs(x[:, None] - grid.step * index) / deviation
    return np.asarray(value_at(grid, values, row, x) + deviation * (kink * excess(distance)).sum(axis=1))


def draw_others(n_arms: float, d: FloatArray, paths: int, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Y, the best of K - 1 standard normals, and the cell of its lead over the second best: the first d not below."""
    from scipy.special import log_ndtr, ndtri_exp

    y = ndtri_exp(np.log(rng.random(paths)) / (n_arms - 1))
    if n_arms == 2:
        return y, np.full(paths, len(d) - 1)
    second = ndtri_exp(log_ndtr(y) + np.log(rng.random(paths)) / (n_arms - 2))
    return y, np.minimum(np.searchsorted(d, y - second), len(d) - 1)


def simulate_dual(
    solution: Sequence[Solution],
    horizon: float,
    sigma: float,
    h0: float,
    d: FloatArray,
    n_arms: float,
    paths: int,
    seed: int,
) -> tuple[FloatArray, FloatArray]:
    """The dual min_l (Z_l - M_l) and the control variate W_0(-Y) of every path."""
    rng = np.random.default_rng(seed)
    y, row = draw_others(n_arms, d, paths, rng)
    x, offset = -y, d[row]
    start, grid, values = solution[0]
    control = value_at(grid, values, row, x)
    pull, martingale = pull_cost(x, start.deviation, offset), np.zeros(paths)
    least = np.minimum(horizon * stop_cost(x, start.deviation, h0), math.inf)
    previous = start
    for stage, grid, values in solution[1:]:
        s, t = step_deviation(previous, stage, sigma), stage.deviation
        expected = mean_at(grid, values, row, x, s)
        x = x + s * rng.standard_normal(paths)
        before, pull = pull, pull_cost(x, t, offset)
        martingale = martingale + stage.counted * (pull - before) + value_at(grid, values, row, x) - expected
        if math.isfinite(stage.stop):
            stop = stop_cost(x, t, h0)
            ends = {stage.counted, stage.count}
            cost = np.min([i * pull + (horizon - i) * stop for i in ends], axis=0)
            least = np.minimum(least, cost - martingale)
        previous = stage
    return least, control
