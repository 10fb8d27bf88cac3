"""Derivatives by the rules of the calculus, for engines that do not use SymPy's derivatives.

A claim states a derivative as `sp.Derivative(f, x)`, and leaves it there. SymPy's engine (and Z3) then reads what
`sp.diff` makes of it, FLINT's engines and the certificates what these rules make of it: two ways to the same slope.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce

import sympy as sp


@lru_cache(maxsize=4096)
def derivative(f: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """df/dx, wherever f is defined and differentiable."""
    if x not in f.free_symbols:
        return sp.S.Zero
    if f == x:
        return sp.S.One
    if f.is_Add:
        return sp.Add(*(derivative(term, x) for term in f.args))
    if f.is_Mul:
        return sp.Add(
            *(sp.Mul(*f.args[:i], derivative(factor, x), *f.args[i + 1 :]) for i, factor in enumerate(f.args))
        )
    if f.is_Pow:
        return _of_power(f, x)
    if len(f.args) == 1 and f.func in _CHAIN:
        inner = f.args[0]
        return _CHAIN[f.func](inner) * derivative(inner, x)
    raise TypeError(f"no rule to differentiate {f.func} in {f}")


_CHAIN: dict[type, Callable[[sp.Expr], sp.Expr]] = {
    sp.exp: sp.exp,
    sp.log: lambda u: 1 / u,
    sp.erfc: lambda u: -2 * sp.exp(-(u**2)) / sp.sqrt(sp.pi),
}


def _of_power(f: sp.Expr, x: sp.Symbol) -> sp.Expr:
    """(b^e)' = e b^(e-1) b' + b^e log(b) e', each part only where it is not 0: log(b) may not exist."""
    base, exponent = f.args
    inner, outer = derivative(base, x), derivative(exponent, x)
    by_base = exponent * base ** (exponent - 1) * inner if inner != 0 else sp.S.Zero
    return by_base if outer == 0 else by_base + f * sp.log(base) * outer


@lru_cache(maxsize=65536)
def by_rules(expr: sp.Expr) -> sp.Expr:
    """The expression with every derivative in it carried out by the rules above."""
    return _carried_out(expr, lambda f, *xs: reduce(derivative, xs, f))


@lru_cache(maxsize=65536)
def by_sympy(expr: sp.Expr) -> sp.Expr:
    """The expression with every derivative in it carried out by SymPy."""
    return _carried_out(expr, sp.diff)


@lru_cache(maxsize=65536)  # asked of every side of every relation, and most of them have none
def _has_derivatives(expr: sp.Expr) -> bool:
    return bool(expr.has(sp.Derivative))


def _carried_out(expr: sp.Expr, rules: Callable[..., sp.Expr]) -> sp.Expr:
    if not _has_derivatives(expr):
        return expr
    args = [_carried_out(e, rules) if isinstance(e, sp.Expr) else e for e in expr.args]
    if isinstance(expr, sp.Derivative):
        return rules(args[0], *expr.variables)
    if isinstance(expr, sp.Subs):  # what SymPy makes of Derivative(f, x).subs(x, point)
        return args[0].xreplace(dict(zip(expr.variables, expr.point, strict=True)))
    return expr.func(*args)
