"""Section 6 (`sec:experiments`): the numbers that can be checked without running anything."""

import sympy as sp

from theory.kernel.analysis import antiderivative, number
from theory.kernel.argument import Argument, Computation, Words, misprint, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, everywhere
from theory.model.arms import WEIGHTS, J, all_w, arm_goal, beta, n, s, s0, tau_sq, tau_tilde_sq, w_k
from theory.model.normal import upper, upper_is_positive
from theory.model.statistics import Variance, mu_k, rbar_k

R = sp.Rational
t, x, mu, sd, p = sp.symbols("t x mu sd p")


def beta_moments(alpha: int, beta_: int) -> tuple[sp.Rational, sp.Rational]:
    """Mean and variance of the Beta distribution."""
    total = alpha + beta_
    return R(alpha, total), R(alpha * beta_, total**2 * (total + 1))


def normal_cdf(z: sp.Expr) -> sp.Expr:
    return sp.erfc(-z / sp.sqrt(2)) / 2


def normal_pdf(z: sp.Expr) -> sp.Expr:
    return sp.exp(-(z**2) / 2) / sp.sqrt(2 * sp.pi)


def equals(check: str, left: sp.Expr, right: sp.Expr) -> Computation:
    return number(
        check,
        Rel(left, "=", right),
        ("doubled", Rel(left, "=", 2 * right)),
        ("sign", Rel(left, "=", -right)),
        ("strictly less", Rel(left, "<", right)),
    )


@claim(
    "sec:experiments/ucb1",
    by="paper",
    line=456,
    kind="number",
    says=r"\sqrt{8\sigma^2\log t/n_k} = \sqrt{2\log t/n_k} \text{ at } \sigma^2 = 1/4",
)
def ucb1_generalised() -> Argument:
    """At sigma^2 = 1/4 the index for sub-Gaussian rewards is the classical one."""
    log_t = sp.Symbol("log_t")
    return proof(
        Goal(
            Rel(8 * s * log_t / n, "=", 2 * log_t / n + 8 * log_t * (s - R(1, 4)) / n),
            {n: positive(), s: positive(), log_t: positive()},
            name="what differs vanishes at 1/4",
        )
    )


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
    printed = Goal(Rel(0, "=", s0), {s0: positive()})
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
    uses=("payoff-M1",),
    repairs="sec:experiments/prior-of-mu0",
)
def prior_of_mu_k() -> Argument:
    """An arm mean is the fixed mu_0 plus an offset of variance sigma_0^2."""
    return proof(
        arm_goal(Variance(mu_k), "=", s0, name="variance of an arm mean"),
        arm_goal(Variance(rbar_k) - s / n, "=", s0, name="variance of a sample mean less that of its noise"),
    )


@claim(
    "sec:gaussian bandits/variation",
    by="paper",
    line=461,
    kind="number",
    says=r"\sigma_0/\mu_0 = 0.2 \text{ for } (1, 0.04), \quad 1 \text{ for } (1, 1)",
)
def coefficients_of_variation() -> Argument:
    """Square roots of 0.04 and 1 over a mean of 1."""
    return proof(equals("low", sp.sqrt(R(4, 100)), R(1, 5)), equals("high", sp.sqrt(sp.Integer(1)), sp.Integer(1)))


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
    """ReUCB's width is the larger one, by at most the factor root beta; that it wins must have another reason."""
    return proof(
        arm_goal(tau_tilde_sq, "<", tau_sq, name="wider"), arm_goal(tau_sq, "<=", beta * tau_tilde_sq, name="by little")
    )


@claim(
    "sec:bernoulli bandits/max-variance",
    by="paper",
    line=499,
    kind="number",
    says=r"p(1-p) \le 1/4, \text{ attained at } p = 1/2 \in [0.2, 0.5]",
)
def largest_bernoulli_variance() -> Argument:
    """The maximum reward variance 1/4 is a bound for every arm and is reached inside the support of the prior."""
    return proof(
        Goal(Rel(p * (1 - p), "<=", R(1, 4)), {p: real()}, squares=(p - R(1, 2),)),
        equals("attained", R(1, 2) * R(1, 2), R(1, 4)),
    )


@claim(
    "sec:mis bandits/noise-differs",
    by="paper",
    line=530,
    kind="prose",
    uses=("payoff-R",),
)
def bernoulli_noise_depends_on_the_mean() -> Argument:
    """On [0.2, 0.5] the Bernoulli variance rises strictly with the mean: there is no common sigma^2."""
    q, d = sp.symbols("q d")
    return proof(
        Goal(
            Rel(q * (1 - q), "<", (q + d) * (1 - q - d)),
            {q: Var(R(1, 5)), d: positive()},
            given=(Rel(q + d, "<=", R(1, 2)),),
        )
    )


@claim(
    "sec:mis bandits/beta-variance",
    by="paper",
    line=534,
    kind="number",
    says=r"\mathrm{Var}\,\mathrm{Beta}(9,1) = 9/1100 = 0.00818\ldots",
)
def variance_of_beta() -> Argument:
    """The printed 0.00818 is 9/1100 rounded."""
    value = beta_moments(9, 1)[1]
    return proof(
        equals("exact", value, R(9, 1100)),
        number(
            "rounds",
            Rel(sp.Abs(value - R(818, 100000)), "<=", R(1, 200000)),
            ("other digits", Rel(sp.Abs(value - R(828, 100000)), "<=", R(1, 200000))),
        ),
    )


@claim(
    "sec:mis bandits/misspecified",
    by="paper",
    line=534,
    kind="prose",
    says=r"E\,\mu(1-\mu) = 9/110 \ne 1/4, \text{ though } \mathrm{Var}\,\mathrm{Beta}(9,1) = "
    r"\mathrm{Var}\,\mathrm{Beta}(1,9)",
    uses=("sec:mis bandits/beta-variance",),
)
def only_the_noise_is_misspecified() -> Argument:
    """ReUCB* is misspecified, but by its noise alone: Beta(9, 1) and the true Beta(1, 9) have the same variance."""
    mean, var = beta_moments(1, 9)
    return proof(
        equals("sigma_0^2 is right", beta_moments(9, 1)[1], var),
        equals("mean reward variance", mean - (var + mean**2), R(9, 110)),
        number("not 1/4", Rel(R(9, 110), "<", R(1, 4)), ("reversed", Rel(R(9, 110), ">=", R(1, 4)))),
    )


@claim(
    "sec:mis bandits/beta-moments",
    by="paper",
    line=536,
    kind="number",
    says=r"\mathrm{Beta}(6,14): \text{ mean } 0.3, \text{ variance } 0.01",
)
def moments_of_the_matched_beta() -> Argument:
    """6/20 and 6 * 14 / (20^2 * 21)."""
    mean, var = beta_moments(6, 14)
    return proof(equals("mean", mean, R(3, 10)), equals("variance", var, R(1, 100)))


def clipped_mean(m: sp.Expr, d: sp.Expr) -> sp.Expr:
    """Mean of min(max(X, 0), 1) for X ~ N(m, d^2): the integral of P(X > x) over [0, 1]."""

    def anti(u: sp.Expr) -> sp.Expr:
        z = (u - m) / d
        return d * (z * (1 - normal_cdf(z)) - normal_pdf(z))

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
    falls = Goal(
        Rel(sp.Derivative(clipped_mean(mu, sd_) - mu, mu), "=", -upper((1 - mu) / sd_) - upper(mu / sd_)),
        {mu: real()},
        name="slope of the shift: minus two chances, of clipping above and below",
    )
    only = (
        falls,
        *upper_is_positive(),
        equals("no shift at 1/2", clipped_mean(half, sd_), half),
        Words("the shift falls strictly, so 1/2 is its only zero"),
    )
    return refuted(
        Goal(Rel(clipped_mean(mu, sd_), "=", mu), {mu: real()}),
        at=Point({mu: sp.Integer(0)}, {"mu_k": "0", "sigma": "1/5"}),
        region=Region("mu_k - 1/2 != 0", ("mu_k",), only),
        fails_when="mu_k other than 1/2, the only mean that clipping leaves where it is",
    )


@claim(
    "sec:mis bandits/correct-prior/repaired",
    by="us",
    kind="identity",
    says=r"E\min(\max(r',0),1) = \int_0^1 Q((x-\mu_k)/\sigma)\,dx, \text{ equal to } \mu_k \text{ at } \mu_k = 1/2",
    repairs="sec:mis bandits/correct-prior",
)
def clipped_mean_formula() -> Argument:
    """The mean of a variable clipped to [0, 1] is the integral of its upper tail there, which has a closed form."""
    z = (x - mu) / sd
    domain = {x: real(), mu: real(), sd: positive()}
    tail = 1 - normal_cdf(z)
    return proof(
        antiderivative(sd * (z * tail - normal_pdf(z)), tail, x, domain, "upper tail"),
        equals("unbiased in the middle", clipped_mean(R(1, 2), R(1, 5)), R(1, 2)),
        number(
            "biased upwards at 0",
            Rel(clipped_mean(sp.Integer(0), R(1, 5)), ">", R(7, 100)),
            ("unbiased at 0", Rel(clipped_mean(sp.Integer(0), R(1, 5)), "<=", 0)),
        ),
    )


@claim(
    "sec:mis bandits/truncated",
    by="paper",
    line=536,
    kind="notation",
    says=r"P(r=0) = \Phi(-\mu_k/\sigma) > 0: \text{ the displayed law is clipped; a truncated one has no atoms}",
)
def clipped_has_atoms() -> Argument:
    """A word for another thing: at mu_k = 0.3 and sigma = 0.2 more than six rewards in a hundred are exactly 0."""
    mass = normal_cdf(-R(3, 10) / R(1, 5))
    return proof(
        number(
            "mass at 0",
            Rel(mass, ">", R(66, 1000)),
            ("more", Rel(mass, ">", R(67, 1000))),
            ("none", Rel(mass, "<=", 0)),
            ("reversed", Rel(mass, "<", R(66, 1000))),
        )
    )
