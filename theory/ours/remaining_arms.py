"""The remaining arms of the counting bound, all but an arm and its rival: their walk is below a Brownian motion.

Units sigma_0 = 1, mu_0 = 0. The chance h_t that a Brownian motion from the walk of round t on is ever at the line of
S_k >= s is 1 if the walk itself is there. In a round that pulls a remaining arm the walk has a normal step that is cut
from above, in which h does not rise in the mean (claim ours/counting/line/cut-steps); so the chance that the walk is
ever at the line is at most the mean of h at the start. Definitions and laws: `theory.model.rival_walk`.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Expectation,
    Follows,
    NextInteger,
    Otherwise,
    Picked,
    SumOver,
    Union,
    applied,
    congruent,
    equals,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import rival_walk as model
from theory.model.counts import COUNTED, NOT_ALL_PULLS, ONE_EACH, j
from theory.model.good_pulls import FIRST, LEAST, UNITS, average, rho, share, supremum, zeta
from theory.model.play import COUNT, LATER, PULLED_IS_AN_ARM, K, N, count, i, k, t
from theory.model.rival_walk import (
    AN_ARM,
    BAR,
    CUT,
    GROWTH,
    MIDDLE,
    PULLS,
    RIVAL,
    TOP,
    WALK,
    WORDS,
    chance,
    clock,
    dev,
    g,
    h,
    kept,
    luck,
    mask,
    move,
    reached,
    walk,
    worth,
)
from theory.model.round_errors import CHOSEN, d, e
from theory.model.round_kinds import above_line, o
from theory.model.standard_normals import z1, z2
from theory.ours import cut_normals as steps
from theory.ours.brownian_line import level, slope, time
from theory.ours.classical import processes as ville
from theory.ours.classical.processes import nonnegative
from theory.ours.line_in_time import certain

ONE = sp.Integer(1)
ROUND = (LATER, AN_ARM)
b, f, p, q, r, u, x, y = sp.symbols("b f p q r u x y")
LEFT = K - 2 - clock(k, t, d, e)
EACH = {**WALK, i: COUNT}


def pulled() -> Item:
    return instance(PULLED_IS_AN_ARM, {o: d}, WALK, name="the pulled arm is one of K")


def all_masks() -> Applied:
    """The remaining arms are K - 2."""
    one = Picked(ONE, i, k, ONE, K, WALK, "arm k")
    other = Picked(ONE, i, RIVAL, ONE, K, WALK, "its rival")
    both = Picked(equals(RIVAL, i), i, k, ONE, K, WALK, "both")
    lemma = Goal(
        Rel(q - x - y + p, "=", q - 2),
        dict.fromkeys((p, q, u, x, y), real()),
        (Rel(x, "=", 1), Rel(y, "=", 1), Rel(p, "=", u), Rel(u, "=", 0)),
        "all but two",
    )
    sums = [conclusion(item).rel.stated[0] for item in (one, other, both)]
    at = {**dict(zip((x, y, p), sums, strict=True)), u: equals(RIVAL, k), q: K}
    parts = model.RIVAL_IS_AN_ARM, model.RIVAL_IS_OTHER, one, other, both
    return applied(lemma, at, *parts, domain=WALK, given=(AN_ARM,), name="K - 2 arms")


def room() -> Applied:
    """The clock leaves what the weight of the pulled arm leaves, if it is a remaining one."""
    term = mask(i) * (1 - share(count(i, t, d)))
    unit = model.UNIT
    product = Goal(Rel((1 - x) * (1 - y) * p, ">=", 0), {x: unit, y: unit, p: at_least(0)}, name="not negative")
    at = {x: equals(k, i), y: equals(RIVAL, i), p: 1 - share(count(i, t, d))}
    nonnegative = instance(product, at, EACH, name="not negative")
    own = Among(term, i, CHOSEN, ONE, K, WALK, nonnegative, "the pulled arm")
    scaled = Goal(Rel(x * y, "=", p * y), dict.fromkeys((x, y, p), real()), (Rel(x, "=", p),), "times")
    at = {x: move, p: mask(CHOSEN), y: 1 - share(PULLS)}
    moved = applied(scaled, at, model.MOVES, domain=WALK, given=(LATER,), name="if it is a remaining arm")
    lemma = Goal(
        Rel(p, "<=", q - u),
        dict.fromkeys((b, p, q, u, x, y), real()),
        (Rel(p, "=", b), Rel(b, "<=", x - y), Rel(x, "=", q), Rel(u, "=", y)),
        "what is left",
    )
    weights = conclusion(model.CLOCK).rel.stated
    at = {p: move * (1 - share(PULLS)), b: mask(CHOSEN) * (1 - share(PULLS)), q: K - 2, u: weights[0]}
    at |= {x: sp.Sum(mask(i), (i, 1, K)), y: weights[1]}
    parts = pulled(), moved, own, all_masks(), model.CLOCK
    return applied(lemma, at, *parts, domain=WALK, given=ROUND, name="what the clock leaves")


def at_start() -> Applied:
    """After the first K rounds every arm has one reward."""
    given = (AN_ARM,)
    once = instance(ONE_EACH, {o: d, k: i}, EACH, (Rel(i, "<=", K),), name="one reward each")
    weight = congruent(mask(i) * share(x), x, once, EACH, (Rel(i, "<=", K),), name="weight of one reward")
    weights = SumOver(weight, i, ONE, K, WALK, name="weights of one reward")
    lemma = Goal(
        Rel(u, "=", q * f),
        dict.fromkeys((f, q, u, x, y), real()),
        (Rel(x, "=", q), Rel(u, "=", y), Rel(y, "=", x * f)),
        "at the start",
    )
    clock_ = instance(model.CLOCK, {t: K + 1}, WALK, name="the clock at the start")
    total = clock_.concludes.rel.stated
    at = {x: sp.Sum(mask(i), (i, 1, K)), q: K - 2, u: total[0], y: total[1], f: FIRST}
    parts = clock_, weights, all_masks()
    return applied(lemma, at, *parts, domain=WALK, given=given, name="the clock at the start")


def not_negative() -> Applied:
    """Weights are not negative."""
    unit = model.UNIT
    product = Goal(Rel((1 - x) * (1 - y) * p, ">=", 0), {x: unit, y: unit, p: at_least(0)}, name="not negative")
    at = {x: equals(k, i), y: equals(RIVAL, i), p: share(count(i, t, d))}
    weights = SumOver(instance(product, at, EACH, name="a weight"), i, ONE, K, WALK, name="all weights")
    lemma = Goal(Rel(x, ">=", 0), {x: real(), y: real()}, (Rel(x, "=", y), Rel(y, ">=", 0)), "in turn")
    at = dict(zip((x, y), conclusion(model.CLOCK).rel.stated, strict=True))
    return applied(lemma, at, model.CLOCK, weights, domain=WALK, given=(LATER,), name="the clock is not negative")


@claim("ours/counting/rival/clock", by="us", kind="inequality")
def clocks() -> Argument:
    """The clock is the sum of the weights of K - 2 arms, each at most 1 and w_1 at the start."""
    return proof(room(), at_start(), not_negative(), letters=WORDS)


MADE = Rel(move, ">=", 1)
CHANCE = Mean(model.NOW_REACHED, o)


def time_left() -> Applied:
    """The clock stays below K - 2."""
    less = Goal(
        Rel(y - (x + 1) / (x + 1 + rho) + x / (x + rho), ">", 0),
        {x: at_least(1), rho: positive(), y: real(), p: model.UNIT},
        (Rel(p * (1 - x / (x + rho)), "<=", y), Rel(p, ">=", 1)),
        "the clock stays below K - 2",
    )
    known = uses("ours/counting/rival/clock", item="what the clock leaves")
    return applied(less, {x: PULLS, y: LEFT, p: move}, known, domain=WALK, given=(*ROUND, MADE), name="time left")


def variance() -> Applied:
    """Both parts of a step: its variance is the growth of the clock."""
    sum_ = Goal(
        Rel(
            (p / (x + 1 + rho)) ** 2 + (sp.sqrt(rho) / (x + 1 + rho)) ** 2, "=", (x + 1) / (x + 1 + rho) - x / (x + rho)
        ),
        {x: at_least(1), rho: positive(), p: positive()},
        (Rel(p**2, "=", rho / (x + rho)),),
        "the variance of a step is the growth of the clock",
    )
    return applied(sum_, {x: PULLS, p: dev}, model.DEVIATION, domain=WALK, given=(LATER,), name="variance of a step")


def then(reward: sp.Expr) -> sp.Expr:
    """1 if a Brownian motion is ever at the line, after a reward of the pulled arm."""
    return reached(walk(k, t, d, e) + (reward - MIDDLE) / (PULLS + 1 + rho), clock(k, t, d, e) + GROWTH)


DRAWN = MIDDLE + dev * z1 + sp.sqrt(rho) * z2


def one_step() -> Applied:
    """The chance after a step of the walk."""
    at = {level: model.LEVEL, slope: BAR + zeta, time: LEFT - GROWTH, steps.total: sp.sqrt(GROWTH)}
    at |= {steps.own: model.OWN_STEP, steps.noise: model.NOISE_STEP, steps.top: TOP - MIDDLE, steps.scale: dev}
    lemma = uses("ours/counting/line/cut-steps", item="a cut step")
    given = (*ROUND, MADE)
    after = applied(lemma, at, time_left(), variance(), domain=WALK, given=given, name="after a step")
    before, whole = conclusion(lemma).rel.stated[0].args[0], then(DRAWN)
    plain = next(q for q in before.xreplace(at).args if q.has(above_line))
    same = Goal(Rel(whole.args[0], "=", plain.args[0]), WALK, name="the height after a step")
    event = congruent(Event(x, 0), x, same, WALK, name="the same event")
    sides = dict(zip((x, y), event.concludes.rel.stated, strict=True))
    product = Goal(Rel(p * x, "=", p * y), dict.fromkeys((p, x, y), real()), (Rel(x, "=", y),), "times")
    means = Expectation(applied(product, {p: CUT, **sides}, event, domain=WALK, name="if it is cut"), (o, z1, z2))
    turn = Goal(Rel(x, "<=", q), dict.fromkeys((x, y, q), real()), (Rel(x, "=", y), Rel(y, "<=", q)), "in turn")
    at = {**dict(zip((x, y), means.concludes.rel.stated, strict=True)), q: after.concludes.rel.stated[1]}
    return applied(turn, at, means, after, domain=WALK, given=given, name="after a reward")


def after_round() -> Cases:
    """In a round that pulls a remaining arm the chance does not rise in the mean."""
    after = one_step()
    divided = Goal(
        Rel(x / q, "<=", y),
        {q: positive(), x: real(), y: real(), u: real()},
        (Rel(q, "=", u), Rel(x, "<=", u * y)),
        "divided",
    )
    at = {q: kept, x: after.concludes.rel.stated[0], y: CHANCE, u: Mean(CUT, z1)}
    given = (*ROUND, MADE)
    whole = applied(divided, at, model.KEPT, after, domain=WALK, given=given, name="given the cut")
    scaled = Goal(
        Rel(p * x / q, "<=", p * y),
        {p: model.UNIT, q: positive(), x: real(), y: real()},
        (Rel(x / q, "<=", y),),
        "a round",
    )
    at = {p: move, q: kept, x: after.concludes.rel.stated[0], y: CHANCE}
    moved = applied(scaled, at, whole, domain=WALK, given=given, name="a round")
    none = Goal(
        Rel(p * x / q, "<=", p * y), {p: real(), q: positive(), x: real(), y: real()}, (Rel(p, "=", 0),), "no step"
    )
    rest = applied(none, at, no_step(), domain=WALK, given=(*ROUND, MADE.negation), name="a round")
    return Cases(MADE, moved, rest, "after a round")


def no_step() -> Follows:
    """Arm k or its rival is pulled."""
    none = NextInteger(ONE, move, WALK, name="no remaining arm")
    return follows(Rel(move, "=", 0), none, domain=WALK, given=(MADE.negation,), name="no step")


def one_arm(value: sp.Expr, name: str) -> Cases:
    """A quantity of arm i and its count, an expression in x, after a round: it changes if the arm is pulled."""
    given = (LATER, Rel(i, "<=", K))
    made = equals(CHOSEN, i)
    split = Rel(made, ">=", 1)
    old, new = count(i, t, d), count(i, t + 1, d)
    counted = instance(COUNTED, {k: i, o: d}, EACH, given, name="a pull is counted")
    once = follows(Rel(new, "=", old + 1), counted, domain=EACH, given=(*given, split), name="one more")
    none = NextInteger(ONE, made, EACH, name="another arm")
    zero = follows(Rel(made, "=", 0), none, domain=EACH, given=(split.negation,), name="another arm")
    never = follows(Rel(new, "=", old), counted, zero, domain=EACH, given=(*given, split.negation), name="as before")
    at_old, at_next = (value.xreplace({x: number}) for number in (old, old + 1))
    found = []
    for item, hyp, flag in ((once, split, 1), (never, split.negation, 0)):
        moved = congruent(value, x, item, EACH, (*given, hyp), name=name)
        is_ = Rel(p, "=", flag)
        bit = zero if flag == 0 else follows(Rel(made, "=", 1), domain=EACH, given=(split,), name="this arm")
        times = Goal(Rel(p * u, "=", flag * u), {p: real(), u: real()}, (is_,), "times")
        scaled = applied(times, {p: made, u: at_next - at_old}, bit, domain=EACH, given=(*given, hyp), name="times")
        lemma = Goal(
            Rel(y, "=", x + r),
            dict.fromkeys((x, y, q, r), real()),
            (Rel(y, "=", q if flag else x), Rel(r, "=", flag * (q - x))),
            name,
        )
        at = {y: moved.concludes.rel.stated[0], x: at_old, q: at_next, r: made * (at_next - at_old)}
        found.append(applied(lemma, at, moved, scaled, domain=EACH, given=(*given, hyp), name=name))
    return Cases(split, found[0], found[1], name)


def grown(value: sp.Expr, definition: Item, name: str) -> Applied:
    """A sum over the remaining arms after a round: the term of the pulled arm changes, if it is a remaining one."""
    term = mask(i) * value
    each = SumOver(one_arm(term, name), i, ONE, K, WALK, given=(LATER,), name=name)
    at_old, at_next = (term.xreplace({x: number}) for number in (count(i, t, d), count(i, t, d) + 1))
    picked = Picked(at_next - at_old, i, CHOSEN, ONE, K, WALK, name)
    after = instance(definition, {t: t + 1}, WALK, (LATER,), name="after the round")
    rise = (value.xreplace({x: PULLS + 1}) - value.xreplace({x: PULLS})).xreplace({i: CHOSEN})
    times = Goal(Rel(x * y, "=", p * y), dict.fromkeys((x, y, p), real()), (Rel(x, "=", p),), "times")
    moved = applied(times, {x: move, p: mask(CHOSEN), y: rise}, model.MOVES, domain=WALK, given=(LATER,), name="moved")
    old, new = conclusion(definition).rel.stated, after.concludes.rel.stated
    change = Goal(
        Rel(x, "=", y + u),
        dict.fromkeys((r, u, x, y), real()),
        (Rel(u, "=", r), Rel(x, "=", y + r)),
        "the change",
    )
    at = {x: new[1], y: old[1], u: move * rise, r: mask(CHOSEN) * rise, f: picked.concludes.rel.stated[0]}
    total = Goal(
        Rel(x, "=", y + r), dict.fromkeys((f, r, x, y), real()), (Rel(f, "=", r), Rel(x, "=", y + f)), "with the term"
    )
    picked_ = applied(total, at, pulled(), picked, each, domain=WALK, given=(LATER,), name="with the term")
    sums = applied(change, at, moved, picked_, domain=WALK, given=(LATER,), name="the change")
    lemma = Goal(
        Rel(p, "=", q + u),
        dict.fromkeys((p, q, u, x, y), real()),
        (Rel(p, "=", x), Rel(q, "=", y), Rel(x, "=", y + u)),
        name,
    )
    at = {p: new[0], x: new[1], q: old[0], y: old[1], u: move * rise}
    parts = after, definition, sums
    return applied(lemma, at, *parts, domain=WALK, given=(LATER,), name=name)


@claim("ours/counting/rival/round", by="us", kind="inequality")
def one_round() -> Argument:
    """If a remaining arm is pulled the walk has a step, whose variance is the growth of the clock; ours/counting/line/
    cut-steps says that the chance does not rise in the mean. Otherwise nothing changes."""
    return proof(after_round(), letters=WORDS)


WALK_TERM = share(x) * average(i, x, d, e)


@claim("ours/counting/rival/growth", by="us", kind="identity")
def growth() -> Argument:
    """A round adds one reward to one arm, and so changes one term of the sums over the remaining arms, or none."""
    return proof(grown(WALK_TERM, model.WALKED, "the walk"), grown(share(x), model.CLOCK, "the clock"), letters=WORDS)


NEXT_WALK, NEXT_CLOCK = walk(k, t + 1, d, e), clock(k, t + 1, d, e)
REWARDED = walk(k, t, d, e) + (model.REWARD - MIDDLE) / (PULLS + 1 + rho)


def changed(name: str, old: sp.Expr, rise: sp.Expr, hyp: Rel) -> Applied:
    """The walk or the clock after a round, if a remaining arm is pulled or not."""
    known = uses("ours/counting/rival/growth", item=name)
    new, product = conclusion(known).rel.stated[0], conclusion(known).rel.stated[1] - old
    made = hyp == MADE
    value = follows(Rel(move, "=", 1), domain=WALK, given=(MADE,), name="a step") if made else no_step()
    factor = product / move
    times = Goal(Rel(p * u, "=", int(made) * u), {p: real(), u: real()}, (Rel(p, "=", int(made)),), "times")
    scaled = applied(times, {p: move, u: factor}, value, domain=WALK, given=(hyp,), name="times")
    lemma = Goal(
        Rel(x, "=", y + u),
        dict.fromkeys((p, q, u, x, y), real()),
        (Rel(x, "=", y + p), Rel(p, "=", q), Rel(q, "=", u)),
        name,
    )
    form = Goal(Rel(scaled.concludes.rel.stated[1], "=", rise), WALK, name="in terms of the reward")
    at = {x: new, y: old, p: product, q: scaled.concludes.rel.stated[1], u: rise}
    return applied(lemma, at, known, scaled, form, domain=WALK, given=(LATER, hyp), name=name)


def next_event() -> Cases:
    """1{ever at the line} after a round: after a reward if a remaining arm is pulled, else as before."""
    event, now, after = reached(NEXT_WALK, NEXT_CLOCK), model.NOW_REACHED, then(model.REWARD)
    found = []
    for hyp, walk_, clock_, value in (
        (MADE, REWARDED, clock(k, t, d, e) + GROWTH, after),
        (MADE.negation, walk(k, t, d, e), clock(k, t, d, e), now),
    ):
        given = (LATER, hyp)
        rises = (walk_ - walk(k, t, d, e), clock_ - clock(k, t, d, e))
        moved = (
            changed("the walk", walk(k, t, d, e), rises[0], hyp),
            changed("the clock", clock(k, t, d, e), rises[1], hyp),
        )
        first_ = congruent(reached(x, NEXT_CLOCK), x, moved[0], WALK, given, name="the walk")
        second = congruent(reached(walk_, x), x, moved[1], WALK, given, name="the clock")
        made = hyp == MADE
        bit = follows(Rel(move, "=", 1), domain=WALK, given=(MADE,), name="a step") if made else no_step()
        chosen = Goal(
            Rel(x, "=", p * q + (1 - p) * r),
            dict.fromkeys((p, q, r, x), real()),
            (Rel(p, "=", int(made)), Rel(x, "=", q if made else r)),
            "one of two",
        )
        lemma = Goal(Rel(x, "=", u), dict.fromkeys((x, y, u), real()), (Rel(x, "=", y), Rel(y, "=", u)), "in turn")
        sides = first_.concludes.rel.stated, second.concludes.rel.stated
        at = {x: event, y: sides[0][1], u: value}
        same = applied(lemma, at, first_, second, domain=WALK, given=given, name="after the round")
        at = {p: move, q: after, r: now, x: event}
        found.append(applied(chosen, at, bit, same, domain=WALK, given=given, name="after the round"))
    return Cases(MADE, found[0], found[1], "after the round")


@claim("ours/counting/rival/event", by="us", kind="identity")
def event_after_round() -> Argument:
    """The walk and the clock change by the step of the pulled arm, if it is a remaining one."""
    return proof(next_event(), letters=WORDS)


LONG_PLAY = Rel(K, "<", N)
PAST = sp.Product(Event(1 - chance(k, j, K + 1 + h, d, e), 1), (h, 0, g))
TIMES = Goal(
    Rel(p * q * x, "<=", p * q * y),
    {p: at_least(0), q: at_least(0), x: real(), y: real()},
    (Rel(x, "<=", y),),
    "times what is not negative",
)


def in_the_mean() -> Applied:
    """E[B past h_{t+1}] <= E[B past h_t] for t = K + 1 + g."""
    at, now = {t: K + 1 + g}, (AN_ARM, UNITS)
    moves = {t: K + 1 + g}
    product = Goal(Rel(p * q * x, "=", p * q * y), dict.fromkeys((p, q, x, y), real()), (Rel(x, "=", y),), "times")

    def weighted(item: Item, over: tuple[sp.Symbol, ...], lemma: Goal = product) -> Expectation:
        sides = dict(zip((x, y), conclusion(item).rel.stated, strict=True))
        given = conclusion(item).given
        known = (nonnegative(PAST, {x_: v for x_, v in WALK.items() if x_ != g}),) if lemma is TIMES else ()
        values = {p: worth, q: PAST, **sides}
        return Expectation(applied(lemma, values, *known, item, domain=WALK, given=given, name="weighted"), over)

    event = uses("ours/counting/rival/event")
    becomes = weighted(instance(event, moves, WALK, name="after this round"), (d, e, o))
    falls = weighted(instance(uses("ours/counting/rival/round"), at, WALK, (AN_ARM,), name="this round"), (d, e), TIMES)
    law = model.next_reward(PAST, Mean(then(model.r), o))
    values = [
        weighted(instance(model.CHANCE, {t: time_}, WALK, name="the chance"), (d, e))
        for time_ in (K + 1 + g, K + 2 + g)
    ]
    lemma = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((b, f, p, q, r, u, x, y), real()),
        (
            Rel(b, "=", f),
            Rel(f, "<=", r),
            Rel(x, "=", b + y - r),
            Rel(p, "=", x),
            Rel(q, "=", y),
        ),
        "in turn",
    )
    sides = [conclusion(item).rel.stated for item in (law, falls, becomes, *values)]
    (b_, f_), (_, r_), (x_, _), (q_, y_), (p_, _) = sides
    names = {b: b_, f: f_, r: r_, x: x_, q: q_, y: y_, p: p_}
    parts = law, falls, becomes, values[1], values[0]
    return applied(lemma, names, *parts, domain=WALK, given=now, name="one round, in the mean")


CREST = model.crest
AT_CREST = chance(k, j, CREST, d, e)
START = chance(k, j, K + 1, d, e)


def crest_in_play() -> tuple[Follows, Follows]:
    """S_k is attained in a round K < T <= n."""
    given = (LONG_PLAY,)
    later = applied(NextInteger(CREST, K, WALK, "T >= K + 1"), {}, model.CREST_LATER, domain=WALK, given=given)
    return (
        follows(Rel(CREST - K - 1, ">=", 0), later, domain=WALK, given=given, name="after the first K rounds"),
        follows(Rel(CREST - K - 1, "<=", N - K - 1), model.CREST_WITHIN, domain=WALK, given=given, name="up to n"),
    )


def ever() -> Applied:
    """E[B 1{h_T >= 1}] <= E[B h_{K+1}]: Ville's inequality."""
    given = (AN_ARM, LONG_PLAY, UNITS)
    free = {**WALK, ville.n: ville.ROUND, ville.c: positive()}
    process = {ville.M(ville.t, ville.o): chance(k, j, K + 1 + ville.t, d, e), ville.TIME: CREST - K - 1}
    facts = Rel(CREST - K - 1, ">=", 0), Rel(CREST - K - 1, "<=", ville.n)
    lemma = specialised(uses("ours/classical/ville/every-outcome"), process, free, facts, "these chances")
    rounds = applied(NextInteger(N, K, WALK, "n >= K + 1"), {}, domain=WALK, given=(LONG_PLAY,), name="n >= K + 1")
    at = {ville.n: N - K - 1, ville.c: ONE}
    once = applied(lemma, at, rounds, *crest_in_play(), domain=WALK, given=(LONG_PLAY,), name="every outcome")
    product = Goal(Rel(p * x, "<=", p * y), {p: at_least(0), x: real(), y: real()}, (Rel(x, "<=", y),), "times")
    sides = dict(zip((x, y), once.concludes.rel.stated, strict=True))
    weighted = Expectation(
        applied(product, {p: worth, **sides}, once, domain=WALK, given=(LONG_PLAY,), name="weighted"), (d, e)
    )
    now = AN_ARM, Rel(K + 1, "<=", N), UNITS
    gains = SumOver(in_the_mean(), g, sp.S.Zero, N - K - 2, WALK, given=now, name="rounds")
    total = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((p, q, x, y), real()),
        (Rel(p, "<=", q + x - y), Rel(x, "<=", y)),
        "in turn",
    )
    at = {p: Mean(worth * Event(AT_CREST - 1, 0), d, e), q: Mean(worth * START, d, e)}
    at |= dict(zip((x, y), gains.concludes.rel.stated, strict=True))
    return applied(total, at, rounds, weighted, gains, domain=WALK, given=given, name="ever at the line")


S_K = supremum(k, d, e)
HIGH = Rel(S_K - BAR, ">=", 0)


def rival_luck() -> Applied:
    """In round T: w_l ebar_l <= E_k."""
    rewards, given = count(RIVAL, CREST, d), (AN_ARM, LONG_PLAY)
    at = {k: RIVAL, t: CREST, o: d}
    known = model.RIVAL_IS_AN_ARM, model.CREST_LATER
    pulls = applied(NOT_ALL_PULLS, at, *known, domain=WALK, given=given, name="pulls of the rival")
    parts = pulls, model.CREST_WITHIN
    few = follows(Rel(rewards, "<=", N), *parts, domain=WALK, given=given, name="at most n pulls")
    largest = applied(model.LUCK, {model.m: rewards}, few, domain=WALK, given=given, name="the largest noise")
    noise = instance(model.NOISE, {model.m: rewards}, WALK, name="noise of the rival")
    error = average(RIVAL, rewards, d, e) - TOP
    lemma = Goal(
        Rel(x / (x + rho) * y, "<=", q),
        {x: at_least(1), rho: positive(), y: real(), p: real(), q: real()},
        (Rel(p / (x + rho), "<=", q), Rel(p, "=", x * y)),
        "weight times noise",
    )
    at = {x: rewards, y: error, p: noise.concludes.rel.stated[0], q: luck}
    return applied(lemma, at, largest, noise, domain=WALK, given=given, name="noise of the rival")


def surely() -> Follows:
    """1{S_k >= s} <= 1{h_T >= 1}: in round T the walk with E_k is at the line."""
    given = (AN_ARM, LONG_PLAY, HIGH)
    now, clock_ = walk(k, CREST, d, e), clock(k, CREST, d, e)
    number = model.reached(now, clock_).args[0]
    lemma = Goal(
        Rel(p - (x * (2 + y) + zeta * (y - q) - u - f), ">=", 0),
        {**dict.fromkeys((x, q, u, f, b, r), real()), p: at_least(0), y: real(), zeta: at_least(0)},
        (Rel(f + b, "=", r * (2 + y) + zeta * (y - q)), Rel(b, "<=", u), Rel((r - x) * (2 + y), ">=", 0)),
        "at the line",
    )
    product = Goal(Rel(x * (2 + y), ">=", 0), {x: at_least(0), y: at_least(0)}, name="a product")
    positive_ = applied(
        uses("ours/counting/rival/clock", item="the clock is not negative"),
        {t: CREST},
        model.CREST_LATER,
        domain=WALK,
        given=(LONG_PLAY,),
        name="the clock is not negative",
    )
    above = applied(product, {x: S_K - BAR, y: clock_}, positive_, domain=WALK, given=(LONG_PLAY, HIGH), name="higher")
    peak = above_line(BAR + zeta, K - 2 - clock_, o)
    at = {p: peak, x: BAR, y: clock_, q: LEAST, u: luck, f: now, b: model.sum_of(CREST) - now, r: S_K}
    parts = model.CREST, rival_luck(), above
    there = applied(lemma, at, *parts, domain=WALK, given=given, name="at the line")
    sure = Expectation(certain(number, WALK, given, there), (o,))
    value = applied(model.CHANCE, {t: CREST}, model.CREST_LATER, domain=WALK, given=(LONG_PLAY,), name="the chance")
    rel = Rel(AT_CREST - 1, ">=", 0)
    whole = follows(rel, sure, value, domain=WALK, given=given, name="the chance is 1")
    union = Union(whole, (HIGH,), "if the chance is less than 1")
    both = [Otherwise(number_, WALK, "either way") for number_ in (AT_CREST - 1, HIGH.left)]
    rel = Rel(Event(HIGH.left, 0), "<=", Event(AT_CREST - 1, 0))
    return follows(rel, union, *both, domain=WALK, given=(AN_ARM, LONG_PLAY), name="at the line in round T")


@claim("ours/counting/rival/ever", by="us", kind="inequality")
def ever_at_the_line() -> Argument:
    """The chances h_t are between 0 and 1 and do not rise in the mean, so that Ville's inequality bounds the chance
    that h_T = 1 in the round T in which S_k is attained."""
    return proof(surely(), ever(), letters=WORDS)
