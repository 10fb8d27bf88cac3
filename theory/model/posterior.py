"""The posterior of all arm means and of mu_0 under a flat prior on mu_0, up to a constant factor.

Arm i has n_i rewards with average rbar_i. The density at (mu_1, ..., mu_K, mu_0) is that of the rewards given the arm
means times that of the arm means given mu_0.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.goal import Letter, Var, at_least, positive, real
from theory.kernel.named import Named
from theory.model.arms import LETTERS, s, s0, weight
from theory.model.at_values import at_values

K, i, mu0, centre = sp.symbols("K i mu_0 rbar_0")
count, average, mean = sp.Function("n")(i), sp.Function("rbar")(i), sp.Function("mu")(i)
weight_i = weight(count)
SHORT = {sp.Symbol("w_i"): weight_i}
ARMS: dict[sp.Expr, Var] = {
    **{K: at_least(1, integer=True), s: positive(), s0: positive(), mu0: real(), centre: real()},
    **{count: at_least(1, integer=True), average: real(), mean: real()},
}
WORDS = {
    K: Letter(K, "number of arms"),
    **{x: LETTERS[x] for x in (s, s0, mu0, centre)},
    count: Letter(count, "number of rewards of arm i"),
    average: Letter(average, "average of these rewards"),
    mean: Letter(
        mean, "arm means; ell is the logarithm of the posterior density of all of them and mu_0, up to a constant"
    ),
}


def misfit(pulls: sp.Expr, reward: sp.Expr, arm: sp.Expr, common: sp.Expr) -> sp.Expr:
    """Minus twice what one arm adds to the logarithm of the density."""
    return pulls * (reward - arm) ** 2 / s + (arm - common) ** 2 / s0


def total(term: sp.Expr) -> sp.Expr:
    """The sum over all arms i."""
    return sp.Sum(term, (i, 1, K))


class LogPosterior(Named):
    """The logarithm of the density, up to a constant: of arm means (in the index i), mu_0, and the parameters."""

    def __new__(cls, arm: sp.Expr, common: sp.Expr, *more: sp.Expr) -> LogPosterior:
        found: LogPosterior = sp.Expr.__new__(cls, arm, common, *(more or (K, s, s0)))
        return found

    @property
    def bound(self) -> set[sp.Symbol]:
        return {i}

    @property
    def value(self) -> sp.Expr:
        arm, common, arms, noise, spread = self.args
        term = misfit(count, average, arm, common).xreplace({s: noise, s0: spread})
        return -sp.Sum(term, (i, 1, arms)) / 2

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        density = LogPosterior(mean, mu0)
        return PrintedLog(mean, mu0), density.value.xreplace({x: LETTERS[x].shown for x in (s, s0)})

    @property
    def written(self) -> sp.Expr:
        _, _, arms, noise, spread = self.args
        return at_values(PrintedLog(*self.args[:2]), (K, arms), (s, noise), (s0, spread))


class PrintedLog(sp.Expr):  # type: ignore[misc]
    """How the logarithm of the density is printed."""

    is_commutative = True

    def _latex(self, printer: Any) -> str:
        return rf"\ell\left({','.join(map(printer._print, self.args))}\right)"

    def _sympystr(self, printer: Any) -> str:
        return f"ell({', '.join(map(printer._print, self.args))})"
