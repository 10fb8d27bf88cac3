"""ReUCB(first="index"): which of our bounds need the round robin of the first K rounds.

The contrast argument does not. One reward of any arm is enough for the errors of all arms, also of those never pulled,
to be uncorrelated with every difference of rewards. So the bound of a round holds from round 2 on, and its sum over
the rounds bounds the regret for every n, also for n <= K. What does need the round robin is tau <= g, the widths that
`ours/sharp` sums: an arm never pulled has a width of at least sigma_0.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    Follows,
    Indicates,
    Induction,
    SplitSum,
    SumOver,
    applied,
    congruent,
    equals,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import index_play as play
from theory.model.arms import Wo, arm_goal, n, s, s0, tau_tilde_sq, weight
from theory.model.error_law import INDEXED as INDEXES
from theory.model.index_play import CHOSEN, INDEXED, LETTERS, LOSS, REGRET, SECOND, deviation, pulls, rest, short
from theory.model.normal import Excess
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CENTRED_EFFECT,
    COUNT,
    EFFECT,
    K,
    N,
    Z,
    i,
    k,
    m,
    mu,
    mu0,
    o,
    t,
    width,
)
from theory.model.quantities import TAU_SQ, W_ALL, W_K
from theory.model.regret import E_K
from theory.model.statistics import Cov, Variance, mu_hat, mu_k, r_ij, r_kj
from theory.ours.bad_rounds import times
from theory.ours.classical.normal import BELOW, CENTRED
from theory.ours.normal_errors import Side, beyond, laws, shortfall, unbiased
from theory.ours.other_arms import ALWAYS, split_off
from theory.ours.positive_parts import at_most_part, no_negative_part
from theory.ours.root_series import order_of_roots
from theory.ours.sharp import PRODUCT, s_

x, y, z, u, v, p, q = sp.symbols("x y z u v p q")
ONE = sp.Integer(1)
PSI = Excess(width)
PULLED = {n: at_least(1, integer=True), Wo: at_least(0)}
UNPULLED, OTHERS = {n: sp.Integer(0)}, {Wo: positive()}


@claim("ours/by-index/contrasts", by="us", kind="identity", cites=("ours/contrasts", "MSE"))
def contrasts() -> Argument:
    """As in ours/contrasts, with counts of 0: an arm never pulled has weight 0 and is predicted by r-bar_0. Its error
    has the covariance sigma_0^2/W with every reward, so 0 with every difference."""
    error = mu_hat - mu_k
    same = (1 - W_K) * s0 / W_ALL
    fresh = Cov(error, r_ij).xreplace(UNPULLED), Variance(error).xreplace(UNPULLED)
    return proof(
        arm_goal(Cov(error, r_kj), "=", same, extra=PULLED, min_count=0, name="own rewards"),
        arm_goal(Cov(error, r_ij), "=", same, extra=PULLED, min_count=0, name="rewards of another arm"),
        arm_goal(Variance(error), "=", TAU_SQ, extra=PULLED, min_count=0, name="variance of the error"),
        arm_goal(fresh[0], "=", s0 / Wo, extra=OTHERS, min_count=0, name="an arm never pulled, rewards of any arm"),
        arm_goal(fresh[1], "=", TAU_SQ.xreplace(UNPULLED), extra=OTHERS, min_count=0, name="and its variance"),
    )


WIDEST = sp.sqrt(2 * s0 + s)
AN_ARM = Rel(k, "<=", K)


def first_arm() -> Applied:
    """From round 2 on the first arm has a reward: that of round 1."""
    later = {**INDEXED, m: at_least(0, integer=True)}
    chosen = CHOSEN.xreplace({t: ONE})
    distance = -((chosen - 1) ** 2)
    met = equals(chosen, ONE)
    near = follows(Rel(distance + 1, ">=", 1), play.FIRST_CHOICE, domain=INDEXED, name="the first arm")
    says = Indicates(distance, INDEXED, integer=True, name="the first arm")
    made = applied(ALWAYS, {x: met, y: distance}, says, near, domain=INDEXED, name="the first arm is pulled")
    none = instance(play.UNPULLED, {k: ONE}, INDEXED, name="before round 1")
    one = instance(play.COUNTED, {k: ONE, t: ONE}, INDEXED, name="round 1")
    start = follows(Rel(pulls(1, 2, o), ">=", 1), made, none, one, domain=INDEXED, name="after round 1")
    grows = instance(play.COUNTED, {k: ONE, t: m + 2}, later, name="a pull is counted")
    rel = Rel(pulls(1, m + 2, o), ">=", 1)
    every = Induction(rel, m, sp.Integer(0), later, name="from round 2 on", lemmas=(grows,), first=(start,))
    return applied(every, {m: t - 2}, domain=INDEXED, given=(SECOND,), name="the first arm has a reward")


SIZES = {x: at_least(0, integer=True), s: positive(), s0: positive()}
WEIGHTS = sp.Sum(weight(pulls(i, t, o)), (i, 1, K))


def one_of_all_weights() -> tuple[Applied, Follows]:
    """The weight of one reward is at most that of the first arm, which is one of all weights."""
    nonneg = Goal(Rel(weight(x), ">=", 0), SIZES, name="a weight")
    each = instance(nonneg, {x: pulls(i, t, o)}, {**INDEXED, i: COUNT}, name="the weight of an arm")
    among = Among(weight(pulls(i, t, o)), i, m, ONE, K, {**INDEXED, m: COUNT}, each, "one of all weights")
    first = instance(among, {m: ONE}, INDEXED, name="the weight of the first arm")
    rises = Goal(Rel(weight(ONE), "<=", weight(x)), SIZES, (Rel(x, ">=", 1),), "a weight rises with the count")
    one = applied(rises, {x: pulls(1, t, o)}, first_arm(), domain=INDEXED, given=(SECOND,), name="the first arm")
    order = Goal(Rel(x, "<=", z), dict.fromkeys((x, u, z), real()), (Rel(x, "<=", u), Rel(u, "<=", z)), "in order")
    at = {x: weight(ONE), u: weight(pulls(1, t, o)), z: WEIGHTS}
    least = applied(order, at, one, first, domain=INDEXED, given=(SECOND,), name="at least that of one reward")
    some = follows(Rel(WEIGHTS, ">", 0), least, domain=INDEXED, given=(SECOND,), name="some weight")
    return least, some


def sum_of_weights() -> Follows:
    """W is the sum of the weights of all arms: some arm has a reward."""
    given, arm = (SECOND, AN_ARM), {**INDEXED, k: COUNT}
    parts, own = (split_off(weight(pulls(k, t, o)), k, arm), play.OTHER_ARMS), weight(pulls(k, t, o)) + rest(k, t, o)
    whole = follows(Rel(own, "=", WEIGHTS), *parts, domain=arm, given=given, name="all weights")
    equals_it = Goal(Rel(x, ">", 0), dict.fromkeys((x, z), real()), (Rel(x, "=", z), Rel(z, ">", 0)), "some reward")
    positive_ = one_of_all_weights()[1]
    some = applied(equals_it, {x: own, z: WEIGHTS}, whole, positive_, domain=arm, given=given, name="some reward")
    return follows(Rel(play.total(t, o), "=", WEIGHTS), some, play.TOTAL, whole, domain=arm, given=given, name="W")


def all_weights() -> Follows:
    """The weights of all arms add up to at least that of one reward."""
    rel, given = Rel(weight(ONE), "<=", play.total(t, o)), (SECOND, AN_ARM)
    parts = one_of_all_weights()[0], sum_of_weights()
    return follows(rel, *parts, domain={**INDEXED, k: COUNT}, given=given, name="all weights")


@claim(
    "ours/by-index/law",
    by="us",
    kind="identity",
    cites=("ours/by-index/contrasts",),
)
def law_of_errors() -> Argument:
    """As ours/conditioning/law, with counts that may be 0: given the reward differences the error of an arm is N(0,
    tau^2), also that of an arm never pulled."""
    return laws(INDEXES, beyond(INDEXES, BELOW[0, False]), beyond(INDEXES, BELOW[1, False]))


@claim("ours/by-index/round", by="us", kind="inequality", cites=("ours/psi",))
def one_round() -> Argument:
    """As ours/round, from round 2 on. The index rule compares estimates and widths, so it sees differences of rewards
    only; given them, every error is N(0, tau^2), that of an arm never pulled too."""
    given = (SECOND,)
    arm = {**INDEXED, k: COUNT}
    part = no_negative_part(play.POSITIVE_PART, arm)
    among = Among(short(k, t, o), k, m, ONE, K, {**INDEXED, m: COUNT}, part, "one of them", given)
    best = instance(among, {m: BEST}, INDEXED, (*given, Rel(BEST, "<=", K)), name="the best arm is one of them")
    below = instance(at_most_part(play.POSITIVE_PART, arm), {k: BEST}, INDEXED, given, name="shortfall of the best arm")
    lemma = Goal(
        Rel(x - y, "<=", z + (v - y)),
        dict.fromkeys((x, y, z, u, v, p), real()),
        (Rel(u, "<=", v), Rel(x - u, "<=", p), Rel(p, "<=", z)),
        "one round",
    )
    at = {x: mu(BEST, o), y: mu(CHOSEN, o), z: sp.Sum(short(k, t, o), (k, 1, K))}
    at |= {u: play.index(BEST), v: play.index(CHOSEN), p: short(BEST, t, o)}
    one = applied(lemma, at, BEST_IS_AN_ARM, play.CHOICE, below, best, domain=INDEXED, given=given, name="one round")
    source = "ours/by-index/law"
    short_of = Side(INDEXES, source, BELOW, width, strict=False)
    each = shortfall(short_of, play.POSITIVE_PART, k, "mean of a positive part")
    shorts = SumOver(each, k, ONE, K, INDEXED, given=given, name="all arms")
    centred = unbiased(INDEXES, uses(source, item=CENTRED.name), CHOSEN, "mean of the pulled arm's error")
    final = Goal(
        Rel(x, "<=", q + p),
        dict.fromkeys((x, y, z, u, p, q), real()),
        (Rel(x, "<=", y + (z + q)), Rel(y, "=", p), Rel(z, "=", 0)),
        "in expectation",
    )
    at = {x: Mean(LOSS, o), y: sp.Sum(Mean(short(k, t, o), o), (k, 1, K)), q: width * Mean(deviation(CHOSEN, t, o), o)}
    at |= {z: Mean(play.estimate(CHOSEN, t, o) - mu(CHOSEN, o), o)}
    at |= {p: PSI * sp.Sum(Mean(deviation(k, t, o), o), (k, 1, K))}
    parts = Expectation(one, (o,)), shorts, centred
    return proof(
        applied(final, at, *parts, domain=INDEXED, given=given, name="a round from the second on"), letters=LETTERS
    )


@claim("ours/by-index/width", by="us", kind="inequality", cites=("MSE",))
def widest() -> Argument:
    """The arm of round 1 has a reward, so all weights add up to at least that of one reward, and sigma_0^2/W <=
    sigma_0^2 + sigma^2."""
    given, arm = (SECOND, AN_ARM), {**INDEXED, k: COUNT}
    enough, sizes = all_weights(), {x: at_least(0, integer=True), s: positive(), s0: positive(), z: positive()}
    here = {x: pulls(k, t, o), z: play.total(t, o)}
    square_of = tau_tilde_sq.xreplace({n: x}) + (1 - weight(x)) ** 2 * s0 / z  # Eq. MSE, z for W
    narrower = Goal(Rel(square_of, "<=", s0 + s0 / z), sizes, name="widest without a pull")
    last = Goal(Rel(s0 + s0 / z, "<=", 2 * s0 + s), sizes, (Rel(weight(ONE), "<=", z),), "with one reward in all")
    steps = [applied(lemma, here, enough, domain=arm, given=given, name=lemma.name) for lemma in (narrower, last)]
    at = {x: deviation(k, t, o) ** 2, u: steps[0].concludes.rel.left, v: steps[0].concludes.rel.right, z: WIDEST**2}
    order = (Rel(x, "=", u), Rel(u, "<=", v), Rel(v, "<=", z))
    least = Goal(Rel(x, "<=", z), dict.fromkeys((x, u, v, z), real()), order, "at most the last")
    square = applied(least, at, play.WIDTH, *steps, domain=arm, given=given, name="its square")
    roots = applied(order_of_roots(), {x: deviation(k, t, o), y: WIDEST}, square, domain=arm, given=given, name="width")
    return proof(roots, letters=LETTERS)


@claim("ours/by-index", by="us", kind="bound")
def bound() -> Argument:
    """Round 1 has no information and costs sigma_0 e_K; every later round costs at most its width and its tail."""
    later, some = (SECOND,), {**INDEXED, mu0: real()}
    effects = [instance(EFFECT, {k: arm}, some, name="effect") for arm in (BEST, ONE)]
    centred = instance(CENTRED_EFFECT, {k: ONE}, INDEXED, name="the effect of the first arm")
    loss = LOSS.xreplace({t: ONE})
    lead = Rel(loss, "=", sp.sqrt(s0) * (Z(BEST, o) - Z(1, o)))
    blind = congruent(mu(x, o), x, play.FIRST_CHOICE, INDEXED, name="the mean of the first arm")
    pointwise = follows(lead, blind, *effects, domain=some, name="what round 1 costs")
    nothing = times(centred.concludes.rel, sp.sqrt(s0), INDEXED, "times sigma_0")
    parts = Expectation(pointwise, (o,)), centred, nothing
    first = follows(Rel(Mean(loss, o), "=", sp.sqrt(s0) * E_K), *parts, domain=INDEXED, name="the first round")
    own = width * Mean(deviation(CHOSEN, t, o), o)
    every = SumOver(uses("ours/by-index/width"), k, ONE, K, INDEXED, given=later, name="widths of all arms")
    above = instance(uses("ours/psi", item="positive"), {s_: width}, INDEXED, later, name="Psi > 0")
    at = {x: PSI, y: every.concludes.rel.left, z: every.concludes.rel.right}
    tails = Expectation(applied(PRODUCT, at, above, every, domain=INDEXED, given=later, name="times Psi"), (o,))
    one = follows(
        Rel(Mean(LOSS, o), "<=", own + K * PSI * WIDEST),
        uses("ours/by-index/round"),
        tails,
        domain=INDEXED,
        given=later,
        name="a later round",
    )
    rounds = SumOver(one, t, sp.Integer(2), N, INDEXED, name="later rounds")
    split = SplitSum(Mean(LOSS, o), t, ONE, ONE, N, INDEXED, (), "round 1 and the others")
    total = sp.Sum(own + K * PSI * WIDEST, (t, 2, N))
    return proof(
        follows(Rel(REGRET, "<=", sp.sqrt(s0) * E_K + total), split, first, rounds, domain=INDEXED, name="regret"),
        letters=LETTERS,
    )
