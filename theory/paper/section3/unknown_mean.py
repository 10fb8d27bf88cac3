"""Section 3.2, continued: the prediction of an arm mean and what not knowing mu_0 costs it."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, Var
from theory.kernel.rules import SumOver, follows
from theory.model.arms import DOMAIN, LETTERS, V0, J, No, Wo, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w, weight
from theory.model.moments import w_i
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, W_ALL, W_K, ArmSum, count_i, weight_i
from theory.model.statistics import Cov, E, Variance, mu_hat, mu_hat_i, mu_k, r_ij, r_kj, rbar_i, rbar_k

x = sp.Symbol("x")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
POSITIVE_UNIT = Var(sp.Integer(0), strict=True, high=sp.Integer(1))


@claim(
    "blup",
    by="paper",
    kind="identity",
    cites=("mu-estimator", "r0-estimator", "r0-estimator/consistent"),
)
def best_linear_unbiased() -> Argument:
    """The error has one and the same covariance with every reward, so it is uncorrelated with every contrast;
    two linear unbiased predictors differ by a contrast, hence any other one has the larger error."""
    error, level, arm = mu_hat - mu_k, (1 - W_K) * s0 / W_ALL, {w_i: POSITIVE_UNIT}
    contrast = x * (rbar_k - rbar_i)
    return proof(
        arm_goal(Cov(error, r_kj), "=", Cov(error, r_ij), extra=arm, name="the same with every reward"),
        arm_goal(Cov(error, r_ij), "=", level, extra=arm, name="its value"),
        arm_goal(
            Variance(error + contrast),
            "=",
            Variance(error) + Variance(contrast),
            extra={x: Var(), **arm},
            name="a contrast adds its own variance",
        ),
    )


@claim(
    "blup/weights",
    by="us",
    kind="prose",
    cites=("blup",),
)
def a_convex_combination() -> Argument:
    """The prediction is an average of the arms' sample means with positive weights, so it is unbiased and lies
    among them."""
    own, other = W_K + (1 - W_K) * W_K / W_ALL, (1 - W_K) * weight_i / W_ALL
    others = ArmSum(other) - (1 - W_K) * W_K / W_ALL
    return proof(
        arm_goal(own + others, "=", 1, name="weights add up to 1"),
        arm_goal(own, ">=", W_K, name="own weight at least w_k"),
        arm_goal((1 - W_K) * w_i / W_ALL, ">", 0, extra={w_i: POSITIVE_UNIT}, name="weight of another arm"),
    )


@claim(
    "blup/one-arm",
    by="us",
    kind="identity",
    cites=("blup/weights", "MSE"),
)
def one_arm() -> Argument:
    """With one arm the common mean is its own mean, and shrinking towards it changes nothing."""
    alone = {J: sp.Integer(0), Wo: sp.Integer(0)}
    return proof(
        arm_goal(E((mu_hat - rbar_k) ** 2).xreplace(alone), "=", 0, name="the prediction is the sample mean"),
        arm_goal(TAU_SQ.xreplace(alone), "=", s / n, name="error"),
    )


@claim(
    "sec:estimation-2/correlated",
    by="paper",
    line=141,
    kind="prose",
    cites=("blup",),
)
def predictions_are_correlated() -> Argument:
    """All predictions use one estimate of mu_0, so any two arms' predictions are positively correlated."""
    covariance = (1 - W_K * w_i) * s0 / W_ALL
    return proof(
        arm_goal(Cov(mu_hat, mu_hat_i), "=", covariance, extra={w_i: UNIT}, name="of two predictions"),
        arm_goal(covariance, ">", 0, extra={w_i: UNIT}, name="positive"),
    )


@claim(
    "MSE",
    by="paper",
    kind="identity",
    cites=("blup", "sec:derivation-mse"),
)
def mean_squared_error() -> Argument:
    """The error of the shrunken estimate plus what the estimate of mu_0 adds, by the bilinear calculus on
    independent effects."""
    printed = W_K * s / n + (1 - W_K) ** 2 * s / ArmSum(count_i * (1 - weight_i))
    return proof(
        arm_goal(E((mu_hat - mu_k) ** 2), "=", printed, name="as printed"),
        arm_goal(printed, "=", TAU_SQ, name="form used here"),
    )


@claim(
    "MSE/factorisation",
    by="us",
    kind="identity",
    cites=("MSE",),
)
def factorisation() -> Argument:
    """Not knowing mu_0 multiplies the error by exactly 1 + (1-w_k)/W, which is always more than 1."""
    return proof(
        arm_goal(TAU_SQ, "=", TAU_TILDE_SQ * (1 + (1 - W_K) / W_ALL), name="factorisation"),
        arm_goal(tau_sq, ">", tau_tilde_sq, name="price of not knowing mu_0"),
    )


@claim(
    "MSE/variance",
    by="paper",
    line=227,
    kind="identity",
    cites=("MSE",),
)
def variance_of_the_prediction() -> Argument:
    """What is called the variance of the prediction is that of its error, as the formula beside it shows; the variance
    of the prediction itself is another number."""
    return proof(
        arm_goal(Variance(mu_hat - mu_k), "=", TAU_SQ, name="variance of the error"),
        arm_goal(Variance(mu_hat), "=", W_K * s0 + (1 - W_K**2) * s0 / W_ALL, name="variance"),
    )


@claim(
    "MSE/no-spread",
    by="us",
    kind="limit",
    cites=("MSE", "r0-estimator"),
)
def without_spread() -> Argument:
    """If all arms are the same the printed formulas pool all rewards; only the second form of Eq. w-def divides
    by 0."""
    i, counts = sp.Symbol("i"), sp.Function("n")
    printed = W_K * s / n + (1 - W_K) ** 2 * s / (n * (1 - W_K) + No)  # another arm's n_i (1-w_i) is n_i
    equal = {s0: sp.Integer(0)}
    one = arm_goal(rho * w, "<=", n, name="n_i (1-w_i) <= n_i")
    sums = {No: sp.Sum(counts(i), (i, 1, J)), Wo: sp.Sum(weight(counts(i)), (i, 1, J))}
    sizes = {x: DOMAIN[x] for x in (J, s, s0, Wo, No)}
    others = SumOver(one, i, sp.Integer(1), J, sizes, family={n: counts(i)}, where=sums, name="other arms")
    domain = {**sizes, n: DOMAIN[n], counts(i): DOMAIN[n]}
    return proof(
        arm_goal(W_K.xreplace(equal), "=", 0, name="weight"),
        arm_goal(printed.xreplace(equal), "=", s / (n + No), name="error, as printed"),
        follows(
            Rel(s / (n + No), "<=", V0), others, domain=domain, name="the common mean is never better known than this"
        ),
        letters=LETTERS,
    )
