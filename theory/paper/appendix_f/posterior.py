"""Appendix F, Lemma `sec:mu0Dist`: the posterior of an arm mean under a flat prior on mu_0."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Letter, Point, Rel, positive, real
from theory.kernel.rules import Expectation, follows, instance, uses
from theory.model.arms import arm_goal, n, s, s0
from theory.model.conditional_laws import (
    ARM,
    LETTERS,
    m,
    rbar_k,
    x,
)
from theory.model.examples import Listed, at_design, of_example
from theory.model.normal import MIXTURE, NORMAL, NORMAL_GIVEN, X, c, d, noise, shift, slope, u
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, V_LAM, W_ALL, W_K, ArmSum, count_i, lam, mu0, weight_i
from theory.ours.posteriors import flat_posterior, posterior_given_mu0, posterior_of_mu0

HERE = "Appendix F"


@claim(
    "sec:mu0Dist",
    by="paper",
    kind="statement",
    cites=(
        "sec:mu0Dist/mixture",
        "sec:mu0Dist/given-the-mean",
        "sec:mu0Dist/precision",
        "sec:mu0Dist/finite-lambda",
        "sec:mu0Dist/limit",
        "blup",
        "MSE",
        "sec:mu0Dist/studied",
        "sec:mu0Dist/law",
        "sec:mu0Dist/no-reward",
        "notation/sigma0",
        "notation/r0-bar",
    ),
)
def posterior_under_a_flat_prior() -> Argument:
    """The joint density of mu_k and mu_0 is a product of two squares in the exponent: one of mu_k around mu-hat_k with
    variance tau_k^2, one of mu_0 given mu_k. (The printed route, mixing over the posterior of mu_0, gives the same.)"""
    return proof(
        flat_posterior("posterior of mu_k, mu_0 flat"),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
    )


@claim(
    "sec:mu0Dist/mixture",
    by="paper",
    line=731,
    kind="step",
)
def mixture_identity() -> Argument:
    """Average the moment generating function of Y given X over X: that of X is taken at a u."""
    given_x = Expectation(NORMAL_GIVEN, (X,))
    of_x = instance(NORMAL, {c: u * slope, d: u * shift + u**2 * noise / 2}, MIXTURE.domain, name="X at a u")
    return proof(follows(MIXTURE.rel, given_x, of_x, domain=MIXTURE.domain, name="mixture"), letters=MIXTURE.letters)


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
    width = TAU_TILDE_SQ.xreplace(at_design((1,)))
    return gap(
        of_example(Listed("error given the reward"), width, name="error given the reward"),
        at=Point({}),
        fails_when="the laws are not Gaussian, which Section 3.1 does not assume",
        premises=(Rel(Listed("error on average"), "=", width),),
    )


@claim(
    "sec:mu0Dist/given-the-mean",
    by="us",
    kind="step",
    cites=("mu-estimator", "MSE-term1"),
    repairs="sec:mu0Dist/studied",
)
def posterior_given_the_mean() -> Argument:
    """Prior and likelihood of mu_k are parabolas in the exponent; their sum has its top at mu-tilde and
    precision 1/tilde-tau^2."""
    return proof(
        posterior_given_mu0("posterior of mu_k given mu_0"), step(uses("ours/adaptive-likelihood", item="likelihood"))
    )


@claim(
    "sec:mu0Dist/precision",
    by="us",
    kind="step",
    cites=("w-def",),
    repairs="sec:mu0Dist/law",
)
def precision_of_a_sample_mean() -> Argument:
    """The precision with which one arm shows mu_0, in the three forms that the appendix uses. The exponent of prior and
    rewards of an arm is a square of mu_k, which integrates to a number without mu_0, and the square that is left. As a
    function of mu_0 the density of the rewards has this factor whatever policy chose the counts; for fixed counts it is
    a law."""
    mean = (1 - W_K) * m + W_K * rbar_k
    left = -((x - mean) ** 2) / (2 * TAU_TILDE_SQ) - (rbar_k - m) ** 2 / (2 * (s0 + s / n))
    letters = {x: Letter(sp.Symbol("mu_k"), "mean of arm k"), m: Letter(mu0, "common mean")}
    return proof(
        arm_goal(ARM, "=", left, extra={rbar_k: real(), m: real(), x: real()}, name="prior and rewards of an arm"),
        arm_goal(1 / (s0 + s / n), "=", (1 - W_K) * n / s, name="as printed"),
        arm_goal((1 - W_K) * n / s, "=", W_K / s0, name="in the weight"),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
        letters=letters,
    )


@claim(
    "sec:mu0Dist/finite-lambda",
    by="paper",
    line=747,
    kind="step",
    cites=("sec:mu0Dist/precision", "sec:mu0Dist/law"),
)
def posterior_of_the_common_mean() -> Argument:
    """For mu_0 ~ N(0, lambda) the logarithm of the density is a parabola in mu_0: precisions add, and the arms enter
    through r0-bar alone. What the paper calls sigma_0^2 and r0-bar here are v_lambda and the posterior mean."""
    return proof(
        posterior_of_mu0("posterior of mu_0, mu_0 ~ N(0, lambda)"),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
    )


@claim(
    "sec:mu0Dist/limit",
    by="paper",
    line=758,
    kind="limit",
    cites=("sec:mu0Dist/finite-lambda",),
)
def limit_of_the_prior() -> Argument:
    """The flat prior is a limit of proper ones; mean and variance of the posterior converge at rate
    1/lambda."""
    extra, limit = {lam: positive()}, s / ArmSum(count_i * (1 - weight_i))
    factor = 1 - V_LAM * W_ALL / s0  # the posterior mean of mu_0 is r0-bar less this part of it
    return proof(
        arm_goal(limit, "=", s0 / W_ALL, name="the limit"),
        arm_goal(limit - V_LAM, ">=", 0, extra=extra, name="from below"),
        arm_goal(limit - V_LAM, "<=", limit**2 / lam, extra=extra, name="rate of the variance"),
        arm_goal(factor, ">=", 0, extra=extra, name="the mean's factor"),
        arm_goal(factor, "<=", limit / lam, extra=extra, name="rate of the mean's factor"),
        letters=LETTERS,
    )


@claim(
    "sec:mu0Dist/proper-prior",
    by="us",
    kind="inequality",
    cites=("sec:mu0Dist/finite-lambda",),
)
def any_prior_of_the_mean() -> Argument:
    """Knowing mu_0 and knowing nothing of it are the two ends; any prior on mu_0 gives a width between them."""
    width, extra = TAU_TILDE_SQ + (1 - W_K) ** 2 * V_LAM, {lam: positive()}
    return proof(
        arm_goal(width, ">=", TAU_TILDE_SQ, extra=extra, name="lower end"),
        arm_goal(width, "<=", TAU_SQ, extra=extra, name="upper end"),
        letters=LETTERS,
    )
