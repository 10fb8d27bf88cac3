"""Appendix E (`sec:varying`): every arm with a noise variance of its own.

The bilinear calculus knows an arm only through its weight, so all it says of weights holds for w_k^h too. Here n
and s1 belong to arm k, and the other arms enter through Xo = sum of w_i^h and So = sum of w_i^h sigma_i^2.
"""

from collections.abc import Iterator
from itertools import product

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive
from theory.kernel.region import unequal
from theory.kernel.sampling import small_values
from theory.model.arms import J, n, s0
from theory.model.moments import Calculus, Form, v

s1, Xo, So, x, h, y = sp.symbols("s1 Xo So x h y")
one = sp.Integer(1)
wh = n * s0 / (n * s0 + s1)  # w_k^h
Xh = wh + Xo
tau_h_sq = (1 - wh) * s0 + (1 - wh) ** 2 * s0 / Xh  # the second display
calculus = Calculus(s0, wh, {0: J, 1: Xo})
common = Form(wh / Xh, wh / Xh, v / Xh, v / Xh)
error = wh * Form(one, one) + (1 - wh) * common - Form(own_effect=one)
DOMAIN = {
    n: at_least(1, integer=True),
    J: at_least(0, integer=True),
    s1: positive(),
    s0: positive(),
    Xo: at_least(0),
    So: at_least(0),
}


def bandits() -> Iterator[Point]:
    """Small bandits of one or two arms with unequal noise, seen from the first."""
    sizes = small_values(positive())[:5]
    for arms in (1, 2):
        for counts, noise, spread in product(product((1, 2, 3), repeat=arms), product(sizes, repeat=arms), sizes):
            weights = [c * spread / (c * spread + e) for c, e in zip(counts, noise, strict=True)]
            values = {
                n: sp.Integer(counts[0]),
                J: sp.Integer(arms - 1),
                s1: noise[0],
                s0: spread,
                Xo: sum(weights[1:], sp.S.Zero),
                So: sum((a * b for a, b in zip(weights[1:], noise[1:], strict=True)), sp.S.Zero),
            }
            yield Point(
                values,
                {
                    "K": str(arms),
                    "n": [str(c) for c in counts],
                    "sigma_k_sq": [str(e) for e in noise],
                    "sigma0_sq": str(spread),
                },
            )


def goal(left: sp.Expr, op: str, right: sp.Expr, name: str = "", extra: dict[sp.Symbol, Var] | None = None) -> Goal:
    return Goal(
        Rel(left, op, right), {**DOMAIN, **(extra or {})}, (Rel(Xo, "<=", J),), name, points=None if extra else bandits
    )


@claim(
    "sec:varying/second-display",
    by="paper",
    line=688,
    kind="identity",
    says=r"E(\hat\mu_k^h-\mu_k)^2=\frac{\sigma_0^2\sigma_k^2/n_k}{\sigma_0^2+\sigma_k^2/n_k}"
    r"+\frac{(1-w_k^h)^2\sigma_0^2}{\sum_iw_i^h}",
    uses=("MSE",),
)
def second_display() -> Argument:
    """The error of the best linear unbiased predictor, whatever the noise of each arm."""
    printed = (s1 / n) * s0 / (s0 + s1 / n) + (1 - wh) ** 2 * s0 / Xh
    return proof(goal(calculus.var(error), "=", printed, "as printed"), goal(printed, "=", tau_h_sq, "form used here"))


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
    printed, sums = goal(first, "=", tau_h_sq), sp.symbols("sum_w_i sum_w_i_sigma_i_sq")
    own = {s1: sp.Symbol("sigma_k_sq")}
    return refuted(
        printed,
        region=unequal(printed, s1 * sums[0] - sums[1], own, {sums[0]: Xh, sums[1]: wh * s1 + So}),
        fails_when="sigma_k^2 sum_i w_i^h is not sum_i w_i^h sigma_i^2: for some k unless all are equal",
    )


@claim(
    "sec:varying/first-display/repaired",
    by="us",
    kind="identity",
    uses=("sec:varying/second-display",),
    repairs="sec:varying/first-display",
)
def first_display_repaired() -> Argument:
    """Each arm's own noise belongs under the sum: n_i (1-w_i^h)/sigma_i^2 = w_i^h/sigma_0^2."""
    repaired = wh * s1 / n + (1 - wh) ** 2 / (n * (1 - wh) / s1 + Xo / s0)
    return proof(goal(n * (1 - wh) / s1, "=", wh / s0, "one arm's part"), goal(repaired, "=", tau_h_sq, "repaired"))


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
    two_arms = Point({n: one, s1: one, s0: one, y: one * 2, So: sp.Rational(2, 3)}, shown)
    inference = Goal(Rel(own, "=", other), {**DOMAIN, y: positive()})
    noises = {s1: sp.Symbol("sigma_k_sq"), y: sp.Symbol("sigma_i_sq")}
    alike = Goal(inference.rel.at({y: s1}), DOMAIN, name="with equal noise")
    return gap(
        inference,
        premises=(alike,),
        at=two_arms,
        region=unequal(inference, s1 - y, noises),
        fails_when="two arms differ in noise",
    )


@claim(
    "sec:varying/common-mean/repaired",
    by="us",
    kind="step",
    says=r"\bar r_0^h=\sum_iw_i^h\bar r_i/\sum_iw_i^h:\ \operatorname{Cov}(\hat\mu_k^h-\mu_k,r_{i,j})="
    r"(1-w_k^h)\sigma_0^2/\textstyle\sum_iw_i^h \text{ for all } i,j",
    repairs="sec:varying/common-mean",
)
def gls_common_mean() -> Argument:
    """With weights w_i^h everything of Section 3.2 carries over, the independence of all contrasts included."""
    level = s0 / Xh
    return proof(
        goal(calculus.cov_own_reward(common), "=", level, "common mean, rewards of the arm"),
        goal(calculus.cov_other_reward(common), "=", level, "common mean, rewards of another arm"),
        goal(calculus.cov_own_reward(error), "=", (1 - wh) * level, "error, rewards of the arm"),
        goal(calculus.cov_other_reward(error), "=", (1 - wh) * level, "error, rewards of another arm"),
    )


@claim(
    "sec:varying/monotone",
    by="paper",
    line=689,
    kind="step",
    uses=("w-def/monotone",),
)
def monotone_in_the_noise() -> Argument:
    """More noise makes the shrunken estimate worse and its weight lower."""
    first = s0 * s1 / (n * s0 + s1)
    step = {h: positive()}
    return proof(
        goal(first, "<", first.subs(s1, s1 + h), "first term rises", step),
        goal(wh, ">", wh.subs(s1, s1 + h), "weight falls", step),
    )
