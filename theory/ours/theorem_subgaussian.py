"""Theorem 5 repaired, the route by the prior: intervals hold unless a deviation is too large.

The deviations: theorem_subgaussian_deviations.py. The other route, by lines that sums of noise stay below:
theorem_subgaussian_range.py.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import (
    Cases,
    Expectation,
    Follows,
    Indicates,
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
    STACKS,
    WORDS,
    before,
    centre,
    common,
    delta,
    i,
    kappa,
    noise,
    own,
    shrinkage,
    swing,
    tilde,
    weights,
)
from theory.ours.bad_rounds import times
from theory.ours.root_series import order_of_roots
from theory.ours.theorem_subgaussian_deviations import (
    AN_ARM,
    ARM,
    DEVIATIONS,
    EACH,
    LETTERS,
    ONE,
    Domain,
    counted,
    ell,
    excess,
    none_fails,
    within,
)

x, y, z, b, p, q, r, u, v = sp.symbols("x y z b p q r u v")


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


@claim("them-R-Bayes-SubR/repaired/prior-route/width", by="us", kind="step")
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
    cites=("sec:tau_star/decomposition/repaired",),
)
def prior_route() -> Argument:
    """Own error plus (1 - w_k) times the error of the common mean."""
    split = error_of_estimate()
    return proof(*(route(side, split) for side in KINDS_OF), letters=LETTERS)


LOSS = mu(BEST, o) - mu(PULLED, o)
BAD = Event(LOSS - 2 * spread(t) * tau(PULLED, t, o), 1)


def loss_at_most_one() -> Follows:
    """Means lie in [0, 1], so that no round costs more than 1."""
    ends = instance(stacks.MEAN_HIGH, {k: BEST}, STACKS), instance(stacks.MEAN_LOW, {k: PULLED}, STACKS)
    return follows(Rel(LOSS, "<=", 1), *ends, domain=STACKS, name="means in [0, 1]")


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
    unit = loss_at_most_one()
    scaled = times(unit.rel, BAD, STACKS, "times 1{bad}", True)
    return proof(good, follows(bound, says, unit, scaled, domain=STACKS, name="any round"), letters=WORDS)


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


@claim("them-R-Bayes-SubR/repaired/prior-route/chance", by="us", kind="step")
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
        letters={**WORDS, ratio: Letter(ratio, "any number; kappa(K) above")},
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
