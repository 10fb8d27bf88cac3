"""The martingale dual of the stopping problem of Theorem L, simulated: free of the errors of any grid.

For any martingale M with M_0 = 0, inf_tau E Z_tau >= E min_l (Z_l - M_l), Z_l the cost of stopping at stage l. Here M
is made of the values W_l that `stopping.solve` found, dM = c (G_l - G_{l-1}) + W_l - E(W_l | stage l - 1), c the pulls
counted at stage l. As W_l is linear between nodes, its conditional mean is a finite sum, exact but for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reucb._numerics.arrays import FloatArray, IntArray
from reucb.bounds.stopping import Grid, Solution, pull_cost, step_deviation, stop_cost
from reucb.bounds.tails import excess

WINDOW = 7.0  # standard deviations; E(Z - 7)^+ is below 1e-13


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
