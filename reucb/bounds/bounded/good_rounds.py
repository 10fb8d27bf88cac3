"""How often an arm of mean below z is pulled while its index with s_n is at least z (claim ours/bounded/good-pull).

Sums over N of P(S_N >= need_N), by lines above them as functions of the mean.
"""

from __future__ import annotations

import math

import numpy as np

from reucb._engine.jit import compiled
from reucb._numerics import FloatArray
from reucb.bounds.bounded.lines import Lines
from reucb.bounds.bounded.setting import EXACT, BoundedSetting

TINY = 1e-12  # means are kept this far from 0 and 1; also the absolute error allowed for in every tail
FAR = 32.0  # a tail below e^-32 is not followed any further
SMALLEST = -600.0  # log of a probability from which the ratios start
# The law of X is put on the x with these tails, each cell at its upper end; the last tail is charged with all pulls.
TAILS = np.array([0.8, 0.6, 0.42, 0.28, 0.17, 0.09, 0.04, 0.015, 4e-3, 8e-4, 1e-4, 1e-6, 1e-8])
SPARSE = TAILS[1::3]
LARGE = 1e100  # its square is a float


@compiled
def chernoff(mu: float, count: float, need: float, step: float) -> tuple[float, bool]:
    """log of a bound on P(S_N >= need) at N = count, and whether it bounds P(S_N >= need_N) for all larger N too.

    Rewards in [0, 1]: h(theta) = log(1 - mu + mu e^theta), the bound is exp(N h - theta need). For need_N convex in N,
    with `step` its next increment per count, and theta best at `count`, the exponent is concave in N and falls if
    h <= theta step.
    """
    if need > count:
        return -math.inf, step >= 1
    if need <= mu * count:
        return 0.0, False
    if need == count:
        return count * math.log(mu), step >= 1
    theta = math.log(need * (1 - mu) / ((count - need) * mu))
    h = math.log(1 - mu + mu * math.exp(theta))
    return count * h - theta * need, theta * step >= h


@compiled
def log_binomial(mu: float, count: int, successes: int) -> float:
    """log P(Bin(count, mu) = successes)."""
    ways = math.lgamma(count + 1) - math.lgamma(successes + 1) - math.lgamma(count - successes + 1)
    return ways + successes * math.log(mu) + (count - successes) * math.log(1 - mu)


@compiled
def binomial_tails(mu: float, need: FloatArray, tail: FloatArray, slope: FloatArray) -> int:
    """P(Bin(N, mu) >= need[N]) and its derivative in mu for N = 1.. while it is not negligible; the last such N.

    From N to N + 1 and from d to d + 1 successes by the ratios of neighbouring binomial probabilities.
    """
    odds = mu / (1 - mu)
    d, above, at = 0, 1.0, 0.0
    for count in range(1, len(need)):
        if d > 0:  # from count - 1 to count
            grow = at * (1 - mu) / (count - d)
            above, at = above + grow * d, grow * count
        wanted = max(0, math.ceil(need[count]))
        if wanted > count:
            tail[count], slope[count] = 0.0, 0.0
            continue
        if d == 0 and wanted > 0:
            at = log_binomial(mu, count, wanted)
            if at < SMALLEST:  # on the far left, where the tail is 1
                tail[count], slope[count] = 1.0, 0.0
                continue
            d, at = wanted, math.exp(at)
            above, term = at, at
            for s in range(d, count):
                term *= odds * (count - s) / (s + 1)
                above += term
        while d < wanted:
            above -= at
            at *= odds * (count - d) / (d + 1)
            d += 1
        while d > wanted:
            at *= d / (odds * (count - d + 1))
            above += at
            d -= 1
        tail[count], slope[count] = (1.0, 0.0) if d == 0 else (min(1.0, max(0.0, above) + TINY), d * at / mu)
        if above < TINY and count + 1 < len(need):
            exponent, onwards = chernoff(mu, count, need[count], need[count + 1] - need[count])
            if onwards and exponent < -FAR:
                return count
    return len(need) - 1


@compiled
def majorant(left: float, right: float, q1: float, q2: float, s1: float, s2: float, mode: float) -> tuple[float, float]:
    """(value at left, slope) of a line above a distribution function on [left, right], convex up to its mode, concave
    beyond; values q and slopes s at the ends: a chord where it is convex, a tangent where it is concave.
    """
    width = right - left
    if mode >= right:
        return q1, (q2 - q1) / width
    if mode > left:
        return q2, 0.0
    by_left, by_right = q1 + s1 * width / 2, q2 - s2 * width / 2
    if q2 <= min(by_left, by_right):
        return q2, 0.0
    return (q1, s1) if by_left < by_right else (q2 - s2 * width, s2)


@compiled
def add_binomial(grid: FloatArray, need: FloatArray, weight: float, work: FloatArray, lines: FloatArray) -> None:
    """Add weight * sum_N of a line above mu -> P(Bin(N, mu) >= need[N]) on each cell to lines[i] = (value, slope).

    As a function of mu it is the distribution function of a beta law with mode (d - 1)/(N - 1), d the successes needed.
    `work` has four rows as long as `need`.
    """
    before = 0
    for i in range(len(grid)):
        now = 2 * (i % 2)
        mu = min(max(grid[i], TINY), 1 - TINY)
        end = binomial_tails(mu, need, work[now], work[now + 1])
        if i > 0:
            q1, s1, q2, s2 = work[2 - now], work[3 - now], work[now], work[now + 1]
            value, slope = TINY * len(need), 0.0
            for count in range(1, end + 1):
                if count > before:  # negligible at the left end
                    q1[count], s1[count] = TINY, 0.0
                if q1[count] == 1.0:
                    value += 1.0
                else:
                    mode = (math.ceil(need[count]) - 1) / (count - 1) if count > 1 else 1.0
                    at, rise = majorant(grid[i - 1], grid[i], q1[count], q2[count], s1[count], s2[count], mode)
                    value += at
                    slope += rise
            lines[i - 1, 0] += weight * value
            lines[i - 1, 1] += weight * slope
        before = end


@compiled
def add_chernoff(
    grid: FloatArray, counts: FloatArray, need: FloatArray, first: int, weight: float, lines: FloatArray
) -> None:
    """The same for rewards of any law on [0, 1], for counts[first:]; gaps between counts are bounded from their left.

    exp(-N kl(need/N, mu)) is convex in mu up to (need - sqrt(need (N - need)/(N - 1)))/N: a chord; else the right end.
    """
    for i in range(1, len(grid)):
        left, right = max(grid[i - 1], TINY), min(max(grid[i], TINY), 1 - TINY)
        value, slope = TINY * len(counts), 0.0
        for k in range(first, len(counts)):
            count, length = counts[k], 1.0 if k + 1 == len(counts) else counts[k + 1] - counts[k]
            step = need[k] - need[k - 1] if k + 1 == len(counts) else (need[k + 1] - need[k]) / length
            exponent, onwards = chernoff(right, count, need[k], step)
            if length > 1 and not onwards:
                exponent = 0.0
            if onwards and exponent < -FAR:
                value += (counts[-1] - count + 1) * math.exp(-FAR)
                break
            q2 = math.exp(exponent)
            bend = -1.0
            if need[k] > 1 and count > need[k]:
                bend = (need[k] - math.sqrt(need[k] * (count - need[k]) / (count - 1))) / count
            if right <= bend and length == 1:
                q1 = math.exp(chernoff(left, count, need[k], step)[0])
                value += q1
                slope += (q2 - q1) / (grid[i] - grid[i - 1])
            else:
                value += length * q2
        lines[i - 1, 0] += weight * value
        lines[i - 1, 1] += weight * slope


def _largest(counts: FloatArray, radius: float, rho: float, slope: float, low: float, high: float) -> FloatArray:
    """max over low <= s <= high of C sqrt(N + rho (1 - s)) + rho slope s, which is concave in s."""
    at = np.full_like(counts, low)
    if slope > 0:
        at = np.clip(1 + (counts - min(radius / (2 * slope), LARGE) ** 2) / rho, low, high)
    return np.asarray(radius * np.sqrt(counts + rho * (1 - at)) + rho * slope * at)


def needed(setting: BoundedSetting, y: float, z: float, level: float, x: float) -> FloatArray:
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
    setting: BoundedSetting, y: float, z: float, lines: Lines, number: int, tails: FloatArray, grid: FloatArray
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


def good_pulls(setting: BoundedSetting, y: float, z: float, lines: Lines, grid: FloatArray) -> FloatArray:
    """Lines above M(mu) on the cells of the grid, which ends at z; of the lines for the others the best one halfway."""
    half = grid[len(grid) // 2 - 1 :][:2] if len(grid) > 2 else grid
    tried = [_pulls(setting, y, z, lines, number, SPARSE, half)[0, 0] for number in range(len(lines.levels))]
    return _pulls(setting, y, z, lines, int(np.argmin(tried)), TAILS, grid)
