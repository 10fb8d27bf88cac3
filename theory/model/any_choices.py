"""Any choices of arms: I_t is the arm of round t, by any rule, and f any function of the number of a pull."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

from theory.kernel.goal import Letter, Var, at_least, real
from theory.kernel.rules import Definition, equals
from theory.model.functions import function
from theory.model.play import COUNT, N, k, t

j, u = sp.symbols("j u")
arm, f = function("arm", "I_{{{}}}"), function("f", "f({})")
ANY_ARM = arm(t)
PULL = equals(ANY_ARM, k)
ANY: dict[sp.Expr, Var] = {arm(t): COUNT, f(j): real(), k: COUNT}
ROUNDS = {**ANY, N: at_least(0, integer=True)}
WORDS = {
    N: Letter(sp.Symbol("n"), "number of rounds"),
    k: Letter(k, "arm"),
    arm(t): Letter(arm(t), "arm of round t, by any rule"),
    f(j): Letter(f(j), "any function of the number of a pull"),
}


def pulls(round_: sp.Expr, of: sp.Expr = k, by: sp.Expr = ANY_ARM) -> sp.Expr:
    """How often an arm is pulled up to a round, if `by` is the arm of round t."""
    return sp.Sum(equals(by.xreplace({t: u}), of), (u, 1, round_))


def first(number: sp.Expr) -> sp.Expr:
    """The values of f for the first pulls, of this number."""
    return sp.Sum(f(j), (j, 1, number))


@dataclass(frozen=True)
class Choices:
    """The choices of one agent. Equations: `total`, how often arm k is pulled in all n rounds, `before`, how often the
    arm of round t is pulled before that round, are sums of indicators. `one_of_K` says that arms are 1, ..., K."""

    arm: sp.Expr
    total: Definition
    before: Definition
    one_of_K: Definition
    sizes: Mapping[sp.Expr, Var]
