"""What the first rounds of a process decide: the check behind definitions that say what the next round adds to it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import sympy as sp

from theory.kernel.terms import Event
from theory.model.arguments import require_decided, require_unbound
from theory.model.play import o

Known = Callable[[sp.Expr], Collection[sp.Expr]]


def require_rounds(
    past: sp.Expr,
    last: sp.Expr,
    known: Known,
    outcome: Collection[sp.Symbol],
    law: Collection[sp.Symbol],
    kinds: tuple[type, ...] = (Event,),
) -> None:
    """Refuse what is not decided by what is known in the rounds 0, ..., `last`, or may be negative.

    Parameters
    ----------
    past : Expr
        A product of factors of these kinds, and of products of these over the rounds from 0 to `last`.
    known : callable
        The values that are known in a round. A factor may contain those of round `last`, and inside a product those
        of its index.
    outcome, law : collections of Symbol
        What is averaged, and other symbols of the law, which no operator may bind.

    Raises
    ------
    ValueError
        If `past` contains anything else that depends on the outcome, or another kind of factor.
    """
    for q in sp.Mul.make_args(past):
        factor, rounds = q, [last]
        if isinstance(q, sp.Product):
            (index, *ends), *others = q.limits
            if others or ends != [0, last] or index in {*law, *outcome, *last.free_symbols}:
                raise ValueError(f"past={past}: it must be decided by the first {last} rounds, in products from 0 on")
            factor, rounds = q.function, [index, last]
        if not isinstance(factor, kinds) and factor != 1:
            what = "exponentials and indicators" if sp.exp in kinds else "indicators"
            raise ValueError(f"past={past}: it must be a product of {what}")
        values = [value for at in rounds for value in known(at)]
        try:
            require_unbound(factor, {*law, *outcome}.union(*(at.free_symbols for at in rounds)))
            require_decided(factor, values, outcome)
        except ValueError as error:
            raise ValueError(f"past={past}: it must be decided by the first {last} rounds; {error}") from error


def require_past(
    past: sp.Expr,
    process: Any,
    rounds: sp.Symbol,
    before: tuple[sp.Expr, ...] = (),
    domain: Collection[sp.Expr] = (),
) -> None:
    """Refuse what is not decided by the values of a process after 0, ..., `rounds` rounds, or may be negative.

    Parameters
    ----------
    past : Expr
        A product of indicators and exponentials, and of products of these over rounds from 0 to `rounds`.
    process : function
        Its values in `past` have the arguments (*before, round, outcome).
    before : tuple of Expr
        The arguments before the round, such as an arm.
    domain : collection of Expr
        Terms that have a range of their own, which the range of `rounds` must not replace.

    Raises
    ------
    ValueError
        If `past` contains anything else that depends on the outcome, or another kind of factor, or if `rounds` is no
        symbol of its own.
    """
    if not rounds.is_Symbol or rounds in {o, *before, *domain}:
        raise ValueError(f"rounds={rounds}: it must be a symbol that the law does not contain")
    law = set().union(*(x.free_symbols for x in (*before, rounds)))
    require_rounds(past, rounds, lambda at: [process(*before, at, o)], (o,), law, (sp.exp, Event))
