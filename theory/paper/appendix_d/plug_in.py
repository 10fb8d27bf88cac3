"""Appendix D, continued: predictions whose weights and widths use estimated variances."""

import sympy as sp

from theory.kernel.argument import Argument, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Point, Rel, positive, real
from theory.kernel.region import everywhere
from theory.model.arms import arm_goal, n, s, s0, tau_sq, w
from theory.model.examples import UNEQUAL, Listed, at_design, of_example
from theory.model.quantities import TAU_SQ, TAU_TILDE_SQ, W_K, ArmSum, count_i, mu0, weight_i
from theory.model.statistics import E, mu_k, rbar_k

c, x = sp.symbols("c x")


@claim(
    "sec:estimation-3/only-in-the-weights",
    by="paper",
    line=661,
    kind="prose",
    severity="wording",
    cause="plug-in",
    says=r"\tau_k^2 \text{ depends on the two variances through the } w_i \text{ only, so that it is enough }"
    r"\text{to replace them there}",
    cites=("w-def", "MSE"),
)
def replaced_only_in_the_weights() -> Argument:
    """The estimates are to replace the variances in w_k. The weights depend on the ratio of the variances only:
    doubling both changes no weight and doubles tau_k^2, which contains sigma^2 itself."""
    twice = {s: 2 * s, s0: 2 * s0}  # W_o, a sum of weights, stays
    inference, width = arm_goal(tau_sq.subs(twice, simultaneous=True), "=", tau_sq), sp.Symbol("tau_k_sq")
    return gap(
        inference,
        region=everywhere(inference, width, {width: tau_sq}),
        fails_when="always: the two sides differ by tau_k^2",
        premises=(arm_goal(w.subs(twice, simultaneous=True), "=", w, name="the weights stay"),),
    )


@claim(
    "sec:estimation-3/only-in-the-weights/repaired",
    by="us",
    kind="identity",
    cites=("MSE",),
    repairs="sec:estimation-3/only-in-the-weights",
)
def replaced_in_front_too() -> Argument:
    """Given the weights, one variance is left, as a factor; with its estimate there too nothing unknown remains."""
    bracket = W_K / n + (1 - W_K) ** 2 / ArmSum(count_i * (1 - weight_i))
    scaled = {s: x * s, s0: x * s0}
    return proof(
        arm_goal(TAU_SQ, "=", s * bracket, name="one factor"),
        arm_goal(
            bracket.xreplace(scaled), "=", bracket, extra={x: positive()}, name="the bracket knows the ratio only"
        ),
    )


@claim(
    "sec:estimation-3/plug-in",
    by="paper",
    line=661,
    kind="statement",
    severity="argument",
    cause="plug-in",
    says=r"\text{with } \hat\sigma_0^2,\hat\sigma^2 \text{ in place of } \sigma_0^2,\sigma^2:\ "
    r"E(\hat\mu_k-\mu_k)^2=E\hat\tau_k^2",
    cites=("MSE", "variance1", "variance2"),
)
def weights_from_estimated_variances() -> Argument:
    """Eq. MSE is derived for constant weights. With estimated ones the prediction is worse than tau_k^2 says,
    and the width that the algorithm then uses is smaller still, on average over all outcomes of a small
    design."""
    known = TAU_SQ.xreplace(at_design(UNEQUAL))
    return gap(
        of_example(Listed("plug-in error"), Listed("plug-in width"), name="error against average width"),
        premises=(Rel(Listed("error with the known variances"), "=", known),),
        at=Point({}),
        fails_when="the weights depend on the rewards",
    )


@claim(
    "sec:estimation-3/plug-in/repaired",
    by="us",
    kind="identity",
    cites=("mse-a", "w-def"),
    repairs="sec:estimation-3/plug-in",
)
def price_of_a_wrong_weight() -> Argument:
    """A fixed wrong weight costs the square of its distance from w_k: small errors of the variances cost
    little."""
    risk = E(((1 - c) * mu0 + c * rbar_k - mu_k) ** 2)
    reals, square = {c: real(), mu0: real()}, c * (n * s0 + s) - n * s0
    return proof(
        arm_goal(risk, "=", TAU_TILDE_SQ + (s0 + s / n) * (c - W_K) ** 2, extra=reals, name="excess risk"),
        arm_goal(risk, ">=", TAU_TILDE_SQ, extra=reals, squares=(square,), name="never below"),
    )
