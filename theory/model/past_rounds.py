"""What the first rounds of a process decide: the check behind definitions that say what the next round adds to it."""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.terms import Event
from theory.model.play import o


def require_past(past: sp.Expr, process: Any, rounds: sp.Expr, before: tuple[sp.Expr, ...] = ()) -> None:
    """Refuse what is not decided by the values of a process after 0, ..., `rounds` rounds, or may be negative.

    Parameters
    ----------
    past : Expr
        A product of indicators and exponentials, and of products of these over rounds from 0 to `rounds`.
    process : function
        Its values in `past` have the arguments (*before, round, outcome).
    before : tuple of Expr
        The arguments before the round, such as an arm.

    Raises
    ------
    ValueError
        If `past` contains anything else that depends on the outcome, or another kind of factor.
    """
    counted = {limits[0] for f in past.atoms(sp.Product) for limits in f.args[1:] if limits[1:] == (0, rounds)}
    allowed = {process(*before, time, o) for time in (*counted, rounds)}
    if any(f.has(o) and f not in allowed for f in past.atoms(AppliedUndef)):
        raise ValueError(f"past={past}: it must be decided by the first {rounds} rounds of {process}")
    factors = [f.args[0] if isinstance(f, sp.Product) else f for f in sp.Mul.make_args(past)]
    if not all(isinstance(f, (sp.exp, Event)) or f == 1 for f in factors):
        raise ValueError(f"past={past}: it must be a product of exponentials and indicators")
