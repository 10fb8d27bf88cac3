"""Histories of adaptive play: how the density of what was seen grows from round to round.

theta are the parameters: arm means, variances. o is what was seen, the pulls and rewards of all rounds.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Definition
from theory.model.functions import quantity

o, t, i, theta, other = sp.symbols("o t i theta eta")
likelihood = quantity("likelihood", r"L_{{{}}}({})")
choice = quantity("choice", r"\pi_{{{}}}")
reward = quantity("reward density", r"p_{{{}}}({})")
HISTORY: dict[sp.Expr, Var] = {
    **{o: real(), t: at_least(0, integer=True), theta: real(), other: real()},
    **{choice(t, o): at_least(0), reward(t, theta, o): at_least(0)},
}
WORDS = {
    t: Letter(t, "number of rounds"),
    theta: Letter(theta, "any value of the parameters"),
    other: Letter(other, "another value of the parameters"),
    likelihood(t, theta, o): Letter(likelihood(t, theta, o), "density of the pulls and rewards of t rounds"),
    choice(i, o): Letter(choice(i, o), "chance of the pull of round i given what was seen before it"),
    reward(i, theta, o): Letter(
        reward(i, theta, o),
        "density of the reward of round i given earlier rewards of its arm, as for fixed counts",
    ),
}


def _defined(of: str, rel: Rel) -> Definition:
    return Definition(of, Goal(rel, HISTORY, name=of, letters=WORDS))


NOTHING_SEEN = _defined("nothing is seen before round 1", Rel(likelihood(0, theta, o), "=", 1))
ROUND = _defined(
    "given what was seen the policy chooses by its own rule, which does not know theta; then the arm gives a reward",
    Rel(likelihood(t + 1, theta, o), "=", likelihood(t, theta, o) * choice(t + 1, o) * reward(t + 1, theta, o)),
)


def choices(rounds: sp.Expr) -> sp.Expr:
    return sp.Product(choice(i, o), (i, 1, rounds))


def fixed_counts(rounds: sp.Expr, at: sp.Expr) -> sp.Expr:
    """The density of the same rewards if the counts had been fixed in advance."""
    return sp.Product(reward(i, at, o), (i, 1, rounds))
