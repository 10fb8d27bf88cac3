"""The lower bound for every algorithm (`reucb.bounds.lower`): regret arm by arm, and a relaxed stopping problem.

N_k is the number of pulls of arm k in n rounds, x_k = Y_k - mu_k with Y_k the best of the other means. h is any
non-decreasing function with 0 <= h(x) <= x.
"""

import sympy as sp

from theory.kernel.argument import Argument, Words, proof
from theory.kernel.claim import claim
from theory.kernel.classical import OPTIONAL_STOPPING
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import Expectation, SumOver, cited
from theory.kernel.terms import Mean

x, e, N, hm, k, K, n, pulls = sp.symbols("x e N hm k K n pulls")


@claim("ours/lower/one-arm", by="us", kind="inequality")
def one_arm() -> Argument:
    """For an arm that is not the best, x is its gap, which is at least the margin of the best arm, so h(x) = hm + e
    with hm = h(margin) and e >= 0. Its cost x N is the part (x - h) N that stays with it, and at least hm N that is
    charged to the best arm."""
    free = {x: real(), e: at_least(0), N: at_least(0), hm: at_least(0)}
    return proof(Goal(Rel(x * N, ">=", (x - (hm + e)) * N + hm * N), free, name="cost of one arm"))


@claim("ours/lower/all-arms", by="us", kind="inequality", uses=("ours/lower/one-arm",))
def all_arms() -> Argument:
    """Summed over the K - 1 arms that are not the best: their pulls add up to n - N_j, so the part charged to the best
    arm is h(margin) (n - N_j). Taking
    means gives R_n >= sum_k E[(x_k - h) 1{x_k > 0} N_k + h(-x_k) 1{x_k < 0} (n - N_k)]."""
    kept = sp.Symbol("kept")  # (x - h(x)) N of one arm, so that its cost is kept + h(x) N
    free = {kept: real(), e: at_least(0), N: at_least(0), hm: at_least(0)}
    term = Goal(Rel(kept + (hm + e) * N, ">=", kept + hm * N), free, name="cost of one arm")
    family = {s: sp.Function(str(s))(k) for s in (kept, e, N)}
    others = {K: at_least(2, integer=True), hm: at_least(0), pulls: at_least(0)}
    return proof(
        SumOver(
            term,
            k,
            1,
            K - 1,
            others,
            family,
            where={pulls: sp.Sum(family[N], (k, 1, K - 1))},
            name="the arms that are not the best; pulls = n - N_j",
        )
    )


@claim("ours/lower/blocks", by="us", kind="inequality")
def blocks() -> Argument:
    """Revealing a block of b rewards before the decision lets the stopper do better, and stopping inside it at r costs
    r G + (m - r) H, linear in r: one of the two ends costs no more. So blocks give a lower bound still."""
    r, m, b, G, H = sp.symbols("r m b G H")
    free = {r: at_least(0), m: at_least(0), b: at_least(0), G: at_least(0), H: at_least(0)}
    inside = (Rel(r, "<=", b),)
    cost = r * G + (m - r) * H
    return proof(
        Goal(Rel(cost, ">=", m * H), free, (*inside, Rel(G, ">=", H)), "G >= H: stop at once"),
        Goal(Rel(cost, ">=", b * G + (m - b) * H), free, (*inside, Rel(G, "<=", H)), "G <= H: take the whole block"),
    )


@claim("ours/lower/dual", by="us", kind="inequality")
def dual() -> Argument:
    """For any martingale M with M_0 = 0 and any stopping time, E Z_tau = E (Z_tau - M_tau) is at least the mean of the
    smallest Z_l - M_l: a bound that needs no exact solution of the stopping problem."""
    M, least, slack, W = sp.symbols("M least slack W")  # Z_tau = least + slack + M_tau
    free = {M: real(), least: real(), slack: at_least(0)}
    centred = Expectation(Goal(Rel(W - Mean(W, W), "=", W - Mean(W, W)), {W: real()}, name="an increment"), (W,))
    stopped = cited(
        OPTIONAL_STOPPING,
        hypotheses=(centred,),
        gives=Goal(Rel(Mean(M, M), "=", 0), {M: real()}, name="mean of the stopped martingale"),
        name="increments W_l less their conditional means",
    )
    pointwise = Goal(Rel(least + slack + M, ">=", least + M), free, name="Z_tau - M_tau is at least the smallest")
    over = (least, slack, M)
    averaged = Expectation(pointwise, over)
    return proof(averaged, stopped)


@claim(
    "ours/lower",
    by="us",
    kind="bound",
    says=r"\text{every policy},\ \sigma_0=1,\ h\ \text{non-decreasing},\ 0\le h(x)\le x:\quad R_n\ge K\,E_Y\inf_\tau "
    r"E[(x-h(x))1\{x>0\}\tau+h(-x)1\{x<0\}(n-\tau)\mid Y],\quad x=Y-\mu",
    uses=("ours/lower/all-arms", "ours/lower/blocks", "ours/lower/dual"),
)
def lower() -> Argument:
    """Theorem L: the K problems of ours/lower/all-arms are alike, so R_n is at least K times the value of one. Given
    all other means and rewards and the policy's own random numbers, whether arm k is pulled at most j times is decided
    by its first j rewards; so its cost is at least the least mean cost over all stopping times, which
    `reucb.bounds.lower` bounds from below by ours/lower/blocks."""
    regret, value, arm, arms, total = sp.symbols("regret value arm arms total")
    free = {regret: real(), value: at_least(0), arm: at_least(0), arms: at_least(2, integer=True), total: real()}
    return proof(
        Goal(
            Rel(regret, ">=", arms * value),
            free,
            (Rel(regret, ">=", arms * arm), Rel(arm, ">=", value)),
            "K alike problems, each at least the value of the stopping problem",
        ),
        Words("given the rest, the number of pulls of an arm is a stopping time of its own sequence of rewards"),
    )
