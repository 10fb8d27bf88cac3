"""Appendix H (`sec:fact`): the three facts about sub-Gaussian variables, as computations with exponents.

X is sub-Gaussian with proxy v when E exp(l X) <= exp(l^2 v / 2) for every real l. The appendix prints no definition;
this one is meant, since with any other (a tail bound, say) the constants of the facts change. It forces E X = 0.
"""

from functools import cache

import sympy as sp

from theory.kernel.analysis import exp_tangent, number
from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    InLimit,
    Monotone,
    Rises,
    applied,
    follows,
    instance,
    restated,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model.functions import of_arm, quantity
from theory.model.subgaussian import PROXY, VARIABLE, X

# argument of the moment generating function, a factor, two roots of proxies
lam, c, x, y, p, v, o, w, z, A, B = sp.symbols("lambda c x y p v o w z A B")
ROOTS = {lam: real(), c: real(), x: positive(), y: positive(), p: positive(), v: positive()}
Y = quantity("Y", "Y", meaning="a second random variable")(o)
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
    SECOND: Letter(SECOND, "Y is the second variable"),
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
    u, share, q = sp.symbols("u s q")
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
    s exp(lX/s) + (1-s) exp(lY/(1-s)) with s = x/(x+y). Equality when Y = (y/x) X, so no smaller proxy is valid."""
    u, share, q = sp.symbols("u s q")
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
    free = {lam: real(), x: at_least(0), y: at_least(0), w: real(), z: real(), first: positive(), SECOND: positive()}
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


@cache
def cubic() -> Cases:
    """exp(z) >= 1 + z + z^2/2 + z^3/6 for every real z."""
    zero, free, sign = sp.Integer(0), {z: real()}, Rel(z, ">=", 0)
    above, below = (
        Rises(sp.exp(side * z) - third_order(side * z), z, zero, {z: at_least(0)}, name, order=4)
        for side, name in ((1, "z >= 0"), (-1, "z < 0"))
    )
    first, second = instance(above, {z: z}, free, (sign,)), instance(below, {z: -z}, free, (sign.negation,))
    return Cases(sign, first, second, "exp is above its third-order expansion")


@cache
def tangent() -> Cases:
    """exp(z) >= 1 + z."""
    return exp_tangent(z)


def third_order(at: sp.Expr) -> sp.Expr:
    return 1 + at + at**2 / 2 + at**3 / 6


@cache
def second_order() -> Applied:
    """exp(u) <= 1 + u + u^2 exp(u) for u >= 0: exp(u) - 1 <= u exp(u), used twice."""
    free = {z: at_least(0)}
    once = Rises((z - 1) * sp.exp(z) + 1, z, sp.Integer(0), free, "exp(u) - 1 <= u exp(u)")
    twice = Goal(
        Rel(A, "<=", 1 + z + z**2 * A),
        {z: at_least(0), A: real()},
        (Rel((z - 1) * A + 1, ">=", 0),),
        "used twice",
    )
    return applied(twice, {A: sp.exp(z)}, once, domain=free, name="second order")


MOMENTS = {
    **{name: LETTERS[name] for name in (v,)},
    X: Letter(X, "a variable with E exp(lambda X) <= exp(lambda^2 v/2) for every number lambda"),
}


def bounded_moment(sign: int, order: int, *known: Rel) -> InLimit:
    """sign E X <= 0, E X^2 <= v or sign E X^3 <= 0, by the powers of r in E exp(lX) <= exp(l^2 v/2) at l = sign/r."""
    near, name = {**VARIABLE, y: positive()}, f"moment {order} at l = {sign}/r"
    sides = (1, -1) if order == 2 else (sign,)
    lowest = tangent() if order == 1 else cubic()
    powers = [Expectation(instance(lowest, {z: side * X / y}, near), (o,), name=f"at {side}/r") for side in sides]
    proxies = [instance(PROXY, {lam: side / y}, near, name=f"proxy at {side}/r") for side in sides]
    upper = instance(second_order(), {z: v / (2 * y**2)}, near, name="the bound at l = 1/r")
    means = [Mean(X**power, o) for power in (1, 2, 3)]
    at = {m1: means[0], m2: means[1], m3: means[2], p: 1 / y, B: sp.exp(v / (2 * y**2))}
    at |= {low: conclusion(item).rel.stated[0] for low, item in zip((A, w), proxies, strict=False)}
    sums = applied(compared(sign, order), at, *powers, *proxies, upper, domain=near, given=known, name=name)
    numbers = {A: real(), B: real(), c: positive()}
    times = Goal(Rel(A, "<=", c * B), numbers, (Rel(A / c, "<=", B),), "times a power of r")
    factor = {1: y, 2: 2 * y**2, 3: 6 * y**3}[order]
    left, right = sums.concludes.rel.stated
    scaled = {A: sp.expand(left * factor), B: right, c: factor}
    every = applied(times, scaled, sums, domain=near, given=known, name=f"{name}, times a power of r")
    expanded = restated(every, Rel(scaled[A], "<=", sp.expand(right * factor)), name)
    return InLimit(expanded, y, v if order == 2 else sp.Integer(0), f"{name}, r to infinity")


m1, m2, m3 = sp.symbols("m_1 m_2 m_3")


def compared(sign: int, order: int) -> Goal:
    """The moment by the bound exp(l^2 v/2) - 1, with numbers for means and exponentials: A, w of exp(lX), p for l."""
    numbers = {**dict.fromkeys((m1, m2, m3, A, B, w), real()), v: positive(), p: positive()}
    sides = {A: 1, w: -1} if order == 2 else {A: sign}
    rest = v * p**2 / 2 + v**2 * B * p**4 / 4
    terms = {
        low: 1 + side * m1 * p + (m2 * p**2 / 2 + side * m3 * p**3 / 6 if order > 1 else 0)
        for low, side in sides.items()
    }
    given = [Rel(low - below, ">=", 0) for low, below in terms.items()]
    given += [*(Rel(low, "<=", B) for low in sides), Rel(B, "<=", 1 + rest)]
    if order == 3:
        given += [Rel(m1 * p, "=", 0), Rel(m2 * p**2, "=", v * p**2)]
    rel = {
        1: Rel(sign * m1 * p, "<=", rest),
        2: Rel(m2 * p**2 / 2, "<=", rest),
        3: Rel(sign * m3 * p**3 / 6, "<=", rest - v * p**2 / 2),
    }[order]
    return Goal(rel, numbers, tuple(given), f"powers of l, moment {order}")


@claim("sec:fact/proxy-is-variance", by="us", kind="notation")
def proxy_above_variance() -> Argument:
    """The paper's sigma_0^2 is a variance in its model and a proxy in its second theorem, two things that may differ:
    a Bernoulli variable with success probability 1/3 has no proxy as small as its variance 2/9. Compare the powers of
    l in E exp(lX) and exp(l^2 v/2) as l tends to 0: the first on which they differ decides, for both signs of l. So
    every proxy is at least the variance, and equals it only for an unskewed variable."""
    mean, square, cube = (Mean(X**power, o) for power in (1, 2, 3))
    equal = Rel(square, "=", v)
    centred = follows(
        Rel(mean, "=", 0), *(bounded_moment(sign, 1) for sign in (1, -1)), domain=VARIABLE, name="X is centred"
    )
    variance = bounded_moment(1, 2)
    unskewed = follows(
        Rel(cube, "=", 0),
        centred,
        *(bounded_moment(sign, 3, Rel(mean, "=", 0), equal) for sign in (1, -1)),
        domain=VARIABLE,
        given=(equal,),
        name="X is unskewed",
    )
    coin = number(
        "Bernoulli(1/3) at l = 1: the moment generating function exceeds exp(l^2 (2/9)/2)",
        Rel(coin_of_a_third(1), ">", sp.exp(sp.Rational(1, 9))),
        ("sign: at l = -1", Rel(coin_of_a_third(-1), ">", sp.exp(sp.Rational(1, 9)))),
        engine="arb",
    )
    return proof(centred, variance, unskewed, step(coin), letters=MOMENTS)
