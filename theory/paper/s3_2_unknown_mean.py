"""Section 3.2 (`sec:estimation-2`): the common mean estimated from all arms, and what that costs each of
them."""

import sympy as sp

from theory.effects import arm_mean, calculus, common, direct, error, one, predicted
from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.kernel.moments import Form, v
from theory.vocabulary import (
    DOMAIN,
    V0,
    J,
    K,
    No,
    W,
    Wo,
    arm_goal,
    arm_points,
    n,
    rho,
    s,
    s0,
    tau_sq,
    tau_tilde_sq,
    w,
    weight,
)

HERE = "Section 3.2"
a, h, least, m, x = sp.symbols("a h least m x")
UNIT = Var(sp.Integer(0), high=sp.Integer(1))


def any_pulls(left: sp.Expr, op: str, right: sp.Expr, name: str = "", given: tuple[Rel, ...] = ()) -> Goal:
    """A goal for n_k >= 1 while other arms may be unpulled: of their weights only 0 <= Wo <= J is known."""
    return Goal(Rel(left, op, right), DOMAIN, (Rel(Wo, "<=", J), *given), name, points=arm_points(None, 0))


@claim("r0-estimator", where=f"{HERE}, Eq. r0-estimator", kind="identity",
       depends_on=("w-def", "sec:r0-estimator"),
       says=r"\bar r_0=\frac{\sum_k(1-w_k)n_k\bar r_k}{\sum_k(1-w_k)n_k}=\frac{\sum_k w_k\bar r_k}{\sum_k w_k}"
            r",\quad"
            r"\operatorname{Cov}(\bar r_0,r_{i,j})=\sigma_0^2/W \text{ for all } i,j")
def gls_mean():
    """As (1-w_k) n_k is w_k times sigma^2/sigma_0^2 the weights are the w_k; the mean has the same covariance
    with every reward, so any other linear unbiased estimate has a larger variance."""
    return proof(arm_goal((1 - w) * n, "=", rho * w, name="its weights"),
                 arm_goal(calculus.cov_own_reward(common), "=", V0, name="covariance with rewards of the arm"),
                 arm_goal(calculus.cov_other_reward(common), "=", V0,
                          name="covariance with rewards of another arm"),
                 arm_goal(calculus.var(common), "=", V0, name="variance"))


def ols_minus_gls() -> Form:
    """The mean of all rewards minus r0-bar. Another arm's share of all rewards is its count v rho/(1-v) over
    all counts."""
    share, other = n / (n + No), rho * v / (1 - v) / (n + No)
    return Form(share - w / W, share - w / W, other - v / W, other - v / W)


@claim("r0-estimator/efficiency", where=HERE, kind="prose", depends_on=("r0-estimator",),
       says=r"\operatorname{Var}(\bar r_0)<\operatorname{Var}(\bar r),\ \bar r \text{ the mean of all rewards}")
def strictly_more_efficient():
    """Not when the arms were pulled equally often, as after the initial rounds: both estimates are then the
    same number."""
    second = n + h  # the count of the second of two arms
    both = n + second
    ols = s0 * (n**2 + second**2) / both**2 + s / both
    gls = s0 / (w + weight(second))
    domain = {n: at_least(1, integer=True), h: at_least(0, integer=True), s: positive(), s0: positive()}
    return refuted(Goal(Rel(gls, "<", ols), domain), fails_iff=Rel(h, "<=", 0),
                   fails_when="all counts are equal (here for two arms, counts n and n + h; for K arms by the repair)")


@claim("r0-estimator/efficiency/repaired", where=HERE, kind="inequality", depends_on=("r0-estimator",),
       repairs="r0-estimator/efficiency",
       says=r"\operatorname{Var}(\bar r)-\operatorname{Var}(\bar r_0)=\operatorname{Var}(\bar r-\bar r_0)="
            r"\sum_i\frac{\sigma_0^2}{w_i}\Big(\frac{n_i}{N}-\frac{w_i}{W}\Big)^2\ge 0, \text{ and } 0 \text{ "
            r"iff all } n_i \text{ are equal}")
def never_less_efficient():
    """The difference is uncorrelated with the GLS mean, so variances subtract; each term vanishes only if n_i +
    rho = N/W."""
    difference = ols_minus_gls()
    other_share = difference.effect + v / W
    return proof(
        arm_goal(calculus.cov_own_reward(common) * n / (n + No) + V0 * No / (n + No), "=", V0,
                 name="covariance of the two"),
        arm_goal(s0 * (difference.own_effect**2 + difference.own_noise**2 * (1 - w) / w), "=",
                 s0 / w * (n / (n + No) - w / W) ** 2, name="the arm's own term is a square"),
        arm_goal(s0 * other_share**2 * (1 + (1 - v) / v), "=", s0 / v * other_share**2, extra={v: positive()},
                 name="so are the others"),
        arm_goal(n / (n + No) - w / W, "=", w / W * ((n + rho) * W / (n + No) - 1),
                 name="zero iff n + rho = N/W"),
    )


@claim("r0-estimator/weight-limit", where=HERE, kind="limit", depends_on=("w-def",),
       says=r"(1-w_k)n_k=\frac{\sigma^2}{\sigma_0^2+\sigma^2/n_k},\quad 0<\frac{\sigma^2}{\sigma_0^2}"
            r"-(1-w_k)n_k<\frac{\sigma^4}{n_k\sigma_0^4}")
def weights_even_out():
    """The weight of each arm tends to sigma^2/sigma_0^2, the same for all, at rate 1/n_k."""
    return proof(arm_goal((1 - w) * n, "=", s / (s0 + s / n), name="printed form"),
                 arm_goal(rho - (1 - w) * n, "=", rho * (1 - w), name="distance from the limit"),
                 arm_goal(rho * (1 - w), "<", rho**2 / n, name="rate"))


@claim("r0-estimator/limit", where=HERE, kind="limit", depends_on=("r0-estimator/weight-limit",),
       says=r"E\Big(\bar r_0-\frac1K\sum_i\mu_i\Big)^2=\frac{\sigma_0^2}{W}-\frac{\sigma_0^2}{K}"
            r"\le\frac{\sigma^2}{K\min_i n_i}\to 0")
def mean_of_the_arm_means():
    """With many pulls of every arm the GLS mean is the mean of these K arm means; the distance is exact in mean
    square."""
    average = Form(own_effect=1 / K, effect=1 / K)
    distance = s0 / W - s0 / K
    # n = least + h is the arm's count and each other w_i is at least that of the least count
    counted = {least: at_least(1, integer=True), h: at_least(0, integer=True), J: DOMAIN[J], s: positive(),
               s0: positive(), Wo: DOMAIN[Wo]}
    bounds = (Rel(J * weight(least), "<=", Wo), Rel(Wo, "<=", J))
    return proof(arm_goal(calculus.var(common - average), "=", distance, name="mean square"),
                 Goal(Rel(distance.subs(n, least + h), "<=", s / (K * least)), counted, bounds, "rate"))


@claim("r0-estimator/consistent", where=HERE, kind="prose", depends_on=("r0-estimator/limit",),
       says=r"\operatorname{Var}(\bar r_0)\to 0 \text{ as all } n_k\to\infty: \text{ it falls below } "
            r"\sigma_0^2/(2K)")
def printed_consistency():
    """The GLS mean tends to the average of K random arm means, not to mu_0: its variance never falls below
    sigma_0^2/K."""
    return refuted(arm_goal(V0, "<=", s0 / (2 * K)),
                   fails_when="always: Var(r0-bar) > sigma_0^2/K for every count",
                   also=(arm_goal(V0, ">", s0 / K, name="the floor"),))


@claim("r0-estimator/consistent/repaired", where=HERE, kind="limit", depends_on=("r0-estimator",),
       repairs="r0-estimator/consistent",
       says=r"\sigma_0^2/K < \operatorname{Var}(\bar r_0)\le(\sigma_0^2+\sigma^2)/K \text{ for } n_i\ge 1: "
            r"\text{ consistent as } K\to\infty")
def consistent_in_the_arms():
    """More arms make it consistent, even with one pull each; more pulls of the same arms do not."""
    return proof(arm_goal(V0, ">", s0 / K, name="floor"), arm_goal(V0, "<=", (s0 + s) / K, name="ceiling"),
                 arm_goal(V0.subs({n: one, Wo: J * s0 / (s0 + s)}), "=", (s0 + s) / K,
                          name="reached at one pull each"))


@claim("blup", where=f"{HERE}, Eq. blup", kind="identity", depends_on=("mu-estimator", "r0-estimator"),
       says=r"\operatorname{Cov}(\hat\mu_k-\mu_k,r_{i,j})=(1-w_k)\sigma_0^2/W \text{ for all } i,j: \text{ "
            r"best linear unbiased predictor}")
def best_linear_unbiased():
    """The error has one and the same covariance with every reward, so it is uncorrelated with every contrast;
    two linear unbiased predictors differ by a contrast, hence any other one has the larger error."""
    level = (1 - w) * V0
    return proof(arm_goal(calculus.cov_own_reward(error), "=", level, name="rewards of the arm"),
                 arm_goal(calculus.cov_other_reward(error), "=", level, name="rewards of another arm"),
                 arm_goal(calculus.var(error + x * (direct - common)), "=",
                          tau_sq + x**2 * calculus.var(direct - common), extra={x: Var()},
                          name="a contrast adds its own square"))


@claim("blup/weights", where=HERE, kind="prose", depends_on=("blup",),
       says=r"\hat\mu_k=\sum_i\omega_i\bar r_i,\ \omega_k=w_k+(1-w_k)w_k/W,\ \omega_i=(1-w_k)w_i/W,\ "
            r"\omega_i>0,\ \sum_i\omega_i=1")
def a_convex_combination():
    """The prediction is an average of the arms' sample means with positive weights, so it is unbiased and lies
    among them."""
    own = w + (1 - w) * w / W
    return proof(arm_goal(predicted.own_noise, "=", own, name="own weight"),
                 arm_goal(own + (1 - w) * Wo / W, "=", 1, name="weights add up to 1"),
                 arm_goal(own, ">=", w, name="own weight at least w_k"),
                 arm_goal((1 - w) * v / W, ">", 0, extra={v: positive()}, name="weight of another arm"))


@claim("blup/one-arm", where=HERE, kind="identity", depends_on=("blup/weights", "MSE"),
       says=r"K=1:\ \hat\mu_1=\bar r_1,\ \tau_1^2=\sigma^2/n_1")
def one_arm():
    """A single arm has nothing to borrow from: shrinking towards its own mean changes nothing."""
    alone = {J: sp.Integer(0), Wo: sp.Integer(0)}
    return proof(arm_goal(predicted.own_noise.subs(alone), "=", 1, name="own weight"),
                 arm_goal(tau_sq.subs(alone), "=", s / n, name="error"))


@claim("sec:estimation-2/correlated", where=HERE, kind="prose", depends_on=("blup",),
       says=r"\operatorname{Cov}(\hat\mu_k,\hat\mu_i)=(1-w_kw_i)\sigma_0^2/W>0 \quad (i\ne k)")
def predictions_are_correlated():
    """All predictions lean on one estimate of mu_0, so any two arms' predictions are positively correlated."""
    with_reward, with_common = calculus.cov_other_reward(predicted), calculus.cov(predicted, common)
    covariance = v * with_reward + (1 - v) * with_common
    return proof(arm_goal(with_reward, "=", (1 - w) * V0, name="with another arm's rewards"),
                 arm_goal(with_common, "=", V0, name="with the common mean"),
                 arm_goal(covariance, "=", (1 - w * v) * V0, extra={v: UNIT}, name="of two predictions"),
                 arm_goal((1 - w * v) * V0, ">", 0, extra={v: UNIT}, name="positive"))


@claim("MSE", where=f"{HERE}, Eq. MSE", kind="identity", depends_on=("blup", "sec:derivation-mse"),
       says=r"E(\hat\mu_k-\mu_k)^2=w_k\frac{\sigma^2}{n_k}+\frac{(1-w_k)^2\sigma^2}{\sum_i n_i(1-w_i)}="
            r"\tau_k^2")
def mean_squared_error():
    """The error of the shrunken estimate plus what the estimate of mu_0 adds, by the bilinear calculus on
    independent effects."""
    printed = w * s / n + (1 - w) ** 2 * s / (n * (1 - w) + rho * Wo)
    return proof(arm_goal(calculus.var(error), "=", printed, name="as printed"),
                 arm_goal(printed, "=", tau_sq, name="form used here"))


@claim("MSE/factorisation", where=HERE, kind="identity", depends_on=("MSE",),
       says=r"\tau_k^2=\tilde\tau_k^2\Big(1+\frac{1-w_k}{W}\Big)>\tilde\tau_k^2,\quad W=\sum_i w_i")
def factorisation():
    """Not knowing mu_0 multiplies the error by exactly 1 + (1-w_k)/W, which is always more than 1."""
    return proof(arm_goal(tau_sq, "=", tau_tilde_sq * (1 + (1 - w) / W), name="factorisation"),
                 arm_goal(tau_sq, ">", tau_tilde_sq, name="price of not knowing mu_0"))


@claim("MSE/variance", where=HERE, kind="prose", depends_on=("MSE",),
       says=r"\operatorname{Var}(\hat\mu_k)=\tau_k^2")
def called_a_variance():
    """tau_k^2 is the mean squared error; the variance of the prediction itself is another number, mostly
    larger."""
    return refuted(arm_goal(calculus.var(predicted), "=", tau_sq),
                   fails_when="(2 w_k - 1) W + 2 w_k (1 - w_k) differs from 0",
                   also=(arm_goal(calculus.var(predicted) - tau_sq, "=",
                                  s0 * ((2 * w - 1) * W + 2 * w * (1 - w)) / W,
                                  name="difference"),))


@claim("MSE/variance/repaired", where=HERE, kind="identity", depends_on=("MSE",), repairs="MSE/variance",
       says=r"\operatorname{Var}(\hat\mu_k)=w_k\sigma_0^2+(1-w_k^2)\sigma_0^2/W,\quad \operatorname{Var}"
            r"(\hat\mu_k-\mu_k)=\tau_k^2")
def variance_of_the_prediction():
    """What is printed is the variance of the error of prediction."""
    return proof(arm_goal(calculus.var(predicted), "=", w * s0 + (1 - w**2) * V0, name="variance"),
                 arm_goal(calculus.var(predicted - arm_mean), "=", tau_sq, name="variance of the error"))


@claim("compare-tauANDmab", where=f"{HERE}, Proposition compare-tauANDmab", kind="inequality",
       depends_on=("MSE",),
       says=r"\tau_k^2<\sigma^2/n_k \text{ for } \sigma^2>0,\ n_k\ge 1")
def printed_comparison():
    """With one arm, or while no other arm has been pulled, the prediction is the sample mean and the two errors
    are equal."""
    return refuted(any_pulls(tau_sq, "<", s / n), fails_iff=Rel(Wo, "<=", 0),
                   fails_when="K = 1, or no arm but k has been pulled; then there is equality")


@claim("compare-tauANDmab/repaired", where=f"{HERE}, Proposition compare-tauANDmab", kind="inequality",
       depends_on=("MSE",),
       repairs="compare-tauANDmab",
       says=r"\frac{\sigma^2}{n_k}-\tau_k^2=(1-w_k)\frac{\sigma^2}{n_k}\,\frac{\sum_{i\ne k}w_i}{W}\ge 0, \ "
            r">0 \text{ iff another arm has been pulled}")
def comparison():
    """The gain is exact: it is the fraction (1-w_k) of sigma^2/n_k, times the other arms' share of the
    weights."""
    return proof(any_pulls(s / n - tau_sq, "=", (1 - w) * s / n * Wo / W, "the gain"),
                 any_pulls(tau_sq, "<=", s / n, "never worse"),
                 any_pulls(tau_sq, "<", s / n, "better with another arm", (Rel(Wo, ">", 0),)))


@claim("compare-tauANDmab/no-noise", where=HERE, kind="limit", depends_on=("compare-tauANDmab",),
       says=r"\sigma^2=0:\ \tau_k^2=0=\sigma^2/n_k;\qquad 1-\frac{\sigma^2}{n_k\sigma_0^2} < "
            r"\frac{n_k\tau_k^2}{\sigma^2}\le 1")
def without_noise():
    """Without noise both errors are 0, and the ratio of the errors comes as close to 1 as one likes before
    that."""
    ratio = n * tau_sq / s
    return proof(arm_goal(tau_sq.subs(s, 0), "=", 0, name="no noise, no error"),
                 arm_goal(ratio, "<=", 1, name="ratio at most 1"),
                 arm_goal(ratio, ">", 1 - s / (n * s0), name="tends to 1 as the noise vanishes"))


@claim("compare-tauANDmab/less-optimistic", where=HERE, kind="prose", depends_on=("compare-tauANDmab",),
       says=r"a\tau_k^2\le a\sigma^2/n_k\le 8\sigma^2/n_k \text{ for } 0<a\le 8")
def less_optimistic():
    """The bonus can be smaller than UCB1's, and is for every arm if a <= 8, the constant UCB1 itself uses."""
    return proof(arm_goal(a * tau_sq, "<=", a * s / n, extra={a: positive()}, name="same constant"),
                 arm_goal(a * tau_sq, "<=", 8 * s / n,
                          extra={a: Var(sp.Integer(0), strict=True, high=sp.Integer(8))}, name="a up to 8"))


@claim("compare-tauANDmab/divisor-without-noise", where=HERE, kind="definition", depends_on=("MSE",),
       says=r"\sum_in_i(1-w_i)>0 \text{ for all } \sigma^2\ge 0, \text{ so that Eq. MSE and Eq. r0-estimator "
            r"are defined}")
def divisor_without_noise():
    """The remark on sigma^2 = 0 uses formulas that are 0/0 there: all weights are 1 and every term of the
    divisor is 0."""
    domain = {n: at_least(1, integer=True), s: at_least(0), s0: positive()}
    return refuted(Goal(Rel(n * (1 - w), ">", 0), domain, name="an arm's term of the divisor"),
                   fails_iff=Rel(s, "<=", 0),
                   fails_when="sigma^2 = 0: the divisor vanishes for any number of arms")


@claim("compare-tauANDmab/divisor-without-noise/repaired", where=HERE, kind="definition",
       repairs="compare-tauANDmab/divisor-without-noise", depends_on=("MSE", "r0-estimator"),
       says=r"\sum_iw_i>0 \text{ for } \sigma_0^2>0;\ \sigma^2=0:\ \bar r_0=\tfrac1K\sum_i\bar r_i,\ \tau_k^2="
            r"0,"
            r"\ \operatorname{Var}(\bar r_0)=\sigma_0^2/K")
def divisor_in_the_weights():
    """Written in the weights the formulas stay defined without noise, where every weight is 1."""
    silent = {s: sp.Integer(0), Wo: J}
    return proof(arm_goal(W, ">", 0, name="divisor"),
                 arm_goal((w / W).subs(silent), "=", 1 / K, name="equal shares"),
                 arm_goal(V0.subs(silent), "=", s0 / K, name="variance of the common mean"),
                 arm_goal(tau_sq.subs(silent), "=", 0, name="no error"))


@claim("MSE/no-spread", where=HERE, kind="limit", depends_on=("MSE", "r0-estimator"),
       says=r"\sigma_0^2=0:\ w_k=0,\ (1-w_k)n_k=n_k,\ \bar r_0=\text{mean of all rewards},\ \tau_k^2="
            r"\sigma^2/N")
def without_spread():
    """If all arms are the same the printed formulas pool all rewards; only the second form of Eq. w-def divides
    by 0."""
    equal = {s0: sp.Integer(0)}
    width = (tau_tilde_sq + (1 - w) ** 2 * s / (n * (1 - w) + No)).subs(equal)  # another arm's n_i (1-w_i) is n_i
    return proof(arm_goal(w.subs(equal), "=", 0, name="weight"),
                 arm_goal((n * (1 - w)).subs(equal), "=", n, name="its share of the common mean"),
                 arm_goal(width, "=", s / (n + No), name="error"),
                 arm_goal(s / (n + No), "<=", V0, given=(Rel(rho * Wo, "<=", No),),  # as n_i (1-w_i) <= n_i
                          name="the common mean is never better known than this"))
