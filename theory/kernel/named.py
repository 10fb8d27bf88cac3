"""Quantities that are written by name: a statement keeps the name, the engines see the value.

`Var(x - y)` in a relation is printed as written, and is replaced by its value wherever a proof, a counterexample, a
certificate or a Coq statement is made of it. The kernel knows only this protocol; a model provides the quantities.
The value is computed from the arguments of the expression, and so is the name: nothing else can be attached to it, and
to put other arguments into a relation is to put them into both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.printing.str import StrPrinter


class Remembering(StrPrinter):  # type: ignore[misc]
    """Text in which every part of an expression is printed once: expressions have many parts in common.

    Not for derivatives at a point, which are equal to SymPy whatever their variable is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[sp.Expr, str] = {}

    def _print(self, expr: Any, **kwargs: Any) -> str:
        if kwargs or not isinstance(expr, sp.Expr) or not expr.args:
            return str(super()._print(expr, **kwargs))
        found = self._known.get(expr)
        if found is None:
            found = self._known[expr] = str(super()._print(expr))
        return found


_TEXT = Remembering()


@lru_cache(maxsize=65536)
def spelled(expr: sp.Expr) -> str:
    """The text of an expression, by which expressions are sorted and named in evidence: printed once, it is slow."""
    if expr.is_Symbol:
        return str(expr.name)
    return str(expr) if expr.has(sp.Subs) else str(_TEXT.doprint(expr))


class Said(str):
    """Words that a model says of an example: a law, a rule of play."""


class Named(sp.Expr):  # type: ignore[misc]
    """An expression with a value. A subclass defines `value`, and how it is printed."""

    is_commutative = True
    is_number = False  # whatever its arguments: SymPy must not try to evaluate it
    defined_in_letters = True  # whether its definition is in letters, or in symbols that have letters

    @property
    def value(self) -> sp.Expr:
        """What it is, in the symbols of its arguments."""
        raise NotImplementedError

    @property
    def written(self) -> sp.Expr:
        """What is printed, in symbols that may still be replaced by a reader's letters."""
        return self

    @property
    def definition(self) -> tuple[sp.Expr, sp.Expr] | None:
        """A letter and its formula to print beside a statement, if the name alone does not say what it is."""
        return None

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        """Expressions of which the value is made, some of which it may no longer show; all must be defined."""
        return ()

    @property
    def data(self) -> dict[str, Any]:
        """Of a number that was computed from an example: numbers, lists of numbers and `Said` words that describe it.

        A counterexample shows them, so that a reader can compute the number again.
        """
        return {}

    @property
    def bound(self) -> set[sp.Symbol]:
        """Symbols in the arguments that are no variables: random quantities, for instance."""
        return set()

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        return set().union(*(e.free_symbols for e in self.args)) - self.bound


class Fixed(sp.Symbol):  # type: ignore[misc]
    """A symbol inside a named quantity that is no variable: nothing can be put in its place."""

    @classmethod
    def class_key(cls) -> tuple[int, int, str]:
        return 2, 0, "Symbol of a name"  # sorted, and so printed, after the variables

    def _xreplace(self, rule: Any) -> tuple[Fixed, bool]:
        return self, False

    def _subs(self, old: Any, new: Any, **hints: Any) -> Fixed:
        return self


def valued(expr: sp.Expr) -> sp.Expr:
    """The expression with the value of every named quantity in its place."""
    if not _has_names(expr):
        return expr
    # derivatives at a point are equal to SymPy whatever their variable is: not from a cache
    return (_valued.__wrapped__ if expr.has(sp.Subs) else _valued)(expr)


def forget_values() -> None:
    """Find the values of named quantities anew: for tests that change what one is."""
    _value.cache_clear()
    _valued.cache_clear()


@lru_cache(maxsize=65536)
def _valued(expr: sp.Expr) -> sp.Expr:
    return expr.xreplace({e: _value(e) for e in expr.atoms(Named)})


def written(expr: sp.Expr) -> sp.Expr:
    """The expression with every named quantity as it is printed."""
    if not _has_names(expr):
        return expr
    return expr.xreplace({e: e.written for e in expr.atoms(Named)})


@lru_cache(maxsize=65536)  # asked of every side of every relation, and most of them have none
def _has_names(expr: sp.Expr) -> bool:
    return bool(expr.has(Named))


@lru_cache(maxsize=4096)
def _value(quantity: Named) -> sp.Expr:
    value = valued(quantity.value)
    beyond = value.free_symbols - quantity.free_symbols
    if beyond:  # then a substitution into the arguments would miss them
        raise ValueError(f"{quantity}: its value has symbols that it does not have: {sorted(map(str, beyond))}")
    caught = _caught(quantity, value)
    if caught:  # then the value is not that of the arguments: an operator of it binds what they leave free
        raise ValueError(f"{quantity}: its value binds symbols of its arguments: {sorted(map(str, caught))}")
    return value


def _caught(quantity: Named, value: sp.Expr) -> set[sp.Symbol]:
    """Symbols of the arguments, but for those that are no variables and for the outcome, that the value binds."""
    from theory.kernel.terms import bound  # which imports this module

    shown = quantity.args[: len(quantity.args) - getattr(quantity, "of_outcome", 0)]
    symbols: set[sp.Symbol] = set().union(*(arg.free_symbols for arg in shown))
    return (symbols - quantity.bound) & bound(value)
