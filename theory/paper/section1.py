"""Section 1 (`sec:introduction`): what is promised before anything is defined."""

import sympy as sp

from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, positive
from theory.model.arms import Wo, arm_goal, n, s, tau_sq

HERE = "Section 1"
a = sp.Symbol("a")
ucb1_width_sq = 8 * s / n  # squared width over log t


@claim(
    "sec:introduction/tighter",
    where=HERE,
    kind="prose",
    depends_on=("compare-tauANDmab",),
    says=r"a\tau_k^2 < a\sigma^2/n_k: \text{ tighter than UCB1's at the same constant } a",
)
def tighter_than_ucb1():
    """With a single arm there is nothing to borrow, and at the same constant the interval is UCB1's own."""
    return refuted(
        arm_goal(a * tau_sq, "<", a * s / n, extra={a: positive()}),
        fails_iff=Rel(Wo, "<=", 0),
        fails_when="K = 1; with K >= 2 only while no other arm was pulled",
    )


@claim(
    "sec:introduction/tighter/repaired",
    where=HERE,
    kind="inequality",
    repairs="sec:introduction/tighter",
    depends_on=("compare-tauANDmab/repaired",),
    says=r"a\tau_k^2 < 8\sigma^2/n_k \text{ for every } 0 < a < 8",
)
def tighter_below_eight():
    """As tau_k^2 never exceeds sigma^2/n_k, any constant below UCB1's own 8 gives a tighter interval, for every K."""
    below = Rel(a, "<", 8)
    return proof(
        arm_goal(tau_sq, "<=", s / n, name="never wider than the sample mean's"),
        arm_goal(a * tau_sq, "<", ucb1_width_sq, extra={a: positive()}, given=(below,), name="a below 8"),
    )
