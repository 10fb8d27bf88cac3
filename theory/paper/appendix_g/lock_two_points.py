"""Appendix G (`sec:extensions`): the regret of a lock-out, where only high arms have noise."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Indicates,
    Instance,
    NextInteger,
    Restated,
    SumOver,
    applied,
    equals,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model import lockout
from theory.model import lockout_laws as laws
from theory.model.arm_signs import NEXT, NOISES, high, minus
from theory.model.arms import s
from theory.model.fair_signs import below, m
from theory.model.lockout import FIRST, LEAST, LONG, D, H, S, d, rival, second, w_S, when, worst
from theory.model.lockout_laws import (
    ALONE,
    BAD,
    DEPTH,
    DIP,
    LAW_WORDS,
    LAWS,
    LEAD,
    MANY,
    Halves,
    alone,
    c,
    de,
    j,
    r,
    sigma,
    x,
)
from theory.model.play import COUNT, K, N, a, another, count, k, mu, o
from theory.model.regret import R_N
from theory.model.stacks import noise as noise_of
from theory.ours.bad_rounds import times
from theory.ours.sign_events import OTHER as LOW_ARM
from theory.ours.sign_events import chance_of_others, signs_are
from theory.ours.sums_of_signs import same_law
from theory.paper.appendix_g.lock_event import happened

ONE = sp.Integer(1)
Domain = dict[sp.Expr, Var]
UNIT = Var(sp.Integer(0), integer=True, high=ONE)
u, v, y, p, q, z = sp.symbols("u v y p q z")
NUMBERS = dict.fromkeys((u, v, y, p, q), real())
COST = "them-R-Bayes-SubR/lock-out/cost"
SURE, LOW = Rel(alone, ">", 0), Rel(DIP, ">", 0)
NARROW = Rel((de * w_S) ** 2 * S, ">", a * sp.log(N))  # the condition of the lock, divided by sigma^2
LONGER = Rel(N, ">=", S)


def certain(event: sp.Expr, happens_: Rel, domain: Domain) -> Applied:
    """An indicator that is positive is 1."""
    next_ = NextInteger(event, sp.Integer(0), domain, "it happens")
    one = Goal(Rel(u, "=", 1), {u: UNIT}, (Rel(u, ">=", 1),), "an indicator")
    return applied(one, {u: event}, next_, domain=domain, given=(happens_,), name="it happens")


def many_negative(event: sp.Expr, least: sp.Expr, domain: Domain) -> Follows:
    """On the event of bad rewards, at least so many more noises are negative."""
    excess, low = minus(H, S, o) - least, Rel(event, ">", 0)
    sure = certain(event, low, domain)
    part = Indicates(excess, domain, part=True, name="bad rewards")
    parts = sure, times(sure.concludes.rel, excess, domain, "bad rewards"), part
    return follows(Rel(minus(H, S, o), ">=", least), *parts, domain=domain, given=(low,), name="bad rewards")


@cache
def signs() -> tuple[Applied, Follows]:
    """If only H is high, its sign is 1 and that of every other arm is -1."""
    met = laws.ONE_HIGH.concludes.rel.stated[1]
    known = follows(Rel(met, ">=", 1), laws.ONE_HIGH, domain=LAWS, given=(ALONE,), name="only H is high")
    return signs_are(high, (ONE, -ONE), known, LAWS, (ALONE,))


def weight_of(sign: sp.Expr, item: Item) -> sp.Expr:
    """By what a sign is multiplied in an equation."""
    return sp.expand(conclusion(item).rel.right).coeff(sign)


def of_high_arm(every: Item, rel: Rel) -> Follows:
    """What holds for every arm k, for arm H, if only H is high."""
    own, sign = instance(every, {k: H}, LAWS, name=conclusion(every).name), signs()[0]
    scaled = times(sign.concludes.rel, weight_of(high(H, o), own), LAWS, "times its factor")
    return follows(rel, own, sign, scaled, domain=LAWS, given=(ALONE,), name=own.name)


def of_low_arm(every: Item, rel: Rel) -> Follows:
    """What holds for every arm k, for the j-th other arm, if only H is high."""
    arm, given = {**LAWS, j: COUNT}, (ALONE, LOW_ARM)
    own, sign = instance(every, {k: another(j, H, o)}, arm, name=conclusion(every).name), signs()[1]
    scaled = times(sign.concludes.rel, weight_of(high(another(j, H, o), o), own), arm, "times its factor")
    return follows(rel, own, sign, scaled, domain=arm, given=given, name=own.name)


@cache
def low_mean() -> Follows:
    """A low arm has the mean x."""
    return of_low_arm(laws.MEAN, Rel(mu(another(j, H, o), o), "=", x))


@cache
def no_noise() -> Follows:
    """A low arm has no noise."""
    return of_low_arm(laws.NOISE, Rel(noise_of(another(j, H, o), r, o), "=", 0))


def low_averages() -> Applied:
    """The least average of the others is x."""
    arm = another(worst, H, o)
    pulls, inside = count(arm, when, o), (Rel(worst, "<=", K - 1), ALONE)
    level = instance(low_mean(), {j: worst}, LAWS, inside, name="a low arm")
    quiet = instance(no_noise(), {j: worst, r: pulls}, LAWS, inside, name="no noise")
    average = Goal(
        Rel(u, "=", x),
        {**NUMBERS, x: real(), q: positive()},
        (Rel(u, "=", v + p / q), Rel(v, "=", x), Rel(p, "=", 0)),
        "an average without noise",
    )
    at = {u: LEAST, v: mu(arm, o), p: noise_of(arm, pulls, o), q: pulls}
    parts = certain(alone, SURE, LAWS), lockout.WORST_IS_OTHER, lockout.IS_ONE, level, quiet
    return applied(average, at, *parts, domain=LAWS, given=(LONG, SURE), name="averages of the others")


def of_the_rival(mean: Item, sure: Applied, domain: Domain, given: tuple[Rel, ...]) -> Follows:
    """The largest mean of the others, if all of them have this one."""
    every = conclusion(mean)
    known = (Rel(second, "<=", K - 1), *(h for h in every.given if h != LOW_ARM))
    level = instance(mean, {j: second}, domain, known, name="one of the others")
    parts = sure, lockout.SECOND_IS_OTHER, lockout.RIVAL_IS_ONE, level
    return follows(Rel(rival, "=", every.rel.right), *parts, domain=domain, given=given, name="largest mean")


def happens() -> Follows:
    """A_H happens if H alone is high and its first s rewards are bad."""
    sure, given = certain(alone, SURE, LAWS), (LONG, SURE, LOW)
    better = Goal(Rel(u - v, ">=", y), {**NUMBERS, x: real()}, (Rel(u, "=", x + y), Rel(v, "=", x)), "better by D")
    at = {u: mu(H, o), v: rival, y: LEAD}
    mean = of_high_arm(laws.MEAN, Rel(mu(H, o), "=", x + LEAD))
    means = sure, mean, of_the_rival(low_mean(), sure, LAWS, (SURE,))
    ahead = applied(better, at, *means, domain=LAWS, given=(SURE,), name="better by D")
    many = many_negative(DIP, MANY, LAWS)
    scaled = times(many.rel, sigma / S, LAWS, "times sigma/s", True)
    own = instance(laws.NOISE, {r: S}, {**LAWS, k: COUNT}, name="noise of a high arm")
    first = of_high_arm(own, Rel(noise_of(H, S, o), "=", -sigma * minus(H, S, o)))
    noise = times(first.concludes.rel, 1 / S, LAWS, "divided by s")
    apart = Goal(
        Rel(u - (v + p), ">=", q),
        {**NUMBERS, x: real(), z: real()},
        (Rel(u, "=", x), Rel(v, "=", x + y), Rel(p, "=", -z), Rel(z, ">=", y + q)),
        "d below the others",
    )
    at = {u: LEAST, v: mu(H, o), p: noise_of(H, S, o) / S, z: sigma / S * minus(H, S, o), y: LEAD, q: DEPTH}
    parts = sure, low_averages(), mean, first, noise, many, scaled
    far = restated(
        applied(apart, at, *parts, domain=LAWS, given=given), Rel(LEAST - FIRST, ">=", DEPTH), "d below the others"
    )
    return happened(ahead, far, (DEPTH, LEAD), LAWS, given)


def events() -> Cases:
    """1{H alone is high} 1{bad rewards} <= 1{A_H}."""
    numbers = dict.fromkeys((u, v, y), Var(sp.Integer(0), high=ONE))
    at = {u: alone, v: DIP, y: BAD}
    both = Goal(Rel(u * v, "<=", y), numbers, (Rel(y, "=", 1),), "at most 1")
    one = applied(both, at, happens(), domain=LAWS, given=(LONG, SURE, LOW), name="A_H happens")
    none = [Goal(Rel(u * v, "<=", y), numbers, (Rel(factor, "<=", 0),), "a factor 0") for factor in (u, v)]
    not_high = applied(none[0], at, domain=LAWS, given=(SURE.negation,), name="H is not the only high arm")
    not_bad = applied(none[1], at, domain=LAWS, given=(LOW.negation,), name="no bad rewards")
    return Cases(LOW, Cases(SURE, one, not_high, "bad rewards"), not_bad, "an event of A_H")


def lost(chances: Item, total: Rel, domain: Domain, more: tuple[Rel, ...] = ()) -> Restated:
    """R_n >= D (n - s) Q, if Q is at most the sum of the chances of A_H; `more` are hypotheses that this needs."""
    given = (NARROW, LONGER, LONG, *more)
    scaled = Goal(Rel(u * s, ">", v * s), {u: real(), v: real(), s: positive()}, (Rel(u, ">", v),), "times sigma^2")
    wide = instance(scaled, {u: NARROW.stated[0], v: NARROW.stated[1]}, domain, (NARROW,), name="times sigma^2")
    cost = applied(uses(COST), {d: DEPTH, D: LEAD}, wide, domain=domain, given=(NARROW, LONG), name="cost")
    product = Goal(Rel(u, ">=", v * y), {**NUMBERS, v: at_least(0)}, (Rel(u, ">=", v * p), Rel(p, ">=", y)), "product")
    least = conclusion(chances).rel
    at = {u: R_N, v: LEAD * (N - S), p: least.stated[0], y: least.stated[1]}
    return restated(applied(product, at, cost, chances, domain=domain, given=given), total, "regret")


def without(arm: sp.Symbol, domain: Domain) -> Domain:
    """The domain of a sum over this arm."""
    return {x_: var for x_, var in domain.items() if x_ != arm}


def law_of_noises(least: sp.Expr, domain: Domain) -> Instance:
    """The chance that so many more of the first s noises of H are negative."""
    return instance(same_law(NOISES), {k: H, m: S, y: least}, domain, name="the noises of H have fair signs")


def only_high() -> Follows:
    """1{only H is high} and 1{bad rewards} are independent, and the first has the chance 2^-K."""
    arm, half = {**LAWS, k: COUNT}, sp.Rational(1, 2)
    own, others = (instance(laws.FAIR_HIGH, {c: value}, arm, name="a fair sign") for value in (ONE, -ONE))
    first = instance(own, {k: H}, LAWS, name="the sign of H")
    rest = chance_of_others(equals(high(NEXT, o), -ONE), others, LAWS)
    same = Expectation(times(laws.ONE_HIGH.concludes.rel, DIP, LAWS, "and bad rewards"), (o,))
    product, bad_ = rest.concludes.rel.stated[0], Mean(DIP, o)
    factors = (first, product * bad_), (rest, half * bad_)
    scaled = (times(item.concludes.rel, factor, LAWS, "times the others") for item, factor in factors)
    rel = Rel(Mean(alone * DIP, o), "=", Halves(K) * Mean(DIP, o))
    parts = laws.ONE_HIGH, same, laws.INDEPENDENT, first, rest, *scaled
    return follows(rel, *parts, domain=LAWS, name="only H is high")


@claim(
    "them-R-Bayes-SubR/lock-out/regret",
    by="us",
    kind="step",
    cites=("them-R-Bayes-SubR/lock-out/model",),
)
def regret() -> Argument:
    """With chance K 2^-K exactly one arm is high. Its first s rewards are fixed in advance, independent of that: if
    (theta + delta) s more of them are negative than positive, its average at count s is d = delta sigma or more below
    the others', which are x without noise. Then at least n - s rounds cost D = theta sigma; no run has a negative
    regret."""
    free = without(H, LAWS)
    law = law_of_noises(MANY, LAWS)
    fair = times(law.concludes.rel, Halves(K), LAWS, "times 2^-K")
    parts = Expectation(events(), (o,), name="in the mean"), only_high(), law, fair
    bound = Rel(Mean(BAD, o), ">=", Halves(K) * below(S, MANY))
    chance = follows(bound, *parts, domain=LAWS, given=(LONG,), name="chance of A_H")
    arms = SumOver(chance, H, ONE, K, free, given=(LONG,), name="all arms")
    total = Rel(R_N, ">=", K * Halves(K) * (N - S) * LEAD * below(S, MANY))
    return proof(lost(arms, total, free), letters=LAW_WORDS)
