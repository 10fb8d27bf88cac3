"""Rounds in which an error is large: what ours/logarithmic uses of the best arm, the pulled one and the others.

another(i, I_t), i = 1, ..., K - 1, are the other arms than the pulled one.
The law of the errors is Gaussian with nonnegative covariances given the reward differences (ours/conditioning,
ours/correlation), and the choice is a function of these differences.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Event
from theory.model.counts import PULLS, b, second
from theory.model.functions import quantity
from theory.model.play import LATER, PULLED, WORDS, K, another, i, index, mu, muhat, o, positive_part, t, tau

ERROR = muhat(PULLED, t, o) - mu(PULLED, o)  # of the pulled arm
OWN = tau(PULLED, t, o)
OTHERS = (i, 1, K - 1)
OTHER = another(i, PULLED, o)
SECOND_WIDTH = sp.sqrt(b * sp.log(t))
rest = quantity(
    "rest",
    r"(U_{{I_{{{0}}},{0}}}-\mu_{{I_{{{0}}}}})^+",
    meaning="t: (U_I - mu_I)^+, by how much the index of the pulled arm is above its mean",
)(t, o)
UP = Event(ERROR - second(t) * OWN, 1)  # the error of the pulled arm is large


def low(arm: sp.Expr) -> sp.Expr:
    """1 if the index of an arm is below its mean."""
    return Event(mu(arm, o) - index(arm), 1)


ROUNDS: dict[sp.Expr, Var] = {**PULLS, rest: real()}


def _stated(rel: Rel, of: str) -> Goal:
    return Goal(rel, {**ROUNDS, i: at_least(1, integer=True)}, (LATER,), of, letters=WORDS)


REST_OF = "a positive part"
REST = Definition(REST_OF, _stated(Rel(rest, "=", positive_part(index(PULLED) - mu(PULLED, o))), REST_OF))


LARGE_ERROR, SHORTFALL = "a large error of the pulled arm", "shortfall of another arm"  # items of ours/conditioning
TOGETHER = "another arm is low while the pulled arm is high"  # of ours/conditioning/opposite
