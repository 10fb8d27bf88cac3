"""Appendix G (`sec:extensions`): the laws under which ReUCB locks the best arm out are those of Theorem
them-R-Bayes-SubR; the regret of a lock-out where every variance equals its proxy."""

from functools import cache
from itertools import pairwise

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    Monotone,
    NextInteger,
    Otherwise,
    Reindex,
    Restated,
    Rises,
    SplitSum,
    SumOver,
    Union,
    Use,
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
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import lockout
from theory.model import lockout_laws as laws
from theory.model.arm_signs import NEXT, all_are, high, minus, of_others, spread, stays
from theory.model.arms import LETTERS, s, s0
from theory.model.counts import NOT_ALL_PULLS
from theory.model.lockout import FIRST, LEAST, LONG, D, H, S, rival, when, worst
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
    ROUND,
    SET,
    WALK,
    Fair,
    Halves,
    LowMean,
    apart,
    below,
    crest,
    eps,
    eta,
    j,
    later,
    peak,
    r,
    sigma,
    starts,
    steady,
)
from theory.model.play import ANOTHER, COUNT, LATER, K, N, another, count, i, k, mu, o, t
from theory.model.regret import R_N
from theory.model.stacks import noise
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import Supermartingale, g
from theory.ours.products import f, m
from theory.ours.sign_events import BOTH, at_the_other, chance_of_others, equal_if_met, factors, of_the_other, signs_are
from theory.ours.sign_events import OTHER as OTHER_ARM
from theory.paper.appendix_g.lock_event import happened
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

EXACT_CLAIM = "them-R-Bayes-SubR/lock-out/exact-variances"
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


@claim(f"{EXACT_CLAIM}/model", by="us", kind="statement")
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


@cache
def of_all(factor: sp.Expr) -> tuple[Instance, Instance, Instance]:
    """The product of a factor of the other arms than H."""
    return factors(factor, EXACT)


@cache
def all_set() -> tuple[Applied, Applied]:
    """If the signs are set for H: the signs e agree, and the signs e' are +1 of H and -1 of the others."""
    units = []
    for sign, own, others in ((spread, ONE, ONE), (spread, -ONE, -ONE), (high, ONE, -ONE)):
        arm, rest = equals(sign(H, o), own), equals(sign(NEXT, o), others)
        numbers = dict.fromkeys((u, v), Var(sp.Integer(0), high=ONE))
        sides = [Goal(rel, numbers, name="of two indicators") for rel in (Rel(u * v, ">=", 0), Rel(u * v, "<=", 1))]
        at, bounds = {u: arm, v: of_others(rest)}, of_all(rest)[:2]
        units += [applied(side, at, *bounds, domain=EXACT, name=f"the event of {sign}") for side in sides]
    chances = dict.fromkeys((u, v, p, q), Var(sp.Integer(0), high=ONE))
    once = Goal(Rel(u * p + v * q, "<=", 1), chances, (Rel(u + v, "=", 1),), "one of two")
    at = {u: equals(spread(H, o), ONE), v: equals(spread(H, o), -ONE)}
    at |= {w: of_others(equals(spread(NEXT, o), value)) for w, value in ((p, ONE), (q, -ONE))}
    ranges = (b for value in (ONE, -ONE) for b in of_all(equals(spread(NEXT, o), value))[:2])
    agree = applied(once, at, *ranges, two_values(), domain=EXACT, name="the signs e agree in one way at most")
    met = laws.ARE_SET.concludes.rel.stated[1]
    known = follows(Rel(met, ">=", 1), laws.ARE_SET, domain=EXACT, given=(SET,), name="the signs are set")
    agreed = all_are(high, ONE, -ONE), laws.AGREE
    some = follows(Rel(laws.AGREE, ">=", 0), units[0], units[2], domain=EXACT, name="the signs e agree or not")
    parts = some, agree, *units[4:], known
    first, second = (
        applied(BOTH, dict(zip((u, v), at, strict=True)), *parts, domain=EXACT, given=(SET,), name="both happen")
        for at in (agreed, agreed[::-1])
    )
    return first, second


def same_way(value: sp.Expr, case: Rel, own: Follows) -> Follows:
    """The sign e of the j-th other arm is that of H: both are this one, if `own` says so of H in this case."""
    arm, which, here = {**EXACT, j: COUNT}, NEXT.xreplace({i: j}), (SET, OTHER_ARM, case)
    met, there = equals(spread(NEXT, o), value), equals(spread(which, o), value)
    ways = [(equals(spread(H, o), way), equals(spread(NEXT, o), way)) for way in (value, -value)]
    numbers = dict.fromkeys((u, v, p, q), Var(sp.Integer(0), high=ONE))
    at = {u: ways[0][0], v: ways[1][0], p: of_others(met), q: of_others(ways[1][1])}
    less = (
        Goal(Rel(u * p, "<=", p), numbers, name="if H has it"),
        Goal(Rel(v * q, "<=", 0), numbers, (Rel(v, "<=", 0),)),
    )
    none = follows(Rel(ways[1][0], "<=", 0), own, two_values(), domain=EXACT, given=(case,), name="not the other sign")
    bounds = tuple(bound for _, factor in ways for bound in of_all(factor)[:2])
    sides = (applied(side, at, *bounds, none, domain=EXACT, given=(case,), name="in one way") for side in less)
    parts = all_set()[1], *sides, of_all(met)[2]
    other = follows(Rel(there, ">=", 1), *parts, domain=arm, given=here, name="the sign of the other arm")
    signs = (
        equal_if_met(spread(which, o), value, other, arm, here),
        equal_if_met(spread(H, o), value, own, EXACT, (case,)),
    )
    rel = Rel(spread(another(j, H, o), o), "=", spread(H, o))
    moved = at_the_other(spread(x, o), EXACT)
    return follows(rel, moved, *signs, domain=arm, given=here, name="the sign of another arm")


@cache
def two_values() -> Instance:
    """The sign e of H is +1 or -1."""
    return instance(laws.TWO_VALUES, {k: H}, EXACT, name="a sign is +1 or -1")


@cache
def same_spread() -> Cases:
    """The sign e of the j-th other arm is that of H."""
    up, down = equals(spread(H, o), ONE), equals(spread(H, o), -ONE)
    case = Rel(up, ">", 0)
    next_ = NextInteger(up, sp.Integer(0), EXACT, "the sign of H is +1")
    one = follows(Rel(up, ">=", 1), next_, domain=EXACT, given=(case,), name="the sign of H is +1")
    other = follows(Rel(down, ">=", 1), two_values(), domain=EXACT, given=(case.negation,), name="the sign of H is -1")
    return Cases(case, same_way(ONE, case, one), same_way(-ONE, case.negation, other), "the signs e agree")


@claim(f"{EXACT_CLAIM}/means", by="us", kind="step", uses=("ours/products",), cites=(f"{EXACT_CLAIM}/model",))
def means_by_signs() -> Argument:
    """The signs e agree, so that all arms have x but for their signs e', which are +1 of H and -1 of the others."""
    return proof(*means(), letters={**EXACT_WORDS, j: Letter(j, "number of an arm among those other than H")})


def means() -> tuple[Follows, Follows]:
    """If the signs are set for H: H has the mean x + D, and the j-th other arm has the mean x."""
    arm, given = {**EXACT, j: COUNT}, (SET, OTHER_ARM)
    lead, other_lead = signs_are(high, (ONE, -ONE), all_set()[0], EXACT, (SET,))
    own = instance(laws.EXACT_MEAN, {k: H}, EXACT, name="the mean of H")
    scaled = times(lead.concludes.rel, LEAD / 2, EXACT, "times D/2")
    parts = own, laws.BASE, lead, scaled
    first = follows(Rel(mu(H, o), "=", laws.base + LEAD), *parts, domain=EXACT, given=(SET,), name="the mean of H")
    there = instance(laws.EXACT_MEAN, {k: another(j, H, o)}, arm, name="the mean of another arm")
    agree = same_spread()
    scaled_ = times(other_lead.concludes.rel, LEAD / 2, arm, "times D/2"), times(agree.concludes.rel, laws.v, arm, "v")
    parts_ = there, laws.BASE, other_lead, agree, *scaled_
    rel = Rel(mu(another(j, H, o), o), "=", laws.base)
    return first, follows(rel, *parts_, domain=arm, given=given, name="the mean of another arm")


def means_of() -> tuple[Use, Use]:
    """The means of H and of the j-th other arm."""
    first, second = (uses(f"{EXACT_CLAIM}/means", item=item) for item in ("the mean of H", "the mean of another arm"))
    return first, second


def kept_above() -> Applied:
    """The noises of the j-th other arm before round t are not far below 0."""
    arm, other = {**EXACT, j: COUNT}, another(j, H, o)
    given = (Rel(steady, "=", 1), LATER, Rel(t, "<=", N), OTHER_ARM)
    pulls, top = count(other, t, o), ABOVE.xreplace({k: other})
    all_ = laws.STEADY.concludes.rel.stated[1]
    known = follows(Rel(all_, ">=", 1), laws.STEADY, domain=EXACT, given=given[:1], name="the noises are steady")
    met = of_the_other(stays(NEXT, o), known, EXACT, given[:1])
    stay = instance(laws.STAYS, {k: other}, arm, name="it stays")
    event = Event(-top, 0)
    moved = at_the_other(stays(x, o), EXACT)
    sure = follows(Rel(event, "=", 1), met, moved, stay, domain=arm, given=(given[0], OTHER_ARM), name="it stays")
    says = Indicates(-top, arm, part=True, name="it stays")
    parts = sure, times(sure.concludes.rel, top, arm, "at the peak"), says
    peak_ = follows(Rel(top, "<=", 0), *parts, domain=arm, given=(given[0], OTHER_ARM), name="at the peak")
    place = instance(ANOTHER, {k: H, i: j}, arm, name="the j-th other arm")
    one_of = follows(Rel(other, "<=", K), place, domain=arm, given=(OTHER_ARM,), name="an arm")
    fewer = instance(NOT_ALL_PULLS, {k: other}, arm, (LATER, Rel(other, "<=", K)), name="its pulls")
    few = follows(Rel(pulls, "<=", N), one_of, fewer, domain=arm, given=given[1:], name="pulls of the play")
    largest = instance(laws.PEAK, {k: other, j: pulls}, arm, (Rel(pulls, "<=", N),), name="the peak is the largest")
    rel = Rel(minus(other, pulls, o), "<=", eta * pulls)
    less = Goal(Rel(u, "<=", v), NUMBERS, (Rel(u - v, "<=", y), Rel(y, "<=", 0)), "below")
    at = {u: rel.stated[0], v: rel.stated[1], y: top}
    return applied(less, at, few, largest, peak_, domain=arm, given=given, name="not far below 0")


def others_above() -> Applied:
    """The least average of the others is above x - eta sigma."""
    given = (LONG, SURE, KEPT)
    arm = another(worst, H, o)
    pulls = count(arm, when, o)
    inside = (Rel(when, ">", K), Rel(worst, "<=", K - 1), Rel(when, "<=", N))
    level = instance(means_of()[1], {j: worst}, EXACT, (SET, inside[1]), name="the mean of another arm")
    signs = instance(kept_above(), {j: worst, t: when}, EXACT, (Rel(steady, "=", 1), *inside), name="its noises")
    noise_ = instance(laws.EXACT_NOISE, {k: arm, r: pulls}, EXACT, name="its noise")
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


def happens() -> Follows:
    """A_H happens if the signs are set for H, its first s rewards are bad, and the noises of the others steady."""
    sure, given = certain(apart, SURE, EXACT), (LONG, SURE, LOW, KEPT)
    better = Goal(Rel(u - v, ">=", y), {**NUMBERS, x: real()}, (Rel(u, "=", x + y), Rel(v, "=", x)), "better by D")
    at = {u: mu(H, o), v: rival, y: LEAD, x: laws.base}
    own, others = means_of()
    parts_ = sure, own, of_the_rival(others, sure, EXACT, (SURE,))
    ahead = applied(better, at, *parts_, domain=EXACT, given=(SURE,), name="better by D")
    many = many_negative(DIP_EXACT, MANY_EXACT, EXACT)
    scaled = times(many.rel, sigma / S, EXACT, "times sigma/s", True)
    first_noise = instance(laws.EXACT_NOISE, {k: H, r: S}, EXACT, name="the noise of H")
    noise_ = times(first_noise.concludes.rel, 1 / S, EXACT, "divided by s")
    w = sp.Symbol("w")
    below_ = Goal(
        Rel(u - (v + p), ">=", q),
        {**NUMBERS, x: real(), z: real(), w: real()},
        (Rel(u, ">=", x - w), Rel(v, "=", x + y), Rel(p, "=", -z), Rel(z, ">=", y + q + w)),
        "d below the others",
    )
    first = noise(H, S, o) / S
    at = {u: LEAST, v: mu(H, o), x: laws.base, p: first, z: sigma / S * minus(H, S, o), y: LEAD, q: DEPTH}
    parts = sure, others_above(), own, first_noise, noise_, many, scaled
    far = restated(
        applied(below_, {**at, w: sigma * eta}, *parts, domain=EXACT, given=given),
        Rel(LEAST - FIRST, ">=", DEPTH),
        "d below the others",
    )
    return happened(ahead, far, (DEPTH, LEAD), EXACT, given)


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
    sum_ = instance(laws.MINUS, {j: m}, some, name="nu_m")
    return follows(Rel(minus(k, m, o), "=", -m), signs, sum_, domain=some, given=given, name="nu_m = -m")


def later_noises() -> Follows:
    """nu_{r+j} is nu_r and the noises after the first r."""
    arm = {**without(t, ONE_ARM), j: ROUND}
    split = SplitSum(eps(k, i, o), i, ONE, r, r + j, arm, name="the first r noises and the others")
    moved = Reindex(eps(k, t, o), t, r + 1, r + j, i, i + r, arm, name="counted from r on")
    sums = (instance(laws.MINUS, {j: number}, arm, name="nu") for number in (r + j, r))
    rel = Rel(minus(k, r + j, o), "=", minus(k, r, o) + later(k, j, o))
    after = instance(laws.AFTERWARDS, {}, arm, name="after the first r")
    return follows(rel, split, moved, *sums, after, domain=arm, name="after the first r")


def head_start() -> Follows:
    """r positive noises come first with chance 2^-r, independent of those after them."""
    met, number = equals(eps(k, i, o), ONE), {**ONE_ARM, m: ROUND}
    one = instance(laws.FAIR_NOISE, {r: m + 1, laws.c: ONE}, number, name="one more noise")
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
    law = instance(laws.SIGN_MOMENT, {laws.x: -slope, laws.z: -(slope**2) / 2, r: r + g + 1}, walk, name="a fair sign")
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


@claim(
    f"{EXACT_CLAIM}/one-arm",
    by="us",
    kind="step",
    uses=("ours/classical/ville/exponential", "ours/products"),
    cites=(f"{EXACT_CLAIM}/model",),
)
def one_arm() -> Argument:
    """An arm whose first r noises are positive never has an average below its mean - eta sigma with chance above 1 -
    1/e: exp(2 eta (nu_m - eta m)) is a supermartingale that must rise from 1 to exp(2 eta r (1 + eta)) > e."""
    return proof(never_far_below(), letters=EXACT_WORDS)


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


@claim(f"{EXACT_CLAIM}/chance", by="us", kind="step", cites=(f"{EXACT_CLAIM}/model",))
def chance() -> Argument:
    """All signs are independent: those of the means are fair, two ways for the signs e to agree and one for e'."""
    return proof(chance_of_signs(), letters=EXACT_WORDS)


def evaluated(law: Item, known: list[Item], rest: sp.Expr) -> Applied:
    """A product of chances, with the values that `known` has for its factors, in this order; `rest` stays."""
    sides = [conclusion(item).rel.stated for item in known]
    forms = [sp.Mul(*(b for _, b in sides[:n]), *(a for a, _ in sides[n:]), rest) for n in range(len(known) + 1)]
    names = sp.symbols(f"z_0:{len(forms)}")
    equal = tuple(Rel(one, "=", next_) for one, next_ in pairwise((u, *names)))
    same = Goal(Rel(u, "=", names[-1]), dict.fromkeys((u, *names), real()), equal, "one value after the other")
    steps = [
        applied(FACTOR, {x: a, y: b, q: form / a}, item, domain=EXACT, name="one chance")
        for item, (a, b), form in zip(known, sides, forms, strict=False)
    ]
    at = {u: conclusion(law).rel.stated[0], **dict(zip(names, forms, strict=True))}
    return applied(same, at, law, *steps, domain=EXACT, name="all signs independent")


def chance_of_way(value: sp.Expr) -> Applied:
    """The chance that all signs e are this one, the signs e' are set, rewards bad and noises steady."""

    def fair(law: Item, at: sp.Expr) -> Instance:
        return instance(law, {laws.c: at}, ONE_ARM, name="a fair sign")

    signs = (spread, laws.FAIR_SPREAD, value, value), (high, laws.FAIR_LEAD, ONE, -ONE)
    own = [instance(fair(law, at), {k: H}, EXACT, name="the sign of H") for _, law, at, _ in signs]
    others = [chance_of_others(equals(sign(NEXT, o), at), fair(law, at), EXACT) for sign, law, _, at in signs]
    stay = of_others(Mean(stays(NEXT, o), o))
    return evaluated(laws.ALL_INDEPENDENT[value], [*own, laws.FAIR_SUM, *others], stay)


def chance_of_signs() -> Follows:
    """The chance of signs that are set for H, of bad rewards and of steady noises of the others: 2 2^-K 2^-K, that of
    the s rewards, and those of K - 1 other arms."""
    signs, kept = laws.ARE_SET.concludes.rel, laws.STEADY.concludes.rel
    set_ = times(signs, DIP_EXACT * steady, EXACT, "and bad rewards, steady noises")
    noises = times(kept, signs.stated[1] * DIP_EXACT, EXACT, "and steady noises")
    rel = Rel(apart * DIP_EXACT * steady, "=", signs.stated[1] * DIP_EXACT * kept.stated[1])
    event = follows(rel, laws.ARE_SET, laws.STEADY, set_, noises, domain=EXACT, name="all events")
    ways = (chance_of_way(value) for value in (ONE, -ONE))
    chance = Halves(2 * K - 1) * below(S, MANY_EXACT) * of_others(Mean(stays(NEXT, o), o))
    rel = Rel(Mean(apart * DIP_EXACT * steady, o), "=", chance)
    return follows(rel, Expectation(event, (o,)), *ways, domain=EXACT, name="either way")


@claim(
    EXACT_CLAIM,
    by="us",
    kind="statement",
    uses=(
        "them-R-Bayes-SubR/lock-out/cost",
        *(f"{EXACT_CLAIM}/{part}" for part in ("means", "one-arm", "chance")),
        *("ours/products", "ours/pulls/all"),
    ),
    cites=(f"{EXACT_CLAIM}/model",),
)
def exact_variances() -> Argument:
    """Variances equal to the proxies, noise independent of the means: the signs e_k agree for all arms with chance
    2^(1-K), and each of the other arms stays above with a chance that does not depend on n."""
    free, long = without(H, EXACT), Rel(2 * eta * r, ">=", 1)
    mean = Expectation(events(), (o,), name="in the mean")
    more = instance(
        uses(f"{EXACT_CLAIM}/one-arm"),
        {k: NEXT.xreplace({i: m + 1})},
        {**EXACT, m: ROUND},
        (long,),
        name="one more arm",
    )
    rel = Rel(Halves((r + 1) * m), "<=", sp.Product(Mean(stays(NEXT, o), o), (i, 1, m)))
    some = Induction(rel, m, sp.Integer(0), EXACT, (long,), "a product of chances", lemmas=(more,))
    powers = instance(some, {m: K - 1}, EXACT, (long,), name="K - 1 other arms")
    chance, signs = Mean(BAD, o), below(S, MANY_EXACT)
    numbers = {**NUMBERS, x: real(), z: real(), p: at_least(0), q: at_least(0)}
    parts_ = Rel(u, ">=", x), Rel(x, "=", p * q * z), Rel(z, ">=", y)
    product = Goal(Rel(u, ">=", p * q * y), numbers, parts_, "all chances")
    at = {u: chance, x: Mean(apart * DIP_EXACT * steady, o), p: Halves(2 * K - 1), q: signs}
    at |= {y: powers.concludes.rel.stated[0], z: powers.concludes.rel.stated[1]}
    parts = mean, uses(f"{EXACT_CLAIM}/chance"), powers
    all_ = applied(product, at, *parts, domain=EXACT, given=(LONG, long), name="all chances")
    bound = Rel(chance, ">=", Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * signs)
    named = restated(all_, bound, "chance of A_H")
    arms = SumOver(named, H, ONE, K, free, given=(LONG, long), name="all arms")
    total = Rel(R_N, ">=", K * Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * (N - S) * LEAD * signs)
    return proof(lost(arms, total, free, (long,)), letters=EXACT_WORDS)
