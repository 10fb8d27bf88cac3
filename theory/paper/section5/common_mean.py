"""Section 5.1 (`sec:discussion`): a random common mean that an agent does not model, and the price of learning it."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Expectation, Limit, Restated, Rises, applied, follows, instance, restated, uses
from theory.kernel.terms import Mean
from theory.model.arms import arm_goal, n, s, s0
from theory.model.play import WORDS, K, N, a, k, o
from theory.model.quantities import TAU_TILDE_SQ
from theory.model.random_mean import (
    INDEPENDENT,
    LAW,
    NO_SHARE,
    NORMAL_COMMON,
    NORMAL_EFFECT,
    SIGMA_Q,
    SPREAD_OF_COMMON,
    SPREAD_OF_EFFECT,
    TWO_ARMS,
    UNRELATED,
    ArmMean,
    common,
    effect,
    j,
    lam,
    sq,
)
from theory.model.random_mean import WORDS as LAW_WORDS
from theory.model.regret_bounds import (
    B_1,
    B_1_KNOWN,
    BETA,
    ELL,
    ELL_KNOWN,
    PARAMETERS,
    T_1,
    T_1_KNOWN,
    Bound,
    G,
)
from theory.ours.bad_rounds import times
from theory.ours.printed_bound import y as ARGUMENT

b, d, g, h, m, p, q, t, u, v, w, x, y = sp.symbols("b d g h m p q t u v w x y")
wide = sq + s0
LETTERS = {**WORDS, sq: SIGMA_Q}
SIZES = {**PARAMETERS, sq: positive()}
WIDER = {s0: wide}  # the variance of an arm mean for an agent that does not model mu_0


@claim(
    "sec:discussion/price",
    by="paper",
    line=307,
    kind="prose",
    cites=("sec:discussion/known-mu0", "them-R-Bayes/repaired"),
)
def price_of_learning() -> Argument:
    """The extra factor stands under the root of the leading term and before the tail. As a factor of the bound it is
    sqrt(beta) in the leading term and beta in the tail (sqrt(beta) there too by the repaired proof)."""
    terms = {**dict.fromkeys((b, x, y), positive())}
    above = (Rel(b**2, ">=", 1),)
    priced = b * x + b**2 * y
    most = Goal(Rel(priced, "<=", b**2 * (x + y)), terms, above, "at most beta", squares=(b - 1,))
    least = Goal(Rel(priced, ">=", b * (x + y)), terms, above, "at least sqrt(beta)", squares=(b - 1,))
    root = sp.sqrt(BETA)
    at = {b: root, x: ELL_KNOWN, y: T_1_KNOWN}
    same = Goal(Rel(b * x, "=", b * (x + y) - b * y), terms, name="a product")
    return proof(
        restated(instance(same, at, PARAMETERS), Rel(ELL, "=", root * ELL_KNOWN), "leading terms"),
        restated(instance(same, {**at, b: BETA, x: T_1_KNOWN}, PARAMETERS), Rel(T_1, "=", BETA * T_1_KNOWN), "tails"),
        restated(instance(least, at, PARAMETERS), Rel(B_1, ">=", root * B_1_KNOWN), "at least sqrt(beta)"),
        restated(instance(most, at, PARAMETERS), Rel(B_1, "<=", BETA * B_1_KNOWN), "at most beta"),
        letters=WORDS,
    )


@claim("sec:discussion/price-order", by="paper", line=307, kind="prose")
def price_order() -> Argument:
    """At fixed variances; small when K is large against rho."""
    sizes = {x: PARAMETERS[x] for x in (K, s0, s)}
    return proof(
        Goal(Rel(BETA, "<=", (1 + s / s0) * (1 + 1 / K)), sizes, name="order"),
        Limit(BETA, K, sp.Integer(1), sizes, "beta tends to 1"),
        letters=WORDS,
    )


SQUARE = Goal(Rel((u + v) ** 2, "=", u**2 + 2 * u * v + v**2), {u: real(), v: real()}, name="a square")


def mean_square(first: sp.Expr, second: sp.Expr) -> Expectation:
    """The mean square of a sum, term by term."""
    return Expectation(instance(SQUARE, {u: first, v: second}, LAW, name="a square"), (o,), name="mean square")


@claim("sec:discussion/equivalent", by="paper", line=309, kind="prose")
def equivalence() -> Argument:
    """An agent that does not model the common mean sees each arm with the prior N(0, sigma_q^2 + sigma_0^2). That is
    all that is equivalent: the arms it plays are correlated, and the differences on which regret depends are smaller
    than in its model."""
    first, second = ArmMean(j, o), ArmMean(k, o)
    other_effect, other_share = (instance(part, {k: j}, LAW) for part in (SPREAD_OF_EFFECT, NO_SHARE))
    pair = (TWO_ARMS,)
    own = mean_square(common, effect(k, o)), SPREAD_OF_COMMON, SPREAD_OF_EFFECT, NO_SHARE
    shared = SPREAD_OF_COMMON, NO_SHARE, other_share, UNRELATED
    apart = mean_square(effect(j, o), -effect(k, o)), SPREAD_OF_EFFECT, other_effect, UNRELATED
    gap = follows(
        Rel(Mean((first - second) ** 2, o), "=", 2 * s0),
        *apart,
        domain=LAW,
        given=pair,
        name="variance of a difference",
    )
    normal = Rel(Mean(sp.exp(lam * second), o), "=", sp.exp(lam**2 * wide / 2))
    laws = INDEPENDENT, NORMAL_COMMON, NORMAL_EFFECT
    (mean, _), (of_common, one), (of_effect, other) = (law.concludes.rel.stated for law in laws)
    first_factor = times(NORMAL_COMMON.concludes.rel, of_effect, LAW, "the law of mu_0")
    second_factor = times(NORMAL_EFFECT.concludes.rel, one, LAW, "the law of an effect")
    through = Goal(
        Rel(u, "=", x),
        dict.fromkeys((u, v, w, x), real()),
        (Rel(u, "=", v), Rel(v, "=", w), Rel(w, "=", x)),
        "one factor after the other",
    )
    at = {u: mean, v: of_common * of_effect, w: one * of_effect, x: one * other}
    both = applied(through, at, *laws, first_factor, second_factor, domain=LAW, name="independent normals")
    return proof(
        restated(both, normal, "each arm mean is N(0, sigma_q^2 + sigma_0^2)"),
        follows(Rel(Mean(second**2, o), "=", wide), *own, domain=LAW, name="variance of an arm mean"),
        follows(
            Rel(Mean(first * second, o), "=", sq), *shared, domain=LAW, given=pair, name="covariance of two arm means"
        ),
        gap,
        follows(
            Rel(Mean((first - second) ** 2, o), "<", 2 * wide),
            gap,
            domain=LAW,
            given=pair,
            name="less than of independent arms",
        ),
        letters={**LAW_WORDS, k: WORDS[k], j: Letter(j, "another arm")},
    )


@claim(
    "sec:discussion/rival-posterior/repaired",
    by="us",
    kind="prose",
    cites=("sec:discussion/known-mu0",),
    repairs="sec:discussion/rival-posterior",
)
def rival() -> Argument:
    """If the arms are what the agent takes them for, the bound with known mean applies with sigma_q^2 + sigma_0^2 for
    sigma_0^2."""
    posterior = TAU_TILDE_SQ.xreplace(WIDER)
    ratio = G.xreplace(WIDER)
    lead = Goal(Rel(2 * sp.sqrt(x * y), "=", sp.sqrt(4 * y * x)), {x: positive(), y: positive()}, name="a root")
    at = {x: a * ratio * wide, y: K * N * sp.log(N)}
    stated = Rel(ELL_KNOWN.xreplace(WIDER), "=", 2 * sp.sqrt(a * ratio * wide * K * N * sp.log(N)))
    extra = {sq: positive()}
    return proof(
        restated(instance(lead, at, SIZES), stated, "leading term"),
        arm_goal(posterior, "=", 1 / (1 / wide + n / s), extra=extra, name="the agent's posterior variance"),
        arm_goal(posterior, ">", TAU_TILDE_SQ, extra=extra, name="wider than with mu_0 known"),
        letters={sq: SIGMA_Q, **WORDS},
    )


def ratio_falls() -> Restated:
    """G(n, m) = log(1 + n m)/log(1 + m) falls in m, n > 1: G(n, m) > G(n, m + d). In n the difference of the products
    of logarithms is 0 at n = 1, and its slope has the sign of f(m + d) - f(m) there, f(m) = (1 + m) log(1 + m)/m."""
    free = {m: positive(), d: positive()}
    small, large = sp.log(1 + m), sp.log(1 + m + d)
    tangent = uses("ours/logarithm-bounds", {ARGUMENT: m}, item="log(1+y) <= y", domain={m: positive()})
    zero = sp.Integer(0)
    convex = m * (1 + m + d) * large - (m + d) * (1 + m) * small
    rise = Rises(convex, d, zero, {m: positive()}, "f rises", order=2, strict=True, given=(Rel(m - small, ">=", 0),))
    order = Rises(large - small, d, zero, {m: positive()}, "logarithms", strict=True)
    products = sp.log(1 + m * x) * large - sp.log(1 + (m + d) * x) * small
    known = (Rel(convex, ">", 0), Rel(large - small, ">", 0))
    slope = Rises(products, x, sp.Integer(1), free, "products", strict=True, given=known)
    longer = {**free, x: Var(sp.Integer(1), strict=True)}
    ahead = applied(slope, {}, tangent, rise, order, domain=longer, name="products of logarithms")
    logs = dict.fromkeys((u, v, p, q), positive())
    quotient = Goal(Rel(u / p, ">", v / q), logs, (Rel(u * q - v * p, ">", 0),), "quotients")
    at = {u: sp.log(1 + m * x), v: sp.log(1 + (m + d) * x), p: small, q: large}
    falls = applied(quotient, at, ahead, domain=longer, name="the ratio falls")
    return restated(falls, Rel(Bound("G", x, m), ">", Bound("G", x, m + d)), "the ratio falls")


def larger_root() -> Restated:
    """u > v > 0 if u^2 > v^2."""
    pair = {u: positive(), v: positive()}
    split = Goal(Rel(p / q, ">", 0), {p: positive(), q: positive()}, name="a quotient")
    squares = Rel(u**2 - v**2, ">", 0)
    at = instance(split, {p: u**2 - v**2, q: u + v}, pair, (squares,), name="difference of squares")
    return restated(at, Rel(u, ">", v), "roots keep the order")


@claim("sec:discussion/at-equality", by="us", kind="inequality")
def at_equality() -> Argument:
    """At equality the two differ in log(1+mn)/log(1+m) only, which falls in m, and our m is smaller."""
    rival_term, rival_ratio = ELL_KNOWN.xreplace(WIDER), G.xreplace(WIDER)
    equal = Rel(BETA * s0, "=", wide)
    at = {m: s0 / s, d: sq / s, x: N}
    ratios = restated(instance(ratio_falls(), at, SIZES), Rel(G, ">", rival_ratio), "ratios of logarithms")
    terms = dict.fromkeys((h, g, w, p, q), positive())
    squares = Goal(Rel(h * g * p - h * w * q, ">", 0), terms, (Rel(p, "=", q), Rel(g, ">", w)), "squares")
    at = {h: 4 * a * K * N * sp.log(N), g: G, w: rival_ratio, p: BETA * s0, q: wide}
    ahead = restated(
        applied(squares, at, ratios, domain=SIZES, given=(equal,)), Rel(ELL**2 - rival_term**2, ">", 0), "squares"
    )
    pair, name = {u: ELL, v: rival_term}, "our leading term is the larger one"
    return proof(applied(larger_root(), pair, ahead, domain=SIZES, given=(equal,), name=name), letters=LETTERS)
