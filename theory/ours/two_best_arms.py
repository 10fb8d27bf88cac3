"""The two best means: what they are for the best arm itself, and seen from another arm.

* is the best arm, ** the runner-up; *_k is the best of the arms other than k, **_k the best of all arms except *_k.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Follows,
    Indicates,
    Union,
    applied,
    equals,
    follows,
    instance,
    replaced,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event
from theory.model import stopping as stop
from theory.model.play import K, k
from theory.model.stopping import AN_ARM, ARM, BEST, RUNNER_UP, apart, j, w, z
from theory.ours.other_arms import at_same_arm

x, y, e, c = sp.symbols("x y e c")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
NUMBERS = {x: real(), y: real(), e: UNIT, c: real()}
MU_BEST, MU_SECOND, MU = (stop.mu(arm, w, z) for arm in (BEST, RUNNER_UP, k))
RIVAL, NEXT = stop.rival(k, w, z), stop.next_best(k, w, z)
MU_NEXT = stop.mu(NEXT, w, z)
Y = stop.best_other(k)
GAP, KEPT, OWED, STAR = (f(k, w, z) for f in (stop.gap, stop.kept, stop.owed, stop.star))
SMALLER, BELOW = stop.smaller(k, w, z), stop.below(k)
LEAD = MU_BEST - MU_SECOND
OTHER = apart(BEST, k)  # arm k is not the best
GIVEN, ITSELF = (AN_ARM, OTHER), (AN_ARM, OTHER.negation)
IS_AN_ARM = {
    BEST: stop.BEST_IS_AN_ARM,
    RUNNER_UP: stop.RUNNER_UP_IS_AN_ARM,
    RIVAL: stop.RIVAL_IS_AN_ARM,
    NEXT: stop.NEXT_IS_AN_ARM,
}


def scaled(factor: sp.Expr, item: Item, given: tuple[Rel, ...]) -> Applied:
    """An equation times a factor."""
    lemma = Goal(Rel(c * x, "=", c * y), NUMBERS, (Rel(x, "=", y),), "times a factor")
    left, right = conclusion(item).rel.stated
    return applied(lemma, {c: factor, x: left, y: right}, item, domain=ARM, given=given, name="times a factor")


def the_same(f: sp.Expr, one: sp.Expr, other: sp.Expr, given: tuple[Rel, ...]) -> Applied:
    """f(a) = f(b) for an expression in j, if (a - b)^2 < 1."""
    arms = tuple(IS_AN_ARM[arm] for arm in (one, other) if arm in IS_AN_ARM)
    known = (Rel(one, "<=", K), Rel(other, "<=", K), Rel((one - other) ** 2, "<", 1))
    same = at_same_arm(f, one, other, ARM, known)
    return applied(same, {}, *arms, domain=ARM, given=given, name="the same arm")


def at(item: Item, arm: sp.Expr, *known: Item, given: tuple[Rel, ...] = (AN_ARM,), name: str = "") -> Applied:
    """What holds for every arm j, for this one; `known` gives its hypotheses."""
    arms = (IS_AN_ARM[arm],) if arm in IS_AN_ARM else ()
    return applied(item, {j: arm}, *arms, *known, domain=ARM, given=given, name=name or "of this arm")


@cache
def not_above() -> Follows:
    """Y_k <= mu_*."""
    best = at(stop.LARGEST, RIVAL)
    return follows(
        Rel(Y, "<=", MU_BEST), best, stop.IS_RIVAL, domain=ARM, given=(AN_ARM,), name="at most the best mean"
    )


@cache
def is_best() -> Follows:
    """Y_k = mu_* for another arm than the best."""
    least = at(stop.RIVAL, BEST, given=GIVEN)
    return follows(Rel(Y, "=", MU_BEST), not_above(), least, domain=ARM, given=GIVEN, name="the best of the others")


def next_best() -> Follows:
    """For another arm than the best, the best arm except its rival has the mean of the runner-up."""
    low, high = Rel(MU_NEXT, "<=", MU_SECOND), Rel(MU_SECOND, "<=", MU_NEXT)
    first, second = apart(NEXT, BEST), apart(RUNNER_UP, RIVAL)
    plain = at(stop.SECOND, NEXT, given=(*GIVEN, first))
    tie = (*GIVEN, first.negation)
    moved = the_same((j - RIVAL) ** 2, NEXT, BEST, tie)
    other = follows(apart(RIVAL, BEST), moved, stop.NEXT_IS_OTHER, domain=ARM, given=tie, name="another arm")
    rival = at(stop.SECOND, RIVAL, other, given=tie)
    same = the_same(stop.mu(j, w, z), NEXT, BEST, tie)
    tied = follows(low, rival, same, stop.IS_RIVAL, is_best(), domain=ARM, given=tie, name="a tie")
    below = Cases(first, plain, tied, "not above the runner-up")
    plain = at(stop.NEXT, RUNNER_UP, given=(*GIVEN, second))
    tie = (*GIVEN, second.negation)
    moved = the_same((j - BEST) ** 2, RUNNER_UP, RIVAL, tie)
    other = follows(apart(BEST, RIVAL), moved, stop.RUNNER_UP_IS_OTHER, domain=ARM, given=tie, name="another arm")
    best, most = at(stop.NEXT, BEST, other, given=tie), at(stop.LARGEST, RUNNER_UP)
    tied = follows(high, best, most, domain=ARM, given=tie, name="a tie")
    above = Cases(second, plain, tied, "not below the runner-up")
    return follows(Rel(MU_NEXT, "=", MU_SECOND), below, above, domain=ARM, given=GIVEN, name="the next best mean")


def smaller_one() -> Follows:
    """x_k or D_k, whichever is smaller, is the lead of the best arm over the runner-up, if arm k is not the best."""
    rel, parts = Rel(SMALLER, "=", LEAD), (stop.SMALLER, is_best(), next_best())
    return follows(rel, *parts, domain=ARM, given=GIVEN, name="seen from another arm")


def own_lead() -> Follows:
    """So is -x_k, if arm k is the best."""
    same = the_same(stop.mu(j, w, z), BEST, k, ITSELF)
    moved = [the_same((j - arm) ** 2, BEST, k, ITSELF) for arm in (RUNNER_UP, RIVAL)]
    runner_up, rival = (
        follows(rel, known, same_arm, domain=ARM, given=ITSELF, name="another arm")
        for rel, known, same_arm in (
            (apart(RUNNER_UP, k), stop.RUNNER_UP_IS_OTHER, moved[0]),
            (apart(RIVAL, BEST), stop.RIVAL_IS_OTHER, moved[1]),
        )
    )
    above = at(stop.RIVAL, RUNNER_UP, runner_up, given=ITSELF)
    below = at(stop.SECOND, RIVAL, rival, given=ITSELF)
    parts = above, below, stop.IS_RIVAL, same
    return follows(Rel(-BELOW, "=", LEAD), *parts, domain=ARM, given=ITSELF, name="seen from the best arm")


@claim("ours/lower/two-best", by="us", kind="identity")
def two_best() -> Argument:
    """The best of the other means is the best of all, unless the arm is the best itself; then it is the mean of the
    runner-up. For an arm that is not the best, the best mean except that of its rival is the runner-up's."""
    return proof(is_best(), smaller_one(), own_lead(), letters=stop.WORDS)


IS_BEST, SMALLER_ONE, OWN_LEAD = (
    uses("ours/lower/two-best", item=item)
    for item in ("the best of the others", "seen from another arm", "seen from the best arm")
)


def same_price(argument: sp.Expr, equal: Item, given: tuple[Rel, ...]) -> Follows:
    """h(argument) is the price of a round, if `equal` says that the argument is mu_* - mu_**."""
    here = Rel(c, "=", stop.h(argument))
    named = Goal(Rel(stop.h(argument), "=", c), {**ARM, c: real()}, (here,), "by its name")
    moved = replaced(named, equal, Rel(stop.h(LEAD), "=", c), {**ARM, c: real()}, (here, *given), "at the lead")
    value = instance(moved, {c: stop.h(argument)}, ARM, given, name="at the lead")
    rel = Rel(stop.h(argument), "=", stop.margin)
    return follows(rel, value, stop.MARGIN, domain=ARM, given=given, name="the price of a round")


def unless(value: sp.Expr, most: sp.Expr, known: tuple[Item, ...], given: tuple[Rel, ...]) -> Applied:
    """(1 - 1{d > 0}) x = 0 if 0 <= x <= d; `known` says so."""
    says = Indicates(most, ARM, strict=True, name="not positive")
    facts = Rel((1 - e) * y, "<=", 0), Rel(x, "<=", y), Rel(x, ">=", 0)
    lemma = Goal(Rel((1 - e) * x, "=", 0), NUMBERS, facts, "between 0 and a number that is not positive")
    values = {e: Event(most, 1), x: value, y: most}
    return applied(lemma, values, says, *known, domain=ARM, given=given, name="nothing without a lead")


def never(d: sp.Expr, *why: Item, given: tuple[Rel, ...]) -> Follows:
    """1{d > 0} = 0 if d <= 0."""
    none = Union(follows(Rel(d, "<=", 0), *why, domain=ARM, given=given, name="not positive"), (), "not positive")
    return follows(Rel(Event(d, 1), "=", 0), none, domain=ARM, given=given, name="not positive")


@cache
def price_range() -> tuple[Follows, Follows]:
    """0 <= price <= mu_* - mu_**."""
    given = (AN_ARM,)
    price = applied(stop.PRICE, {stop.y: LEAD}, at(stop.LARGEST, RUNNER_UP), domain=ARM, given=given, name="a price")
    least = follows(Rel(stop.margin, ">=", 0), stop.MARGIN, domain=ARM, given=given, name="a price is no gain")
    most = follows(Rel(stop.margin, "<=", LEAD), stop.MARGIN, price, domain=ARM, given=given, name="at most the lead")
    return least, most


@cache
def not_star() -> Follows:
    """star is 0 for another arm than the best."""
    d = -((BEST - k) ** 2)
    says = Indicates(d, ARM, part=True, name="equal arms")
    none = Goal(Rel(e, "=", 0), NUMBERS, (Rel(e * y, ">=", 0), Rel(y, "<=", -1)), "not the best")
    zero = applied(none, {e: equals(BEST, k), y: d}, says, domain=ARM, given=GIVEN, name="not the best")
    return follows(Rel(STAR, "=", 0), stop.STAR, zero, domain=ARM, given=GIVEN, name="not the best")


@cache
def is_star() -> Follows:
    """star is 1 for the best arm."""
    same = uses("ours/same-arm", item="the indicator")
    given = (Rel(BEST, "<=", K), *ITSELF)
    one = instance(same, {k: BEST, sp.Symbol("m"): k}, ARM, given, name="the best")
    return follows(Rel(STAR, "=", 1), stop.STAR, stop.BEST_IS_AN_ARM, one, domain=ARM, given=ITSELF, name="the best")


def rest() -> Cases:
    """The gap of an arm is what the price leaves of it, and the price if the arm is not the best."""
    rel = Rel(GAP, "=", KEPT + (1 - STAR) * stop.margin)
    price = scaled(Event(BELOW, 1), same_price(SMALLER, SMALLER_ONE, GIVEN), GIVEN)
    least, high = price_range()
    second, gain = at(stop.SECOND, k, given=GIVEN), at(stop.LARGEST, k, given=GIVEN)
    most = follows(Rel(stop.margin, "<=", BELOW), high, second, IS_BEST, domain=ARM, given=GIVEN, name="at most x_k")
    no_price = unless(stop.margin, BELOW, (most, least), GIVEN)
    is_gap = follows(Rel(GAP, "<=", BELOW), stop.GAP, IS_BEST, domain=ARM, given=GIVEN, name="the gap is x_k")
    no_loss = follows(Rel(GAP, ">=", 0), stop.GAP, gain, domain=ARM, given=GIVEN, name="a gap")
    no_gap = unless(GAP, BELOW, (is_gap, no_loss), GIVEN)
    no_star = scaled(stop.margin, not_star(), GIVEN)
    other = follows(rel, stop.KEPT, price, no_price, no_gap, no_star, domain=ARM, given=GIVEN, name="another arm")
    same = the_same(stop.mu(j, w, z), BEST, k, ITSELF)
    none = scaled(GAP - stop.h(SMALLER), never(BELOW, not_above(), same, given=ITSELF), ITSELF)
    a_star = scaled(stop.margin, is_star(), ITSELF)
    best = follows(rel, stop.KEPT, stop.GAP, same, none, a_star, domain=ARM, given=ITSELF, name="the best arm")
    return Cases(OTHER, other, best, "gap of an arm")


def owed() -> Cases:
    """The charge is zero except for the best arm, where it is the price of a round."""
    rel = Rel(OWED, "=", STAR * stop.margin)
    gain = at(stop.LARGEST, k, given=GIVEN)
    none = scaled(stop.h(-BELOW), never(-BELOW, IS_BEST, gain, given=GIVEN), GIVEN)
    no_star = scaled(stop.margin, not_star(), GIVEN)
    other = follows(rel, stop.OWED, none, no_star, domain=ARM, given=GIVEN, name="another arm")
    least, high = price_range()
    most = follows(Rel(stop.margin, "<=", -BELOW), high, OWN_LEAD, domain=ARM, given=ITSELF, name="at most its lead")
    no_price = unless(stop.margin, -BELOW, (most, least), ITSELF)
    price = scaled(Event(-BELOW, 1), same_price(-BELOW, OWN_LEAD, ITSELF), ITSELF)
    a_star = scaled(stop.margin, is_star(), ITSELF)
    best = follows(rel, stop.OWED, price, no_price, a_star, domain=ARM, given=ITSELF, name="the best arm")
    return Cases(OTHER, other, best, "what an arm owes")
