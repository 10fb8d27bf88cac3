"""Appendix F, Lemma `sec:mu0Dist`, continued: what it says in the rounds of ReUCB, the first one included."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import everywhere, exactly
from theory.kernel.rules import IntegralOf, uses
from theory.model.arms import DOMAIN, LETTERS, WEIGHTS, No, W, Wo, all_w, arm_goal, arm_point, n, s, s0
from theory.model.conditional_laws import rbar_0
from theory.model.effects import arm_mean, calculus, direct
from theory.model.normal import phi, upper
from theory.model.quantities import TAU_SQ, mu0
from theory.model.raised_mean import prediction_lead
from theory.model.statistics import E, Variance, rbar_k
from theory.ours.posteriors import flat_posterior

x = sp.Symbol("x")


@claim(
    "sec:mu0Dist/law",
    by="paper",
    line=742,
    kind="step",
    severity="argument",
    cause="adaptive-counts",
    says=r"\text{at round } t \text{ of ReUCB: } \bar r_k\mid\mu_0\sim\mathcal N(\mu_0,\sigma_0^2+\sigma^2/n_k), "
    r"\text{ so } E\bar r_k=\mu_0",
    cites=("payoff-M1", "payoff-R", "sec:analysis/round-robin"),
)
def law_of_a_sample_mean() -> Argument:
    """A law of fixed counts, used where only its factor in mu_0 matters, so that the conclusion stands. Before round 4
    of two arms the better one of two rewards has been followed up, and a high first reward is averaged with a second
    one that is w_k times as high on average: E r-bar_1 - mu_0 = -(1-w)/2 times E[(r_1 - mu_0) 1{r_1 > r_2}], which is
    sqrt(sigma_0^2+sigma^2)/(2 sqrt(pi))."""
    one = sp.Integer(1)
    first, second = sp.symbols("r_1 r_2")
    mean = -(s / (s0 + s)) / 2 * sp.sqrt(s0 + s) / (2 * sp.sqrt(sp.pi))
    variances = {s: positive(), s0: positive()}
    printed = Goal(Rel(mean, "=", 0), variances, name="E r-bar_1 - mu_0 before round 4", letters=LETTERS)
    weights = {x: positive(), first: real(), second: real()}
    behind = (
        Goal(
            Rel((calculus.cov_own_reward(arm_mean) / calculus.var(direct)).subs(n, 1), "=", s0 / (s0 + s)),
            variances,
            name="slope of the second reward on the first",
        ),
        Goal(
            Rel(prediction_lead(x, x, first, second), "=", x * (first - second)),
            weights,
            name="round 3, equal counts and so equal widths: the lead of arm 1, x the weight of both",
        ),
        better_of_two(),
    )
    return gap(
        printed,
        premises=(
            arm_goal(E(rbar_k - mu0), "=", 0, name="mean, for fixed counts"),
            arm_goal(Variance(rbar_k), "=", s0 + s / n, name="variance, for fixed counts"),
        ),
        at=Point({s: one, s0: one}, {"K": "2", "t": "4", "sigma_sq": "1", "sigma0_sq": "1"}),
        region=everywhere(printed).with_items(*behind),
        fails_when="K = 2, t = 4: always, E r-bar_1 is below mu_0 by sigma^2/(4 sqrt(pi (sigma_0^2 + sigma^2)))",
    )


def better_of_two() -> IntegralOf:
    """E[Z_1 1{Z_1 > Z_2}] for two independent standard normals: Z_1 = x is the larger one with chance Phi(x)."""
    smaller = 1 - upper(x)
    whole = -phi(x) * smaller - upper(sp.sqrt(2) * x) / (2 * sp.sqrt(sp.pi))
    ends = -1 / (2 * sp.sqrt(sp.pi)), sp.S.Zero
    return IntegralOf(x * phi(x) * smaller, whole, x, -sp.oo, sp.oo, {x: real()}, ends, "mean of the better of two")


@claim(
    "sec:mu0Dist/no-reward",
    by="paper",
    line=725,
    kind="definition",
    severity="edge",
    cause="unpulled-arms",
    says=r"\text{every } t\ge 1: \text{ under the flat prior the posterior precision of } \mu_0 \text{ is positive, "
    r"} W/\sigma_0^2>0",
    cites=("sec:mu0Dist/finite-lambda",),
)
def before_any_reward() -> Argument:
    """A hypothesis is missing: in the first round no reward has been seen, and under a flat prior the posterior is
    that prior, no distribution at all."""
    t = sp.Symbol("t")
    seen, rounds = Rel(n + No, "=", t - 1), {t: at_least(1, integer=True), No: DOMAIN[No]}
    inference = arm_goal(W / s0, ">", 0, given=(seen,), extra=rounds, min_count=0)
    return gap(
        inference,
        at=arm_point((0,), sp.Integer(1), sp.Integer(1), {t: sp.Integer(1)}),
        region=exactly(inference, Rel(all_w, "<=", 0), let=WEIGHTS),
        fails_when="t = 1: no arm has been pulled",
    )


@claim(
    "sec:mu0Dist/no-reward/repaired",
    by="us",
    kind="statement",
    cites=("sec:mu0Dist/precision",),
    repairs="sec:mu0Dist/no-reward",
)
def with_one_reward() -> Argument:
    """One reward of any arm makes the posterior proper, for the arms without a reward too: their own part of the
    density is the prior around mu_0."""
    unpulled, others = {n: sp.Integer(0)}, {Wo: positive()}
    pulled = {n: at_least(1, integer=True)}
    return proof(
        arm_goal(W / s0, ">", 0, name="the printed precision, once every arm was pulled"),
        flat_posterior("an arm with a reward", extra=pulled, min_count=0),
        flat_posterior("an arm without one", unpulled, others, (rbar_0, s0 + s0 / Wo), min_count=0),
        arm_goal(TAU_SQ.xreplace(unpulled), "=", s0 + s0 / Wo, extra=others, min_count=0, name="its variance"),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
    )
