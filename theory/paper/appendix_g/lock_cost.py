"""Appendix G (`sec:extensions`): what a lock-out costs, whatever the laws of means and rewards are."""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import (
    Cases,
    Exchange,
    Expectation,
    NextInteger,
    SumOver,
    applied,
    follows,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import lockout
from theory.model.lockout import A_H, AN_ARM, FIRST, LEAST, LOCKED, LONG, LOSS, WORDS, D, H, S, chosen, d
from theory.model.play import COUNT, K, N, count, o, t
from theory.model.regret import R_N
from theory.ours.bad_rounds import times
from theory.paper.appendix_g.lock import NARROW

LOCK_OUT = "them-R-Bayes-SubR/lock-out"
ONE = sp.Integer(1)
UNIT = Var(sp.Integer(0), integer=True, high=ONE)
x, y, z, u, v = sp.symbols("x y z u v")
NUMBERS = dict.fromkeys((x, y, z, u, v), real())
PULLS = count(H, N + 1, o)


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
    below = applied(apart, at, one, scaled, lockout.FAR_BELOW, domain=LOCKED, given=(LONG, happens), name="d below")
    few = applied(uses(LOCK_OUT), {}, below, domain=LOCKED, given=(*given, happens), name="never again")
    product = Goal(Rel(x * (y - z), ">=", 0), {**NUMBERS, x: UNIT}, (Rel(z, "<=", y),), "times 1{A_H}")
    at_ = {x: A_H, y: S, z: PULLS}
    where = applied(product, at_, few, domain=LOCKED, given=(*given, happens), name="on A_H")
    none = Goal(Rel(x, "=", 0), {x: UNIT}, (Rel(x, "<=", 0),), "0")
    never = applied(none, {x: A_H}, domain=LOCKED, given=(happens.negation,), name="A_H does not happen")
    zero = times(never.concludes.rel, S - PULLS, LOCKED, "times 0")
    elsewhere = follows(Rel(A_H * (S - PULLS), ">=", 0), never, zero, domain=LOCKED, given=(happens.negation,))
    return Cases(happens, where, elsewhere, "on A_H")


def all_rounds() -> Item:
    """The losses of n rounds are at least D (n - s) on any of the events A_H, of which one happens at most."""
    arms = (H, ONE, K)
    free = {x_: v_ for x_, v_ in LOCKED.items() if x_ != H}
    rounds = {**free, t: COUNT}
    events = sp.Sum(A_H, arms)
    each = SumOver(lockout.ADVANTAGE, *arms, rounds, name="all arms")
    product = Goal(Rel(x * y, "<=", y), {x: real(), y: real()}, (Rel(x, "<=", 1), Rel(y, ">=", 0)), "one at most")
    once = applied(
        product, {x: events, y: LOSS}, lockout.ONE_AT_MOST, lockout.NO_GAIN, domain=rounds, name="one at most"
    )
    pulled = sp.Sum(A_H * chosen(t, H, o), arms)
    one = follows(Rel(LOSS, ">=", D * events - D * pulled), each, once, domain=rounds, name="one round")
    total = SumOver(one, t, ONE, N, free, name="all rounds")
    order = Exchange(A_H * chosen(t, H, o), arms, (t, ONE, N), free, name="rounds and arms")
    times_ = times(lockout.PULLS.concludes.rel, A_H, LOCKED, "times 1{A_H}")
    counted = Rel(sp.Sum(A_H * chosen(t, H, o), (t, 1, N)), "=", A_H * PULLS)
    arm = follows(counted, lockout.PULLS, times_, domain=LOCKED, given=(LONG,), name="pulls of an arm")
    pulls = SumOver(arm, *arms, free, given=(LONG,), name="pulls of all arms")
    kept = SumOver(kept_away(), *arms, free, given=(NARROW, LONG), name="all events")
    given = (NARROW, LONG)
    most = Rel(sp.Sum(A_H * chosen(t, H, o), arms, (t, 1, N)), "<=", S * events)
    few = follows(most, order, pulls, kept, domain=free, given=given, name="pulls on the events")
    bound = Rel(sp.Sum(LOSS, (t, 1, N)), ">=", D * (N - S) * events)
    parts = total, few, times(most, D, free, "times D", True)
    return follows(bound, *parts, domain=free, given=given, name="losses")


@claim("them-R-Bayes-SubR/lock-out/cost", by="us", kind="step", uses=(LOCK_OUT,))
def cost() -> Argument:
    """On A_H a round costs D unless it pulls H, which happens s times at most; one of the events happens at most, and
    no round has a negative cost."""
    mean = Expectation(all_rounds(), (o,), name="in the mean")
    chances = sp.Sum(Mean(A_H, o), (H, 1, K))
    return proof(restated(mean, Rel(R_N, ">=", D * (N - S) * chances), "regret"), letters=WORDS)
