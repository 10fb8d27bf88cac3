"""What the expressions that a law of the model is stated for may contain.

A law of the model is about its own symbols: an arm k, a round t, the outcome. An expression in which an operator binds
one of them says something else of it: the sum of mu_k over k is no function of the mean of arm k.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import sympy as sp

from theory.kernel.named import valued
from theory.kernel.terms import bound, depends


def require_unbound(expr: sp.Expr, symbols: Collection[sp.Symbol]) -> None:
    """Refuse an expression in which an operator binds one of these symbols of a law.

    Raises
    ------
    ValueError
        If it does.
    """
    caught = bound(valued(sp.sympify(expr))) & set(symbols)
    if caught:
        raise ValueError(f"{expr}: {', '.join(sorted(map(str, caught)))} must not be bound by an operator")


def put(expr: sp.Expr, at: Mapping[sp.Expr, sp.Expr]) -> sp.Expr:
    """The expression with other terms for these, of which no symbol may be bound in it.

    Raises
    ------
    ValueError
        If one is.
    """
    terms = (*at, *map(sp.sympify, at.values()))
    require_unbound(expr, set().union(*(term.free_symbols for term in terms)))
    return expr.xreplace(dict(at))


def require_decided(expr: sp.Expr, known: Collection[sp.Expr], outcome: Collection[sp.Symbol]) -> None:
    """Refuse an expression that depends on the outcome by anything but the values `known`.

    Raises
    ------
    ValueError
        If the outcome occurs in it elsewhere, or if an operator binds a symbol of one of these values.
    """
    expr = valued(sp.sympify(expr))
    found = [q for q in known if expr.has(q)]
    require_unbound(expr, set(outcome).union(*(q.free_symbols for q in found)))
    rest = expr.xreplace({q: sp.Dummy() for q in found})
    if rest.has(*outcome) or any(depends(rest, x) for x in outcome):
        raise ValueError(f"{expr}: it must not depend on the outcome by anything but {', '.join(map(str, known))}")
