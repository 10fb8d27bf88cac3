"""The normal tail: the excess Psi(s) = E(Z - s)^+, its shape, and how it falls with the round."""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Expectation,
    FallsTo,
    IntegralOf,
    Jensen,
    Monotone,
    SumOver,
    follows,
    instance,
)
from theory.kernel.sources import moved
from theory.kernel.terms import Mean
from theory.model.normal import excess, phi, upper

x, y, s, a, t, z = sp.symbols("x y s a t z")
p, q, v = sp.symbols("p q v")  # phi(s), Q(s), Psi(s) as numbers: positive, and q < 1


@claim(
    "ours/psi",
    by="us",
    kind="identity",
    says=r"\Psi(s)=E(Z-s)^+=\phi(s)-sQ(s),\quad\Psi'=-Q,"
    r"\quad\Psi''=\phi,\quad0<\Psi\le\phi\ (s\ge0)",
)
def psi() -> Argument:
    """Integrate (x - s) phi(x) from s on: -phi(x) + s Q(x) is an antiderivative and vanishes at infinity. Psi falls
    and is convex, and s Q(s) >= 0 puts it below phi."""
    free, width = {s: real()}, {x: real(), s: positive()}
    integrand, primitive = (x - s) * phi(x), -phi(x) + s * upper(x)
    return proof(
        IntegralOf(integrand, primitive, x, s, sp.oo, width, (None, sp.S.Zero), "mean excess"),
        Goal(Rel(sp.Derivative(excess(s), s), "=", -upper(s)), free, name="first derivative"),
        Goal(Rel(sp.Derivative(excess(s), s, 2), "=", phi(s)), free, name="second derivative"),
        Goal(Rel(excess(s), "<=", phi(s)), {s: at_least(0)}, name="below phi"),
        FallsTo(excess(s), s, sp.S.Zero, free, "positive"),
    )


@claim(
    "ours/psi/round",
    by="us",
    kind="identity",
    says=r"\phi(\sqrt{a\log t})=t^{-a/2}/\sqrt{2\pi},\quad\frac{d}{dt}\Psi(\sqrt{a\log "
    r"t})=-\frac{a\,Q(\sqrt{a\log t})}{2t\sqrt{a\log t}}:\ \text{convex in}\ t",
    uses=("ours/psi",),
)
def psi_of_round() -> Argument:
    """The slope is minus a product of three positive falling functions of t, so it rises."""
    width = sp.sqrt(a * sp.log(t))
    free = {a: positive(), t: Var(sp.Integer(1), strict=True)}
    p2, q2 = sp.symbols("p2 q2")
    return proof(
        Goal(Rel(phi(width), "=", t ** (-a / 2) / sp.sqrt(2 * sp.pi)), free, name="density at the width"),
        Goal(Rel(sp.Derivative(excess(width), t), "=", -a * upper(width) / (2 * t * width)), free, name="slope in t"),
        Goal(
            Rel(-p * q, "<=", -p2 * q2),
            {p: positive(), q: positive(), p2: positive(), q2: positive()},
            (Rel(p2, "<=", p), Rel(q2, "<=", q)),
            "minus a product of falling positive factors rises",
        ),
    )


@claim(
    "ours/mills",
    by="us",
    kind="inequality",
    says=r"s>0:\quad Q(s)\le\phi(s)/s,\quad\text{so}\ \phi(x)+sQ(x)"
    r"\le(1+s/x)\phi(x)",
)
def mills() -> Argument:
    """phi(s)/s - Q(s) has the slope -phi(s)/s^2 < 0 and tends to 0 at infinity, so it is positive."""
    ratio = FallsTo(phi(x) / x - upper(x), x, sp.S.Zero, {x: positive()}, "Mills")
    both = {x: positive(), s: positive()}
    return proof(
        ratio,
        follows(Rel(phi(x) + s * upper(x), "<=", (1 + s / x) * phi(x)), ratio, domain=both, name="consequence"),
    )


@claim(
    "ours/psi/shifted",
    by="us",
    kind="inequality",
    says=r"E(Z+s)^+=s+\Psi(s),\quad(s+\Psi(s))Q(s)\le\phi(s)",
    cites=("ours/psi",),
)
def shifted_excess() -> Argument:
    """(Z+s)^+ = (Z+s) + (-Z-s)^+ and -Z is as Z. Then s Q = phi - Psi, so (s + Psi) Q = phi - Psi (1 - Q)."""
    free = {s: at_least(0), q: positive(), p: positive()}
    return proof(
        Goal(Rel((s + (p - s * q)) * q, "=", p - (p - s * q) * (1 - q)), free, name="with Psi = p - s q"),
        Goal(
            Rel(v * (1 - q), ">=", 0),
            {v: positive(), q: Var(sp.Integer(0), high=sp.Integer(1))},
            name="what is taken off, v = Psi",
        ),
    )


@claim(
    "ours/e_K",
    by="us",
    kind="inequality",
)
def best_of_many() -> Argument:
    """For K = 1 the mean is 0. For K >= 2, by Jensen, exp(l e_K) <= E max exp(l Z_k) <= K exp(l^2/2), so that e_K <=
    log(K)/l + l/2; at l = sqrt(2 log K) both
    halves are equal."""
    lam, K, i, m, w = sp.symbols("lam K i m w")
    Z, best = sp.Function("Z"), sp.Function("best")(w)  # the index of the largest
    count = at_least(1, integer=True)
    sizes = {lam: positive(), K: at_least(2, integer=True), w: real(), best: count}
    variable = Rel(Mean(sp.exp(lam * Z(i, w)), w), "<=", sp.exp(lam**2 / 2))  # a normal, or sub-Gaussian, variable
    given = (Rel(best, "<=", K), variable.for_every(i, 1, K))
    positive_term = Goal(Rel(sp.exp(lam * x), ">=", 0), {x: real(), lam: positive()}, name="a positive term")
    terms = instance(positive_term, {x: Z(i, w)}, {**sizes, i: count}, name="a positive term")
    among = Among(sp.exp(lam * Z(i, w)), i, m, sp.Integer(1), K, {**sizes, m: count}, terms, name="one of them")
    largest = instance(among, {m: best}, sizes, given[:1], name="the largest is one of them")
    one = Goal(variable, {i: count, lam: positive(), w: real()}, (variable,), "one variable")
    total = SumOver(one, i, sp.Integer(1), K, sizes, given=given[1:], name="K variables")
    mean = Mean(Z(best, w), w)
    jensen = Jensen(sp.exp(lam * x), x, Z(best, w), {**sizes, x: real()}, over=(w,), name="Jensen")
    chained = Rel(sp.exp(lam * mean), "<=", K * sp.exp(lam**2 / 2))
    parts = jensen, Expectation(largest, (w,)), total
    exponential = follows(chained, *parts, domain=sizes, given=given, name="exp(l e_K) <= K exp(l^2/2)")
    logs = Monotone(exponential, sp.log(x), x, {x: positive()}, name="logarithms")
    every = follows(Rel(mean, "<=", sp.log(K) / lam + lam / 2), logs, domain=sizes, given=given, name="every l")
    at = {lam: sp.sqrt(2 * sp.log(K))}
    rest = {z: v for z, v in sizes.items() if z != lam}
    least = instance(every, at, rest, tuple(moved(h, at) for h in given), name="at l^2 = 2 log K")
    return proof(follows(Rel(mean, "<=", sp.sqrt(2 * sp.log(K))), least, name="e_K"))


@claim(
    "ours/e_K/steps",
    by="us",
    kind="inequality",
    says=r"K\le(K+1)^2:\ \sqrt{2\log K}\le2\sqrt{\log(K+1)};\quad2\le n\le K:\ n\log K\le2K\log n",
    uses=("ours/e_K",),
)
def comparisons() -> Argument:
    """The first by monotony of the logarithm. The second holds at K = n and its difference rises in K: slope 2 log n
    - n/K >= 0, because log n >= log 2 > 1/2."""
    k, n, L = sp.symbols("k n L")  # L = log n
    return proof(
        Goal(Rel(k, "<=", (k + 1) ** 2), {k: at_least(1)}, name="inside the logarithms"),
        number(
            "log 2 > 1/2",
            Rel(sp.log(2), ">", sp.Rational(1, 2)),
            ("constant: log 2 > 7/10", Rel(sp.log(2), ">", sp.Rational(7, 10))),
            engine="arb",
        ),
        Goal(
            Rel(2 * L - n / k, ">=", 0),
            {k: positive(), n: positive(), L: positive()},
            (Rel(L, ">=", sp.Rational(1, 2)), Rel(n, "<=", k)),
            "slope in K",
        ),
        Goal(
            Rel(sp.Derivative(2 * k * L - n * sp.log(k), k), "=", 2 * L - n / k),
            {k: positive(), n: positive(), L: positive()},
            name="the slope",
        ),
        Goal(Rel(2 * n * L - n * L, ">=", 0), {n: positive(), L: positive()}, name="at K = n"),
    )
