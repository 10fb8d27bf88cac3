"""Appendix F, Lemma `sec:mu0Dist`: the posterior of an arm mean under a flat prior on mu_0."""

from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, Computation, gap, proof
from theory.kernel.claim import claim
from theory.kernel.classical import LIKELIHOOD_FACTORS
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.rules import cited
from theory.model.arms import V0, W, Wo, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w

HERE = "Appendix F"
prec, m, r, r0, u = sp.symbols("prec m r r0 u")  # prec = 1/lambda, precision of mu_0's prior; 0: the flat one
FLAT = {prec: at_least(0), m: real(), r0: real(), r: real()}
posterior_precision = prec + W / s0
posterior_centre = (W / s0) * r0 / posterior_precision


@claim(
    "sec:mu0Dist",
    by="paper",
    kind="statement",
    says=r"\mu_0 \text{ flat, Gaussian laws: } \mu_k\mid H_t\sim\mathcal N(\hat\mu_{k,t},\tau_{k,t}^2)",
    uses=(
        "sec:mu0Dist/mixture",
        "sec:mu0Dist/given-the-mean",
        "sec:mu0Dist/precision",
        "sec:mu0Dist/finite-lambda",
        "sec:mu0Dist/limit",
        "blup",
        "MSE",
    ),
    cites=("sec:mu0Dist/studied", "sec:mu0Dist/law", "sec:mu0Dist/no-reward", "notation/sigma0", "notation/r0-bar"),
)
def posterior_under_a_flat_prior() -> Argument:
    """The joint density of mu_k and mu_0 has its top at mu-hat and r0-bar, and integrating mu_0 out leaves the
    precision 1/tau_k^2 for mu_k. (The printed route, mixing over the posterior of mu_0, gives the same.)"""
    x, ro = sp.symbols("x ro")  # mu_k; and the mean of the other arms' sample means, weighted by w_i
    joint = -((x - m) ** 2) / (2 * s0) - n * (r - x) ** 2 / (2 * s) - Wo / s0 * (ro - m) ** 2 / 2
    centre = (w * r + Wo * ro) / W
    top = {x: (1 - w) * centre + w * r, m: centre}
    precision = -sp.Derivative(joint, x, 2) + sp.Derivative(joint, x, m) ** 2 / sp.Derivative(joint, m, 2)
    data = {r: real(), ro: real()}
    return proof(
        arm_goal(
            sp.Subs(sp.Derivative(joint, x), tuple(top), tuple(top.values())), "=", 0, extra=data, name="top in mu_k"
        ),
        arm_goal(
            sp.Subs(sp.Derivative(joint, m), tuple(top), tuple(top.values())), "=", 0, extra=data, name="top in mu_0"
        ),
        arm_goal(1 / precision, "=", tau_sq, name="variance after integrating mu_0 out"),
        cited(LIKELIHOOD_FACTORS, name="choices depend on the arm means only through the rewards seen"),
    )


@claim(
    "sec:mu0Dist/mixture",
    by="paper",
    line=731,
    kind="step",
    says=r"Y\mid X\sim\mathcal N(aX+b,\sigma^2),\ X\sim\mathcal N(\mu,\sigma_x^2)\Rightarrow Y\sim\mathcal "
    r"N(a\mu+b,a^2\sigma_x^2+\sigma^2)",
)
def mixture_identity() -> Argument:
    """Compare the exponents of the moment generating functions: that of X is taken at a u."""
    ca, cb, mx, vx, vy = sp.symbols("ca cb mx vx vy")
    domain = {ca: real(), cb: real(), mx: real(), vx: positive(), vy: positive(), u: real()}

    def exponent(at: sp.Expr, mean: sp.Expr, variance: sp.Expr) -> sp.Expr:
        return at * mean + at**2 * variance / 2

    return proof(
        Goal(
            Rel(exponent(ca * u, mx, vx) + u * cb + u**2 * vy / 2, "=", exponent(u, ca * mx + cb, ca**2 * vx + vy)),
            domain,
            name="exponents",
        )
    )


@claim(
    "sec:mu0Dist/studied",
    by="paper",
    line=736,
    kind="step",
    severity="argument",
    cause="second-moments",
    says=r"\text{Section 3.1 gives the law of } \mu_k\mid\mu_0,H_t:"
    r"\ E[(\tilde\mu_k-\mu_k)^2\mid H_t]=\tilde\tau_k^2",
    cites=("MSE-term1",),
)
def law_said_to_be_studied() -> Argument:
    """Section 3.1 has the error on average over the rewards, for any laws with two moments, and no law given the
    rewards. With offsets and noise +-1 the error given a reward of 0 is 1, and 1/2 only on average."""
    shown = {
        "K": "1",
        "n": ["1"],
        "sigma_sq": "1",
        "sigma0_sq": "1",
        "laws": "offsets and noise +1 or -1, fair",
        "reward": "mu_0",
    }
    return gap(
        Goal(Rel(_error_given(0), "=", sp.Rational(1, 2)), name="error given the reward"),
        at=Point({}, shown),
        fails_when="the laws are not Gaussian, which Section 3.1 does not assume",
        premises=(
            Computation(
                "exact",
                "on average over the reward it is 1/2",
                lambda law: Rel(sum(p * _error_given(r) for r, p in law.items()), "=", sp.Rational(1, 2)),
                ({0: sp.Rational(1, 2), 2: sp.Rational(1, 4), -2: sp.Rational(1, 4)},),
                {"constant: given the reward": ({2: sp.Integer(1)},)},
            ),
        ),
    )


def _error_given(reward: int) -> sp.Rational:
    """E[(r/2 - delta)^2 | r] for offset and noise +-1, one pull and mu_0 = 0, so that w = 1/2."""
    squares = [(sp.Rational(reward, 2) - d) ** 2 for d, e in product((-1, 1), repeat=2) if d + e == reward]
    return sum(squares, sp.Integer(0)) / len(squares)


@claim(
    "sec:mu0Dist/given-the-mean",
    by="us",
    kind="step",
    says=r"\mu_k\mid\mu_0,H_t\sim\mathcal N(\tilde\mu_k,\tilde\tau_k^2)",
    cites=("mu-estimator", "MSE-term1"),
    repairs="sec:mu0Dist/studied",
)
def posterior_given_the_mean() -> Argument:
    """Prior and likelihood of mu_k are parabolas in the exponent; their sum has its top at mu-tilde and
    precision 1/tilde-tau^2."""
    x = sp.Symbol("x")
    log_density = -((x - m) ** 2) / (2 * s0) - n * (r - x) ** 2 / (2 * s)
    centre = (1 - w) * m + w * r
    return proof(
        arm_goal(
            sp.Derivative(log_density, x),
            "=",
            -(x - centre) / tau_tilde_sq,
            extra={x: real(), m: real(), r: real()},
            name="completed square",
        )
    )


@claim(
    "sec:mu0Dist/precision",
    by="us",
    kind="step",
    says=r"\text{as a factor of the likelihood, for every policy: } \exp\Big(-\frac{(\bar r_k-\mu_0)^2}{2v_k}\Big),"
    r"\quad \frac{1}{v_k}=\frac{1}{\sigma_0^2+\sigma^2/n_k}=\frac{(1-w_k)n_k}{\sigma^2}=\frac{w_k}{\sigma_0^2}",
    uses=("w-def",),
    repairs="sec:mu0Dist/law",
)
def precision_of_a_sample_mean() -> Argument:
    """The precision with which one arm shows mu_0, in the three forms that the appendix uses. As a function of mu_0
    the density of an arm's rewards has this factor whatever policy chose the counts; for fixed counts it is a law."""
    x = sp.Symbol("x")  # mu_k, integrated out
    joint = -((x - m) ** 2) / (2 * s0) - n * (r - x) ** 2 / (2 * s)
    left_over = joint.subs(x, (m / s0 + n * r / s) / (1 / s0 + n / s))
    return proof(
        arm_goal(1 / (s0 + s / n), "=", (1 - w) * n / s, name="as printed"),
        arm_goal((1 - w) * n / s, "=", w / s0, name="in the weight"),
        arm_goal(
            left_over,
            "=",
            -((r - m) ** 2) * w / (2 * s0),
            extra={r: real(), m: real()},
            name="exponent left when mu_k is integrated out",
        ),
        cited(LIKELIHOOD_FACTORS, name="the factors of the choices do not contain mu_0"),
    )


@claim(
    "sec:mu0Dist/finite-lambda",
    by="paper",
    line=747,
    kind="step",
    says=r"\mu_0\sim\mathcal N(0,\lambda):\ \mu_0\mid H_t\sim\mathcal N(v\,\tfrac{W}{\sigma_0^2}\bar r_0,"
    r"\,v),\quad v=(\lambda^{-1}+W/\sigma_0^2)^{-1}",
    cites=("sec:mu0Dist/precision", "sec:mu0Dist/law"),
)
def posterior_of_the_common_mean() -> Argument:
    """The logarithm of the density is a parabola in mu_0: precisions add, and the arms enter through r0-bar
    alone. What the paper calls sigma_0^2 and r0-bar here are v and the posterior mean."""
    log_density = -prec * m**2 / 2 - W / s0 * (m - r0) ** 2 / 2  # up to terms without m
    slope = -posterior_precision * (m - posterior_centre)
    return proof(
        arm_goal(sp.Derivative(log_density, m), "=", slope, extra=FLAT, name="completed square"),
        arm_goal(w / s0 * (r - m), "=", (1 - w) * n / s * (r - m), extra=FLAT, name="one arm's part of the slope"),
    )


@claim(
    "sec:mu0Dist/limit",
    by="paper",
    line=758,
    kind="limit",
    says=r"0\le\frac{\sigma^2}{\sum_k(1-w_k)n_k}-v\le\frac1\lambda\Big(\frac{\sigma_0^2}{W}\Big)^2,\quad "
    r"\text{and } v\,\tfrac{W}{\sigma_0^2}\bar r_0\to\bar r_0",
    cites=("sec:mu0Dist/finite-lambda",),
)
def limit_of_the_prior() -> Argument:
    """The flat prior is a limit of proper ones; mean and variance of the posterior converge at rate
    1/lambda."""
    v_lam = 1 / posterior_precision
    extra = {prec: at_least(0)}
    return proof(
        arm_goal(s / (rho * W), "=", V0, name="the limit"),
        arm_goal(V0 - v_lam, ">=", 0, extra=extra, name="from below"),
        arm_goal(V0 - v_lam, "<=", prec * V0**2, extra=extra, name="rate of the variance"),
        arm_goal(1 - v_lam * W / s0, "<=", prec * V0, extra=extra, name="rate of the mean's factor"),
    )


@claim(
    "sec:mu0Dist/proper-prior",
    by="us",
    kind="inequality",
    cites=("sec:mu0Dist/finite-lambda",),
)
def any_prior_of_the_mean() -> Argument:
    """Knowing mu_0 and knowing nothing of it are the two ends; any prior on mu_0 gives a width between them."""
    width = tau_tilde_sq + (1 - w) ** 2 / posterior_precision
    extra = {prec: at_least(0)}
    return proof(
        arm_goal(width, ">=", tau_tilde_sq, extra=extra, name="lower end"),
        arm_goal(width, "<=", tau_sq, extra=extra, name="upper end"),
    )
