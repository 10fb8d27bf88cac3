"""The pulls of every arm in their order, from its first one on: rounds 1, ..., n, whatever the choices are.

before(t, o) is how often the arm of round t was pulled before that round, total(k, o) how often arm k is pulled in all
n rounds.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, equals, uses
from theory.model.arms import LETTERS, s, s0
from theory.model.play import COUNT, LATER, PULLED, K, N, count, k, o, quantity, t

j = sp.Symbol("j")
WHOLE = at_least(0, integer=True)
before, total = quantity("before", "n_{{I_{{{0}}},{0}}}")(t, o), quantity("total", "N_{{{}}}")(k, o)
SIZES: dict[sp.Expr, Var] = {K: COUNT, N: COUNT, o: real(), s: positive(), s0: positive(), before: WHOLE, total: WHOLE}
PULLS = {**SIZES, t: COUNT, k: COUNT, j: WHOLE}
WORDS = {
    K: Letter(K, "number of arms"),
    N: Letter(sp.Symbol("n"), "number of rounds"),
    **{x: LETTERS[x] for x in (s, s0)},
    before: Letter(before, "pulls of the arm of round t before that round"),
    total: Letter(total, "pulls of arm k in n rounds"),
}


def _defined(of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**PULLS, **(more or {})}, given, of, letters=WORDS))


def in_order(f: Callable[[sp.Expr], sp.Expr]) -> Definition:
    """The pulls of arm k meet the counts 0, 1, ..., N_k - 1; and every round pulls one arm."""
    rounds, arms = sp.Sum(f(before), (t, 1, N)), sp.Sum(f(j), (j, 0, total - 1), (k, 1, K))
    of = "the pulls of an arm meet the counts 0, 1, 2, ... in turn: a sum over rounds is one over arms and counts"
    return Definition(of, _defined(of, Rel(rounds, "=", arms)).gives, argued=True)


TOTAL = _defined(
    "all pulls of arm k",
    Rel(total, "=", sp.Sum(equals(PULLED, k), (t, 1, N))),
    more={PULLED: COUNT},
)
AT_MOST_ALL, ALL_ROUNDS = (uses("ours/pulls/total", item=item) for item in ("of one arm", "of all arms"))
SAME_COUNT = _defined(
    "the count of the pulled arm",
    Rel(count(PULLED, t, o), "=", before),
    LATER,
    more={count(k, t, o): COUNT, PULLED: COUNT},
)
