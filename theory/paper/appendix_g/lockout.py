"""Appendix G (`sec:extensions`): ReUCB with a < 1 can lock the best arm out, and Theorem them-R-Bayes-SubR (1) allows
a < 1.

One arm H is better than all others by D, but its first rewards were bad. Its average then lies below those of the
others by d, and its interval, sqrt(a log t) wide, never reaches them again. Symbols: h, g weights of H and of L, the
arm with the largest average among the others; R the sum of the other weights; y = rbar_L - rbar_H and Z the sum of
w_i (rbar_i - rbar_H) over the remaining arms.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive
from theory.model.arms import W, n, proxy_goal, s, s0, tau_sq, w

h, g, R, y, Z, d = sp.symbols("h g R y Z d")
share = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
total = h + g + R
common = (g * y + Z) / total  # rbar_0 - rbar_H
lead = g * y + (h - g) * common  # muhat_L - muhat_H: (1 - g) common + g y, less (1 - h) common
least = h * y * (total + g - h) / total
TWO_ARMS = {
    h: Letter(sp.Symbol("w_H"), "weight of arm H"),
    g: Letter(sp.Symbol("w_L"), "weight of arm L"),
    R: Letter(R, "sum of the weights of the other arms"),
    y: Letter(y, "mean of the rewards of L minus that of H"),
    Z: Letter(Z, "sum of w_i (rbar_i - rbar_H) over the other arms"),
    d: Letter(d, "any number up to y"),
}
ARMS = {h: share, g: share, R: at_least(0), y: positive(), Z: at_least(0), d: positive()}


@claim(
    "them-R-Bayes-SubR/lock-out/estimates",
    by="us",
    kind="step",
    cites=("blup",),
)
def estimates() -> Argument:
    """Subtract rbar_H everywhere: the difference is w_L y + (w_H - w_L)(rbar_0 - rbar_H), and rbar_0 is an average in
    which no arm is above L. With equal averages of the others the first bound is an equality."""
    below_L, ahead = Rel(Z, "<=", R * y), Rel(h, "<=", g)
    return proof(
        Goal(Rel((1 - g) * common + g * y - (1 - h) * common, "=", lead), ARMS, name="difference of two estimates"),
        Goal(Rel(lead.subs(Z, R * y), "=", least), ARMS, name="equal averages: equality"),
        Goal(Rel(lead, ">=", least), ARMS, (below_L, ahead), "w_L >= w_H: shrinkage helps H least"),
        Goal(Rel(least, ">=", h * d), ARMS, (ahead, Rel(d, "<=", y)), "at least d w_H"),
        Goal(Rel(lead, ">", 0), ARMS, (Rel(g, "<=", h),), "w_L <= w_H: positive"),
        letters=TWO_ARMS,
    )


@claim(
    "them-R-Bayes-SubR/lock-out/widths",
    by="us",
    kind="step",
    cites=("MSE", "compare-tauANDmab/repaired"),
)
def widths() -> Argument:
    """tau^2 = sigma_0^2 (1-w)(1 + (1-w)/W) falls in w at fixed W; and it is below the width of a sample mean."""

    def factor(weight: sp.Expr) -> sp.Expr:
        return (1 - weight) * (1 + (1 - weight) / total)

    return proof(
        proxy_goal(tau_sq, "=", s0 * (1 - w) * (1 + (1 - w) / W), name="tau^2 by weights"),
        Goal(
            Rel(factor(g), ">=", factor(h)),
            {h: share, g: share, R: at_least(0)},
            (Rel(g, "<=", h),),
            "the less pulled arm is wider",
        ),
        proxy_goal(tau_sq, "<=", s / n, name="below a sample mean's"),
        letters=TWO_ARMS,
    )
