"""Section 5.1 (`sec:discussion`): rates, the role of a, and how the bound depends on sigma_0."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, Item, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive
from theory.kernel.region import everywhere, exactly
from theory.kernel.rules import Limit
from theory.model import bound_formulas as bounds
from theory.model.arms import V0, K, arm_goal, s, s0, w
from theory.ours import assembly as theorem1

# K, n, two values of a, log n, a constant, log(1+n/rho), log(1+1/rho)
k, N, a, b, L, C, big, ell = sp.symbols("K horizon a b L C big ell")
rho = s / s0
SIZES = {
    k: at_least(1, integer=True),
    N: at_least(1, integer=True),
    s: positive(),
    s0: positive(),
    L: at_least(0),
    a: positive(),
    big: positive(),
    ell: positive(),
}
leading_sq = 4 * a * (big / ell) * (1 + rho / k) * s0 * k * N * L


@claim(
    "sec:discussion/rate-1",
    by="paper",
    line=303,
    kind="prose",
    says=r"a\ge1,\ n\ge1:\quad R_n=O(K\sqrt n)\ \text{up to logarithms of}\ n,\ \text{at fixed variances}",
    uses=("them-R-Bayes/repaired", "sec:analysis/round-robin", "ours/e_K"),
)
def rate_one() -> Argument:
    """From n = 2 on by the bound: beta sigma_0^2 K = K sigma_0^2 + sigma^2 is at most K^2 (sigma_0^2 + sigma^2), and
    K + rho at most K (1 + rho). One round costs sigma_0 e_K <= sigma_0 sqrt(2 log K) <= sigma_0 K."""
    return proof(
        Goal(Rel(leading_sq, "<=", 4 * a * (big / ell) * L * (s0 + s) * k**2 * N), SIZES, name="leading term, squared"),
        Goal(Rel(k + rho, "<=", k * (1 + rho)), SIZES, name="tail"),
        *one_round(),
        Goal(Rel(k, "<=", k**2), SIZES, name="and K at most K^2"),
    )


def one_round() -> tuple[Item, ...]:
    """R_1^2 = sigma_0^2 e_K^2 <= 2 sigma_0^2 log K <= sigma_0^2 K: x - 2 log x is positive at 2 and rises."""
    x = sp.Symbol("x")
    return (
        *rises_from(x - 2 * sp.log(x), x, sp.Integer(2), {x: at_least(2)}, "n = 1: 2 log K <= K, K >= 2"),
        Goal(Rel(0, "<=", k), SIZES, name="n = 1, K = 1: the logarithm is 0"),
    )


@claim(
    "sec:discussion/rate-2",
    by="paper",
    line=303,
    kind="prose",
    severity="argument",
    cause="leading-term-only",
    says=r"a\ge2:\quad R_n=O(\sqrt{Kn})\ \text{up to logarithms of}\ n,\ \text{which bound (2) shows}",
    cites=("them-R-Bayes/part-2",),
)
def printed_rate_two() -> Argument:
    """The regret is of this order, but the bound does not show it for every K and n: its tail is of order K, within C
    sqrt(K n) only while K <= C^2 n. With more arms than rounds the bound is larger than sqrt(K n), and the regret is
    known without it."""
    arms, rounds = sp.symbols("K horizon")
    free = {arms: at_least(1, integer=True), rounds: at_least(1, integer=True), C: positive()}
    return gap(
        Goal(Rel(arms**2, "<=", C**2 * arms * rounds), free, name="(order of the tail)^2 against (C sqrt(K n))^2"),
        premises=(Rel(arms, ">=", 1), Rel(rounds, ">=", 1)),
        fails_iff=Rel(arms, ">", C**2 * rounds),
        fails_when="the step from the bound to the rate: K > C^2 n, whatever the constant C",
    )


@claim(
    "sec:discussion/rate-2/repaired",
    by="us",
    kind="prose",
    says=r"a\ge2,\ K\ge1:\quad R_n\le\sqrt{Kn}\left(2\sqrt{aG(\sigma_0^2+\sigma^2)\log n}+(1+\rho)(1+\log n)"
    r"\sqrt{\frac{2\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}}+\sigma_0\right)\ "
    r"\text{for every}\ n\ge1",
    uses=(
        "them-R-Bayes/part-2/repaired",
        "them-R-Bayes/repaired/short-horizons",
        "sec:analysis/round-robin",
        "ours/e_K",
    ),
    repairs="sec:discussion/rate-2",
)
def rate_two() -> Argument:
    """With n >= K, K + rho <= K (1 + rho) <= (1 + rho) sqrt(K n). With 2 <= n < K no tail is needed, as the first K
    rounds cost less than the leading term. One round costs sigma_0 e_K <= sigma_0 sqrt(K)."""
    free = {k: at_least(1, integer=True), N: at_least(1, integer=True), s: positive(), s0: positive()}
    return proof(
        Goal(Rel((k + rho) ** 2, "<=", (1 + rho) ** 2 * k * N), free, (Rel(N, ">=", k),), "tail, n >= K, squared"),
        Goal(Rel((1 + rho / k) * s0 * k * N, "<=", (s0 + s) * k * N), free, name="leading term"),
        *one_round(),
    )


@claim(
    "sec:discussion/sublinear",
    by="paper",
    line=303,
    kind="limit",
    says=r"\text{bound}/n\to0\ \text{as}\ n\to\infty\ \text{for every}\ a\ge1",
    uses=("them-R-Bayes/repaired",),
)
def sublinear() -> Argument:
    """Both squared terms over n^2 are logarithms over n."""
    x, m = sp.symbols("x m")
    sizes = {x: Var(sp.Integer(1), strict=True), m: positive()}
    return proof(
        Limit(sp.log(1 + m * x) * sp.log(x) / x, x, sp.Integer(0), sizes, "log(1+mn) log(n)/n tends to 0"),
        Limit(x / x**2, x, sp.Integer(0), sizes, "n/n^2 tends to 0"),
        Goal(
            Rel(leading_sq / N**2, "=", 4 * a / ell * (1 + rho / k) * s0 * k * (big * L / N)),
            SIZES,
            name="leading term over n, squared",
        ),
    )


@claim(
    "sec:discussion/increase-in-a",
    by="paper",
    line=303,
    kind="prose",
    says=r"\text{each bound rises with}\ a",
    uses=("them-R-Bayes/repaired", "them-R-Bayes/part-2/repaired"),
)
def increase_in_a() -> Argument:
    """The leading term is proportional to sqrt(a), the tails do not contain a."""
    return proof(
        Goal(
            Rel(leading_sq, "<=", leading_sq.subs(a, b)),
            {**SIZES, b: positive()},
            (Rel(a, "<=", b),),
            "leading term, squared",
        )
    )


@claim(
    "sec:discussion/choice-of-a",
    by="paper",
    line=303,
    kind="prose",
    severity="argument",
    cause="leading-term-only",
    says=r"\text{both bounds rise with}\ a,\ \text{which suggests}\ a=1:\ \text{bound (1) at}\ "
    r"a=1\le\text{bound (2) at}\ a=2",
    cites=("sec:discussion/increase-in-a",),
)
def printed_choice() -> Argument:
    """A suggestion, whose reason does not carry it: bound (2) at a = 2 has a larger leading term but a far smaller
    tail, and with many arms it is the smaller bound."""
    K, n = sp.symbols("K horizon")
    first, second = (sum(bounds.theorem1(K, n, sp.Integer(1), sp.Integer(1), sp.Integer(a), a)) for a in (1, 2))
    return gap(
        Goal(
            Rel(first, "<=", second),
            {K: at_least(1, integer=True), n: at_least(2, integer=True)},
            name="sigma = sigma_0 = 1",
        ),
        premises=(Rel(K, ">=", 1), Rel(n, ">=", 2)),
        fails_when="(sqrt 2 - 1) (leading term at a = 1) < tail (1) - tail (2): many arms",
    )


@claim(
    "sec:discussion/choice-of-a/repaired",
    by="us",
    kind="prose",
    says=r"\text{within a part the smallest}\ a\ \text{is best; the tails differ by}\ T_1-T_2=(K+\rho)"
    r"\sqrt{\frac{2\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}}\,(2\sqrt n-1-\log n)>0,"
    r"\ \text{the leading terms at}\ a=1,2\ \text{by}\ (\sqrt2-1)\ell,\ \ell=O(\sqrt K)",
    uses=("sec:discussion/increase-in-a",),
    repairs="sec:discussion/choice-of-a",
)
def choice() -> Argument:
    """The tails' difference grows like K, the leading terms' like sqrt(K); so from some K on part (2) at a = 2 is the
    smaller bound. 2x - 1 - 2 log x is 1 at x = 1 and rises, x = sqrt(n)."""
    x = sp.Symbol("x")
    one, two = (theorem1.stated(bounds.theorem1, part, theorem1.q)[1] for part in (1, 2))
    factor = theorem1.K * theorem1.q**2 * (2 * theorem1.spread / theorem1.p)
    return proof(
        Goal(Rel(leading_sq.subs(a, 1), "<=", leading_sq), SIZES, (Rel(a, ">=", 1),), "part (1)"),
        Goal(Rel(leading_sq.subs(a, 2), "<=", leading_sq), SIZES, (Rel(a, ">=", 2),), "part (2)"),
        Goal(
            Rel(one - two, "=", factor * (2 * theorem1.root - 1 - theorem1.log_n)),
            theorem1.ROOTS,
            name="difference of the tails: K + rho = K beta, p = sqrt(2 pi), spread^2 = sigma^2/(1+rho)",
        ),
        *rises_from(2 * x - 1 - 2 * sp.log(x), x, sp.Integer(1), {x: at_least(1)}, "2x - 1 - 2 log x"),
        Goal(
            Rel(leading_sq, "<=", k * (4 * a * (big / ell) * (s0 + s) * N * L)),
            SIZES,
            name="leading term, squared: of order K",
        ),
    )


@claim(
    "sec:discussion/weighted-sum",
    by="paper",
    line=303,
    kind="identity",
    says=r"\hat\mu_k=(1-w_k)\bar r_0+w_k\bar r_k,\ \text{weights in}\ (0,1)\ \text{that add up to}\ 1",
    cites=("blup",),
)
def weighted_sum() -> Argument:
    """As defined."""
    return proof(
        arm_goal((1 - w) + w, "=", 1, name="weights"),
        arm_goal(w, "<", 1, name="below 1"),
        arm_goal(w, ">", 0, name="above 0"),
    )


@claim(
    "sec:discussion/variance-of-term-1",
    by="paper",
    line=303,
    kind="prose",
    severity="argument",
    cause="not-linear",
    says=r"\text{Var}(\bar r_0)\ \text{is linear in}\ \sigma_0^2",
    cites=("r0-estimator",),
)
def printed_linear_variance() -> Argument:
    """With equal counts it is affine in sigma_0^2; with different counts it bends: two arms pulled once and twice,
    sigma = 1, have variances 6/7, 15/11 and 28/15 at sigma_0^2 = 1, 2, 3, which lie on no line."""
    x, y, d = sp.symbols("x y d")  # sigma^2/n_1, sigma^2/n_2, a step of sigma_0^2

    def variance(spread: sp.Expr) -> sp.Expr:
        return 1 / (1 / (spread + x) + 1 / (spread + y))

    printed = Goal(
        Rel(variance(s0) + variance(s0 + 2 * d), ">=", 2 * variance(s0 + d)),
        dict.fromkeys((x, y, d, s0), positive()),
        name="no bend between three values, two arms",
    )
    averages = {x: s / sp.Symbol("n_1"), y: s / sp.Symbol("n_2")}
    return refuted(
        printed,
        at=Point(
            {x: sp.Integer(1), y: sp.Rational(1, 2), d: sp.Integer(1), s0: sp.Integer(1)},
            {"K": "2", "n": ["1", "2"], "sigma_sq": "1", "sigma0_sq": "1 (and 2, 3)"},
        ),
        region=exactly(printed, Rel((x - y) ** 2, ">", 0), averages),
        fails_when="K = 2: whenever the two counts differ",
    )


@claim(
    "sec:discussion/variance-of-term-1/repaired",
    by="us",
    kind="prose",
    says=r"\sigma_0^2/K<\text{Var}(\bar r_0)\le(\sigma_0^2+\sigma^2)/K;\quad\text{equal counts}\ n:\ "
    r"(\sigma_0^2+\sigma^2/n)/K",
    cites=("r0-estimator",),
    repairs="sec:discussion/variance-of-term-1",
)
def linear_variance() -> Argument:
    """Affine in sigma_0^2 with slope 1/K when all counts are equal; in general between two lines of that slope."""
    equal = s0 / (k * (N * s0 / (N * s0 + s)))
    return proof(
        arm_goal(s0 / K, "<", V0, name="below"),
        arm_goal(V0, "<=", (s0 + s) / K, name="above"),
        Goal(Rel(equal, "=", (s0 + s / N) / k), SIZES, name="equal counts"),
    )


@claim(
    "sec:discussion/linear-in-sigma0",
    by="paper",
    line=303,
    kind="prose",
    severity="argument",
    cause="not-linear",
    says=r"\text{the bound depends linearly on}\ \sigma_0",
    cites=("them-R-Bayes",),
)
def printed_linear_bound() -> Argument:
    """The tail does not even fall with sigma_0: it grows like sigma^2/sigma_0 as sigma_0 tends to 0, where the regret
    vanishes; and the leading term then tends to 2 n sigma sqrt(a log n)."""
    tail_sq = (k + rho) ** 2 * s0 * s / (s0 + s)
    printed = Goal(
        Rel(tail_sq.subs(s0, 4 * s0), "=", 4 * tail_sq), SIZES, name="twice sigma_0, twice the tail (squared)"
    )
    return refuted(
        printed,
        region=everywhere(printed),
        at=Point(dict.fromkeys((k, s, s0), sp.Integer(1)), {"K": "1", "sigma_sq": "1", "sigma0_sq": "1"}),
        fails_when="always, for sigma > 0: with twice sigma_0 the tail is less than twice as large",
    )


@claim(
    "sec:discussion/linear-in-sigma0/repaired",
    by="us",
    kind="prose",
    says=r"\text{leading}^2=4aG(\sigma_0^2+\sigma^2/K)Kn\log n\ge4\sigma_0^2aKn\log n,\ "
    r"G=\frac{\log(1+n/\rho)}{\log(1+1/\rho)}\ge1;"
    r"\quad\text{tail}\ge K\sigma_0\sqrt{8n/\pi}\sqrt{\rho/(1+\rho)}",
    uses=("them-R-Bayes/repaired", "them-R-Bayes/repaired/logarithms"),
    repairs="sec:discussion/linear-in-sigma0",
)
def linear_bound() -> Argument:
    """sigma_0 enters through sigma_0^2 + sigma^2/K and the logarithms; linear growth is the limit of large sigma_0,
    where G tends to 1."""
    return proof(
        Goal(Rel(leading_sq, "=", 4 * a * (big / ell) * (s0 + s / k) * k * N * L), SIZES, name="leading term"),
        Goal(Rel(leading_sq, ">=", 4 * a * s0 * k * N * L), SIZES, (Rel(big, ">=", ell),), "at least linear"),
        Goal(Rel((k + rho) ** 2 * s0 * s / (s0 + s), ">=", k**2 * s0 * rho / (1 + rho)), SIZES, name="tail, squared"),
    )
