"""Laws of the experiments by name: Beta and uniform priors, Bernoulli rewards, normal rewards clipped to [0, 1].

`BetaMean(MU * (1 - MU), 1, 9)` is printed E[mu (1 - mu)] for mu ~ Beta(1, 9); its value is the integral against the
density, exact for whole parameters. A clipped reward min(max(X, 0), 1), X ~ N(m, d^2), has an atom at each end.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.named import Fixed, Named
from theory.model.normal import phi, upper

MU = Fixed("mu")  # a mean drawn from the prior
x = sp.Symbol("x")


class OfLaw(Named):
    """A number of a law, printed from a pattern with places for its arguments."""

    tex, text = "", ""

    def __new__(cls, *at: Any) -> OfLaw:
        found: OfLaw = sp.Expr.__new__(cls, *map(sp.sympify, at))
        return found

    @property
    def shown(self) -> tuple[sp.Expr, ...]:
        """What is printed in the places of the pattern."""
        return tuple(self.args)

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = self.tex.format(*map(printer._print, self.shown))
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return self.text.format(*map(printer._print, self.shown))


class BetaMean(OfLaw):
    """Mean of a polynomial in MU, mu ~ Beta(alpha, beta) with whole parameters."""

    tex, text = r"\mathbb{{E}}_{{\mu\sim\mathrm{{Beta}}({1},{2})}}\left[{0}\right]", "E[{0}; mu ~ Beta({1}, {2})]"

    @property
    def bound(self) -> set[sp.Symbol]:
        return {MU}

    @property
    def value(self) -> sp.Expr:
        body, alpha, beta = self.args
        density = sp.Poly(MU ** (alpha - 1) * (1 - MU) ** (beta - 1), MU)
        return _integral(sp.Poly(body, MU) * density) / _integral(density)


def _integral(polynomial: sp.Poly) -> sp.Expr:
    """Its integral over [0, 1], term by term."""
    return sp.Add(*(coefficient / (power + 1) for (power,), coefficient in polynomial.terms()))


def _at(body: sp.Expr) -> sp.Expr:
    """The expression at x: what stands for the mean cannot be replaced by substitution."""
    if body == MU:
        return x
    return body.func(*map(_at, body.args)) if body.args else body


class UniformMean(OfLaw):
    """Mean of an expression in MU, mu uniform on [low, high]."""

    tex, text = r"\mathbb{{E}}_{{\mu\sim U[{1},{2}]}}\left[{0}\right]", "E[{0}; mu ~ U[{1}, {2}]]"

    @property
    def bound(self) -> set[sp.Symbol]:
        return {MU}

    @property
    def value(self) -> sp.Expr:
        body, low, high = self.args
        return sp.Integral(_at(body), (x, low, high)) / (high - low)


class BetaVariance(OfLaw):
    """Variance of Beta(alpha, beta) with whole parameters."""

    tex, text = r"\mathrm{{Var}}\,\mathrm{{Beta}}({0},{1})", "Var Beta({0}, {1})"

    @property
    def value(self) -> sp.Expr:
        return BetaMean(MU**2, *self.args).value - BetaMean(MU, *self.args).value ** 2


class BetaThirdMoment(OfLaw):
    """Third central moment of Beta(p, q), p > 0 and q > 0."""

    tex, text = (
        r"\mathbb{{E}}_{{\mu\sim\mathrm{{Beta}}({0},{1})}}\left[(\mu-\mathbb{{E}}\mu)^3\right]",
        "E[(mu - E mu)^3; Beta({0}, {1})]",
    )

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return sp.log(self.args[0]), sp.log(self.args[1])  # which are defined for parameters of a law only

    @property
    def value(self) -> sp.Expr:
        p, q = self.args
        if any(x.is_number and not x.is_positive for x in (p, q)):
            raise ValueError(f"BetaThirdMoment: the parameters are {p} and {q}, must be positive")
        raw = [sp.prod([(p + i) / (p + q + i) for i in range(order)]) for order in range(4)]
        return raw[3] - 3 * raw[1] * raw[2] + 2 * raw[1] ** 3


class BernoulliVariance(OfLaw):
    """Variance of a reward that is 1 with probability p, 0 <= p <= 1, and else 0."""

    tex, text = r"\mathrm{{Var}}\,\mathrm{{Ber}}({0})", "Var Ber({0})"

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return sp.sqrt(self.args[0]), sp.sqrt(1 - self.args[0])  # which are defined for a probability only

    @property
    def value(self) -> sp.Expr:
        (p,) = self.args
        if p.is_number and not 0 <= p <= 1:
            raise ValueError(f"BernoulliVariance: the probability is {p}, must be between 0 and 1")
        return p * (1 - p) ** 2 + (1 - p) * p**2


class Variation(OfLaw):
    """Coefficient of variation of N(mean, variance), for a positive mean."""

    tex, text = r"\mathrm{{CV}}(\mathcal{{N}}({0},{1}))", "CV(N({0}, {1}))"

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return (sp.log(self.args[0]),)  # which is defined for a positive mean only

    @property
    def value(self) -> sp.Expr:
        mean, variance = self.args
        if mean.is_number and not mean.is_positive:
            raise ValueError(f"Variation: the mean is {mean}, must be positive")
        return sp.sqrt(variance) / mean

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        mean, deviation = sp.symbols("mu_0 sigma_0", positive=True)
        return Variation(mean, deviation**2), deviation / mean


class OfClipped(OfLaw):
    """A number of min(max(X, 0), 1), X ~ N(m, d^2), d > 0."""

    @property
    def shown(self) -> tuple[sp.Expr, ...]:
        return self.args[0], self.args[1] ** 2

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return (sp.log(self.args[1]),)  # which is defined for a standard deviation only

    @property
    def mean_and_deviation(self) -> tuple[sp.Expr, sp.Expr]:
        m, d = self.args
        if d.is_number and not d.is_positive:
            raise ValueError(f"{type(self).__name__}: the standard deviation is {d}, must be positive")
        return m, d


class ClippedMean(OfClipped):
    """Mean of min(max(X, 0), 1): the part between the ends, and 1 with the chance of X > 1."""

    tex = r"\mathbb{{E}}\min(\max(\mathcal{{N}}({0},{1}),0),1)"
    text = "E min(max(N({0}, {1}), 0), 1)"

    @property
    def value(self) -> sp.Expr:
        m, d = self.mean_and_deviation
        return upper((1 - m) / d) + sp.Integral(x * phi((x - m) / d) / d, (x, 0, 1))


class ChanceOfZero(OfClipped):
    """Chance that min(max(X, 0), 1) is 0: that of X <= 0, which is Q(m/d)."""

    tex = r"\mathbb{{P}}(\min(\max(\mathcal{{N}}({0},{1}),0),1)=0)"
    text = "P(min(max(N({0}, {1}), 0), 1) = 0)"

    @property
    def value(self) -> sp.Expr:
        m, d = self.mean_and_deviation
        return upper(m / d)


class UCB1Width(OfLaw):
    """The width of UCB1's index for sub-Gaussian rewards: variance proxy, round, count."""

    tex, text = r"c^{{\mathrm{{UCB1}}}}({0},{1},{2})", "c_UCB1({0}, {1}, {2})"

    @property
    def value(self) -> sp.Expr:
        proxy, t, count = self.args
        return sp.sqrt(8 * proxy * sp.log(t) / count)

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        sigma, t, count = sp.Symbol("sigma", positive=True), sp.Symbol("t"), sp.Symbol("n_k")
        at = UCB1Width(sigma**2, t, count)
        return at, at.value
