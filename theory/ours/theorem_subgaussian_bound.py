"""Theorem 5 repaired: the bound, from its two routes; its parts in closed form are in theorem_subgaussian_orders.py."""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, positive, real
from theory.kernel.rules import (
    Among,
    Cases,
    Expectation,
    Follows,
    Jensen,
    Monotone,
    Specialised,
    SplitSum,
    SumOver,
    applied,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model import stacks
from theory.model.arms import s0
from theory.model.counts import LONG, g, spread
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    COUNT,
    LATER,
    PULLED,
    PULLED_IS_AN_ARM,
    K,
    N,
    a,
    count,
    k,
    mu,
    mu0,
    o,
    t,
)
from theory.model.stacks import STACKS, WORDS, delta, i, kappa, least_of_three, start
from theory.ours.bad_rounds import times
from theory.ours.other_arms import f, j, m
from theory.ours.round_robin import mean_in_turn
from theory.ours.theorem_subgaussian import BAD, LOSS, loss_at_most_one
from theory.ours.theorem_subgaussian_deviations import ONE

x, y, z, u, v, w, lam = sp.symbols("x y z u v w lam")
COST = Mean(LOSS, o)
REGRET = sp.Sum(COST, (t, 1, N))
BY_PRIOR = bounds.failure_by_prior(t, K, kappa(K), a)
BY_RANGE = 2 * K * (1 + sp.log(t) * spread(t) / 4) * sp.exp((1 + 1 / s0 - a * sp.log(t)) / 2)
FAILURE = least_of_three(ONE, BY_PRIOR, BY_RANGE)


def largest_effect() -> Follows:
    """E delta_* <= sqrt(2 sigma_0^2 log K) for K >= 2, as for normal effects in ours/e_K: by Jensen's inequality."""
    ell, m = sp.symbols("l m")
    free = {**STACKS, lam: positive()}
    positive_term = Goal(Rel(sp.exp(lam * x), ">=", 0), {x: real(), lam: positive()}, name="a positive term")
    terms = instance(positive_term, {x: delta(ell, o)}, {**free, ell: COUNT}, name="a positive term")
    among = Among(sp.exp(lam * delta(ell, o)), ell, m, ONE, K, {**free, m: COUNT}, terms, name="one of them")
    largest = instance(among, {m: BEST}, free, (Rel(BEST, "<=", K),), name="the best arm is one of them")
    one = instance(stacks.EFFECT_PROXY, {k: ell, stacks.x: lam}, {**free, ell: COUNT}, name="one effect")
    total = SumOver(one, ell, ONE, K, free, name="K effects")
    pointwise = follows(largest.concludes.rel, BEST_IS_AN_ARM, largest, domain=free, name="the best arm is one of them")
    mean = Mean(delta(BEST, o), o)
    jensen = Jensen(sp.exp(lam * x), x, delta(BEST, o), {**free, x: real()}, over=(o,), name="Jensen")
    chained = Rel(sp.exp(lam * mean), "<=", K * sp.exp(lam**2 * s0 / 2))
    powers = follows(chained, jensen, Expectation(pointwise, (o,)), total, domain=free, name="exponentials")
    logs = Monotone(powers, sp.log(x), x, {x: positive()}, name="logarithms")
    every = follows(Rel(mean, "<=", sp.log(K) / lam + lam * s0 / 2), logs, domain=free, name="every l")
    best = instance(
        every, {lam: sp.sqrt(2 * sp.log(K) / s0)}, STACKS, (stacks.MANY,), name="at l^2 = 2 log K/sigma_0^2"
    )
    bound = Rel(mean, "<=", sp.sqrt(2 * s0 * sp.log(K)))
    return follows(bound, best, domain=STACKS, given=(stacks.MANY,), name="the largest effect")


EARLY = Rel(t, "<=", K)


def one_arm() -> Specialised:
    """One arm is the best arm and the pulled arm."""
    given, any_ = (stacks.ALONE,), {**STACKS, f(j): real()}
    arms = BEST_IS_AN_ARM, PULLED_IS_AN_ARM
    sides = [
        follows(Rel(side, ">", 0), *arms, domain=STACKS, given=given, name="less than 1 apart")
        for side in (1 + BEST - PULLED, 1 - BEST + PULLED)
    ]
    product = Goal(Rel((x - y) ** 2, "<", 1), {x: real(), y: real()}, (Rel(1 + x - y, ">", 0), Rel(1 - x + y, ">", 0)))
    near = applied(product, {x: BEST, y: PULLED}, *sides, domain=STACKS, given=given, name="no other arm")
    theorem = uses("ours/same-arm", item="any quantity")
    same = applied(theorem, {k: BEST, m: PULLED}, *arms, near, domain=any_, given=given, name="the only arm")
    return specialised(same, {f(j): mu(j, o)}, STACKS, given, "the only arm")


@claim("them-R-Bayes-SubR/repaired/first-rounds", by="us", kind="step", cites=("ours/e_K",))
def first_rounds() -> Argument:
    """A first round costs at most 1, as means lie in [0, 1], and at most sigma_0 sqrt(2 log K), as the mean of the
    largest of K sub-Gaussian effects does."""
    free = {**STACKS, mu0: real()}
    effects = [instance(stacks.ARM_MEAN, {k: arm}, free, name="an effect") for arm in (BEST, t)]
    loss = follows(
        Rel(LOSS, "=", delta(BEST, o) - delta(t, o)),
        *(mean_in_turn(free), *effects),
        domain=free,
        given=(EARLY,),
        name="effects",
    )
    centred = instance(stacks.NO_BIAS, {k: t}, STACKS, name="mean 0")
    one = Expectation(loss_at_most_one(), (o,))
    bound = Rel(COST, "<=", sp.sqrt(2 * s0 * sp.log(K)))
    parts = Expectation(loss, (o,)), centred, largest_effect()
    effect = follows(bound, *parts, domain=free, given=(EARLY, stacks.MANY), name="by the effects")
    below = Rel(COST, "<=", 1)
    smaller = instance(stacks.START, {x: COST}, STACKS, (below, bound, stacks.MANY), name="the smaller one")
    total = Rel(COST, "<=", start(K))
    many = follows(total, one, effect, smaller, domain=free, given=(EARLY, stacks.MANY), name="several arms")
    alone = Expectation(one_arm(), (o,))
    few = follows(total, alone, stacks.START_ALONE, domain=free, given=(stacks.ALONE,), name="one arm")
    return proof(Cases(stacks.MANY, many, few, "a first round"), letters=WORDS)


@claim("them-R-Bayes-SubR/repaired/round/mean", by="us", kind="step")
def mean_round() -> Argument:
    """A round after the K-th costs 2c, or at most 1 with the smaller of the two failure probabilities."""
    one = Expectation(Goal(Rel(BAD, "<=", 1), STACKS, name="an indicator"), (o,))
    chances = [uses(f"them-R-Bayes-SubR/repaired/{route}-route/chance", item="chance") for route in ("prior", "range")]
    given = Rel(Mean(BAD, o), "<=", 1), *(c.concludes.rel for c in chances)
    at = {x: Mean(BAD, o), u: ONE, v: BY_PRIOR, z: BY_RANGE}
    smallest = instance(stacks.LEAST_OF_THREE, at, STACKS, (*given, LATER), name="the least of three")
    fails = follows(
        Rel(Mean(BAD, o), "<=", FAILURE), one, *chances, smallest, domain=STACKS, given=(LATER,), name="failure"
    )
    arm = instance(uses("ours/width/play"), {k: PULLED}, STACKS, (LATER,), name="width")
    scaled = times(arm.concludes.rel, 2 * spread(t), STACKS, "times 2 sqrt(a log t)", True)
    met = 2 * spread(t) * g(count(PULLED, t, o))
    point = follows(
        Rel(LOSS, "<=", met + BAD),
        uses("them-R-Bayes-SubR/repaired/round", item="any round"),
        arm,
        scaled,
        domain=STACKS,
        given=(LATER,),
        name="one round",
    )
    total = Rel(COST, "<=", Mean(met, o) + FAILURE)
    whole = follows(total, Expectation(point, (o,)), fails, domain=STACKS, given=(LATER,), name="a round")
    return proof(whole, fails, letters=WORDS)


@claim(
    "them-R-Bayes-SubR/repaired",
    by="us",
    kind="bound",
    repairs="them-R-Bayes-SubR",
)
def theorem_two() -> Argument:
    """First rounds: at most 1 each, and sigma_0 sqrt(2 log K) by the maximum of sub-Gaussian variables. After them a
    round costs 2c, or at most 1 with the smaller of the two failure probabilities. It is vacuous (above n) for
    narrow priors with much noise, as the paper's own U[.2,.5] with 20 arms: kappa = 17.2 and exp(1/(2 sigma_0^2)) =
    e^66.7 there, so that at t = 10^4 the probabilities are below 1 only for a > 50.7 and a > 16.1."""
    first = uses("them-R-Bayes-SubR/repaired/first-rounds")
    early = SumOver(first, t, ONE, K, STACKS, name="the first K rounds")
    later = SumOver(
        uses("them-R-Bayes-SubR/repaired/round/mean", item="a round"),
        t,
        K + 1,
        N,
        STACKS,
        given=(LONG,),
        name="later rounds",
    )
    split = SplitSum(COST, t, ONE, K, N, STACKS, (LONG,), "the first K rounds and the others")
    widths = Expectation(uses("ours/widest-last", item="a rising factor"), (o,))
    met = sp.Sum(spread(N + 1 - i) * g(sp.ceiling(i / K)), (i, 1, N - K))
    total = K * start(K) + 2 * met + sp.Sum(FAILURE, (t, K + 1, N))
    parts = split, early, later, widths
    short = Rel(N, "<=", K)
    only = SumOver(first, t, ONE, N, STACKS, given=(short,), name="the first rounds only")
    return proof(
        follows(Rel(REGRET, "<=", total), *parts, domain=STACKS, given=(LONG,), name="n >= K"),
        follows(Rel(REGRET, "<=", N * start(K)), only, domain=STACKS, given=(short,), name="n <= K"),
        letters=WORDS,
    )
