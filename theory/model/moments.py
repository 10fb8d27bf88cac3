"""Second moments of linear statistics of the random-effect model, for any number of arms at once.

A statistic is a linear form in independent zero-mean effects: arm offsets delta_i (variance s0) and noise averages
e-bar_i. Seen from arm k it has four coefficients: of delta_k, of e-bar_k, and, at another arm i, of delta_i and
e-bar_i as functions of that arm's weight v = w_i. As Var(e-bar_i) = s0 (1 - v)/v, covariances are sums over arms of
rational functions of v, and such a sum is known once the sums of 1 (J), v (Wo), v^2 and of the counts are.

Beyond that a form may contain one other arm i (`one_effect`, `one_noise`: coefficients of its delta_i and e-bar_i),
and of single rewards: what is left of a reward's noise when the arm's noise average is taken out, which is
uncorrelated with everything but the like of the same arm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from theory.kernel.shown import derives

v, W2o = sp.symbols("v W2o")
w_i = sp.Symbol("w_i")  # the weight of one other arm; v runs over all of them


@derives(W2o)
def squared_weights(shown: Mapping[str, Any]) -> Mapping[sp.Symbol, sp.Expr]:
    """The sum of the squared weights of the other arms, in the names of a bandit that is shown."""
    if not isinstance(shown.get("n"), (list, tuple)) or "sigma_sq" not in shown:
        return {}
    noise, spread, *others = sp.symbols(["sigma_sq", "sigma0_sq", *(f"n_{i}" for i in range(2, len(shown["n"]) + 1))])
    return {W2o: sp.Add(*((c * spread / (c * spread + noise)) ** 2 for c in others))}


def reduced(expr: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """Numerator and denominator of a rational function in lowest terms, as polynomials."""
    symbols = sorted(expr.free_symbols, key=str)
    if not symbols:
        return sp.fraction(expr)  # type: ignore[no-any-return]
    found = sp.QQ.frac_field(*symbols).from_sympy(expr)
    return found.numer.as_expr(), found.denom.as_expr()


def simplest(expr: sp.Expr) -> sp.Expr:
    """A rational function in lowest terms, so that what cancels is not there; anything else as it is."""
    if not expr.is_rational_function(*expr.free_symbols):
        return expr
    num, den = reduced(expr)
    return num / den


def sum_over(term: sp.Expr, of: sp.Symbol, sums: Mapping[int, sp.Expr]) -> sp.Expr:
    """The sum over arms of a function of `of`, a polynomial but for powers of 1 - x in its denominator.

    `sums` has the power sums: {0: sum of 1, 1: sum of x, ..., -1: sum of 1/(1-x), -2: sum of 1/(1-x)^2}.
    """
    num, den = reduced(term)
    power = sp.degree(den, of) if den.has(of) else 0
    rest = sp.cancel(den / (1 - of) ** power) if power else den
    if rest.has(of):
        raise ValueError(f"sum over arms of {num / den}: not a polynomial in {of}")
    if not power:
        return sp.Add(*(c * sums[m] for (m,), c in sp.Poly(num, of).terms())) / rest
    u = sp.Dummy("u")  # 1 - x
    total = sp.S.Zero
    for (exponent,), c in sp.Poly(num.subs(of, 1 - u) / rest, u).terms():
        if exponent < power:
            total += c * sums[exponent - power]
        else:
            terms = sp.Poly((1 - of) ** (exponent - power), of).terms()
            total += c * sp.Add(*(b * sums[m] for (m,), b in terms))
    return total


@dataclass(frozen=True)
class Form:
    """own_effect delta_k + own_noise e-bar_k + sum over other arms of (effect delta_i + noise e-bar_i) + ...

    The other coefficients are of one other arm, and of the noise of single rewards less its average over the arm: two
    rewards of arm k, one of the other arm.
    """

    own_effect: sp.Expr = sp.S.Zero
    own_noise: sp.Expr = sp.S.Zero
    effect: sp.Expr = sp.S.Zero
    noise: sp.Expr = sp.S.Zero
    one_effect: sp.Expr = sp.S.Zero
    one_noise: sp.Expr = sp.S.Zero
    own_single: sp.Expr = sp.S.Zero
    own_second: sp.Expr = sp.S.Zero
    one_single: sp.Expr = sp.S.Zero

    @property
    def coefficients(self) -> tuple[sp.Expr, ...]:
        return tuple(vars(self).values())

    def __add__(self, other: Form) -> Form:
        return Form(*(a + b for a, b in zip(self.coefficients, other.coefficients, strict=True)))

    def __rmul__(self, c: sp.Expr) -> Form:
        return Form(*(c * a for a in self.coefficients))

    def __sub__(self, other: Form) -> Form:
        return Form(*(a - b for a, b in zip(self.coefficients, other.coefficients, strict=True)))


@dataclass(frozen=True)
class Calculus:
    """The bilinear form: variance of the effects, weight of arm k, the power sums over the other arms.

    `noise` is the variance of a single reward's noise, where a form contains single rewards.
    """

    spread: sp.Expr
    own_weight: sp.Expr
    sums: Mapping[int, sp.Expr]
    noise: sp.Expr | None = None

    def cov(self, x: Form, y: Form) -> sp.Expr:
        own = self.spread * x.own_effect * y.own_effect + self._own_average * x.own_noise * y.own_noise
        term = self.spread * x.effect * y.effect + self._average(v) * x.noise * y.noise
        return sp.together(own + sum_over(term, v, self.sums) + self._at_one_arm(x, y) + self._singles(x, y))

    def var(self, x: Form) -> sp.Expr:
        return self.cov(x, x)

    @property
    def _own_average(self) -> sp.Expr:
        """Variance of the noise average of arm k: sigma^2/n_k through its weight."""
        return self.spread * (1 - self.own_weight) / self.own_weight

    def _average(self, weight: sp.Symbol) -> sp.Expr:
        return self.spread * (1 - weight) / weight

    def _at_one_arm(self, x: Form, y: Form) -> sp.Expr:
        """What the coefficients at one other arm add."""
        here = {v: w_i}
        effects = x.one_effect * (y.effect.xreplace(here) + y.one_effect) + x.effect.xreplace(here) * y.one_effect
        noises = x.one_noise * (y.noise.xreplace(here) + y.one_noise) + x.noise.xreplace(here) * y.one_noise
        return self.spread * effects + sp.cancel(self._average(w_i) * noises)

    def _singles(self, x: Form, y: Form) -> sp.Expr:
        """Rewards less the average of m have variance sigma^2 (1 - 1/m), and any two of them covariance -sigma^2/m."""
        same = x.own_single * y.own_single + x.own_second * y.own_second
        both = x.own_single * y.own_second + x.own_second * y.own_single
        other = x.one_single * y.one_single
        total = -self._own_average * (same + both) - self._average(w_i) * other
        if same == 0 and other == 0:
            return total
        if self.noise is None:
            raise ValueError("single rewards: the variance of their noise is not known here")
        return total + self.noise * (same + other)

    def cov_own_reward(self, x: Form) -> sp.Expr:
        """Covariance with a single reward of arm k (the same for each of its rewards)."""
        return self.spread * (x.own_effect + x.own_noise * (1 - self.own_weight) / self.own_weight)

    def cov_other_reward(self, x: Form) -> sp.Expr:
        """Covariance with a single reward of another arm, whose weight is v."""
        return sp.cancel(self.spread * (x.effect + x.noise * (1 - v) / v))
