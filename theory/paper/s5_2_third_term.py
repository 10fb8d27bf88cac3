"""Section 5.2 (`sec:proof`): the third term, the best arm's error, to which the bound of the second does not carry
over.

Two arms pulled 1 and 99 times, sigma = sigma_0 = a = 1, t = 101, equal estimates. The errors Y_k = mu_k - mu-hat_k are
jointly normal given the history; Y_2, of the often pulled arm, leaves its interval now and then, and whenever it does
the best arm is likely to be arm 1, whose error is large.
"""

from functools import cache
from math import prod

import sympy as sp
from flint import acb, arb, ctx

from theory.gaussian import excess, phi, upper
from theory.kernel.argument import Custom, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.exact import enclose
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real

HERE = "Section 5.2"
COUNTS, ROUND = (1, 99), 101
W1, W2 = (sp.Rational(c, c + 1) for c in COUNTS)
VAR = [(1 - w) * (1 + (1 - w) / (W1 + W2)) for w in (W1, W2)]      # tau_k^2: 199/298 and 3/298
COV = (1 - W1) * (1 - W2) / (W1 + W2)
SLOPE, REST = COV / VAR[1], VAR[0] - COV**2 / VAR[1]               # Y_1 given Y_2 = y is N(SLOPE y, REST)
WIDTH = [sp.sqrt(v * sp.log(ROUND)) for v in VAR]
DISPLAY = (sp.sqrt(VAR[0]) + sp.sqrt(VAR[1])) / sp.sqrt(2 * sp.pi * ROUND)  # t^(-1/2)/sqrt(2 pi) times tau_1 + tau_2
FAR = 3                                                            # beyond 3, some 30 deviations of Y_2, a closed bound
y = sp.Symbol("y")


def integrand() -> sp.Expr:
    """Density of Y_2 at y times E[(Y_1 - y)^+ - Y_1 1{Y_1 > c_1} | Y_2 = y]."""
    d = sp.sqrt(REST)
    z = (WIDTH[0] - SLOPE * y) / d
    return (d * excess((1 - SLOPE) * y / d) - SLOPE * y * upper(z) - d * phi(z)) * phi(y / sp.sqrt(VAR[1])) / sp.sqrt(
        VAR[1])


def enclosed(expr: sp.Expr, at: acb) -> acb:
    """An enclosure of an entire function of y: sums, products, whole powers, exp and erfc."""
    if y not in expr.free_symbols:
        return acb(enclose(expr))
    if expr == y:
        return at
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return enclosed(expr.base, at) ** int(expr.exp)
    parts = [enclosed(e, at) for e in expr.args]
    if expr.is_Add:
        return sum(parts, acb(0))
    if expr.is_Mul:
        return prod(parts, start=acb(1))
    if isinstance(expr, sp.exp):
        return parts[0].exp()
    if isinstance(expr, sp.erfc):
        return parts[0].erfc()
    raise TypeError(f"{expr}: not known to be entire in {y}")


@cache
def surplus(bits: int = 80) -> arb:
    """An enclosure of E[max(Y_1, Y_2) 1{Y_1 > c_1 or Y_2 > c_2}] minus the display, the integral from c_2 on.

    Y_2 beyond c_2 gives max = Y_2 + (Y_1 - Y_2)^+, and Y_2 alone its part of the display; otherwise Y_1 beyond c_1 is
    the larger one, and gives its part of the display but for the cases with Y_2 beyond c_2. Arb integrates up to FAR;
    beyond it the integrand is at least -(y + 1) times the density, whose integral is known.
    """
    saved, ctx.prec = ctx.prec, bits
    try:
        f, d = integrand(), sp.sqrt(VAR[1])
        main = acb.integral(lambda x, _: enclosed(f, x), acb(enclose(WIDTH[1])), acb(FAR)).real
        rest = enclose(d * phi(FAR / d) + upper(FAR / d))
        return main + arb(0).union(-rest).union(rest)
    finally:
        ctx.prec = saved


def left_is_above(value: sp.Rational) -> bool:
    """Whether the conditional expectation on the display's left side is above this number."""
    return bool(surplus() + enclose(DISPLAY) > enclose(value))


LEFT = sp.Rational(397, 10_000)


@claim("sec:proof/third-term", where=f"{HERE}, third term", kind="step",
       depends_on=("sec:proof/tail-union", "regret-decom-upper-term2"),
       says=r"\text{every history},\ t>K:\quad E[(\mu_*-\hat\mu_*)1\{\bar E_{L;t}\}\mid H_t]\le"
            r"\frac{\delta_t}{\sqrt{2\pi}}\sum_k\tau_{k,t},\ \text{the display of the second term for the third}")
def printed_third_term():
    """Said to go as the second term. But which arm is best depends on the errors themselves, so that the best arm's
    error is not one of K errors but the largest: with counts 1 and 99 and equal estimates before round 101 the left
    side is above 0.0397, by enclosed integration, and the right side below 0.0365. (Such a history is rare, but of
    positive density, and the display is meant for every one.)"""
    return refuted(
        Goal(Rel(LEFT, "<=", DISPLAY), name="397/10000, which is below the left side, against the right side"),
        at=Point({}, {"K": "2", "n": [str(c) for c in COUNTS], "t": str(ROUND), "sigma_sq": "1", "sigma0_sq": "1",
                      "a": "1", "estimates": "equal"}),
        fails_when="no closed form: the left side is the mean of the largest of K correlated normal errors beyond "
                   "their widths, an integral of erfc, and needs the K estimates and counts; it fails for example when "
                   "a rarely and an often pulled arm have equal estimates",
        also=(Custom("arb", "the conditional expectation on the left is above 397/10000, by enclosed integration",
                     lambda: left_is_above(LEFT),
                     (("constant: above 398/10000", lambda: left_is_above(LEFT + sp.Rational(1, 10_000))),
                      ("constant: twice as much", lambda: left_is_above(2 * LEFT)))),
              Goal(Rel(REST + SLOPE**2 * VAR[1], "=", VAR[0]), name="variance of Y_1 through its regression on Y_2")))


@claim("sec:proof/third-term/repaired", where=f"{HERE}, third term", kind="step", repairs="sec:proof/third-term",
       depends_on=("sec:proof/tail-union/own-event", "ours/psi", "ours/conditioning"),
       says=r"E(\mu_*-U_*)\le\sum_kE(\mu_k-U_k)^+=\Psi(\sqrt{a\log t})\sum_kE\tau_k\le\frac{t^{-a/2}}{\sqrt{2\pi}}"
            r"\sum_kE\tau_k")
def third_term():
    """Whichever arm is best, its shortfall is one of K nonnegative parts; no event is needed, and the excess Psi is
    below the tail integral."""
    x, part, rest, v = sp.symbols("x part rest v")
    free = {x: real(), part: at_least(0), rest: at_least(0), v: positive()}
    return proof(Goal(Rel(x, "<=", part + rest), free, (Rel(x, "<=", part),),
                      "a number is at most its positive part, and that at most the sum"),
                 Goal(Rel(v - part * rest, "<=", v), free, name="Psi = phi - s Q <= phi"))
