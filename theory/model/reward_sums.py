"""Sums of rewards in [0, 1] of one arm: S_N is that of the first N. Given the earlier ones a reward has the mean mu."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.functions import function, quantity
from theory.model.past_rounds import require_past
from theory.model.play import COUNT

mu, N, o, j, E = sp.symbols("mu N o j E")
fix(mu, scope=__name__)
S, reward = quantity("S", "S_{{{}}}"), quantity("r", "r_{{{}}}")
boundary, start, theta = (sp.Function(name) for name in ("b", "e", "theta"))
least_exponent, log_of_moment = function("m", "m_{{{0}}}"), function("h", "h_{{{0}}}")
least_exponent.formula = log_of_moment.formula = None  # said in the legend
# the most by which S_N is below b_N in an epoch, and the count at which it is
shortfall, time = quantity("D", "D_{{{}}}"), quantity("worst count", "T_{{{}}}")


def least(epoch: sp.Expr) -> sp.Expr:
    """The least of -theta b_N - N log(1 - mu + mu exp(-theta)) over the counts N of an epoch."""
    return least_exponent(epoch, mu)


def log_moment(epoch: sp.Expr) -> sp.Expr:
    """log(1 - mu + mu exp(-theta)) with the theta of an epoch."""
    return log_of_moment(epoch, mu)


UNIT = Var(sp.Integer(0), high=sp.Integer(1))
INSIDE = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
ROUND = at_least(0, integer=True)
SUMS: dict[sp.Expr, Var] = {
    **{mu: INSIDE, o: real(), N: ROUND, j: COUNT, reward(N, o): UNIT, time(j, o): ROUND},
    **{theta(j): positive(), least(j): real(), log_moment(j): real(), boundary(N): real(), start(j): COUNT},
}
WORDS = {
    mu: Letter(mu, "mean of the rewards"),
    N: Letter(N, "number of rewards"),
    S(N, o): Letter(S(N, o), "sum of the first N rewards"),
    E: Letter(E, "number of epochs, intervals of counts"),
    start(j): Letter(start(j), "first count of epoch j"),
    theta(j): Letter(theta(j), "any positive number, one for each epoch"),
    boundary(N): Letter(boundary(N), "boundary"),
    shortfall(j, o): Letter(shortfall(j, o), "the most by which S_N is below b_N in epoch j"),
    least(j): Letter(
        least(j), "the least of -theta_j b_N - N log(1 - mu + mu exp(-theta_j)) over the counts N of epoch j"
    ),
}


def _defined(of: str, rel: Rel, *given: Rel, more: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**SUMS, **(more or {})}, given, of, letters=WORDS))


NOTHING = _defined("no reward yet", Rel(S(0, o), "=", 0))
NEXT = _defined("one reward more", Rel(S(N + 1, o), "=", S(N, o) + reward(N + 1, o)))
CREST = _defined("it is attained", Rel(shortfall(j, o), "=", boundary(time(j, o)) - S(time(j, o), o)))
EARLIEST = _defined("at a count of the epoch", Rel(start(j), "<=", time(j, o))).for_every(o)
LATEST = _defined("at a count of the epoch", Rel(time(j, o), "<=", start(j + 1) - 1))
LEAST = _defined(
    "the least exponent of an epoch, over all of its counts",
    Rel(least(j), "<=", -theta(j) * boundary(N) - N * log_moment(j)),
    Rel(start(j), "<=", N),
    Rel(N, "<=", start(j + 1) - 1),
).for_every(N)
MOMENT = _defined(
    "h_j is the logarithm of E exp(-theta_j r) for a Bernoulli variable r",
    Rel(sp.exp(log_moment(j)), "=", 1 - mu + mu * sp.exp(-theta(j))),
)


def drawn(past: sp.Expr, rounds: sp.Symbol, more: dict[sp.Expr, Var]) -> Definition:
    """E[past r_{N+1}] = mu E past, for what the first N rewards decide: a product of exponentials and indicators."""
    require_past(past, S, rounds, domain=SUMS)
    rel = Rel(Mean(past * reward(rounds + 1, o), o), "=", mu * Mean(past, o))
    return _defined("a reward has the mean mu given the earlier ones", rel, more={**more, **SUMS})
