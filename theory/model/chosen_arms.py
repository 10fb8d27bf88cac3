"""Playing m of K arms that were chosen without looking: the choice S is independent of means and rewards o."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arms import s0
from theory.model.counts import function
from theory.model.play import BEST, COUNT, K, N, Z, mu, mu0, o, quantity, t
from theory.model.play import WORDS as PLAYED

S, m = sp.symbols("S m")
top = quantity("largest effect in S", r"\max_{{k\in S}}Z_k", 2)(S, o)
best = quantity("best mean in S", r"\max_{{k\in S}}\mu_k", 2)(S, o)
pulled = quantity("pulled mean", r"\mu_{{I_{{{}}}}}", 2)(t, S, o)
largest = function("e", "e_{{{}}}")
largest.formula = None  # said in the legend
CHOSEN: dict[sp.Expr, Var] = {
    **{K: COUNT, m: COUNT, N: COUNT, t: COUNT, S: real(), o: real(), s0: positive(), mu0: real(), BEST: COUNT}
}
WORDS = {
    K: PLAYED[K],
    N: PLAYED[N],
    s0: PLAYED[s0],
    m: Letter(m, "number of arms that are played, the set S"),
    mu(BEST, o): Letter(mu(BEST, o), "the best of all K means"),
    largest(m): Letter(largest(m), "mean of the largest of m standard normals"),
}


def _defined(of: str, rel: Rel) -> Definition:
    return Definition(of, Goal(rel, CHOSEN, name=of, letters=WORDS))


BEST_OF_ALL = _defined("the best of K means", Rel(mu(BEST, o), "=", mu0 + sp.sqrt(s0) * Z(BEST, o)))
BEST_OF_SOME = _defined("the best of the m means in S", Rel(best, "=", mu0 + sp.sqrt(s0) * top))
EFFECTS = _defined("the effects of K arms are independent standard normals", Rel(Mean(Z(BEST, o), o), "=", largest(K)))
CHOSEN_EFFECTS = _defined("so are those of the m arms of every set S", Rel(Mean(top, o), "=", largest(m)))
