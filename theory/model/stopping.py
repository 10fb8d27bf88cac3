"""Any policy, seen arm by arm: how often it pulls an arm, and the stopping problem that this is given all else.

Units sigma_0 = 1 and mu_0 = 0; h is any function with 0 <= h(x) <= x. The outcome has two parts: w, the mean and the
rewards of arm k itself, and z, all other means and rewards and the policy's own random numbers.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Event, Mean
from theory.model.play import K, N, k, quantity

w, z, y, d = sp.symbols("w z Y D")


def of_arm(name: str, tex: str) -> Any:
    """A quantity of the whole outcome: its last arguments, w and z, are not printed."""
    return quantity(name, tex, parts=2)


gap = of_arm("gap", r"\Delta_{{{}}}")  # mu_* - mu_k
pulls = of_arm("pulls", "N_{{{}}}")  # in all n rounds
kept = of_arm("kept", r"(\Delta_{{{0}}}-h(x_{{{0}}}\wedge D_{{{0}}}))\mathbf{{1}}\{{x_{{{0}}}>0\}}")  # x_k = Y_k - mu_k
owed = of_arm("owed", r"h(-x_{{{0}}})\mathbf{{1}}\{{x_{{{0}}}<0\}}")
star = of_arm("star", r"\mathbf{{1}}\{{{}=*\}}")
margin = of_arm("margin", r"h(\mu_*-\max_{{i\ne*}}\mu_i)")(w, z)
best_other = quantity("Y", "Y_{{{}}}")  # the best of the other means: a function of z
lead = quantity("D", "D_{{{}}}")  # its distance to the second best of the other means
value = sp.Function("V")  # of the stopping problem, at the best other mean and its lead
value.formula = None  # an infimum over stopping times, which the legend states

POLICY: dict[sp.Expr, Var] = {
    **{K: at_least(2, integer=True), N: at_least(1, integer=True), w: real(), z: real(), y: real(), d: at_least(0)},
    **{gap(k, w, z): at_least(0), pulls(k, w, z): at_least(0), kept(k, w, z): at_least(0)},
    **{owed(k, w, z): at_least(0), star(k, w, z): Var(sp.Integer(0), integer=True, high=sp.Integer(1))},
    **{margin: at_least(0), value(y, d): at_least(0), best_other(k, z): real(), lead(k, z): at_least(0)},
}
ARM = {**POLICY, k: at_least(1, integer=True)}
WORDS = {
    K: Letter(K, "number of arms"),
    N: Letter(sp.Symbol("n"), "number of rounds"),
    y: Letter(y, "the best of K - 1 independent N(0, 1)"),
    d: Letter(d, "the lead of Y over the second best of them; infinite for K = 2"),
    value(y, d): Letter(
        value(y, d),
        "the least mean of (x - h(min(x, D))) 1{x > 0} tau + h(-x) 1{x < 0} (n - tau), x = Y - mu with mu ~ N(0, 1), "
        "over all stopping times tau <= n of the rewards mu + eps_1, mu + eps_2, ...",
    ),
}


def cost(arm: sp.Expr) -> sp.Expr:
    """What arm k costs in its own stopping problem: its pulls if it is not the best arm, the others' pulls if it is."""
    return kept(arm, w, z) * pulls(arm, w, z) + owed(arm, w, z) * (N - pulls(arm, w, z))


def _defined(of: str, rel: Rel, argued: bool = False) -> Definition:
    return Definition(of, Goal(rel, ARM, name=of, letters=WORDS), argued)


REST = _defined(
    "the best arm has no gap; for another arm the two best means are Y_k and the larger of mu_k and Y_k - D_k",
    Rel(gap(k, w, z), "=", kept(k, w, z) + (1 - star(k, w, z)) * margin),
    argued=True,
)
OWED = _defined("only the best arm has x < 0, its margin", Rel(owed(k, w, z), "=", star(k, w, z) * margin), argued=True)
ONE_BEST = _defined("one arm is the best", Rel(sp.Sum(star(k, w, z), (k, 1, K)), "=", 1))
ALL_ROUNDS = _defined("every round pulls one arm", Rel(sp.Sum(pulls(k, w, z), (k, 1, K)), "=", N))
LEAST = Definition(
    "with everything else fixed the number of pulls of an arm is a stopping time of its rewards, and V is the least "
    "mean cost of one",
    Goal(Rel(value(best_other(k, z), lead(k, z)), "<=", Mean(cost(k), w)), ARM, name="least cost", letters=WORDS),
    argued=True,
)
ALIKE = _defined(
    "the two best of the K - 1 other means have the same law for every arm",
    Rel(Mean(value(best_other(k, z), lead(k, z)), z), "=", Mean(value(y, d), d, y)),
    argued=True,
)

# a stopping problem with n stages: cost Z_l, martingale M_l, and the stage T at which it is stopped
o, stage = sp.symbols("o g")
stages = N
Z_l, M_l, TIME = quantity("Z", "Z_{{{}}}"), quantity("martingale", "M_{{{}}}"), quantity("stage", "T")(o)
DUAL = quantity("dual", r"\min_l(Z_l-M_l)")(o)
MARTINGALE: dict[sp.Expr, Var] = {o: real(), stages: at_least(0, integer=True), TIME: at_least(0, integer=True)}
DUAL_WORDS = {
    Z_l(TIME, o): Letter(Z_l(TIME, o), "cost of stopping at T, which does not look ahead, one of the stages 0, ..., n"),
    DUAL: Letter(DUAL, "the least over all stages; M is any martingale with M_0 = 0"),
}


def _of_stages(of: str, rel: Rel, index: dict[sp.Expr, Var] | None = None) -> Definition:
    return Definition(of, Goal(rel, {**MARTINGALE, **(index or {})}, name=of, letters=DUAL_WORDS))


SMALLEST = _of_stages("the smallest of all stages", Rel(DUAL, "<=", Z_l(TIME, o) - M_l(TIME, o)))
NOT_LATER = _of_stages("the last stage is n", Rel(TIME, "<=", stages))
AT_ZERO = _of_stages("the martingale starts at 0", Rel(M_l(0, o), "=", 0))
FAIR = _of_stages(
    "a step of the martingale has mean 0 given the stages before it, which decide whether one goes on",
    Rel(Mean(Event(TIME - stage, 1) * (M_l(stage + 1, o) - M_l(stage, o)), o), "=", 0),
    {stage: at_least(0, integer=True)},
)
