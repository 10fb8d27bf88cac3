"""Appendix G (`sec:extensions`): the laws under which ReUCB locks the best arm out are those of Theorem
them-R-Bayes-SubR; the regret of a lock-out where every variance equals its proxy."""

from functools import cache
from itertools import pairwise

import sympy as sp

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
    Restated,
    SumOver,
    Use,
    applied,
    chain,
    equals,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import fair_signs, lockout
from theory.model import lockout_laws as laws
from theory.model.arm_signs import NEXT, all_are, high, minus, of_others, spread, stays
from theory.model.arms import PROXIES, s, s0
from theory.model.counts import NOT_ALL_PULLS
from theory.model.fair_signs import below
from theory.model.lockout import FIRST, LEAST, LONG, D, H, S, rival, when, worst
from theory.model.lockout_laws import (
    ABOVE,
    BAD,
    DEPTH,
    DIP_EXACT,
    EXACT,
    EXACT_WORDS,
    LEAD,
    MANY_EXACT,
    ROUND,
    SET,
    Fair,
    Halves,
    LowMean,
    apart,
    eta,
    j,
    r,
    sigma,
    steady,
)
from theory.model.play import ANOTHER, COUNT, LATER, K, N, another, count, i, k, mu, o, t
from theory.model.regret import R_N
from theory.model.stacks import noise
from theory.ours.bad_rounds import times
from theory.ours.products import m
from theory.ours.sign_events import BOTH, at_the_other, chance_of_others, equal_if_met, factors, of_the_other, signs_are
from theory.ours.sign_events import OTHER as OTHER_ARM
from theory.ours.sums_of_signs import not_negative
from theory.paper.appendix_g.lock_event import happened
from theory.paper.appendix_g.lock_noise import FACTOR, ONE, ONE_ARM, e, fair_sign, lam, never_far_below, x
from theory.paper.appendix_g.lock_two_points import (
    NUMBERS,
    certain,
    law_of_noises,
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
e_prime = sp.Symbol("varepsilon'")
WORDS_OF_TWO_MEANS = {
    **PROXIES,
    D: Letter(D, "difference of the two means"),
    lam: Letter(lam, "any number"),
}


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
        letters=WORDS_OF_TWO_MEANS,
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
        letters={**WORDS_OF_TWO_MEANS, w: Letter(w, "any positive number")},
    )


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


@claim(f"{EXACT_CLAIM}/means", by="us", kind="step", cites=(f"{EXACT_CLAIM}/model",))
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


@claim(
    f"{EXACT_CLAIM}/one-arm",
    by="us",
    kind="step",
    cites=(f"{EXACT_CLAIM}/model",),
)
def one_arm() -> Argument:
    """An arm whose first r noises are positive never has an average below its mean - eta sigma with chance above 1 -
    1/e: exp(2 eta (nu_m - eta m)) is a supermartingale that must rise from 1 to exp(2 eta r (1 + eta)) > e."""
    return proof(never_far_below(), letters=EXACT_WORDS)


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
    return evaluated(laws.ALL_INDEPENDENT[value], [*own, law_of_noises(MANY_EXACT, EXACT), *others], stay)


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
    least = instance(not_negative(), {fair_signs.m: S, fair_signs.c: MANY_EXACT}, EXACT, name="a chance")
    parts = mean, uses(f"{EXACT_CLAIM}/chance"), powers, least
    all_ = applied(product, at, *parts, domain=EXACT, given=(LONG, long), name="all chances")
    bound = Rel(chance, ">=", Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * signs)
    named = restated(all_, bound, "chance of A_H")
    arms = SumOver(named, H, ONE, K, free, given=(LONG, long), name="all arms")
    total = Rel(R_N, ">=", K * Halves(2 * K - 1) * Halves((r + 1) * (K - 1)) * (N - S) * LEAD * signs)
    return proof(lost(arms, total, free, (long,)), letters=EXACT_WORDS)
