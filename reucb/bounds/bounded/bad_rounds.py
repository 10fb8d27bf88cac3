"""How often the indices of all arms are below z, among them that of the best arm (claim ours/bounded/bad-round).

Arms other than the best with means above z must be below z too. Bounding B by these witnesses as well lowers it by at
most 13 % where it is small already (U[0, 1], K = 10, a = 1) and not at all for U[0.2, 0.5], K = 20, so under 1 % of the
whole bound: their lines must hold for all of them at once. It is left out.

The probability that sums of rewards of a given mean fall below a boundary is computed from above.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from reucb._engine.jit import compiled
from reucb._numerics import FloatArray
from reucb.bounds.bounded.lines import Lines
from reucb.bounds.bounded.setting import EXACT, BoundedSetting, counts_up_to
from reucb.bounds.sharp import weight

HIGH_CUT, LOW_CUT = 1e-12, 1e-15  # states of less mass, at the top and the bottom, are counted as crossed
GROWTH = 1.1  # ratio of the counts at the ends of an epoch, for what is left of a walk
GROWTHS = (1.3, 1.8, 3.0, 8.0)  # values of GROWTH that are tried where all of a walk is bounded by epochs
WIDE = 1.2  # in epochs of a larger ratio three theta are tried
SMALL = 1e-5  # a probability of crossing later that is added without being followed
ACCURACY = 0.06  # relative, of the mean over the law of X

BlockArrays: TypeAlias = tuple[
    FloatArray, FloatArray, FloatArray
]  # counts; s at both ends; C_t sqrt(N + rho (1 - s)) there
Room: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]  # overwritten: the boundary, its reach, the mass of states
BLOCKS, POWER = 28, 2.5  # number of blocks of rounds; block i ends at the share (i/BLOCKS)^POWER of the rounds
LEVELS = (0.6, 0.3, 0.15, 0.07, 0.03, 0.01, 1e-3, 1e-5, 1e-7)  # tails of X that are tried first
MOST = 22  # largest number of tails of X


@compiled
def exponent(mean: float, counts: FloatArray, boundary: FloatArray, low: int, high: int, at: int) -> float:
    """log of a bound on P(S_N < boundary_N for some N of counts[low:high] or between them), theta best at counts[at].

    By Ville's inequality: exp(-min_N(-theta b_N - N h)), h = log(1 - mu + mu e^-theta). Between two counts b_N is
    convex, so that the minimum is at one of them; the count after the last one bounds what lies before it.
    """
    share = min(max(boundary[at] / counts[at], 1e-6), 1 - 1e-6)
    if share >= mean:
        return 0.0
    theta = math.log(mean * (1 - share) / (max(1 - mean, 1e-12) * share))
    h = math.log(1 - mean + mean * math.exp(-theta))
    least = math.inf
    for k in range(low, min(high + 1, len(counts))):
        if boundary[k] > 0:
            least = min(least, -theta * boundary[k] - counts[k] * h)
    return -max(0.0, least)


@compiled
def reaches(mean: float, counts: FloatArray, boundary: FloatArray, growth: float, reach: FloatArray) -> None:
    """reach[k] bounds P(S_N < boundary_N for some N >= counts[k]), for rewards in [0, 1] of this mean; k = 1, 2, ..

    A sum over epochs, `growth` the ratio of the counts at their ends, with the best of three theta for each.
    """
    high = len(counts)
    reach[high] = 0.0
    while high > 1:
        low = high - 1
        while low > 1 and counts[low - 1] * growth > counts[high - 1]:
            low -= 1
        middle = math.sqrt(counts[low] * counts[high - 1])
        at = low
        while counts[at] < middle:
            at += 1
        found = exponent(mean, counts, boundary, low, high, at)
        if growth > WIDE:
            found = min(found, exponent(mean, counts, boundary, low, high, (low + at) // 2))
            found = min(found, exponent(mean, counts, boundary, low, high, (at + high - 1) // 2))
        bound = math.exp(found)
        for k in range(low, high):
            reach[k] = min(1.0, reach[high] + bound)
        high = low


@compiled
def advance(mass: FloatArray, mean: float) -> None:
    """One more reward: mass[i] = P(S = first + i) becomes P(S = first + 1 + i), the last entry unchanged."""
    rest = 1 - mean
    for i in range(len(mass) - 1):
        mass[i] = rest * mass[i + 1] + mean * mass[i]


@compiled
def leave(logs: FloatArray, successes: int, failures: int, mass: float, crossed: FloatArray) -> None:
    """Add the probability of a state to what has crossed, for every mean."""
    for i in range(len(crossed)):
        crossed[i] += mass * math.exp(successes * logs[0, i] + failures * logs[1, i])


@compiled
def crossing(
    largest: float,
    logs: FloatArray,
    counts: FloatArray,
    boundary: FloatArray,
    reach: FloatArray,
    small: float,
    mass: FloatArray,
    crossed: FloatArray,
) -> None:
    """crossed[i] = P(S_N < boundary_N for some N), S the sum of 0/1 rewards of mean p_i; what is cut off is added.

    By dynamic programming for the largest mean p over the counts one by one, until `reach`, a bound for the smallest
    mean, is below `small` or counts are left out. A path with S successes and N - S failures is exp(S logs[0, i] +
    (N - S) logs[1, i]) times as likely with mean p_i, logs[:, i] = log(p_i/p), log((1 - p_i)/(1 - p)). `mass` has two
    more entries than there are counts and is overwritten.
    """
    start = len(mass) - 2
    low, high = start, start + 1  # mass[low:high] belongs to paths that have not crossed, state i to S = i - start + N
    mass[low] = 1.0
    rest = 0.0
    for i in range(len(crossed)):
        crossed[i] = 0.0
    for k in range(1, len(counts)):
        if counts[k] != k or reach[k] < small:
            rest = reach[k - 1] if counts[k] != k else reach[k]
            break
        low -= 1
        mass[low], mass[high] = 0.0, 0.0
        advance(mass[low : high + 1], largest)  # a slice: with indices known to be >= 0 the loop is vectorised
        first = boundary[k] + start - k
        while low < high and (low < first or mass[low] < LOW_CUT):
            leave(logs, low - start + k, start - low, mass[low], crossed)
            low += 1
        while high > low and mass[high - 1] < HIGH_CUT:
            high -= 1
            leave(logs, high - start + k, start - high, mass[high], crossed)
        if low == high:
            break
    for i in range(len(crossed)):
        crossed[i] = min(1.0, crossed[i] + rest)


@compiled
def boundary(rho: float, block: BlockArrays, z: float, level: float, x: float, below: FloatArray) -> None:
    """b_N(x): an index below z in a round of the block, after N pulls, means a sum of rewards below b_N.

    N z - min over both ends of C_t sqrt(N + rho (1 - s)) - rho ((z - level)(1 - s) + x s), which is concave in s.
    """
    counts, s, roots = block
    for k in range(len(counts)):
        least = math.inf
        for end in range(2):
            least = min(least, roots[end, k] - rho * ((z - level) * (1 - s[end, k]) + x * s[end, k]))
        below[k] = counts[k] * z - least + 1e-12 * (1 + counts[k] + rho * (1 + abs(x)) + roots[0, k])


@compiled
def crossings(
    rho: float,
    binary: bool,
    block: BlockArrays,
    z: float,
    level: float,
    x: float,
    means: FloatArray,
    logs: FloatArray,
    room: Room,
    found: FloatArray,
) -> None:
    """found[i] = P(S_N < b_N(x) for some N) for rewards of mean means[i], 0/1 (binary) or any in [0, 1]."""
    counts = block[0]
    below, reach, mass = room
    boundary(rho, block, z, level, x, below)
    if binary:
        reaches(means[0], counts, below, GROWTH, reach)
        crossing(means[-1], logs, counts, below, reach, SMALL, mass, found)
    else:
        for i in range(len(means)):
            found[i] = 1.0
            for growth in GROWTHS:
                reaches(means[i], counts, below, growth, reach)
                found[i] = min(found[i], reach[1])


@compiled
def worst_cell(tails: FloatArray, values: FloatArray, weights: FloatArray, known: int) -> int:
    """The k for which charging X in cell [k - 1, k] with values[k] costs most; 0 if all cells cost little."""
    total, cost, worst, place = tails[known - 1], 0.0, 0.0, 0
    for k in range(1, known):
        value, rise = 0.0, 0.0
        for i in range(len(weights)):
            value += weights[i] * values[k, i]
            rise += weights[i] * (values[k, i] - values[k - 1, i])
        length = tails[k - 1] - tails[k]
        total += length * value
        cost += length * rise
        if length * rise > worst:
            worst, place = length * rise, k
    return place if cost > ACCURACY * (total + SMALL) else 0


@compiled
def charge(
    rho: float,
    binary: bool,
    block: BlockArrays,
    z: float,
    level: float,
    lams: FloatArray,
    log_g: FloatArray,
    means: FloatArray,
    logs: FloatArray,
    weights: FloatArray,
    room: Room,
    tails: FloatArray,
    values: FloatArray,
    known: int,
    most: int,
) -> int:
    """values[k] = P(crossing b(x)) for every mean at the x = min_lam (log_g - log tails[k])/lam; how many are known.

    At first, known = 0, for all of `tails` up to number most - 1. Then cells [k - 1, k] that cost most by being charged
    with values[k] are halved, until they cost less than ACCURACY of the sum or `most` are known.
    """
    first = known == 0
    place = 1
    while known < most:
        if first:
            place = max(known, 1)
            known = place + 1
        else:
            place = worst_cell(tails, values, weights, known)
            if place == 0:
                break
            for k in range(known, place, -1):
                tails[k] = tails[k - 1]
                for i in range(len(weights)):
                    values[k, i] = values[k - 1, i]
            a, b = tails[place - 1], tails[place]
            tails[place] = math.sqrt(a * b) if a < 0.3 else (a + b) / 2
            known += 1
        x = math.inf
        for i in range(len(lams)):
            x = min(x, (log_g[i] - math.log(tails[place])) / lams[i])
        crossings(rho, binary, block, z, level, x, means, logs, room, values[place])
    return known


@dataclass(frozen=True)
class Block:
    """Some rounds t: how many, and for each count N of one arm the two ends of s = 1/(1 + v).

    roots: C_t sqrt(N + rho (1 - s)) at these ends, for the first of the rounds.
    """

    rounds: int
    counts: FloatArray
    s: FloatArray
    roots: FloatArray

    @property
    def arrays(self) -> BlockArrays:
        return self.counts, self.s, self.roots


def block(setting: BoundedSetting, first: int, last: int) -> Block:
    """Rounds first..last. The K - 1 other arms have t - 1 - N pulls, at least one each: v = W - w is least when one of
    them has all but K - 2, largest when they have equally many, as w is concave.
    """
    others, rho, w1 = setting.n_arms - 1, setting.rho, setting.first_weight
    counts = counts_up_to(last - setting.n_arms)
    one = np.maximum(first - 1 - counts - (others - 1), 1)
    each = np.maximum((last - 1 - counts) / others, 1)
    least = (others - 1) * w1 + weight(one, rho)
    most = np.maximum(others * weight(each, rho), least)
    if counts[-1] > EXACT:  # between counts that are left out the range is constant
        least[EXACT:], most[EXACT:] = others * w1, others
    s = 1 / (1 + np.array([least, most]))
    return Block(last - first + 1, counts, s, setting.radius(first) * np.sqrt(counts + rho * (1 - s)))


def blocks(setting: BoundedSetting) -> list[Block]:
    """All rounds after the first K."""
    ends = setting.n_arms + setting.most_pulls * np.linspace(0, 1, setting.mesh(BLOCKS) + 1)[1:] ** POWER
    last = np.unique(np.maximum(np.round(ends), setting.n_arms + 1)).astype(int)
    return [block(setting, int(a), int(b)) for a, b in zip([setting.n_arms + 1, *(last[:-1] + 1)], last, strict=True)]


class Charge:
    """E P(crossing b(X)), X with the law of one line: each cell of the law at its upper end, the last tail at 1."""

    def __init__(self, levels: Callable[[FloatArray, FloatArray, int, int], int], means: int) -> None:
        self._levels = levels
        self._tails, self._values = np.ones(MOST), np.zeros((MOST, means))
        self._tails[1 : len(LEVELS) + 1] = LEVELS
        self._known = levels(self._tails, self._values, 0, len(LEVELS) + 1)

    def refined(self) -> Charge:
        """With more levels of the tail, where they matter."""
        self._known = self._levels(self._tails, self._values, self._known, MOST)
        return self

    @property
    def values(self) -> FloatArray:
        """For each mean."""
        tails, values = self._tails[: self._known], self._values[1 : self._known]
        return np.asarray(np.minimum(1.0, -np.diff(tails) @ values + tails[-1]))


class Best:
    """The best arm, with each of some means, rising; weights say how much each matters."""

    def __init__(self, setting: BoundedSetting, means: FloatArray, weights: FloatArray) -> None:
        self._setting, self._means, self._weights = setting, means, weights / weights.sum()
        self._logs = np.log([means / means[-1], (1 - means) / (1 - means[-1])])
        self._room = np.empty((3, len(setting.counts) + 2))  # for the walks

    def bad_rounds(self, rounds: list[Block], z: float, lines: Lines) -> FloatArray:
        """B: the mean number of bad rounds for each mean, in every block with a line found by steps from the last."""
        total, number = np.zeros(len(self._means)), len(lines.levels) // 2
        for found in reversed(rounds):
            here = self._charge(found, z, lines, number)
            for way in (1, -1):
                while 0 <= number + way < len(lines.levels):
                    other = self._charge(found, z, lines, number + way)
                    if other.values @ self._weights >= here.values @ self._weights:
                        break
                    here, number = other, number + way
            total += found.rounds * here.refined().values
        return total

    def _charge(self, found: Block, z: float, lines: Lines, number: int) -> Charge:
        s, (below, reach, mass) = self._setting, self._room
        level, log_g, room = float(lines.levels[number]), lines.log_g[number], (below[: len(found.counts)], reach, mass)
        arm = self._means, self._logs, self._weights

        def levels(tails: FloatArray, values: FloatArray, known: int, most: int) -> int:
            of_x = level, lines.lams, log_g
            return charge(s.rho, s.binary, found.arrays, z, *of_x, *arm, room, tails, values, known, most)

        return Charge(levels, len(self._means))
