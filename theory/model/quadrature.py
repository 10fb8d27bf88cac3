"""Enclosed integrals of entire functions, by Arb, and the mean of the largest of K standard normals from below."""

from __future__ import annotations

from math import prod

import sympy as sp
from flint import acb, arb, ctx

from theory.kernel.exact import enclose
from theory.model.normal import phi, upper


def enclosed(expr: sp.Expr, y: sp.Symbol, at: acb) -> acb:
    """An enclosure of an entire function of y: sums, products, whole powers, exp and erfc."""
    if y not in expr.free_symbols:
        return acb(enclose(expr))
    if expr == y:
        return at
    if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
        return enclosed(expr.base, y, at) ** int(expr.exp)
    parts = [enclosed(e, y, at) for e in expr.args]
    if expr.is_Add:
        return sum(parts, acb(0))
    if expr.is_Mul:
        return prod(parts, start=acb(1))
    if isinstance(expr, sp.exp):
        return parts[0].exp()
    if isinstance(expr, sp.erfc):
        return parts[0].erfc()
    raise TypeError(f"{expr}: not known to be entire in {y}")


def integral(expr: sp.Expr, y: sp.Symbol, low: sp.Expr, high: sp.Expr, bits: int = 80) -> arb:
    """An enclosure of the integral of an entire function from low to high."""
    saved, ctx.prec = ctx.prec, bits
    try:
        return acb.integral(lambda x, _: enclosed(expr, y, x), acb(enclose(low)), acb(enclose(high))).real
    finally:
        ctx.prec = saved


def best_of(arms: int) -> sp.Rational:
    """A rational just below e_K, which is K (K-1) times the integral of phi^2 Phi^(K-2); [-4, 4] gives most of it."""
    x = sp.Symbol("x")
    density = arms * (arms - 1) * phi(x) ** 2 * (1 - upper(x)) ** (arms - 2)
    scaled = integral(density, x, sp.Integer(-4), sp.Integer(4)) * 10**9
    whole = scaled.lower().floor().unique_fmpz()
    if whole is None:
        raise ArithmeticError(f"{scaled}: too wide an enclosure")
    return sp.Rational(int(whole), 10**9)
