"""Rounds by kind in the counting bound: every round is star, good or bad, and each pair of an arm and a count is met
once.

What is pulled, and how often, is decided by the reward differences d: claims about any outcome are used at d.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Follows,
    Indicates,
    SumOver,
    applied,
    congruent,
    follows,
    instance,
    specialised,
)
from theory.kernel.terms import Mean
from theory.model import round_kinds as kinds
from theory.model.counts import LONG, NOT_ALL_PULLS, NOW, OF_ARM, PAIR_ONCE, h, hit, j
from theory.model.play import COUNT, LATER, PULLED_IS_AN_ARM, K, N, count, k, t
from theory.model.round_errors import BEST, CHOSEN, d, e
from theory.model.round_kinds import COUNTS, PRICE, PULLS_BEST, ROUNDS, Lam, bad, good, loss, mean, o, star
from theory.ours.other_arms import at_equal_arms

ONE = sp.Integer(1)
u, v, x, y, z = sp.symbols("u v x y z")
NUMBERS: dict[sp.Expr, Var] = dict.fromkeys((u, v, x, y, z), real())
IN_PLAY = (LATER, NOW)


@cache
def arms() -> tuple[Item, Item]:
    """The pulled arm and the best arm are among the K arms."""
    return instance(PULLED_IS_AN_ARM, {o: d}, ROUNDS, name="the pulled arm is one of K"), kinds.BEST_IS_AN_ARM


def three_kinds() -> Follows:
    """A round is star, good or bad."""
    parts = kinds.STAR, kinds.GOOD, kinds.BAD
    return follows(Rel(star + good + bad, "=", 1), *parts, domain=ROUNDS, given=IN_PLAY, name="star, good or bad")


def star_costs_nothing() -> Follows:
    """The best arm has no gap."""
    same = at_equal_arms(mean(k, d, e), CHOSEN, BEST, arms(), ROUNDS)
    lost = Goal(Rel(x * z, "=", 0), NUMBERS, (Rel(x, "=", u - v), Rel(z * v, "=", z * u)), "nothing lost")
    at = {x: loss, z: PULLS_BEST, u: mean(BEST, d, e), v: mean(CHOSEN, d, e)}
    none = applied(lost, at, kinds.LOSS, kinds.BEST_MEAN, same, domain=ROUNDS, name="nothing is lost")
    rel = Rel(loss * star, "=", 0)
    return follows(rel, none, kinds.STAR, domain=ROUNDS, given=(LATER,), name="the best arm costs nothing")


def star_price() -> Applied:
    """The price of a star round is that of its count, which is one of 1, ..., n - K."""
    same = at_equal_arms(Lam(count(k, t, d)), CHOSEN, BEST, arms(), ROUNDS)
    arm = {**ROUNDS, k: COUNT, h(k, j): real()}
    met = instance(OF_ARM, {o: d}, arm, (*IN_PLAY, Rel(k, "<=", K)), name="what an arm meets")
    priced = specialised(met, {h(k, j): Lam(j)}, {**ROUNDS, k: COUNT}, met.given, "the price of an arm")
    own = instance(priced, {k: BEST}, ROUNDS, (*IN_PLAY, Rel(BEST, "<=", K)), name="the price of the best arm")
    paid = Goal(Rel(x * y, "=", v), NUMBERS, (Rel(y, "=", z), Rel(z * x, "=", z * u), Rel(v, "=", u * z)), "paid")
    total = sp.Sum(Lam(j) * kinds.starhit, COUNTS)
    at = {x: PRICE, y: star, z: PULLS_BEST, u: Lam(count(BEST, t, d)), v: total}
    parts = *arms(), kinds.STAR, same, own
    return applied(paid, at, *parts, domain=ROUNDS, given=IN_PLAY, name="a star round pays the price of its count")


def star_once() -> Applied:
    """The best arm is pulled at each count at most once."""
    domain = {**ROUNDS, j: COUNT}
    name = "the best arm at each count at most once"
    return applied(PAIR_ONCE, {k: BEST, o: d}, *arms(), domain=domain, given=(LONG,), name=name)


def good_once() -> Follows:
    """An arm is pulled in a good round at each count at most once."""
    domain = {**ROUNDS, k: COUNT, j: COUNT}
    pair = hit(t, k, j, d)
    fewer = Goal(Rel(x * y, "<=", y), {x: kinds.UNIT, y: kinds.UNIT}, name="if it is good")
    one = instance(fewer, {x: good, y: pair}, domain, name="if it is good")
    rounds = SumOver(one, t, K + 1, N, domain, given=(LONG,), name="good rounds are rounds")
    given = (LONG, Rel(k, "<=", K))
    all_ = instance(PAIR_ONCE, {o: d}, domain, given, name="each pair at most once")
    rel = Rel(sp.Sum(kinds.goodhit, (t, K + 1, N)), "<=", 1)
    return follows(rel, rounds, all_, domain=domain, given=given, name="each pair at most once in good rounds")


def positive_rest() -> Follows:
    """A positive part is not negative."""
    part = Indicates(kinds.RISE, ROUNDS, part=True, name="a positive part")
    return follows(Rel(kinds.rest, ">=", 0), kinds.REST, part, domain=ROUNDS, given=(LATER,), name="a positive part")


def no_negative_gap() -> Follows:
    """No arm is better than the best one."""
    parts, given = (kinds.GAP, kinds.LARGEST), (Rel(k, "<=", K),)
    return follows(Rel(kinds.gap, ">=", 0), *parts, domain={**ROUNDS, k: COUNT}, given=given, name="a gap")


def first_rounds() -> Follows:
    """One of the first K rounds pulls an arm with mean effect mu_0 = 0."""
    early = (Rel(t, "<=", K),)
    turn = congruent(mean(x, d, e), x, kinds.IN_TURN, ROUNDS, early, name="each arm once")
    pointwise = follows(Rel(loss, "=", kinds.best - mean(t, d, e)), kinds.LOSS, turn, domain=ROUNDS, given=early)
    centred = instance(kinds.CENTRED, {k: t}, ROUNDS, name="mean 0")
    rel = Rel(Mean(loss, d, e), "=", Mean(kinds.best, d, e))
    parts = Expectation(pointwise, (d, e)), centred
    return follows(rel, *parts, domain=ROUNDS, given=early, name="one of the first K rounds")


def worst_count() -> Follows:
    """The largest value over the counts 1, ..., t - K covers the count of the pulled arm."""
    here = Rel(CHOSEN, "<=", K)
    most = instance(NOT_ALL_PULLS, {k: CHOSEN, o: d}, ROUNDS, (LATER, here), name="the other arms have a pull each")
    below = Rel(kinds.pulls, "<=", t - K)
    largest = instance(kinds.WORST, {j: kinds.pulls}, ROUNDS, (LATER, below), name="the largest over all counts")
    return follows(largest.concludes.rel, arms()[0], most, largest, domain=ROUNDS, given=(LATER,), name="at its count")
