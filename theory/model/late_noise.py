"""Noise of an arm with rewards in [0, 1] after its first J pulls: W_l is e times that of the next l, e = 1 or -1."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.past_rounds import require_past
from theory.model.play import o, quantity

x, r, J, n = sp.symbols("x rho J n")
noise, Y, time = quantity("W", "W_{{{}}}"), quantity("Y", "Y")(o), quantity("late crest", "T")(o)
ROUND = at_least(0, integer=True)
LATE: dict[sp.Expr, Var] = {
    **{o: real(), x: positive(), J: at_least(0), r: positive(), n: ROUND, time: ROUND},
    Y: at_least(0),  # the largest of 0 and other numbers
}
WORDS = {
    r: Letter(r, "sigma^2/sigma_0^2"),
    J: Letter(J, "pulls of one arm that are followed one by one"),
    Y: Letter(Y, "the largest of 0 and e (noise of the pulls J+1, ..., j)/(j + rho), over all j > J of the play"),
}


def _defined(of: str, rel: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**LATE, **(more or {})}, name=of, letters=WORDS))


NONE_YET = _defined("no noise before the first of these pulls", Rel(noise(0, o), "=", 0))
LARGEST = _defined("Y is attained, at 0 if nothing is above 0", Rel(Y * (J + r + time), "=", noise(time, o)))
IN_PLAY = _defined("at a pull of the play", Rel(time, "<=", n))


def next_noise(past: sp.Expr, slope: sp.Expr, pulls: sp.Symbol, number: sp.Expr) -> Definition:
    """E[past e^{l W_{j+1} + number}] <= E[past e^{l W_j + l^2/8 + number}]: rewards in [0, 1] have the proxy 1/4 given
    the earlier ones (sec:extensions/beta-prior/repaired)."""
    require_past(past, noise, pulls)
    left = Mean(past * sp.exp(slope * noise(pulls + 1, o) + number), o)
    right = Mean(past * sp.exp(slope * noise(pulls, o) + slope**2 / 8 + number), o)
    return _defined(
        "a reward in [0, 1] has the proxy 1/4 given the earlier ones", Rel(left, "<=", right), {pulls: ROUND}
    )
