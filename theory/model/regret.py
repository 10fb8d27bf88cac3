"""The Bayes regret of a play and the cost of a pull without information, by their letters: R_n and e_K."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.classical import RATE, VALUE
from theory.kernel.goal import Letter
from theory.kernel.named import Named
from theory.kernel.terms import Mean
from theory.model import play
from theory.model.arms import s
from theory.model.functions import function
from theory.model.normal import phi
from theory.model.play import BEST, PULLED, K, N, Z, mu, o, t

LOSS = mu(BEST, o) - mu(PULLED, o)  # what round t costs


class OfPlay(Named):
    """A quantity of the play whose only printed argument is its first one; the last one is the outcome."""

    of_outcome = 1
    tex = ""

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = f"{self.tex}_{{{printer._print(self.args[0])}}}"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"{self.tex}_{printer._print(self.args[0])}"


class Regret(OfPlay):
    """R_n: the mean of mu_* - mu_I over the outcomes, summed over n rounds."""

    tex = "R"

    @property
    def value(self) -> sp.Expr:
        rounds, outcome = self.args
        return sp.Sum(Mean(LOSS.xreplace({o: outcome}), outcome), (t, 1, rounds))

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value


class ScaledRegret(OfPlay):
    """The regret of the same pulls if every mean and reward r becomes c r + b; arguments n, c, b and the outcome."""

    @property
    def value(self) -> sp.Expr:
        rounds, factor, shift, outcome = self.args
        best, pulled = (factor * mu(arm, o) + shift for arm in (BEST, PULLED))
        return sp.Sum(Mean((best - pulled).xreplace({o: outcome}), outcome), (t, 1, rounds))

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        rounds, factor, shift = map(printer._print, self.args[:3])
        base = rf"R^{{{factor},{shift}}}_{{{rounds}}}"
        return base if exp is None else rf"\left({base}\right)^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        rounds, factor, shift = map(printer._print, self.args[:3])
        return f"R^{{{factor},{shift}}}_{rounds}"


class LargestEffect(OfPlay):
    """e_K: the mean of the standard normal effect of the best of K arms, E max Z_k."""

    tex = "e"

    @property
    def value(self) -> sp.Expr:
        arms, outcome = self.args
        if arms != K:  # the best arm is that of the K arms of the play
            raise ValueError(f"LargestEffect: the number of arms is {arms}, must be {K}")
        return Mean(Z(BEST, o).xreplace({o: outcome}), outcome)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        return self, self.value


R_N, E_K = Regret(N, o), LargestEffect(K, o)
# of any algorithm, for arm means N(0, sigma_0^2)
sigma0 = sp.Symbol("sigma_0")
rate = function("liminf of R_n/(log n)^2", r"\liminf_{{n\to\infty}}\frac{{R_n}}{{(\log n)^2}}")(K, s, sigma0)
RATE.declare(rate, noise=s, arms=K, density=phi(VALUE / sigma0) / sigma0)
WORDS = {
    **play.WORDS,
    R_N: Letter(
        R_N,
        "Bayes regret of n rounds of ReUCB with known variances; arm means mu_k ~ N(mu_0, sigma_0^2) with a fixed, "
        "unknown mu_0, rewards N(mu_k, sigma^2)",
    ),
    E_K: Letter(E_K, "mean of the largest of K standard normals, Z_* that of the best arm"),
}
