"""Appendix B (`sec:derivation-mse`): the error of the prediction, each step, and what it says under adaptive
pulls."""

import sympy as sp

from theory.kernel.argument import Argument, Computation, exactly_equal, gap, misprint, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, positive, real
from theory.kernel.named import valued
from theory.kernel.region import unequal
from theory.kernel.rules import restated, uses
from theory.kernel.terms import Mean
from theory.model import conditional_laws as seen
from theory.model import round_errors
from theory.model.arms import Wo, arm_goal, n, s, s0, tau_sq
from theory.model.examples import Listed, ThirdPull, at_design, of_example
from theory.model.functions import Random
from theory.model.moments import w_i
from theory.model.play import k, t
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, W_ALL, W_K, ArmSum, count_i, mu0, weight_i
from theory.model.statistics import (
    Cov,
    E,
    Variance,
    mu_hat,
    mu_k,
    mu_tilde,
    of_arm_i,
    r_ij,
    r_kj,
    rbar_0,
    rbar_k,
)
from theory.ours.classical.normal import CENTRED, SQUARED
from theory.ours.posteriors import posterior_given_mu0

xx, xy, yy = sp.symbols("xx xy yy")  # E X^2, E XY, E Y^2
MOMENTS = {xx: positive(), yy: positive(), xy: real()}
MOMENTS_OF = {xx: Letter(xx, "E[X^2]"), xy: Letter(xy, "E[XY]"), yy: Letter(yy, "E[Y^2]")}
PRECISION = ArmSum(count_i * (1 - weight_i))
MEAN = {mu0: real()}
ARM = {w_i: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}


@claim(
    "MSE0",
    by="paper",
    kind="identity",
    cites=("mu-estimator", "blup", "MSE0/first-step"),
)
def orthogonal_split() -> Argument:
    """The two errors are uncorrelated, so their squares add."""
    split = E((mu_tilde - mu_k) ** 2) + E((mu_hat - mu_tilde) ** 2)
    return proof(arm_goal(E((mu_hat - mu_k) ** 2), "=", split, name="Pythagoras"))


@claim(
    "MSE0/cross-term",
    by="paper",
    line=618,
    kind="step",
    cites=("mu-estimator/optimal",),
)
def cross_term() -> Argument:
    """The error with mu_0 known is uncorrelated with every reward, and the second factor is linear in the
    rewards."""
    error = mu_tilde - mu_k
    return proof(
        arm_goal(E(error * (mu_hat - mu_tilde)), "=", 0, extra=MEAN, name="cross term"),
        arm_goal(Cov(error, r_kj), "=", 0, name="with rewards of the arm"),
        arm_goal(Cov(error, r_ij), "=", 0, extra=ARM, name="with rewards of another arm"),
    )


@claim(
    "MSE0/first-step",
    by="paper",
    line=618,
    kind="step",
    severity="wording",
    cause="wrong-reason",
    says=r"\text{the first equality of Eq. MSE0 needs } E[XY]=0, \text{ the second does not: } E(X+Y)^2=EX^2+EY^2"
    r" \text{ whatever } E[XY]",
    cites=("MSE0/cross-term",),
)
def which_step_needs_it() -> Argument:
    """The vanishing cross term is given as the reason of the first step, which only adds and subtracts mu-tilde; it
    is the second step that fails without it."""
    shown = {"E X^2": "1", "E Y^2": "1", "E XY": "1"}
    entries = {x: sp.Symbol(name) for x, name in zip((xx, yy, xy), shown, strict=True)}
    printed = Goal(Rel(xx + 2 * xy + yy, "=", xx + yy), MOMENTS, (Rel(xy**2, "<=", xx * yy),), letters=MOMENTS_OF)
    return misprint(
        printed,
        region=unequal(printed, xy),
        at=Point({xx: sp.Integer(1), yy: sp.Integer(1), xy: sp.Integer(1)}, shown, entries),
        fails_when="E[XY] is not 0: the sides differ by 2 E[XY]",
    )


@claim(
    "MSE0/first-step/repaired",
    by="us",
    kind="step",
    cites=("MSE0/cross-term",),
    repairs="MSE0/first-step",
)
def the_second_step_needs_it() -> Argument:
    """The first step is an identity for any predictors; the second drops twice the cross term, which is 0."""
    first, second = mu_tilde - mu_k, mu_hat - mu_tilde
    whole, rest = E((mu_hat - mu_k) ** 2), E(first**2) + E(second**2)
    return proof(
        arm_goal(whole - rest, "=", 2 * E(first * second), extra=MEAN, name="what the second step drops"),
        arm_goal(2 * E(first * second), "=", 0, extra=MEAN, name="it is 0"),
    )


@claim(
    "MSE-term2-v0",
    by="paper",
    kind="identity",
    cites=("blup", "mu-estimator"),
)
def second_term_as_a_variance() -> Argument:
    """The two predictions differ by (1-w_k) times the error of the common mean."""
    right = (1 - W_K) ** 2 * E((rbar_0 - mu0) ** 2)
    return proof(arm_goal(E((mu_hat - mu_tilde) ** 2), "=", right, extra=MEAN))


@claim(
    "sec:derivation-mse/var-1",
    by="paper",
    line=628,
    kind="step",
    cites=("r0-estimator",),
)
def variance_of_the_common_mean() -> Argument:
    """Sample means of different arms are uncorrelated; Var(r-bar_k) must be the marginal one for this to
    hold."""
    terms = ArmSum((1 - weight_i) ** 2 * count_i**2 * of_arm_i(Variance(rbar_k)))
    return proof(arm_goal(Variance(rbar_0), "=", terms / PRECISION**2, name="sum over all arms"))


@claim(
    "sec:derivation-mse/var-2",
    by="paper",
    line=629,
    kind="step",
    cites=("sec:derivation-mse/var-1", "payoff-R"),
)
def one_arms_part() -> Argument:
    """Here the appendix uses the marginal variance of a sample mean, against Section 3.1, and it is right
    to."""
    return proof(arm_goal((1 - W_K) ** 2 * n**2 * Variance(rbar_k), "=", (1 - W_K) * n * s))


@claim(
    "sec:derivation-mse/var-3",
    by="paper",
    line=630,
    kind="step",
    cites=("sec:derivation-mse/var-2",),
)
def closed_form() -> Argument:
    """The quoted identity turns each term of the sum into sigma^2 (1-w_k) n_k, and one factor cancels."""
    return proof(
        arm_goal(s + n * s0, "=", s / (1 - W_K), name="the quoted identity"),
        arm_goal(Variance(rbar_0), "=", s / PRECISION, name="as printed"),
        arm_goal(s / PRECISION, "=", s0 / W_ALL, name="in the weights"),
    )


@claim(
    "MSE-term2",
    by="paper",
    kind="identity",
    cites=("MSE-term2-v0", "sec:derivation-mse/var-3"),
)
def second_term() -> Argument:
    """The variance of the common mean put in."""
    return proof(arm_goal(E((mu_hat - mu_tilde) ** 2), "=", (1 - W_K) ** 2 * s / PRECISION))


@claim(
    "MSE-appendix",
    by="paper",
    kind="identity",
    cites=("MSE0", "MSE-term1", "MSE-term2"),
)
def both_terms() -> Argument:
    """Both terms together, the same as Eq. MSE; more than nonnegative, it is positive."""
    return proof(
        arm_goal(TAU_SQ, "=", W_K * s / n + (1 - W_K) ** 2 * s / PRECISION, name="as printed"),
        arm_goal(tau_sq, ">", 0, name="positive"),
    )


@claim(
    "sec:derivation-mse",
    by="paper",
    kind="statement",
    cites=("MSE/variance", "MSE0", "MSE-term2-v0", "MSE-term2", "MSE-appendix"),
)
def fixed_design() -> Argument:
    """The derivation uses second moments and fixed counts only, unpulled arms included; the route is sound."""
    unpulled, some = E((mu_hat - mu_k) ** 2).xreplace({n: sp.Integer(0)}), (Rel(Wo, ">", 0),)
    return proof(
        arm_goal(E((mu_hat - mu_k) ** 2), "=", TAU_SQ, name="fixed design"),
        arm_goal(unpulled, "=", s0 + s0 / Wo, given=some, name="an unpulled arm"),
        Computation(
            "exact",
            "all plays of two fixed designs, +-1 offsets and noise, by enumeration",
            lambda one, other: [
                exactly_equal(ThirdPull(lambda r: 1, "arm 2", known=False, counts=(1, 2)).value(), _tau(one)),
                exactly_equal(ThirdPull(lambda r: 0, "arm 1", known=False, counts=(2, 1)).value(), _tau(other)),
            ],
            ((1, 2), (2, 1)),
            {"constant: the design of the other arm": ((2, 1), (1, 2))},
        ),
    )


def _tau(counts: tuple[int, int]) -> sp.Rational:
    """tau_1^2 at sigma_0^2 = sigma^2 = 1."""
    return valued(TAU_SQ.xreplace(at_design(counts)))


@claim(
    "sec:model estimation/fixed-round",
    by="paper",
    line=171,
    kind="prose",
    severity="argument",
    cause="adaptive-counts",
    says=r"E[(\tilde\mu_{k,t}-\mu_k)^2\mid n_{1,t},\dots,n_{K,t}]=\tilde\tau_{k,t}^2 \text{ whatever chose "
    r"the pulls}",
    cites=("MSE-term1",),
)
def known_mean_at_a_random_round() -> Argument:
    """Formulas for fixed counts are used at a round whose counts depend on the rewards; with second moments
    alone assumed that fails. Here arm 1 is left alone exactly when its first reward was 0, which says nothing
    about it."""
    width = TAU_TILDE_SQ.xreplace(at_design((1,)))
    return gap(
        of_example(Listed("known mean, adaptive"), width, name="error given the realised counts"),
        premises=(Rel(Listed("known mean, fixed"), "=", width),),
        at=Point({}),
        fails_when="counts carry information about the rewards and the laws are not Gaussian",
    )


@claim(
    "sec:model estimation/fixed-round/repaired",
    by="us",
    kind="statement",
    cites=("MSE-term1",),
    repairs="sec:model estimation/fixed-round",
)
def known_mean_gaussian() -> Argument:
    """For Gaussian laws the posterior depends on the rewards of the arm only, through its count and mean, so
    the error given everything seen is tilde-tau_k^2 for every policy."""
    mean = posterior_given_mu0("mean", CENTRED)
    centre = (1 - W_K) * mu0 + W_K * seen.rbar_k
    (mu_k,) = mean.concludes.rel.left.atoms(Random)
    return proof(
        restated(mean, Rel(Mean(mu_k, mu_k), "=", centre), "mean"),
        posterior_given_mu0("variance", SQUARED),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
    )


@claim(
    "sec:derivation-mse/adaptive",
    by="paper",
    line=264,
    kind="statement",
    severity="argument",
    cause="adaptive-counts",
    says=r"E[(\hat\mu_{k,t}-\mu_k)^2\mid n_{1,t},\dots,n_{K,t}]=\tau_{k,t}^2 \text{ whatever chose the "
    r"pulls}",
    cites=("MSE",),
)
def unknown_mean_at_a_random_round() -> Argument:
    """The derivation fixes the counts. If the third pull depends on whether the first two rewards cancel, the
    error given the realised counts is another number."""
    width = TAU_SQ.xreplace(at_design((1, 2)))
    return gap(
        of_example(Listed("adaptive"), width, name="error given the realised counts"),
        premises=(Rel(Listed("fixed"), "=", width),),
        at=Point({}),
        fails_when="the policy uses more than reward differences, or the laws are not Gaussian",
    )


GIVEN_CONTRASTS = (
    "error given all pulls and differences of rewards so far, Gaussian laws, a policy that uses only these"
)


@claim(
    "sec:derivation-mse/adaptive/repaired",
    by="us",
    kind="statement",
    cites=("MSE", "blup"),
    repairs="sec:derivation-mse/adaptive",
)
def unknown_mean_by_contrasts() -> Argument:
    """Along every sequence of pulls the error has the same covariance with every reward, hence none with any
    contrast; Gaussian, it is independent of all that such a policy sees, for every fixed mu_0. ReUCB with known
    variances is one."""
    error = mu_hat - mu_k
    given = round_errors.X(k, t, round_errors.d, round_errors.e)
    return proof(
        arm_goal(Cov(error, r_kj - r_ij), "=", 0, extra=ARM, name="no contrast"),
        arm_goal(Variance(error), "=", TAU_SQ, name="its variance"),
        uses("ours/conditioning/given-differences", item="square of an error"),
        letters={**round_errors.GIVEN, given: Letter(given, GIVEN_CONTRASTS)},
    )
