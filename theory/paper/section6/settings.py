"""Section 6 (`sec:experiments`): the numbers that can be checked without running anything."""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, Computation, Item, misprint, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import TypedRegion, everywhere
from theory.kernel.rules import IntegralOf, Rises, applied, instance, restated
from theory.model.arms import LETTERS, WEIGHTS, J, all_w, arm_goal, beta, n, s, s0, tau_sq, tau_tilde_sq, w_k
from theory.model.laws import (
    MU,
    BernoulliVariance,
    BetaMean,
    BetaVariance,
    ChanceOfZero,
    ClippedMean,
    UCB1Width,
    Variation,
)
from theory.model.normal import Tail, phi, upper, upper_is_positive
from theory.model.statistics import Variance, mu_k, rbar_k

R = sp.Rational
t, x, mu, sd, p = sp.symbols("t x mu sd p")


CLIPPED = {
    mu: Letter(sp.Symbol("mu_k"), "mean of the normal variable that is clipped"),
    sd: Letter(sp.Symbol("sigma", positive=True), "its standard deviation"),
}


def equals(check: str, left: sp.Expr, right: sp.Expr) -> Computation:
    return number(
        check,
        Rel(left, "=", right),
        ("doubled", Rel(left, "=", 2 * right)),
        ("sign", Rel(left, "=", -right)),
        ("strictly less", Rel(left, "<", right)),
    )


@claim("sec:experiments/ucb1", by="paper", line=456, kind="number")
def ucb1_generalised() -> Argument:
    """At sigma^2 = 1/4 the index for sub-Gaussian rewards is the classical one."""
    quarter = UCB1Width(R(1, 4), t, n)
    sizes = {n: at_least(1, integer=True), t: at_least(2, integer=True)}
    return proof(Goal(Rel(quarter, "=", sp.sqrt(2 * sp.log(t) / n)), sizes, name="width at 1/4", letters=LETTERS))


@claim(
    "sec:experiments/prior-of-mu0",
    by="paper",
    line=454,
    kind="prose",
    severity="wording",
    cause="symbol",
    says=r"\text{the prior that Thompson sampling needs is one of } \mu_0: \mathrm{Var}(\mu_0)=\sigma_0^2",
)
def prior_of_mu0() -> Argument:
    """The prior in question, N(mu_0, sigma_0^2), is that of each arm mean; mu_0 itself is a number of variance 0."""
    printed = Goal(Rel(0, "=", s0), {s0: positive()}, letters=LETTERS)
    return misprint(
        printed,
        at=Point({s0: sp.Integer(1)}, {"sigma0_sq": "1"}),
        region=everywhere(printed),
        fails_when="always: sigma_0^2 > 0",
    )


@claim(
    "sec:experiments/prior-of-mu0/repaired",
    by="us",
    kind="prose",
    cites=("payoff-M1",),
    repairs="sec:experiments/prior-of-mu0",
)
def prior_of_mu_k() -> Argument:
    """An arm mean is the fixed mu_0 plus an offset of variance sigma_0^2."""
    return proof(
        arm_goal(Variance(mu_k), "=", s0, name="variance of an arm mean"),
        arm_goal(Variance(rbar_k) - s / n, "=", s0, name="variance of a sample mean less that of its noise"),
    )


@claim("sec:gaussian bandits/variation", by="paper", line=461, kind="number")
def coefficients_of_variation() -> Argument:
    """Square roots of 0.04 and 1 over a mean of 1."""
    low, high = (Variation(sp.Integer(1), spread) for spread in (R(4, 100), sp.Integer(1)))
    return proof(equals("low", low, R(1, 5)), equals("high", high, sp.Integer(1)))


@claim(
    "sec:gaussian bandits/narrower-than-classical",
    by="paper",
    line=463,
    kind="prose",
    cites=("compare-tauANDmab/repaired", "compare-tauANDmab"),
)
def narrower_than_classical() -> Argument:
    """The reason offered for the good performance is true of the widths whenever another arm has been pulled."""
    return proof(arm_goal(tau_sq, "<", s / n, extra={J: at_least(1, integer=True)}))


@claim(
    "sec:gaussian bandits/narrower-than-ts",
    by="paper",
    line=463,
    kind="prose",
    severity="argument",
    cause="knowing-mu0",
    says=r"\tau_k < \tilde\tau_k, \text{ the posterior width of Thompson sampling}",
    cites=("MSE", "MSE-term1"),
)
def narrower_than_thompson() -> Argument:
    """Thompson sampling knows mu_0, so its posterior width is tilde-tau_k; not knowing mu_0 can only widen it."""
    printed = arm_goal(tau_sq, "<", tau_tilde_sq)
    return refuted(
        printed,
        region=everywhere(printed, (1 - w_k) ** 2 * s0 / all_w, WEIGHTS),
        fails_when="always: tau_k^2 is larger by (1 - w_k)^2 sigma_0^2/W",
    )


@claim(
    "sec:gaussian bandits/narrower-than-ts/repaired",
    by="us",
    kind="inequality",
    cites=("sec:tau",),
    repairs="sec:gaussian bandits/narrower-than-ts",
)
def wider_than_thompson() -> Argument:
    """ReUCB's width is the larger one, by at most the factor root beta, so its width does not
    explain its smaller regret."""
    return proof(
        arm_goal(tau_tilde_sq, "<", tau_sq, name="wider"), arm_goal(tau_sq, "<=", beta * tau_tilde_sq, name="by little")
    )


@claim("sec:bernoulli bandits/max-variance", by="paper", line=499, kind="number")
def largest_bernoulli_variance() -> Argument:
    """The maximum reward variance 1/4 is a bound for every arm and is reached inside the support of the prior."""
    half = BernoulliVariance(R(1, 2))
    every, support = Var(sp.Integer(0), high=sp.Integer(1)), Var(R(1, 5), high=R(1, 2))
    hint = (p - R(1, 2),)
    return proof(
        Goal(Rel(BernoulliVariance(p), "<=", R(1, 4)), {p: every}, squares=hint, name="every mean"),
        Goal(Rel(BernoulliVariance(p), "<=", half), {p: support}, squares=hint, name="means in the support"),
        equals("attained", half, R(1, 4)),
        letters={p: Letter(p, "mean of a Bernoulli reward")},
    )


@claim(
    "sec:mis bandits/noise-differs",
    by="paper",
    line=530,
    kind="prose",
    cites=("payoff-R",),
)
def bernoulli_noise_depends_on_the_mean() -> Argument:
    """On [0.2, 0.5] the Bernoulli variance rises strictly with the mean: there is no common sigma^2."""
    q, d = sp.symbols("q d")
    return proof(
        Goal(
            Rel(q * (1 - q), "<", (q + d) * (1 - q - d)),
            {q: Var(R(1, 5)), d: positive()},
            given=(Rel(q + d, "<=", R(1, 2)),),
        ),
        letters={q: Letter(q, "mean of one arm"), d: Letter(d, "by how much the mean of another arm is larger")},
    )


@claim("sec:mis bandits/beta-variance", by="paper", line=534, kind="number")
def variance_of_beta() -> Argument:
    """The printed 0.00818 is 9/1100 rounded."""
    value = BetaVariance(9, 1)
    return proof(
        equals("exact", value, R(9, 1100)),
        number(
            "rounds",
            Rel(sp.Abs(value - R(818, 100000)), "<=", R(1, 200000)),
            ("other digits", Rel(sp.Abs(value - R(828, 100000)), "<=", R(1, 200000))),
        ),
    )


@claim("sec:mis bandits/misspecified", by="paper", line=534, kind="prose", cites=("sec:mis bandits/beta-variance",))
def only_the_noise_is_misspecified() -> Argument:
    """ReUCB* is misspecified, but by its noise alone: Beta(9, 1) and the true Beta(1, 9) have the same variance."""
    noise = BetaMean(MU * (1 - MU), 1, 9)  # mean variance of a Bernoulli reward
    return proof(
        equals("sigma_0^2 is right", BetaVariance(9, 1), BetaVariance(1, 9)),
        equals("mean reward variance", noise, R(9, 110)),
        number("not 1/4", Rel(noise, "<", R(1, 4)), ("reversed", Rel(noise, ">=", R(1, 4)))),
    )


@claim("sec:mis bandits/beta-moments", by="paper", line=536, kind="number")
def moments_of_the_matched_beta() -> Argument:
    """6/20 and 6 * 14 / (20^2 * 21)."""
    mean, variance = BetaMean(MU, 6, 14), BetaVariance(6, 14)
    return proof(equals("mean", mean, R(3, 10)), equals("variance", variance, R(1, 100)))


def clipped_mean(m: sp.Expr, d: sp.Expr) -> sp.Expr:
    """Mean of min(max(X, 0), 1) for X ~ N(m, d^2): the integral of P(X > x) over [0, 1]."""

    def anti(u: sp.Expr) -> sp.Expr:
        z = (u - m) / d
        return d * (z * upper(z) - phi(z))

    return anti(sp.Integer(1)) - anti(sp.Integer(0))


@claim(
    "sec:mis bandits/correct-prior",
    by="paper",
    line=536,
    kind="prose",
    severity="wording",
    cause="clipping",
    says=r"E\min(\max(r',0),1) = \mu_k \text{ for } r' \sim N(\mu_k, 0.04)",
)
def prior_of_clipped_rewards() -> Argument:
    """Clipping moves the mean, so N(0.3, 0.01) is the prior of mu_k but not of the mean reward that regret is about."""
    sd_, half = R(1, 5), R(1, 2)
    above = half + x - clipped_mean(half + x, sd_)
    below = clipped_mean(half - x, sd_) - (half - x)
    away = {x: positive()}  # the slope of the shift is minus the chances of clipping above and below
    only = (
        equals("no shift at 1/2", clipped_mean(half, sd_), half),
        Rises(above, x, sp.Integer(0), away, "a mean above 1/2 is lowered", strict=True),
        Rises(below, x, sp.Integer(0), away, "a mean below 1/2 is raised", strict=True),
    )
    return refuted(
        Goal(
            Rel(clipped_mean(mu, sd_), "=", mu),
            {mu: real()},
            letters={mu: Letter(sp.Symbol("mu_k"), "mean of the rewards of arm k before clipping")},
        ),
        at=Point({mu: sp.Integer(0)}, {"mu_k": "0", "sigma": "1/5"}),
        region=TypedRegion("mu_k - 1/2 != 0", ("mu_k",), only),
        fails_when="mu_k other than 1/2, the only mean that clipping leaves where it is",
    )


NUMBERS = dict.fromkeys(sp.symbols("u v w p q"), real())
NORMAL = {mu: real(), sd: positive()}


def closed_forms() -> tuple[Item, Item]:
    """The mean of a clipped reward and the integral of its upper tail, each with an antiderivative."""
    z = (x - mu) / sd
    ranges, zero, one = {x: real(), **NORMAL}, sp.Integer(0), sp.Integer(1)
    inner = IntegralOf(x * phi(z) / sd, -sd * phi(z) - mu * upper(z), x, zero, one, ranges, name="between the ends")
    tails = IntegralOf(upper(z), sd * (z * upper(z) - phi(z)), x, zero, one, ranges, name="integral of the tail")
    u, v, w, *_ = NUMBERS
    sums = Goal(Rel(u + v, "=", w), NUMBERS, (Rel(v, "=", w - u),), "with the chance of 1")
    at = {u: upper((1 - mu) / sd), v: inner.concludes.rel.left, w: clipped_mean(mu, sd)}
    form = applied(sums, at, inner, domain=NORMAL, name="closed form")
    return restated(form, Rel(ClippedMean(mu, sd), "=", clipped_mean(mu, sd)), "closed form"), tails


@claim(
    "sec:mis bandits/correct-prior/repaired",
    by="us",
    kind="identity",
    repairs="sec:mis bandits/correct-prior",
)
def clipped_mean_formula() -> Argument:
    """The mean of a variable clipped to [0, 1] is the integral of its upper tail there, which has a closed form. It is
    the mean of the variable at 1/2, and larger at 0."""
    half, zero, fifth = R(1, 2), sp.Integer(0), R(1, 5)
    form, tails = closed_forms()
    u, v, w, *_ = NUMBERS
    equal = Goal(Rel(u, "=", v), NUMBERS, (Rel(u, "=", w), Rel(v, "=", w)), "both")
    integral = sp.Integral(Tail((x - mu) / sd), (x, 0, 1))
    at = {u: ClippedMean(mu, sd), v: integral, w: clipped_mean(mu, sd)}
    middle = instance(form, {mu: half}, {sd: positive()}, name="in the middle")
    at_zero = instance(form, {mu: zero, sd: fifth}, {}, name="at 0")
    least, biased = R(7, 100), clipped_mean(zero, fifth)
    size = number("size at 0", Rel(biased, ">", least), ("unbiased at 0", Rel(biased, "<=", 0)))
    larger = Goal(Rel(u, ">", v), NUMBERS, (Rel(u, "=", w), Rel(w, ">", v)), "larger")
    at_least_so = {u: ClippedMean(zero, fifth), v: least, w: biased}
    return proof(
        applied(equal, at, form, tails, domain=NORMAL, name="mean of a clipped reward"),
        restated(middle, Rel(ClippedMean(half, sd), "=", half), "unbiased in the middle"),
        applied(larger, at_least_so, at_zero, size, domain={}, name="biased upwards at 0"),
        letters=CLIPPED,
    )


@claim("sec:mis bandits/truncated", by="paper", line=536, kind="notation")
def clipped_has_atoms() -> Argument:
    """A word for another thing: a clipped reward is 0 with a positive chance, a truncated one has no atoms. At mu_k =
    0.3 and sigma = 0.2 more than six rewards in a hundred are exactly 0."""
    positive_tail = upper_is_positive()[1]
    argument = sp.Symbol("x")
    at = instance(positive_tail, {argument: mu / sd}, {mu: real(), sd: positive()}, name="Q(mu/sigma) > 0")
    mass = ChanceOfZero(R(3, 10), R(1, 5))
    return proof(
        restated(at, Rel(ChanceOfZero(mu, sd), ">", 0), "an atom at 0"),
        Goal(Rel(ChanceOfZero(mu, sd), "=", Tail(mu / sd)), {mu: real(), sd: positive()}, name="its chance"),
        number(
            "mass at 0",
            Rel(mass, ">", R(66, 1000)),
            ("more", Rel(mass, ">", R(67, 1000))),
            ("none", Rel(mass, "<=", 0)),
            ("reversed", Rel(mass, "<", R(66, 1000))),
        ),
        letters=CLIPPED,
    )
