"""Exact decisions about closed expressions."""

import pytest
import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import proof
from theory.kernel.exact import decide, sign
from theory.kernel.goal import Rel

x = sp.Symbol("x")


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.Rational(-1, 3), -1),
        (sp.Integer(0), 0),
        (sp.sqrt(2) - sp.Rational(141421356237, 10**11), 1),
        (sp.pi - sp.Rational(355, 113), -1),
        (sp.exp(1) - sp.Rational(271828, 100000), 1),
        (sp.sqrt(8) - 2 * sp.sqrt(2), 0),
        (sp.log(8) - 3 * sp.log(2), 0),
    ],
)
def test_sign(expr, expected):
    assert sign(expr) == expected


def test_close_numbers_are_separated_or_left_open():
    assert decide(Rel(sp.exp(sp.pi * sp.sqrt(163)), "<", 640320**3 + 744)) is True


def test_items_built_from_a_derivative_prove_log_bounds_and_refuse_their_neighbours():
    good = proof(
        *rises_from(x - sp.log(1 + x), x, sp.Integer(0), {}, "log(1+x) <= x"),
    ).check()
    assert good.ok
    assert len(good.mutants) >= 3
    bad = proof(*rises_from(x / 2 - sp.log(1 + x), x, sp.Integer(0), {}, "log(1+x) <= x/2")).check()
    assert not bad.ok
