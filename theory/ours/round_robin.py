"""The first K rounds pull arms 1, ..., K in turn: what that says of means and counts.

A count is the number of the earlier rounds that pull the arm. That a pull adds 1 to it, and that every arm has one
reward after K rounds, is derived here; the range of the counts in `theory.model.play`, at least 1 after round K, is the
third statement of claim ours/pulls/counted, which does not use it.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, real
from theory.kernel.rules import (
    Congruent,
    Follows,
    NextInteger,
    Picked,
    SplitSum,
    SumOver,
    chain,
    congruent,
    equals,
    follows,
    instance,
    specialised,
)
from theory.kernel.terms import Event
from theory.model.any_choices import arm, pulls, u
from theory.model.play import COUNT, IN_TURN, LATER, PULLED, WORDS, K, count, k, mu, o, t
from theory.model.pull_order import OWN_COUNT
from theory.ours import pulls_in_order

x = sp.Symbol("x")
ONE = sp.Integer(1)
EARLY, AN_ARM = Rel(t, "<=", K), Rel(k, "<=", K)
CHOICES: dict[sp.Expr, Var] = {K: COUNT, k: COUNT, o: real(), PULLED: COUNT}
ROUND = {**CHOICES, t: COUNT}
COUNTS = {**ROUND, count(k, t, o): COUNT}
MADE = equals(PULLED, k)
LETTERS = {**WORDS, count(k, t, o): Letter(count(k, t, o), "rewards of arm k before round t")}


def mean_in_turn(domain: Mapping[sp.Expr, Var], mean: Any = mu) -> Congruent:
    """mu_{I_t} = mu_t in the first K rounds; `mean` is what the mean of an arm is called."""
    return congruent(mean(x, o), x, IN_TURN, domain, (EARLY,), name="the first K rounds pull each arm once")


def one_each() -> Follows:
    """The first K rounds pull arm k once: in round k."""
    turn = congruent(equals(x, k), x, IN_TURN, ROUND, (EARLY,), name="the arm of round t")
    square = Goal(Rel((t - k) ** 2, "=", (k - t) ** 2), ROUND, name="either way")
    either = congruent(Event(-x, 0), x, square, ROUND, name="t = k or k = t")
    own_turn = chain(turn, either, domain=ROUND, given=(EARLY,), name="arm k in round k")
    rounds = SumOver(own_turn, t, ONE, K, CHOICES, name="the first K rounds")
    own = Picked(ONE, t, k, ONE, K, CHOICES, name="round k is one of them")
    rel = Rel(sp.Sum(MADE, (t, 1, K)), "=", 1)
    return follows(rel, rounds, own, domain=CHOICES, given=(AN_ARM,), name="one pull in the first K rounds")


def at_least_one(once: Follows) -> Follows:
    """Later rounds take no pull away."""
    event = Goal(Rel(equals(PULLED.xreplace({t: u}), k), ">=", 0), {**CHOICES, u: COUNT}, name="pulled or not")
    next_ = NextInteger(t, K, ROUND, "t >= K + 1")
    beyond = (next_.concludes.rel,)
    late = SumOver(event, u, K + 1, t - 1, ROUND, given=beyond, name="later rounds")
    split = SplitSum(event.rel.left, u, ONE, K, t - 1, ROUND, beyond, "the first K rounds and the others")
    rel = Rel(pulls(t - 1, by=PULLED), ">=", 1)
    return follows(rel, next_, once, split, late, domain=ROUND, given=(LATER, AN_ARM), name="every arm has a reward")


def one_more() -> Follows:
    """A pull adds 1 to the count of its arm."""
    given = (LATER, AN_ARM)
    added = specialised(pulls_in_order.counted(), {arm(t): PULLED}, COUNTS, name="a pull is counted")
    after = instance(OWN_COUNT, {t: t + 1}, COUNTS, given, name="pulls before the next round")
    rel = Rel(count(k, t + 1, o), "=", count(k, t, o) + MADE)
    return follows(rel, added, after, OWN_COUNT, domain=COUNTS, given=given, name="a pull is counted")


@claim("ours/pulls/counted", by="us", kind="identity")
def counted() -> Argument:
    """A count is the number of the earlier rounds that pull the arm; the first K rounds pull arms 1, ..., K in turn."""
    once = one_each()
    own = instance(OWN_COUNT, {t: K + 1}, COUNTS, (AN_ARM,), name="pulls in the first K rounds")
    start = Rel(count(k, K + 1, o), "=", 1)
    first = follows(start, own, once, domain=COUNTS, given=(AN_ARM,), name="after K rounds every arm has one reward")
    return proof(one_more(), first, at_least_one(once), letters=LETTERS)
