"""False statements that referees derived from rules: each was once proved, and is refused for the reason named here."""

from __future__ import annotations

import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources
from theory.kernel.argument import Item, proof
from theory.kernel.goal import Rel, at_least, real
from theory.kernel.rules import (
    Induction,
)

x, y, z, c, n, i, u, K, N, W = sp.symbols("x y z c n i u K N W")
f, g, h = map(sp.Function, "fgh")
R, COUNT, ZERO, ONE = real(), at_least(1, integer=True), sp.Integer(0), sp.Integer(1)
F = UndefinedFunction("F", of="test_referee_finds")
sources.fix(N, scope="test_referee_finds")


def problem(item: Item) -> str:
    """Why an item is not proved."""
    found = proof(item).check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(item: Item) -> bool:
    return proof(item).check().verdict == "proved"


# Induction.


def test_induction_takes_no_term_off_a_sum_whose_end_is_bound() -> None:
    """Inside a sum over n from -5 on, the sum up to n + 1 may be empty: it is not the sum up to n and f(n + 1)."""
    whole = sp.Sum(g(n) * sp.Sum(f(i), (i, 1, n + 1)), (n, -5, 3))
    apart = sp.Sum(g(n) * (sp.Sum(f(i), (i, 1, n)) + f(n + 1)), (n, -5, 3))
    assert "base" in problem(Induction(Rel(whole, "=", apart), n, ONE, {}))
    inside = sp.Integral(sp.Sum(f(i), (i, 1, n + 1)), (n, 0, 1))
    assert "base" in problem(
        Induction(Rel(inside, "=", sp.Integral(sp.Sum(f(i), (i, 1, n)) + f(n + 1), (n, 0, 1))), n, ONE, {})
    )
    assert proved(Induction(Rel(sp.Sum(f(i), (i, 1, n)) + whole, "=", whole + sp.Sum(f(z), (z, 1, n))), n, ONE, {}))
