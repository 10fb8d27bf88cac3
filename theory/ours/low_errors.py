"""What a bad round of the counting bound means: the best arm was not pulled, and its error is below its level.

The index of the best arm is at most that of the pulled one, so its error is so low that the gap is more than s_n tau
and the error of the pulled arm.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Follows,
    Indicates,
    Instance,
    Monotone,
    Otherwise,
    SumOver,
    Union,
    Whether,
    applied,
    follows,
    instance,
)
from theory.kernel.terms import Event
from theory.model import round_kinds as kinds
from theory.model.counts import NOW, SPREAD
from theory.model.play import COUNT, LATER, K, N, a, k, o, t, tau, width
from theory.model.round_errors import BEST, CHOSEN, d, e
from theory.model.round_kinds import (
    LAST_WIDTH,
    LOW,
    NEAR,
    OTHER,
    PULLS_BEST,
    ROUNDS,
    WIDTH,
    bad,
    excess,
    level,
    loss,
    none,
    shortfall,
)
from theory.ours.kinds_of_rounds import IN_PLAY, ONE, arms, positive_rest
from theory.ours.other_arms import among_the_others

b, f, p, q, w, x, y, z = sp.symbols("b f p q w x y z")
UNIT = Var(sp.Integer(0), high=ONE)
ARM = {**ROUNDS, k: COUNT}
RISING = Rel(WIDTH, "<=", LAST_WIDTH)
BEST_LOW = Event(-level(BEST), 1)
BEYOND = sp.Sum(kinds.beyond(k, t, d, e), kinds.OTHERS)
FAR = 1 - Event(NEAR, 0)  # the gap is above s_n tau and the error of the pulled arm


@cache
def gap_in_errors() -> Follows:
    """A gap is U_I - mu_I and mu_* - U_I, where U_I is at least the index of the best arm."""
    errors = [instance(kinds.ERROR, {k: arm}, ROUNDS, (LATER,), name="error") for arm in (BEST, CHOSEN)]
    parts = kinds.LOSS, kinds.BEST_MEAN, *errors, kinds.CHOICE
    rel = Rel(loss, "<=", kinds.RISE + excess(BEST))
    return follows(rel, *parts, domain=ROUNDS, given=(LATER,), name="two parts of a gap")


@cache
def best_is_low() -> Follows:
    """If the error of the best arm is not below its level, the gap is at most s_n tau and the error."""
    high = Rel(level(BEST), ">=", 0)
    given = (*IN_PLAY, high)
    lemma = Goal(Rel(y - x, ">=", 0), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", z), Rel(y - z, ">=", 0)), "near")
    at = {x: loss, y: NEAR + loss, z: kinds.RISE + excess(BEST)}
    near = applied(lemma, at, gap_in_errors(), domain=ROUNDS, given=given, name="no low error, no large gap")
    either = Union(near, (high,), "a large gap needs a low error")
    otherwise = Otherwise(NEAR, ROUNDS, "a small gap or a large one")
    return follows(
        Rel(FAR, "<=", BEST_LOW), either, otherwise, domain=ROUNDS, given=IN_PLAY, name="the best arm is low"
    )


def of_the_others(expr: sp.Expr, nonnegative: Item, *given: Rel) -> Instance:
    """What the best arm has, if it is not pulled, is at most the sum over all arms that are not pulled."""
    among = among_the_others(expr, BEST, CHOSEN, (nonnegative, *arms()), ROUNDS, given)
    return instance(among, {o: d}, ROUNDS, given, name="one of the others")


def number_of_low_errors() -> SumOver:
    """Of the other arms: those that are not above their levels."""
    otherwise = instance(Otherwise(y, {y: real()}), {y: level(OTHER)}, ARM, name="above its level or below")
    one = follows(
        Rel(Event(-level(OTHER), 1), "=", 1 - kinds.above(k, t, d, e)),
        kinds.ABOVE,
        otherwise,
        domain=ARM,
        given=IN_PLAY,
        name="one of the others",
    )
    return SumOver(one, k, ONE, K - 1, ROUNDS, given=IN_PLAY, name="errors below their levels")


@cache
def some_error_is_low() -> Applied:
    """A bad round has an error below its level."""
    indicator = Event(-level(k), 1)
    sign = instance(Goal(Rel(x, ">=", 0), {x: UNIT}, name="an indicator"), {x: indicator}, ARM, name="an indicator")
    others = of_the_others(indicator, sign)
    number = number_of_low_errors()
    product = Goal(
        Rel(b, "<=", f),
        {x: UNIT, **dict.fromkeys((b, f, y, z, w), real())},
        (Rel(b, "=", (1 - x) * y), Rel(y, "<=", z), Rel((1 - x) * z, "<=", w), Rel(w, "=", f)),
        "a bad round",
    )
    at = {b: bad, f: LOW, x: PULLS_BEST, y: FAR, z: BEST_LOW, w: others.concludes.rel.stated[1]}
    parts = kinds.BAD, best_is_low(), others, number
    return applied(product, at, *parts, domain=ROUNDS, given=IN_PLAY, name="the errors below their levels")


@cache
def not_none() -> Follows:
    """In a bad round some error is below its level."""
    says = Indicates(-LOW, ROUNDS, part=True, name="no error is below its level")
    product = Goal(
        Rel(y * b, "<=", 0), {b: UNIT, y: UNIT, f: real()}, (Rel(b, "<=", f), Rel(-y * f, ">=", 0)), "not both"
    )
    at = {b: bad, y: Event(-LOW, 0), f: LOW}
    not_both = applied(product, at, some_error_is_low(), says, domain=ROUNDS, given=IN_PLAY, name="not both")
    excluded = Goal(Rel(b, "<=", 1 - y), {b: UNIT, y: UNIT}, (Rel(y * b, "<=", 0),), "at most one")
    low = applied(excluded, at, not_both, domain=ROUNDS, given=IN_PLAY, name="some error is low")
    name = "a bad round has an error below its level"
    return follows(Rel(bad, "<=", 1 - none), low, kinds.NO_ERROR, domain=ROUNDS, given=IN_PLAY, name=name)


@cache
def widths_rise() -> Follows:
    """s_t <= s_n."""
    rounds = Goal(NOW, {t: COUNT, N: COUNT, K: COUNT}, IN_PLAY, "a round up to n")
    domain = {x: Var(ONE, strict=True), a: positive()}
    rises = Monotone(rounds, width.xreplace({t: x}), x, domain, name="sqrt(a log t) rises")
    last = instance(SPREAD, {t: N}, ROUNDS, (Rel(N, ">", K),), name="s_n")
    return follows(RISING, rises, SPREAD, last, domain=ROUNDS, given=IN_PLAY, name="s_t <= s_n")


def nonnegative_shortfall() -> Applied:
    """An error below its level is so by more than s_t tau: its arm has a mean above its index."""
    below = Indicates(-level(k), ARM, part=True, strict=True, name="below its level")
    more = Goal(Rel((q - p) * w, ">=", 0), {p: real(), q: real(), w: at_least(0)}, (Rel(p, "<=", q),), "s_n - s_t")
    at = {p: WIDTH, q: LAST_WIDTH, w: tau(CHOSEN, t, d)}
    wider = instance(more, at, ARM, (RISING,), name="s_n - s_t")
    numbers = {x: real(), y: at_least(0), z: at_least(0)}
    sign = Goal(Rel(x * z, ">=", 0), numbers, (Rel(z * (x - y), ">=", 0),), "above its index")
    at = {x: excess(k), y: wider.concludes.rel.left, z: Event(-level(k), 1)}
    return applied(sign, at, wider, below, domain=ARM, given=(RISING,), name="above its index")


def beyond_levels() -> SumOver:
    """Shortfalls of the other arms."""
    turned = follows(
        Rel(shortfall(OTHER), "=", kinds.beyond(k, t, d, e)), kinds.BEYOND, domain=ARM, given=IN_PLAY, name="beyond"
    )
    return SumOver(turned, k, ONE, K - 1, ROUNDS, given=IN_PLAY, name="the other arms")


def two_parts() -> Follows:
    """A gap is at most the positive part of U_I - mu_I, and what the best mean exceeds its index by."""
    part = Indicates(kinds.RISE, ROUNDS, name="at most its positive part")
    rel = Rel(loss, "<=", kinds.rest + excess(BEST))
    parts = gap_in_errors(), part, kinds.REST
    return follows(rel, *parts, domain=ROUNDS, given=(LATER,), name="a positive part and an excess")


def excess_of_best() -> Applied:
    """What the best mean exceeds its index by in a bad round: its error is below its level, one of the other arms."""
    sign = nonnegative_shortfall()
    above = instance(sign, {k: BEST}, ROUNDS, (RISING,), name="the best arm above its index")
    units = dict.fromkeys((w, z), UNIT)
    both = Goal(Rel(w, "=", w * z), units, (Rel(w, "<=", z), Rel(z**2, "=", z)), "both")
    at = {w: FAR, z: BEST_LOW, y: excess(BEST), x: PULLS_BEST, b: bad}
    low = applied(both, at, best_is_low(), Whether(BEST_LOW, ROUNDS), domain=ROUNDS, given=IN_PLAY, name="low as well")
    times = Goal(Rel(w * y, "=", w * (y * z)), {**units, y: real()}, (Rel(w, "=", w * z),), "times the excess")
    scaled = applied(times, at, low, domain=ROUNDS, given=IN_PLAY, name="times the excess")
    least = Goal(Rel(p, "<=", q), {w: UNIT, p: real(), q: real()}, (Rel(p, "=", w * q), Rel(q, ">=", 0)), "at most")
    at |= {p: FAR * excess(BEST), q: shortfall(BEST)}
    most = applied(least, at, widths_rise(), above, scaled, domain=ROUNDS, given=IN_PLAY, name="at most the shortfall")
    apart = Goal(
        Rel(b * y, "<=", f),
        {**dict.fromkeys((b, f, w, y, q, p), real()), x: UNIT},
        (Rel(b, "=", (1 - x) * w), Rel(w * y, "<=", q), Rel((1 - x) * q, "<=", p), Rel(p, "=", f)),
        "in a bad round",
    )
    others = of_the_others(shortfall(k), sign, RISING)
    at |= {f: BEYOND, p: others.concludes.rel.stated[1]}
    parts = kinds.BAD, most, widths_rise(), others, beyond_levels()
    return applied(apart, at, *parts, domain=ROUNDS, given=IN_PLAY, name="the excess in a bad round")


@cache
def cost_of_bad_round() -> Applied:
    """U_I - mu_I, and what the best mean exceeds U_I by: at most what it exceeds its own index by."""
    lemma = Goal(
        Rel(x * b, "<=", q * w + f),
        {**dict.fromkeys((x, y, w, f), real()), b: at_least(0), q: at_least(0)},
        (Rel(x, "<=", q + y), Rel(b, "<=", w), Rel(b * y, "<=", f)),
        "gap of a bad round",
    )
    at = {x: loss, b: bad, q: kinds.rest, w: 1 - none, f: BEYOND, y: excess(BEST)}
    parts = positive_rest(), two_parts(), not_none(), excess_of_best()
    return applied(lemma, at, *parts, domain=ROUNDS, given=IN_PLAY, name="the gap of a bad round")


@claim("ours/counting/low-errors", by="us", kind="step")
def low_errors() -> Argument:
    """A bad round does not pull the best arm, whose index is then at most U_I: its error is below its level, so not all
    errors are above theirs. The gap is U_I - mu_I and mu_* - U_I, and the latter is at most what the best mean exceeds
    its own index by."""
    return proof(not_none(), cost_of_bad_round(), letters=kinds.WORDS)
