"""The standard normal in closed form, for claims: density phi, upper tail Q, and the mean excess Psi(x) = E(Z -
x)^+."""

import sympy as sp


def phi(x: sp.Expr) -> sp.Expr:
    """Density of the standard normal."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


def upper(x: sp.Expr) -> sp.Expr:
    """Q(x) = P(Z > x)."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def excess(x: sp.Expr) -> sp.Expr:
    """Psi(x) = E(Z - x)^+ = phi(x) - x Q(x)."""
    return phi(x) - x * upper(x)
