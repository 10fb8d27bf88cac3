"""Rounds whose cost is large: the pulled arm's error is large, or the best arm's index is below its mean.

Round t > K: sqrt(a log t) is ReUCB's width, sqrt(b log t) a second one, of our choice, for the pulled arm's error.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Expectation,
    Indicates,
    IntegralOf,
    SumOver,
    applied,
    equals,
    follows,
    instance,
    uses,
)
from theory.kernel.terms import Mean
from theory.model import deviations as dev
from theory.model.counts import second
from theory.model.deviations import ERROR, OTHER, OTHERS, OWN, ROUNDS, SECOND_WIDTH, UP, low, rest
from theory.model.normal import Density, Excess, Tail, phi, upper
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CHOICE,
    COUNT,
    LATER,
    POSITIVE_PART,
    PULLED,
    PULLED_IS_AN_ARM,
    WORDS,
    K,
    i,
    index,
    k,
    mu,
    o,
    part,
    t,
    tau,
    width,
)
from theory.model.regret import LOSS
from theory.ours.bad_rounds import UNIT
from theory.ours.counting import ONE
from theory.ours.other_arms import among_the_others, at_equal_arms
from theory.ours.positive_parts import at_most_part, no_negative_part
from theory.ours.root_series import linked
from theory.ours.sharp import PRODUCT

x, y, z, u, v, p, q, r, c = sp.symbols("x y z u v p q r c")
AFTER = (LATER,)
BEST_LOW = low(BEST)
ARMS = (PULLED_IS_AN_ARM, BEST_IS_AN_ARM)


def cost() -> Applied:
    """mu_* - mu_I <= (mu_* - U_*) + (U_I - mu_I), as the pulled arm has the highest index."""
    lemma = Goal(
        Rel(x - y, "<=", (x - u) + (v - y)), dict.fromkeys((x, y, u, v), real()), (Rel(u, "<=", v),), "the highest"
    )
    at = {x: mu(BEST, o), y: mu(PULLED, o), u: index(BEST), v: index(PULLED)}
    return applied(lemma, at, CHOICE, domain=ROUNDS, given=AFTER, name="cost of a round")


@claim("ours/logarithmic/upper-side", by="us", kind="step")
def upper_side() -> Argument:
    """The best arm's index is not below its mean and the pulled arm's error is too large: what the round costs is that
    error and the width. (z + s) phi(z) integrates to -phi(z) - s Q(z)."""
    whole = {z: real(), c: positive(), x: positive()}
    primitive = -phi(z) - c * upper(z)
    area = IntegralOf((z + c) * phi(z), primitive, z, x, sp.oo, whole, (None, sp.S.Zero), "mean of (Z + c) 1{Z > x}")
    mean = Rel(sp.Integral((z + c) * Density(z), (z, x, sp.oo)), "=", Density(x) + c * Tail(x))
    stated = follows(mean, area, domain={c: positive(), x: positive()}, name="a large normal")
    low_ = Indicates(mu(BEST, o) - index(BEST), ROUNDS, strict=True, name="not below its mean")
    up_ = Indicates(ERROR - second(t) * OWN, ROUNDS, strict=True, part=True, name="a large error")
    sign = Goal(
        Rel(u * (x + r * y), ">=", 0),
        {x: real(), y: at_least(0), r: at_least(0), q: at_least(0), u: UNIT},
        (Rel(u * (x - q * y), ">=", 0),),
        "a large error is positive",
    )
    at = {u: UP, x: ERROR, y: OWN, r: width, q: second(t)}
    above = applied(sign, at, up_, domain=ROUNDS, given=AFTER, name="a large error is positive")
    one = Goal(
        Rel((1 - p) * u * x, "<=", u * z),
        {x: real(), y: real(), z: real(), p: UNIT, u: UNIT},
        (Rel(x, "<=", y + z), Rel(u * ((1 - p) * y), "<=", 0), Rel(p * (u * z), ">=", 0)),
        "one round",
    )
    at = {p: BEST_LOW, u: UP, x: LOSS, y: mu(BEST, o) - index(BEST), z: ERROR + width * OWN}
    never = Goal(Rel(u * x, "<=", 0), {u: UNIT, x: real()}, (Rel(x, "<=", 0),), "times an indicator")
    not_low = applied(never, {u: UP, x: low_.concludes.rel.stated[0]}, low_, domain=ROUNDS, given=AFTER, name="not low")
    chance = Goal(Rel(p * x, ">=", 0), {p: UNIT, x: real()}, (Rel(x, ">=", 0),), "times an indicator")
    both = applied(chance, {p: BEST_LOW, x: UP * at[z]}, above, domain=ROUNDS, given=AFTER, name="in low rounds too")
    pointwise = applied(one, at, cost(), not_low, both, domain=ROUNDS, given=AFTER, name="one round")
    averaged = Expectation(pointwise, (o,))
    law = uses("ours/conditioning", item=dev.LARGE_ERROR)
    above_zero = Expectation(instance(Goal(Rel(x, ">=", 0), {x: at_least(0)}, name="a width"), {x: OWN}, ROUNDS), (o,))
    mills = instance(
        uses("ours/mills", item="consequence"), {sp.Symbol("s"): width, x: SECOND_WIDTH}, ROUNDS, AFTER, name="Mills"
    )
    at = {x: Mean(OWN, o), y: mills.concludes.rel.stated[0], z: mills.concludes.rel.stated[1]}
    scaled = applied(PRODUCT, at, above_zero, mills, domain=ROUNDS, given=AFTER, name="times the mean width")
    left = Mean((1 - BEST_LOW) * UP * LOSS, o)
    bound = linked(averaged, law, scaled, domain=ROUNDS, given=AFTER, name="upper side", left=left)
    return proof(stated, bound, letters=WORDS)


def low_round() -> Applied:
    """The cost of a round in which the best arm's index is below its mean: if the best arm is pulled, nothing; else the
    best arm is another one, and the cost at most its shortfall and what the pulled arm's index is above its mean."""
    arm = {**ROUNDS, k: COUNT}
    short = instance(at_most_part(POSITIVE_PART, arm), {k: BEST}, ROUNDS, AFTER, name="shortfall of the best arm")
    f = (part(k, t, o) + rest) * low(k)
    sign = Goal(Rel((x + y) * p, ">=", 0), {x: at_least(0), y: at_least(0), p: UNIT}, name="nonnegative")
    at = {x: part(k, t, o), y: rest, p: low(k)}
    parts = no_negative_part(POSITIVE_PART, arm), no_negative_part(dev.REST, ROUNDS)
    nonnegative = applied(sign, at, *parts, domain=arm, given=AFTER, name="nonnegative")
    others = among_the_others(f, BEST, PULLED, (nonnegative, *ARMS), ROUNDS, AFTER)
    apart, lost_ = 1 - equals(PULLED, BEST), at_equal_arms(mu(k, o), PULLED, BEST, ARMS, ROUNDS)
    nothing = follows(Rel(LOSS, "=", LOSS * apart), lost_, domain=ROUNDS, name="the best arm costs nothing")
    lemma = Goal(
        Rel(p * x, "<=", z),
        {**dict.fromkeys((x, y, z, u, v, r), real()), q: UNIT, p: UNIT},
        (Rel(x, "=", x * q), Rel(q * p * x, "<=", q * p * (u + v)), Rel(q * ((u + v) * p), "<=", z)),
        "a low round",
    )
    lost = Goal(
        Rel(q * p * x, "<=", q * p * (u + v)),
        {**dict.fromkeys((x, y, z, u, v), real()), q: UNIT, p: UNIT},
        (Rel(x, "<=", y + z), Rel(y, "<=", u), Rel(z, "<=", v)),
        "its cost",
    )
    at = {x: LOSS, y: mu(BEST, o) - index(BEST), z: index(PULLED) - mu(PULLED, o), u: part(BEST, t, o), v: rest}
    at |= {q: apart, p: BEST_LOW}
    most = applied(lost, at, cost(), short, at_most_part(dev.REST, ROUNDS), domain=ROUNDS, given=AFTER, name="its cost")
    at = {x: LOSS, u: part(BEST, t, o), v: rest, q: apart, p: BEST_LOW, z: others.concludes.rel.right}
    return applied(lemma, at, nothing, most, others, domain=ROUNDS, given=AFTER, name="a low round")


@claim(
    "ours/logarithmic/lower-side",
    by="us",
    kind="step",
    cites=("ours/correlation",),
)
def lower_side() -> Argument:
    """The best arm's index is too low. The errors are positively correlated, so that arm k's is very negative makes a
    large X_I less likely: E (X_I + s tau_I)^+ 1{X_k < -s tau_k} is at most the product (s + Psi(s)) tau_I Q(s), below
    phi(s) tau_I."""
    drop = Goal(
        Rel((x + y) * p, "<=", x + y * p), {x: at_least(0), y: at_least(0), p: UNIT}, name="a shortfall is a shortfall"
    )
    arm = {**ROUNDS, i: COUNT}
    own = instance(no_negative_part(POSITIVE_PART, {**ROUNDS, k: COUNT}), {k: OTHER}, arm, AFTER, name="of another arm")
    at = {x: part(OTHER, t, o), y: rest, p: low(OTHER)}
    signs = own, no_negative_part(dev.REST, ROUNDS)
    each = applied(drop, at, *signs, domain=arm, given=AFTER, name="another arm")
    every = SumOver(each, i, ONE, K - 1, ROUNDS, given=AFTER, name="all other arms")
    averaged = Expectation(linked(low_round(), every, domain=ROUNDS, given=AFTER, name="pathwise"), (o,))
    together = uses("ours/conditioning/opposite", item=dev.TOGETHER)
    small = instance(uses("ours/psi/shifted", item="times Q"), {sp.Symbol("s"): width}, ROUNDS, AFTER, name="times Q")
    wide = Expectation(instance(Goal(Rel(x, ">=", 0), {x: at_least(0)}, name="a width"), {x: OWN}, ROUNDS), (o,))
    at = {x: Mean(OWN, o), y: small.concludes.rel.stated[0], z: small.concludes.rel.stated[1]}
    scaled = applied(PRODUCT, at, wide, small, domain=ROUNDS, given=AFTER, name="times the mean width")
    another_arm = (*AFTER, Rel(i, "<=", K - 1))
    high = linked(together, scaled, domain=arm, given=another_arm, name="another arm is low")
    highs = SumOver(high, i, ONE, K - 1, ROUNDS, given=AFTER, name="others low")
    shorts = SumOver(
        uses("ours/conditioning", item=dev.SHORTFALL), i, ONE, K - 1, ROUNDS, given=AFTER, name="shortfalls"
    )
    total = Goal(
        Rel(x, "<=", p + q),
        dict.fromkeys((x, y, z, p, q), real()),
        (Rel(x, "<=", y + z), Rel(y, "=", p), Rel(z, "<=", q)),
        "both sums",
    )
    at = {x: Mean(LOSS * BEST_LOW, o), p: Excess(width) * sp.Sum(Mean(tau(OTHER, t, o), o), OTHERS)}
    at |= {y: sp.Sum(Mean(part(OTHER, t, o), o), OTHERS), z: sp.Sum(Mean(rest * low(OTHER), o), OTHERS)}
    at[q] = (K - 1) * Density(width) * Mean(OWN, o)
    bound = applied(total, at, averaged, shorts, highs, domain=ROUNDS, given=AFTER, name="lower side")
    return proof(bound, letters=WORDS)
