"""Theorem 5 repaired, the route without the prior: errors within a range, and the chance that follows."""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Monotone,
    Rises,
    SumOver,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model import stacks
from theory.model.arms import n, s, s0, weight
from theory.model.counts import NOT_ALL_PULLS, SPREAD, j, spread
from theory.model.play import COUNT, LATER, K, a, k, mu, o, t, tau
from theory.model.stacks import (
    STACKS,
    before,
    common,
    cosh,
    i,
    noise,
    root,
    shrinkage,
    tilde,
    weights,
)
from theory.ours.bad_rounds import times
from theory.ours.theorem_subgaussian import BAD, ERROR, W_K, bad_round, larger_root, squared_spread
from theory.ours.theorem_subgaussian_deviations import AN_ARM, ARM, ONE, ell
from theory.ours.theorem_subgaussian_peeling import COVERS, LINE_ARM, LINES, PEELING, SIDES, H, crossed, none_crossed, y

x, z, b, p, q, r, u, v = sp.symbols("x z b p q r u v")


def average_in_range(op: str, end: int) -> Applied:
    """An average of rewards in [0, 1] lies there."""
    m, total = stacks.m, sp.Sum(stacks.reward(k, stacks.m, o), (stacks.m, 1, j))
    defined = stacks.REWARD_HIGH if op == "<=" else stacks.REWARD_LOW
    one = follows(Rel(stacks.reward(k, m, o), op, end), defined, domain=stacks.REWARDS, name="a reward")
    all_ = SumOver(one, m, ONE, j, stacks.STACK, name="all rewards")
    split = follows(
        Rel(stacks.noise(k, j, o), "=", total - j * mu(k, o)), stacks.NOISE, domain=stacks.STACK, name="sum of noises"
    )
    lemma = Goal(
        Rel(u + x / z, op, end),
        {**dict.fromkeys((x, u, v), real()), z: positive()},
        (Rel(x, "=", v - z * u), Rel(v, op, end * z)),
        "divided by the number of rewards",
    )
    at = {u: mu(k, o), x: stacks.noise(k, j, o), z: j, v: total}
    return applied(lemma, at, split, all_, domain=stacks.STACK, name="an average of rewards")


def common_in_range() -> tuple[Follows, Follows]:
    """The common mean averages numbers in [0, 1]."""
    each, w = {**STACKS, ell: COUNT}, shrinkage(ell, t, o)
    found = []
    for op, end in (("<=", 1), (">=", 0)):
        known = instance(average_in_range(op, end), {k: ell, j: before(ell)}, each, name="an average")
        scaled = times(known.concludes.rel, w, each, "times its weight", True)
        one = follows(Rel(w * stacks.average(ell), op, w * end), known, scaled, domain=each, name="one arm")
        arms = SumOver(one, ell, ONE, K, STACKS, name="all arms")
        whole = Rel(weights * common, op, weights * end)
        total = follows(whole, arms, stacks.COMMON, stacks.ALL_WEIGHTS, domain=STACKS, given=(LATER,), name="times W")
        free = {x: real(), u: real(), z: positive()}
        quotient = Goal(Rel(x / z, op, u / z), free, (Rel(x, op, u),), "divided by W")
        at = instance(
            quotient, {x: weights * common, u: weights * end, z: weights}, STACKS, (whole,), name="divided by W"
        )
        found.append(
            follows(Rel(common, op, end), total, at, domain=STACKS, given=(LATER,), name=f"common mean {op} {end}")
        )
    return found[0], found[1]


def squared_error() -> Applied:
    """w X^2 + (1 - w) <= a log t tau^2 for X^2 = r^2 cosh(y)^2 sigma^2/n: the average of the squares."""
    nk = before(k)
    c_, P_, A_ = sp.symbols("c_ P_ A_")
    free = {b: positive(), P_: positive(), c_: positive(), A_: real(), n: COUNT, s: positive(), s0: positive()}
    facts = Rel(b, "=", weight(n)), Rel(P_, "=", stacks.tilde_sq(n))
    scaled = times(facts[0], c_ * s / n - 1, free, "times"), times(facts[1], c_ + 1 / s0, free, "times")
    average = follows(
        Rel(b * c_ * s / n + 1 - b, "=", P_ * (c_ + 1 / s0)),
        *scaled,
        domain=free,
        given=facts,
        name="average of squares",
    )
    covered = Rel(c_, "<=", A_ - 1 / s0)
    below = times(covered, P_, free, "times tilde-tau^2", True)
    bound = follows(
        Rel(b * c_ * s / n + 1 - b, "<=", P_ * A_),
        average,
        below,
        domain=free,
        given=(*facts, covered),
        name="at this r",
    )
    square = instance(stacks.TILDE, {j: nk}, ARM, name="tilde-tau^2")
    level = times(COVERS, H**2, LINES, "times cosh(y)^2")
    most = follows(Rel(r**2 * H**2, "<=", spread(t) ** 2 - 1 / s0), level, domain=LINES, given=(COVERS,), name="level")
    at = {b: W_K, P_: tilde(nk) ** 2, c_: r**2 * H**2, A_: spread(t) ** 2, n: nk}
    covers = (LATER, COVERS)
    one = applied(bound, at, stacks.WEIGHT, square, most, domain=LINE_ARM, given=covers, name="tilde-tau")
    numbers = {x: real(), u: real(), z: at_least(0), v: at_least(0), q: at_least(0), s0: positive(), b: positive()}
    facts_ = Rel(x, "<=", u * v), Rel(z, "=", u + q**2 * s0 / b)
    wider = Goal(Rel(x, "<=", v * z), numbers, facts_, "tau^2 >= tilde-tau^2")
    left = one.concludes.rel.stated[0]
    at_ = {x: left, u: tilde(nk) ** 2, v: spread(t) ** 2, z: tau(k, t, o) ** 2, q: 1 - W_K, b: weights}
    whole = applied(wider, at_, one, stacks.MSE, domain=LINE_ARM, given=covers, name="tau^2 >= tilde-tau^2")
    known = instance(stacks.ROOT, {j: nk}, LINE_ARM, name="proxy of the sum")
    by_root = times(known.concludes.rel, W_K * r**2 * H**2 / nk**2, LINE_ARM, "times w r^2 cosh(y)^2/n^2")
    free_ = dict.fromkeys((x, u, v, z), real())
    numbers_ = Goal(Rel(x + u, "<=", v), free_, (Rel(x, "=", z), Rel(z + u, "<=", v)), "renamed")
    sides = by_root.concludes.rel.stated
    at__ = {x: sides[0], z: sides[1], u: 1 - W_K, v: whole.concludes.rel.stated[1]}
    return applied(numbers_, at__, known, by_root, whole, domain=LINE_ARM, given=covers, name="squares")


NOISE_BOUND = r * root(before(k)) * H / before(k)  # of the average noise


def error_in_range(side: str) -> Follows:
    """w times the average noise and 1 - w times at most 1."""
    sign, nk, free = SIDES[side], before(k), LINE_ARM
    given = (LATER, AN_ARM, none_crossed(side))
    least = Rel(nk, "<=", t)
    peel = instance(
        uses("them-R-Bayes-SubR/repaired/peeling", item=side), {j: nk}, free, (AN_ARM, least, none_crossed(side))
    )
    over = Goal(Rel(x / z, "<=", u / z), {x: real(), u: real(), z: positive()}, (Rel(x, "<=", u),), "average")
    size = r * root(nk) * cosh(y)
    at = {x: sign * noise(k, nk, o), z: nk, u: size}
    average = instance(over, at, free, (peel.concludes.rel,), name="average noise")
    first = follows(average.concludes.rel, NOT_ALL_PULLS, peel, average, domain=free, given=given, name="average noise")
    numbers = {x: real(), u: real(), v: real(), q: real(), z: Var(sp.Integer(0), strict=True, high=ONE), p: real()}
    parts = Rel(x, "=", z * u + (1 - z) * v), Rel(u, "<=", q), Rel(v, "<=", 1)
    mixed = Goal(Rel(x, "<=", z * q + 1 - z), numbers, parts, "weighted")
    split = Rel(sign * ERROR, "=", W_K * (sign * noise(k, nk, o) / nk) + (1 - W_K) * (sign * (common - mu(k, o))))
    error = follows(split, stacks.ESTIMATE, domain=ARM, given=(LATER,), name="error")
    near = follows(
        Rel(sign * (common - mu(k, o)), "<=", 1),
        *((common_in_range()[0], stacks.MEAN_LOW) if sign > 0 else (common_in_range()[1], stacks.MEAN_HIGH)),
        domain=ARM,
        given=(LATER,),
        name="within 1",
    )
    at_ = {x: sign * ERROR, z: W_K, u: sign * noise(k, nk, o) / nk, v: sign * (common - mu(k, o)), q: size / nk}
    last = instance(mixed, at_, free, (split, first.rel, near.rel), name="weighted")
    return follows(last.concludes.rel, first, error, near, last, domain=free, given=given, name=f"error {side}")


def below_width() -> Follows:
    """e <= A T if e <= w X + 1 - w and w X^2 + 1 - w <= (A T)^2: a squared average is at most the average square."""
    A, T, e = sp.symbols("A T e")
    unit = {z: Var(sp.Integer(0), strict=True, high=ONE), x: positive()}
    variance = Rel(z * x**2 + 1 - z - (z * x + 1 - z) ** 2, "=", z * (1 - z) * (x - 1) ** 2)
    product = Goal(Rel(u * v * p**2, ">=", 0), {u: at_least(0), v: at_least(0), p: real()}, name="a product")
    parts = (
        Goal(variance, unit, name="variance"),
        instance(product, {u: z, v: 1 - z, p: x - 1}, unit, name="not negative"),
    )
    convex = follows(Rel((z * x + 1 - z) ** 2, "<=", z * x**2 + 1 - z), *parts, domain=unit, name="convexity")
    free = {**unit, A: at_least(0), T: at_least(0), e: real()}
    given = Rel(e, "<=", z * x + 1 - z), Rel(z * x**2 + 1 - z, "<=", A**2 * T**2)
    squares = follows(
        Rel((z * x + 1 - z) ** 2, "<=", (A * T) ** 2), convex, domain=free, given=given[1:], name="squares"
    )
    mixture = Goal(Rel(z * x + 1 - z, ">", 0), unit, name="positive")
    root_ = instance(larger_root(), {x: z * x + 1 - z, y: A * T}, free, (squares.rel, mixture.rel), name="roots")
    return follows(Rel(e, "<=", A * T), mixture, squares, root_, domain=free, given=given, name="below the width")


def range_side(side: str, general: Follows) -> Applied:
    """One side of an interval."""
    A, T, e = sp.symbols("A T e")
    sign, error, wide = SIDES[side], error_in_range(side), uses("them-R-Bayes-SubR/repaired/range-route/width")
    at = {e: sign * ERROR, z: W_K, x: NOISE_BOUND, A: spread(t), T: tau(k, t, o)}
    given = (LATER, AN_ARM, COVERS, none_crossed(side))
    return applied(general, at, error, wide, domain=LINE_ARM, given=given, name=side)


@claim(
    "them-R-Bayes-SubR/repaired/range-route/width",
    by="us",
    kind="step",
    cites=("MSE",),
)
def width_of_squares() -> Argument:
    """w X^2 + (1 - w) = tilde-tau^2 (r^2 cosh(y)^2 + 1/sigma_0^2) with X^2 = r^2 cosh(y)^2 sigma^2/n_k, and tilde-tau
    <= tau."""
    return proof(squared_error(), letters=PEELING)


@claim(
    "them-R-Bayes-SubR/repaired/range-route",
    by="us",
    kind="step",
    cites=("them-R-Bayes-SubR/support/repaired",),
)
def range_route() -> Argument:
    """Without the prior: the common mean is within 1 of every mean. A square of an average is at most the average of
    the squares."""
    general = below_width()
    return proof(*(range_side(side, general) for side in SIDES), letters=PEELING)


def cosh_squared() -> Follows:
    """(1 - y^2) cosh(y)^2 <= 1, that is tanh(y)^2 <= y^2: tanh starts at 0 with slope 1 - tanh^2 <= 1."""
    up, down = sp.exp(y), sp.exp(-y)
    line = Rises(
        y - (up - down) / (up + down), y, sp.Integer(0), {y: at_least(0)}, "tanh(y) <= y", squares=(up - down,)
    )
    free, sinh = {y: positive()}, (up - down) / 2
    at = instance(line, {y: y}, free, name="tanh(y) <= y")
    below = follows(Rel(sinh, "<=", y * (up + down) / 2), at, domain=free, name="sinh(y) <= y cosh(y)")
    least = Rises(up - down, y, sp.Integer(0), {y: at_least(0)}, "sinh(y) >= 0")
    above = follows(Rel(sinh, ">=", 0), instance(least, {y: y}, free), domain=free, name="sinh(y) >= 0")
    square = Goal(Rel(x**2, "<=", z**2), {x: at_least(0), z: at_least(0)}, (Rel(x, "<=", z),), "squares")
    squares = instance(square, {x: sinh, z: y * (up + down) / 2}, free, (below.rel, above.rel), name="squares")
    total = Rel((1 - y**2) * ((up + down) / 2) ** 2, "<=", 1)
    return follows(total, below, above, squares, domain=free, name="(1 - y^2) cosh(y)^2 <= 1")


def level_of_lines() -> Goal:
    """(u - A)/H >= u - A - 1 if (1 - 1/u) H <= 1 and u > A: twice the exponent, y^2 = 1/u."""
    A = sp.Symbol("A")
    free = {u: positive(), A: positive(), z: at_least(1)}
    given = Rel(u, ">", A), Rel((1 - 1 / u) * z, "<=", 1)
    return Goal(Rel((u - A) / z, ">=", u - A - 1), free, given, "twice the exponent")


@claim("them-R-Bayes-SubR/repaired/range-route/chance", by="us", kind="step")
def chance_by_range() -> Argument:
    """A round costs more than 2c only if a line is crossed. At y^2 = 1/(a log t) and r^2 cosh(y)^2 = a log t -
    1/sigma_0^2 the exponent r^2 is at least a log t - 1/sigma_0^2 - 1, as cosh(y)^2 <= 1/(1 - y^2); where a log t <=
    1/sigma_0^2 the stated probability is above 1."""
    cases = tuple(map(none_crossed, ("below", "above")))
    counts = tuple(SumOver(crossed(SIDES[side]), i, ONE, K, LINES, name="crossings") for side in ("below", "above"))
    below, above = (uses("them-R-Bayes-SubR/repaired/range-route", item=side) for side in ("below", "above"))
    mean = bad_round(below, above, cases, counts, (LATER, COVERS), LINES)
    fails = [uses("them-R-Bayes-SubR/repaired/peeling", item=f"chance {side}") for side in ("below", "above")]
    bound = Rel(Mean(BAD, o), "<=", 2 * K * (1 + sp.log(t) / (4 * y)) * sp.exp(-(r**2) / 2))
    every = follows(bound, mean, *fails, domain=LINES, given=(LATER, COVERS), name="two signs")
    parts = wide_prior(every), narrow_prior()
    free = {K: COUNT, t: at_least(2), a: positive(), s0: positive()}
    long = 2 * K * (1 + sp.log(t) / (4 / sp.sqrt(a * sp.log(t)))) * sp.exp(-(a * sp.log(t) - 1 / s0 - 1) / 2)
    same = Goal(Rel(long, "=", bounds.failure_by_range(t, K, s0, a)), free, name="the stated probability")
    return proof(Cases(ENOUGH, *parts, "chance"), same, letters=PEELING)


ENOUGH = Rel(spread(t) ** 2, ">", 1 / s0)
POWER = sp.exp((1 + 1 / s0 - a * sp.log(t)) / 2)
STATED = Rel(Mean(BAD, o), "<=", 2 * K * (1 + sp.log(t) * spread(t) / 4) * POWER)


def wide_prior(every: Follows) -> Follows:
    """a log t > 1/sigma_0^2: at y = 1/s_t and r^2 = (s_t^2 - 1/sigma_0^2)/cosh(y)^2; q = s_t."""
    free, step_ = {**STACKS, q: positive()}, 1 / q
    named, enough = Rel(spread(t), "=", q), Rel(q**2, ">", 1 / s0)
    height = cosh(step_)
    best = sp.sqrt(q**2 - 1 / s0) / height
    at = instance(every, {y: step_, r: best}, free, (LATER, named, enough), name="at these y and r")
    powers, value, curved = cosh_squared(), stacks.COSH.concludes.rel, {**STACKS, y: positive()}
    squares = Goal(Rel(x**2, "=", z**2), {x: real(), z: real()}, (Rel(x, "=", z),), "squares")
    square = instance(squares, {x: value.stated[0], z: value.stated[1]}, curved, (value,), name="cosh(y)^2")
    renamed = Goal(
        Rel((1 - y**2) * x, "<=", 1),
        {x: real(), y: positive(), z: real()},
        (Rel(x, "=", z), Rel((1 - y**2) * z, "<=", 1)),
        "renamed",
    )
    at_ = {x: value.stated[0] ** 2, z: value.stated[1] ** 2}
    curve = instance(renamed, at_, curved, (square.concludes.rel, powers.rel), name="cosh")
    flat = follows(curve.concludes.rel, powers, stacks.COSH, square, curve, domain=curved, name="cosh")
    here = instance(flat, {y: step_}, free, name="cosh(1/s_t)")
    A = sp.Symbol("A")
    at_ = {u: q**2, A: 1 / s0, z: height**2}
    least_ = instance(level_of_lines(), at_, free, (enough, here.concludes.rel), name="twice the exponent")
    lower = Rel(-((q**2 - 1 / s0) / height**2) / 2, "<=", (1 + 1 / s0 - q**2) / 2)
    exponents = follows(lower, here, least_, domain=free, given=(enough,), name="exponents")
    larger = Monotone(exponents, sp.exp(x), x, {x: real()}, name="powers")
    front = 2 * K * (1 + sp.log(t) * q / 4)
    room, product = Rel(front, ">", 0), {x: real(), u: real(), z: positive()}
    positive_ = Goal(room, free, (LATER,), "positive")
    times_ = Goal(Rel(x * z, "<=", u * z), product, (Rel(x, "<=", u),), "times")
    sides = larger.concludes.rel.stated
    scaled = instance(times_, {x: sides[0], u: sides[1], z: front}, free, (larger.concludes.rel, room), name="times")
    whole = Rel(Mean(BAD, o), "<=", front * sp.exp((1 + 1 / s0 - q**2) / 2))
    parts = at, larger, positive_, scaled
    in_q = follows(whole, *parts, domain=free, given=(LATER, named, enough), name="with q")
    above = Rel(spread(t), ">", 0)
    back = instance(in_q, {q: spread(t)}, STACKS, (LATER, above, ENOUGH), name="at q = s_t")
    late = follows(above, SPREAD, domain=STACKS, given=(LATER,), name="sqrt(a log t) > 0")
    power = same_power()
    swapped = Goal(
        Rel(x, "<=", z * v), dict.fromkeys((x, z, u, v), real()), (Rel(x, "<=", z * u), Rel(u, "=", v)), "swapped"
    )
    u_, v_ = power.concludes.rel.stated
    last = instance(
        swapped,
        {x: Mean(BAD, o), z: front.subs(q, spread(t)), u: u_, v: v_},
        STACKS,
        (back.concludes.rel, power.concludes.rel),
        name="in powers of t",
    )
    parts_ = SPREAD, late, back, power, last
    return follows(STATED, *parts_, domain=STACKS, given=(LATER, ENOUGH), name="a wide prior")


def same_power() -> Monotone:
    """exp((1 + 1/sigma_0^2 - s_t^2)/2) with s_t^2 = a log t."""
    rel = Rel((1 + 1 / s0 - spread(t) ** 2) / 2, "=", (1 + 1 / s0 - a * sp.log(t)) / 2)
    equal = follows(rel, squared_spread(), domain=STACKS, given=(LATER,), name="exponent")
    return Monotone(equal, sp.exp(x), x, {x: real()}, name="powers of t")


def narrow_prior() -> Follows:
    """a log t <= 1/sigma_0^2: the stated probability is above 1."""
    known, small = squared_spread(), ENOUGH.negation
    up = follows(
        Rel(0, "<=", (1 + 1 / s0 - a * sp.log(t)) / 2), known, domain=STACKS, given=(LATER, small), name="exponent"
    )
    power = Monotone(up, sp.exp(x), x, {x: real()}, name="power")
    one = Expectation(Goal(Rel(BAD, "<=", 1), STACKS, name="an indicator"), (o,))
    log_ = Goal(Rel(sp.log(t), ">", 0), {t: COUNT, K: COUNT}, (LATER,), "log t > 0")
    parts = power, one, log_
    return follows(STATED, *parts, domain=STACKS, given=(LATER, small), name="a narrow prior")
