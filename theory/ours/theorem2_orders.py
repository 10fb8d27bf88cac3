"""Theorem 2 repaired: the orders in n that follow from its bound."""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.kernel.rules import Limit

x, k, a = sp.symbols("x k a")


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
