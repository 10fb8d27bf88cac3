"""Section 3.2, continued: the prediction of an arm mean and what not knowing mu_0 costs it."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, Var, positive
from theory.model.arms import V0, J, No, W, Wo, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w
from theory.model.effects import arm_mean, calculus, common, direct, error, predicted
from theory.model.moments import v

x = sp.Symbol("x")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


@claim(
    "blup",
    by="paper",
    kind="identity",
    says=r"\operatorname{Cov}(\hat\mu_k-\mu_k,r_{i,j})=(1-w_k)\sigma_0^2/W \text{ for all } i,j: \text{ "
    r"best linear unbiased predictor}",
    cites=("mu-estimator", "r0-estimator", "r0-estimator/consistent"),
)
def best_linear_unbiased() -> Argument:
    """The error has one and the same covariance with every reward, so it is uncorrelated with every contrast;
    two linear unbiased predictors differ by a contrast, hence any other one has the larger error."""
    level = (1 - w) * V0
    return proof(
        arm_goal(calculus.cov_own_reward(error), "=", level, name="rewards of the arm"),
        arm_goal(calculus.cov_other_reward(error), "=", level, name="rewards of another arm"),
        arm_goal(
            calculus.var(error + x * (direct - common)),
            "=",
            tau_sq + x**2 * calculus.var(direct - common),
            extra={x: Var()},
            name="a contrast adds its own square",
        ),
    )


@claim(
    "blup/weights",
    by="us",
    kind="prose",
    says=r"\hat\mu_k=\sum_i\omega_i\bar r_i,\ \omega_k=w_k+(1-w_k)w_k/W,\ \omega_i=(1-w_k)w_i/W,\ "
    r"\omega_i>0,\ \sum_i\omega_i=1",
    cites=("blup",),
)
def a_convex_combination() -> Argument:
    """The prediction is an average of the arms' sample means with positive weights, so it is unbiased and lies
    among them."""
    own = w + (1 - w) * w / W
    return proof(
        arm_goal(predicted.own_noise, "=", own, name="own weight"),
        arm_goal(own + (1 - w) * Wo / W, "=", 1, name="weights add up to 1"),
        arm_goal(own, ">=", w, name="own weight at least w_k"),
        arm_goal((1 - w) * v / W, ">", 0, extra={v: positive()}, name="weight of another arm"),
    )


@claim(
    "blup/one-arm",
    by="us",
    kind="identity",
    says=r"K=1:\ \hat\mu_1=\bar r_1,\ \tau_1^2=\sigma^2/n_1",
    cites=("blup/weights", "MSE"),
)
def one_arm() -> Argument:
    """A single arm has nothing to borrow from: shrinking towards its own mean changes nothing."""
    alone = {J: sp.Integer(0), Wo: sp.Integer(0)}
    return proof(
        arm_goal(predicted.own_noise.subs(alone), "=", 1, name="own weight"),
        arm_goal(tau_sq.subs(alone), "=", s / n, name="error"),
    )


@claim(
    "sec:estimation-2/correlated",
    by="paper",
    line=141,
    kind="prose",
    says=r"\operatorname{Cov}(\hat\mu_k,\hat\mu_i)=(1-w_kw_i)\sigma_0^2/W>0 \quad (i\ne k)",
    cites=("blup",),
)
def predictions_are_correlated() -> Argument:
    """All predictions lean on one estimate of mu_0, so any two arms' predictions are positively correlated."""
    with_reward, with_common = calculus.cov_other_reward(predicted), calculus.cov(predicted, common)
    covariance = v * with_reward + (1 - v) * with_common
    return proof(
        arm_goal(with_reward, "=", (1 - w) * V0, name="with another arm's rewards"),
        arm_goal(with_common, "=", V0, name="with the common mean"),
        arm_goal(covariance, "=", (1 - w * v) * V0, extra={v: UNIT}, name="of two predictions"),
        arm_goal((1 - w * v) * V0, ">", 0, extra={v: UNIT}, name="positive"),
    )


@claim(
    "MSE",
    by="paper",
    kind="identity",
    says=r"E(\hat\mu_k-\mu_k)^2=w_k\frac{\sigma^2}{n_k}+\frac{(1-w_k)^2\sigma^2}{\sum_i n_i(1-w_i)}="
    r"\tau_k^2",
    cites=("blup", "sec:derivation-mse"),
)
def mean_squared_error() -> Argument:
    """The error of the shrunken estimate plus what the estimate of mu_0 adds, by the bilinear calculus on
    independent effects."""
    printed = w * s / n + (1 - w) ** 2 * s / (n * (1 - w) + rho * Wo)
    return proof(
        arm_goal(calculus.var(error), "=", printed, name="as printed"),
        arm_goal(printed, "=", tau_sq, name="form used here"),
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
        arm_goal(tau_sq, "=", tau_tilde_sq * (1 + (1 - w) / W), name="factorisation"),
        arm_goal(tau_sq, ">", tau_tilde_sq, name="price of not knowing mu_0"),
    )


@claim(
    "MSE/variance",
    by="paper",
    line=227,
    kind="identity",
    says=r"\operatorname{Var}(\hat\mu_k-\mu_k)=\tau_k^2,\quad "
    r"\operatorname{Var}(\hat\mu_k)=w_k\sigma_0^2+(1-w_k^2)\sigma_0^2/W",
    cites=("MSE",),
)
def variance_of_the_prediction() -> Argument:
    """What is called the variance of the prediction is that of its error, as the formula beside it shows; the variance
    of the prediction itself is another number."""
    return proof(
        arm_goal(calculus.var(predicted), "=", w * s0 + (1 - w**2) * V0, name="variance"),
        arm_goal(calculus.var(predicted - arm_mean), "=", tau_sq, name="variance of the error"),
    )


@claim(
    "MSE/no-spread",
    by="us",
    kind="limit",
    says=r"\sigma_0^2=0:\ w_k=0,\ (1-w_k)n_k=n_k,\ \bar r_0=\text{mean of all rewards},\ \tau_k^2="
    r"\sigma^2/N",
    uses=("MSE", "r0-estimator"),
)
def without_spread() -> Argument:
    """If all arms are the same the printed formulas pool all rewards; only the second form of Eq. w-def divides
    by 0."""
    equal = {s0: sp.Integer(0)}
    width = (tau_tilde_sq + (1 - w) ** 2 * s / (n * (1 - w) + No)).subs(equal)  # another arm's n_i (1-w_i) is n_i
    return proof(
        arm_goal(w.subs(equal), "=", 0, name="weight"),
        arm_goal((n * (1 - w)).subs(equal), "=", n, name="its share of the common mean"),
        arm_goal(width, "=", s / (n + No), name="error"),
        arm_goal(
            s / (n + No),
            "<=",
            V0,
            given=(Rel(rho * Wo, "<=", No),),  # as n_i (1-w_i) <= n_i
            name="the common mean is never better known than this",
        ),
    )
