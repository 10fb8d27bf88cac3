"""Appendix H (`sec:fact`): the three facts about sub-Gaussian variables, as computations with exponents.

X is sub-Gaussian with proxy v when E exp(l X) <= exp(l^2 v / 2) for every real l. The appendix prints no definition;
this one is meant, since with any other (a tail bound, say) the constants of the facts change. It forces E X = 0.
"""

import sympy as sp

from theory.kernel.analysis import exp_tangent, number
from theory.kernel.argument import Argument, Words, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Expectation, Follows, Monotone, follows, instance
from theory.kernel.terms import Mean
from theory.model.play import quantity
from theory.model.stopping import of_arm

# argument of the moment generating function, a factor, two roots of proxies
lam, c, x, y, p, v, o, w, z = sp.symbols("lambda c x y p v o w z")
ROOTS = {lam: real(), c: real(), x: positive(), y: positive(), p: positive(), v: positive()}
X, Y = quantity("X", "X")(o), quantity("Y", "Y")(o)
SCALED = quantity("cX", "Z")(o)
FIRST, SECOND = quantity("exp(lam X)", r"e^{{\lambda X}}")(w), quantity("exp(lam Y)", r"e^{{\lambda Y}}")(z)
GIVEN = of_arm("exp(lam X) given Y", r"e^{{\lambda X}}")(w, z)
LETTERS = {
    lam: Letter(lam, "any number"),
    v: Letter(v, "proxy of X"),
    x: Letter(x, "root of the proxy of X"),
    y: Letter(y, "root of the proxy of Y"),
    SCALED: Letter(SCALED, "the scaled variable, cX"),
    FIRST: Letter(FIRST, "X and Y are independent"),
    GIVEN: Letter(GIVEN, "its mean in the hypothesis is that given Y, for every value of Y"),
}


def exponent(proxy: sp.Expr, at: sp.Expr = lam) -> sp.Expr:
    """The exponent l^2 v / 2 that bounds the logarithm of the moment generating function."""
    return at**2 * proxy / 2


def proxied(variable: sp.Expr, at: sp.Expr, proxy: sp.Expr) -> Rel:
    """E exp(at variable) <= exp(at^2 proxy/2)."""
    return Rel(Mean(sp.exp(at * variable), o), "<=", sp.exp(exponent(proxy, at)))


def coin(scale: int) -> sp.Expr:
    """E exp(scale X) of a fair sign X, which is sub-Gaussian with proxy 1."""
    return (sp.exp(scale) + sp.exp(-scale)) / 2


def coin_of_a_third(at: int) -> sp.Expr:
    """E exp(l (X - 1/3)) of a Bernoulli variable with success probability 1/3."""
    return (sp.exp(sp.Rational(2 * at, 3)) + 2 * sp.exp(sp.Rational(-at, 3))) / 3


@claim("sec:fact/1", by="paper", line=918, kind="identity")
def scaling() -> Argument:
    """The moment generating function of cX at l is that of X at cl, and (cl)^2 v = l^2 (c^2 v)."""
    free = {**{x_: ROOTS[x_] for x_ in (lam, c, v)}, o: real()}
    same = Rel(SCALED, "=", c * X)
    product = Goal(Rel(p * z, "=", p * w), {p: real(), z: real(), w: real()}, (Rel(z, "=", w),), "times lambda")
    times = instance(product, {p: lam, z: SCALED, w: c * X}, free, (same,), name="times lambda")
    powers = Expectation(Monotone(times, sp.exp(z), z, {z: real()}, name="exponentials"), (o,))
    given = (same, proxied(X, c * lam, v))
    return proof(
        follows(proxied(SCALED, lam, c**2 * v), powers, domain=free, given=given, name="proxy of cX"), letters=LETTERS
    )


def convexity() -> Follows:
    """exp(s a + (1-s) b) <= s exp(a) + (1-s) exp(b), at s = x/(x+y): both exponentials are above the tangent."""
    A, B, u, share, q = sp.symbols("A B u s q")
    numbers = {
        A: real(),
        B: real(),
        q: positive(),
        u: real(),
        share: Var(sp.Integer(0), strict=True, high=sp.Integer(1)),
    }
    tangents = Rel(A, ">=", 1 + (1 - share) * u), Rel(B, ">=", 1 - share * u)
    scaled = [
        instance(
            Goal(Rel(p * z, ">=", p * w), {p: at_least(0), z: real(), w: real()}, (Rel(z, ">=", w),), "times"),
            {p: weight, z: rel.stated[0], w: rel.stated[1]},
            numbers,
            (rel,),
        )
        for weight, rel in zip((share * q, (1 - share) * q), tangents, strict=True)
    ]
    total = Rel(q, "<=", share * q * A + (1 - share) * q * B)
    return follows(total, *scaled, domain=numbers, given=tangents, name="two tangents")


@claim("sec:fact/2", by="paper", line=919, kind="inequality")
def any_two() -> Argument:
    """Hoelder's inequality with exponents (x+y)/x and (x+y)/y, the best ones, from the convexity of exp: exp(l(X+Y)) <=
    s exp(lX/s) + (1-s) exp(lY/(1-s)) with s = x/(x+y). Equality when Y = (y/x) X, so nothing smaller will do."""
    A, B, u, share, q = sp.symbols("A B u s q")
    free = {lam: real(), x: positive(), y: positive(), o: real()}
    part = x / (x + y)
    first, second, middle = lam * X / part, lam * Y / (1 - part), lam * (X + Y)
    ends = [sp.expand(sp.cancel(side - middle)) for side in (first, sp.cancel(second))]
    tangents = [instance(exp_tangent(z), {z: end}, free, name="above the tangent") for end in ends]
    difference = sp.cancel(first - second)
    at = {A: sp.exp(ends[0]), B: sp.exp(ends[1]), u: difference, share: part, q: sp.exp(middle)}
    given = tuple(item.concludes.rel for item in tangents)
    point = instance(convexity(), at, free, given, name="convexity of exp")
    pair = Rel(sp.exp(middle), "<=", part * sp.exp(lam * (x + y) / x * X) + (1 - part) * sp.exp(lam * (x + y) / y * Y))
    whole = follows(pair, *tangents, point, domain=free, name="pointwise")
    proxies = proxied(X, lam * (x + y) / x, x**2), proxied(Y, lam * (x + y) / y, y**2)
    mean = Expectation(whole, (o,))
    total = follows(proxied(X + Y, lam, (x + y) ** 2), mean, domain=free, given=proxies, name="proxy of X + Y")
    best = Goal(
        Rel((1 + p) * x**2 + (1 + p) / p * y**2 - (x + y) ** 2, "=", (p * x - y) ** 2 / p),
        {p: positive(), x: positive(), y: positive()},
        name="no exponents 1+p, (1+p)/p do better",
    )
    return proof(total, step(best), letters=LETTERS)


def product_of_moments(first: sp.Expr, name: str) -> Follows:
    """E[e^(lX) e^(lY)] <= e^(l^2 (x^2 + y^2)/2) if E[e^(lX) | Y] <= e^(l^2 x^2/2)."""
    free = {lam: real(), x: positive(), y: positive(), w: real(), z: real(), first: positive(), SECOND: positive()}
    given = Rel(Mean(first, w), "<=", sp.exp(exponent(x**2))), Rel(Mean(SECOND, z), "<=", sp.exp(exponent(y**2)))
    inner = Goal(Rel(SECOND * Mean(first, w), "<=", SECOND * sp.exp(exponent(x**2))), free, given[:1], "given Y")
    outer = Expectation(inner, (z,), name="tower rule")
    total = Rel(Mean(first * SECOND, w, z), "<=", sp.exp(exponent(x**2 + y**2)))
    return follows(total, outer, domain=free, given=given, name=name)


@claim("sec:fact/3", by="paper", line=920, kind="identity")
def independent_two() -> Argument:
    """Independent factors: the moment generating functions multiply, so the exponents add. Without independence it is
    false."""
    return proof(
        product_of_moments(FIRST, "proxy of X + Y"),
        step(
            number(
                "X = Y a fair sign: E exp(2X) exceeds exp(2/2), so independence cannot be dropped",
                Rel(coin(2), ">", sp.exp(1)),
                ("hypothesis dropped: X = Y a fair sign, proxy 2", Rel(coin(2), "<=", sp.exp(1))),
                ("constant: proxy 3 for X = Y", Rel(coin(2), "<=", sp.exp(sp.Rational(1, 2)))),
                engine="arb",
            )
        ),
        letters=LETTERS,
    )


@claim("sec:fact/3/sharp", by="us", kind="inequality", cites=("sec:fact/3",))
def conditional_two() -> Argument:
    """Independence is more than needed: it is enough that X is sub-Gaussian given Y (Bernoulli noise given its mean
    is)."""
    return proof(product_of_moments(GIVEN, "proxy of X + Y"), letters=LETTERS)


@claim(
    "sec:fact/proxy-is-variance",
    by="us",
    kind="notation",
    says=r"X\sim\text{subG}(v) \Rightarrow EX=0,\ \text{Var}X\le v,\ \text{and}\ \text{Var}X=v\ \text{forces}\ "
    r"EX^3=0",
)
def proxy_above_variance() -> Argument:
    """The paper's sigma_0^2 is a variance in its model and a proxy in its second theorem, two things that may differ:
    a Bernoulli variable with success probability 1/3 has no proxy as small as its variance 2/9. Compare the Taylor
    coefficients of E exp(lX) and exp(l^2 v/2) at 0: the first on which they differ decides, for
    both signs of l. So every proxy is at least the variance, and equals it only for an unskewed variable."""
    m1, m2, m3 = sp.symbols("m1 m2 m3")
    gap = sp.expand(
        sp.series(sp.exp(lam**2 * v / 2), lam, 0, 4).removeO() - (1 + m1 * lam + m2 * lam**2 / 2 + m3 * lam**3 / 6)
    )
    free = {m1: real(), m2: real(), m3: real(), v: positive()}
    return proof(
        Goal(Rel(gap.coeff(lam, 1), "=", -m1), free, name="order 1: the sign of l is free, so E X = 0"),
        Goal(Rel(gap.coeff(lam, 2), "=", (v - m2) / 2), free, name="order 2: v >= Var X"),
        Goal(Rel(gap.coeff(lam, 3), "=", -m3 / 6), free, name="order 3: if v = Var X then E X^3 = 0"),
        Goal(
            Rel(-m1 * y + x * y**2, "<", 0),
            {m1: real(), x: positive(), y: positive()},
            (Rel(m1, ">", x * y),),
            "order 1: with m1 > 0 the difference is negative at small l = y > 0, whatever the next term x; so for -m1",
        ),
        Goal(
            Rel((v - m2) * y**2 / 2 + x * y**4, "<", 0),
            {m2: real(), v: positive(), x: positive(), y: positive()},
            (Rel(m2 - v, ">", 2 * x * y**2),),
            "order 2: likewise with Var X > v",
        ),
        number(
            "Bernoulli(1/3) at l = 1: the moment generating function exceeds exp(l^2 (2/9)/2)",
            Rel(coin_of_a_third(1), ">", sp.exp(sp.Rational(1, 9))),
            ("sign: at l = -1", Rel(coin_of_a_third(-1), ">", sp.exp(sp.Rational(1, 9)))),
            engine="arb",
        ),
        Words(
            "If f(0) = 0 and f >= 0 near 0 on both sides, the first nonzero Taylor coefficient has even order and "
            "is positive."
        ),
    )
