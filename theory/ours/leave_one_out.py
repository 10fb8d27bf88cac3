"""The widths seen from one arm: the other arms act like rt additional rewards at their weighted mean.

With v the sum of the other weights, rt = rho v/(1+v). It serves the counting bound (`reucb.bounds.counting`): widths
are compared with g(N) = sigma/sqrt(N + alpha), alpha = (K-1) rho/(K+rho), whatever the counts of the other arms are.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.model.arms import LETTERS, J, K, W, Wo, arm_goal, n, rho, s, tau_sq, w

alpha = J * rho / (K + rho)
borrowed = rho * Wo / (1 + Wo)  # rt_k


@claim(
    "ours/leave-one-out",
    by="us",
    kind="identity",
    cites=("MSE", "blup"),
)
def leave_one_out() -> Argument:
    """Both are rational in n_k and v: put w_k = n_k/(n_k+rho) and W = w_k + v."""
    own, others = sp.symbols("r m")  # rbar_k and the weighted mean of the other averages
    predicted = w * own + (1 - w) * (w * own + Wo * others) / W
    free = {own: real(), others: real()}
    return proof(
        arm_goal(tau_sq, "=", s / (n + borrowed), name="width"),
        arm_goal(predicted, "=", (n * own + borrowed * others) / (n + borrowed), name="prediction", extra=free),
        letters={
            own: LETTERS[sp.Symbol("rbar_k")],
            others: Letter(others, "mean of the other arms' sample means with their weights"),
        },
    )


@claim(
    "ours/leave-one-out/range",
    by="us",
    kind="inequality",
    cites=("ours/leave-one-out", "w-def/bounds/repaired"),
)
def borrowed_range() -> Argument:
    """v/(1+v) rises in v, and v is at least (K-1)/(1+rho) when every other arm was pulled once."""
    return proof(
        arm_goal(alpha, "<=", borrowed, name="at least alpha"),
        arm_goal(borrowed, "<", rho, name="below rho"),
    )


@claim(
    "ours/width-ratio",
    by="us",
    kind="inequality",
    cites=("ours/leave-one-out", "ours/leave-one-out/range"),
)
def width_ratio() -> Argument:
    """Two arms I and k, and the sum V of the other weights. If k was pulled no more often than I, its other arms weigh
    more, and (1+x)/(N+x) rises in x; else tau_k is the smaller of the two widths."""
    N, m, r, V, x, low = sp.symbols("N m r V x low")  # counts of I and k; rho; rt_I; alpha
    w_I, w_k = N / (N + r), m / (m + r)

    def rt(v: sp.Expr) -> sp.Expr:
        return r * v / (1 + v)

    free = {N: at_least(1), m: at_least(1), r: positive(), V: at_least(0)}
    ends = {N: at_least(1), m: at_least(1), x: at_least(0), low: at_least(0)}
    return proof(
        Goal(Rel(rt(V + w_I), ">=", rt(V + w_k)), free, (Rel(m, "<=", N),), "rt_k >= rt_I if n_k <= N"),
        Goal(
            Rel((m + rt(V + w_I)) * (N + low), ">=", (1 + low) * (N + rt(V + w_k))),
            {**free, low: at_least(0)},
            (Rel(m, "<=", N), Rel(low, "<=", rt(V + w_k))),
            "n_k <= N: the ratio of the squared widths, low = alpha <= rt_I",
        ),
        Goal(Rel(m + rt(V + w_I), ">=", N + rt(V + w_k)), free, (Rel(m, ">=", N),), "n_k >= N: tau_k <= tau_I"),
        Goal(Rel(1 + low, "<=", N + low), ends, name="and g(N) <= g(1)"),
        letters={
            N: Letter(N, "number of pulls of the pulled arm I"),
            m: Letter(m, "number of pulls of arm k"),
            r: Letter(sp.Symbol("rho"), "sigma^2/sigma_0^2"),
            V: Letter(V, "sum of the weights of the other arms"),
            low: Letter(sp.Symbol("alpha"), "the least value of rho (W - w_I)/(1 + W - w_I)"),
        },
    )
