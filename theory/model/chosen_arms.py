"""Playing m of K arms that were chosen without looking: the choice S is independent of means and rewards o.

S stands for any choice of m of the K arms, and the arm *(S) is the best of them. The effects of m arms that are chosen
without looking are m independent standard normals; e_m is the mean of the largest of so many.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arms import s0
from theory.model.functions import function, quantity
from theory.model.play import BEST, COUNT, GAUSSIAN, K, N, Z, mu, mu0, o, t
from theory.model.play import WORDS as PLAYED

S, m = sp.symbols("S m")
best_of = quantity(
    "best in S", "*(S)", 2, meaning="m: the best of the m arms in S"
)  # of the number of arms in S, of S and of the outcome
CHOSEN_BEST = best_of(m, S, o)
top, best = Z(CHOSEN_BEST, o), mu(CHOSEN_BEST, o)
pulled = quantity("pulled mean", r"\mu_{{I_{{{}}}}}", 2, meaning="t: mean of the arm pulled in round t, one of S")(
    t, S, o
)
largest = function("e", "e_{{{}}}")
largest.formula = None  # said in the legend
CHOSEN: dict[sp.Expr, Var] = {
    **{K: COUNT, m: COUNT, N: COUNT, t: COUNT, S: real(), o: real(), s0: positive(), mu0: real(), BEST: COUNT},
    CHOSEN_BEST: COUNT,
}
WORDS = {
    K: PLAYED[K],
    N: PLAYED[N],
    s0: PLAYED[s0],
    m: Letter(m, "number of arms that are played, the set S"),
    mu(BEST, o): Letter(mu(BEST, o), "the best of all K means"),
    best: Letter(best, "the best of the m means in S"),
    largest(m): Letter(largest(m), "mean of the largest of m standard normals"),
}


SOME = Rel(m, "<=", K)


def _defined(of: str, rel: Rel, *given: Rel, world: str = "") -> Definition:
    return Definition(of, Goal(rel, CHOSEN, given, of, letters=WORDS), world=world)


EFFECTS = _defined(
    "the effects of the m arms of S are independent standard normals",
    Rel(Mean(top, o), "=", largest(m)),
    SOME,
    world=GAUSSIAN,
).for_every(S)
ALL_ARMS = _defined("the best of K of the K arms is the best of all", Rel(best_of(K, S, o), "=", BEST)).for_every(S)
