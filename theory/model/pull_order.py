"""The pulls of every arm in their order, from its first one on: rounds 1, ..., n, whatever the choices are.

before(t, o) is how often the arm of round t was pulled before that round, total(k, o) how often arm k is pulled in all
n rounds.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, uses
from theory.kernel.sources import fix
from theory.model.any_choices import Choices, pulls
from theory.model.arms import LETTERS, s, s0
from theory.model.functions import quantity
from theory.model.play import COUNT, LATER, PULLED, PULLED_IS_AN_ARM, K, N, count, k, o, t

j = sp.Symbol("j")
WHOLE = at_least(0, integer=True)
before, total = quantity("before", "n_{{I_{{{0}}},{0}}}")(t, o), quantity("total", "N_{{{}}}")(k, o)
fix(N, scope=total.func)
SIZES: dict[sp.Expr, Var] = {K: COUNT, N: COUNT, o: real(), s: positive(), s0: positive(), before: WHOLE, total: WHOLE}
PULLS = {**SIZES, t: COUNT, k: COUNT, j: WHOLE}
WORDS = {
    K: Letter(K, "number of arms"),
    N: Letter(sp.Symbol("n"), "number of rounds"),
    k: LETTERS[k],
    **{x: LETTERS[x] for x in (s, s0)},
    before: Letter(before, "pulls of the arm of round t before that round"),
    total: Letter(total, "pulls of arm k in n rounds"),
}


def _defined(of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**PULLS, **(more or {})}, given, of, letters=WORDS))


TOTAL = _defined("all pulls of arm k", Rel(total, "=", pulls(N, by=PULLED)), more={PULLED: COUNT})
BEFORE = _defined(
    "pulls of the arm of round t before that round",
    Rel(before, "=", pulls(t - 1, PULLED, PULLED)),
    more={PULLED: COUNT},
)
CHOICES = Choices(PULLED, TOTAL, BEFORE, PULLED_IS_AN_ARM, {**SIZES, PULLED: COUNT})
AT_MOST_ALL, ALL_ROUNDS = (uses("ours/pulls/total", item=item) for item in ("of one arm", "of all arms"))
OWN_COUNT = _defined(
    "pulls of arm k before round t",
    Rel(count(k, t, o), "=", pulls(t - 1, by=PULLED)),
    *(LATER, Rel(k, "<=", K)),
    more={count(k, t, o): COUNT, PULLED: COUNT},
)
