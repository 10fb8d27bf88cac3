"""Section 3.2 (`sec:estimation-2`): the common mean estimated from all arms."""

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.kernel.region import everywhere
from theory.model.arms import DOMAIN, V0, WEIGHTS, J, K, No, W, Wo, all_w, arm_goal, n, rho, s, s0, w, weight
from theory.model.effects import calculus, common, one
from theory.model.moments import Form, v

h, least = sp.symbols("h least")


@claim(
    "r0-estimator",
    by="paper",
    kind="identity",
    says=r"\bar r_0=\frac{\sum_k(1-w_k)n_k\bar r_k}{\sum_k(1-w_k)n_k}=\frac{\sum_k w_k\bar r_k}{\sum_k w_k}"
    r",\quad"
    r"\operatorname{Cov}(\bar r_0,r_{i,j})=\sigma_0^2/W \text{ for all } i,j",
    cites=("w-def", "sec:r0-estimator"),
)
def gls_mean() -> Argument:
    """As (1-w_k) n_k is w_k times sigma^2/sigma_0^2 the weights are the w_k; the mean has the same covariance
    with every reward, so any other linear unbiased estimate has a larger variance."""
    return proof(
        arm_goal((1 - w) * n, "=", rho * w, name="its weights"),
        arm_goal(calculus.cov_own_reward(common), "=", V0, name="covariance with rewards of the arm"),
        arm_goal(calculus.cov_other_reward(common), "=", V0, name="covariance with rewards of another arm"),
        arm_goal(calculus.var(common), "=", V0, name="variance"),
    )


def ols_minus_gls() -> Form:
    """The mean of all rewards minus r0-bar. Another arm's share of all rewards is its count v rho/(1-v) over
    all counts."""
    share, other = n / (n + No), rho * v / (1 - v) / (n + No)
    return Form(share - w / W, share - w / W, other - v / W, other - v / W)


@claim(
    "r0-estimator/efficiency",
    by="paper",
    line=221,
    kind="prose",
    says=r"\operatorname{Var}(\bar r_0)\le\operatorname{Var}(\bar r),\ \bar r \text{ the mean of all rewards; equal "
    r"for equal counts, as after the initial rounds}",
    uses=("r0-estimator",),
)
def more_efficient() -> Argument:
    """In the sense of Gauss and Markov, never less efficient: shown here for two arms with counts n and n + h, for K
    arms by the formula of the difference. With equal counts the two estimates are the same number."""
    second = n + h  # the count of the second of two arms
    both = n + second
    ols = s0 * (n**2 + second**2) / both**2 + s / both
    gls = s0 / (w + weight(second))
    domain = {n: at_least(1, integer=True), h: at_least(0, integer=True), s: positive(), s0: positive()}
    return proof(
        Goal(Rel(gls, "<=", ols), domain, name="two arms"),
        Goal(Rel(gls, "<", ols), domain, (Rel(h, ">", 0),), "strictly, when the counts differ"),
        Goal(Rel(gls.subs(h, 0), "=", ols.subs(h, 0)), domain, name="equal counts"),
    )


@claim(
    "r0-estimator/efficiency/sharp",
    by="us",
    kind="inequality",
    says=r"\operatorname{Var}(\bar r)-\operatorname{Var}(\bar r_0)=\operatorname{Var}(\bar r-\bar r_0)="
    r"\sum_i\frac{\sigma_0^2}{w_i}\Big(\frac{n_i}{N}-\frac{w_i}{W}\Big)^2\ge 0, \text{ and } 0 \text{ "
    r"iff all } n_i \text{ are equal}",
    cites=("r0-estimator",),
)
def never_less_efficient() -> Argument:
    """The difference is uncorrelated with the GLS mean, so variances subtract; each term vanishes only if n_i +
    rho = N/W."""
    difference = ols_minus_gls()
    other_share = difference.effect + v / W
    return proof(
        arm_goal(
            calculus.cov_own_reward(common) * n / (n + No) + V0 * No / (n + No), "=", V0, name="covariance of the two"
        ),
        arm_goal(
            s0 * (difference.own_effect**2 + difference.own_noise**2 * (1 - w) / w),
            "=",
            s0 / w * (n / (n + No) - w / W) ** 2,
            name="the arm's own term is a square",
        ),
        arm_goal(
            s0 * other_share**2 * (1 + (1 - v) / v),
            "=",
            s0 / v * other_share**2,
            given=(Rel(v, "<", 1),),
            extra={v: positive()},
            name="so are the others",
        ),
        arm_goal(n / (n + No) - w / W, "=", w / W * ((n + rho) * W / (n + No) - 1), name="zero iff n + rho = N/W"),
    )


@claim(
    "r0-estimator/weight-limit",
    by="paper",
    line=221,
    kind="limit",
    cites=("w-def",),
)
def weights_even_out() -> Argument:
    """The weight of each arm tends to sigma^2/sigma_0^2, the same for all, at rate 1/n_k."""
    return proof(
        arm_goal((1 - w) * n, "=", s / (s0 + s / n), name="printed form"),
        arm_goal(rho - (1 - w) * n, "=", rho * (1 - w), name="distance from the limit"),
        arm_goal(rho * (1 - w), "<", rho**2 / n, name="rate"),
    )


@claim(
    "r0-estimator/limit",
    by="paper",
    line=221,
    kind="limit",
    says=r"E\Big(\bar r_0-\frac1K\sum_i\mu_i\Big)^2=\frac{\sigma_0^2}{W}-\frac{\sigma_0^2}{K}"
    r"\le\frac{\sigma^2}{K\min_i n_i}\to 0",
    uses=("r0-estimator/weight-limit",),
)
def mean_of_the_arm_means() -> Argument:
    """With many pulls of every arm the GLS mean is the mean of these K arm means; the distance is exact in mean
    square."""
    average = Form(own_effect=1 / K, effect=1 / K)
    distance = s0 / W - s0 / K
    # n = least + h is the arm's count and each other w_i is at least that of the least count
    counted = {
        least: at_least(1, integer=True),
        h: at_least(0, integer=True),
        J: DOMAIN[J],
        s: positive(),
        s0: positive(),
        Wo: DOMAIN[Wo],
    }
    bounds = (Rel(J * weight(least), "<=", Wo), Rel(Wo, "<=", J))
    return proof(
        arm_goal(calculus.var(common - average), "=", distance, name="mean square"),
        Goal(Rel(distance.subs(n, least + h), "<=", s / (K * least)), counted, bounds, "rate"),
    )


@claim(
    "r0-estimator/consistent",
    by="paper",
    line=221,
    kind="prose",
    severity="argument",
    cause="fixed-number-of-arms",
    says=r"\operatorname{Var}(\bar r_0)\to 0 \text{ as all } n_k\to\infty: \text{ it falls below } "
    r"\sigma_0^2/(2K)",
    cites=("r0-estimator/limit",),
)
def printed_consistency() -> Argument:
    """The GLS mean tends to the average of K random arm means, not to mu_0: its variance never falls below
    sigma_0^2/K."""
    printed = arm_goal(V0, "<=", s0 / (2 * K))
    return refuted(
        printed,
        region=everywhere(printed, s0 / all_w - s0 / (2 * K), WEIGHTS),
        fails_when="always: Var(r0-bar) > sigma_0^2/K for every count",
        also=(arm_goal(V0, ">", s0 / K, name="the floor"),),
    )


@claim(
    "r0-estimator/consistent/repaired",
    by="us",
    kind="limit",
    cites=("r0-estimator",),
    repairs="r0-estimator/consistent",
)
def consistent_in_the_arms() -> Argument:
    """More arms make it consistent, even with one pull each; more pulls of the same arms do not."""
    return proof(
        arm_goal(V0, ">", s0 / K, name="floor"),
        arm_goal(V0, "<=", (s0 + s) / K, name="ceiling"),
        arm_goal(V0.subs({n: one, Wo: J * s0 / (s0 + s)}), "=", (s0 + s) / K, name="reached at one pull each"),
    )
