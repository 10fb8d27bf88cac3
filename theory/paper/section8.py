"""Section 8 (`sec:conclusions`): the summary's two claims about what ReUCB needs to know."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Letter, Var, positive, real
from theory.kernel.rules import uses
from theory.model.arms import LETTERS, arm_goal, s, s0
from theory.model.quantities import TAU_SQ, W_K

mu0, r, c = sp.symbols("mu_0 rbar_k c")
SCALED = {s0: c**2 * s0, s: c**2 * s}
WORDS = {**LETTERS, c: Letter(c, "any factor by which all rewards are multiplied")}


@claim(
    "sec:conclusions/prior-free",
    by="paper",
    line=567,
    kind="prose",
    cites=("blup", "variance1", "variance2/repaired", "variance2", "variance1/defined"),
)
def prior_free() -> Argument:
    """Adding x to every reward adds x to every estimate and leaves the widths, so no choice needs mu_0. Multiplying
    every reward by c multiplies estimated variances by c^2; then weights stay and widths are multiplied by c, so the
    scale of the prior is not needed either. The version that is analysed is given both variances, and its weights
    depend on their ratio."""
    shift = uses("ours/shift-invariance", item="estimate")
    extra = {c: positive()}
    return proof(
        shift,
        arm_goal(W_K.xreplace(SCALED), "=", W_K, extra=extra, name="weights do not depend on the scale"),
        arm_goal(TAU_SQ.xreplace(SCALED), "=", c**2 * TAU_SQ, extra=extra, name="widths scale"),
        letters=WORDS,
    )


@claim(
    "sec:conclusions/weaker-assumption",
    by="paper",
    line=569,
    kind="prose",
    cites=("mu-estimator",),
)
def thompson_needs_all_three() -> Argument:
    """Said against the analyses of Thompson sampling, whose posterior mean (1 - w_k) mu_0 + w_k rbar_k uses mu_0 and
    both variances: ReUCB's two are a part of what it needs."""
    posterior_mean = (1 - W_K) * mu0 + W_K * r
    extra = {mu0: real(), r: real()}
    more = {c: Var(sp.Integer(1), strict=True)}
    return proof(
        arm_goal(sp.Derivative(posterior_mean, mu0), "=", 1 - W_K, extra=extra, name="mu_0 matters"),
        arm_goal(1 - W_K, ">", 0, name="always"),
        arm_goal(W_K.xreplace({s0: c * s0}), ">", W_K, extra=more, name="sigma_0^2 matters"),
        arm_goal(W_K.xreplace({s: c * s}), "<", W_K, extra=more, name="sigma^2 matters"),
        letters={**LETTERS, c: Letter(c, "any factor above 1"), r: Letter(r, "sample mean of arm k")},
    )
