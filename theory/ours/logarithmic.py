"""A bound of order log^2 n: an arm is pulled while its width can hide its gap; averaged over the prior.

Round t > K: s = sqrt(a log t) is ReUCB's width, x = sqrt(b log t) a second one, of our choice, for the pulled
arm's error; X = mu-hat - mu, tau its deviation given the reward differences, I the pulled arm, * the best.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Dominated,
    Indicates,
    Induction,
    Instance,
    IntegralOf,
    Rises,
    Substitution,
    SumOver,
    applied,
    follows,
    instance,
    replaced,
)
from theory.kernel.terms import Event
from theory.model import bound_formulas as bounds
from theory.model.arms import s, s0
from theory.model.counts import PULLS, WIDEST, alpha, g, j, second, spread
from theory.model.normal import Density, Tail
from theory.model.play import COUNT, WORDS, K, N

x, y, z, u, tau, X, D, c, al, w = sp.symbols("x y z u tau X D c al s")
B = spread(N) + second(N)
best, pulled, U_best = sp.symbols("best pulled U_best")
ROUND = {**dict.fromkeys((best, pulled, U_best, X), real()), **dict.fromkeys((w, x, tau), positive())}
PLAYED = (Rel(U_best, "<=", pulled + X + w * tau),)  # the argmax: the pulled arm's index is mu + X + s tau


@claim(
    "ours/logarithmic/good-round",
    by="us",
    kind="step",
    cites=("regret-decom/repaired",),
)
def good_round() -> Argument:
    """mu_* <= U_* <= U_I = mu_I + X_I + s tau_I."""
    return proof(
        Goal(
            Rel(best - pulled, "<=", (w + x) * tau),
            ROUND,
            (*PLAYED, Rel(best, "<=", U_best), Rel(X, "<=", x * tau)),
            "chain",
        ),
        letters={
            best: Letter(sp.Symbol("mu_*"), "mean of the best arm"),
            pulled: Letter(sp.Symbol("mu_I"), "mean of the pulled arm"),
            U_best: Letter(sp.Symbol("U_*"), "index of the best arm"),
            X: Letter(X, "error of the pulled arm, mu-hat_I - mu_I"),
            tau: Letter(sp.Symbol("tau_I"), "root of the mean squared error of the pulled arm"),
            w: Letter(w, "sqrt(a log t)"),
        },
    )


@claim("ours/logarithmic/count", by="us", kind="step", cites=("ours/logarithmic/good-round",))
def count() -> Argument:
    """Solve Delta <= B g(j) for the count; at most c of the counts 1, ..., M are at most c. B = (sqrt a + sqrt b)
    sqrt(log n) does for all rounds up to n."""
    wide = {**PULLS, j: COUNT, D: positive()}
    hidden = Rel(D, "<=", B * g(j))
    square = Goal(
        Rel(x**2, "<=", y**2 * z**2), {x: positive(), y: at_least(0), z: at_least(0)}, (Rel(x, "<=", y * z),), "squares"
    )
    squares = applied(square, {x: D, y: B, z: g(j)}, domain=wide, given=(hidden,), name="squares")
    widest = applied(
        Goal(Rel(x**2, "=", z**2), {x: real(), z: real()}, (Rel(x, "=", z),), "squares"),
        {x: g(j), z: bounds.g(j, K, s0, s)},
        WIDEST,
        domain=wide,
        name="g(j)^2",
    )
    solved = Goal(
        Rel(j, "<=", y**2 * c / x**2 - al),
        {**dict.fromkeys((x, c), positive()), y: at_least(0), z: real(), j: COUNT, al: at_least(0)},
        (Rel(x**2, "<=", y**2 * (c / (j + al))),),
        "solved for the count",
    )
    numbers = dict.fromkeys((x, y, z, u), real())
    put = Goal(Rel(x, "<=", y * u), numbers, (Rel(x, "<=", y * z), Rel(y * z, "=", y * u)), "by its formula")
    equal = Goal(Rel(y * z, "=", y * u), numbers, (Rel(z, "=", u),), "times a factor")
    at = {x: D**2, y: B**2, z: g(j) ** 2, u: s / (j + alpha)}
    scaled = applied(equal, at, widest, domain=wide, given=(hidden,), name="by its formula")
    known = applied(put, at, squares, scaled, domain=wide, given=(hidden,), name="by its formula")
    few = applied(solved, {x: D, y: B, c: s, al: alpha}, known, domain=wide, given=(hidden,), name="near counts")
    letters = {**WORDS, D: Letter(D, "a gap between two arm means"), j: Letter(j, "number of pulls")}
    return proof(few, counted(), letters=letters)


def counted() -> Induction:
    """At most c of the counts 1, ..., M are at most c: one more count adds 1 only if it is at most c itself."""
    M, i = sp.symbols("M i")
    whole = {c: at_least(0), M: at_least(0, integer=True)}
    total, more = sp.Sum(Event(c - i, 0), (i, 1, M)), Event(c - M - 1, 0)
    one = Goal(Rel(x, "<=", 1), {x: Var(sp.Integer(0), high=sp.Integer(1))}, name="an indicator")
    each = instance(one, {x: Event(c - i, 0)}, {**whole, i: at_least(1, integer=True)}, name="an indicator")
    most = SumOver(each, i, sp.Integer(1), M, whole, name="at most M")
    product = Goal(Rel(x * y, "<=", x * z), {x: at_least(0), y: real(), z: real()}, (Rel(y, "<=", z),), "times")
    times = applied(product, {x: more, y: total, z: M}, most, domain=whole, name="times an indicator")
    sign = Indicates(c - M - 1, whole, part=True, name="one more count")
    rel = Rel(total, "<=", c)
    return Induction(rel, M, sp.Integer(0), {c: at_least(0)}, name="counts up to c", lemmas=(times, sign))


SEVERAL = at_least(2, integer=True)


def all_below(op: str, value: int) -> Instance:
    """0 <= Phi(y)^(K-2) <= 1."""
    p, m = sp.symbols("p m")
    share = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
    power = Induction(Rel(p**m, op, value), m, sp.Integer(0), {p: share}, name=f"a power of a chance {op} {value}")
    chance = 1 - Tail(y)
    return instance(power, {p: chance, m: K - 2}, {y: real(), K: SEVERAL}, name=f"Phi^(K-2) {op} {value}")


def gap_density() -> Dominated:
    """The integral of phi(y) phi(y-z) Phi(y)^(K-2) over y is at most that without the last factor."""
    u, p, q = sp.symbols("u p q")
    free = {y: real(), z: real(), K: SEVERAL}
    pair, others = Density(y) * Density(y - z), (1 - Tail(y)) ** (K - 2)
    densities = Goal(Rel(pair, ">=", 0), {y: real(), z: real()}, name="two densities")
    products = [
        Goal(Rel(p * q, op, end), {p: real(), q: real()}, (Rel(p, ">=", 0), Rel(q, op, one)), "a density and a chance")
        for op, one, end in ((">=", 0, 0), ("<=", 1, p))
    ]
    at = {p: pair, q: others}
    known = all_below(">=", 0), all_below("<=", 1)
    bounds_ = [
        applied(product, at, densities, chance, domain=free, name="both factors")
        for product, chance in zip(products, known, strict=True)
    ]
    top, bell = sp.exp(-(z**2) / 4), sp.exp(-(u**2))
    square = Goal(
        Rel(Density(z / 2 + u) * Density(u - z / 2), "=", top / (2 * sp.pi) * bell),
        {u: real(), z: real()},
        name="completed square",
    )
    half, ends = -sp.sqrt(sp.pi) * sp.erfc(u) / 2, (-sp.sqrt(sp.pi), sp.S.Zero)
    area = IntegralOf(bell, half, u, -sp.oo, sp.oo, {u: real()}, ends, "its integral")
    moved = Substitution(
        pair, y, (z / 2, sp.S.One), top / (2 * sp.pi), bell, u, square, area, {z: real()}, name="moved by z/2"
    )
    value = Rel(sp.Integral(pair, (y, -sp.oo, sp.oo)), "=", top / (2 * sp.sqrt(sp.pi)))
    whole = replaced(moved, area, value, {z: real()}, name="without the other arms")
    return Dominated(
        pair * others, y, bounds_[0], bounds_[1], whole, {z: real(), K: SEVERAL}, name="density over K (K-1)"
    )


@claim("ours/logarithmic/gaps", by="us", kind="inequality")
def gaps() -> Argument:
    """p_K(z) is the density of the gap between the best arm at y and another one at y - z, all others below y, added up
    over the K (K-1) pairs of arms. Without the factor Phi^(K-2) the integral is that of a completed square, at most
    1/(2 sqrt(pi)). K phi Phi^(K-1), the density of the best arm, integrates to Phi^K."""
    rises = Rel(sp.Derivative((1 - Tail(y)) ** K, y), "=", K * Density(y) * (1 - Tail(y)) ** (K - 1))
    slope = Goal(rises, {y: real(), K: COUNT}, name="Phi^K and its slope")
    free, most = {z: at_least(0), K: SEVERAL}, 1 / (2 * sp.sqrt(sp.pi))
    density, top = gap_density(), sp.exp(-(z**2) / 4) / (2 * sp.sqrt(sp.pi))
    peak = Rises(most - top, z, sp.Integer(0), {z: at_least(0)}, "largest at z = 0")
    p, q, r = sp.symbols("p q r")
    lemma = Goal(
        Rel(K * (K - 1) * p, "<=", K * (K - 1) * r),
        {**dict.fromkeys((p, q, r), real()), K: at_least(1)},
        (Rel(p, "<=", q), Rel(r - q, ">=", 0)),
        "K (K-1) pairs",
    )
    at = {p: density.concludes.rel.stated[0], q: top, r: most}
    return proof(applied(lemma, at, density, peak, domain=free, name="p_K"), slope, letters={K: WORDS[K]})


@claim("ours/logarithmic/order", by="us", kind="limit", cites=("ours/logarithmic/gaps", "ours/logarithmic/count"))
def order() -> Argument:
    """Why the sum over gaps is of order log^2 n: the integral of min(Nz, c/z) up to 1, c of order log n. Below
    sqrt(c/N) the first branch gives c/2, from there to 1 the second gives c log(N/c)/2; beyond 1 it is at most c. With
    a >= 2 and b >= 1 the tails add O(log n): their terms are at most 1/j."""
    free = {z: positive(), N: positive(), c: positive()}
    turn = sp.sqrt(c / N)
    first = IntegralOf(N * z, N * z**2 / 2, z, sp.S.Zero, turn, {**free, z: at_least(0)}, name="first branch")
    second_ = IntegralOf(c / z, c * sp.log(z), z, turn, sp.S.One, free, name="second branch")
    sizes = {N: positive(), c: positive()}
    up_to = follows(Rel(first.concludes.rel.left, "=", c / 2), first, domain=sizes, name="up to sqrt(c/N)")
    beyond = Rel(second_.concludes.rel.left, "=", c * sp.log(N / c) / 2)
    return proof(
        up_to,
        follows(beyond, second_, domain=sizes, name="from sqrt(c/N) to 1"),
        Goal(
            Rel(1 / ((x + j) * j), "<=", 1 / j**2),
            {x: positive(), j: positive()},
            name="b = 1: t^(-1/2) (j/K)^(-1/2) <= sqrt(K)/j, squared, t = K + j",
        ),
    )
