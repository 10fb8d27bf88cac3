"""Section 1 (`sec:introduction`): what is promised before anything is defined."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, positive
from theory.model.arms import arm_goal, n, s, tau_sq

a = sp.Symbol("a")
ucb1_width_sq = 8 * s / n  # squared width over log t


@claim(
    "sec:introduction/tighter",
    by="paper",
    line=141,
    kind="prose",
    cites=("compare-tauANDmab", "compare-tauANDmab/repaired"),
)
def tighter_below_eight() -> Argument:
    """The paper's UCB1 has the constant 8. As tau_k^2 never exceeds sigma^2/n_k, every constant a < 8 gives a tighter
    interval, for every K. (At the same constant, and with one arm, the two intervals are equal.)"""
    below = Rel(a, "<", 8)
    return proof(
        arm_goal(tau_sq, "<=", s / n, name="never wider than the sample mean's"),
        arm_goal(a * tau_sq, "<", ucb1_width_sq, extra={a: positive()}, given=(below,), name="a below 8"),
    )
