"""Appendix E, continued: the width tau_h of unequal noise against tau at the largest noise."""

import sympy as sp

from theory.kernel.argument import Argument, Computation, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive
from theory.kernel.region import exactly
from theory.model.arms import Wo, arm_goal, s0, tau_sq, w
from theory.paper.appendix_e.largest_noise import printed_error
from theory.paper.appendix_e.noise import h, x

n1, n2, e1, e2 = sp.symbols("n_1 n_2 sigma_1_sq sigma_2_sq")


@claim(
    "sec:varying/tau-h",
    by="paper",
    line=691,
    kind="inequality",
    severity="argument",
    cause="unequal-noise",
    says=r"\tau_{h;k}^2\le\tau_k^2 \text{ at } \sigma^2=\max_i\sigma_i^2, \text{ with } \tau_{h;k}^2=w_k^h"
    r"\frac{\sigma_k^2}{n_k}+\frac{(1-w_k^h)^2\sigma_k^2}{\sum_in_i(1-w_i^h)} \text{ as it is defined}",
    cites=("sec:varying/first-display", "sec:varying/monotone"),
)
def printed_width() -> Argument:
    """Argued from the second display; for tau_h as it is defined, by the first, it is false for an arm of the largest
    noise as soon as another arm has less. Nor is the error of the printed prediction below tau^2: with noise 1 and
    1/3, one pull each, it is 41/54 against 3/4."""
    w1, w2, w2h = (c * s0 / (c * s0 + e) for c, e in ((n1, e1), (n2, e1), (n2, e2)))  # e1 is the largest noise
    shared = (1 - w1) ** 2 * s0
    printed = Goal(
        Rel((1 - w1) * s0 + shared * e1 / (w1 * e1 + w2h * e2), "<=", (1 - w1) * s0 + shared / (w1 + w2)),
        {n1: at_least(1, integer=True), n2: at_least(1, integer=True), e1: positive(), e2: positive(), s0: positive()},
        (Rel(e2, "<=", e1),),
        "arm 1 of two, of the larger noise",
    )
    one = sp.Integer(1)
    return refuted(
        printed,
        region=exactly(printed, Rel(e2, "<", e1)),
        at=Point(
            {n1: one, n2: one, e1: one, e2: one / 2, s0: one},
            {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1", "1/2"], "sigma0_sq": "1"},
        ),
        fails_when="two arms, k that of the larger noise: iff the noises differ; K arms: sum_i w_i sigma^2 "
        "> sum_i w_i^h sigma_i^2, each term of which rises with the noise",
        also=(
            Goal(
                Rel(n1 * s0 * e1 / (n1 * s0 + e1), "<", n1 * s0 * (e1 + h) / (n1 * s0 + e1 + h)),
                {n1: positive(), s0: positive(), e1: positive(), h: positive()},
                name="w_i^h sigma_i^2 rises with sigma_i^2",
            ),
            Computation(
                "exact",
                "error of the printed prediction, noise 1 and 1/3, is 41/54",
                lambda noise: Rel(printed_error((1, 1), (1, noise))[0], "=", sp.Rational(41, 54)),
                (sp.Rational(1, 3),),
                {"constant: equal noise": (sp.Integer(1),), "constant: noise 1/2": (sp.Rational(1, 2),)},
            ),
        ),
    )


@claim(
    "sec:varying/tau-h/repaired",
    by="us",
    kind="inequality",
    says=r"\tau_{h;k}^2\le\tau_k^2 \text{ at } \sigma^2=\max_i\sigma_i^2, \text{ with } \tau_{h;k}^2=(1-w_k^h)"
    r"\sigma_0^2+(1-w_k^h)^2\sigma_0^2/\textstyle\sum_iw_i^h \text{ and } \bar r_0^h",
    uses=("sec:varying/second-display", "sec:varying/monotone"),
    repairs="sec:varying/tau-h",
)
def below_the_upper_variance() -> Argument:
    """For the second display, which is the error with the GLS mean: every weight is at least the one computed with
    the largest noise, and tau_k^2 falls in each weight."""
    tau_of = s0 * (1 - x) + (1 - x) ** 2 * s0 / (x + Wo)  # as a function of the own weight x and the others' sum
    weights = {s0: positive(), Wo: at_least(0), x: positive(), h: at_least(0)}
    return proof(
        Goal(
            Rel(tau_of.subs(Wo, Wo + h), "<=", tau_of),
            weights,
            name="falls in the other arms' weights",
            squares=(1 - x,),
        ),
        Goal(Rel(tau_of.subs(x, x + h), "<=", tau_of), weights, (Rel(x + h, "<=", 1),), "falls in the own weight"),
        arm_goal(tau_of.subs(x, w), "=", tau_sq, name="at the largest noise"),
    )
