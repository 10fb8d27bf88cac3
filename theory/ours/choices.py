"""What decides the choices: an agent that does not know mu_0 makes them by the differences of its rewards alone.

An agent that knows mu_0 is decided by its rewards: nothing else enters its choices. Two plays are compared in
`same_play`.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive
from theory.kernel.rules import Applied, Follows, Induction, SumOver, applied, equals, follows, instance, uses
from theory.model import follow_up, index_play, known_play, play, pull_order
from theory.model.arms import n, s, s0, weight
from theory.model.error_law import BOTH
from theory.model.play import COUNT, K, i, k, o, t
from theory.model.reward_level import AN_ARM, INDEXED, KNOWN, REUCB, Rewards, T, u
from theory.model.round_errors import d
from theory.ours.by_index import one_of_all_weights, sum_of_weights
from theory.ours.other_arms import split_off
from theory.ours.same_play import ONE, SamePlay, m


def some_weight() -> Follows:
    """The weights of all arms add up to a positive number: each is at least that of one reward."""
    domain = REUCB.everywhere
    least = Goal(Rel(weight(n), ">=", s0 / (s0 + s)), {n: COUNT, s: positive(), s0: positive()}, name="a weight")
    one = instance(least, {n: REUCB.pulls(i, t, o)}, domain, name="the weight of an arm")
    total = SumOver(one, i, ONE, K, {a: r for a, r in domain.items() if a != i}, name="all weights")
    return follows(Rel(REUCB.weights, ">", 0), total, domain=domain, given=(REUCB.later,), name="weights of all arms")


def others_of_all() -> Follows:
    """The weights of the other arms than k are those of all arms without that of arm k."""
    domain, own = REUCB.everywhere, weight(REUCB.pulls(k, t, o))
    rel = Rel(play.others(k, t, o), "=", REUCB.weights - own)
    parts = split_off(own, k, domain), play.OTHER_ARMS
    return follows(rel, *parts, domain=domain, given=(REUCB.later, AN_ARM), name="the other weights")


def play_of_reucb(agent: Rewards = REUCB) -> SamePlay:
    """Two plays of ReUCB, or of an agent that differs in what it makes of its rewards."""
    return SamePlay(
        agent,
        counted=pull_order.OWN_COUNT,
        square=play.WIDTH,
        in_turn=play.IN_TURN,
        weights=play.others(k, t, o),
        by_arm=others_of_all(),
        enough=some_weight(),
    )


FEWEST_IN_BOTH = Letter(
    follow_up.J.xreplace({o: BOTH}),
    "arm with the fewest rewards before round t, of several the one with the largest first reward, in the outcome "
    "(d, e), whose rewards are those of d, each with the same number added",
)


@claim(
    "ours/conditioning/choices",
    by="us",
    kind="identity",
    cites=("ours/shift-invariance", "blup", "r0-estimator", "MSE"),
)
def of_reucb() -> Argument:
    """If every reward grows by c, so do all estimates, whose weights add up to 1, and all indices; counts and widths
    stay. The pulled arm, the first of those with the highest index, is the same. Induction over the rounds."""
    return play_of_reucb().argument()


def counted_by_index() -> Applied:
    """The pulls of an arm before round t are a sum of indicators, from the recursion that defines them."""
    pulls, rounds = index_play.pulls, {**INDEXED.everywhere, m: at_least(0, integer=True)}
    rounds = {a: r for a, r in rounds.items() if a not in (t, u)}
    grows = instance(index_play.COUNTED, {t: m + 1}, rounds, name="a pull is counted")
    total = sp.Sum(equals(INDEXED.chosen.xreplace({t: u}), k), (u, 1, m))
    rel, base = Rel(pulls(k, m + 1, o), "=", total), index_play.UNPULLED
    every = Induction(rel, m, sp.Integer(0), rounds, name="pulls of an arm", lemmas=(grows,), first=(base,))
    return applied(every, {m: t - 1}, domain=INDEXED.everywhere, name="pulls of arm k before round t")


@claim(
    "ours/by-index/choices",
    by="us",
    kind="identity",
    cites=("ours/conditioning/choices",),
)
def by_index() -> Argument:
    """As ours/conditioning/choices, with counts of 0: an arm without rewards has the estimate r-bar_0, which grows by
    the same number."""
    same = SamePlay(
        INDEXED,
        counted=counted_by_index(),
        square=index_play.WIDTH,
        first_round=index_play.FIRST_CHOICE,
        weights=index_play.total(t, o),
        by_arm=sum_of_weights(),
        enough=one_of_all_weights()[1],
    )
    return same.argument()


@claim("ours/conditioning/choices/known-mu0", by="us", kind="identity", cites=("blup",))
def of_known_mean() -> Argument:
    """The choices of the agent that knows mu_0 are a function of its rewards: with equal rewards its estimates, widths
    and choices are equal. Induction over the rounds."""
    same = SamePlay(KNOWN, counted=known_play.OWN_COUNT, square=known_play.WIDTH, in_turn=known_play.IN_TURN)
    return same.argument()


def fewest_rewards() -> Follows:
    """The arm with the fewest rewards, of several the one with the largest first reward, is the same."""
    domain, given, J, first = {**REUCB.everywhere, **follow_up.SIZES}, (REUCB.later,), follow_up.J, follow_up.first
    own, other = (J.xreplace({o: outcome}) for outcome in (BOTH, d))
    arms = {J.xreplace({o: w}): instance(follow_up.J_IS_AN_ARM, {o: w}, domain, given) for w in (BOTH, d)}
    level = instance(REUCB.same_differences, {t: k, T: t}, domain, (*given, AN_ARM), name="the reward of round k")
    rewards = [instance(follow_up.FIRST_REWARD, {o: w}, domain, (AN_ARM,)) for w in (BOTH, d)]
    rel = Rel(first(k, BOTH), "=", first(k, d) + REUCB.level.xreplace({T: t}))
    moved = follows(rel, level, *rewards, domain=domain, given=(*given, AN_ARM), name="first reward")

    def at(item: Item, at: dict[sp.Symbol, sp.Expr], *more: Item, name: str) -> Applied:
        """A relation about arm k at one of the two arms."""
        return applied(item, at, arms[at[k]], *more, domain=domain, given=given, name=name)

    def from_these(left: sp.Expr, op: str, right: sp.Expr, *parts: Item, name: str) -> Follows:
        return follows(Rel(left, op, right), *parts, domain=domain, given=given, name=name)

    counts = [at(uses("ours/conditioning/choices", item="counts"), {k: arm}, name="its count") for arm in arms]
    firsts = [at(moved, {k: arm}, name="its first reward") for arm in arms]
    fewest = [at(follow_up.FEWEST, {o: w, k: arm}, name="fewest") for w, arm in ((BOTH, other), (d, own))]

    def as_few(outcome: sp.Expr, here: sp.Expr, there: sp.Expr) -> Follows:
        pulls = REUCB.pulls(there, t, outcome), REUCB.pulls(here, t, outcome)
        return from_these(pulls[0], "=", pulls[1], *fewest, *counts, name="as few")

    orders = []
    for outcome, here, elsewhere, there in ((BOTH, own, d, other), (d, other, BOTH, own)):
        few = as_few(elsewhere, there, here)
        largest = at(follow_up.LARGEST_OF_FEWEST, {o: elsewhere, k: here}, few, name="largest there")
        ends = first(here, outcome), first(there, outcome)
        large = from_these(ends[0], "<=", ends[1], largest, *firsts, name="as large here")
        few = as_few(outcome, here, there)
        orders.append(at(follow_up.FIRST_OF_THEM, {o: outcome, k: there}, few, large, name="no later"))
    return from_these(own, "=", other, *orders, name="the arm with the fewest rewards")


@claim("ours/conditioning/choices/fewest-rewards", by="us", kind="identity")
def of_fewest_rewards() -> Argument:
    """J_t, the arm with the fewest rewards and of several the one with the largest first reward, compares counts, which
    are the same, and first rewards, which all grow by the same number."""
    return proof(fewest_rewards(), letters={**REUCB.letters, follow_up.J.xreplace({o: BOTH}): FEWEST_IN_BOTH})
