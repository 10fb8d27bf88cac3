"""The standard normal in closed form, for claims: density phi, upper tail Q, and the mean excess Psi(x) = E(Z -
x)^+."""

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.rules import FallsTo


def phi(x: sp.Expr) -> sp.Expr:
    """Density of the standard normal."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


def upper(x: sp.Expr) -> sp.Expr:
    """Q(x) = P(Z > x)."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def excess(x: sp.Expr) -> sp.Expr:
    """Psi(x) = E(Z - x)^+ = phi(x) - x Q(x)."""
    return phi(x) - x * upper(x)


def upper_is_positive() -> tuple[Item, ...]:
    """Q(x) > 0 for every real x: it falls, with slope -phi(x) < 0, to its limit 0."""
    x = sp.Symbol("x")

    return (
        Goal(Rel(sp.Derivative(upper(x), x), "=", -phi(x)), {x: real()}, name="slope of Q"),
        FallsTo(upper(x), x, sp.Integer(0), {x: real()}, "Q falls to its limit 0"),
    )
