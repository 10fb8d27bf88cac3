"""Independent standard normals, which are also independent of everything else that is random."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, real
from theory.kernel.integrable import require_mean
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arguments import put
from theory.model.functions import random
from theory.model.normal import phi

z1, z2, z3 = random("z_1 z_2 z_3")
u, v = sp.symbols("u v")
NORMALS: dict[sp.Expr, Var] = {z1: real(), z2: real(), z3: real(), u: real(), v: real()}
WORDS = {z: Letter(z, "a standard normal, independent of everything else") for z in (z1, z2, z3)}
INDEPENDENT = "independent standard normals"


def moments(first: sp.Symbol, second: sp.Symbol) -> Definition:
    """E exp(u X + v Y) = exp((u^2 + v^2)/2) for all numbers u and v."""
    if first == second or not {first, second} <= {z1, z2, z3}:
        raise ValueError(f"{first}, {second}: two of {z1}, {z2}, {z3} are needed")
    rel = Rel(Mean(sp.exp(u * first + v * second), first, second), "=", sp.exp((u**2 + v**2) / 2))
    return Definition(INDEPENDENT, Goal(rel, NORMALS, name=INDEPENDENT, letters=WORDS))


def by_density(f: sp.Expr, z: sp.Symbol, y: sp.Symbol, domain: dict[sp.Expr, Var]) -> Definition:
    """The mean of an expression in a standard normal z is the integral of it and the density, over y."""
    if z not in {z1, z2, z3} or f.has(y):
        raise ValueError(f"{z}: a standard normal and another variable than {y} are needed")
    require_mean(f, (z1, z2, z3), (z,))
    inside = sp.expand_mul(put(f, {z: y}) * phi(y), deep=False)
    rel = Rel(Mean(f, z), "=", sp.Integral(inside, (y, -sp.oo, sp.oo)))
    of = "the density of a standard normal"
    return Definition(of, Goal(rel, {**domain, **NORMALS}, name=of, letters=WORDS))


def apart(f: sp.Expr, over: tuple[sp.Symbol, ...], g: sp.Expr, domain: dict[sp.Expr, Var]) -> Definition:
    """E[f g] = E f E g, where g depends on z_1 only of what is averaged, and f on anything else."""
    if z1 in over or f.has(z1) or g.has(*over):
        raise ValueError(f"{f}, {g}: only the second one may depend on {z1}, and it on nothing else that is averaged")
    require_mean(f, (z2, z3), over)
    require_mean(g, (z1, z2, z3), (z1,))
    rel = Rel(Mean(f * g, *over, z1), "=", Mean(f, *over) * Mean(g, z1))
    of = "a standard normal that is independent of everything else"
    return Definition(of, Goal(rel, {**domain, **NORMALS}, name=of, letters=WORDS))
