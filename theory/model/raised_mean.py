"""Two arms: the same play with another mean of one arm, everything else (mean of the other arm, all noise) the same.

other(k, t, x, e) is how often the arm that is not k was pulled before round t if mu_k = x, e being everything else;
miss(k, t, x, e) is 1 if round t pulls it. Before round 3 each arm has one reward.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.play import COUNT, PULLED, K, N, k, mu, mu0, o, quantity, t

x, y, e = sp.symbols("x y e")
other = quantity("n_other", r"n_{{-{0},{1}}}({2})")
miss = quantity("miss", r"\mathbf{{1}}\{{I_{{{1}}}\ne {0},\,\mu_{0}={2}\}}")
BIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
COUPLED: dict[sp.Expr, Var] = {
    **{k: COUNT, t: at_least(3, integer=True), x: real(), y: real(), e: real()},
    **{other(k, t, x, e): at_least(1, integer=True), miss(k, t, x, e): BIT},
}
WORDS = {
    k: Letter(k, "one of two arms"),
    other(k, t, x, e): Letter(other(k, t, x, e), "pulls of the other arm before round t if mu_k = x, all else equal"),
}
RAISED = Rel(x, "<=", y)


def _defined(of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**COUPLED, **(more or {})}, given, of, letters=WORDS))


ONE_EACH = _defined("before round 3 each arm has one reward", Rel(other(k, 3, x, e), "=", 1))
GROWS = _defined("a pull is counted", Rel(other(k, t + 1, x, e), "=", other(k, t, x, e) + miss(k, t, x, e)))
SAME_COUNTS = _defined(
    "at equal counts the widths and, but for mu_k, the averages are equal; a higher average of arm k raises its lead",
    Rel(miss(k, t, y, e), "<=", miss(k, t, x, e)),
    RAISED,
    Rel(other(k, t, y, e), "=", other(k, t, x, e)),
)
TWO = Rel(K, "=", 2)
EARNED = _defined(
    "each pull earns the mean of its arm; arm k is pulled when the other one is not",
    Rel(
        sp.Sum(Mean(mu(PULLED, o), o), (t, 1, N)),
        "=",
        sp.Sum(N * mu0 - Mean(x * other(k, N + 1, x, e), x, e), (k, 1, 2)),
    ),
    TWO,
    more={N: at_least(2, integer=True), K: COUNT, mu0: real(), o: real(), PULLED: COUNT},
)
ALL_PULLS = _defined(
    "each round pulls one of the two arms",
    Rel(sp.Sum(Mean(other(k, N + 1, x, e), x, e), (k, 1, 2)), "=", N),
    TWO,
    more={N: at_least(2, integer=True), K: COUNT},
)
