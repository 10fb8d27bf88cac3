"""Good pulls: how often an arm of mean below z is pulled while its index with s_n is at least z (Lemma 2)."""

from __future__ import annotations

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.bounded.lines import Lines
from reucb.bounds.bounded.pulls import add_binomial, add_chernoff
from reucb.bounds.bounded.setting import EXACT, Setting

# The law of X is put on the x with these tails, each cell at its upper end; the last tail is charged with all pulls.
TAILS = np.array([0.8, 0.6, 0.42, 0.28, 0.17, 0.09, 0.04, 0.015, 4e-3, 8e-4, 1e-4, 1e-6, 1e-8])
SPARSE = TAILS[1::3]
LARGE = 1e100  # its square is a float


def _largest(counts: FloatArray, radius: float, rho: float, slope: float, low: float, high: float) -> FloatArray:
    """max over low <= s <= high of C sqrt(N + rho (1 - s)) + rho slope s, which is concave in s."""
    at = np.full_like(counts, low)
    if slope > 0:
        at = np.clip(1 + (counts - min(radius / (2 * slope), LARGE) ** 2) / rho, low, high)
    return np.asarray(radius * np.sqrt(counts + rho * (1 - at)) + rho * slope * at)


def needed(setting: Setting, y: float, z: float, level: float, x: float) -> FloatArray:
    """N z - f_N(x) for the counts of the setting: a good pull number N + 1 needs so large a sum of the first N rewards.

    With v = W - w_k, s = 1/(1 + v) and q = w_*: N z - S <= C_n sqrt(N + rho (1 - s)) + rho ((x + q (y - level)) s
    + (level - z)(1 - s)). For given s the largest q allowed is the worst, 1 or 1/s - 1 - (K - 2) w(1): two concave
    pieces in s. Convex in N.
    """
    counts, rho, w1 = setting.counts, setting.rho, setting.first_weight
    radius, idle = setting.radius(setting.horizon), 1 + (setting.n_arms - 2) * w1
    down, up = level - z, y - level
    most = 1 / (idle + w1)
    if up >= 0:
        break_at = 1 / (idle + 1)
        f = np.maximum(
            rho * down + _largest(counts, radius, rho, x + up - down, 1 / setting.n_arms, break_at),
            rho * (down + up) + _largest(counts, radius, rho, x - idle * up - down, break_at, most),
        )
    else:
        f = rho * down + _largest(counts, radius, rho, x + w1 * up - down, 1 / setting.n_arms, most)
    slack = 1e-12 * (1 + counts + rho * (1 + abs(x)) + radius * np.sqrt(counts + rho))
    return np.asarray(counts * z - f - slack)


def _pulls(
    setting: Setting, y: float, z: float, lines: Lines, number: int, tails: FloatArray, grid: FloatArray
) -> FloatArray:
    """For each cell of means a line (value at the left end, slope) above M(mu)."""
    found = np.zeros((len(grid) - 1, 2))
    exact = min(setting.most_pulls, EXACT) + 1 if setting.binary else 0
    work = np.empty((4, exact))
    for tail, weight in zip(tails, -np.diff(tails, prepend=1.0), strict=True):
        need = needed(setting, y, z, float(lines.levels[number]), lines.x(number, tail))
        if setting.binary:
            add_binomial(grid, need[:exact], weight, work, found)
        if exact < len(need):
            add_chernoff(grid, setting.counts, need, max(1, exact - 1), weight, found)
    found[:, 0] += tails[-1] * setting.most_pulls
    return found


def good_pulls(setting: Setting, y: float, z: float, lines: Lines, grid: FloatArray) -> FloatArray:
    """Lines above M(mu) on the cells of the grid, which ends at z; of the lines for the others the best one halfway."""
    half = grid[len(grid) // 2 - 1 :][:2] if len(grid) > 2 else grid
    tried = [_pulls(setting, y, z, lines, number, SPARSE, half)[0, 0] for number in range(len(lines.levels))]
    return _pulls(setting, y, z, lines, int(np.argmin(tried)), TAILS, grid)
