"""Theorem 5 repaired, deviations: rewards and means in [0, 1], adaptive sampling, every a > 0.

Fix the rewards of every arm in advance, as a stack (`theory.model.stacks`); adaptive play only chooses how far each
stack is read. A statement that holds for every count at once holds for the counts that were chosen. Here by a union
over counts, for the statistics of all arms and for the common mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Monotone,
    SplitSum,
    SumOver,
    Union,
    congruent,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import stacks
from theory.model.arms import s, s0, weight
from theory.model.counts import NOT_ALL_PULLS, j
from theory.model.play import (
    COUNT,
    LATER,
    K,
    k,
    mu0,
    o,
    t,
)
from theory.model.stacks import (
    STACK,
    STACKS,
    WORDS,
    apart,
    before,
    centre,
    common,
    delta,
    far,
    i,
    lam,
    noise,
    own,
    shrinkage,
    tilde,
    weights,
)
from theory.ours.bad_rounds import times

x, y, z, q, r, m, n, th = sp.symbols("x y z q r m n theta")
ONE = sp.Integer(1)
DEVIATIONS = {**STACKS, r: positive()}
ARM = {**DEVIATIONS, k: COUNT}
LETTERS = {**WORDS, r: Letter(r, "number of deviations")}
AN_ARM = Rel(k, "<=", K)
Domain = Mapping[sp.Expr, Var]
Deviation = Callable[[sp.Expr, sp.Expr], sp.Expr]


@cache
def no_noise() -> Expectation:
    """E exp(x delta_k + y S_{k,0}) = E exp(x delta_k): a sum of no noises is 0."""
    free = {**stacks.STACK, x: real(), y: real()}
    split = SplitSum(stacks.reward(k, m, o), m, ONE, n - 1, n, {**free, n: COUNT}, name="the last reward apart")
    empty = instance(split, {n: ONE}, free, name="nothing before the first reward")
    sum_ = instance(stacks.NOISE, {j: sp.Integer(0)}, free, name="no reward")
    none = follows(Rel(noise(k, 0, o), "=", 0), sum_, empty, domain=free, name="no noise yet")
    same = congruent(sp.exp(x * delta(k, o) + y * z), z, none, free, name="no reward, no noise")
    return Expectation(same, (o,), name="no reward, no noise")


def moments() -> Follows:
    """E exp(x delta_k + y S_{k,j}) <= exp(x^2 sigma_0^2/2 + j y^2 sigma^2/2): each noise adds its proxy."""
    moment, start = stacks.moment(x, y, j), Mean(sp.exp(x * delta(k, o)), o)
    free = {**STACKS, k: COUNT, x: real(), y: real()}
    noises = Induction(
        Rel(moment, "<=", sp.exp(j * y**2 * s / 2) * start),
        j,
        0,
        free,
        given=(no_noise().concludes.rel,),
        lemmas=(stacks.NEXT_NOISE,),
        name="j noises",
    )
    total = Rel(moment, "<=", sp.exp(j * y**2 * s / 2 + x**2 * s0 / 2))
    parts = no_noise(), noises, stacks.EFFECT_PROXY
    return follows(total, *parts, domain={**free, j: at_least(0, integer=True)}, name="effect and noises")


@claim("them-R-Bayes-SubR/repaired/stacks", by="us", kind="step", cites=("sec:fact/3/sharp",))
def proxies() -> Argument:
    """Given the mean and the noises before it, each noise adds its proxy; so effect and noises add theirs.
    Independence of noise and effect is not needed."""
    w, sums = weight(j), moments()
    return proof(
        proxy(sums, own, stacks.OWN, (-(1 - w), w / j), tilde, stacks.TILDE, "own error"),
        proxy(sums, apart, stacks.APART, (w, w / j), far, stacks.FAR, "distance from mu_0"),
        letters=LETTERS,
    )


def proxy(
    sums: Item, statistic: Any, defined: Item, parts: tuple[sp.Expr, sp.Expr], size: Any, squared: Item, name: str
) -> Follows:
    """E exp(l X) <= exp(l^2 size^2/2) for a statistic X = parts[0] delta_k + parts[1] S_{k,j}."""
    free = {**STACK, lam: real()}
    at = instance(sums, {x: lam * parts[0], y: lam * parts[1]}, free, name=f"{name}: effect and noises")
    (moment, bound) = at.concludes.rel.stated
    value = moment.args[0].args[0]  # the exponent
    scaled = times(conclusion(defined).rel, lam, free, "times lambda")
    same = follows(Rel(lam * statistic(k, j, o), "=", value), defined, scaled, domain=free, name=f"{name}: exponent")
    powers = Expectation(Monotone(same, sp.exp(x), x, {x: real()}, name=name), (o,))
    size_ = Rel(lam**2 * size(j) ** 2 / 2, "=", bound.args[0])
    exponents = follows(size_, squared, times(conclusion(squared).rel, lam**2, free, "times lambda^2"), domain=free)
    bounds_ = Monotone(exponents, sp.exp(x), x, {x: real()}, name=f"{name}: size")
    total = Rel(Mean(sp.exp(lam * statistic(k, j, o)), o), "<=", sp.exp(lam**2 * size(j) ** 2 / 2))
    return follows(total, powers, at, bounds_, domain=free, name=name)


def markov() -> Follows:
    """1{z > 0} <= exp(l z), l > 0."""
    free = {z: real(), lam: positive()}
    part = Indicates(z, {z: real()}, part=True, strict=True, name="z where it is positive")
    below = follows(Rel(Event(z, 1), "<=", sp.exp(z)), exp_tangent(z), part, domain={z: real()}, name="below exp")
    scaled = instance(below, {z: lam * z}, free, name="at l z")
    quotient = Goal(Rel(x / lam, "<=", 0), {x: real(), lam: positive()}, (Rel(x, "<=", 0),), "divided by l")
    same = instance(quotient, {x: lam * z}, free, (Rel(lam * z, "<=", 0),), name="divided by l")
    larger = Union(same, same.given, "the same event")
    return follows(Rel(Event(z, 1), "<=", sp.exp(lam * z)), larger, scaled, domain=free, name="an indicator below exp")


def chance(proved: Item, deviation: sp.Expr, size: sp.Expr, name: str) -> Follows:
    """P(X > r size) <= exp(-r^2/2) for X with E exp(l X) <= exp(l^2 size^2/2): Chernoff's bound at l = r/size."""
    free = {**STACK, r: positive(), lam: positive()}
    beyond = Event(deviation - r * size, 1)
    point = instance(markov(), {z: deviation - r * size}, free, name=f"{name}: below exp")
    factor = Rel(q, "=", sp.exp(-lam * r * size))
    apart_ = Rel(beyond, "<=", q * sp.exp(lam * deviation))
    split = follows(apart_, point, domain={**free, q: positive()}, given=(factor,), name=f"{name}: two factors")
    mean = instance(Expectation(split, (o,)), {q: factor.right}, free, name=f"{name}: mean")
    bound = sp.exp(lam**2 * size**2 / 2 - lam * r * size)
    every = follows(Rel(Mean(beyond, o), "<=", bound), mean, proved, domain=free, name=f"{name}: every l")
    stack = {**STACK, r: positive()}
    best = instance(every, {lam: r / size}, stack, name=f"{name}: at l = r/size")
    return follows(Rel(Mean(beyond, o), "<=", sp.exp(-(r**2) / 2)), best, domain=stack, name=name)


KINDS: dict[str, tuple[Any, Any, int]] = {
    "own error above": (own, tilde, 1),
    "own error below": (own, tilde, -1),
    "distance from mu_0 above": (apart, far, 1),
    "distance from mu_0 below": (apart, far, -1),
}


def excess(kind: str) -> Deviation:
    """By how much a statistic of an arm after some pulls is beyond r deviations."""
    statistic, size, sign = KINDS[kind]
    return lambda arm, pulls: sign * statistic(arm, pulls, o) - r * size(pulls)


def failures(beyond: Deviation) -> sp.Expr:
    """How many statistics of all arms and all counts up to t are beyond."""
    return sp.Sum(sp.Sum(Event(beyond(i, j), 1), (j, 1, t)), (i, 1, K))


@claim("them-R-Bayes-SubR/repaired/union", by="us", kind="step")
def union() -> Argument:
    """Two statistics, two sides, K arms, at most t counts, each failing with probability at most exp(-r^2/2). The
    union is over fixed counts, so adaptivity does not enter."""
    return proof(*map(all_counts, KINDS), letters=LETTERS)


def all_counts(kind: str) -> Follows:
    statistic, size, sign = KINDS[kind]
    item = "own error" if statistic is own else "distance from mu_0"
    free = {**STACK, lam: positive()}
    proved = instance(uses("them-R-Bayes-SubR/repaired/stacks", item=item), {lam: sign * lam}, free, name=item)
    one = instance(chance(proved, sign * statistic(k, j, o), size(j), kind), {k: i}, {**DEVIATIONS, i: COUNT, j: COUNT})
    counts = SumOver(one, j, ONE, t, {**DEVIATIONS, i: COUNT}, name="all counts")
    arms = SumOver(counts, i, ONE, K, DEVIATIONS, name="all arms")
    total = Rel(Mean(failures(excess(kind)), o), "<=", K * t * sp.exp(-(r**2) / 2))
    return follows(total, arms, domain=DEVIATIONS, name=kind)


def counted(beyond: Deviation) -> SumOver:
    """The indicators of one arm i add up to a number >= 0."""
    term = Goal(Rel(q, ">=", 0), {q: at_least(0)}, name="an indicator")
    stack = {**DEVIATIONS, i: COUNT}
    return SumOver(term, j, ONE, t, stack, family={q: Event(beyond(i, j), 1)}, name="failures of an arm")


def within(beyond: Deviation, name: str) -> Follows:
    """If nothing fails, the statistic of arm k at its count before round t is within its bound."""
    now, none = beyond(k, before(k)), Rel(failures(beyond), "<=", 0)
    one = Among(Event(beyond(k, j), 1), j, m, ONE, t, {**ARM, m: COUNT}, name="one of the counts")
    at = instance(one, {m: before(k)}, ARM, (Rel(before(k), "<=", t),), name="the count before round t")
    counts = sp.Sum(Event(beyond(i, j), 1), (j, 1, t))
    arms = Among(counts, i, k, ONE, K, ARM, counted(beyond), "one of the arms")
    given = (LATER, AN_ARM, none)
    zero = Rel(Event(now, 1), "=", 0)
    holds = follows(zero, NOT_ALL_PULLS, at, arms, domain=ARM, given=given, name="no failure of arm k")
    scaled, says = times(zero, now, ARM, "times the excess"), Indicates(now, ARM, strict=True)
    return follows(Rel(now, "<=", 0), holds, scaled, says, domain=ARM, given=given, name=name)


ell = sp.Symbol("l")  # an arm, where i numbers the arms of a sum
EACH = {**DEVIATIONS, ell: COUNT}


def deviations_of_all(kind: str) -> SumOver:
    """The statistics of all arms before round t add up to at most r times all deviations."""
    one = instance(within(excess(kind), kind), {k: ell}, EACH, (LATER, Rel(ell, "<=", K), none_fails(kind)), name=kind)
    return SumOver(one, ell, ONE, K, DEVIATIONS, given=(LATER, none_fails(kind)), name="all arms")


def none_fails(kind: str) -> Rel:
    return Rel(failures(excess(kind)), "<=", 0)


def all_deviations() -> Follows:
    """sum of varsigma over the arms <= sqrt(K sigma_0^2 W), by Cauchy-Schwarz."""
    size, free = far(before(ell)), {**EACH, th: positive()}
    pair = {x: positive(), th: positive()}
    square = Goal(Rel(2 * x, "<=", th * x**2 + 1 / th), pair, name="a square", squares=(th * x - 1,))
    at = instance(square, {x: size}, free, name="one deviation")
    known = instance(stacks.FAR, {j: before(ell)}, EACH, name="its square")
    w = instance(stacks.WEIGHT, {k: ell}, EACH, (LATER,), name="its weight")
    varsigma = follows(
        Rel(size**2, "=", shrinkage(ell, t, o) * s0), known, w, domain=EACH, given=(LATER,), name="square"
    )
    scaled = times(varsigma.rel, th, free, "times theta")
    bound = th * shrinkage(ell, t, o) * s0 + 1 / th
    one = follows(Rel(2 * size, "<=", bound), varsigma, at, scaled, domain=free, given=(LATER,), name="one arm")
    rest = {**DEVIATIONS, th: positive()}
    arms = SumOver(one, ell, ONE, K, rest, given=(LATER,), name="all arms")
    total = sp.Sum(size, (ell, 1, K))
    sides = Rel(2 * total, "<=", th * s0 * weights + K / th)
    every = follows(sides, arms, stacks.ALL_WEIGHTS, domain=rest, given=(LATER,), name="every theta")
    best = instance(every, {th: centre / s0}, DEVIATIONS, (LATER,), name="at the best theta")
    product = Goal(
        Rel(K * s0 / x, "=", x * z),
        {**pair, z: positive(), K: COUNT, s0: positive()},
        (Rel(x**2, "=", K * s0 / z),),
        "K sigma_0^2 = W f^2",
    )
    same = instance(
        product, {x: centre, z: weights}, DEVIATIONS, (stacks.CENTRE.concludes.rel,), name="K sigma_0^2/f = W f"
    )
    bound_ = Rel(total, "<=", centre * weights)
    return follows(bound_, best, stacks.CENTRE, same, domain=DEVIATIONS, given=(LATER,), name="all deviations")


def common_error() -> Follows:
    """W (rbar_0 - mu_0) is the sum of the weighted distances of the arms."""
    w, free = shrinkage(ell, t, o), {**EACH, mu0: real()}
    known = instance(stacks.WEIGHT, {k: ell}, EACH, (LATER,), name="its weight")
    mean = instance(stacks.ARM_MEAN, {k: ell}, free, name="mean of an arm")
    distance = instance(stacks.APART, {k: ell, j: before(ell)}, EACH, name="its distance")
    inner = delta(ell, o) + noise(ell, before(ell), o) / before(ell)
    scaled = times(mean.concludes.rel, w, free, "times its weight"), times(known.concludes.rel, inner, EACH, "times")
    term = Rel(w * stacks.average(ell), "=", mu0 * w + apart(ell, before(ell), o))
    one = follows(term, mean, distance, known, *scaled, domain=free, given=(LATER,), name="one arm")
    rest = {**DEVIATIONS, mu0: real()}
    arms = SumOver(one, ell, ONE, K, rest, given=(LATER,), name="all arms")
    total = Rel(weights * (common - mu0), "=", sp.Sum(apart(ell, before(ell), o), (ell, 1, K)))
    parts = stacks.COMMON, arms, stacks.ALL_WEIGHTS, times(stacks.ALL_WEIGHTS.concludes.rel, mu0, rest, "times mu_0")
    return follows(total, *parts, domain=rest, given=(LATER,), name="error of the common mean")


@claim("them-R-Bayes-SubR/repaired/common-mean", by="us", kind="step", cites=("them-R-Bayes-SubR/repaired/union",))
def common_mean() -> Argument:
    """The bounds of the arms add up; the sum of the deviations varsigma is at most sqrt(K sigma_0^2 W) by
    Cauchy-Schwarz."""
    shared = all_deviations(), common_error()
    return proof(*(common_side(side, *shared) for side in ("above", "below")), letters=LETTERS)


def common_side(side: str, deviations: Follows, error: Follows) -> Follows:
    kind, sign = f"distance from mu_0 {side}", 1 if side == "above" else -1
    free, given = {**DEVIATIONS, mu0: real()}, (LATER, none_fails(kind))
    scaled = times(deviations.rel, r, DEVIATIONS, "times r", True)
    product = Rel(sign * weights * (common - mu0), "<=", r * centre * weights)
    parts = deviations_of_all(kind), error, deviations, scaled
    whole = follows(product, *parts, domain=free, given=given, name=f"{side}: times W")
    divided = Goal(Rel(x / z, "<=", y / z), {x: real(), y: real(), z: positive()}, (Rel(x, "<=", y),), "divided by W")
    at = {x: product.stated[0], y: product.stated[1], z: weights}
    quotient = instance(divided, at, free, (product,), name=f"{side}: divided by W")
    bound = Rel(sign * (common - mu0), "<=", r * centre)
    return follows(bound, whole, quotient, domain=free, given=given, name=side)
