"""What the sample means of UCB1's play average: the rewards of an arm, independent and in [0, 1].

P(q, w) is the q-th reward of the best arm, R(q, i, w) that of arm i.
"""

import sympy as sp
from ucb1_play import ARM, COUNT, best, q, r, s, w

from theory.kernel.classical import COEFFICIENT
from theory.kernel.goal import Goal, Rel
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean

P, R = sp.Function("P"), sp.Function("R")
fix(best, scope=(P, R))  # on which the rewards depend without showing it


def rewards(average: sp.Expr, count: sp.Expr, one: sp.Expr) -> tuple[Definition, ...]:
    """What is averaged: `one` is the q-th reward of an arm, which is in [0, 1] and independent of the others."""
    domain, all_ = {**ARM, s: COUNT, r: COUNT, q: COUNT}, (q, 1, count)
    power = sp.exp(sp.Sum(COEFFICIENT(q) * one, all_))
    product = sp.Product(Mean(sp.exp(COEFFICIENT(q) * one), w), all_)
    relations = {
        "the average of rewards": Rel(count * average, "=", sp.Sum(one, all_)),
        "rewards are at least 0": Rel(one, ">=", 0),
        "rewards are at most 1": Rel(one, "<=", 1),
        "the rewards of an arm are independent": Rel(Mean(power, w), "=", product),
    }
    return tuple(Definition(what, Goal(rel, domain, name=what)) for what, rel in relations.items())
