"""Section 6: the numbers that can be checked without running anything, against SciPy's distributions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import exact, number
from tests.theory.harness.search import FRACTIONS
from theory.paper.section6.settings import beta_moments, clipped_mean


@examples(30)
@given(st.integers(1, 20), st.integers(1, 20))
def test_beta_moments(p, q):
    mean, variance = beta_moments(p, q)
    law = stats.beta(p, q)
    assert float(law.mean()) == pytest.approx(float(mean), rel=1e-12)
    assert float(law.var()) == pytest.approx(float(variance), rel=1e-12)


@examples(20)
@given(FRACTIONS, FRACTIONS)
def test_the_mean_of_a_clipped_reward(mu, deviation):
    """The integral of P(X > x) over [0, 1], by quadrature; SciPy's own error estimate is some 1e-8."""
    law = stats.norm(float(mu), float(deviation))
    found = law.expect(lambda x: x, lb=0.0, ub=1.0) + law.sf(1.0)
    assert number(clipped_mean(exact(mu), exact(deviation))) == pytest.approx(found, abs=1e-7)
