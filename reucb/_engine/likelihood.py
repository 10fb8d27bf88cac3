"""Maximum likelihood (ml) and restricted maximum likelihood (reml) of both variances, over the slots.

The likelihood f and the letters A, B, C, T, Q, M are those of `reucb._numerics.likelihood`. f falls where
R = M B / (A Q) > 1 and rises where R < 1. A, Q and B are sums of c_i (lam + s_i)^-1, or ^-2 for B, with c_i, s_i >= 0;
hence 1/A, 1/Q and B^(-1/2) are concave in lam (they are power means). Chords and tangents of these three bound R
between and beyond the points looked at, and so show that a local minimum is the only one. Where the bounds do not
decide, f' is looked at in steps of a quarter of a decade of lam + 1/max n (`walk`); if there are several local minima,
the values of f decide. The estimate depends on the data alone: a hint is only the first guess.
"""

from __future__ import annotations

from math import inf, log, log1p, sqrt
from typing import Any, NamedTuple

from reucb._engine.codes import COUNT, SHRINK, SIZE, SPREAD, SQ_HI, SQ_LO, SUM_HI, SUM_LO
from reucb._engine.jit import inlined, separate
from reucb._engine.sums import power_sums
from reucb._numerics import likelihood
from reucb._numerics.likelihood import Profile

STEP = 10.0**0.25  # factor of lam + 1/max n to the next point, where the bounds do not lead further
CONVERGED = 5e-6  # a Newton step of this relative size leaves an error of about its square
ANCHORS = 5  # largest number of ratios evaluated to show that f falls before a local minimum
NEXT_ANCHOR = 0.2  # ratio of an anchor to the local minimum or to the previous anchor
DIGITS = 2.0**-8  # largest relative error of a rounded ratio


class SlotData(NamedTuple):
    """The slots (SHRINK: mean of means, SPREAD: squares about it), in a unit in which Q(0) = 1, SSW and M."""

    slots: Any
    n: int
    within: float
    freedom: float
    restricted: bool
    trace: float  # A at 0
    arms: float  # how many have been pulled
    squares: float  # of their means about the plain mean: lam^2 B tends to it as lam grows


falls = inlined(likelihood.falls)
newton_terms = inlined(likelihood.newton_terms)
deviance = inlined(likelihood.deviance)


@inlined
def pose(
    slots: Any, n: int, centre: float, unit: float, within: float, trace: float, freedom: float, restricted: bool
) -> SlotData:
    """The problem in the unit, means taken about the centre."""
    scale, inverse = 1.0 / sqrt(unit), 1.0 / unit
    squares, total, arms = 0.0, 0.0, 0.0
    for i in range(n):
        size = slots[SIZE, i]
        own = (slots[SUM_HI, i] + slots[SUM_LO, i]) / size
        rest = (slots[SQ_HI, i] - own * own * size) + slots[SQ_LO, i]
        own = (own - centre) * scale
        spread = rest * inverse if size > 1.0 and rest > 0.0 else 0.0
        slots[SHRINK, i] = own
        slots[SPREAD, i] = spread
        if slots[COUNT, i] > 0.0:
            squares += spread + size * own * own
            total += size * own
            arms += size
    squares = max(squares - total * (total / arms), 0.0)
    return SlotData(slots, n, within * inverse, freedom, restricted, trace, arms, squares)


@inlined
def point_at(problem: SlotData, ratio: float, centre: float, sums: Any) -> Profile:
    """f at the ratio, from its sums about the centre."""
    h1, y1, z1, h2, y2, z2, h3, y3, z3 = sums
    inverse = 1.0 / h1
    d, share = y1 * inverse, h2 * inverse
    lever = y2 - d * h2
    b = z2 - d * (2.0 * y2 - d * h2)
    c = (z3 - d * (2.0 * y3 - d * h3)) - lever * (lever * inverse)
    a, t = h1, h2
    if problem.restricted:
        a, t = h1 - share, h2 - 2.0 * (h3 * inverse) + share * share
    return Profile(ratio, a, t, b, c, problem.within + (z1 - d * y1), centre + d)


@separate
def look(problem: SlotData, ratio: float, centre: float) -> Profile:
    """f at one ratio; sums are taken about the centre, best the mu of a ratio nearby."""
    slots = problem.slots
    sums, _ = power_sums(slots[COUNT], slots[SIZE], slots[SHRINK], slots[SPREAD], problem.n, ratio, 0.0, centre)
    return point_at(problem, ratio, centre, sums)


@separate
def look_twice(problem: SlotData, ratio: float, other: float, centre: float) -> tuple[Profile, Profile]:
    """Evaluate f at two ratios in one pass."""
    slots = problem.slots
    sums, others = power_sums(slots[COUNT], slots[SIZE], slots[SHRINK], slots[SPREAD], problem.n, ratio, other, centre)
    return point_at(problem, ratio, centre, sums), point_at(problem, other, centre, others)


@separate
def height(problem: SlotData, ratio: float) -> float:
    """f at one ratio."""
    slots, growth, total = problem.slots, 0.0, 0.0
    for i in range(problem.n):
        growth += slots[SIZE, i] * log1p(ratio * slots[COUNT, i])
        total += slots[SIZE, i] * slots[COUNT, i] / (1.0 + ratio * slots[COUNT, i])
    fit = problem.freedom * log(look(problem, ratio, 0.0).q)
    return float(deviance(fit, growth, log(total), problem.restricted))


@inlined
def newton(problem: SlotData, point: Profile) -> float:
    """The step of Newton's method; inf where R rises."""
    excess, steep = newton_terms(problem.freedom, point, point.b)
    return float(excess / steep) if steep > 0.0 else inf


@inlined
def arrived(point: Profile, move: float) -> Profile:
    """The floor, from a point so near that one step leads there; Q by its Taylor series."""
    q = point.q - move * (point.b - move * point.c)
    return Profile(point.ratio + move, point.a, point.t, point.b, point.c, q, point.mu)


@inlined
def falls_between(problem: SlotData, a: float, q: float, low: float, point: Profile) -> bool:
    """Whether f certainly falls from the ratio low, where A = a and Q = q, to a point with R >= 1.

    In between, 1/A and 1/Q are at least their chords and B^(-1/2) at most its tangent at the point, so that R > 1 where
    a quadratic is positive. It is where its Bernstein coefficients are.
    """
    r = max(problem.freedom * point.b, point.a * point.q)
    rest = 1.0 - (point.ratio - low) * (point.c / point.b)
    return bool(r > rest * rest * a * q and r * (point.a * q + point.q * a) > 2.0 * rest * a * q * point.a * point.q)


@separate
def falls_from_zero(problem: SlotData, floor: Profile, anchor: Profile) -> bool:
    """Whether f certainly falls from 0 to this floor, from an anchor in between; looks at a few more if need be."""
    for _ in range(ANCHORS):
        if falls_between(problem, problem.trace, 1.0, 0.0, floor):
            return True
        if not anchor.ratio < floor.ratio:
            anchor = look(problem, NEXT_ANCHOR * floor.ratio, floor.mu)
        if not (falls(problem.freedom, anchor) and falls_between(problem, anchor.a, anchor.q, anchor.ratio, floor)):
            return False
        floor = anchor
    return False


@inlined
def certain_fall(problem: SlotData, point: Profile) -> float:
    """A ratio up to which f certainly falls, from a point with R > 1.

    At lam + x, B^(-1/2) is at most its tangent, Q decreases, and 1/A grows by x/K at least, as it does in the limit.
    """
    r, p = problem.freedom * point.b / (point.a * point.q), point.c / point.b
    x = (sqrt(r) - 1.0) / p
    return float(point.ratio + (sqrt(r * (1.0 + point.a * x / problem.arms)) - 1.0) / p)


@inlined
def certain_rise(problem: SlotData, point: Profile) -> float:
    """A ratio up to which f certainly rises, from a point with R <= 1; inf if f increases on the whole remaining range.

    At lam + x, 1/A and 1/Q are at most their tangents, and B^(-1/2) grows by x/sqrt(squares) at least, as in the limit:
    R (1 + x T/A)(1 + x B/Q) < (1 + x sqrt(B/squares))^2 is enough.
    """
    if not point.b > 0.0:
        return inf
    t, b = point.t / point.a, point.b / point.q
    r = min(problem.freedom * b / point.a, 1.0)
    growth = sqrt(point.b / problem.squares)
    if 2.0 * growth > r * (t + b) and growth * growth > r * t * b:
        return inf
    return float(point.ratio + (sqrt(1.0 / r) - 1.0) / max(t, b))


@separate
def extreme_counts(problem: SlotData) -> tuple[float, float]:
    """The least and the largest count of a pulled arm."""
    fewest, largest = inf, 0.0
    for i in range(problem.n):
        count = problem.slots[COUNT, i]
        if count > 0.0:
            fewest, largest = min(fewest, count), max(largest, count)
    return fewest, largest


@inlined
def stride(largest: float, ratio: float) -> float:
    """The next point of the walk when nothing is known beyond this ratio; `largest` is the largest count."""
    return (ratio + 1.0 / largest) * STEP - 1.0 / largest


@separate
def floor_after(problem: SlotData, point: Profile) -> Profile:
    """The first local minimum of the walk to the right of a point at which f falls.

    Newton's method within a bracket; no step goes beyond the next stride of the walk.
    """
    low, high = point.ratio, inf
    _, largest = extreme_counts(problem)
    move = newton(problem, point)
    while abs(move) > CONVERGED * point.ratio:
        following, limit = point.ratio + move, high
        if falls(problem.freedom, point):
            low = point.ratio
            if following > stride(largest, low):
                limit = min(stride(largest, certain_fall(problem, point)), high)
        else:
            high = limit = point.ratio
        if not low < following < limit:
            following = limit if limit < high else 0.5 * (low + high)
            if not low < following < high:  # neighbouring floats
                return point
        point = look(problem, following, point.mu)
        move = newton(problem, point)
    return arrived(point, move)


@separate
def fall_after(problem: SlotData, point: Profile) -> Profile:
    """The next point of the walk at which f falls, from one at which it rises; ratio inf if f never falls again.

    From `top` on f rises, because B <= squares/lam^2, A >= (K - 1)/(lam + 1/min n) and Q >= SSW.
    """
    fewest, largest = extreme_counts(problem)
    top = problem.freedom * problem.squares / ((problem.arms - 1.0) * problem.within) + 1.0 / fewest
    while point.ratio < top:
        following = max(stride(largest, point.ratio), certain_rise(problem, point))
        if following == inf:
            break
        point = look(problem, following, point.mu)
        if falls(problem.freedom, point):
            return point
    return Profile(inf, point.a, point.t, point.b, point.c, point.q, point.mu)


@inlined
def rises_from(problem: SlotData, point: Profile) -> bool:
    """Whether f increases beyond this local minimum."""
    return bool(certain_rise(problem, point) == inf or fall_after(problem, point).ratio == inf)


@separate
def walk(problem: SlotData) -> tuple[float, float]:
    """(lam, Q) at the lowest point of f, by a search over all local minima."""
    point = look(problem, 0.0, 0.0)
    floors, best, q, value = 0, 0.0, point.q, 0.0
    if not falls(problem.freedom, point):
        floors, point = 1, fall_after(problem, point)
    while point.ratio < inf:
        point = floor_after(problem, point)
        if floors == 0:
            best, q = point.ratio, point.q
        else:
            if floors == 1:
                value = height(problem, best)
            other = height(problem, point.ratio)
            if other < value:
                best, q, value = point.ratio, point.q, other
        floors += 1
        point = fall_after(problem, point)
    return best, q


@inlined
def rounded(ratio: float) -> float:
    """The ratio to eight binary digits (Dekker's splitting)."""
    shifted = 35184372088833.0 * ratio  # 2**45 + 1
    return shifted - (shifted - ratio)


@separate
def floor_near(problem: SlotData, hint: float) -> tuple[Profile, Profile]:
    """A local minimum near the hint (ratio -1 if none is found at once), and f at the first anchor before it.

    Newton's method starts at the minimum rounded to eight binary digits, so the result does not depend on the hint.
    """
    none = Profile(-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for _ in range(4):
        if not hint > 0.0:
            break
        start = rounded(hint)
        point, anchor = look_twice(problem, start, NEXT_ANCHOR * start, 0.0)
        move = newton(problem, point)
        hint = start + move
        if DIGITS * start < abs(move) < 0.9 * start:  # the rounded minimum differs from the start
            continue
        for _ in range(8):
            if not CONVERGED * point.ratio < abs(move) < 0.9 * point.ratio:
                break
            point = look(problem, point.ratio + move, point.mu)
            move = newton(problem, point)
        if not abs(move) <= CONVERGED * point.ratio:
            break
        hint = point.ratio + move
        if rounded(hint) == start:
            return arrived(point, move), anchor
    return none, none


@separate
def lowest(problem: SlotData, hint: float) -> tuple[float, float]:
    """(lam, Q) at the lowest point of f: by `floor_near` if its floor is certainly the only one, else by the walk."""
    ratio, q = 0.0, 0.0
    for attempt in range(2):
        floor, anchor = floor_near(problem, hint)
        if floor.ratio > 0.0 and falls_from_zero(problem, floor, anchor) and rises_from(problem, floor):
            return floor.ratio, floor.q
        if attempt == 0:
            ratio, q = walk(problem)
            hint = ratio
    return ratio, q


@inlined
def likelihood_variances(
    slots: Any,
    n: int,
    centre: float,
    unit: float,
    within: float,
    trace: float,
    freedom: float,
    restricted: bool,
    hint: float,
) -> tuple[float, float]:
    """(sigma0^2, sigma^2) at the global maximum of the likelihood; within > 0 and at least two arms pulled.

    centre: the mean of all rewards; unit: their sum of squares about it; trace: A at 0; hint: sigma0^2/sigma^2 or 0.
    """
    unit = max(unit, 1e-290)  # its inverse is finite; Q(0) may then be less than 1, which the bounds allow
    ratio, q = lowest(pose(slots, n, centre, unit, within, trace, freedom, restricted), hint)
    sigma_sq = q / freedom * unit
    return ratio * sigma_sq, sigma_sq
