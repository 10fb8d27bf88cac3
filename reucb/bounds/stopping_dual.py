"""The martingale dual of the stopping problem of Theorem L, simulated: free of the errors of any grid.

For any martingale M with M_0 = 0, inf_tau E Z_tau >= E min_l (Z_l - M_l), Z_l the cost of stopping at stage l. Here M
is made of the values W_l that `stopping.solve` found, dM = c (G_l - G_{l-1}) + W_l - E(W_l | stage l - 1), c the pulls
counted at stage l. As W_l is linear between nodes, its conditional mean is a finite sum, exact but for rounding.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.stopping import Grid, Solution, pull_cost, step_deviation, stop_cost
from reucb.bounds.tails import excess

WINDOW = 7.0  # standard deviations; E(Z - 7)^+ is below 1e-13


def value_at(grid: Grid, values: FloatArray, x: FloatArray) -> FloatArray:
    """The piecewise linear function at points x; zero one step beyond the grid."""
    nodes = grid.step * np.arange(-grid.half - 1, grid.half + 2)
    return np.interp(x, nodes, np.pad(values, 1))


def mean_at(grid: Grid, values: FloatArray, x: FloatArray, deviation: float) -> FloatArray:
    """E f(x + s Z) = f(x) + sum_k kink_k s Psi(|x - x_k|/s), the sum over the nodes within seven deviations."""
    kinks = np.pad(np.diff(np.pad(values, 2), n=2) / grid.step, 1)
    reach = math.ceil(WINDOW * deviation / grid.step)
    middle = np.rint(x / grid.step)
    index = middle[:, None] + np.arange(-reach, reach + 1)
    kink = kinks[np.clip(index + grid.half + 2, 0, len(kinks) - 1).astype(np.intp)]
    distance = np.abs(x[:, None] - grid.step * index) / deviation
    return np.asarray(value_at(grid, values, x) + deviation * (kink * excess(distance)).sum(axis=1))


def simulate_dual(
    solution: Sequence[Solution], horizon: float, sigma: float, h0: float, n_arms: float, paths: int, seed: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Y, the dual min_l (Z_l - M_l) and the control variate W_0(-Y) of every path."""
    from scipy.special import ndtri_exp

    rng = np.random.default_rng(seed)
    y = ndtri_exp(np.log(rng.random(paths)) / (n_arms - 1))
    x = -y
    start, grid, values = solution[0]
    control = value_at(grid, values, x)
    pull, martingale = pull_cost(x, start.deviation, h0), np.zeros(paths)
    least = np.minimum(horizon * stop_cost(x, start.deviation, h0), math.inf)
    previous = start
    for stage, grid, values in solution[1:]:
        s, t = step_deviation(previous, stage, sigma), stage.deviation
        expected = mean_at(grid, values, x, s)
        x = x + s * rng.standard_normal(paths)
        before, pull = pull, pull_cost(x, t, h0)
        martingale = martingale + stage.counted * (pull - before) + value_at(grid, values, x) - expected
        if math.isfinite(stage.stop):
            stop = stop_cost(x, t, h0)
            ends = {stage.counted, stage.count}
            cost = np.min([i * pull + (horizon - i) * stop for i in ends], axis=0)
            least = np.minimum(least, cost - martingale)
        previous = stage
    return y, least, control
