"""Appendix H (`sec:fact`): the three facts about sub-Gaussian variables, as computations with exponents.

X is sub-Gaussian with proxy v when E exp(l X) <= exp(l^2 v / 2) for every real l. The appendix prints no definition;
this one is meant, since with any other (a tail bound, say) the constants of the facts change. It forces E X = 0.
"""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, Words, proof
from theory.kernel.claim import claim
from theory.kernel.classical import HOELDER
from theory.kernel.goal import Goal, Rel, positive, real
from theory.kernel.rules import Expectation, cited, follows
from theory.kernel.terms import Mean

# argument of the moment generating function, a factor, two roots of proxies
lam, c, x, y, p, v = sp.symbols("lam c x y p v")
ROOTS = {lam: real(), c: real(), x: positive(), y: positive(), p: positive(), v: positive()}


def exponent(proxy: sp.Expr, at: sp.Expr = lam) -> sp.Expr:
    """The exponent l^2 v / 2 that bounds the logarithm of the moment generating function."""
    return at**2 * proxy / 2


def coin(scale: int) -> sp.Expr:
    """E exp(scale X) of a fair sign X, which is sub-Gaussian with proxy 1."""
    return (sp.exp(scale) + sp.exp(-scale)) / 2


def coin_of_a_third(at: int) -> sp.Expr:
    """E exp(l (X - 1/3)) of a Bernoulli variable with success probability 1/3."""
    return (sp.exp(sp.Rational(2 * at, 3)) + 2 * sp.exp(sp.Rational(-at, 3))) / 3


@claim(
    "sec:fact/1",
    by="paper",
    line=918,
    kind="identity",
    says=r"X\sim\text{subG}(v) \Rightarrow cX\sim\text{subG}(c^2 v)",
)
def scaling() -> Argument:
    """The moment generating function of cX at l is that of X at cl, and (cl)^2 v = l^2 (c^2 v)."""
    return proof(
        Goal(Rel(exponent(v, c * lam), "=", exponent(c**2 * v)), ROOTS, name="exponent at c l"),
        Goal(
            Rel(exponent(v, c * lam), "<=", exponent(p)),
            ROOTS,
            (Rel(c**2 * v, "<=", p),),
            "and so for every larger proxy p",
        ),
    )


@claim(
    "sec:fact/2",
    by="paper",
    line=919,
    kind="inequality",
    says=r"X\sim\text{subG}(x^2),\ Y\sim\text{subG}(y^2) \Rightarrow X+Y\sim\text{subG}((x+y)^2)",
)
def any_two() -> Argument:
    """Hoelder with exponents (x+y)/x and (x+y)/y, the best ones; equality when Y = (y/x) X, so nothing smaller will
    do."""
    first, second = (x + y) / x, (x + y) / y
    return proof(
        Goal(
            Rel(
                exponent(x**2, first * lam) / first + exponent(y**2, second * lam) / second, "=", exponent((x + y) ** 2)
            ),
            ROOTS,
            name="exponents of the two factors add up",
        ),
        Goal(
            Rel((1 + p) * x**2 + (1 + p) / p * y**2 - (x + y) ** 2, "=", (p * x - y) ** 2 / p),
            ROOTS,
            name="no exponents 1+p, (1+p)/p do better",
        ),
        cited(
            HOELDER,
            hypotheses=(Goal(Rel(1 / first + 1 / second, "=", 1), ROOTS, name="conjugate exponents"),),
            name="at the exponents (x+y)/x and (x+y)/y",
        ),
    )


@claim(
    "sec:fact/3",
    by="paper",
    line=920,
    kind="identity",
    says=r"X,Y\ \text{independent} \Rightarrow X+Y\sim\text{subG}(x^2+y^2)",
)
def independent_two() -> Argument:
    """Independent factors: the moment generating functions multiply, so the exponents add. Without independence it is
    false."""
    return proof(
        Goal(Rel(exponent(x**2) + exponent(y**2), "=", exponent(x**2 + y**2)), ROOTS, name="exponents add"),
        number(
            "X = Y a fair sign: E exp(2X) exceeds exp(2/2), so independence cannot be dropped",
            Rel(coin(2), ">", sp.exp(1)),
            ("hypothesis dropped: X = Y a fair sign, proxy 2", Rel(coin(2), "<=", sp.exp(1))),
            ("constant: proxy 3 for X = Y", Rel(coin(2), "<=", sp.exp(sp.Rational(1, 2)))),
            engine="arb",
        ),
    )


@claim(
    "sec:fact/3/sharp",
    by="us",
    kind="inequality",
    says=r"E[e^{lX}\mid Y]\le e^{l^2x^2/2} \Rightarrow X+Y\sim\text{subG}(x^2+y^2)",
    uses=("sec:fact/3",),
)
def conditional_two() -> Argument:
    """Independence is more than needed: it is enough that X is sub-Gaussian given Y (Bernoulli noise given its mean
    is)."""
    A, B, first, second = sp.symbols("A B first second")  # e^{lX}, e^{lY}; e^{l^2 x^2/2}, e^{l^2 y^2/2}
    sizes = dict.fromkeys((A, B, first, second), positive())
    given = Rel(Mean(A, A), "<=", first)  # the mean over X, given Y
    inner = Goal(Rel(B * Mean(A, A), "<=", B * first), sizes, (given,), "given Y")
    outer, other = Expectation(inner, (B,), name="tower rule"), Rel(Mean(B, B), "<=", second)
    total = Rel(Mean(A * B, A, B), "<=", first * second)
    return proof(
        follows(total, outer, given=(given, other), domain=sizes, name="moment of the sum"),
        Goal(Rel(exponent(x**2) + exponent(y**2), "=", exponent(x**2 + y**2)), ROOTS, name="exponents add"),
    )


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
