"""Second moments of linear statistics of the random-effect model, for any number of arms at once.

A statistic is a linear form in independent zero-mean effects: arm offsets delta_i (variance s0) and noise averages
e-bar_i. Seen from arm k it has four coefficients: of delta_k, of e-bar_k, and, at another arm i, of delta_i and
e-bar_i as functions of that arm's weight v = w_i. As Var(e-bar_i) = s0 (1 - v)/v, covariances are sums over arms of
polynomials in v, and such a sum is known once sum 1 = J and sum v = Wo (and sum v^2 = W2o) are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import sympy as sp

v, W2o = sp.symbols("v W2o")


def sum_over(term: sp.Expr, of: sp.Symbol, sums: Mapping[int, sp.Expr]) -> sp.Expr:
    """The sum over arms of a polynomial in `of`, from the power sums {0: sum of 1, 1: sum of x, ...}."""
    reduced = sp.cancel(sp.together(term))
    if not reduced.is_polynomial(of):
        raise ValueError(f"sum over arms of {reduced}: not a polynomial in {of}")
    poly = sp.Poly(reduced, of)
    return sum((c * sums[m[0]] for m, c in poly.terms()), sp.Integer(0))


@dataclass(frozen=True)
class Form:
    """own_effect delta_k + own_noise e-bar_k + sum over other arms of (effect delta_i + noise e-bar_i)."""

    own_effect: sp.Expr = sp.S.Zero
    own_noise: sp.Expr = sp.S.Zero
    effect: sp.Expr = sp.S.Zero
    noise: sp.Expr = sp.S.Zero

    def __add__(self, other: Form) -> Form:
        return Form(
            self.own_effect + other.own_effect,
            self.own_noise + other.own_noise,
            self.effect + other.effect,
            self.noise + other.noise,
        )

    def __rmul__(self, c: sp.Expr) -> Form:
        return Form(c * self.own_effect, c * self.own_noise, c * self.effect, c * self.noise)

    def __sub__(self, other: Form) -> Form:
        return Form(
            self.own_effect - other.own_effect,
            self.own_noise - other.own_noise,
            self.effect - other.effect,
            self.noise - other.noise,
        )


@dataclass(frozen=True)
class Calculus:
    """The bilinear form: variance of the effects, weight of arm k, and the power sums over the other arms."""

    spread: sp.Expr
    own_weight: sp.Expr
    sums: Mapping[int, sp.Expr]

    def cov(self, x: Form, y: Form) -> sp.Expr:
        own = self.spread * (
            x.own_effect * y.own_effect + x.own_noise * y.own_noise * (1 - self.own_weight) / self.own_weight
        )
        term = self.spread * (x.effect * y.effect + x.noise * y.noise * (1 - v) / v)
        return sp.together(own + sum_over(term, v, self.sums))

    def var(self, x: Form) -> sp.Expr:
        return self.cov(x, x)

    def cov_own_reward(self, x: Form) -> sp.Expr:
        """Covariance with a single reward of arm k (the same for each of its rewards)."""
        return self.spread * (x.own_effect + x.own_noise * (1 - self.own_weight) / self.own_weight)

    def cov_other_reward(self, x: Form) -> sp.Expr:
        """Covariance with a single reward of another arm, whose weight is v."""
        return sp.cancel(self.spread * (x.effect + x.noise * (1 - v) / v))
