from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from reucb.bounds.sums import HEAD, width_sum
from tests.theory.harness.exactly import exact, number
from theory.ours.root_series import FROM, primitive


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 3), Fraction(40)])
@pytest.mark.parametrize("pulls", [33, 50, 120])
def test_reucb_sums_by_this_series(alpha, pulls):
    shift = exact(alpha)
    head = sum(1 / sp.sqrt(j + shift) for j in range(1, HEAD + 1))
    series = head + primitive(pulls + sp.Rational(1, 2) + shift) - primitive(HEAD + sp.Rational(1, 2) + shift)
    total = number(head + sum(1 / sp.sqrt(j + shift) for j in range(HEAD + 1, pulls + 1)))
    found = float(width_sum(np.array([pulls]), float(alpha))[0])
    assert found == pytest.approx(number(series), rel=1e-13)
    assert 0 <= number(series) - total <= 1e-11 * total


def test_the_series_starts_where_reucb_starts_it():
    assert FROM == HEAD + 1
