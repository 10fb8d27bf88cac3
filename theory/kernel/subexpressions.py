"""What is inside an expression, looked for once: statements share their sides, and SymPy walks through all of one."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef, UndefinedFunction


def atoms(expr: sp.Expr, *kinds: type) -> frozenset[Any]:
    """The parts of an expression that are of these kinds, as `expr.atoms` finds them.

    Derivatives at a point are equal to SymPy whatever their variable is: what is inside them is not from a cache.
    """
    return frozenset(expr.atoms(*kinds)) if _at_a_point(expr) else _atoms(expr, kinds)


@lru_cache(maxsize=65536)
def _at_a_point(expr: sp.Expr) -> bool:
    return bool(expr.has(sp.Subs))


@lru_cache(maxsize=65536)
def _atoms(expr: sp.Expr, kinds: tuple[type, ...]) -> frozenset[Any]:
    return frozenset(expr.atoms(*kinds))


class Head:
    """A function, compared by identity: to hash and to compare functions of SymPy is slow."""


_HEADS: dict[UndefinedFunction, Head] = {}


@lru_cache(maxsize=65536)
def head(value: AppliedUndef) -> Head:
    """The function of which this is a value: one object for all functions that are equal."""
    return _HEADS.setdefault(value.func, Head())


@lru_cache(maxsize=65536)
def heads(expr: sp.Expr) -> frozenset[Head]:
    """The unspecified functions that occur in an expression."""
    return frozenset(map(head, atoms(expr, AppliedUndef)))
