"""How a named quantity shows arguments that its letter leaves out, where they have other values than usual: W at K = 1.

Without them two different things would be printed alike.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from theory.kernel.named import written
from theory.model.arms import LETTERS, J, No, Qo, Wo, n, s, s0


def at_values(letter: sp.Expr, *hidden: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """The letter, with those pairs of a usual argument and its value that differ."""
    shown = {x: LETTERS[x].shown for x in (n, s, s0, J, Wo, No, Qo)}  # the values may be in the letters of a play
    pairs = ((shown.get(usual, usual), written(value)) for usual, value in hidden if usual != value)
    others = sp.Tuple(*(sp.Tuple(*pair) for pair in pairs if pair[0] != pair[1]))
    return PrintedAt(letter, others) if others else letter


class PrintedAt(sp.Expr):  # type: ignore[misc]
    """How a quantity at other parameters is printed."""

    is_commutative = True
    precedence = PRECEDENCE["Mul"]

    @property
    def free_symbols(self) -> set[sp.Symbol]:
        return set().union(self.args[0].free_symbols, *(x.free_symbols for _, x in self.args[1]))

    def _latex(self, printer: Any) -> str:
        at = ",".join("=".join(map(printer._print, pair)) for pair in unshifted(self.args[1]))
        return rf"{printer._print(self.args[0])}\vert_{{{at}}}"

    def _sympystr(self, printer: Any) -> str:
        at = ", ".join(" = ".join(map(printer._print, pair)) for pair in unshifted(self.args[1]))
        return f"{printer._print(self.args[0])}[{at}]"


def unshifted(pairs: sp.Tuple) -> list[tuple[sp.Expr, sp.Expr]]:
    """Parameters and their values; K = 1 for K - 1 = 0, as readers write the number of the other arms."""
    moved = [(p.as_coeff_Add(), x) for p, x in pairs]
    return [(letter, x - by) for (by, letter), x in moved]
