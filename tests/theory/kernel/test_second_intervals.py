"""The second interval arithmetic contains what Arb contains, and narrowly."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from tests.hypothesis_examples import examples
from theory.kernel import exact
from theory.kernel.polynomial import to_fmpq
from theory.kernel.second_intervals import NoEnclosure, enclosure, sign

RATIONALS = st.fractions(-20, 20, max_denominator=50).map(lambda q: sp.Rational(q.numerator, q.denominator))
FUNCTIONS = {
    "exp": lambda q: sp.exp(q, evaluate=False),
    "log": lambda q: sp.log(1 + q**2, evaluate=False),
    "erfc": lambda q: sp.erfc(q / 5, evaluate=False),
    "root": lambda q: sp.Pow(1 + q**2, sp.Rational(1, 2), evaluate=False),
    "other power": lambda q: sp.Pow(1 + q**2, sp.Rational(-3, 7), evaluate=False),
    "quotient": lambda q: sp.pi / (1 + q**2) - sp.E * q,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@examples(40)
@given(q=RATIONALS)
def test_both_arithmetics_meet(name, q):
    expr = FUNCTIONS[name](q)
    found = enclosure(expr, 80)
    saved, ctx.prec = ctx.prec, 200
    try:
        low, high = (arb(to_fmpq(sp.Rational(x.numerator, x.denominator))) for x in (found.low, found.high))
        value = exact.enclose(expr)
        assert not value < low
        assert not value > high
        assert high - low < abs(value) * arb(2) ** -30 + arb(2) ** -60
    finally:
        ctx.prec = saved


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.pi - sp.Rational(355, 113), -1),
        (sp.E - sp.Rational(2721, 1001), 1),
        (sp.log(2) - sp.Rational(9, 13), 1),
        (sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6), None),  # 0 is never separated from 0
    ],
)
def test_signs(expr, expected):
    assert sign(expr) == expected


def test_what_it_does_not_know_is_refused():
    with pytest.raises(NoEnclosure):
        enclosure(sp.gamma(sp.Rational(1, 3)), 80)
    assert sign(sp.sin(1)) is None
