"""Appendix G (`sec:extensions`): what a lock-out costs, whatever the laws of means and rewards are."""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Exchange,
    Expectation,
    Follows,
    Indicates,
    NextInteger,
    Picked,
    SumOver,
    applied,
    equals,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import lockout
from theory.model.lockout import A_H, AN_ARM, CHOSEN, FIRST, LEAST, LOCKED, LONG, LOSS, WORDS, D, H, S, d, rival
from theory.model.play import BEST, BEST_IS_AN_ARM, COUNT, PULLED, PULLED_IS_AN_ARM, K, N, count, i, k, mu, o, t
from theory.model.pull_order import OWN_COUNT
from theory.model.regret import R_N
from theory.ours.bad_rounds import times
from theory.paper.appendix_g.lock import NARROW
from theory.paper.appendix_g.lock_event import better, far_below

LOCK_OUT = "them-R-Bayes-SubR/lock-out"
ONE = sp.Integer(1)
UNIT = Var(sp.Integer(0), integer=True, high=ONE)
x, y, z, u, v, e = sp.symbols("x y z u v e")
NUMBERS = dict.fromkeys((x, y, z, u, v), real())
PULLS = count(H, N + 1, o)
UNIT_SHARE = Var(sp.Integer(0), high=ONE)
ROUND = {**LOCKED, t: COUNT}  # any round
NO_ARM = {v_: r for v_, r in ROUND.items() if v_ != H}


def kept_away() -> Cases:
    """1{A_H} (s - n_{H,n+1}) >= 0: on A_H the arm is locked out."""
    happens = Rel(A_H, ">", 0)
    given = (AN_ARM, NARROW, LONG)
    sure = NextInteger(A_H, sp.Integer(0), LOCKED, "A_H happens")
    one = applied(
        Goal(Rel(x, "=", 1), {x: UNIT}, (Rel(x, ">=", 1),), "1"), {x: A_H}, sure, domain=LOCKED, given=(happens,)
    )
    scaled = times(one.concludes.rel, LEAST - FIRST - d, LOCKED, "on A_H")
    apart = Goal(Rel(u, ">=", v + z), NUMBERS, (Rel(x, ">=", 0), Rel(x, "=", u - v - z)), "d below the others")
    at = {x: A_H * (LEAST - FIRST - d), u: LEAST, v: FIRST, z: d}
    below = applied(apart, at, one, scaled, far_below(), domain=LOCKED, given=(LONG, happens), name="d below")
    few = applied(uses(LOCK_OUT), {}, below, domain=LOCKED, given=(*given, happens), name="never again")
    product = Goal(Rel(x * (y - z), ">=", 0), {**NUMBERS, x: UNIT}, (Rel(z, "<=", y),), "times 1{A_H}")
    at_ = {x: A_H, y: S, z: PULLS}
    where = applied(product, at_, few, domain=LOCKED, given=(*given, happens), name="on A_H")
    none = Goal(Rel(x, "=", 0), {x: UNIT}, (Rel(x, "<=", 0),), "0")
    never = applied(none, {x: A_H}, domain=LOCKED, given=(happens.negation,), name="A_H does not happen")
    zero = times(never.concludes.rel, S - PULLS, LOCKED, "times 0")
    elsewhere = follows(Rel(A_H * (S - PULLS), ">=", 0), never, zero, domain=LOCKED, given=(happens.negation,))
    return Cases(happens, where, elsewhere, "on A_H")


def same_arm(arm: sp.Expr) -> Applied:
    """1{a = H} = 1, if (a - H)^2 < 1."""
    square, near = (arm - H) ** 2, Rel((arm - H) ** 2, "<", 1)
    whole = NextInteger(ONE, square, ROUND, "no distance")
    says = Indicates(-square, ROUND, integer=True, name="the same arm")
    one = Goal(
        Rel(x, "=", 1), {x: UNIT_SHARE, y: real()}, (Rel((1 - x) * (1 - y), "<=", 0), Rel(y + 1, "<=", 1)), "surely"
    )
    at = {x: equals(arm, H), y: square}
    return applied(one, at, whole, says, domain=ROUND, given=(near,), name="the same arm")


def only_the_best() -> Cases:
    """1{A_H} <= 1{* = H}: if H is not the best arm, another one has as large a mean."""
    apart, rel = Rel((BEST - H) ** 2, ">=", 1), Rel(A_H, "<=", equals(BEST, H))
    known = BEST_IS_AN_ARM, instance(lockout.BEST_MEAN, {i: H}, ROUND, (AN_ARM,), name="H is not better")
    given = (AN_ARM, apart)
    rival_ = applied(lockout.RIVAL, {i: BEST}, BEST_IS_AN_ARM, domain=ROUND, given=given, name="one of the others")
    none = Goal(
        Rel(x * d, "<=", -x * (y - z - d)),
        {**NUMBERS, x: UNIT, d: positive()},
        (Rel(u, "<=", z), Rel(y, "<=", u)),
        "as good an arm",
    )
    at = {x: A_H, y: mu(H, o), z: rival, u: mu(BEST, o), d: D}
    worse = applied(none, at, *known, rival_, domain=ROUND, given=given, name="as good an arm")
    product = follows(Rel(A_H * D, "<=", 0), worse, better(), domain=ROUND, given=given, name="times D")
    quotient = Goal(Rel(x / y, "<=", 0), {x: real(), y: positive()}, (Rel(x, "<=", 0),), "divided by D")
    never = applied(quotient, {x: A_H * D, y: D}, product, domain=ROUND, given=given, name="not on A_H")
    elsewhere = follows(rel, never, domain=ROUND, given=given, name="not the best arm")
    there = follows(rel, same_arm(BEST), domain=ROUND, given=(apart.negation,), name="the best arm")
    return Cases(apart, elsewhere, there, "only of the best arm")


def one_at_most() -> Follows:
    """Of the events A_H of all arms one happens at most."""
    each = SumOver(only_the_best(), H, ONE, K, NO_ARM, name="all arms")
    picked = Picked(ONE, H, BEST, ONE, K, NO_ARM, name="one best arm")
    rel = Rel(sp.Sum(A_H, (H, 1, K)), "<=", 1)
    return follows(rel, BEST_IS_AN_ARM, each, picked, domain=NO_ARM, name="one at most")


def no_gain() -> Applied:
    """No round has a negative cost."""
    largest = applied(lockout.BEST_MEAN, {i: PULLED}, PULLED_IS_AN_ARM, domain=NO_ARM, name="the best arm")
    sign = Goal(Rel(x - y, ">=", 0), {x: real(), y: real()}, (Rel(y, "<=", x),), "the difference")
    return applied(sign, {x: mu(BEST, o), y: mu(PULLED, o)}, largest, domain=NO_ARM, name="no negative cost")


def advantage() -> Cases:
    """On A_H a round that does not pull H costs D at least."""
    apart = Rel((PULLED - H) ** 2, ">=", 1)
    given = (AN_ARM, apart)
    best = instance(lockout.BEST_MEAN, {i: H}, ROUND, (AN_ARM,), name="the best arm")
    other = applied(lockout.RIVAL, {i: PULLED}, PULLED_IS_AN_ARM, domain=ROUND, given=given, name="a worse arm")
    numbers = {**NUMBERS, x: UNIT, d: positive(), e: UNIT_SHARE}
    known = (Rel(x * (y - z - d), ">=", 0), Rel(u, "<=", z), Rel(y, "<=", v))
    lost = Goal(Rel(x * (v - u - d * (1 - e)), ">=", 0), numbers, known, "a worse arm")
    at = {x: A_H, y: mu(H, o), z: rival, u: mu(PULLED, o), v: mu(BEST, o), d: D, e: CHOSEN}
    parts = better(), best, other
    elsewhere = applied(lost, at, *parts, domain=ROUND, given=given, name="another arm")
    nothing = Goal(Rel(x * (v - d * (1 - e)), ">=", 0), numbers, (Rel(e, "=", 1), Rel(v, ">=", 0)), "nothing lost")
    at = {x: A_H, v: LOSS, d: D, e: CHOSEN}
    parts_ = same_arm(PULLED), no_gain()
    there = applied(nothing, at, *parts_, domain=ROUND, given=(apart.negation,), name="arm H")
    return Cases(apart, elsewhere, there, "on A_H")


def all_rounds() -> Item:
    """The losses of n rounds are at least D (n - s) on any of the events A_H, of which one happens at most."""
    arms = (H, ONE, K)
    free = {x_: v_ for x_, v_ in LOCKED.items() if x_ != H}
    events = sp.Sum(A_H, arms)
    each = SumOver(advantage(), *arms, NO_ARM, name="all arms")
    product = Goal(Rel(x * y, "<=", y), {x: real(), y: real()}, (Rel(x, "<=", 1), Rel(y, ">=", 0)), "one at most")
    once = applied(product, {x: events, y: LOSS}, one_at_most(), no_gain(), domain=NO_ARM, name="one at most")
    pulled = sp.Sum(A_H * CHOSEN, arms)
    one = follows(Rel(LOSS, ">=", D * events - D * pulled), each, once, domain=NO_ARM, name="one round")
    total = SumOver(one, t, ONE, N, free, name="all rounds")
    order = Exchange(A_H * CHOSEN, arms, (t, ONE, N), free, name="rounds and arms")
    own = instance(OWN_COUNT, {k: H, t: N + 1}, LOCKED, (AN_ARM, LONG), name="pulls of an arm")
    scaled = times(own.concludes.rel, A_H, LOCKED, "times 1{A_H}")
    counted = Rel(sp.Sum(A_H * CHOSEN, (t, 1, N)), "=", A_H * PULLS)
    arm = follows(counted, own, scaled, domain=LOCKED, given=(AN_ARM, LONG), name="pulls of an arm")
    pulls = SumOver(arm, *arms, free, given=(LONG,), name="pulls of all arms")
    kept = SumOver(kept_away(), *arms, free, given=(NARROW, LONG), name="all events")
    given = (NARROW, LONG)
    most = Rel(sp.Sum(A_H * CHOSEN, arms, (t, 1, N)), "<=", S * events)
    few = follows(most, order, pulls, kept, domain=free, given=given, name="pulls on the events")
    bound = Rel(sp.Sum(LOSS, (t, 1, N)), ">=", D * (N - S) * events)
    parts = total, few, times(most, D, free, "times D", True)
    return follows(bound, *parts, domain=free, given=given, name="losses")


@claim("them-R-Bayes-SubR/lock-out/cost", by="us", kind="step")
def cost() -> Argument:
    """On A_H a round costs D unless it pulls H, which happens s times at most; one of the events happens at most, and
    no round has a negative cost."""
    mean = Expectation(all_rounds(), (o,), name="in the mean")
    chances = sp.Sum(Mean(A_H, o), (H, 1, K))
    return proof(restated(mean, Rel(R_N, ">=", D * (N - S) * chances), "regret"), letters=WORDS)
