"""Appendix G (`sec:extensions`): the noises of one arm in a lock-out where every variance equals its proxy. How often
the arm stays above: moments of a fair sign, the first noises, those after them."""

from functools import cache

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Induction,
    Monotone,
    Otherwise,
    Reindex,
    Restated,
    Rises,
    SplitSum,
    SumOver,
    Union,
    applied,
    chain,
    congruent,
    equals,
    follows,
    instance,
    restated,
    specialised,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import lockout_laws as laws
from theory.model.arm_signs import NOISES, eps, minus, stays
from theory.model.lockout_laws import (
    ABOVE,
    EXACT,
    FALLS,
    ROUND,
    WALK,
    Fair,
    Halves,
    crest,
    eta,
    j,
    later,
    peak,
    r,
    starts,
)
from theory.model.play import COUNT, N, i, k, o, t
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import Supermartingale, g
from theory.ours.products import f, m
from theory.ours.sign_events import equal_if_met
from theory.ours.sums_of_signs import mean_over_sign
from theory.paper.appendix_g.lock_two_points import (
    Domain,
    certain,
    p,
    q,
    u,
    v,
    without,
    y,
    z,
)

ONE = sp.Integer(1)
lam, e, x = sp.symbols("lambda varepsilon x")
ONE_ARM = {**EXACT, k: COUNT}


def cosh_below() -> Rises:
    """cosh(y) <= exp(y^2/2), for y >= 0 and so, being even, for all y: y^2/2 - log cosh(y) starts at 0 with slope 0,
    and its second derivative is tanh(y)^2."""
    y = sp.Symbol("y")
    gap = y**2 / 2 - sp.log((sp.exp(y) + sp.exp(-y)) / 2)
    return Rises(
        gap, y, sp.Integer(0), {y: at_least(0)}, "cosh(y) <= exp(y^2/2)", order=2, squares=(sp.exp(2 * y) - 1,)
    )


def fair_sign(size: sp.Expr, domain: Domain, name: str) -> Restated:
    """E exp(l b e) <= exp(l^2 b^2/2) for a fair sign e and every l."""
    y = sp.Symbol("y")
    cosh = (sp.exp(y) + sp.exp(-y)) / 2
    logs = follows(Rel(sp.log(cosh), "<=", y**2 / 2), cosh_below(), domain={y: at_least(0)}, name="logarithms")
    powers = Monotone(logs, sp.exp(u), u, {u: real()}, name="cosh(y) <= exp(y^2/2)")
    free, right = {**domain, lam: real()}, Rel(lam, ">=", 0)
    sides = [
        instance(powers, {y: sign * lam * size}, free, (case,), name=name)
        for sign, case in ((1, right), (-1, right.negation))
    ]
    mean = Rel(Fair(sp.exp(lam * size * e), e), "<=", sp.exp(lam**2 * size**2 / 2))
    return restated(Cases(right, sides[0], sides[1]), mean, name)


def none_yet() -> Follows:
    """A sum of no noises is 0."""
    term, number = eps(k, r + i, o), {**WALK, m: COUNT}
    split = SplitSum(term, i, ONE, m - 1, m, number, name="the last one apart")
    empty = instance(split, {m: ONE}, WALK, name="nothing before the first one")
    sum_ = instance(laws.AFTERWARDS, {j: sp.Integer(0)}, WALK, name="no noise")
    return follows(Rel(later(k, 0, o), "=", 0), sum_, empty, domain=WALK, name="no noise yet")


@cache
def first_noises() -> Follows:
    """nu_m = -m up to m = r, if the first r noises are positive."""
    begun, within = Rel(starts, "=", 1), Rel(j, "<=", r)
    noise_ = {**ONE_ARM, j: COUNT}
    met = equals(eps(k, i, o), ONE)
    theorem = uses("ours/products", item="at most each factor")
    every = specialised(theorem, {f(i): met}, {**noise_, m: ROUND}, (Rel(j, "<=", m),), "one of the signs")
    each = instance(every, {m: r}, noise_, (within,), name="one of the first r signs")
    rel = Rel(met.xreplace({i: j}), ">=", 1)
    sure = follows(rel, each, laws.STARTS, domain=noise_, given=(begun, within), name="a positive noise")
    sign = equal_if_met(eps(k, j, o), ONE, sure, noise_, (begun, within))
    some, given = {**ONE_ARM, m: ROUND}, (begun, Rel(m, "<=", r))
    signs = SumOver(sign, j, ONE, m, some, given=given, name="the first m signs")
    sum_ = instance(NOISES.sums, {}, some, name="nu_m")
    return follows(Rel(minus(k, m, o), "=", -m), signs, sum_, domain=some, given=given, name="nu_m = -m")


def later_noises() -> Follows:
    """nu_{r+j} is nu_r and the noises after the first r."""
    arm = {**without(t, ONE_ARM), j: ROUND}
    split = SplitSum(eps(k, i, o), i, ONE, r, r + j, arm, name="the first r noises and the others")
    moved = Reindex(eps(k, t, o), t, r + 1, r + j, i, i + r, arm, name="counted from r on")
    sums = (instance(NOISES.sums, {m: number}, arm, name="nu") for number in (r + j, r))
    rel = Rel(minus(k, r + j, o), "=", minus(k, r, o) + later(k, j, o))
    after = instance(laws.AFTERWARDS, {}, arm, name="after the first r")
    return follows(rel, split, moved, *sums, after, domain=arm, name="after the first r")


def head_start() -> Follows:
    """r positive noises come first with chance 2^-r, independent of those after them."""
    met, number = equals(eps(k, i, o), ONE), {**ONE_ARM, m: ROUND}
    one = instance(NOISES.fair, {i: m + 1, laws.c: ONE}, number, name="one more noise")
    rel = Rel(sp.Product(Mean(met, o), (i, 1, m)), "=", Halves(m))
    all_ = Induction(rel, m, sp.Integer(0), ONE_ARM, name="a product of halves", lemmas=(one,))
    halves = instance(all_, {m: r}, ONE_ARM, name="r positive noises")
    begun = Expectation(times(laws.STARTS.concludes.rel, 1 - FALLS, ONE_ARM, "and no fall"), (o,))
    scaled = times(halves.concludes.rel, 1 - Mean(FALLS, o), ONE_ARM, "times the chance of no fall")
    rel = Rel(Mean(starts * (1 - FALLS), o), "=", Halves(r) * (1 - Mean(FALLS, o)))
    return follows(rel, laws.STARTS, begun, laws.FRESH, halves, scaled, domain=ONE_ARM, name="a head start")


def next_noise() -> Follows:
    """The next noise after the first r."""
    term, walk = eps(k, r + i, o), {**WALK, g: ROUND}
    whole, rest = (sp.Sum(term, (i, 1, number)) for number in (m, m - 1))
    rel = Rel(whole, "=", rest + term.xreplace({i: m}))
    apart_ = Induction(rel, m, ONE, WALK, name="the last noise apart")
    last = instance(apart_, {m: g + 1}, walk, name="the next noise")
    sums = (instance(laws.AFTERWARDS, {j: number}, walk, name="noises after the first r") for number in (g + 1, g))
    rel = Rel(later(k, g + 1, o), "=", later(k, g, o) - eps(k, r + g + 1, o))
    return follows(rel, last, *sums, domain=walk, name="the next noise")


def moment_of_sign(slope: sp.Expr) -> Applied:
    """E e^{-l e - l^2/2} <= 1 for the sign e of the next noise: cosh(l) <= e^{l^2/2}."""
    walk = {**WALK, g: ROUND}
    exponential = mean_over_sign(NOISES, sp.exp(u * x + v), {u: real(), v: real()})
    law = instance(exponential, {u: -slope, v: -(slope**2) / 2, i: r + g + 1}, walk, name="a fair sign")
    cosh = instance(fair_sign(ONE, {}, "a fair sign"), {lam: slope}, walk, name="cosh(l) <= e^{l^2/2}")
    ratio = Goal(Rel(x * q, "<=", y * q), {x: real(), y: real(), q: positive()}, (Rel(x, "<=", y),), "times a factor")
    at = dict(zip((x, y), cosh.concludes.rel.stated, strict=True)) | {q: sp.exp(-(slope**2) / 2)}
    scaled = applied(ratio, at, cosh, domain=walk, name="divided by e^{l^2/2}")
    mean, value = law.concludes.rel.stated
    small = restated(scaled, Rel(value, "<=", 1), "cosh(l) e^{-l^2/2} <= 1")
    less = Goal(Rel(u, "<=", 1), {u: real(), v: real()}, (Rel(u, "=", v), Rel(v, "<=", 1)), "a factor at most 1")
    return applied(less, {u: mean, v: value}, law, small, domain=walk, name="a factor at most 1")


def one_noise_more(past: sp.Expr, slope: sp.Expr, number: sp.Expr) -> Applied:
    """E[past e^{l nu'_{m+1} + c}] <= E[past e^{l nu'_m + l^2/2 + c}]: a fair sign has the proxy 1."""
    walk = {**WALK, g: ROUND}
    numbers, known = dict.fromkeys((u, v, y, q), real()), (Rel(u, "=", v - y),)
    product = Goal(Rel(u * q, "=", v * q - y * q), numbers, known, "times l")
    at = {u: later(k, g + 1, o), v: later(k, g, o), y: eps(k, r + g + 1, o), q: slope}
    scaled = applied(product, at, next_noise(), domain=walk, name="times l")
    powers = congruent(sp.exp(x + number), x, scaled, walk, name="exponentials")
    at = dict(zip((x, y), powers.concludes.rel.stated, strict=True)) | {q: past}
    after = Expectation(applied(FACTOR, at, powers, domain=walk, name="times the past"), (o,))
    moment = moment_of_sign(slope)
    fresh = laws.fresh_sign(past, slope, g, slope**2 / 2 + number)
    size = Induction(Rel(past, ">=", 0), g, sp.Integer(0), WALK, name="a product of indicators")
    level = fresh.concludes.rel.stated[1] / moment.concludes.rel.stated[0]
    part = Goal(Rel(u * v, ">=", 0), {u: at_least(0), v: at_least(0)}, name="not negative")
    exponential = sp.exp(slope * later(k, g, o) + slope**2 / 2 + number)
    least = Expectation(applied(part, {u: past, v: exponential}, size, domain=walk, name="not negative"), (o,))
    lemma = Goal(
        Rel(u, "<=", p),
        {**dict.fromkeys((u, v, z), real()), p: at_least(0)},
        (Rel(u, "=", z), Rel(z, "=", p * v), Rel(v, "<=", 1)),
        "one noise more",
    )
    left, middle = after.concludes.rel.stated
    at = {u: left, z: middle, p: level, v: moment.concludes.rel.stated[0]}
    return applied(lemma, at, least, after, fresh, moment, domain=walk, name="one noise more")


FACTOR = Goal(Rel(x * q, "=", y * q), dict.fromkeys((x, y, q), real()), (Rel(x, "=", y),), "times a factor")


def ever_far_below() -> Follows:
    """exp(2 eta (nu_m - eta m)) is a supermartingale that has to rise from 1 above exp(2 eta r (1 + eta))."""
    slope, level = 2 * eta, 2 * eta * r + 2 * eta**2 * r
    process = slope * later(k, t, o) - 2 * eta**2 * t
    start = none_yet()
    none = times(start.concludes.rel, slope, WALK, "times 2 eta")
    zero = follows(Rel(slope * later(k, 0, o), "=", 0), start, none, domain=WALK)
    begins = Expectation(Monotone(zero, sp.exp(x), x, {x: real()}, name="start"), (o,))

    def one_more(past: sp.Expr) -> Follows:
        after, before = (Mean(past * sp.exp(process.xreplace({t: time})), o) for time in (g + 1, g))
        drawn = one_noise_more(past, slope, -2 * eta**2 * g - 2 * eta**2)
        return follows(Rel(after, "<=", before), drawn, domain={**WALK, g: laws.ROUND}, name="one noise more")

    walk = Supermartingale(process, t, begins, one_more)
    above = walk.exceeds(level, crest, laws.IN_PLAY, N, WALK)
    small = Rel(walk.at(crest), "<=", level)
    low = Rel(later(k, crest, o) - eta * crest - r - eta * r, "<=", 0)
    divide = Goal(Rel(u / z, "<=", 0), {u: real(), z: positive()}, (Rel(u, "<=", 0),), "divided by 2 eta")
    at = {u: slope * low.stated[0], z: slope}
    below_ = applied(divide, at, domain=WALK, given=(small,), name="not far below")
    crossed = Expectation(Union(below_, (small,), "far below"), (o,))
    return follows(Rel(Mean(FALLS, o), "<=", sp.exp(-level)), crossed, above, domain=WALK, name="ever far below")


def after_a_start() -> Cases:
    """1{the first r noises are positive, and those after them do not fall} <= 1{the arm stays above}."""
    begun, low = Rel(starts, ">", 0), Rel(FALLS.args[0], "<=", 0)
    sure, long = certain(starts, begun, ONE_ARM), Rel(peak, ">=", r)
    start = first_noises()
    early = applied(start, {m: peak}, sure, domain=ONE_ARM, given=(begun, long.negation), name="all positive")
    rises = Goal(Rel(u - y * x, "<=", 0), {u: real(), y: positive(), x: at_least(0)}, (Rel(u, "=", -x),), "positive")
    at = {u: minus(k, peak, o), y: eta, x: peak}
    soon = applied(rises, at, early, domain=ONE_ARM, given=(begun, low, long.negation), name="in the first noises")
    given = (begun, low, long)
    first = applied(start, {m: r}, sure, domain=ONE_ARM, given=(begun,), name="the first r")
    rest = instance(later_noises(), {j: peak - r}, ONE_ARM, (long,), name="those after them")
    short = follows(Rel(peak - r, "<=", N), laws.PEAK_IN_PLAY, domain=ONE_ARM, name="in the play")
    most = applied(laws.CREST, {j: peak - r}, short, domain=ONE_ARM, given=(long,), name="at most at the crest")
    after = follows(soon.concludes.rel, first, rest, most, domain=ONE_ARM, given=given, name="after the first r")
    either = Union(Cases(long, after, soon, "never above"), (low,), "it falls")
    other = Otherwise(-ABOVE, ONE_ARM, "it stays above or not")
    kept = follows(Rel(1 - stays(k, o), "<=", FALLS), either, other, laws.STAYS, domain=ONE_ARM, given=(begun,))
    units = dict.fromkeys((u, v, y), Var(sp.Integer(0), high=ONE))
    bound, at = Rel(u * (1 - v), "<=", y), {u: starts, v: FALLS, y: stays(k, o)}
    where = applied(Goal(bound, units, (Rel(1 - y, "<=", v),), "kept"), at, kept, domain=ONE_ARM, given=(begun,))
    none = applied(Goal(bound, units, (Rel(u, "<=", 0),), "0"), at, domain=ONE_ARM, given=(begun.negation,), name="0")
    return Cases(begun, where, none, "after a start")


def never_far_below() -> Follows:
    """One arm stays above with chance 2^-(r+1) at least, if 2 eta r >= 1: it starts with r positive noises."""
    long = Rel(2 * eta * r, ">=", 1)
    fallen = ever_far_below()
    more = Goal(Rel(-2 * eta * r * (1 + eta), "<=", -1), {eta: positive(), r: positive()}, (long,), "the exponent")
    powers = Monotone(more, sp.exp(x), x, {x: real()}, name="at most 1/e")
    euler = instance(exp_tangent(x), {x: ONE}, {}, name="e >= 2")
    small = Goal(Rel(1 / x, "<=", sp.Rational(1, 2)), {x: positive()}, (Rel(x, ">=", 2),), "1/e <= 1/2")
    half = applied(small, {x: sp.E}, euler, domain={}, name="1/e <= 1/2")
    chance = chain(fallen, powers, half, domain=ONE_ARM, given=(long,), name="it falls")
    scaled = times(chance.rel, Halves(r), ONE_ARM, "times 2^-r", True)
    bound = Rel(Mean(stays(k, o), o), ">=", Halves(r + 1))
    parts = chance, scaled, head_start(), Expectation(after_a_start(), (o,))
    return follows(bound, *parts, domain=ONE_ARM, given=(long,), name="one arm stays above")
