"""The rule of UCB1, as definitions: what the counts are, which arm is pulled, and how many first pulls of an arm are
counted apart; and what letters of the theorem mean."""

import sympy as sp
from ucb1_play import ARM, PLAY, ROUND, A, B, K, N, again, ell, gap, i, t, u, w, wrong

from theory.kernel.goal import Goal, Letter, Rel
from theory.kernel.rules import Definition


def defined(what: str, rel: Rel) -> Definition:
    return Definition(what, Goal(rel, {**ARM, **PLAY, t: ROUND, N: ROUND}, name=what))


BEST_COUNT = defined("A: how many of the first t pulls are of the best arm, or 1", Rel(A(t, i, w), "<=", t))
OWN_COUNT = defined("B: how many of the first t pulls are of arm i, less ell, or 0", Rel(B(t, i, w), "<=", t - 1))
CHOICE = defined(
    "UCB1 pulls arm i only if its index is no smaller than that of the best arm",
    Rel(again(t + 1), "<=", wrong(A(t, i, w), ell + B(t, i, w))),
)
FIRST = tuple(
    defined(f"in round {m} no arm is pulled again", Rel(again(sp.Integer(m)), "<=", 0)) for m in (1, 2)
)  # a first pull is not one after ell >= 1 pulls, and every arm is pulled once first
ENOUGH = defined("ell is at least 8 log(N)/D^2", Rel(ell, ">=", 8 * sp.log(N) / gap**2))
ROUNDED = defined("ell is 8 log(N)/D^2, rounded up", Rel(ell, "<=", 8 * sp.log(N) / gap**2 + 1))

LETTERS = {
    K: Letter(K, "K - 1 is the number of arms that are not best; further best arms may be there, and cost nothing"),
    N: Letter(N, "number of rounds"),
    gap: Letter(gap, "by how much the mean of arm i is below that of the best arm"),
    u(t, i, w): Letter(
        u(t, i, w),
        "1 if UCB1 pulls arm i in round t, else 0; w is the outcome. UCB1 pulls every arm once, and after t pulls "
        "an arm with the largest sum of its average reward and sqrt(2 log(t)/s), s its number of pulls",
    ),
}
