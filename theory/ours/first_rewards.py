"""The first rewards of the remaining arms: what the walk of `remaining_arms` is at its start, below a normal number.

Each of the K - 2 first steps is a cut normal one of variance w_1. So their sum is below a normal number of variance
v_0, also in the chance that a Brownian motion from there on is ever at a line (claim ours/counting/line/cut-steps).
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Induction,
    Instance,
    NextInteger,
    SumOver,
    applied,
    congruent,
    equals,
    follows,
    instance,
    replaced,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import rival_walk as model
from theory.model.counts import ONE_EACH
from theory.model.good_pulls import FIRST, LEAST, UNITS, average, rho, share, zeta
from theory.model.play import COUNT, K, i, k, t
from theory.model.rival_walk import (
    AN_ARM,
    BAR,
    CUT_FIRST,
    FIRST_REWARD,
    MASK,
    RIVAL,
    ROOM,
    TOP,
    UNIT,
    WALK,
    WORDS,
    ahead,
    first,
    kept_first,
    luck,
    m,
    mask,
    start_reached,
    worth,
)
from theory.model.round_errors import d, e
from theory.model.round_kinds import o
from theory.model.standard_normals import z1, z2, z3
from theory.ours import cut_normals as steps
from theory.ours.brownian_line import level, slope, time
from theory.ours.classical.normal import equal
from theory.ours.remaining_arms import START, all_masks

b, f, p, q, r, u, x, y = sp.symbols("b f p q r u x y")
MORE = Rel(m + 1, "<=", K)
TIMES = Goal(Rel(p * x, "=", p * y), dict.fromkeys((p, x, y), real()), (Rel(x, "=", y),), "times")
ARMS = {x_: v_ for x_, v_ in WALK.items() if x_ != m}


def late(arms: sp.Expr) -> sp.Expr:
    """The deviation of the first steps of so many arms."""
    return sp.sqrt(arms * FIRST)


def event(arms: sp.Expr) -> sp.Expr:
    """1 if a Brownian motion is ever at the line, from the first steps of these arms and a normal number on."""
    return start_reached(first(k, arms, d, e), late(ahead(k, arms, d, e)))


def mass(arms: sp.Expr) -> sp.Expr:
    return Mean(worth * event(arms), d, e, o, z3)


ONE_OF_THEM = Rel(MASK, ">=", 1)  # arm m + 1 is a remaining one
BEFORE, AFTER = ahead(k, m, d, e), ahead(k, m + 1, d, e)


def then(reward: sp.Expr) -> sp.Expr:
    """The event with the first reward of arm m + 1."""
    return start_reached(first(k, m, d, e) + FIRST * reward, late(AFTER))


def is_one() -> Instance:
    """The indicator of a remaining arm is 1."""
    lemma = Goal(
        Rel((1 - x) * (1 - y), "=", 1), {x: UNIT, y: UNIT}, (Rel((1 - x) * (1 - y), ">=", 1),), "a remaining arm"
    )
    at = {x: equals(k, m + 1), y: equals(RIVAL, m + 1)}
    return instance(lemma, at, WALK, (ONE_OF_THEM,), name="a remaining arm")


def is_none() -> Applied:
    """Or 0."""
    none = NextInteger(sp.Integer(1), MASK, WALK, name="no remaining arm")
    lemma = Goal(
        Rel((1 - x) * (1 - y), "=", 0), {x: UNIT, y: UNIT}, (Rel((1 - x) * (1 - y), "<=", 0),), "no remaining arm"
    )
    at = {x: equals(k, m + 1), y: equals(RIVAL, m + 1)}
    less = follows(Rel(MASK, "<=", 0), none, domain=WALK, given=(ONE_OF_THEM.negation,), name="no remaining arm")
    return applied(lemma, at, less, domain=WALK, given=(ONE_OF_THEM.negation,), name="no remaining arm")


def next_event() -> Cases:
    """The event with one arm more."""
    found = []
    for hyp, walk_ in (
        (ONE_OF_THEM, first(k, m, d, e) + FIRST * FIRST_REWARD),
        (ONE_OF_THEM.negation, first(k, m, d, e)),
    ):
        made, given = hyp == ONE_OF_THEM, (MORE, AN_ARM, hyp)
        bit = is_one() if made else is_none()
        times = Goal(Rel(p * u, "=", int(made) * u), {p: real(), u: real()}, (Rel(p, "=", int(made)),), "times")
        scaled = applied(times, {p: MASK, u: FIRST * FIRST_REWARD}, bit, domain=WALK, given=(hyp,), name="times")
        lemma = Goal(
            Rel(x, "=", y + u), dict.fromkeys((p, u, x, y), real()), (Rel(x, "=", y + p), Rel(p, "=", u)), "the walk"
        )
        at = {x: first(k, m + 1, d, e), y: first(k, m, d, e)}
        at |= dict(zip((p, u), scaled.concludes.rel.stated, strict=True))
        moved = applied(lemma, at, model.NEXT_STEP, scaled, domain=WALK, given=given, name="the walk")
        first_ = congruent(start_reached(x, late(AFTER)), x, moved, WALK, given, name="the walk")
        same = [first_]
        if not made:
            lemma = Goal(
                Rel(x, "=", y), dict.fromkeys((p, x, y), real()), (Rel(x, "=", y - p), Rel(p, "=", 0)), "as many"
            )
            at = {x: AFTER, y: BEFORE, p: MASK}
            many = applied(lemma, at, model.NEXT_AHEAD, bit, domain=WALK, given=given, name="as many")
            same.append(congruent(start_reached(walk_, late(x)), x, many, WALK, given, name="as many"))
        links = equal(*same, domain=WALK, given=given, name="one arm more")
        chosen = Goal(
            Rel(x, "=", p * q + (1 - p) * r),
            dict.fromkeys((p, q, r, x), real()),
            (Rel(p, "=", int(made)), Rel(x, "=", q if made else r)),
            "one of two",
        )
        at = {p: MASK, q: then(FIRST_REWARD), r: event(m), x: event(m + 1)}
        found.append(applied(chosen, at, bit, links, domain=WALK, given=given, name="one arm more"))
    return Cases(ONE_OF_THEM, found[0], found[1], "one arm more")


def cut_step() -> Cases:
    """A first step: it is below a part of the normal number."""
    given = (MORE, AN_ARM, ONE_OF_THEM)
    counted = Goal(
        Rel(x, "=", y + 1), dict.fromkeys((p, x, y), real()), (Rel(y, "=", x - p), Rel(p, "=", 1)), "one less to come"
    )
    at = {x: BEFORE, y: AFTER, p: MASK}
    less = applied(counted, at, model.NEXT_AHEAD, is_one(), domain=WALK, given=given, name="one less to come")
    sum_ = Goal(
        Rel(b**2 + (b * sp.sqrt(rho)) ** 2 + y * b, "=", x * b),
        {x: real(), y: real(), b: real(), rho: positive()},
        (Rel(b * (1 + rho), "=", 1), Rel(x, "=", y + 1)),
        "variances",
    )
    weight = Goal(Rel(FIRST * (1 + rho), "=", 1), WALK, name="w_1 (1 + rho) = 1")
    variance = applied(sum_, {b: FIRST, x: BEFORE, y: AFTER}, weight, less, domain=WALK, given=given, name="variances")
    at = {level: BAR * (2 + LEAST) - luck - first(k, m, d, e), slope: BAR + zeta, time: ROOM}
    at |= {steps.own: FIRST, steps.noise: FIRST * sp.sqrt(rho), steps.late: late(AFTER), steps.total: late(BEFORE)}
    at |= {steps.top: TOP, steps.scale: sp.Integer(1)}
    lemma = uses("ours/counting/line/cut-steps", item="a cut first step")
    after = applied(lemma, at, variance, domain=WALK, given=given, name="one step more")
    both = Goal(Rel(p + b * (x + y), "=", p + b * x + b * y), dict.fromkeys((b, p, x, y), real()), name="two parts")
    parts = {p: then(sp.S.Zero).args[0], b: FIRST, x: z1, y: sp.sqrt(rho) * z2}
    same = instance(both, parts, WALK, name="the height after a step")
    event_ = congruent(Event(x, 0), x, same, WALK, name="the same event")
    sides = dict(zip((x, y), event_.concludes.rel.stated, strict=True))
    means = Expectation(applied(TIMES, {p: CUT_FIRST, **sides}, event_, domain=WALK, name="cut"), (o, z1, z2, z3))
    value = Mean(event(m), o, z3)
    divide = Goal(
        Rel(x / q, "<=", y),
        {q: positive(), x: real(), y: real(), u: real(), r: real()},
        (Rel(q, "=", u), Rel(x, "=", r), Rel(r, "<=", u * y)),
        "given the cut",
    )
    at = {q: kept_first, u: Mean(CUT_FIRST, z1), y: value}
    at |= dict(zip((x, r), means.concludes.rel.stated, strict=True))
    whole = applied(divide, at, model.KEPT_FIRST, means, after, domain=WALK, given=given, name="given the cut")
    scaled = Goal(
        Rel(p * x / q, "<=", p * y),
        {p: UNIT, q: positive(), x: real(), y: real()},
        (Rel(x / q, "<=", y),),
        "a first step",
    )
    none = Goal(
        Rel(p * x / q, "<=", p * y), {p: real(), q: positive(), x: real(), y: real()}, (Rel(p, "=", 0),), "no step"
    )
    at = {p: MASK, q: kept_first, x: means.concludes.rel.stated[0], y: value}
    moved = applied(scaled, at, whole, domain=WALK, given=given, name="a first step")
    other = (MORE, AN_ARM, ONE_OF_THEM.negation)
    rest = applied(none, at, is_none(), domain=WALK, given=other, name="a first step")
    return Cases(ONE_OF_THEM, moved, rest, "a first step")


def one_step() -> Applied:
    """E[B 1{ever at the line}] does not rise with one arm more."""
    given = (MORE, AN_ARM, UNITS)
    product = Goal(Rel(p * x, "<=", p * y), {p: at_least(0), x: real(), y: real()}, (Rel(x, "<=", y),), "times B")
    below = cut_step()
    sides = dict(zip((x, y), below.concludes.rel.stated, strict=True))
    falls = Expectation(applied(product, {p: worth, **sides}, below, domain=WALK, given=given, name="times B"), (d, e))
    becomes = next_event()
    sides = dict(zip((x, y), becomes.concludes.rel.stated, strict=True))
    next_ = applied(TIMES, {p: worth, **sides}, becomes, domain=WALK, given=given, name="times B")
    after = Expectation(next_, (d, e, o, z3))
    law = model.first_reward(Mean(then(model.r), o, z3))
    lemma = Goal(
        Rel(x, "<=", y),
        dict.fromkeys((b, f, r, x, y), real()),
        (Rel(b, "=", f), Rel(f, "<=", r), Rel(x, "=", b + y - r)),
        "in turn",
    )
    at = dict(zip((b, f), conclusion(law).rel.stated, strict=True))
    at |= {r: falls.concludes.rel.stated[1], x: mass(m + 1), y: mass(m)}
    return applied(lemma, at, law, falls, after, domain=WALK, given=given, name="one step, in the mean")


def all_steps() -> Instance:
    """From all first steps to none."""
    rel = Rel(mass(m), "<=", mass(sp.S.Zero))
    given = (AN_ARM, UNITS)
    every = Induction(rel, m, sp.S.Zero, ARMS, given, name="first steps", lemmas=(one_step(),), until=K)
    return instance(every, {m: K}, ARMS, given, name="all first steps")


def sums() -> tuple[Applied, Applied]:
    """All arms: the walk at the start, and nothing to come."""
    term = mask(i) * FIRST * average(i, sp.Integer(1), d, e)
    zero, given = sp.S.Zero, (AN_ARM,)
    steps_ = Induction(
        Rel(first(k, m, d, e), "=", sp.Sum(term, (i, 1, m))),
        *(m, zero, ARMS),
        name="first steps",
        lemmas=(model.NEXT_STEP,),
        first=(model.NO_STEP,),
        until=K,
    )
    ahead_ = Induction(
        Rel(ahead(k, m, d, e), "=", K - 2 - sp.Sum(mask(i), (i, 1, m))),
        *(m, zero, ARMS, given),
        name="to come",
        lemmas=(model.NEXT_AHEAD,),
        first=(model.ALL_AHEAD,),
        until=K,
    )
    all_ = instance(steps_, {m: K}, ARMS, name="all arms")
    none = instance(ahead_, {m: K}, ARMS, given, name="all arms")
    here = (Rel(i, "<=", K),)
    each = {**ARMS, i: COUNT}
    once = instance(ONE_EACH, {o: d, k: i}, each, here, name="one reward each")
    same = congruent(mask(i) * share(x) * average(i, x, d, e), x, once, each, here, name="one reward")
    total = SumOver(same, i, sp.Integer(1), K, ARMS, name="one reward each")
    walk = instance(model.WALKED, {t: K + 1}, ARMS, name="the walk at the start")
    lemma = Goal(
        Rel(x, "=", p),
        dict.fromkeys((p, q, x, y), real()),
        (Rel(x, "=", y), Rel(y, "=", q), Rel(p, "=", q)),
        "in turn",
    )
    at = dict(zip((x, y), walk.concludes.rel.stated, strict=True))
    at |= dict(zip((p, q), all_.concludes.rel.stated, strict=True))
    count_ = Goal(
        Rel(x, "=", 0), dict.fromkeys((q, x, y), real()), (Rel(x, "=", q - y), Rel(y, "=", q)), "nothing to come"
    )
    left = {x: ahead(k, K, d, e), y: sp.Sum(mask(i), (i, 1, K)), q: K - 2}
    return (
        applied(lemma, at, walk, total, all_, domain=ARMS, name="the walk at the start"),
        applied(count_, left, none, all_masks(), domain=ARMS, given=given, name="nothing to come"),
    )


AT_START = start_reached(sp.S.Zero, late(K - 2))  # from a normal number of variance v_0 on


def at_start() -> Applied:
    """After the first K rounds the clock is v_0, and the walk has all first steps."""
    given = (AN_ARM,)
    value = instance(model.CHANCE, {t: K + 1}, WALK, name="the chance at the start")
    clock = uses("ours/counting/rival/clock", item="the clock at the start")
    walk, none = sums()
    now = model.walk(k, K + 1, d, e)
    inside = model.reached(now, LEAST)
    timed = replaced(value, clock, Rel(START, "=", Mean(inside, o)), WALK, given, "the clock at the start")
    plain = start_reached(first(k, K, d, e), sp.S.Zero)
    walked = replaced(timed, walk, Rel(START, "=", Mean(plain, o)), WALK, given, "the walk at the start")
    turned = congruent(start_reached(first(k, K, d, e), late(x)), x, none, WALK, given, name="nothing to come")
    lemma = Goal(Rel(x, "=", q), dict.fromkeys((q, x, y), real()), (Rel(x, "=", y), Rel(q, "=", y)), "in turn")
    means = Expectation(turned, (o, z3))
    at_ = {x: START, y: Mean(plain, o, z3), q: means.concludes.rel.stated[0]}
    parts = Expectation(walked, (z3,)), means
    return applied(lemma, at_, *parts, domain=WALK, given=given, name="at the start")


def from_the_start() -> Applied:
    """E[B h_{K+1}] in terms of a normal number."""
    given = (AN_ARM, UNITS)
    value = at_start()
    sides = dict(zip((x, y), conclusion(value).rel.stated, strict=True))
    weighted = Expectation(
        applied(TIMES, {p: worth, **sides}, value, domain=WALK, given=(AN_ARM,), name="weighted"), (d, e)
    )
    zero = sp.S.Zero
    none = congruent(start_reached(x, late(ahead(k, zero, d, e))), x, model.NO_STEP, WALK, name="no step yet")
    whole = congruent(start_reached(zero, late(x)), x, model.ALL_AHEAD, WALK, (AN_ARM,), name="all to come")
    no_steps = equal(none, whole, domain=WALK, given=(AN_ARM,), name="no step yet")
    sides = dict(zip((x, y), no_steps.concludes.rel.stated, strict=True))
    scaled = applied(TIMES, {p: worth, **sides}, no_steps, domain=WALK, given=(AN_ARM,), name="weighted")
    begins = Expectation(scaled, (d, e, o, z3))
    steps_ = all_steps()
    lemma = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((p, q, x, y), real()),
        (Rel(p, "=", x), Rel(x, "<=", y), Rel(y, "=", q)),
        "in turn",
    )
    at = {p: Mean(worth * START, d, e), q: Mean(worth * AT_START, d, e, o, z3)}
    at |= dict(zip((x, y), steps_.concludes.rel.stated, strict=True))
    return applied(lemma, at, weighted, steps_, begins, domain=WALK, given=given, name="from the start")


@claim("ours/counting/rival/start", by="us", kind="inequality")
def start() -> Argument:
    """After the first K rounds every remaining arm has one reward, and the walk is the sum of w_1 times these. Each is
    a cut normal step; one after the other they are replaced by a part of one normal number of variance v_0."""
    return proof(from_the_start(), letters=WORDS)
