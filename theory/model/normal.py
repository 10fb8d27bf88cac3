"""The standard normal in closed form, for claims: density phi, upper tail Q, and the mean excess Psi(x) = E(Z -
x)^+."""

import sympy as sp

from theory.kernel.argument import Custom, Item, Words
from theory.kernel.goal import Goal, Rel, real


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

    def tends_to(value: int) -> bool:
        return sp.limit(upper(x), x, sp.oo) == value

    return (
        Goal(Rel(sp.Derivative(upper(x), x), "=", -phi(x)), {x: real()}, name="slope of Q"),
        Custom(
            "sympy",
            "Q tends to 0",
            lambda: tends_to(0),
            (("constant: limit 1", lambda: tends_to(1)), ("constant: limit -1", lambda: tends_to(-1))),
        ),
        Words("a function that falls strictly to the limit 0 is positive"),
    )
