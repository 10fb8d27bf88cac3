"""Section 5.1 (`sec:discussion`): rates, the role of a, and how the bound depends on sigma_0."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import everywhere, exactly
from theory.kernel.rules import (
    Applied,
    Cases,
    Instance,
    Limit,
    Monotone,
    Restated,
    Rises,
    applied,
    instance,
    restated,
    uses,
)
from theory.model import bound_formulas as bounds
from theory.model.arms import ARMS_LETTER, HORIZON, LETTERS, J, Wo, arm_goal, n, s, s0
from theory.model.arms import K as ALL_ARMS
from theory.model.play import COUNT, WORDS, K, N, a
from theory.model.quantities import W_K
from theory.model.regret import E_K, R_N
from theory.model.regret import WORDS as REGRET_WORDS
from theory.model.regret_bounds import B_1, B_2, ELL, PARAMETERS, T_1, T_2, C, G
from theory.model.statistics import E, Variance, mu_hat, rbar_0, rbar_k
from theory.ours.root_series import linked
from theory.ours.sharp import PRODUCT
from theory.ours.theorem_gaussian import SEVERAL, named_ratio
from theory.paper.section5.order import below, rooted, summed, times

b, c, r, u, v, x, y, z, L = sp.symbols("b c r u v x y z L")
rho = s / s0
log_n = sp.log(N)
M, ROUNDS = sp.symbols("m n")
SIZES = {x: PARAMETERS[x] for x in (K, s0, s)}


def leading_order(power: sp.Expr) -> Restated:
    """The leading term is at most K^power 2 sqrt(a G (sigma_0^2 + sigma^2) n log n), power 1/2 or 1: beta sigma_0^2 K
    is K sigma_0^2 + sigma^2."""
    square = Goal(Rel(K * s0 + s, "<=", K ** (2 * power) * (s0 + s)), SIZES, name="under the root")
    bound = K**power * sp.sqrt(N) * 2 * sp.sqrt(a * G * (s0 + s) * log_n)
    return rooted(square, 4 * a * G * N * log_n, Rel(ELL, "<=", bound), "leading term")


def tail_order() -> Restated:
    """The tail is at most K times that of one arm: K + rho <= K (1 + rho)."""
    arms = Goal(Rel(K + rho, "<=", K * (1 + rho)), SIZES, name="K + rho")
    factor = T_1 / (K + rho)
    return times(arms, factor, Rel(T_1, "<=", K * sp.sqrt(N) * 2 * C.xreplace({K: 1})), "tail")


def one_round() -> Applied:
    """R_1 = sigma_0 e_K <= sigma_0 sqrt(2 K): e_K <= sqrt(2 log(K + 1))."""
    tangent = uses("ours/logarithm-bounds", {y: K}, item="log(1+y) <= y", domain={K: COUNT})
    logs = restated(tangent, Rel(sp.log(1 + K), "<=", K), "log(1 + K) <= K")
    roots = Monotone(logs, sp.sqrt(2) * sp.sqrt(x), x, {x: positive()}, name="square roots")
    largest = linked(uses("ours/e_K/steps", item="K >= 1"), roots, domain=SEVERAL, name="e_K")
    at = {x: sp.sqrt(s0), y: E_K, z: largest.concludes.rel.stated[1]}
    scaled = applied(PRODUCT, at, largest, domain=SEVERAL, name="times sigma_0")
    blind = uses("sec:analysis/round-robin", {N: 1}, item="the first rounds")
    return linked(blind, scaled, domain=SEVERAL, name="one round")


@claim("sec:discussion/rate-1", by="paper", line=303, kind="prose")
def rate_one() -> Argument:
    """From n = 2 on by the bound: beta sigma_0^2 K = K sigma_0^2 + sigma^2 is at most K^2 (sigma_0^2 + sigma^2), and K
    + rho at most K (1 + rho). One round costs sigma_0 e_K."""
    lead, tail = leading_order(sp.Integer(1)), tail_order()
    rate = K * sp.sqrt(N) * 2 * (sp.sqrt(a * G * (s0 + s) * log_n) + C.xreplace({K: 1}))
    order = summed(lead, tail, Rel(B_1, "<=", rate), "order of the bound")
    return proof(
        linked(uses("them-R-Bayes/repaired"), order, domain=SEVERAL, name="order of the regret"),
        one_round(),
        letters=REGRET_WORDS,
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
    """The regret is of this order, and so is the leading term of the bound, but the bound does not show it for every K
    and n: its tail is of order K, within C sqrt(K n) only while K <= C^2 n. With more arms than rounds the bound is
    larger than sqrt(K n), and the regret is known without it."""
    arms, rounds, C = sp.symbols("K horizon C")
    free = {arms: at_least(1, integer=True), rounds: at_least(1, integer=True), C: positive()}
    return gap(
        Goal(
            Rel(arms**2, "<=", C**2 * arms * rounds),
            free,
            name="(order of the tail)^2 against (C sqrt(K n))^2",
            letters={**ARMS_LETTER, rounds: HORIZON, C: Letter(C, "any constant")},
        ),
        premises=(leading_order(sp.Rational(1, 2)),),
        letters=WORDS,
        fails_iff=Rel(arms, ">", C**2 * rounds),
        fails_when="the step from the bound to the rate: K > C^2 n, whatever the constant C",
    )


@claim(
    "sec:discussion/rate-2/repaired",
    by="us",
    kind="prose",
    repairs="sec:discussion/rate-2",
)
def rate_two() -> Argument:
    """With n >= K, K + rho <= K (1 + rho) <= (1 + rho) sqrt(K n). With 2 <= n <= K no tail is needed, as the first K
    rounds cost less than the leading term. One round costs sigma_0 e_K."""
    half, one, wide = sp.Rational(1, 2), C.xreplace({K: 1}), {**SEVERAL, a: at_least(2)}
    lead, enough, short = leading_order(half), Rel(K, "<=", N), Rel(N, "<=", K)
    arms = Goal(Rel((K + rho) ** 2, "<=", (1 + rho) ** 2 * K * N), {**SIZES, N: COUNT}, (enough,), "K + rho, squared")
    rest = sp.sqrt(K * N) * (1 + log_n) * one
    tail = rooted(arms, (T_2 / (K + rho)) ** 2, Rel(T_2, "<=", rest), "tail")
    rate = sp.sqrt(K * N) * (2 * sp.sqrt(a * G * (s0 + s) * log_n) + (1 + log_n) * one)
    order = summed(tail, lead, Rel(B_2, "<=", rate), "order of the bound")
    bound = uses("them-R-Bayes/part-2/repaired")
    many = linked(bound, order, domain=wide, given=(short.negation,), name="order of the regret")
    numbers = {**dict.fromkeys((u, v, x, y), real()), z: positive()}
    links = (Rel(u, "<=", v), Rel(v, "=", x), Rel(x, "<=", y))
    more = Goal(Rel(u, "<=", y + z), numbers, links, "and the tail")
    blind, named = uses("them-R-Bayes/repaired/short-horizons", item="regret"), named_ratio()
    at = {u: R_N, v: named.concludes.rel.stated[0], x: ELL, y: lead.rel.stated[1], z: rest}
    few = applied(more, at, blind, named, lead, domain=wide, given=(short,), name="few rounds")
    return proof(
        Cases(short, restated(few, Rel(R_N, "<=", rate), "few rounds"), many, "order of the regret"),
        one_round(),
        letters=REGRET_WORDS,
    )


@claim("sec:discussion/sublinear", by="paper", line=303, kind="limit")
def sublinear() -> Argument:
    """Both bounds are of the order of sqrt(n) times a logarithm, and the regret is at most the first."""
    limits = (Limit(bound / N, N, sp.Integer(0), PARAMETERS, f"part ({i})") for i, bound in ((1, B_1), (2, B_2)))
    return proof(uses("them-R-Bayes/repaired"), *limits, letters=REGRET_WORDS)


@claim(
    "sec:discussion/increase-in-a",
    by="paper",
    line=303,
    kind="prose",
    cites=("them-R-Bayes/repaired", "them-R-Bayes/part-2/repaired"),
)
def increase_in_a() -> Argument:
    """The leading term is proportional to sqrt(a), the tails do not contain a."""
    widths = {a: positive(), b: positive()}
    order = Goal(Rel(a, "<=", b), widths, (Rel(a, "<=", b),), "widths")
    lead = rooted(order, ELL**2 / a, Rel(ELL, "<=", ELL.xreplace({a: b})), "leading term", widths)
    return proof(
        below(lead, T_1, Rel(B_1, "<=", B_1.xreplace({a: b})), "part (1)"),
        below(lead, T_2, Rel(B_2, "<=", B_2.xreplace({a: b})), "part (2)"),
        letters={**WORDS, b: Letter(b, "a larger width")},
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
            letters={**ARMS_LETTER, n: HORIZON},
        ),
        premises=(smallest_width(1), smallest_width(2)),
        letters=WORDS,
        fails_when="(sqrt 2 - 1) (leading term at a = 1) < tail (1) - tail (2): many arms",
    )


def smallest_width(part: int) -> Instance:
    """Part (1) at a = 1, or part (2) at a = 2, is at most the same part at any a that it allows."""
    rises = uses("sec:discussion/increase-in-a", item=f"part ({part})")
    return instance(rises, {a: part, b: a}, {**PARAMETERS, a: at_least(part)}, name=f"the smallest a of part ({part})")


@claim(
    "sec:discussion/choice-of-a/repaired",
    by="us",
    kind="prose",
    repairs="sec:discussion/choice-of-a",
)
def choice() -> Argument:
    """Within a part the smallest a is best. The difference of the tails grows like K, that of the leading terms like
    sqrt(K), so from some K on part (2) at a = 2 is the smaller bound. 2x - 2 - 2 log x is 0 at x = 1 and rises, x =
    sqrt(n)."""
    free = dict.fromkeys((c, r, L), positive())
    rises = Rises(2 * x - 2 - 2 * sp.log(x), x, sp.Integer(1), {x: at_least(1)}, "2x - 2 - 2 log x")
    tails = Goal(Rel(2 * r * c - (1 + L) * c, "=", c * (2 * r - 1 - L)), free, name="tails")
    apart = Goal(Rel(c * (2 * r - 1 - L), ">=", c), free, (Rel(2 * r - 2 - L, ">=", 0),), "tails")
    above = Monotone(Goal(Rel(1, "<=", N), {N: COUNT}, name="a round"), sp.sqrt(x), x, {x: positive()}, name="sqrt(n)")
    rooted_n = applied(rises, {x: sp.sqrt(N)}, above, domain=PARAMETERS, name="at x = sqrt(n)")
    at = {c: C, r: sp.sqrt(N), L: log_n}
    difference = C * (2 * sp.sqrt(N) - 1 - log_n)
    first, second = (ELL.xreplace({a: sp.Integer(m)}) for m in (1, 2))
    twice = Goal(Rel(r * c - c, "=", (r - 1) * c), free, name="leading terms")
    return proof(
        *(smallest_width(part) for part in (1, 2)),
        restated(instance(tails, at, PARAMETERS), Rel(T_1 - T_2, "=", difference), "difference of the tails"),
        applied(apart, at, rooted_n, domain=PARAMETERS, name="of order K"),
        restated(
            instance(twice, {c: first, r: sp.sqrt(2)}, PARAMETERS),
            Rel(second - first, "=", (sp.sqrt(2) - 1) * first),
            "leads",
        ),
        instance(leading_order(sp.Rational(1, 2)), {a: sp.Integer(1)}, PARAMETERS, name="of order sqrt(K)"),
        letters=WORDS,
    )


@claim(
    "sec:discussion/weighted-sum",
    by="paper",
    line=303,
    kind="identity",
    cites=("blup",),
)
def weighted_sum() -> Argument:
    """As defined: the difference has mean square 0, and both weights are positive."""
    difference = mu_hat - ((1 - W_K) * rbar_0 + W_K * rbar_k)
    return proof(
        arm_goal(E(difference**2), "=", 0, name="the estimate is the weighted sum"),
        arm_goal(W_K, "<", 1, name="below 1"),
        arm_goal(W_K, ">", 0, name="above 0"),
    )


@claim(
    "sec:discussion/variance-of-term-1",
    by="paper",
    line=303,
    kind="prose",
    severity="wording",
    cause="not-linear",
    says=r"\text{Var}(\bar r_0)\ \text{is linear in}\ \sigma_0^2",
    cites=("r0-estimator",),
)
def printed_linear_variance() -> Argument:
    """Not linear, but between two lines of slope 1/K, so that what is meant is right. With equal counts it is affine in
    sigma_0^2; with different counts it bends: two arms pulled once and twice,
    sigma = 1, have variances 6/7, 15/11 and 28/15 at sigma_0^2 = 1, 2, 3, which lie on no line."""
    x, y, d = sp.symbols("x y d")  # sigma^2/n_1, sigma^2/n_2, a step of sigma_0^2

    def variance(spread: sp.Expr) -> sp.Expr:
        return 1 / (1 / (spread + x) + 1 / (spread + y))

    printed = Goal(
        Rel(variance(s0) + variance(s0 + 2 * d), ">=", 2 * variance(s0 + d)),
        dict.fromkeys((x, y, d, s0), positive()),
        name="no bend between three values, two arms",
        letters={
            s0: LETTERS[s0],
            x: Letter(x, "sigma^2/n_1"),
            y: Letter(y, "sigma^2/n_2"),
            d: Letter(d, "a step of sigma_0^2"),
        },
    )
    averages = {x: sp.Symbol("sigma_sq") / sp.Symbol("n_1"), y: sp.Symbol("sigma_sq") / sp.Symbol("n_2")}
    return refuted(
        printed,
        at=Point(
            {x: sp.Integer(1), y: sp.Rational(1, 2), d: sp.Integer(1), s0: sp.Integer(1)},
            {"K": "2", "n": ["1", "2"], "sigma_sq": "1", "sigma0_sq": "1"},
            averages,
        ),
        region=exactly(printed, Rel((x - y) ** 2, ">", 0)),
        fails_when="K = 2: whenever the two counts differ",
    )


@claim(
    "sec:discussion/variance-of-term-1/repaired",
    by="us",
    kind="prose",
    cites=("r0-estimator",),
    repairs="sec:discussion/variance-of-term-1",
)
def linear_variance() -> Argument:
    """Affine in sigma_0^2 with slope 1/K when all counts are equal; in general between two lines of that slope."""
    equal = Variance(rbar_0).xreplace({Wo: J * W_K})
    return proof(
        arm_goal(s0 / ALL_ARMS, "<", Variance(rbar_0), name="below"),
        arm_goal(Variance(rbar_0), "<=", (s0 + s) / ALL_ARMS, name="above"),
        arm_goal(equal, "=", (s0 + s / n) / ALL_ARMS, name="equal counts"),
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
    """Twice sigma_0 makes the tail less than twice as large, 1.54 times at Fig. 1(a) (the sides are squares). As
    sigma_0 tends to 0, where the regret vanishes, the tail even grows like sigma^2/sigma_0, and the leading term tends
    to 2 n sigma sqrt(a log n)."""
    tail_sq = (K + rho) ** 2 * s0 * s / (s0 + s)
    printed = Goal(
        Rel(tail_sq.subs(s0, 4 * s0), "=", 4 * tail_sq),
        SIZES,
        name="twice sigma_0, twice the tail (squared)",
        letters={**LETTERS, **ARMS_LETTER},
    )
    return refuted(
        printed,
        region=everywhere(printed),
        at=Point(
            {K: sp.Integer(10), s: sp.Integer(1), s0: sp.Integer(1)}, {"K": "10", "sigma_sq": "1", "sigma0_sq": "1"}
        ),
        fails_when="always, for sigma > 0: with twice sigma_0 the tail is less than twice as large",
    )


@claim(
    "sec:discussion/linear-in-sigma0/repaired",
    by="us",
    kind="prose",
    cites=("them-R-Bayes/repaired",),
    repairs="sec:discussion/linear-in-sigma0",
)
def linear_bound() -> Argument:
    """sigma_0 enters through sigma_0^2 + sigma^2/K and the logarithms, whose ratio G is at least 1; linear growth is
    the limit of large sigma_0, where G tends to 1."""
    squares = Goal(Rel(K * s0 + s, "=", (s0 + s / K) * K), SIZES, name="leading term, squared")
    logs = uses("them-R-Bayes/repaired/logarithms", {M: s0 / s, ROUNDS: N}, domain=PARAMETERS)
    ratio = Goal(Rel(x / y, ">=", 1), {x: positive(), y: positive()}, (Rel(y, "<=", x),), "a ratio")
    at = {x: sp.log(1 + N * s0 / s), y: sp.log(1 + s0 / s)}
    large = restated(applied(ratio, at, logs, domain=PARAMETERS), Rel(G, ">=", 1), "ratio of the logarithms")
    free = {**dict.fromkeys((x, y, z), positive()), u: at_least(0)}
    linear = Goal(Rel(x * y * (z + u), ">=", x * z), free, (Rel(y, ">=", 1),), "at least linear")
    at = {x: 4 * a * K * N * log_n, y: G, z: s0, u: s / K}
    least = Goal(Rel(K, "<=", K + rho), SIZES, name="K + rho")
    tail = Rel(K * sp.sqrt(8 * N / sp.pi) * sp.sqrt(s0 * rho / (1 + rho)), "<=", T_1)
    leading, leading_least = 4 * a * G * (s0 + s / K) * K * N * log_n, 4 * a * s0 * K * N * log_n
    return proof(
        times(squares, 4 * a * G * N * log_n, Rel(ELL**2, "=", leading), "leading term, squared"),
        restated(applied(linear, at, large, domain=PARAMETERS), Rel(ELL**2, ">=", leading_least), "at least linear"),
        large,
        times(least, T_1 / (K + rho), tail, "tail"),
        letters=WORDS,
    )
