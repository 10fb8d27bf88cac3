"""Theorem 2 repaired, the route without the prior: sums of noise stay below lines, whatever the counts; and the orders
in n that follow.
"""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.classical import VILLE
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Limit, Rises, cited, follows
from theory.kernel.terms import Event, Mean
from theory.model import bound_formulas as bounds
from theory.model.arms import arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w

L, x, y, k, t, a = sp.symbols("L x y k t a")


@claim(
    "them-R-Bayes-SubR/repaired/peeling",
    by="us",
    kind="step",
    says=r"y>0:\ \text{but for probability}\ 2K\left(1+\frac{\log t}{4y}\right)e^{-L}\ \text{all sums of}\ n\le t\ "
    r"\text{noises stay}\ |S_{k,n}|\le\cosh(y)\,\sigma\sqrt{2Ln}",
    uses=("sec:fact/1",),
)
def peeling() -> Argument:
    """exp(l S_n - l^2 sigma^2 n/2) is a supermartingale for every l, so the whole sum stays below the line L/l + l
    sigma^2 n/2 but for probability exp(-L). The line that touches sigma sqrt(2Ln) at n = m exceeds it by a factor of
    at most cosh(y) for m e^(-2y) <= n <= m e^(2y). Pieces of that kind, log t/(4y) of them, cover 1, ..., t. The price
    of all counts at once is a power of log t, not t."""
    p, r, b, sigma, z = sp.symbols("p r b sigma z")  # roots of m, n/m; e^y; sigma; sqrt(2L)
    free = {**dict.fromkeys((p, r, sigma, z), positive()), b: at_least(1), x: at_least(0), y: positive()}
    slope = z / (sigma * p)
    moment, v, pieces, o = sp.symbols("moment v pieces o")
    chance = Mean(Event(sp.Function("S")(o), 1), o)  # the sum of noise, less the line
    line = cited(
        VILLE,
        hypotheses=(
            Goal(
                Rel(moment * sp.exp(-v), "<=", 1),
                {moment: positive(), v: positive()},
                (Rel(moment, "<=", sp.exp(v)),),
                "one step: E exp(l noise) <= exp(v), v = l^2 sigma^2/2",
            ),
        ),
        gives=Goal(Rel(chance, "<=", sp.exp(-x)), {o: real(), x: positive()}, name="above a line"),
    )
    return proof(
        Goal(
            Rel((z**2 / 2) / slope + slope * sigma**2 * (p * r) ** 2 / 2, "=", sigma * z * (p * r) * (r + 1 / r) / 2),
            free,
            name="the line over the root",
        ),
        Goal(
            Rel((r + 1 / r) / 2, "<=", (b + 1 / b) / 2),
            free,
            (Rel(r, "<=", b), Rel(r * b, ">=", 1)),
            "at most cosh(y) on the piece, b = e^y",
        ),
        Goal(Rel((sp.log(p) + 2 * y) - (sp.log(p) - 2 * y), "=", 4 * y), free, name="length of a piece in log n: 4y"),
        follows(
            Rel(2 * k * pieces * chance, "<=", 2 * k * (1 + L / (4 * y)) * sp.exp(-x)),
            line,
            domain={
                k: at_least(1),
                pieces: at_least(0),
                o: real(),
                L: positive(),
                y: positive(),
                x: positive(),
            },
            given=(Rel(pieces, "<=", 1 + L / (4 * y)),),
            name="two signs, K arms and all pieces; L = log t, x the level",
        ),
    )


def cosh_squared() -> tuple[Item, ...]:
    """1/cosh(y)^2 >= 1 - y^2, that is tanh(y)^2 <= y^2: tanh starts at 0 with slope 1 - tanh^2 <= 1."""
    tanh = (sp.exp(x) - sp.exp(-x)) / (sp.exp(x) + sp.exp(-x))
    rises = Rises(x - tanh, x, sp.Integer(0), {x: at_least(0)}, "tanh(y) <= y", squares=(sp.exp(x) - sp.exp(-x),))
    return (rises,)


@claim(
    "them-R-Bayes-SubR/repaired/range-route",
    by="us",
    kind="step",
    says=r"u=a\log t,\ y=u^{-1/2},\ |\bar r_k-\mu_k|\le\cosh(y)\sigma\sqrt{2L/n_k},\ |\bar r_0-\mu_k|\le1"
    r"\ \Rightarrow\ (\hat\mu_k-\mu_k)^2\le\frac{2\cosh(y)^2\sigma^2L+\rho}{n_k+\rho}\le c_{k,t}^2\ \text{for}"
    r"\ 2\cosh(y)^2L=u-1/\sigma_0^2;\ \text{fails with probability}\ \le"
    r"2K\left(1+\frac{\log t\sqrt{a\log t}}4\right)e^{(1+1/\sigma_0^2)/2}t^{-a/2}",
    uses=("them-R-Bayes-SubR/support/repaired", "them-R-Bayes-SubR/repaired/peeling"),
)
def range_route() -> Argument:
    """Without the prior: the common mean is within 1 of every mean. A square of an average is at most the average of
    the squares. cosh(y)^2 <= 1/(1 - y^2), term by term, so L >= (u - 1/sigma_0^2 - 1)/2; where u < 1/sigma_0^2 the
    stated probability is above 1."""
    ell, H, U, A, j = sp.symbols("ell H U A j")  # log t, cosh(y)^2, a log t, 1/sigma_0^2
    level = (a * ell - 1 / s0) / (2 * H)
    widths = {a: positive(), ell: positive(), H: at_least(1)}
    sizes = {U: positive(), A: positive(), H: at_least(1), j: at_least(1)}
    return proof(
        arm_goal(
            w * x**2 + (1 - w) * y**2 - (w * x + (1 - w) * y) ** 2,
            "=",
            w * (1 - w) * (x - y) ** 2,
            extra={x: real(), y: real()},
            name="convexity",
        ),
        arm_goal(
            w * (2 * H * s * L / n) + (1 - w),
            "=",
            (2 * H * s * L + rho) / (n + rho),
            extra={L: positive(), H: at_least(1)},
            name="average of the squares",
        ),
        arm_goal(
            (2 * H * s * level + rho) / (n + rho),
            "=",
            a * ell * tau_tilde_sq,
            extra=widths,
            name="at this L: a log t tilde-tau^2",
        ),
        arm_goal(tau_tilde_sq, "<=", tau_sq, name="at most c^2"),
        *cosh_squared(),
        Goal(
            Rel((U - A) / H, ">=", U - A - 1),
            sizes,
            (Rel(U, ">=", A), Rel(1 / H, ">=", 1 - 1 / U)),
            "twice the exponent, y^2 = 1/u",
        ),
        Goal(Rel(1 + A - U, ">", 0), sizes, (Rel(U, "<", A),), "u < 1/sigma_0^2: the exponent is positive"),
        Goal(
            Rel(
                2 * k * (1 + sp.log(t) / (4 / sp.sqrt(a * sp.log(t)))) * sp.exp(-(a * sp.log(t) - 1 / s0 - 1) / 2),
                "=",
                bounds.failure_by_range(t, k, s0, a),
            ),
            {k: positive(), t: at_least(2), a: positive(), s0: positive()},
            name="the stated probability",
        ),
    )


@claim(
    "them-R-Bayes-SubR/part-2/repaired",
    by="us",
    kind="bound",
    says=r"C=2K\left(1+\frac{\log n\sqrt{a\log n}}4\right)e^{(1+1/\sigma_0^2)/2}:\quad a\ge2:\ "
    r"\text{the last sum is at most}\ C(1+\log n);\quad a\ge1:\ \text{at most}\ 2C\sqrt n",
    uses=("them-R-Bayes-SubR/repaired", "sec:proof/harmonic", "sec:proof/sum-root"),
    repairs="them-R-Bayes-SubR/part-2",
)
def part_two() -> Argument:
    """Compare exponents: -a/2 <= -1 for a >= 2 and <= -1/2 for a >= 1, as in Theorem 1, with no m; the number of
    pieces is largest at t = n; then the two sums over rounds."""
    ell, most, r, R, total, C, root = sp.symbols("ell most r R total C root")  # ell = log t, most = log n
    free = {
        a: positive(),
        total: positive(),
        C: positive(),
        root: positive(),
        **dict.fromkeys((ell, most, r, R), at_least(0)),
    }
    return proof(
        Goal(Rel(-a * ell / 2, "<=", -ell), free, (Rel(a, ">=", 2),), "exponent, a >= 2"),
        Goal(Rel(-a * ell / 2, "<=", -ell / 2), free, (Rel(a, ">=", 1),), "exponent, a >= 1"),
        Goal(
            Rel(1 + ell * r / 4, "<=", 1 + most * R / 4),
            free,
            (Rel(ell, "<=", most), Rel(r, "<=", R)),
            "pieces at t <= n",
        ),
        Goal(Rel(C * total, "<=", C * (1 + most)), free, (Rel(total, "<=", 1 + most),), "harmonic sum"),
        Goal(Rel(C * total, "<=", 2 * C * root), free, (Rel(total, "<=", 2 * root),), "sum of t^(-1/2)"),
    )


@claim(
    "them-R-Bayes-SubR/long-horizons/repaired",
    by="us",
    kind="bound",
    says=r"a\ge1,\ n>K:\quad R_n\le K+2\sqrt{\beta aG\sigma_0^2Kn\log n}+"
    r"4K\left(1+\frac{\log n\sqrt{a\log n}}4\right)e^{(1+1/\sigma_0^2)/2}\sqrt n",
    uses=("them-R-Bayes-SubR/repaired", "them-R-Bayes-SubR/part-2/repaired", "them-R-Bayes-SubR/leading/repaired"),
    repairs="them-R-Bayes-SubR/long-horizons",
)
def long_horizons() -> Argument:
    """The printed form with a larger last term, for every rho and every a >= 1 instead of a >= m: on the good event a
    round costs 2c, the widths add up as in them-R-Bayes-SubR/leading/repaired, the failures as in part (2). The order
    sqrt(n), up to logarithms, so holds for every a >= 1, and for no a < 1 (them-R-Bayes-SubR/lock-out/rate)."""
    start, met, fails, lead, tail = sp.symbols("start met fails lead tail")
    free = {**dict.fromkeys((start, met, fails, lead, tail), at_least(0)), k: at_least(1, integer=True)}
    return proof(
        Goal(
            Rel(start + 2 * met + fails, "<=", k + 2 * lead + tail),
            free,
            (Rel(start, "<=", k), Rel(met, "<=", lead), Rel(fails, "<=", tail)),
            "first rounds at most 1 each, widths by the leading term, failures by the last",
        )
    )


@claim(
    "them-R-Bayes-SubR/long-horizons/above-one",
    by="us",
    kind="bound",
    says=r"\text{for all}\ n\ge n_0(K,\sigma_0^2,\sigma^2,a):\ \text{the printed part (1) holds if}\ a\ge m\ "
    r"\text{and}\ a>1,\ \text{the printed part (2) always},\ \text{as}\ a\ge2m>1",
    uses=("them-R-Bayes-SubR/repaired", "them-R-Bayes-SubR/leading/repaired", "them-R-Bayes-SubR/m/range"),
)
def above_one() -> Argument:
    """For a > 1 the failures cost a power of n below 1/2, times logarithms. What the repaired theorem saves is more:
    sqrt(beta) stands in its leading term in the place of beta > 1, and part (1) has a last term of order sqrt(n). With
    claim them-R-Bayes-SubR/lock-out/rate: at long horizons part (1) is true for a > 1 and false for a < 1; how
    long they must be depends on exp(1/(2 sigma_0^2))."""
    b, ell, X, extra, tail, r, gain = sp.symbols("b ell X extra tail r gain")  # b = min(a, 3/2), r = sqrt(beta)
    free = {
        **dict.fromkeys((X, extra, tail), at_least(0)),
        r: at_least(1),
        ell: at_least(0),
        a: positive(),
        b: Var(sp.Integer(1), strict=True, high=sp.Rational(3, 2)),
        k: at_least(1, integer=True),
        x: positive(),
    }
    return proof(
        Goal(Rel(-a * ell / 2, "<=", -b * ell / 2), free, (Rel(b, "<=", a),), "t^(-a/2) <= t^(-b/2)"),
        antiderivative(
            x ** (1 - b / 2) / (1 - b / 2),
            x ** (-b / 2),
            x,
            {x: positive(), b: free[b]},
            "the falling t^(-b/2) adds up to at most n^(1-b/2)/(1-b/2)",
        ),
        Limit(
            ell ** sp.Rational(3, 2) * sp.exp(-gain * ell),
            ell,
            sp.Integer(0),
            {ell: positive(), gain: positive()},
            "n^(1-b/2) (log n)^(3/2) is small beside sqrt(n): ell = log n, gain = (b-1)/2",
        ),
        Limit(sp.exp(-ell / 2), ell, sp.Integer(0), {ell: positive()}, "K is small beside sqrt(n)"),
        Goal(
            Rel(2 * r * X + extra, "<=", 2 * r**2 * X + tail),
            free,
            (Rel(extra, "<=", tail),),
            "part (1): the rest is below its last term",
        ),
        Goal(
            Rel(2 * r * X + extra, "<=", 2 * r**2 * X + tail),
            free,
            (Rel(extra, "<=", 2 * (r**2 - r) * X),),
            "part (2): the rest is below what is saved",
        ),
        Goal(Rel(2 * k / (k + 1), ">=", 1), free, name="2m > 2K/(K+1) >= 1"),
    )
