"""Appendix G (`sec:extensions`): the laws under which ReUCB locks the best arm out are those of Theorem
them-R-Bayes-SubR; the regret of a lock-out where every variance equals its proxy."""

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Induction,
    Monotone,
    Otherwise,
    Restated,
    Rises,
    SumOver,
    Union,
    applied,
    chain,
    follows,
    instance,
    restated,
)
from theory.kernel.terms import Mean
from theory.model import lockout
from theory.model import lockout_laws as laws
from theory.model.arms import LETTERS, s, s0
from theory.model.lockout import FIRST, LEAST, LONG, D, H, S, d, rival, when, worst
from theory.model.lockout_laws import (
    ABOVE,
    BAD,
    DEPTH,
    DIP_EXACT,
    EXACT,
    EXACT_WORDS,
    FALLS,
    LEAD,
    MANY_EXACT,
    SET,
    WALK,
    Fair,
    Halves,
    LowMean,
    apart,
    below,
    crest,
    eta,
    j,
    later,
    minus,
    nu,
    peak,
    r,
    sigma,
    starts,
    stays,
    steady,
)
from theory.model.play import COUNT, K, N, another, count, i, k, mu, o, t
from theory.model.regret import R_N
from theory.model.stacks import noise
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import Supermartingale, g
from theory.paper.appendix_g.lock_two_points import (
    NUMBERS,
    Domain,
    certain,
    lost,
    many_negative,
    of_the_rival,
    p,
    q,
    u,
    v,
    without,
    y,
    z,
)

ONE = sp.Integer(1)
lam, e, e_prime, x = sp.symbols("lambda varepsilon varepsilon' x")
PROXIES = {
    s: Letter(LETTERS[s].shown, "proxy of the rewards of an arm, given its mean"),
    s0: Letter(LETTERS[s0].shown, "proxy of the arm means"),
    D: Letter(D, "difference of the two means"),
    lam: Letter(lam, "any number"),
}


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


@claim(
    "them-R-Bayes-SubR/lock-out/model",
    by="us",
    kind="statement",
    cites=("sec:extensions/arm-dependent",),
)
def model() -> Argument:
    """Means x or x + D, fair, and rewards mu_k +- sigma, fair, of a high arm only, with x = sigma - D. A fair +-b has
    E exp(l X) = cosh(lb) <= exp(l^2 b^2/2), term by term: (2j)! >= 2^j j!. The proxy of the means is sigma_0^2 if D <=
    2 sigma_0, that of the noise sigma^2; means and rewards stay in [0, 1]. A proxy may exceed the variance, as it does
    in the theorem's own example of Bernoulli rewards with 1/4; claim them-R-Bayes-SubR/lock-out/exact-variances does
    without that."""
    free = {D: positive(), s0: positive(), s: positive()}
    narrow, small, half = Rel(D**2, "<=", 4 * s0), Rel(D, "<=", sigma), Rel(2 * sigma, "<=", 1)
    low = LowMean(D, s)
    larger = Goal(Rel(lam**2 * D**2 / 8, "<=", lam**2 * s0 / 2), {**free, lam: real()}, (narrow,), "exponents")
    wider = Monotone(larger, sp.exp(u), u, {u: real()}, name="larger proxy")
    means = chain(fair_sign(D / 2, {D: positive()}, "two means"), wider, name="proxy of the means")
    rewards = fair_sign(sigma, {s: positive()}, "proxy of the noise")
    return proof(
        means,
        rewards,
        Goal(Rel(Fair(low + D / 2 + D / 2 * e, e), "=", low + D / 2), free, name="x + D/2 is the mean mu_0"),
        Goal(Rel(low, ">=", 0), free, (small,), "the reward of a low arm"),
        Goal(Rel(low + D - sigma, ">=", 0), free, name="lowest reward of a high arm"),
        Goal(Rel(low + D + sigma, "<=", 1), free, (half,), "highest reward of a high arm"),
        letters=PROXIES,
    )


def two_signs() -> Restated:
    """E exp(l (v e + (D/2) e')) <= exp(l^2 (v^2 + D^2/4)/2)."""
    w = sp.Symbol("v")
    free = {D: positive(), w: positive(), lam: real()}
    parts = [fair_sign(size, {**free}, name) for size, name in ((w, "e"), (D / 2, "e'"))]
    positive_ = dict.fromkeys((u, y, p, q), at_least(0))
    product = Goal(Rel(u * y, "<=", p * q), positive_, (Rel(u, "<=", p), Rel(y, "<=", q)), "both factors")
    (first, one), (second, two) = (part.rel.stated for part in parts)
    both = applied(product, {u: first, p: one, y: second, q: two}, *parts, domain=free, name="both signs")
    mean = Fair(sp.exp(lam * (w * e + D / 2 * e_prime)), e, e_prime)
    return restated(both, Rel(mean, "<=", sp.exp(lam**2 * (w**2 + D**2 / 4) / 2)), "proxy of the means")


@claim("them-R-Bayes-SubR/lock-out/exact-variances/model", by="us", kind="statement")
def exact_model() -> Argument:
    """mu_k = 1/2 + v e_k + (D/2) e'_k and noise +-sigma, fair signs: variances equal to the proxies, noise independent
    of the means, everything in [0, 1] if v + D/2 + sigma <= 1/2."""
    w = sp.Symbol("v")
    free = {D: positive(), w: positive(), s: positive()}
    half, within = sp.Rational(1, 2), Rel(w + D / 2 + sigma, "<=", sp.Rational(1, 2))
    moved = w * e + D / 2 * e_prime
    return proof(
        two_signs(),
        Goal(Rel(Fair(moved**2, e, e_prime), "=", w**2 + D**2 / 4), free, name="variance of the means"),
        fair_sign(sigma, {s: positive()}, "proxy of the noise"),
        Goal(Rel(Fair((sigma * e) ** 2, e), "=", s), free, name="variance of the noise"),
        Goal(Rel(half - w - D / 2 - sigma, ">=", 0), free, (within,), "lowest reward"),
        Goal(Rel(half + w + D / 2 + sigma, "<=", 1), free, (within,), "highest reward"),
        letters={**PROXIES, w: Letter(w, "any positive number")},
    )


ONE_ARM = {**EXACT, k: COUNT}
SURE, LOW, KEPT = Rel(apart, ">", 0), Rel(DIP_EXACT, ">", 0), Rel(steady, ">", 0)


def others_above() -> Applied:
    """The least average of the others is above x - eta sigma."""
    given = (LONG, SURE, KEPT)
    arm = another(worst, H, o)
    pulls = count(arm, when, o)
    inside = (Rel(when, ">", K), Rel(worst, "<=", K - 1), Rel(when, "<=", N))
    at = {i: worst, t: when}
    level = instance(laws.EXACT_OTHERS, {i: worst}, EXACT, (SET, inside[1]), name="the mean of another arm")
    signs = instance(laws.STEADY, at, EXACT, (Rel(steady, "=", 1), *inside), name="its noises")
    noise_ = instance(laws.OTHER_NOISE, at, EXACT, name="its noise")
    average = Goal(
        Rel(u, ">=", x - z * y),
        {**NUMBERS, x: real(), z: positive(), q: positive()},
        (Rel(u, "=", v + p / q), Rel(v, "=", x), Rel(p / q, ">=", -z * y)),
        "an average",
    )
    share = Goal(
        Rel(p / q, ">=", -z * y),
        {**NUMBERS, z: positive(), q: positive()},
        (Rel(p, "=", -z * u), Rel(u, "<=", y * q)),
        "the noise of an average",
    )
    at_ = {p: noise(arm, pulls, o), q: pulls, z: sigma, y: eta, u: minus(arm, pulls, o)}
    where = lockout.WHEN_LATER, lockout.WORST_IS_OTHER, lockout.WHEN_NOW
    kept = certain(steady, KEPT, EXACT)
    low = applied(share, at_, kept, *where, noise_, signs, domain=EXACT, given=(LONG, KEPT), name="its noise")
    at_ = {u: LEAST, v: mu(arm, o), x: laws.base, p: noise(arm, pulls, o), q: pulls, z: sigma, y: eta}
    parts = certain(apart, SURE, EXACT), *where, lockout.IS_ONE, level, low
    return applied(average, at_, *parts, domain=EXACT, given=given, name="averages of the others")


def happens() -> Applied:
    """A_H happens if the signs are set for H, its first s rewards are bad, and the noises of the others steady."""
    sure, given = certain(apart, SURE, EXACT), (LONG, SURE, LOW, KEPT)
    better = Goal(Rel(u - v, ">=", y), {**NUMBERS, x: real()}, (Rel(u, "=", x + y), Rel(v, "=", x)), "better by D")
    at = {u: mu(H, o), v: rival, y: LEAD, x: laws.base}
    means = sure, laws.EXACT_MEAN, of_the_rival(laws.EXACT_OTHERS, sure, EXACT, (SURE,))
    ahead = applied(better, at, *means, domain=EXACT, given=(SURE,), name="better by D")
    many = many_negative(DIP_EXACT, MANY_EXACT, EXACT)
    scaled = times(many.rel, sigma / S, EXACT, "times sigma/s", True)
    noise_ = times(laws.EXACT_NOISE.concludes.rel, 1 / S, EXACT, "divided by s")
    w = sp.Symbol("w")
    below_ = Goal(
        Rel(u - (v + p), ">=", q),
        {**NUMBERS, x: real(), z: real(), w: real()},
        (Rel(u, ">=", x - w), Rel(v, "=", x + y), Rel(p, "=", -z), Rel(z, ">=", y + q + w)),
        "d below the others",
    )
    first = noise(H, S, o) / S
    at = {u: LEAST, v: mu(H, o), x: laws.base, p: first, z: sigma / S * minus(H, S, o), y: LEAD, q: DEPTH}
    parts = sure, others_above(), laws.EXACT_MEAN, laws.EXACT_NOISE, noise_, many, scaled
    far = restated(
        applied(below_, {**at, w: sigma * eta}, *parts, domain=EXACT, given=given),
        Rel(LEAST - FIRST, ">=", DEPTH),
        "d below the others",
    )
    return applied(lockout.HAPPENS, {d: DEPTH, D: LEAD}, ahead, far, domain=EXACT, given=given, name="A_H happens")


def events() -> Applied | Cases:
    """The product of the three indicators is at most 1{A_H}."""
    numbers = dict.fromkeys((u, v, p, y), Var(sp.Integer(0), high=ONE))
    at = {u: apart, v: DIP_EXACT, p: steady, y: BAD}
    bound = Rel(u * v * p, "<=", y)
    all_three = Goal(bound, numbers, (Rel(y, "=", 1),), "at most 1")
    one = applied(all_three, at, happens(), domain=EXACT, given=(LONG, SURE, LOW, KEPT), name="A_H happens")
    cases: Applied | Cases = one
    for factor, case in ((p, KEPT), (v, LOW), (u, SURE)):
        none = Goal(bound, numbers, (Rel(factor, "<=", 0),), "a factor 0")
        cases = Cases(case, cases, applied(none, at, domain=EXACT, given=(case.negation,), name="a factor 0"), "events")
    return cases


def ever_far_below() -> Follows:
    """exp(2 eta (nu_m - eta m)) is a supermartingale that has to rise from 1 above exp(2 eta r (1 + eta))."""
    slope, level = 2 * eta, 2 * eta * r + 2 * eta**2 * r
    process = slope * later(k, t, o) - 2 * eta**2 * t
    none = times(laws.NONE_YET.concludes.rel, slope, WALK, "times 2 eta")
    zero = follows(Rel(slope * later(k, 0, o), "=", 0), laws.NONE_YET, none, domain=WALK)
    begins = Expectation(Monotone(zero, sp.exp(x), x, {x: real()}, name="start"), (o,))

    def one_more(past: sp.Expr) -> Follows:
        after, before = (Mean(past * sp.exp(process.xreplace({t: time})), o) for time in (g + 1, g))
        drawn = laws.next_sign(past, slope, g, -2 * eta**2 * (g + 1))
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
    early = applied(
        laws.FIRST_NOISES, {j: peak}, sure, domain=ONE_ARM, given=(begun, long.negation), name="all positive"
    )
    rises = Goal(Rel(u - y * x, "<=", 0), {u: real(), y: positive(), x: at_least(0)}, (Rel(u, "=", -x),), "positive")
    at = {u: nu(k, peak, o), y: eta, x: peak}
    soon = applied(rises, at, early, domain=ONE_ARM, given=(begun, low, long.negation), name="in the first noises")
    given = (begun, low, long)
    first = applied(laws.FIRST_NOISES, {j: r}, sure, domain=ONE_ARM, given=(begun,), name="the first r")
    rest = instance(laws.LATER_NOISES, {j: peak - r}, ONE_ARM, (long,), name="those after them")
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
    parts = chance, scaled, laws.HEAD_START, Expectation(after_a_start(), (o,))
    return follows(bound, *parts, domain=ONE_ARM, given=(long,), name="one arm stays above")


@claim(
    "them-R-Bayes-SubR/lock-out/exact-variances",
    by="us",
    kind="statement",
    uses=("them-R-Bayes-SubR/lock-out/cost", "ours/classical/ville/exponential"),
    cites=("them-R-Bayes-SubR/lock-out/exact-variances/model",),
)
def exact_variances() -> Argument:
    """Variances equal to the proxies, noise independent of the means: the signs e_k agree for all arms with chance
    2^(1-K). An arm whose first r noises are positive never has an average below its mean - eta sigma with chance above
    1 - 1/e: exp(2 eta (nu_m - eta m)) is a supermartingale that must rise from 1 to exp(2 eta r (1 + eta)) > e. The
    chance does not depend on n."""
    free, long = without(H, EXACT), Rel(2 * eta * r, ">=", 1)
    mean = Expectation(events(), (o,), name="in the mean")
    one = never_far_below()
    m = sp.Symbol("m")
    more = instance(one, {k: m + 1}, {**EXACT, m: at_least(0, integer=True)}, (long,), name="one more arm")
    rel = Rel(Halves((r + 1) * m), "<=", sp.Product(Mean(stays(k, o), o), (k, 1, m)))
    some = Induction(rel, m, sp.Integer(0), EXACT, (long,), "a product of chances", lemmas=(more,))
    powers = instance(some, {m: K - 1}, EXACT, (long,), name="K - 1 other arms")
    chance, signs = Mean(BAD, o), below(S, MANY_EXACT)
    numbers = {**NUMBERS, x: real(), z: real(), p: at_least(0), q: at_least(0)}
    parts_ = Rel(u, ">=", x), Rel(x, ">=", p * q * z), Rel(z, ">=", y)
    product = Goal(Rel(u, ">=", p * q * y), numbers, parts_, "all chances")
    at = {u: chance, x: Mean(apart * DIP_EXACT * steady, o), p: Halves(2 * K - 1), q: signs}
    at |= {y: powers.concludes.rel.stated[0], z: powers.concludes.rel.stated[1]}
    parts = mean, laws.INDEPENDENT, powers
    all_ = applied(product, at, *parts, domain=EXACT, given=(LONG, long), name="all chances")
    bound = Rel(chance, ">=", Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * signs)
    named = restated(all_, bound, "chance of A_H")
    arms = SumOver(named, H, ONE, K, free, given=(LONG, long), name="all arms")
    total = Rel(R_N, ">=", K * Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * (N - S) * LEAD * signs)
    return proof(lost(arms, total, free, (long,)), letters=EXACT_WORDS)
