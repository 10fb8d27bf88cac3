"""One pair of an arm and a count in the counting bound: the mean cost of a good pull is at most that of independent
variables, E[(gap + price) 1{close}] <= E[pair].

The average of arm k after j rewards is close if S_k is at least the value s that f_j needs. Given arm k and its rival,
the chance of that is at most the chance that a Brownian motion with E_k is ever at a line (`remaining_arms`,
`first_rewards`); E_k is below E (`rival_noise`); and the best other mean is independent of arm k.
"""

from itertools import pairwise

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    NextInteger,
    Union,
    applied,
    congruent,
    equals,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import good_pulls as pull
from theory.model import rival_walk as model
from theory.model import round_kinds as kinds
from theory.model.counts import j
from theory.model.good_pulls import RISE, SLOPE, UNITS, average, bracket, reach, rho, root, supremum
from theory.model.play import k
from theory.model.rival_walk import (
    AN_ARM,
    BAR,
    FREE,
    OWN,
    TOP,
    WALK,
    WORDS,
    E,
    S,
    hurdle,
    luck,
    luck_needed,
    needed,
    place,
    steep,
    worth,
    x,
    y,
)
from theory.model.round_errors import BEST, d, e
from theory.model.round_kinds import Lam, best, close, gap, mean, o
from theory.model.standard_normals import z3
from theory.ours.first_rewards import AT_START
from theory.ours.line_in_time import certain
from theory.ours.remaining_arms import AT_CREST, HIGH, LONG_PLAY, START
from theory.ours.rival_noise import MET

b, f, p, q, r, u, v, w, c = sp.symbols("b f p q r u v w c")
NEED = needed(j, y, x)
SMALL = Rel(S, "<", NEED)


def rising() -> Applied:
    """f_j(y, S) < x for S below the value at which it is x: where f is attained, it rises at least with slope rho."""
    where, kind = place(j, y, S), steep(j, y, S)
    low, high = model.PLACE_LEAST, model.PLACE_MOST
    allowed = [
        applied(item, {pull.v: where, pull.S: NEED}, low, high, domain=FREE, name=item.of)
        for item in (pull.FALLING, pull.RISING)
    ]
    base, factor = SLOPE * root(where, j), 1 + kind * (RISE - 1)
    mixed = Goal(
        Rel(c + r * (1 + p * (q - 1)) * b, "<=", f),
        {**dict.fromkeys((c, b, f, q), real()), r: positive(), p: model.UNIT},
        (Rel(c + r * b, "<=", f), Rel(c + r * q * b, "<=", f)),
        "either kind of drift",
    )
    at = {c: base, r: rho, b: bracket(where, y, NEED), f: reach(j, y, NEED), p: kind, q: RISE}
    either = applied(mixed, at, *allowed, domain=FREE, name="either kind of drift")
    steeper = Goal(Rel(factor, ">", 0), FREE, name="the slope of f")
    product = Goal(Rel(r * p * w, ">", 0), {r: positive(), p: positive(), w: positive()}, name="a product")
    more = applied(product, {r: rho, p: factor, w: NEED - S}, steeper, domain=FREE, given=(SMALL,), name="it rises")
    raised = Goal(
        Rel(u, "<", v),
        dict.fromkeys((c, b, f, u, v, w), real()),
        (Rel(u, "=", c + b), Rel(c + b + w, "<=", f), Rel(f, "=", v), Rel(w, ">", 0)),
        "f rises",
    )
    at = {u: reach(j, y, S), c: base, b: rho * factor * bracket(where, y, S), w: rho * factor * (NEED - S)}
    at |= {f: reach(j, y, NEED), v: x}
    parts = model.ATTAINED, either, model.NEEDED, more
    return applied(raised, at, *parts, domain=FREE, given=(SMALL,), name="f rises")


def enough() -> Follows:
    """1{f_j(y, S) >= x} <= 1{S >= the value that is needed}."""
    below = Union(rising(), (SMALL,), "f reaches x")
    return follows(Rel(Event(reach(j, y, S) - x, 0), "<=", Event(S - NEED, 0)), below, domain=FREE, name="S is enough")


@claim("ours/counting/rival/needed", by="us", kind="inequality")
def what_is_needed() -> Argument:
    """f is attained at some v and some kind of drift; there it rises in S with slope rho or more."""
    return proof(enough(), letters=WORDS)


SAME = Rel(equals(k, BEST), ">=", 1)
S_K = supremum(k, d, e)
ENOUGH = Event(HIGH.left, 0)
OTHER = SAME.negation
VALUE = (gap + Lam(j)) * close


def apart() -> Follows:
    """Arm k is not the best one."""
    none = NextInteger(sp.Integer(1), equals(k, BEST), WALK, name="another arm")
    return follows(Rel(equals(k, BEST), "=", 0), none, domain=WALK, given=(OTHER,), name="another arm")


def rival_mean() -> Applied:
    """Then its rival is the best arm, and Y_k = mu_*."""
    given = (AN_ARM, OTHER)
    rival = applied(model.RIVAL_IS_BEST, {}, apart(), domain=WALK, given=given, name="the rival is the best arm")
    same = congruent(mean(x, d, e), x, rival, WALK, given, name="their means")
    lemma = Goal(Rel(p, "=", q), dict.fromkeys((p, q, r), real()), (Rel(p, "=", r), Rel(q, "=", r)), "in turn")
    at = {p: TOP, q: best, r: mean(BEST, d, e)}
    return applied(lemma, at, same, kinds.BEST_MEAN, domain=WALK, given=given, name="the best mean")


TIMES = Goal(Rel(p * q, "=", p * r), dict.fromkeys((p, q, r), real()), (Rel(q, "=", r),), "times")
NOTHING = Goal(Rel(p * q, "=", 0), {p: real(), q: real()}, (Rel(p, "=", 0),), "times 0")
WITHIN = Event(reach(j, best, S_K) - pull.lag(k, j), 0)


def star() -> Applied:
    """The best arm is not close to itself."""
    itself = follows(Rel(1 - equals(k, BEST), "=", 0), domain=WALK, given=(SAME,), name="the best arm")
    none = applied(
        NOTHING, {p: 1 - equals(k, BEST), q: WITHIN}, itself, domain=WALK, given=(SAME,), name="not another arm"
    )
    far = follows(Rel(close, "=", 0), pull.CLOSE, none, domain=WALK, given=(SAME,), name="not close")
    free = applied(NOTHING, {p: close, q: gap + Lam(j)}, far, domain=WALK, given=(SAME,), name="no cost")
    lemma = Goal(
        Rel(p * q, "<=", r * u),
        {p: real(), q: real(), r: at_least(0), u: model.UNIT},
        (Rel(q * p, "=", 0),),
        "nothing",
    )
    at = {p: gap + Lam(j), q: close, r: worth, u: ENOUGH}
    return applied(lemma, at, free, domain=WALK, given=(SAME,), name="the best arm")


def other_arm() -> Applied:
    """Another arm that is close: its gap is Y_k - mu_k, and S_k is enough."""
    given = (AN_ARM, OTHER)
    top, far = rival_mean(), TOP - OWN
    at = {S: S_K, y: TOP, x: j * (TOP - average(k, j, d, e))}
    known = instance(uses("ours/counting/rival/needed"), at, WALK, name="S_k is enough")
    form = Event(reach(j, x, S_K) - j * (x - average(k, j, d, e)), 0)
    same = congruent(form, x, top, WALK, given, name="the best mean")
    order = follows(
        Rel(far, ">=", 0), top, kinds.LARGEST, domain=WALK, given=given, name="no mean is above the best one"
    )
    sure = certain(far, WALK, given, order)
    whole = applied(
        TIMES, {p: far + Lam(j), q: Event(far, 0), r: sp.S.One}, sure, domain=WALK, given=given, name="it costs all"
    )
    cost = Goal(
        Rel(r, "=", p + u),
        dict.fromkeys((b, c, f, p, q, r, u), real()),
        (Rel(r, "=", b), Rel(b, "=", f - c + u), Rel(f, "=", q), Rel(p, "=", q - c)),
        "gap and price",
    )
    at = {r: worth, p: gap, u: Lam(j), f: TOP, c: OWN, b: whole.concludes.rel.stated[0], q: best}
    parts = model.WORTH, whole, top, kinds.GAP
    value = applied(cost, at, *parts, domain=WALK, given=given, name="gap and price")
    none = applied(NOTHING, {p: equals(k, BEST), q: WITHIN}, apart(), domain=WALK, given=given, name="another arm")
    closer = Goal(
        Rel(q, "<=", u),
        dict.fromkeys((q, u, v, w, f), real()),
        (Rel(q, "=", w - v), Rel(v, "=", 0), Rel(f, "=", w), Rel(f, "<=", u)),
        "close",
    )
    at = {q: close, u: ENOUGH, v: equals(k, BEST) * WITHIN, w: WITHIN, f: same.concludes.rel.stated[0]}
    near = applied(closer, at, pull.CLOSE, none, same, known, domain=WALK, given=given, name="close")
    lemma = Goal(
        Rel(p * q, "<=", r * u),
        {p: real(), q: real(), r: at_least(0), u: real()},
        (Rel(r, "=", p), Rel(q, "<=", u)),
        "another arm",
    )
    at = {p: gap + Lam(j), q: close, r: worth, u: ENOUGH}
    return applied(lemma, at, value, near, domain=WALK, given=given, name="another arm")


@claim("ours/counting/rival/close", by="us", kind="inequality")
def close_arm() -> Argument:
    """The rival of an arm that is not the best one is the best arm, and by ours/counting/rival/needed an average is
    close only if S_k is at least the value that f_j needs."""
    return proof(Cases(SAME, star(), other_arm(), "if it is close"), letters=WORDS)


DRAWN = (TOP - OWN + Lam(j)) * Event(TOP - OWN, 0) * Event(E - luck_needed(BAR), 0)


def in_place_of(hurdle_: sp.Expr, over: tuple[sp.Symbol, ...]) -> Expectation:
    """A mean with the needed luck, and with what this is."""
    event = Event(hurdle_ - x, 0)
    same = congruent(event, x, model.HURDLE, WALK, name="the needed luck")
    sides = dict(zip((q, r), same.concludes.rel.stated, strict=True))
    return Expectation(applied(TIMES, {p: worth, **sides}, same, domain=WALK, name="weighted"), (d, e, *over))


def one_pair() -> Applied:
    """E[(gap + price) 1{close}] <= E[pair]."""
    given = (AN_ARM, LONG_PLAY, UNITS)
    near = Expectation(uses("ours/counting/rival/close"), (d, e))
    there = uses("ours/counting/rival/ever", item="at the line in round T")
    product = Goal(Rel(p * q, "<=", p * r), {p: at_least(0), q: real(), r: real()}, (Rel(q, "<=", r),), "times")
    sides = dict(zip((q, r), conclusion(there).rel.stated, strict=True))
    scaled = applied(product, {p: worth, **sides}, there, domain=WALK, given=(AN_ARM, LONG_PLAY), name="weighted")
    crest = Expectation(scaled, (d, e))
    ever = uses("ours/counting/rival/ever", item="ever at the line")
    start = uses("ours/counting/rival/start")
    noise = Expectation(uses("ours/counting/rival/noise"), (o, z3))
    before, after = in_place_of(luck, (o, z3)), in_place_of(E, (E, o, z3))
    cost = Goal(Rel(p * q, "=", r * q), dict.fromkeys((p, q, r), real()), (Rel(p, "=", r),), "gap and price")
    at = {p: worth, r: conclusion(model.WORTH).rel.stated[1], q: Event(E - luck_needed(BAR), 0)}
    value = Expectation(applied(cost, at, model.WORTH, domain=WALK, name="gap and price"), (d, e, E, o, z3))
    law = model.as_drawn(DRAWN, (E, o, z3))
    numbers = sp.symbols("x0:11")
    links = zip(("<=", "<=", "<=", "<=", "=", "<=", "=", "=", "=", "="), pairwise(numbers), strict=True)
    order = tuple(Rel(one, op, two) for op, (one, two) in links)
    lemma = Goal(Rel(numbers[0], "<=", numbers[-1]), dict.fromkeys(numbers, real()), order, "in turn")
    means = (
        Mean(VALUE, d, e),
        Mean(worth * ENOUGH, d, e),
        Mean(worth * Event(AT_CREST - 1, 0), d, e),
        Mean(worth * START, d, e),
        Mean(worth * AT_START, d, e, o, z3),
        Mean(worth * MET, d, e, o, z3),
        Mean(worth * Event(E - hurdle, 0), d, e, E, o, z3),
        Mean(worth * Event(E - luck_needed(BAR), 0), d, e, E, o, z3),
        Mean(DRAWN, d, e, E, o, z3),
        conclusion(law).rel.stated[1],
        Mean(kinds.pair, o),
    )
    parts = near, crest, ever, start, before, noise, after, value, law, model.PAIR
    at = dict(zip(numbers, means, strict=True))
    return applied(lemma, at, *parts, domain=WALK, given=given, name="law of one pair")


@claim("ours/counting/pair", by="us", kind="inequality")
def pair() -> Argument:
    """A pull is close only if S_k is at least what f_j needs, so that the walk of the remaining arms is at a line; by
    ours/counting/rival/ever and its start this has at most the chance of a Brownian motion with E_k, by ours/counting/
    rival/noise that with E; and Y_k and arm k are independent."""
    return proof(one_pair(), letters=WORDS)
