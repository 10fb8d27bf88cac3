"""The standard normal in closed form, for claims: density phi, upper tail Q, and the mean excess Psi(x) = E(Z -
x)^+. `Density`, `Tail` and `Excess` are the same functions by their letters, for statements."""

from __future__ import annotations

from typing import Any

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Letter, Rel, positive, real
from theory.kernel.named import Named
from theory.kernel.rules import Definition, FallsTo
from theory.kernel.sources import fix
from theory.kernel.terms import Mean
from theory.model.functions import random


def phi(x: sp.Expr) -> sp.Expr:
    """Density of the standard normal."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


def upper(x: sp.Expr) -> sp.Expr:
    """Q(x) = P(Z > x)."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def excess(x: sp.Expr) -> sp.Expr:
    """Psi(x) = E(Z - x)^+ = phi(x) - x Q(x)."""
    return phi(x) - x * upper(x)


class OfNormal(Named):
    """A function of the standard normal at its argument."""

    letter, tex = "", ""

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr]:
        z = sp.Symbol("z")
        return self.func(z), self.func.formula(z)

    @staticmethod
    def formula(x: sp.Expr) -> sp.Expr:
        """What is printed beside a statement."""
        raise NotImplementedError

    def _latex(self, printer: Any, exp: str | None = None) -> str:
        base = rf"{self.tex}\left({printer._print(self.args[0])}\right)"
        return base if exp is None else rf"{base}^{{{exp}}}"

    def _sympystr(self, printer: Any) -> str:
        return f"{self.letter}({printer._print(self.args[0])})"


class Density(OfNormal):
    """phi(x), the density."""

    letter, tex = "phi", r"\phi"
    formula = staticmethod(phi)

    @property
    def value(self) -> sp.Expr:
        return phi(self.args[0])


class Tail(OfNormal):
    """Q(x) = P(Z > x)."""

    letter, tex = "Q", "Q"
    formula = staticmethod(upper)

    @property
    def value(self) -> sp.Expr:
        return upper(self.args[0])


class Excess(OfNormal):
    """Psi(x) = phi(x) - x Q(x), which is E(Z - x)^+ by ours/psi."""

    letter, tex = "Psi", r"\Psi"

    @staticmethod
    def formula(x: sp.Expr) -> sp.Expr:
        return Density(x) - x * Tail(x)

    @property
    def value(self) -> sp.Expr:
        return excess(self.args[0])


def upper_is_positive() -> tuple[Item, ...]:
    """Q(x) > 0 for every real x: it falls, with slope -phi(x) < 0, to its limit 0."""
    x = sp.Symbol("x")

    return (
        Goal(Rel(sp.Derivative(upper(x), x), "=", -phi(x)), {x: real()}, name="slope of Q"),
        FallsTo(upper(x), x, sp.Integer(0), {x: real()}, "Q falls to its limit 0"),
    )


# A normal X, and a Y that is normal given X; a law is given by E e^{cX + d} for all numbers c and d.
X, Y = random("X Y")
c, d, u, slope, shift, mean, spread, noise = sp.symbols("c d u a b mu v_X v")
fix(X, slope, shift, mean, spread, noise, scope=__name__)
_FREE = {
    **{x: real() for x in (X, Y, c, d, u, slope, shift, mean)},
    **{x: positive() for x in (spread, noise)},
}
_WORDS = {
    X: Letter(X, "X ~ N(mu, sigma_x^2)"),
    Y: Letter(Y, "Y given X ~ N(a X + b, sigma^2)"),
    spread: Letter(sp.Symbol("sigma_x", positive=True) ** 2, "variance of X"),
    noise: Letter(sp.Symbol("sigma", positive=True) ** 2, "variance of Y given X"),
    mean: Letter(mean, "mean of X"),
    slope: Letter(slope, "slope of the mean of Y in X"),
    shift: Letter(shift, "mean of Y where X = 0"),
    u: Letter(u, "any number"),
}


def _normal(of: str, value: sp.Expr, over: sp.Symbol, exponent: sp.Expr) -> Definition:
    rel = Rel(Mean(sp.exp(value), over), "=", sp.exp(exponent))
    return Definition(of, Goal(rel, _FREE, name=of, letters=_WORDS))


NORMAL = _normal("X is N(mu, sigma_x^2)", c * X + d, X, c * mean + d + c**2 * spread / 2)
NORMAL_GIVEN = _normal("Y is N(a X + b, sigma^2) given X", u * Y, Y, u * (slope * X + shift) + u**2 * noise / 2)
MIXTURE = Goal(
    Rel(Mean(sp.exp(u * Y), X, Y), "=", sp.exp(u * (slope * mean + shift) + u**2 * (slope**2 * spread + noise) / 2)),
    _FREE,
    name="mixture",
    letters=_WORDS,
)
