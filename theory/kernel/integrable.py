"""Whether a mean surely exists: expressions of which all moments are finite.

A variable X has light tails if E exp(c |X|) is finite for every number c: a normal, a bounded variable, and every
linear combination of such variables, whether they are independent or not. Then all moments of X and of exp(c X) are
finite, and sums and products of what has all moments have them, too. Nothing else is accepted: exp(X^2), 1/X and log X
may have no mean.
"""

from __future__ import annotations

from collections.abc import Collection

import sympy as sp

from theory.kernel.named import valued
from theory.kernel.terms import Event, Mean, depends, variables

BOUNDED = (Event, sp.erf, sp.erfc)  # whatever their arguments are


def require_mean(expr: sp.Expr, light: Collection[sp.Expr], over: Collection[sp.Symbol]) -> None:
    """Refuse an expression that may have no mean over these symbols.

    Parameters
    ----------
    expr : Expr
    light : collection of Expr
        Symbols and values of functions with light tails.
    over : collection of Symbol
        What is averaged; all else is fixed.

    Raises
    ------
    ValueError
        If it is not sure that all moments are finite.
    """
    if not _has_moments(valued(sp.sympify(expr)), light, frozenset(over)):
        raise ValueError(f"{expr}: it may have no mean")


def _fixed(expr: sp.Expr, over: frozenset[sp.Symbol]) -> bool:
    return not variables(expr) & over and not any(depends(expr, x) for x in over)


def _has_moments(expr: sp.Expr, light: Collection[sp.Expr], over: frozenset[sp.Symbol]) -> bool:
    if expr in light or isinstance(expr, BOUNDED) or _fixed(expr, over):
        return True
    if isinstance(expr, Mean):  # given what it does not average
        return _has_moments(expr.args[0], light, over.union(expr.args[1:]))
    if isinstance(expr, (sp.Sum, sp.Product)):
        ends = [end for _, *limits in expr.limits for end in limits]
        finite = not any(end.is_infinite or not _fixed(end, over) for end in ends)
        return finite and _has_moments(expr.function, light, over)
    if isinstance(expr, sp.exp):  # at most 1, or of what is linear
        written = (sp.Add.make_args(form) for form in (expr.args[0], sp.expand(expr.args[0])))
        return any(all(_linear(term, light, over) or _not_positive(term) for term in terms) for terms in written)
    if expr.is_Pow:
        return bool(expr.exp.is_Integer and expr.exp > 0) and _has_moments(expr.base, light, over)
    return bool(expr.is_Add or expr.is_Mul) and all(_has_moments(e, light, over) for e in expr.args)


def _linear(term: sp.Expr, light: Collection[sp.Expr], over: frozenset[sp.Symbol]) -> bool:
    """A fixed number, or one times a variable with light tails."""
    moving = [f for f in sp.Mul.make_args(term) if not _fixed(f, over)]
    return not moving or (len(moving) == 1 and moving[0] in light)


def _not_positive(term: sp.Expr) -> bool:
    """A negative number times squares."""
    number, rest = term.as_coeff_Mul()
    squares = (f.is_Pow and f.exp.is_Integer and f.exp % 2 == 0 for f in sp.Mul.make_args(rest))
    return bool(number.is_negative) and all(squares)
