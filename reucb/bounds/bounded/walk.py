"""The probability that sums of rewards of a given mean fall below a boundary, from above."""

from __future__ import annotations

import math
from typing import TypeAlias

from reucb._engine.jit import compiled
from reucb._numerics.arrays import FloatArray

HIGH_CUT, LOW_CUT = 1e-12, 1e-15  # states of less mass, at the top and the bottom, are counted as crossed
GROWTH = 1.1  # ratio of the counts at the ends of an epoch, for what is left of a walk
GROWTHS = (1.3, 1.8, 3.0, 8.0)  # those that are tried where all of a walk is bounded by epochs
WIDE = 1.2  # in epochs of a larger ratio three theta are tried
SMALL = 1e-5  # a probability of crossing later that is added without being followed
ACCURACY = 0.06  # of the mean over the law of X

Block: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]  # counts; s at both ends; C_t sqrt(N + rho (1 - s)) there
Room: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]  # overwritten: the boundary, its reach, the mass of states


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
def boundary(rho: float, block: Block, z: float, level: float, x: float, below: FloatArray) -> None:
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
    block: Block,
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
    block: Block,
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
