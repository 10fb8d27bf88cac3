"""Arm means whose common mean is random: mu_k = mu_0 + delta_k with mu_0 ~ N(0, sigma_q^2), delta_k ~ N(0, sigma_0^2).

Everything random is a function of the outcome o; mu_0 and all delta_k are independent.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.named import Named
from theory.kernel.rules import Definition
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, s0
from theory.model.functions import quantity
from theory.model.play import COUNT, k, o

j, lam, sq = sp.symbols("j lambda sigma_q_sq")
fix(sq, scope=__name__)
common = quantity("mu_0", r"\mu_0", meaning="the common mean, N(0, sigma_q^2)")(o)
effect = quantity("delta", r"\delta_{{{}}}", meaning="k: effect of arm k, N(0, sigma_0^2)")
SIGMA_Q = Letter(sp.Symbol("sigma_q", positive=True) ** 2, "variance of the common mean mu_0 ~ N(0, sigma_q^2)")
WORDS = {sq: SIGMA_Q, s0: LETTERS[s0], lam: Letter(lam, "any number")}
LAW: dict[sp.Expr, Var] = {
    **{j: COUNT, k: COUNT, lam: real(), sq: positive(), s0: positive(), o: real()},
    **{common: real(), effect(k, o): real()},
}
TWO_ARMS = Rel(j, "<", k)


class ArmMean(Named):
    """mu_k = mu_0 + delta_k: the arm and the outcome."""

    of_outcome = 1

    @property
    def value(self) -> sp.Expr:
        arm, outcome = self.args
        return common.xreplace({o: outcome}) + effect(arm, outcome)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        arm = ArmMean(k, o)
        return arm, arm.value

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = rf"\mu_{{{printer._print(self.args[0])}}}"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"mu_{printer._print(self.args[0])}"


def _defined(of: str, rel: Rel, *given: Rel) -> Definition:
    return Definition(of, Goal(rel, LAW, given, of, letters=WORDS))


SPREAD_OF_COMMON = _defined("the variance of mu_0, whose mean is 0", Rel(Mean(common**2, o), "=", sq))
SPREAD_OF_EFFECT = _defined("the variance of an effect, whose mean is 0", Rel(Mean(effect(k, o) ** 2, o), "=", s0))
NO_SHARE = _defined("mu_0 and an effect are uncorrelated", Rel(Mean(common * effect(k, o), o), "=", 0))
UNRELATED = _defined(
    "the effects of two arms are uncorrelated", Rel(Mean(effect(j, o) * effect(k, o), o), "=", 0), TWO_ARMS
)
NORMAL_COMMON = _defined("mu_0 is normal", Rel(Mean(sp.exp(lam * common), o), "=", sp.exp(lam**2 * sq / 2)))
NORMAL_EFFECT = _defined("an effect is normal", Rel(Mean(sp.exp(lam * effect(k, o)), o), "=", sp.exp(lam**2 * s0 / 2)))
INDEPENDENT = _defined(
    "mu_0 and an effect are independent",
    Rel(
        Mean(sp.exp(lam * ArmMean(k, o).value), o),
        "=",
        Mean(sp.exp(lam * common), o) * Mean(sp.exp(lam * effect(k, o)), o),
    ),
)
