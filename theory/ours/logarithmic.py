"""A bound of order log^2 n: an arm is pulled while its width can hide its gap; averaged over the prior.

Round t > K: s = sqrt(a log t) is ReUCB's width, x = sqrt(b log t) a second one, of our choice, for the pulled
arm's error; X = mu-hat - mu, tau its deviation given the reward differences, I the pulled arm, * the best.
"""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, Words, proof
from theory.kernel.claim import claim
from theory.kernel.classical import CHEBYSHEV_ASSOCIATION
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import IntegralOf, cited, uses
from theory.model import bound_formulas as bounds
from theory.model.normal import phi, upper

s, x, z, tau, X, D, B, N, K, c, j, al = sp.symbols("s x z tau X D B N K c j al")
best, pulled, U_best = sp.symbols("best pulled U_best")
s0, s_ = sp.symbols("sigma0_sq sigma_sq")
ROUND = {**dict.fromkeys((best, pulled, U_best, X), real()), **dict.fromkeys((s, x, tau), positive())}
PLAYED = (Rel(U_best, "<=", pulled + X + s * tau),)  # the argmax: the pulled arm's index is mu + X + s tau


@claim(
    "ours/logarithmic/good-round",
    by="us",
    kind="step",
    uses=("regret-decom/repaired",),
)
def good_round() -> Argument:
    """mu_* <= U_* <= U_I = mu_I + X_I + s tau_I."""
    return proof(
        Goal(
            Rel(best - pulled, "<=", (s + x) * tau),
            ROUND,
            (*PLAYED, Rel(best, "<=", U_best), Rel(X, "<=", x * tau)),
            "chain",
        )
    )


@claim(
    "ours/logarithmic/count",
    by="us",
    kind="step",
    says=r"B=(\sqrt a+\sqrt b)\sqrt{\log n},\ \alpha=(K-1)\rho/(K+\rho):\quad "
    r"\Delta_k\le B\sigma/\sqrt{j+\alpha}\ \Rightarrow\ j\le(B\sigma/\Delta_k)^2-\alpha:\ \text{so many good "
    r"pulls of arm}\ k\ \text{at most}",
    uses=("ours/width", "ours/logarithmic/good-round"),
)
def count() -> Argument:
    """Solve for the count; B = (sqrt a + sqrt b) sqrt(log n) does for all rounds up to n."""
    root = sp.Symbol("root")  # sqrt(j + alpha); B stands for B sigma
    return proof(
        Goal(
            Rel(root**2, "<=", (B / D) ** 2),
            {root: positive(), B: positive(), D: positive()},
            (Rel(D * root, "<=", B),),
            "squared",
        )
    )


@claim(
    "ours/logarithmic/upper-side",
    by="us",
    kind="step",
    says=r"s=\sqrt{a\log t},\ x=\sqrt{b\log t},\ X_k=\hat\mu_k-\mu_k,\ t>K;\quad"
    r"\mu_*\le U_*,\ X_I>x\tau_I:\quad\Delta_I\le X_I+s\tau_I,\quad E(Z+s)1\{Z>x\}=\phi(x)+sQ(x)\le(1+s/x)"
    r"\phi(x)",
    uses=("ours/conditioning", "ours/mills"),
)
def upper_side() -> Argument:
    """The pulled arm's error is too large: what the round costs is that error and the width. (z + s) phi(z)
    integrates to -phi(z) - s Q(z)."""
    return proof(
        Goal(Rel(best - pulled, "<=", X + s * tau), ROUND, (*PLAYED, Rel(best, "<=", U_best)), "cost"),
        IntegralOf(
            (z + s) * phi(z),
            -phi(z) - s * upper(z),
            z,
            x,
            sp.oo,
            {z: real(), s: positive(), x: positive()},
            (None, sp.S.Zero),
            "mean of (Z + s) 1{Z > x}",
        ),
        uses("ours/mills", item="consequence"),
    )


@claim(
    "ours/logarithmic/lower-side",
    by="us",
    kind="step",
    says=r"s=\sqrt{a\log t},\ x=\sqrt{b\log t},\ X_k=\hat\mu_k-\mu_k,\ t>K;\quad"
    r"\mu_*>U_*:\quad\Delta_I\le(\mu_*-U_*)+(X_I+s\tau_I)^+,\ \text{summed over who is best}\le\Psi(s)"
    r"\sum_{k\ne I}\tau_k+(K-1)\phi(s)\tau_I",
    uses=("ours/correlation", "ours/psi/shifted", "ours/conditioning"),
)
def lower_side() -> Argument:
    """The best arm's index is too low. The errors are positively correlated, so that arm k's is very negative makes a
    large X_I less likely: E (X_I + s tau_I)^+ 1{X_k < -s tau_k} is at most the product (s + Psi(s)) tau_I Q(s),
    below phi(s) tau_I."""
    pos, f1, f2, g1, g2 = sp.symbols("pos f1 f2 g1 g2")
    return proof(
        Goal(
            Rel(best - pulled, "<=", (best - U_best) + pos),
            {**ROUND, pos: at_least(0)},
            (*PLAYED, Rel(X + s * tau, "<=", pos)),
            "cost",
        ),
        cited(
            CHEBYSHEV_ASSOCIATION,
            hypotheses=(
                Goal(
                    Rel((f1 - f2) * (g1 - g2), "<=", 0),
                    dict.fromkeys((f1, f2, g1, g2), real()),
                    (Rel(f1, ">=", f2), Rel(g1, "<=", g2)),
                    "a rising and a falling function of X_k",
                ),
            ),
            name="the mean of (X_I + s tau_I)^+ given X_k, and the indicator of X_k < -s tau_k",
        ),
    )


@claim(
    "ours/logarithmic/gaps",
    by="us",
    kind="identity",
    says=r"E\sum_{k\ne*}h(\Delta_k)=\int_0^\infty h(\sigma_0z)p_K(z)dz,\quad p_K(z)=K(K-1)\int\phi(y)\phi(y-z)"
    r"\Phi(y)^{K-2}dy\le\frac{K(K-1)}{2\sqrt\pi}",
)
def gaps() -> Argument:
    """Best arm at y, arm k at y - z, all others below y. The mass is K - 1, as K phi Phi^(K-1) integrates to Phi^K;
    dropping Phi^(K-2) leaves the density of a difference of two normals, at most 1/sqrt(4 pi)."""
    y = sp.Symbol("y")
    below = 1 - upper(y)
    return proof(
        Goal(
            Rel(sp.Derivative(below**K, y), "=", K * phi(y) * below ** (K - 1)),
            {y: real(), K: at_least(1, integer=True)},
            name="Phi^K and its slope",
        ),
        Goal(
            Rel(phi(y) * phi(y - z), "=", sp.exp(-((y - z / 2) ** 2)) * sp.exp(-(z**2) / 4) / (2 * sp.pi)),
            {y: real(), z: real()},
            name="completed square: the integral over y is exp(-z^2/4)/sqrt(4 pi)",
        ),
        Goal(Rel(sp.sqrt(sp.pi) / (2 * sp.pi), "=", 1 / (2 * sp.sqrt(sp.pi))), name="its constant"),
    )


@claim(
    "ours/logarithmic/order",
    by="us",
    kind="limit",
    says=r"\int_0^\infty\min(Nz,c/z)p(z)dz\le\bar p\,c\left(\tfrac12+\tfrac12\log^+\tfrac Nc\right)+c\,(K-1):\ "
    r"O(\log^2n)\ \text{for}\ c\propto\log n",
    cites=("ours/logarithmic/gaps", "ours/logarithmic/count"),
)
def order() -> Argument:
    """Below sqrt(c/N) the first branch gives p c/2, up to 1 the second gives p c log(1/sqrt(c/N)), and beyond 1 it is
    at most c. With a >= 2 and b >= 1 the tails add O(log n): their terms are at most 1/j."""
    k = sp.Symbol("k")
    free = {z: positive(), N: positive(), c: positive()}
    return proof(
        antiderivative(N * z**2 / 2, N * z, z, free, "first branch"),
        Goal(Rel((N * z**2 / 2).subs(z, sp.sqrt(c / N)), "=", c / 2), free, name="up to sqrt(c/N)"),
        antiderivative(c * sp.log(z), c / z, z, free, "second branch"),
        Goal(Rel(-c * sp.log(sp.sqrt(c / N)), "=", c * sp.log(N / c) / 2), free, name="from sqrt(c/N) to 1"),
        Goal(
            Rel(1 / ((k + j) * j), "<=", 1 / j**2),
            {k: positive(), j: positive()},
            name="b = 1: t^(-1/2) (j/K)^(-1/2) <= sqrt(K)/j, squared, t = K + j",
        ),
    )


@claim(
    "ours/logarithmic",
    by="us",
    kind="bound",
    says=r"\text{Gaussian model, fixed}\ \mu_0,\ \text{known variances},\ n>K;\ a,b>0:\quad R_n\le K\sigma_0e_K"
    r"+E\sum_{k\ne*}\Delta_k\min\left(n-K,\left((B\sigma/\Delta_k)^2-\alpha\right)^+\right)"
    r"+(K-1)g(1)\sum_{t>K}\Psi(\sqrt{a\log t})+\sum_{t>K}q_t\,g(\lceil(t-K)/K\rceil);"
    r"\quad B=(\sqrt a+\sqrt b)\sqrt{\log n},\ q_t=\frac{(K-1)t^{-a/2}+(1+\sqrt{a/b})t^{-b/2}}{\sqrt{2\pi}},"
    r"\ \Delta_k=\mu_*-\mu_k,\ g,\alpha,\Psi,e_K\ \text{as in ours/sharp}",
    uses=(
        "ours/logarithmic/count",
        "ours/logarithmic/upper-side",
        "ours/logarithmic/lower-side",
        "ours/logarithmic/gaps",
        "ours/logarithmic/order",
        "ours/widest-last",
        "ours/psi/round",
        "sec:analysis/round-robin",
    ),
)
def logarithmic() -> Argument:
    """Every round after the K-th is good, or the pulled arm's error is too large, or the best arm's index too low;
    add up what each costs. A good pull that meets the count j has Delta_k <= B g(j), so j is at most the stated
    number; the other two kinds cost what q_t and Psi say."""
    t, psi, first, own, others, low, up, L, p, q = sp.symbols("t psi first own others low up L p q")
    norm = sp.sqrt(2 * sp.pi)  # low = phi(s) = t^(-a/2)/norm and up = phi(x) = t^(-b/2)/norm by ours/psi/round
    roots = {y: sp.Symbol(y.name, positive=True) for y in (p, q)}  # p = sqrt(a), q = sqrt(b)
    plain = {root: y for y, root in roots.items()}
    a, b = roots[p] ** 2, roots[q] ** 2
    pulls = bounds.good_pulls(D, K, N, s0, s_, a, b).subs(sp.log(N), L) + bounds.alpha(K, s0, s_) - al
    q_t = bounds.deviation_factor(t, K, a, b).xreplace({t ** (-a / 2): low * norm, t ** (-b / 2): up * norm})
    pulls, q_t = pulls.xreplace(plain), sp.expand(q_t).xreplace(plain)
    sizes = {
        **dict.fromkeys((D, L, p, q, s0, s_, psi, first, own, others, low, up), positive()),
        K: at_least(1),
        j: at_least(1),
        al: at_least(0),
    }
    return proof(
        Goal(
            Rel(j, "<=", pulls),
            sizes,
            (Rel(D**2 * (j + al), "<=", (p + q) ** 2 * L * s_),),
            "good pulls: the stated number, p = sqrt(a), q = sqrt(b), L = log n, al = alpha",
        ),
        Goal(
            Rel(D**2 * (pulls + al), "=", (p + q) ** 2 * L * s_),
            sizes,
            name="and no smaller: at that count the width just hides the gap",
        ),
        Goal(
            Rel(q_t, "=", (K - 1) * low + (1 + p / q) * up),
            sizes,
            name="q_t: phi at the width of ReUCB for K - 1 arms, and at ours for the pulled one",
        ),
        Goal(
            Rel(psi * others + (K - 1) * low * own + (1 + p / q) * up * own, "<=", (K - 1) * first * psi + q_t * own),
            sizes,
            (Rel(others, "<=", (K - 1) * first),),
            "a round that is not good: lower side, upper side (s/x = p/q); others the sum of the other tau, first = "
            "g(1)",
        ),
        Goal(
            Rel(D * j, "<=", D * c),
            {D: positive(), j: at_least(0), c: positive()},
            (Rel(j, "<=", c),),
            "cost of arm k's good pulls: Delta_k times their number",
        ),
        Words(
            "R_n is the cost of the first K rounds and of the three kinds of rounds after them. The j-th good pull "
            "of an arm meets a count of at least j; ours/widest-last sums q_t tau_I as q_t falls."
        ),
    )


@claim(
    "ours/combined",
    by="us",
    kind="bound",
    says=r"\text{Gaussian model, fixed}\ \mu_0,\ \text{known variances},\ n>K,\ a>0:\quad "
    r"R_n\le\min\{\text{ours/sharp, ours/subtracted over}\ \lambda,\eta\ge0,\ "
    r"\text{and ours/logarithmic over}\ b>0,\eta\ge0\ \text{with}\ "
    r"E\sum_{k\ne*}(\Delta_k-\eta)^+\min(n-K,((B\sigma/\Delta_k)^2-\alpha)^+)"
    r"+\eta(n-K)\ \text{for its sum over gaps}\}",
    uses=("ours/sharp", "ours/logarithmic", "ours/subtracted"),
)
def combined() -> Argument:
    """Each is a bound for every value of its parameters, none of which the algorithm uses; so the least of them is
    one. A price eta per pull enters ours/logarithmic as it enters ours/subtracted: good pulls are n - K at most."""
    R, x1, x2, i, eta, down, up, made, most, rest = sp.symbols("R x1 x2 i eta down up made most rest")
    free = dict.fromkeys((R, x1, x2, i, eta, down, up, made, most, rest), at_least(0))
    return proof(
        Goal(
            Rel((up - down + eta) * made, "<=", up * most + eta * (made + rest)),
            free,
            (Rel(made, "<=", most),),
            "one arm: Delta = (up - down) + eta with up = (Delta - eta)^+, made good pulls of at most `most`; "
            "made + rest = n - K",
        ),
        Goal(
            Rel(R, "<=", i * x1 + (1 - i) * x2),
            free,
            (Rel(R, "<=", x1), Rel(R, "<=", x2), Rel(i, "<=", 1)),
            "between two bounds lies a bound; the least is one of them",
        ),
    )
