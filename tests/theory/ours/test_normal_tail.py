import math

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import expected_max
from reucb.bounds.normal import density, excess, upper_tail
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import agree
from theory.model import normal as gaussian


@examples(40)
@given(st.integers(0, 600))
def test_the_excess_is_what_reucb_computes(hundredths):
    at, x = np.array(hundredths / 100), sp.Rational(hundredths, 100)
    assert agree(float(density(at)), gaussian.phi(x), 1e-13)
    assert agree(float(upper_tail(at)), gaussian.upper(x), 1e-12)
    assert agree(float(excess(at)), gaussian.excess(x), 1e-11)  # 1 - s M(s) loses two digits by s = 6


@pytest.mark.parametrize("arms", [1, 2, 3, 10, 100, 10**4, 10**6])
def test_the_best_of_many(arms):
    assert expected_max(arms) <= math.sqrt(2 * math.log(arms)) <= 2 * math.sqrt(math.log(arms + 1))
