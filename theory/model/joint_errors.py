"""The errors of all arms of ReUCB in a round t > K, given the reward differences: densities by Bayes' formula.

As in `theory.model.error_law`, but for all arms at once. Given mu_0 the arm means are independent, and each arm has its
own rewards, so that prior times likelihood is a product over the arms, integrated over mu_0.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.classical import COEFFICIENT
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import Definition, equals
from theory.kernel.terms import Mean
from theory.model.arms import n, s0, w, weight
from theory.model.conditional_laws import ARM, m, rbar_0, rbar_k, x
from theory.model.error_law import LIKELIHOOD, REUCB, z
from theory.model.functions import quantity
from theory.model.play import GAUSSIAN, K, count, i, k, t
from theory.model.round_errors import X, d, e

j = sp.Symbol("j")
average, centre = REUCB.averages
share = quantity("weight", "w_{{{},{}}}")  # the weight of arm k before round t
total = quantity("W", "W_{{{}}}")(t, d)
# Ranges of weights and of their sum are there so that nothing is divided by 0; they follow from the definitions below
# (tests/theory/model/test_ranges.py).
JOINT: dict[sp.Expr, Var] = {
    **REUCB.domain,
    **{share(k, t, d): Var(sp.Integer(0), strict=True, high=sp.Integer(1)), total: positive()},
    **{average(k, t, d): real(), centre(t, d): real(), COEFFICIENT(i): real()},
}
WORDS = {
    **REUCB.letters,
    share(k, t, d): Letter(share(k, t, d), "weight of arm k before round t"),
    total: Letter(total, "sum of the weights of all arms before round t"),
    COEFFICIENT(i): Letter(COEFFICIENT(i), "any number, for every arm i"),
}
ARMS, OTHERS = ((arm, sp.Integer(1), K) for arm in (i, j))
COVARIANCE = s0 * (1 - share(i, t, d)) * (equals(i, j) + (1 - share(j, t, d)) / total)  # of the errors of arms i and j


def _defined(of: str, rel: Rel, *by: str, world: str = "") -> Definition:
    return Definition(of, Goal(rel, {**JOINT, k: REUCB.domain[k]}, REUCB.given, of, letters=WORDS), by, world)


WEIGHT = _defined("Eq. w-def before round t", Rel(share(k, t, d), "=", weight(count(k, t, d))), REUCB.choices)
TOTAL = _defined("the sum of all weights", Rel(total, "=", sp.Sum(share(i, t, d), ARMS)), REUCB.choices)
COMMON = _defined(
    "r-bar_0 is the weighted average of all arms",
    Rel(total * centre(t, d), "=", sp.Sum(share(i, t, d) * average(i, t, d), ARMS)),
    REUCB.choices,
)


def log_density(error: sp.Expr) -> sp.Expr:
    """Of this error of arm i given mu_0 = m: prior of its mean times likelihood of its rewards, up to a number."""
    found = ARM.xreplace({x: (1 - w) * rbar_0 + w * rbar_k - error})
    return found.xreplace({n: count(i, t, d), rbar_k: average(i, t, d), rbar_0: centre(t, d)})


def one_arm(coefficient: sp.Expr) -> sp.Expr:
    """The integral of exp(c z) times prior and likelihood over all errors z of arm i, given mu_0 = m."""
    return sp.Integral(sp.exp(coefficient * z + log_density(z)), (z, -sp.oo, sp.oo))


def all_arms(coefficient: sp.Expr) -> sp.Expr:
    return sp.Integral(sp.Product(one_arm(coefficient), ARMS), (m, -sp.oo, sp.oo))


COMBINED = Mean(sp.exp(sp.Sum(COEFFICIENT(i) * X(i, t, d, e), ARMS)), e)
BAYES = _defined(
    "given what decides the choices the errors of all arms have a multiple of this density",
    Rel(COMBINED * all_arms(sp.S.Zero), "=", all_arms(COEFFICIENT(i))),
    REUCB.choices,
    LIKELIHOOD,
    world=GAUSSIAN,
)
