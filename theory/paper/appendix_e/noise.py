"""Appendix E (`sec:varying`): every arm with a noise variance of its own."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, positive
from theory.kernel.region import unequal
from theory.model.arms import J, n, s0
from theory.model.moments import Calculus, Form, w_i
from theory.model.own_noise import DOMAIN, LETTERS, So, Xh, own_goal, tau_h_sq, wh
from theory.model.quantities import TAU_H_SQ, W_H, W_H_ALL, Xo, s1
from theory.model.statistics import Cov, E, mu_hat, mu_k, r_ij, r_kj, rbar_0, with_own_noise

h, y = sp.symbols("h y")
one = sp.Integer(1)
calculus = Calculus(s0, wh, {0: J, 1: Xo})


@claim(
    "sec:varying/second-display",
    by="paper",
    line=688,
    kind="identity",
    cites=("MSE",),
)
def second_display() -> Argument:
    """The error of the best linear unbiased predictor, whatever the noise of each arm."""
    printed = (s1 / n) * s0 / (s0 + s1 / n) + (1 - W_H) ** 2 * s0 / W_H_ALL
    return proof(
        own_goal(with_own_noise(E((mu_hat - mu_k) ** 2)), "=", printed, name="as printed"),
        own_goal(printed, "=", TAU_H_SQ, name="form used here"),
    )


@claim(
    "sec:varying/first-display",
    by="paper",
    line=685,
    kind="identity",
    severity="argument",
    cause="unequal-noise",
    says=r"\tau_{h;k}^2=w_k^h\frac{\sigma_k^2}{n_k}+\frac{(1-w_k^h)^2\sigma_k^2}{\sum_in_i(1-w_i^h)}",
    cites=("sec:varying/second-display",),
)
def first_display() -> Argument:
    """n_i (1-w_i^h) is w_i^h sigma_i^2/sigma_0^2 with the noise of arm i, so sigma_k^2 does not cancel: the two
    displays of the same quantity contradict each other unless sigma_k^2 is the weighted mean of all noise
    variances."""
    first = wh * s1 / n + (1 - wh) ** 2 * s1 / ((wh * s1 + So) / s0)
    printed, sums = own_goal(first, "=", tau_h_sq), sp.symbols("sum_w_i sum_w_i_sigma_i_sq")
    return refuted(
        printed,
        region=unequal(printed, s1 * sums[0] - sums[1], {sums[0]: Xh, sums[1]: wh * s1 + So}),
        fails_when="sigma_k^2 sum_i w_i^h is not sum_i w_i^h sigma_i^2: for some k unless all are equal",
    )


@claim(
    "sec:varying/first-display/repaired",
    by="us",
    kind="identity",
    cites=("sec:varying/second-display",),
    repairs="sec:varying/first-display",
)
def first_display_repaired() -> Argument:
    """Each arm's own noise belongs under the sum: n_i (1-w_i^h)/sigma_i^2 = w_i^h/sigma_0^2."""
    repaired = W_H * s1 / n + (1 - W_H) ** 2 / (n * (1 - W_H) / s1 + Xo / s0)
    return proof(
        own_goal(n * (1 - W_H) / s1, "=", W_H / s0, name="one arm's part"),
        own_goal(repaired, "=", TAU_H_SQ, name="repaired"),
    )


@claim(
    "sec:varying/common-mean",
    by="paper",
    line=683,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\text{the weights } (1-w_i^h)n_i \text{ of Eq. r0-estimator give all rewards equal covariance "
    r"with } \bar r_0",
    cites=("r0-estimator",),
)
def printed_common_mean() -> Argument:
    """The estimate of mu_0 is taken over unchanged; with unequal noise its weights are w_i^h sigma_i^2 and not
    the GLS ones."""
    total = wh * s1 + So
    printed = Form(wh * s1 / total, wh * s1 / total)  # the part of arm k is enough
    own, other = calculus.cov_own_reward(printed), s0 * y / total  # another arm with noise y: weight v y / total
    shown = {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1", "2"], "sigma0_sq": "1"}
    two_arms = Point(
        {n: one, s1: one, s0: one, y: one * 2, So: sp.Rational(2, 3)}, shown, {y: sp.Symbol("sigma_k_sq_2")}
    )
    noise = Letter(sp.Symbol("sigma_i", positive=True) ** 2, "variance of the rewards of another arm i")
    inference = Goal(Rel(own, "=", other), {**DOMAIN, y: positive()}, letters={**LETTERS, y: noise})
    alike = Goal(inference.rel.at({y: s1}), DOMAIN, name="with equal noise", letters=LETTERS)
    return gap(
        inference,
        premises=(alike,),
        at=two_arms,
        region=unequal(inference, s1 - y),
        fails_when="two arms differ in noise",
    )


@claim(
    "sec:varying/common-mean/repaired",
    by="us",
    kind="step",
    repairs="sec:varying/common-mean",
)
def gls_common_mean() -> Argument:
    """With weights w_i^h everything of Section 3.2 carries over, the independence of all contrasts included."""
    level, arm = s0 / W_H_ALL, {w_i: Var(sp.Integer(0), strict=True, high=one)}

    def same(statistic: sp.Expr, value: sp.Expr, name: str) -> tuple[Goal, Goal]:
        own, other = (with_own_noise(Cov(statistic, reward)) for reward in (r_kj, r_ij))
        return (
            own_goal(own, "=", other, extra=arm, name=f"{name}: the same with every reward"),
            own_goal(other, "=", value, extra=arm, name=f"{name}: its value"),
        )

    return proof(*same(rbar_0, level, "common mean"), *same(mu_hat - mu_k, (1 - W_H) * level, "error"))


@claim(
    "sec:varying/monotone",
    by="paper",
    line=689,
    kind="step",
    cites=("w-def/monotone",),
)
def monotone_in_the_noise() -> Argument:
    """More noise makes the shrunken estimate worse and its weight lower."""
    first = s0 * s1 / (n * s0 + s1)
    step = {h: positive()}
    return proof(
        own_goal(first, "<", first.subs(s1, s1 + h), name="first term rises", extra=step),
        own_goal(wh, ">", wh.subs(s1, s1 + h), name="weight falls", extra=step),
    )
