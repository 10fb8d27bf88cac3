"""Theorem 2 repaired: rewards and means in [0, 1], adaptive sampling, every a > 0.

Fix the rewards of every arm in advance, as a stack (`theory.model.stacks`); adaptive play only chooses how far each
stack is read. A statement that holds for every count at once holds for the counts that were chosen. Here by a union
over counts; by lines that sums of noise stay below: theorem2_range.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Cases,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    Monotone,
    SumOver,
    Union,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import bound_formulas as bounds
from theory.model import stacks
from theory.model.arms import n, s, s0, weight
from theory.model.counts import SPREAD, j, spread
from theory.model.play import (
    BEST,
    BEST_IS_AN_ARM,
    CHOICE,
    COUNT,
    LATER,
    NOT_ALL,
    PULLED,
    PULLED_IS_AN_ARM,
    K,
    a,
    k,
    mu,
    mu0,
    muhat,
    o,
    t,
    tau,
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
    kappa,
    lam,
    noise,
    own,
    shrinkage,
    swing,
    tilde,
    weights,
)
from theory.ours.bad_rounds import times
from theory.ours.root_series import order_of_roots

x, y, z, b, p, q, r, u, v, m, th = sp.symbols("x y z b p q r u v m theta")
ONE = sp.Integer(1)
DEVIATIONS = {**STACKS, r: positive()}
ARM = {**DEVIATIONS, k: COUNT}
LETTERS = {**WORDS, r: Letter(r, "number of deviations")}
AN_ARM = Rel(k, "<=", K)
Domain = Mapping[sp.Expr, Var]
Deviation = Callable[[sp.Expr, sp.Expr], sp.Expr]


def moments() -> Follows:
    """E exp(x delta_k + y S_{k,j}) <= exp(x^2 sigma_0^2/2 + j y^2 sigma^2/2): each noise adds its proxy."""
    moment, start = stacks.moment(x, y, j), Mean(sp.exp(x * delta(k, o)), o)
    free = {**STACKS, k: COUNT, x: real(), y: real()}
    noises = Induction(
        Rel(moment, "<=", sp.exp(j * y**2 * s / 2) * start),
        j,
        0,
        free,
        given=(stacks.NO_NOISE.concludes.rel,),
        lemmas=(stacks.NEXT_NOISE,),
        name="j noises",
    )
    total = Rel(moment, "<=", sp.exp(j * y**2 * s / 2 + x**2 * s0 / 2))
    parts = stacks.NO_NOISE, noises, stacks.EFFECT_PROXY
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


@claim("them-R-Bayes-SubR/repaired/union", by="us", kind="step", uses=("them-R-Bayes-SubR/repaired/stacks",))
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
    holds = follows(zero, NOT_ALL, at, arms, domain=ARM, given=given, name="no failure of arm k")
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


@claim("them-R-Bayes-SubR/repaired/common-mean", by="us", kind="step", uses=("them-R-Bayes-SubR/repaired/union",))
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


def joined(first: Item, second: Item, third: Item, domain: Domain) -> Instance:
    """a <= d from a <= b, b = c and d = c, as relations between numbers: what the sides are made of does not matter."""
    a, b, c_, d = sp.symbols("a_ b_ c_ d_")
    numbers = dict.fromkeys((a, b, c_, d), real())
    given = Rel(a, "<=", b), Rel(b, "=", c_), Rel(d, "=", c_)
    rels = [conclusion(item).rel for item in (first, second, third)]
    at = {a: rels[0].stated[0], b: rels[0].stated[1], c_: rels[1].stated[1], d: rels[2].stated[0]}
    return instance(Goal(Rel(a, "<=", d), numbers, given, "joined"), at, domain, tuple(rels), name="joined")


@claim("them-R-Bayes-SubR/repaired/inflation", by="us", kind="step", cites=("tau_SG-ineq",))
def inflation() -> Argument:
    """With v = sqrt(K u) the ratio (1 + v)^2/(1 + v^2/K) rises up to v = K, where it is K + 1, its largest value. This
    kappa takes the place of the printed m."""
    ratio = stacks.rho
    free, small = {**STACKS, v: positive()}, Rel(v**2, "<=", ratio)
    numbers = {K: COUNT, v: positive(), z: positive()}  # z = sqrt(rho)
    rising = Goal(
        Rel((1 + v) ** 2, "<=", (1 + z) ** 2 / (1 + z**2 / K) * (1 + v**2 / K)),
        numbers,
        (Rel(v, "<=", z), Rel(z, "<=", K)),
        "rises up to K",
    )
    largest = Goal(
        Rel((1 + v) ** 2, "<=", (1 + K) * (1 + v**2 / K)), numbers, name="never above K + 1", squares=(K - v,)
    )
    root, order = sp.sqrt(ratio), larger_root()
    below = [
        instance(order, {x: low, y: high}, free, (Rel(low**2, "<=", high**2),)) for low, high in ((v, root), (root, K))
    ]
    given = tuple(item.concludes.rel for item in below)
    at = instance(rising, {z: root}, free, given, name="at v = sqrt(K u)")
    total = Rel((1 + v) ** 2, "<=", kappa(K) * (1 + v**2 / K))
    scaled = [times(conclusion(d).rel, 1 + v**2 / K, free, "times 1 + u") for d in (stacks.KAPPA, stacks.KAPPA_FEW)]
    equal = Goal(Rel(at.concludes.rel.stated[1], "=", scaled[0].concludes.rel.stated[1]), free, name="the stated kappa")
    parts: tuple[Item, ...] = (*below, at, equal, stacks.KAPPA, scaled[0], joined(at, equal, scaled[0], free))
    many = follows(total, *parts, domain=free, given=(small, stacks.MANY_ARMS), name="rho <= K^2")
    parts_ = largest, stacks.KAPPA_FEW, scaled[1]
    few = follows(total, *parts_, domain=free, given=(stacks.FEW_ARMS,), name="rho > K^2")
    letters = {**LETTERS, v: Letter(v, "any number; sqrt(K u) with u = (1 - w_k)/W is one")}
    stated = Rel((1 + z) ** 2 / (1 + z**2 / K), "=", bounds.inflation(K, q).subs(q, z**2).subs(sp.sqrt(z**2), z))
    return proof(
        Cases(stacks.MANY_ARMS, many, few, "inflation"),
        Goal(stated, {K: COUNT, z: positive()}, name="the stated kappa"),
        letters={**letters, z: Letter(z, "sqrt(rho)")},
    )


def larger_root() -> Follows:
    """x <= y if x > 0, y >= 0 and x^2 <= y^2."""
    pair, squares = {x: positive(), y: at_least(0)}, Rel(x**2, "<=", y**2)
    quotient = Goal(Rel(z / q, ">=", 0), {z: at_least(0), q: positive()}, name="a quotient")
    at = instance(quotient, {z: y**2 - x**2, q: x + y}, pair, (squares,), name="difference of squares")
    split = Goal(Rel(y - x, "=", (y**2 - x**2) / (x + y)), pair, name="difference of roots")
    return follows(Rel(x, "<=", y), at, split, domain=pair, given=(squares,), name="roots keep the order")


def squared_width() -> Follows:
    """(r p (1 + g))^2 <= A T if T = p^2 (1 + g^2/K), (1 + g)^2 <= kappa (1 + g^2/K) and r^2 = A/kappa."""
    g, T, A, ratio = sp.symbols("g T A kappa")
    free = {**dict.fromkeys((p, r, g, ratio, K), positive()), T: at_least(0), A: at_least(0)}
    grown = (K + g**2) / K
    given = (
        Rel((1 + g) ** 2, "<=", ratio * (1 + g**2 / K)),
        Rel(T, "=", p**2 * (K + g**2) / K),
        Rel(r**2, "=", A / ratio),
    )
    scaled = times(given[0], r**2 * p**2, free, "times r^2 p^2", True)
    products = times(given[1], A, free, "times A"), times(given[2], ratio * p**2 * grown, free, "times kappa T")
    total = Rel((r * p * (1 + g)) ** 2, "<=", A * T)
    return follows(total, scaled, *products, domain=free, given=given, name="squares")


LEVEL = Rel(r**2, "=", spread(t) ** 2 / kappa(K))
W_K, G_K = shrinkage(k, t, o), swing(k, t, o)


def enough_weight() -> Follows:
    """K u <= rho: every arm has a reward, so W is at least K w_1."""
    lower = instance(uses("w-def/bounds/repaired", item="lower"), {n: before(ell)}, EACH)
    weight_ = instance(stacks.WEIGHT, {k: ell}, EACH, (LATER,))
    bound = Rel(shrinkage(ell, t, o), ">=", s0 / (s0 + s))
    one = follows(bound, lower, weight_, domain=EACH, given=(LATER,), name="one weight")
    arms = SumOver(one, ell, ONE, K, DEVIATIONS, given=(LATER,), name="all weights")
    all_ = follows(
        Rel(weights, ">=", K * s0 / (s0 + s)), arms, stacks.ALL_WEIGHTS, domain=DEVIATIONS, given=(LATER,), name="W"
    )
    own_ = Goal(Rel(1 - weight(n), "<=", s / (s0 + s)), {n: COUNT, s: positive(), s0: positive()}, name="1 - w_k")
    mine = instance(own_, {n: before(k)}, ARM)
    left = follows(Rel(1 - W_K, "<=", s / (s0 + s)), mine, stacks.WEIGHT, domain=ARM, given=(LATER,), name="1 - w_k")
    free = {x: positive(), z: at_least(0), K: COUNT, s: positive(), s0: positive()}
    bounds_ = Rel(x, ">=", K * s0 / (s0 + s)), Rel(z, "<=", s / (s0 + s))
    product = Goal(Rel(K * z, "<=", s / s0 * x), free, bounds_, "times W")
    whole = instance(product, {x: weights, z: 1 - W_K}, ARM, (all_.rel, left.rel), name="times W")
    divided = Goal(Rel(y / x, "<=", z), {x: positive(), y: real(), z: real()}, (Rel(y, "<=", z * x),), "divided by W")
    at = {x: weights, y: K * (1 - W_K), z: stacks.rho}
    last = instance(divided, at, ARM, (whole.concludes.rel,), name="divided by W")
    parts = all_, left, whole, last, stacks.SWING
    return follows(Rel(G_K**2, "<=", stacks.rho), *parts, domain=ARM, given=(LATER,), name="K u <= rho")


def width_by_share() -> tuple[Follows, Follows]:
    """tilde-tau^2 = (1 - w) sigma_0^2, and tau^2 = tilde-tau^2 (1 + u)."""
    size, width_sq = tilde(before(k)), tau(k, t, o) ** 2
    square = instance(stacks.TILDE, {j: before(k)}, ARM, name="tilde-tau^2")
    by_weight = Rel(size**2, "=", (1 - W_K) * s0)
    known = follows(by_weight, square, stacks.WEIGHT, domain=ARM, given=(LATER,), name="tilde-tau^2 by w")
    free = {x: at_least(0), p: positive(), u: positive(), z: positive(), b: at_least(0), K: COUNT, s0: positive()}
    facts = Rel(x, "=", p**2 + b**2 * s0 / z), Rel(p**2, "=", b * s0), Rel(u**2, "=", K * b / z)
    products = (times(fact, by, free, "times") for fact, by in zip(facts, (K, K * b / z, p**2), strict=True))
    by_swing = follows(Rel(K * x, "=", p**2 * (K + u**2)), *products, domain=free, given=facts, name="by sqrt(K u)")
    given = stacks.MSE.concludes.rel, known.rel, stacks.SWING.concludes.rel
    at = {x: width_sq, p: size, u: G_K, b: 1 - W_K, z: weights}
    last = instance(by_swing, at, ARM, given, name="tau^2 by sqrt(K u)")
    parts = stacks.MSE, known, stacks.SWING, last
    total = Rel(width_sq, "=", size**2 * (K + G_K**2) / K)
    return known, follows(total, *parts, domain=ARM, given=(LATER,), name="tau^2 = tilde-tau^2 (1 + u)")


def both_errors() -> Follows:
    """r tilde-tau + (1 - w) r f <= sqrt(a log t) tau, f = sqrt(K sigma_0^2/W): (1 - w) f = tilde-tau sqrt(K u)."""
    size, width_sq = tilde(before(k)), tau(k, t, o) ** 2
    known, by_swing = width_by_share()
    numbers = {**dict.fromkeys((p, u, v, z, K, s0), positive()), b: at_least(0)}
    facts = Rel(p**2, "=", b * s0), Rel(u**2, "=", K * b / z), Rel(v**2, "=", K * s0 / z)
    products = (times(fact, factor, numbers, "times") for fact, factor in zip(facts, (u**2, b * s0, b**2), strict=True))
    squares = follows(Rel((b * v) ** 2, "=", (p * u) ** 2), *products, domain=numbers, given=facts, name="squares")
    given = known.rel, stacks.SWING.concludes.rel, stacks.CENTRE.concludes.rel
    at = {p: size, u: G_K, v: centre, z: weights, b: 1 - W_K}
    equal = instance(squares, at, ARM, given, name="squares")
    of_common = (1 - W_K) * centre
    smaller = Rel(of_common**2, "<=", (size * G_K) ** 2)
    below = follows(smaller, equal, domain=ARM, given=given, name="at most")
    facts_, ends = (known, stacks.SWING, stacks.CENTRE, equal, below), {x: of_common, y: size * G_K}
    first = applied(order_of_roots(), ends, *facts_, domain=ARM, given=(LATER,), name="error of the common mean")
    enough = enough_weight()
    small = (enough.rel,)
    inflated = instance(
        uses("them-R-Bayes-SubR/repaired/inflation", item="inflation"), {v: G_K}, ARM, small, name="inflation"
    )
    g, T, A, ratio = sp.symbols("g T A kappa")
    at = {p: size, g: G_K, T: width_sq, A: spread(t) ** 2, ratio: kappa(K)}
    given_ = (LATER, LEVEL)
    squared = applied(squared_width(), at, enough, inflated, by_swing, domain=ARM, given=given_, name="squares")
    pair = {x: r * size * (1 + G_K), y: spread(t) * tau(k, t, o)}
    rooted = applied(larger_root(), pair, squared, domain=ARM, given=given_, name="roots")
    total = Rel(r * size + r * of_common, "<=", spread(t) * tau(k, t, o))
    scaled = times(first.concludes.rel, r, ARM, "times r", True)
    return follows(total, first, scaled, rooted, domain=ARM, given=given_, name="both errors")


@claim(
    "them-R-Bayes-SubR/repaired/prior-route/width",
    by="us",
    kind="step",
    uses=("them-R-Bayes-SubR/repaired/inflation", "w-def/bounds/repaired"),
)
def width_of_both_errors() -> Argument:
    """(1 - w) sigma_0 sqrt(K/W) = tilde-tau sqrt(K u), and (1 + sqrt(K u))^2 <= kappa (1 + u) = kappa
    tau^2/tilde-tau^2."""
    return proof(both_errors(), letters=LETTERS)


def error_of_estimate() -> Follows:
    """The error of the estimate is its own and that of the common mean."""
    free = {**ARM, mu0: real()}
    mean, known = stacks.ARM_MEAN, stacks.WEIGHT
    mine = instance(stacks.OWN, {j: before(k)}, ARM, name="its own error")
    inner = noise(k, before(k), o) / before(k) + delta(k, o)
    scaled = times(mean.concludes.rel, 1 - W_K, free, "times 1 - w"), times(known.concludes.rel, inner, ARM, "times")
    error = Rel(ERROR, "=", own(k, before(k), o) + (1 - W_K) * (common - mu0))
    parts = stacks.ESTIMATE, mean, mine, known, *scaled
    return follows(error, *parts, domain=free, given=(LATER,), name="own error and that of the common mean")


ERROR = muhat(k, t, o) - mu(k, o)
KINDS_OF = {side: (f"own error {side}", f"distance from mu_0 {side}") for side in ("above", "below")}


def route(side: str, split: Follows) -> Follows:
    """One side of an interval."""
    sign, free = 1 if side == "above" else -1, {**ARM, mu0: real()}
    kinds = KINDS_OF[side]
    given = (LATER, AN_ARM, LEVEL, *map(none_fails, kinds))
    centre_ = uses("them-R-Bayes-SubR/repaired/common-mean", item=side)
    weighted = times(centre_.concludes.rel, 1 - W_K, free, "times 1 - w", True)
    most = Rel(sign * ERROR, "<=", r * tilde(before(k)) + (1 - W_K) * r * centre)
    parts = split, within(excess(kinds[0]), kinds[0]), centre_, weighted
    both = follows(most, *parts, domain=free, given=(given[0], given[1], *given[3:]), name=f"{side}: both errors")
    wide = uses("them-R-Bayes-SubR/repaired/prior-route/width")
    return follows(Rel(sign * ERROR, "<=", spread(t) * tau(k, t, o)), both, wide, domain=free, given=given, name=side)


@claim(
    "them-R-Bayes-SubR/repaired/prior-route",
    by="us",
    kind="step",
    uses=("them-R-Bayes-SubR/repaired/common-mean", "them-R-Bayes-SubR/repaired/prior-route/width"),
    cites=("sec:tau_star/decomposition/repaired",),
)
def prior_route() -> Argument:
    """Own error plus (1 - w_k) times the error of the common mean."""
    split = error_of_estimate()
    return proof(*(route(side, split) for side in KINDS_OF), letters=LETTERS)


LOSS = mu(BEST, o) - mu(PULLED, o)
BAD = Event(LOSS - 2 * spread(t) * tau(PULLED, t, o), 1)


def interval(arm: sp.Expr, sign: int) -> Rel:
    """One side of the interval of an arm in round t."""
    return Rel(sign * (muhat(arm, t, o) - mu(arm, o)), "<=", spread(t) * tau(arm, t, o))


HOLD = interval(BEST, -1), interval(PULLED, 1)


@claim(
    "them-R-Bayes-SubR/repaired/round",
    by="us",
    kind="step",
    cites=("regret-decom/repaired", "them-R-Bayes-SubR/support/repaired"),
)
def good_round() -> Argument:
    """mu_* <= U_* <= U_I <= mu_I + 2c if both intervals hold; and means lie in [0, 1]."""
    known = SPREAD.concludes.rel
    product = Goal(Rel(x * y, "=", z * y), {x: real(), y: real(), z: real()}, (Rel(x, "=", z),), "times tau")
    at = {x: known.stated[0], z: known.stated[1]}
    factors = [
        instance(product, {**at, y: tau(arm, t, o)}, STACKS, (known, LATER), name="times tau") for arm in (BEST, PULLED)
    ]
    cost = Rel(LOSS, "<=", 2 * spread(t) * tau(PULLED, t, o))
    good = follows(cost, CHOICE, SPREAD, *factors, domain=STACKS, given=(LATER, *HOLD), name="good")
    says = Indicates(LOSS - cost.stated[1], STACKS, strict=True)
    bound = Rel(LOSS, "<=", cost.stated[1] + BAD)
    return proof(good, follows(bound, says, domain=STACKS, name="any round"), letters=WORDS)


def some(total: sp.Expr, nonnegative: Item, domain: Domain) -> Follows:
    """1{Z > 0} <= Z for a number Z of failures."""
    whole = Indicates(total, domain, integer=True, part=True, strict=True, name="Z is an integer")
    return follows(Rel(Event(total, 1), "<=", total), nonnegative, whole, domain=domain, name="some failure")


def bad_round(
    below: Item, above: Item, cases: tuple[Rel, ...], counts: tuple[Item, ...], given: tuple[Rel, ...], domain: Domain
) -> Expectation:
    """E 1{a round costs more than 2c} <= the sum of the mean numbers of failures, if without them intervals hold."""
    best, pulled = (
        instance(
            route_, {k: arm}, domain, (*given, Rel(arm, "<=", K), *conclusion(route_).given[3:]), name="an interval"
        )
        for route_, arm in ((below, BEST), (above, PULLED))
    )
    good = uses("them-R-Bayes-SubR/repaired/round", item="good")
    parts = BEST_IS_AN_ARM, PULLED_IS_AN_ARM, best, pulled
    implied = applied(good, {}, *parts, domain=domain, given=(*given, *cases), name="no failure")
    numbers = [some(case.stated[0], count_, domain) for case, count_ in zip(cases, counts, strict=True)]
    total = Rel(BAD, "<=", sp.Add(*(case.stated[0] for case in cases)))
    whole = follows(total, Union(implied, cases, "a failure"), *numbers, domain=domain, given=given, name="failures")
    return Expectation(whole, (o,), name="mean number of failures")


@claim(
    "them-R-Bayes-SubR/repaired/prior-route/chance",
    by="us",
    kind="step",
    uses=(
        "them-R-Bayes-SubR/repaired/prior-route",
        "them-R-Bayes-SubR/repaired/union",
        "them-R-Bayes-SubR/repaired/round",
    ),
)
def chance_by_prior() -> Argument:
    """A round costs more than 2c only if one of the four statistics fails for some arm and some count: at r^2 = a log
    t/kappa this has probability at most 4 K t exp(-r^2/2)."""
    kinds = [KINDS_OF[side][m_] for m_ in (0, 1) for side in ("below", "above")]
    cases = tuple(map(none_fails, kinds))
    counts = tuple(SumOver(counted(excess(kind)), i, ONE, K, DEVIATIONS, name="failures") for kind in kinds)
    below, above = (uses("them-R-Bayes-SubR/repaired/prior-route", item=side) for side in ("below", "above"))
    mean = bad_round(below, above, cases, counts, (LATER, LEVEL), DEVIATIONS)
    fails = [uses("them-R-Bayes-SubR/repaired/union", item=kind) for kind in kinds]
    bound = Rel(Mean(BAD, o), "<=", 4 * K * t * sp.exp(-(r**2) / 2))
    every = follows(bound, mean, *fails, domain=DEVIATIONS, given=(LATER, LEVEL), name="four statistics")
    wide = Rel(spread(t), ">", 0)
    at = instance(every, {r: spread(t) / sp.sqrt(kappa(K))}, STACKS, (LATER, wide), name="at this r")
    late = follows(wide, SPREAD, domain=STACKS, given=(LATER,), name="sqrt(a log t) > 0")
    stated = Rel(Mean(BAD, o), "<=", bounds.failure_by_prior(t, K, kappa(K), a))
    parts = SPREAD, late, at, exponent(kappa(K))
    ratio = sp.Symbol("kappa")
    free = {K: COUNT, t: COUNT, a: positive(), ratio: positive()}
    power = Rel(4 * K * t * sp.exp(-a * sp.log(t) / (2 * ratio)), "=", bounds.failure_by_prior(t, K, ratio, a))
    return proof(
        follows(stated, *parts, domain=STACKS, given=(LATER,), name="chance"),
        Goal(power, free, name="the stated power of t"),
        letters=WORDS,
    )


def squared_spread() -> Follows:
    """The factor of a width in round t, squared: a log t."""
    square = Goal(Rel(x**2, "=", z**2), {x: real(), z: real()}, (Rel(x, "=", z),), "squares")
    known = SPREAD.concludes.rel
    at = instance(square, {x: known.stated[0], z: known.stated[1]}, STACKS, (known, LATER), name="squares")
    return follows(Rel(spread(t) ** 2, "=", a * sp.log(t)), SPREAD, at, domain=STACKS, given=(LATER,), name="a log t")


def exponent(by: sp.Expr) -> Monotone:
    """exp(-s_t^2/(2 kappa)) = t^(-a/(2 kappa))."""
    known = squared_spread()
    scaled = times(known.rel, -1 / (2 * by), STACKS, "divided by -2 kappa")
    rel = Rel(-(spread(t) ** 2) / (2 * by), "=", -a * sp.log(t) / (2 * by))
    equal = follows(rel, known, scaled, domain=STACKS, given=(LATER,), name="exponents")
    return Monotone(equal, sp.exp(x), x, {x: real()}, name="powers of t")
