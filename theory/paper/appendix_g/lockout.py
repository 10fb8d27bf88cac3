"""Appendix G (`sec:extensions`): ReUCB with a < 1 can lock the best arm out, and Theorem them-R-Bayes-SubR (1) allows
a < 1.

One arm H is better than all others by D, but its first rewards were bad. Its average then lies below those of the
others by d, and its interval, sqrt(a log t) wide, never reaches them again. Symbols: h, g weights of H and of L, the
arm with the largest average among the others; R the sum of the other weights; y = rbar_L - rbar_H and Z the sum of
w_i (rbar_i - rbar_H) over the remaining arms.
"""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, Words, proof
from theory.kernel.claim import claim
from theory.kernel.classical import VILLE
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Rises, cited
from theory.model.arms import W, arm_goal, n, s, s0, tau_sq, w

h, g, R, y, Z, d, D, a, L, ell, S, c, C, x, z, k, N, e = sp.symbols("h g R y Z d D a L ell S c C x z k N e")
share = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
total = h + g + R
common = (g * y + Z) / total  # rbar_0 - rbar_H
lead = g * y + (h - g) * common  # muhat_L - muhat_H: (1 - g) common + g y, less (1 - h) common
least = h * y * (total + g - h) / total
ARMS = {h: share, g: share, R: at_least(0), y: positive(), Z: at_least(0), d: positive()}


@claim(
    "them-R-Bayes-SubR/lock-out/estimates",
    by="us",
    kind="step",
    uses=("blup",),
)
def estimates() -> Argument:
    """Subtract rbar_H everywhere: the difference is w_L y + (w_H - w_L)(rbar_0 - rbar_H), and rbar_0 is an average in
    which no arm is above L. With equal averages of the others the first bound is an equality."""
    below_L, ahead = Rel(Z, "<=", R * y), Rel(h, "<=", g)
    return proof(
        Goal(Rel((1 - g) * common + g * y - (1 - h) * common, "=", lead), ARMS, name="difference of two estimates"),
        Goal(Rel(lead.subs(Z, R * y), "=", least), ARMS, name="equal averages: equality"),
        Goal(Rel(lead, ">=", least), ARMS, (below_L, ahead), "w_L >= w_H: shrinkage helps H least"),
        Goal(Rel(least, ">=", h * d), ARMS, (ahead, Rel(d, "<=", y)), "at least d w_H"),
        Goal(Rel(lead, ">", 0), ARMS, (Rel(g, "<=", h),), "w_L <= w_H: positive"),
    )


@claim(
    "them-R-Bayes-SubR/lock-out/widths",
    by="us",
    kind="step",
    uses=("MSE", "compare-tauANDmab/repaired"),
)
def widths() -> Argument:
    """tau^2 = sigma_0^2 (1-w)(1 + (1-w)/W) falls in w at fixed W; and it is below the width of a sample mean."""

    def factor(weight: sp.Expr) -> sp.Expr:
        return (1 - weight) * (1 + (1 - weight) / total)

    return proof(
        arm_goal(tau_sq, "=", s0 * (1 - w) * (1 + (1 - w) / W), name="tau^2 by weights"),
        Goal(
            Rel(factor(g), ">=", factor(h)),
            {h: share, g: share, R: at_least(0)},
            (Rel(g, "<=", h),),
            "the less pulled arm is wider",
        ),
        arm_goal(tau_sq, "<=", s / n, name="below a sample mean's"),
    )


@claim(
    "them-R-Bayes-SubR/lock-out",
    by="us",
    kind="step",
    says=r"n_H=s,\ \bar r_i\ge\bar r_H+d\ (i\ne H),\ (d\,w_H)^2s>a\sigma^2\log n:\quad U_L>U_H\ \text{in every "
    r"round}\ K<t\le n,\ \text{so}\ H\ \text{is never pulled again}",
    uses=("them-R-Bayes-SubR/lock-out/estimates", "them-R-Bayes-SubR/lock-out/widths", "alg:arm-ucb/repaired"),
)
def lock() -> Argument:
    """If w_L >= w_H the estimates are at least d w_H apart and H's width is below that. If w_L <= w_H the estimate and
    the width of L are both the larger. The inequality is strict, so ties do not matter; the counts, averages and the
    number of the other arms are arbitrary."""
    free = {
        e: real(),
        x: positive(),
        c: at_least(0),
        C: at_least(0),
        a: positive(),
        s: positive(),
        S: positive(),
        L: at_least(0),
        ell: at_least(0),
        h: share,
        d: positive(),
        z: positive(),
        y: positive(),
    }
    return proof(
        Goal(
            Rel(a * s * ell / S, "<=", a * s * L / S),
            free,
            (Rel(ell, "<=", L),),
            "c_H^2 <= a sigma^2 log t/s <= a sigma^2 log n/s",
        ),
        Goal(
            Rel((h * d) ** 2 - a * s * L / S, ">", 0),
            free,
            (Rel((h * d) ** 2 * S, ">", a * s * L),),
            "the condition, divided by s",
        ),
        Goal(Rel(x**2 - c**2, ">", 0), free, (Rel(c**2, "<=", y), Rel(x**2, ">", y)), "x = d w_H, c = c_H: squares"),
        Goal(Rel(x - c, "=", (x**2 - c**2) / (x + c)), free, name="difference of roots"),
        Goal(Rel(e + C - c, ">", 0), free, (Rel(e, ">=", x), Rel(x, ">", c)), "w_L >= w_H: U_L > U_H"),
        Goal(Rel(e + C - c, ">", 0), free, (Rel(e, ">", 0), Rel(C, ">=", c)), "w_L <= w_H: U_L > U_H"),
        Words(
            "Rounds 1, ..., K pull every arm once, H too; a second pull of H is made in a round t > K, where every "
            "arm has a count. So H has at most s pulls in n rounds, whether or not it reaches s."
        ),
    )


def cosh_below() -> Rises:
    """cosh(y) <= exp(y^2/2), for y >= 0 and so, being even, for all y: y^2/2 - log cosh(y) starts at 0 with slope 0,
    and its second derivative is tanh(y)^2."""
    y = sp.Symbol("y")
    gap = y**2 / 2 - sp.log((sp.exp(y) + sp.exp(-y)) / 2)
    return Rises(
        gap, y, sp.Integer(0), {y: at_least(0)}, "cosh(y) <= exp(y^2/2)", order=2, squares=(sp.exp(2 * y) - 1,)
    )


@claim(
    "them-R-Bayes-SubR/lock-out/model",
    by="us",
    kind="statement",
    says=r"\mu_k\in\{x,x+D\}\ \text{fair},\ D\le\min(2\sigma_0,\sigma);\ r=\mu_k\ \text{at}\ x,\ "
    r"r=\mu_k\pm\sigma\ \text{fair at}\ x+D;\ x=\sigma-D,\ \sigma\le\frac12:\quad "
    r"\mu_k-\mu_0\sim\text{subG}(\sigma_0^2),\ r-\mu_k\sim\text{subG}(\sigma^2),\ \text{all in}\ [0,1]",
    uses=("sec:extensions/arm-dependent",),
)
def model() -> Argument:
    """A fair +-b has E exp(l X) = cosh(lb) <= exp(l^2 b^2/2), term by term: (2j)! >= 2^j j!. A proxy may exceed the
    variance, as it does in the theorem's own example of Bernoulli rewards with 1/4; claim
    them-R-Bayes-SubR/lock-out/exact-variances does without that."""
    j, lam = sp.symbols("j lam")
    spread = {D: positive(), s0: positive(), lam: real(), z: positive(), j: at_least(0)}
    rewards = {D: positive(), z: positive()}  # z = sigma
    return proof(
        Goal(
            Rel(lam**2 * (D / 2) ** 2 / 2, "<=", lam**2 * s0 / 2),
            spread,
            (Rel(D**2, "<=", 4 * s0),),
            "proxy of the means",
        ),
        Goal(Rel((z - D) + D - z, ">=", 0), rewards, name="lowest reward, x = sigma - D"),
        Goal(Rel((z - D) + D + z, "<=", 1), rewards, (Rel(2 * z, "<=", 1),), "highest reward"),
        Goal(Rel(z - D, ">=", 0), rewards, (Rel(D, "<=", z),), "the reward of a low arm, x"),
        cosh_below(),
    )


@claim(
    "them-R-Bayes-SubR/lock-out/regret",
    by="us",
    kind="step",
    says=r"((z/s-D/\sigma)w_H)^2s>a\log n,\ w_H=\frac s{s+\rho}:\quad R_n\ge K2^{-K}(n-s)\,D\,P(S_s\le-z),\quad"
    r" S_s\ \text{a sum of}\ s\ \text{fair signs}",
    uses=("them-R-Bayes-SubR/lock-out", "them-R-Bayes-SubR/lock-out/model"),
)
def regret() -> Argument:
    """With chance K 2^-K exactly one arm is high. Its first s rewards are fixed in advance, independent of that: if
    their signs sum up to at most -z, its average at count s is d = sigma z/s - D or more below the others', which are
    x without noise. Then at least n - s rounds cost D; no run has a negative regret."""
    P, other, q = sp.symbols("P other q")
    free = {
        P: Var(sp.Integer(0), high=sp.Integer(1)),
        other: at_least(0),
        D: positive(),
        N: positive(),
        S: positive(),
        c: at_least(0),
        k: at_least(2, integer=True),
        z: positive(),
        q: positive(),
        a: positive(),
        L: at_least(0),
        h: share,
        s: positive(),
        x: positive(),
    }
    return proof(
        Goal(
            Rel(k * sp.Rational(1, 2) * sp.exp(-(k - 1) * sp.log(2)), "=", k * sp.exp(-k * sp.log(2))),
            free,
            name="chance of exactly one high arm among K",
        ),
        Goal(Rel(x - (x + D - q * z / S), "=", q * z / S - D), free, name="how far H's average is below, q = sigma"),
        Goal(
            Rel((q * z / S - D) ** 2 * h**2 * S / q**2, "=", ((z / S - D / q) * h) ** 2 * S),
            free,
            name="the condition of the lock, divided by sigma^2",
        ),
        Goal(
            Rel(P * (N - c) * D + (1 - P) * other, ">=", P * (N - S) * D),
            free,
            (Rel(c, "<=", S),),
            "H is pulled c <= s times on an event of chance P",
        ),
    )


@claim(
    "them-R-Bayes-SubR/lock-out/exact-variances",
    by="us",
    kind="statement",
    says=r"\mu_k=\mu_0+v e_k+\frac D2e'_k,\ v^2+\frac{D^2}4=\sigma_0^2,\ v+\frac D2+\sigma\le\frac12=\mu_0,\ "
    r"\text{fair signs},\ r-\mu_k=\pm\sigma\ "
    r"\text{for every arm, independent of}\ \mu_k:\ \text{a lock with}\ d=\sigma z/s-D-\eta\sigma\ \text{and "
    r"chance}\ \ge2K4^{-K}2^{-(r+1)(K-1)}P(S_s\le-z),\ r\ge1/(2\eta)",
    uses=("them-R-Bayes-SubR/lock-out", "them-R-Bayes-SubR/lock-out/model"),
)
def exact_variances() -> Argument:
    """Variances equal to the proxies, noise independent of the means: the signs e_k agree for all arms with chance
    2^(1-K). An arm whose first r signs are +1 never has an average below its mean - eta sigma with chance above
    1 - 1/e: exp(-2 eta (S_i + eta i)) is a supermartingale that has come down to exp(-2 eta r (1 + eta)) < 1/e, and it
    must reach 1. The chance does not depend on n."""
    lam, v, eta, r, q, K = sp.symbols("lam v eta r q K")
    free = {
        lam: real(),
        v: positive(),
        D: positive(),
        eta: positive(),
        r: positive(),
        s0: positive(),
        q: positive(),
        K: at_least(2, integer=True),
        z: positive(),
        S: positive(),
        x: positive(),
    }
    return proof(
        Goal(
            Rel(lam**2 * v**2 / 2 + lam**2 * (D / 2) ** 2 / 2, "=", lam**2 * (v**2 + D**2 / 4) / 2),
            free,
            name="cosh cosh: proxies add up to the variance",
        ),
        Goal(Rel((2 * eta) ** 2 / 2 - 2 * eta * eta, "=", 0), free, name="cosh(2 eta) exp(-2 eta^2) <= 1: exponent"),
        Goal(Rel(2 * eta * r * (1 + eta), ">", 1), free, (Rel(2 * eta * r, ">=", 1),), "start below 1/e"),
        number(
            "1/e < 1/2: never below with chance above 1/2",
            Rel(sp.exp(-1), "<", sp.Rational(1, 2)),
            ("constant: 1/e < 1/3", Rel(sp.exp(-1), "<", sp.Rational(1, 3))),
            engine="arb",
        ),
        Goal(
            Rel(x - eta * q - (x + D - q * z / S), "=", q * z / S - D - eta * q),
            free,
            name="the lock's d: lowest average of the others less H's, q = sigma",
        ),
        Goal(
            Rel(2 * sp.exp(-K * sp.log(2)) * K * sp.exp(-K * sp.log(2)), "=", 2 * K * sp.exp(-K * sp.log(4))),
            free,
            name="chance of equal e_k and one high e'_k",
        ),
        cited(VILLE, hypotheses=(cosh_below(),), name="exp of -2 eta times the sum, at the start below 1/e"),
    )
