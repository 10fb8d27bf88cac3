"""Section 8 (`sec:conclusions`): the summary's two claims about what ReUCB needs to know."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import real
from theory.model.arms import arm_goal, s, s0, w

mu0, mu0p, s0p, r, shift, r0 = sp.symbols("mu0 mu0p s0p r shift r0")


@claim(
    "sec:conclusions/prior-free",
    by="paper",
    line=567,
    kind="prose",
    says=r"\hat\mu_k(r + c) = \hat\mu_k(r) + c; \text{ with estimated variances nothing of the prior is needed}",
    cites=("blup", "variance1", "variance2/repaired", "variance2", "variance1/defined"),
)
def prior_free() -> Argument:
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
    by="paper",
    line=569,
    kind="prose",
    says=r"\partial\tilde\mu_k/\partial\mu_0 = 1-w_k > 0, \quad \partial w_k/\partial\sigma_0^2 > 0",
    cites=("mu-estimator",),
)
def thompson_needs_all_three() -> Argument:
    """Said against the analyses of Thompson sampling, whose posterior mean uses mu_0 and both variances: ReUCB's two
    are a part of what it needs."""
    posterior_mean = (1 - w) * mu0 + w * r
    extra = {mu0: real(), r: real()}
    return proof(
        arm_goal(sp.Derivative(posterior_mean, mu0), "=", 1 - w, extra=extra, name="mu_0 matters"),
        arm_goal(1 - w, ">", 0, name="always"),
        arm_goal(sp.Derivative(w, s0), ">", 0, name="sigma_0^2 matters"),
        arm_goal(sp.Derivative(w, s), "<", 0, name="sigma^2 matters"),
    )
