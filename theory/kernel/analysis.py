"""Short forms for transcendental steps: closed numbers, antiderivatives, a sign from a derivative, a tangent."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.items import Computation
from theory.kernel.rules import Cases, Rises, instance


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


def exp_tangent(z: sp.Symbol) -> Cases:
    """exp(z) >= 1 + z for every real z."""
    above = Rises(sp.exp(z) - 1 - z, z, sp.Integer(0), {z: at_least(0)}, "exp(z) - 1 - z")
    below = Rises(sp.exp(-z) - 1 + z, z, sp.Integer(0), {z: at_least(0)}, "exp(-z) - 1 + z", order=2)
    free, sign = {z: real()}, Rel(z, ">=", 0)
    first, second = instance(above, {z: z}, free, (sign,)), instance(below, {z: -z}, free, (sign.negation,))
    return Cases(sign, first, second, "exp is above its tangent")
