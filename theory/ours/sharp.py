"""The sharpened Theorem 2, for every a > 0: exact first rounds, widths summed as they are, one tail.

g(j) = sigma/sqrt(j + alpha) with alpha = (K-1) rho/(K+rho): the pulls that K - 1 single rewards of other arms
are worth.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Expectation,
    Follows,
    Monotone,
    SplitSum,
    SumOver,
    applied,
    chain,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Mean
from theory.model.arms import J, K, Wo, arm_goal, n, rho, s, s0
from theory.model.counts import LONG, NOW, PULLS, SPREAD, g, j, spread
from theory.model.normal import Excess
from theory.model.play import COUNT, PLAY, PULLED, a, count, o, t, tau
from theory.model.play import K as K_
from theory.model.play import N as N_
from theory.model.play import k as arm
from theory.model.play import width as width_of_round
from theory.model.quantities import TAU_SQ
from theory.model.regret import E_K, LOSS, R_N, WORDS
from theory.ours.counting import AFTER, ONE, falls, i
from theory.ours.equal_shares import MORE

x, y, z = sp.symbols("x y z")
alpha = J * rho / (K + rho)
s_ = sp.Symbol("s")
PSI = Excess(width_of_round)
PRODUCT = Goal(
    Rel(x * y, "<=", x * z), {x: at_least(0), y: real(), z: real()}, (Rel(y, "<=", z),), "times a factor >= 0"
)
EQUAL = Goal(Rel(x * z, "=", y * z), dict.fromkeys((x, y, z), real()), (Rel(x, "=", y),), "times a factor")
u, v, r = sp.symbols("u v r")
ROUND = Goal(
    Rel(x, "<=", y + z),
    dict.fromkeys((x, y, z, u, v, r), real()),
    (Rel(x, "<=", u + r), Rel(v, "=", u), Rel(v, "<=", y), Rel(r, "<=", z)),
    "a round: its width and its tail",
)


@claim("ours/width", by="us", kind="inequality", cites=("MSE", "w-def/bounds/repaired"))
def width() -> Argument:
    """W is least when every other arm has one reward; then tau^2 is the posterior variance after n_k + alpha rewards
    and no prior. It lies below Lemma sec:tau and meets it at one pull."""
    one_each = TAU_SQ.xreplace({Wo: J * s0 / (s0 + s)})
    return proof(
        arm_goal(TAU_SQ, "<=", s / (n + alpha), name="bound"),
        arm_goal(one_each, "=", s / (n + alpha), name="equality: others pulled once"),
        arm_goal(s / (n + alpha), "<=", (1 + rho / K) * s / (n + rho), name="below Lemma sec:tau"),
        arm_goal(s / (1 + alpha), "=", (1 + rho / K) * s / (1 + rho), name="the same at one pull"),
    )


@claim(
    "ours/width/separate",
    by="us",
    kind="inequality",
    cites=("ours/width",),
)
def width_separate() -> Argument:
    """The simpler bound that takes (1 - w_k)/W at W >= K/(1+rho) is above it, and equal at one pull."""
    simple = s / (n + rho) * (1 + rho * (1 + rho) / (K * (n + rho)))
    return proof(
        arm_goal(s / (n + alpha), "<=", simple, name="below"),
        arm_goal(simple.subs(n, 1), "=", s / (1 + alpha), name="equal at one pull"),
    )


WIDTHS = spread(t) * g(count(PULLED, t, o))  # what round t meets, at most
TAIL = PSI * ((K_ - 1) * g(ONE) + g(t - K_))  # what the best arm's index may fall short in round t
IN_TURN_WIDTHS = sp.Sum(spread(N_ + 1 - i) * g(sp.ceiling(i / K_)), (i, 1, N_ - K_))
TAILS = sp.Sum(TAIL, (t, K_ + 1, N_))
FIRST = sp.sqrt(s0) * E_K  # cost of a pull without information


def shortfall() -> Expectation:
    """Psi times the mean widths of all arms in a round t > K: at most as if all pulls but one each went to one arm."""
    after, of_arm = (AFTER,), uses("ours/width/play")
    all_arms = SumOver(of_arm, arm, ONE, K_, PULLS, given=after, name="widths of all arms")
    spreads = chain(all_arms, uses("ours/worst-spread"), domain=PULLS, given=after, name="the worst spread")
    above = instance(uses("ours/psi", item="positive"), {s_: width_of_round}, PLAY, after, name="Psi > 0")
    at = {x: PSI, y: spreads.rel.left, z: spreads.rel.right}
    return Expectation(applied(PRODUCT, at, above, spreads, domain=PULLS, given=after, name="times Psi"), (o,))


@claim("ours/sharp/round", by="us", kind="inequality")
def later_round() -> Argument:
    """ours/round with tau <= g: the pulled arm's width, and Psi times the widths of all arms, which are largest when
    all pulls but one each went to one arm."""
    after = (AFTER,)
    of_arm = uses("ours/width/play")
    pulled = instance(of_arm, {arm: PULLED}, PULLS, after, name="width of the pulled arm")
    at = {x: spread(t), y: tau(PULLED, t, o), z: g(count(PULLED, t, o))}
    widths = Expectation(applied(PRODUCT, at, pulled, domain=PULLS, given=after, name="times the factor"), (o,))
    shortfalls = shortfall()
    own = Mean(tau(PULLED, t, o), o)
    at = {x: spread(t), y: width_of_round, z: own}
    factor = applied(EQUAL, at, SPREAD, domain=PULLS, given=after, name="the factor of a width")
    at = {
        **{x: Mean(LOSS, o), y: spread(t) * Mean(g(count(PULLED, t, o)), o), z: TAIL},
        **{u: width_of_round * own, v: spread(t) * own},
        r: PSI * sp.Sum(Mean(tau(arm, t, o), o), (arm, 1, K_)),
    }
    parts = factor, uses("ours/round"), widths, shortfalls
    return proof(applied(ROUND, at, *parts, domain=PULLS, given=after, name="a later round"), letters=WORDS)


def later_rounds() -> SumOver:
    """The rounds after the K-th."""
    return SumOver(uses("ours/sharp/round"), t, K_ + 1, N_, PULLS, given=(LONG,), name="later rounds")


def all_rounds(bound: sp.Expr, *parts: Item, given: tuple[Rel, ...] = (LONG,), name: str) -> Follows:
    """R_n <= K sigma_0 e_K + bound for n >= K, from what the rounds after the K-th cost."""
    blind = uses("sec:analysis/round-robin", item="one of the first rounds")
    first = SumOver(blind, t, ONE, K_, PULLS, name="the first K rounds")
    split = SplitSum(Mean(LOSS, o), t, ONE, K_, N_, PULLS, (LONG,), "the first K rounds and the others")
    return follows(Rel(R_N, "<=", K_ * FIRST + bound), split, first, *parts, domain=PULLS, given=given, name=name)


@claim("ours/sharp", by="us", kind="bound")
def sharp() -> Argument:
    """Sum ours/sharp/round over the rounds after the K-th; the widths met are at most those of arms pulled in turn."""
    widest = Expectation(uses("ours/widest-last", item="a rising factor"), (o,))
    return proof(
        uses("sec:analysis/round-robin", item="the first rounds"),
        all_rounds(IN_TURN_WIDTHS + TAILS, later_rounds(), widest, name="n >= K"),
        letters=WORDS,
    )


LAST_WIDTH = sp.sqrt(a * sp.log(N_))  # sqrt(a log t) in the last round
EQUAL_SHARES = sp.Sum(g(sp.ceiling(i / K_)), (i, 1, N_ - K_))


def last_factor() -> Follows:
    """sqrt(a log t) <= sqrt(a log n) for K < t <= n."""
    inside, given = {**PULLS, t: COUNT}, (AFTER, NOW)
    rounds = Goal(NOW, {t: COUNT, N_: COUNT, K_: COUNT}, given, "a round up to n")
    above_one = {x: Var(ONE, strict=True), a: positive()}
    rises = Monotone(rounds, sp.sqrt(a * sp.log(x)), x, above_one, name="sqrt(a log t) rises")
    return follows(Rel(spread(t), "<=", LAST_WIDTH), SPREAD, rises, domain=inside, given=given, name="at most the last")


@cache
def equal_widths() -> SumOver:
    """The widths of arms pulled in turn, all with the factor of the last round."""
    short, counted = Rel(i, "<=", N_ - K_), {**PULLS, i: COUNT}
    factor = instance(last_factor(), {t: N_ + 1 - i}, counted, (short,), name="the factor of a round")
    at = {x: g(sp.ceiling(i / K_)), y: spread(N_ + 1 - i), z: LAST_WIDTH}
    one = applied(PRODUCT, at, factor, domain=counted, given=(short,), name="times its width")
    return SumOver(one, i, ONE, N_ - K_, PULLS, given=(MORE,), name="all factors as the last one")


@cache
def equal_tails() -> SumOver:
    """No arm is wider than after one pull: (K-1) g(1) + g(t-K) <= K g(1)."""
    after = (AFTER,)
    narrower = falls({j: ONE, arm: t - K_}, PULLS, AFTER)
    all_arms = Rel((K_ - 1) * g(ONE) + g(t - K_), "<=", K_ * g(ONE))
    widest = follows(all_arms, narrower, domain=PULLS, given=after, name="K arms pulled once")
    above = instance(uses("ours/psi", item="positive"), {s_: width_of_round}, PLAY, after, name="Psi > 0")
    at = {x: PSI, y: all_arms.left, z: all_arms.right}
    one = applied(PRODUCT, at, above, widest, domain=PULLS, given=after, name="times Psi")
    return SumOver(one, t, K_ + 1, N_, PULLS, given=(MORE,), name="all tails as after one pull")


@claim("ours/sharp/simple", by="us", kind="bound", cites=("ours/width",))
def simple() -> Argument:
    """log t <= log n, and g(t-K) <= g(1) = sqrt(beta sigma^2/(1+rho))."""
    bound = K_ * FIRST + LAST_WIDTH * EQUAL_SHARES + K_ * g(ONE) * sp.Sum(PSI, (t, K_ + 1, N_))
    parts = uses("ours/sharp", item="n >= K"), equal_widths(), equal_tails()
    return proof(
        follows(Rel(R_N, "<=", bound), *parts, domain=PULLS, given=(MORE,), name="the simple bound"), letters=WORDS
    )
