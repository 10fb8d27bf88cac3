"""Short forms for transcendental steps: closed numbers, antiderivatives, a sign from a derivative."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.items import Computation
from theory.kernel.rules import Rises


def number(check: str, holds: Rel, *false: tuple[str, Rel], engine: str = "exact") -> Computation:
    """A relation between closed expressions, with neighbours that must come out false."""
    return Computation(
        engine, check, lambda rel: rel, (holds,), {name: (rel,) for name, rel in false}, Goal(holds, name=check)
    )


def antiderivative(big: sp.Expr, small: sp.Expr, x: sp.Symbol, domain: dict[sp.Symbol, Var], name: str) -> Goal:
    """d(big)/dx = small."""
    return Goal(Rel(sp.Derivative(big, x), "=", small), domain, name=f"{name}: antiderivative")


def rises_from(expr: sp.Expr, x: sp.Symbol, low: sp.Rational, domain: dict[sp.Symbol, Var], name: str) -> tuple[Rises]:
    """expr >= 0 for x >= low, because expr(low) >= 0 and its derivative is >= 0 from there on."""
    return (Rises(expr, x, low, domain, name),)
