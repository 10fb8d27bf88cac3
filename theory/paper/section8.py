"""Section 8 (`sec:conclusions`): the summary's two claims about what ReUCB needs to know."""

import sympy as sp

from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, positive, real
from theory.kernel.region import unequal
from theory.model.arms import arm_goal, s, s0, w

HERE = "Section 8"
mu0, mu0p, s0p, r, shift, r0 = sp.symbols("mu0 mu0p s0p r shift r0")


@claim(
    "sec:conclusions/prior-free",
    where=HERE,
    kind="prose",
    depends_on=("blup", "variance1", "variance2/repaired", "variance2", "variance1/defined"),
    says=r"\hat\mu_k(r + c) = \hat\mu_k(r) + c; \text{ with estimated variances nothing of the prior is needed}",
)
def prior_free():
    """Moving every reward by a constant moves every index by it, so no choice needs mu_0; the version that is
    analysed is still given both variances, and its weights do depend on them."""

    def blup(mean: sp.Expr, centre: sp.Expr) -> sp.Expr:
        return (1 - w) * centre + w * mean

    return proof(
        arm_goal(
            blup(r + shift, r0 + shift),
            "=",
            blup(r, r0) + shift,
            extra={r: real(), r0: real(), shift: real()},
            name="the index moves with the rewards",
        ),
        arm_goal(sp.Derivative(w, s0), ">", 0, name="the analysed version depends on sigma_0^2"),
    )


@claim(
    "sec:conclusions/weaker-assumption",
    where=HERE,
    kind="prose",
    says=r"\text{whoever knows } \mu_0 \text{ knows } \sigma_0^2",
)
def weaker_than_knowing_the_mean():
    """Knowing the two variances is called weaker than knowing mu_0, but neither can be derived from the other."""
    same_mean, zero, one = Rel(mu0, "=", mu0p), sp.Integer(0), sp.Integer(1)
    printed = Goal(Rel(s0, "=", s0p), {s0: positive(), s0p: positive(), mu0: real(), mu0p: real()}, (same_mean,))
    return refuted(
        printed,
        region=unequal(printed, s0 - s0p, {s0p: sp.Symbol("other_sigma0_sq")}),
        at=Point({mu0: zero, mu0p: zero, s0: one, s0p: 2 * one}, {"mu0": "0 in both priors", "sigma0_sq": "1 and 2"}),
        fails_when="two priors have the same mean mu_0 and different variances sigma_0^2",
    )


@claim(
    "sec:conclusions/weaker-assumption/repaired",
    where=HERE,
    kind="prose",
    repairs="sec:conclusions/weaker-assumption",
    depends_on=("mu-estimator",),
    says=r"\partial\tilde\mu_k/\partial\mu_0 = 1-w_k > 0, \quad \partial w_k/\partial\sigma_0^2 > 0",
)
def thompson_needs_all_three():
    """Thompson sampling's posterior mean uses mu_0 and both variances, so ReUCB's two are a part of what it needs."""
    posterior_mean = (1 - w) * mu0 + w * r
    extra = {mu0: real(), r: real()}
    return proof(
        arm_goal(sp.Derivative(posterior_mean, mu0), "=", 1 - w, extra=extra, name="mu_0 matters"),
        arm_goal(1 - w, ">", 0, name="always"),
        arm_goal(sp.Derivative(w, s0), ">", 0, name="sigma_0^2 matters"),
        arm_goal(sp.Derivative(w, s), "<", 0, name="sigma^2 matters"),
    )
