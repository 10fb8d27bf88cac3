"""Section 5.2 (`sec:proof`): the third term, the best arm's error, to which the display of the second does not carry
over, though its result does, for the rounds t > K.

Two arms pulled 1 and N times, sigma = sigma_0 = a = 1, t = N + 2, equal estimates. The errors Y_k = mu_k - mu-hat_k are
jointly normal given the reward differences; Y_2, of the often pulled arm, leaves its interval now and then, and
whenever it does the best arm is likely to be arm 1, whose error is large.
"""

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, Item, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, exactly
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    Follows,
    Indicates,
    Instance,
    SumOver,
    Whether,
    applied,
    chain,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model.arms import s0
from theory.model.normal import phi, upper
from theory.model.play import COUNT, LATER, K, a, k, t, tau, width
from theory.model.round_errors import (
    ARM,
    BEST,
    BEST_IS_AN_ARM,
    ERRORS,
    FAILING,
    FAILING_IS_AN_ARM,
    GIVEN,
    ONE_OF_THEM,
    ROUND,
    SCALED,
    SOME_FAIL,
    WIDE,
    WIDEST,
    X,
    Z,
    beyond,
    d,
    e,
    fail_L,
    over,
    widest,
)
from theory.ours.root_series import linked
from theory.paper.section5.tails import AT_ONE_PULL, LEVEL, ROUNDS, over_rounds, widest_tau
from theory.paper.section5.two_arms import in_round_two
from theory.paper.section5.union_bound import gaussian, tail_area

N, x, L, r, ratio = sp.symbols("N x L r ratio")  # ratio = tau_2/tau_1 <= 1, r the correlation of the two errors
ONE, TWO = sp.Rational(1, 2), N / (N + 1)  # weights of arms pulled 1 and N times, sigma = sigma_0
VAR = [(1 - w) * (1 + (1 - w) / (ONE + TWO)) for w in (ONE, TWO)]
COV = (1 - ONE) * (1 - TWO) / (ONE + TWO)
PULLS = Letter(N, "number of pulls of the second arm; the first was pulled once")
DISPLAY = sum(map(sp.sqrt, VAR)) / sp.sqrt(2 * sp.pi * (N + 2))  # t^(-1/2)/sqrt(2 pi) times tau_1 + tau_2, t = N + 2


def surplus(level: sp.Expr, kappa: sp.Expr, correlation: sp.Expr) -> sp.Expr:
    """E[max(Y_1, Y_2) 1{Y_1 > c_1 or Y_2 > c_2}] less the display, over tau_1; widths of `level` deviations.

    D phi(0) Q(L D/q) - (kappa - r) phi(L) Q(L (kappa - r)/q) - (1 + r) phi(L) Q(L sqrt((1-r)/(1+r))), with
    D^2 = 1 - 2 r kappa + kappa^2, q^2 = 1 - r^2.
    """
    q = sp.sqrt(1 - correlation**2)
    apart, less = sp.sqrt(1 - 2 * correlation * kappa + kappa**2), kappa - correlation
    return (
        apart * phi(sp.Integer(0)) * upper(level * apart / q)
        - less * phi(level) * upper(level * less / q)
        - (1 + correlation) * phi(level) * upper(level * (1 - correlation) / q)
    )


def best_arms_error() -> sp.Expr:
    """The left side for counts 1 and N: the display and the surplus."""
    level, kappa = sp.sqrt(sp.log(N + 2)), sp.sqrt(VAR[1] / VAR[0])
    return DISPLAY + sp.sqrt(VAR[0]) * surplus(level, kappa, COV / sp.sqrt(VAR[0] * VAR[1]))


@claim(
    "sec:proof/third-term",
    by="paper",
    line=419,
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"\sum_{t=1}^nE[(\mu_*-\hat\mu_*)1\{\bar E_{L;t}\}]\ \text{obeys Eqs. term2}\ (a\ge1)\ \text{and term22}"
    r"\ (a\ge2)",
    cites=("regret-decom-upper-term2", "regret-decom-upper-term22"),
)
def printed_third_term() -> Argument:
    """The rounds t <= K break it as they break the second term. In round 2 of two arms both estimates are the one
    reward, so the best arm has the larger of the two errors: the fresh arm's, and where arm 1 is better, G^- more, G =
    mu_2 - mu_1; some interval fails then iff arm 1's does. So the third term is the second plus E G^- Q(sqrt(a log 2)),
    E G^- = sigma_0/sqrt(pi). (From round K+1 on it is true, though not by the display of the second term.)"""
    return in_round_two(1, 24, sp.sqrt(s0 / sp.pi) * upper(sp.sqrt(sp.log(2))), larger_error())


def larger_error() -> tuple[Item, ...]:
    """What the best arm's error has beyond the fresh arm's, in round 2 of two arms."""
    own, other, narrow, wide = sp.symbols("own other narrow wide")  # errors of arms 2 and 1, their widths
    free = dict.fromkeys((own, other, narrow, wide), real())
    return (
        Goal(
            Rel(other, ">", narrow),
            free,
            (Rel(own, ">", wide), Rel(own, "<=", other), Rel(narrow, "<=", wide)),
            "arm 1 better, arm 2's interval fails: so does arm 1's",
        ),
        Goal(
            Rel((sp.sqrt(2 * s0) * phi(sp.Integer(0))) ** 2, "=", s0 / sp.pi),
            {s0: positive()},
            name="E G^- = sqrt(2) sigma_0 phi(0), squared",
        ),
    )


@claim(
    "sec:proof/third-term/display",
    by="paper",
    line=419,
    kind="step",
    severity="argument",
    cause="best-arm",
    says=r"t>K,\ \text{every}\ D\ \text{(all reward differences)}:\quad E[(\mu_*-\hat\mu_*)1\{\bar E_{L;t}\}\mid D]"
    r"\le\frac{\delta_t}{\sqrt{2\pi}}\sum_k\tau_{k,t}\quad\text{(not printed: the second term's display, "
    r"carried over)}",
    cites=("sec:proof/tail-union",),
)
def second_term_display() -> Argument:
    """The way to the second term, tried on the third. Which arm is best depends on the errors themselves, so that the
    best arm's error is not one of K errors but the largest: with counts 1 and 10 and equal estimates before round 12,
    where 31 times the covariance matrix is (21, 1; 1, 3), the left side is 0.1310 and the right side 0.1306. (Such
    differences are rare; on average over them it may well be true.)"""
    return gap(
        Goal(
            Rel(best_arms_error(), "<=", DISPLAY),
            {N: at_least(1, integer=True)},
            name="counts 1 and N, equal estimates, t = N + 2",
            letters={N: PULLS},
        ),
        premises=(beyond_in_round(N + 2),),
        letters={N: PULLS},
        at=Point(
            {N: sp.Integer(10)},
            {
                "K": "2",
                "n": ["1", "10"],
                "N": "10",
                "t": "12",
                "sigma_sq": "1",
                "sigma0_sq": "1",
                "a": "1",
            },
            words={"estimates": "equal"},
        ),
        region=equal_estimates(),
        also=within_the_widths(),
        fails_when="K = 2, equal estimates: iff D Q(L D/q) > delta_t ((kappa - r) Q(L (kappa - r)/q) + (1 + r) Q(L "
        "sqrt((1-r)/(1+r)))), L^2 = a log t, kappa = tau_2/tau_1 <= 1, r the correlation, q^2 = 1 - r^2, "
        "D^2 = 1 - 2 r kappa + kappa^2: a rarely and an often pulled arm",
    )


def beyond_in_round(number: sp.Expr) -> Instance:
    """What the display of the second term has for each error, over its deviation, at a = 1."""
    return instance(tail_area(), {t: number, a: 1}, {N: at_least(1, integer=True)}, name="an error beyond its width")


def equal_estimates() -> Region:
    """Where the surplus of two arms with equal estimates is positive: roots and tails as symbols."""
    apart, less, corr, far, near, own, level = sp.symbols("apart less corr far near own level")
    free = {**dict.fromkeys((apart, far, near, own, level), positive()), less: real(), corr: positive()}
    q = sp.sqrt(1 - r**2)
    meaning = {
        apart: sp.sqrt(1 - 2 * r * ratio + ratio**2),
        less: ratio - r,
        corr: r,
        level: sp.exp(-(L**2) / 2),
        far: upper(L * sp.sqrt(1 - 2 * r * ratio + ratio**2) / q),
        near: upper(L * (ratio - r) / q),
        own: upper(L * (1 - r) / q),
    }
    base = Goal(Rel(apart * far - less * level * near - (1 + corr) * level * own, "<=", 0), free)
    return exactly(base, Rel(apart * far, ">", level * (less * near + (1 + corr) * own)), meaning)


def within_the_widths() -> tuple[Item, ...]:
    """Why the surplus is what it is: Y_2 beyond c_2 gives max = Y_2 + (Y_1 - Y_2)^+, and Y_2 alone its part of the
    display; else Y_1 beyond c_1 >= c_2 is the larger one, and gives its part but for the cases with Y_2 beyond c_2. So
    the surplus is the integral of q Psi(h x) - r x Q(z) - q phi(z) against phi(x) from L on, x the error of arm 2 in
    deviations, h = (kappa - r)/q and z = (L - r x)/q; it is integrated in two parts."""
    u, h, root, f, g, tail = sp.symbols("u h root f g tail")  # f = phi(x), g the second density, tail = Q(h x) or Q(z)
    c, q = (1 - u**2) / (1 + u**2), 2 * u / (1 + u**2)  # r and q
    z, y = (L - c * x) / q, (x - c * L) / q
    free = {x: real(), L: positive(), u: positive(), h: real(), **dict.fromkeys((root, f, g, tail), positive())}
    return (
        antiderivative(-phi(x), x * phi(x), x, free, "x phi(x)"),
        antiderivative(-upper(x), phi(x), x, free, "phi"),
        Goal(
            Rel(x**2 + (h * x) ** 2, "=", (1 + h**2) * x**2),
            free,
            name="exponents: phi(x) phi(h x) = phi(0) phi(x sqrt(1 + h^2))",
        ),
        Goal(
            Rel(h * (-x * f * tail - f * h * g) + (1 + h**2) * f * g, "=", f * (g - h * x * tail)),
            free,
            name="slope of h phi(x) Q(h x) - sqrt(1 + h^2) phi(0) Q(x sqrt(1 + h^2)) is phi(x) Psi(h x)",
        ),
        Goal(Rel(x**2 + z**2, "=", L**2 + y**2), free, name="exponents: phi(x) phi(z) = phi(L) phi(y)"),
        Goal(
            Rel(
                -c * (-x * f * tail - f * g * sp.Derivative(z, x)) + f * g * sp.Derivative(y, x),
                "=",
                f * (c * x * tail + q * g),
            ),
            free,
            name="slope of -r phi(x) Q(z) + phi(L) Phi(y) is phi(x) (r x Q(z) + q phi(z))",
        ),
        Goal(Rel(y.subs(x, L) - z.subs(x, L), "=", 0), free, name="at x = L: y = z"),
        Goal(Rel(z.subs(x, L), "=", L * u), free, name="which is L sqrt((1-r)/(1+r))"),
        Goal(
            Rel(q**2 * (1 + ((ratio - c) / q) ** 2), "=", 1 - 2 * c * ratio + ratio**2),
            {**free, ratio: positive()},
            name="q sqrt(1 + h^2) = D",
        ),
    )


@claim(
    "sec:proof/third-term/display/repaired",
    by="us",
    kind="step",
    cites=("ours/conditioning",),
    repairs="sec:proof/third-term/display",
)
def widest_for_all() -> Argument:
    """Write Y_k = tau_k Z_k and T for the widest tau. If the best arm's interval fails, its error is at most T Z_*. If
    it holds and that of another arm j fails, it is at most its own width, T sqrt(a log t) < T Z_j. Either way it is at
    most the sum of T Z_k over the failing arms, whose terms are positive, and E[Z 1{Z > L}] = phi(L)."""
    late, error_ = (LATER,), -X(BEST, t, d, e) * fail_L
    all_beyond = sp.Sum(beyond(k), (k, 1, K))
    own, some = one_of_all(BEST, BEST_IS_AN_ARM), one_of_all(FAILING, FAILING_IS_AN_ARM)
    fails = chain(some_fail(), some, domain=ROUND, given=late, name="some interval fails")
    above = follows(
        Rel(all_beyond, ">=", 0),
        own,
        instance(nonnegative(), {k: BEST}, ROUND, late),
        domain=ROUND,
        given=late,
        name="nonnegative",
    )
    at = {z: Z(BEST, t, d, e), p: over(BEST), q: beyond(BEST), u: width, f: fail_L, S: all_beyond}
    within = instance(within_or_beyond(), {k: BEST}, ROUND, late, name="the best arm")
    sign = instance(nonnegative(), {k: BEST}, ROUND, late, name="the best arm, beyond its interval")
    larger = applied(
        either(), at, sign, within, own, fails, domain=ROUND, given=late, name="the best arm's error over its tau"
    )
    tallest = instance(WIDEST, {k: BEST}, ROUND, (LATER, Rel(BEST, "<=", K)), name="the widest interval")
    is_arm = follows(tallest.concludes.rel, BEST_IS_AN_ARM, tallest, domain=ROUND, given=late, name="widest")
    at = {z: Z(BEST, t, d, e) * fail_L, p: tau(BEST, t, d), q: widest, S: all_beyond}
    scaled = applied(SCALE, at, larger, is_arm, above, domain=ROUND, given=late, name="times the widest tau")
    size = instance(SCALED, {k: BEST}, ROUND, late, name="the best arm's error")
    at = {z: X(BEST, t, d, e), p: tau(BEST, t, d) * Z(BEST, t, d, e), f: fail_L, S: widest * all_beyond}
    pointwise = applied(SIGN, at, size, scaled, domain=ROUND, given=late, name="pointwise")
    tails = SumOver(one_tail(), k, sp.Integer(1), K, ROUND, given=late, name="all arms")
    level = K * t ** (-a / 2) / sp.sqrt(2 * sp.pi)
    at = {z: widest, p: sp.Sum(Mean(beyond(k), e), (k, 1, K)), q: level}
    summed = applied(TIMES, at, tails, domain=ROUND, given=late, name="times the widest tau")
    total = Rel(Mean(error_, e), "<=", level * widest)
    found = linked(Expectation(pointwise, (e,)), summed, domain=ROUND, given=late, name="third term", left=total.left)
    return proof(restated(found, total, "third term"), letters=GIVEN)


z, p, q, u, f, S = sp.symbols("z p q u f S")
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
_NUMBERS = {z: real(), p: SHARE, q: at_least(0), u: at_least(0), f: SHARE, S: real()}


def either() -> Follows:
    """z f <= S if z is at most q, with weight p, or u, and both q and f u are at most S."""
    bound, low, high = Rel(z, "<=", p * q + (1 - p) * u), Rel(q, "<=", S), Rel(f * u, "<=", S)
    within = Goal(Rel(z * f, "<=", (p * q + (1 - p) * u) * f), _NUMBERS, (bound,), "times f >= 0")
    own = Goal(Rel(q * f, "<=", S), _NUMBERS, (low,), "its own interval fails")
    x_, y_ = sp.symbols("x y")
    numbers = {p: SHARE, x_: real(), y_: real(), S: real()}
    mixed = Goal(Rel(p * x_ + (1 - p) * y_, "<=", S), numbers, (Rel(x_, "<=", S), Rel(y_, "<=", S)), "either way")
    both = applied(mixed, {x_: q * f, y_: f * u}, own, domain=_NUMBERS, given=(low, high), name="either way")
    return chain(within, both, domain=_NUMBERS, given=(bound, low, high), name="own interval fails, or another one")


SCALE = Goal(
    Rel(p * z, "<=", q * S),
    {z: real(), p: at_least(0), q: real(), S: real()},
    (Rel(z, "<=", S), Rel(p, "<=", q), Rel(S, ">=", 0)),
    "times the widest tau",
)
SIGN = Goal(
    Rel(-z * f, "<=", S), dict.fromkeys((z, p, f, S), real()), (Rel(z, "=", -p), Rel(p * f, "<=", S)), "by its size"
)
TIMES = Goal(Rel(z * p, "<=", z * q), {z: at_least(0), p: real(), q: real()}, (Rel(p, "<=", q),), "times a factor >= 0")


def beyond_width() -> Applied:
    """Z 1{Z > sqrt(a log t)} is at least sqrt(a log t) where it is not 0."""
    says = Indicates(Z(k, t, d, e) - width, ARM, part=True, strict=True, name="Z above sqrt(a log t)")
    numbers = dict.fromkeys((z, u, p), real())
    above = Goal(Rel(p * u, "<=", z * p), numbers, (Rel(p * (z - u), ">=", 0),), "above")
    at = {z: Z(k, t, d, e), u: width, p: over(k)}
    return applied(above, at, says, domain=ARM, given=(LATER,), name="beyond the interval")


def nonnegative() -> Applied:
    """Z 1{Z > sqrt(a log t)} >= 0."""
    sign = Goal(Rel(q, ">=", 0), {q: real(), p: at_least(0), u: at_least(0)}, (Rel(p * u, "<=", q),), "a positive part")
    at = {q: beyond(k), p: over(k), u: width}
    return applied(sign, at, beyond_width(), domain=ARM, given=(LATER,), name="a positive part")


def within_or_beyond() -> Applied:
    """Z is at most sqrt(a log t), or beyond it."""
    own = Z(k, t, d, e)
    says = Indicates(own - width, ARM, strict=True, name="Z up to sqrt(a log t)")
    twice = Goal(Rel(z * p**2, "=", z * p), {z: real(), p: real()}, (Rel(p**2, "=", p),), "an indicator, twice")
    happens = Whether(over(k), ARM, "it fails or not")
    square = applied(twice, {z: own, p: over(k)}, happens, domain=ARM, given=(LATER,), name="an indicator, twice")
    bound = Goal(
        Rel(z, "<=", p * q + (1 - p) * u),
        dict.fromkeys((z, p, q, u), real()),
        (Rel((1 - p) * (z - u), "<=", 0), Rel(p * q, "=", z * p)),
        "within or beyond",
    )
    at = {z: own, p: over(k), q: beyond(k), u: width}
    return applied(bound, at, says, square, domain=ARM, given=(LATER,), name="Z within or beyond its interval")


def some_fail() -> Applied:
    """If some interval fails, that of arm J does: fail sqrt(a log t) <= Z_J 1{Z_J > sqrt(a log t)}."""
    own = instance(beyond_width(), {k: FAILING}, ROUND, (LATER,), name="arm J")
    put = Goal(
        Rel(f * u, "<=", q), dict.fromkeys((f, u, q, p), real()), (Rel(f, "=", p), Rel(p * u, "<=", q)), "arm J fails"
    )
    at = {f: fail_L, u: width, q: beyond(FAILING), p: over(FAILING)}
    return applied(put, at, SOME_FAIL, own, domain=ROUND, given=(LATER,), name="some interval fails")


def one_of_all(arm: sp.Expr, is_arm: Item) -> Follows:
    """What one arm has beyond its interval is at most what all have."""
    m, late = sp.Symbol("m"), (LATER,)
    among = Among(beyond(k), k, m, sp.Integer(1), K, {**ROUND, m: COUNT}, nonnegative(), "one of them", late)
    here = instance(among, {m: arm}, ROUND, (LATER, Rel(arm, "<=", K)), name="one of them")
    return follows(here.concludes.rel, is_arm, here, domain=ROUND, given=(LATER,), name="one of them")


def one_tail() -> Applied:
    """E[Z 1{Z > sqrt(a log t)}] = t^(-a/2)/sqrt(2 pi)."""
    area = tail_area()
    law = gaussian("tail of a standard normal")
    return linked(law, area, domain=ARM, given=(LATER,), name="one tail")


@claim(
    "sec:proof/third-term/repaired",
    by="us",
    kind="step",
    repairs="sec:proof/third-term",
)
def third_term() -> Argument:
    """The printed result for the rounds after the K-th, with sqrt(beta) for beta: K widest taus, each at most its value
    at one pull, and the sums over rounds. Without the event it is smaller still: whichever arm is best, its shortfall
    is one of K nonnegative parts, and the excess Psi is below the tail integral."""
    widest_ = linked(
        ONE_OF_THEM,
        instance(widest_tau(), {k: WIDE}, ROUNDS, (LATER,), name="the widest tau"),
        domain=ROUNDS,
        given=(LATER,),
        name="the widest tau",
    )
    at = {z: LEVEL * K, p: widest, q: AT_ONE_PULL}
    product = applied(TIMES, at, widest_, domain=ROUNDS, given=(LATER,), name="times K delta/sqrt(2 pi)")
    left = Mean(-X(BEST, t, d, e) * fail_L, e)
    given_d = linked(uses("sec:proof/third-term/display/repaired"), product, domain=ROUNDS, given=(LATER,), left=left)
    whole = Mean(-X(BEST, t, d, e) * fail_L, d, e)
    sums = [over_rounds(Expectation(given_d, (d,)), part, whole, f"a >= {part}") for part in (1, 2)]
    return proof(*sums, *smaller_still(), letters=ERRORS)


def smaller_still() -> tuple[Item, ...]:
    """The best arm's shortfall without the event: one of K positive parts, each Psi tau_k on average; Psi <= phi."""
    after, level = {**ROUND, t: COUNT}, sp.Symbol("s")
    below = instance(uses("ours/psi", item="below phi"), {level: width}, after, (LATER,), name="Psi <= phi")
    density = instance(
        uses("ours/psi/round", item="density at the width"), {}, after, (LATER,), name="phi at the width"
    )
    parts = uses("ours/conditioning", item="mean of a positive part")
    return uses("ours/optimism"), parts, linked(below, density, domain=after, given=(LATER,), name="below the tail")
