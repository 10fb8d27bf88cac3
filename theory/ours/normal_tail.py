"""The normal tail: the excess Psi(s) = E(Z - s)^+, its shape, and how it falls with the round."""

from typing import Any

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    FallsTo,
    Follows,
    IntegralOf,
    Jensen,
    Monotone,
    Rises,
    SumOver,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.sources import moved
from theory.kernel.terms import Mean
from theory.model.arms import ARMS_LETTER, LETTERS
from theory.model.normal import Density, Excess, Tail, excess, phi, upper
from theory.model.play import ARM, BEST, BEST_IS_AN_ARM, CENTRED_EFFECT, LARGEST, NORMAL_EFFECT, PLAY, WORDS, N, Z, k
from theory.model.regret import E_K

x, y, s, a, t, z = sp.symbols("x y s a t z")
p, q, v = sp.symbols("p q v")  # phi(s), Q(s), Psi(s) as numbers: positive, and q < 1


@claim("ours/psi", by="us", kind="identity")
def psi() -> Argument:
    """Integrate (x - s) phi(x) from s on: -phi(x) + s Q(x) is an antiderivative and vanishes at infinity. Psi falls
    and is convex, and s Q(s) >= 0 puts it below phi."""
    free, width = {s: real()}, {x: real(), s: positive()}
    integrand, primitive = (x - s) * phi(x), -phi(x) + s * upper(x)
    integral = IntegralOf(integrand, primitive, x, s, sp.oo, width, (None, sp.S.Zero), "mean excess")
    excess_of = sp.Integral((x - s) * Density(x), (x, s, sp.oo))
    falls = FallsTo(excess(s), s, sp.S.Zero, free, "positive")
    return proof(
        follows(Rel(excess_of, "=", Excess(s)), integral, domain={s: positive()}, name="mean excess, E(Z - s)^+"),
        Goal(Rel(sp.Derivative(Excess(s), s), "=", -Tail(s)), free, name="first derivative"),
        Goal(Rel(sp.Derivative(Excess(s), s, 2), "=", Density(s)), free, name="second derivative"),
        Goal(Rel(Excess(s), "<=", Density(s)), {s: at_least(0)}, name="below phi"),
        follows(Rel(Excess(s), ">", 0), falls, domain=free, name="positive"),
    )


@claim("ours/psi/round", by="us", kind="identity", cites=("ours/psi",))
def psi_of_round() -> Argument:
    """The second derivative in t is a sum of products of positive factors: Psi(sqrt(a log t)) is convex in t."""
    width = sp.sqrt(a * sp.log(t))
    free = {a: positive(), t: Var(sp.Integer(1), strict=True)}
    slope = -a * Tail(width) / (2 * t * width)
    return proof(
        Goal(Rel(Density(width), "=", t ** (-a / 2) / sp.sqrt(2 * sp.pi)), free, name="density at the width"),
        Goal(Rel(sp.Derivative(Excess(width), t), "=", slope), free, name="slope in t"),
        Goal(Rel(sp.Derivative(Excess(width), t, 2), ">", 0), free, name="convex in t"),
        letters={x: LETTERS[x] for x in (a, t)},
    )


@claim("ours/mills", by="us", kind="inequality")
def mills() -> Argument:
    """phi(s)/s - Q(s) has the slope -phi(s)/s^2 < 0 and tends to 0 at infinity, so it is positive."""
    ratio = FallsTo(phi(x) / x - upper(x), x, sp.S.Zero, {x: positive()}, "falls to 0")
    both = {x: positive(), s: positive()}
    bound = Rel(Density(x) + s * Tail(x), "<=", (1 + s / x) * Density(x))
    return proof(
        follows(Rel(Tail(x), "<", Density(x) / x), ratio, domain={x: positive()}, name="Mills"),
        follows(bound, ratio, domain=both, name="consequence"),
    )


@claim("ours/psi/shifted", by="us", kind="inequality")
def shifted_excess() -> Argument:
    """-phi(x) - s Q(x) is an antiderivative of (x + s) phi(x); from -s on this gives phi(s) + s (1 - Q(s)), which is
    s + Psi(s). Then s Q = phi - Psi, so (s + Psi) Q = phi - Psi (1 - Q)."""
    whole = {x: real(), s: positive()}
    primitive = -phi(x) - s * upper(x)
    integral = IntegralOf((x + s) * phi(x), primitive, x, -s, sp.oo, whole, (None, sp.S.Zero), "mean of (Z + s)^+")
    mean = sp.Integral((x + s) * Density(x), (x, -s, sp.oo))
    free = {s: positive()}
    above = uses("ours/psi", item="positive")
    return proof(
        follows(Rel(mean, "=", s + Excess(s)), integral, domain=free, name="mean of (Z + s)^+"),
        follows(Rel((s + Excess(s)) * Tail(s), "<=", Density(s)), above, domain=free, name="times Q"),
    )


Domain = dict[sp.Expr, Var]
lam, K, i, m, w, o = sp.symbols("lam K i m w o")
COUNT = at_least(1, integer=True)


def largest(Z: Any, best: sp.Expr, over: sp.Symbol, sizes: Domain, one: Item, *given: Rel) -> Follows:
    """E Z_best <= log(K)/l + l/2 for every l > 0 and K variables with E exp(l Z_i) <= exp(l^2/2), which `one` says: by
    Jensen exp(l E Z_best) <= E exp(l Z_best) <= sum of E exp(l Z_i) <= K exp(l^2/2)."""
    sizes = {**sizes, lam: positive(), K: COUNT}
    positive_term = Goal(Rel(sp.exp(lam * x), ">=", 0), {x: real(), lam: positive()}, name="a positive term")
    terms = instance(positive_term, {x: Z(i, over)}, {**sizes, i: COUNT}, name="a positive term")
    among = Among(sp.exp(lam * Z(i, over)), i, m, sp.Integer(1), K, {**sizes, m: COUNT}, terms, name="one of them")
    of_all = instance(among, {m: best}, sizes, (Rel(best, "<=", K),), name="the largest is one of them")
    total = SumOver(one, i, sp.Integer(1), K, sizes, given=given, name="K variables")
    mean = Mean(Z(best, over), over)
    jensen = Jensen(sp.exp(lam * x), x, Z(best, over), {**sizes, x: real()}, over=(over,), name="Jensen")
    chained = Rel(sp.exp(lam * mean), "<=", K * sp.exp(lam**2 / 2))
    is_arm = (BEST_IS_AN_ARM,) if best == BEST else ()
    own = () if is_arm else (Rel(best, "<=", K),)
    parts = *is_arm, jensen, Expectation(of_all, (over,)), total
    exponential = follows(chained, *parts, domain=sizes, given=(*own, *given), name="exp(l e_K) <= K exp(l^2/2)")
    logs = Monotone(exponential, sp.log(x), x, {x: positive()}, name="logarithms")
    bound = Rel(mean, "<=", sp.log(K) / lam + lam / 2)
    return follows(bound, logs, domain=sizes, given=(*own, *given), name="every l")


def at_level(every: Follows, arms: sp.Expr, least: Var, mean: sp.Expr, name: str, *more: Item) -> Applied:
    """The bound of `largest` at l = sqrt(2 log(arms)): log(K)/l + l/2 <= l, as 2 log K <= l^2."""
    level, goal = sp.sqrt(2 * sp.log(arms)), every.concludes
    rest = {z: v for z, v in {**goal.domain, K: least}.items() if z != lam}
    given = tuple(moved(h, {lam: level}) for h in goal.given)
    here = instance(every, {lam: level}, rest, given, name="at this l")
    halves = Goal(
        Rel(y / p, "<=", p / 2), {y: real(), p: positive()}, (Rel(2 * y, "<=", p**2),), "the first half is the smaller"
    )
    first = applied(halves, {y: sp.log(K), p: level}, *more, domain=rest, name="the first half")
    both = Goal(
        Rel(x, "<=", p), dict.fromkeys((x, p, z), real()), (Rel(x, "<=", z + p / 2), Rel(z, "<=", p / 2)), "both halves"
    )
    at = {x: mean, p: level, z: sp.log(K) / level}
    return applied(both, at, here, first, domain=rest, given=given, name=name)


@claim("ours/e_K", by="us", kind="inequality")
def best_of_many() -> Argument:
    """For K = 1 the mean is 0. For K >= 2, by Jensen, exp(l e_K) <= E max exp(l Z_k) <= K exp(l^2/2), so that e_K <=
    log(K)/l + l/2; at l = sqrt(2 log K) both halves are equal."""
    Z, best = sp.Function("Z"), sp.Function("best")(w)  # the index of the largest
    variable = Rel(Mean(sp.exp(lam * Z(i, w)), w), "<=", sp.exp(lam**2 / 2))  # a normal, or sub-Gaussian, variable
    one = Goal(variable, {i: COUNT, lam: positive(), w: real()}, (variable,), "one variable")
    every = largest(Z, best, w, {w: real(), best: COUNT}, one, variable.for_every(i, 1, K))
    letters = {
        **ARMS_LETTER,
        w: Letter(w, "outcome"),
        best: Letter(best, "index of the largest of the K variables Z_1, ..., Z_K"),
        Z(i, w): Letter(Z(i, w), "one of K random variables"),
    }
    return proof(at_level(every, K, at_least(2, integer=True), Mean(Z(best, w), w), "e_K"), letters=letters)


def few_rounds() -> Follows:
    """n log K <= 2 K log n for 2 <= n <= K: at K = n it is n log n >= 0, and the slope in K is 2 log n - n/K."""
    half = sp.Rational(1, 2)
    two = Goal(Rel(2, "<=", N), {N: at_least(2, integer=True)}, name="two rounds")
    logs = Monotone(two, sp.log(x), x, {x: positive()}, name="log 2 <= log n")
    false = ("constant: log 2 > 7/10", Rel(sp.log(2), ">", sp.Rational(7, 10)))
    least = number("log 2 > 1/2", Rel(sp.log(2), ">", half), false, engine="arb")
    large = follows(Rel(sp.log(N), ">=", half), logs, least, domain={N: at_least(2, integer=True)}, name="log n >= 1/2")
    beyond = 2 * (N + x) * sp.log(N) - N * sp.log(N + x)
    sizes = {N: at_least(2, integer=True), x: at_least(0)}
    rises = Rises(beyond, x, sp.Integer(0), sizes, "x more arms than rounds", given=(large.rel,))
    every = follows(Rel(beyond, ">=", 0), large, rises, domain=sizes, name="x = K - n")
    arms = {N: at_least(2, integer=True), K: COUNT}
    found = instance(every, {x: K - N}, arms, (Rel(N, "<=", K),), name="K arms")
    return follows(
        Rel(N * sp.log(K), "<=", 2 * K * sp.log(N)), found, domain=arms, given=(Rel(N, "<=", K),), name="few rounds"
    )


@claim("ours/e_K/steps", by="us", kind="inequality", cites=("ours/e_K",))
def comparisons() -> Argument:
    """The first as ours/e_K, at l = sqrt(2 log(K+1)). The last holds at K = n and its difference rises in K: slope
    2 log n - n/K >= 0, because log n >= log 2 > 1/2."""
    one = instance(NORMAL_EFFECT, {k: i}, {**ARM, i: COUNT, lam: positive()}, name="one arm")
    every = largest(Z, BEST, o, {x: v for x, v in PLAY.items() if x != t}, one)
    more = Monotone(Goal(Rel(K, "<=", K + 1), {K: at_least(1)}, name="one more"), sp.log(x), x, {x: positive()})
    any_number, two = (
        at_level(every, arms, least, E_K, name, *parts)
        for arms, least, name, parts in (
            (K + 1, COUNT, "K >= 1", (more,)),
            (K, at_least(2, integer=True), "K >= 2", ()),
        )
    )
    first = instance(LARGEST, {k: 1}, {z: v for z, v in PLAY.items() if z != t}, name="the effect of arm 1")
    centred = instance(CENTRED_EFFECT, {k: 1}, PLAY, name="its mean")
    parts = Expectation(first, (o,)), centred
    least = follows(Rel(E_K, ">=", 0), *parts, domain={z: v for z, v in PLAY.items() if z != t}, name="e_K >= 0")
    return proof(any_number, two, least, few_rounds(), letters=WORDS)
