"""The special functions of the indices against SciPy."""

from __future__ import annotations

import pytest
import scipy.stats
from hypothesis import example, given
from hypothesis import strategies as st

from reucb._engine.special import bernoulli_kl, beta_tail, beta_upper, kl_upper, upper_normal
from tests.reucb.policies.reference import kl_root

TAILS = st.floats(-12, -0.302).map(lambda e: 10.0**e)


@given(TAILS)
@example(0.5)
@example(1e-300)
def test_normal_quantile(tail: float) -> None:
    assert upper_normal(tail) == pytest.approx(scipy.stats.norm.isf(tail), rel=1e-14, abs=1e-15)


@given(st.floats(0, 1), st.floats(-9, 1.5).map(lambda e: 10.0**e))
@example(0.0, 0.7)
@example(1.0, 0.7)
@example(0.3, 0.0)
@example(0.999999, 40.0)
def test_kl_root(mean: float, level: float) -> None:
    """To 1e-10, the accuracy an index has to have."""
    assert kl_upper(mean, level) == pytest.approx(kl_root(mean, level), abs=1e-10)


def test_kl_where_an_outcome_is_impossible() -> None:
    assert bernoulli_kl(0.3, 1.0) == bernoulli_kl(0.3, 0.0) == float("inf")
    assert bernoulli_kl(0.0, 0.0) == bernoulli_kl(1.0, 1.0) == 0.0


@given(st.floats(-1, 4).map(lambda e: 10.0**e), st.floats(-1, 4).map(lambda e: 10.0**e), TAILS)
@example(1.0, 1.0, 0.5)
@example(0.5, 9000.5, 1e-9)
@example(0.5, 0.5, 1e-10)
def test_beta_quantile(a: float, b: float, tail: float) -> None:
    x = beta_upper(a, b, tail)
    assert x == pytest.approx(scipy.stats.beta.isf(tail, a, b), rel=1e-10, abs=1e-12)


@given(st.floats(0.5, 5000), st.floats(0.5, 5000), st.floats(0, 1))
@example(2.0, 3.0, 0.0)
@example(2.0, 3.0, 1.0)
def test_beta_tail(a: float, b: float, x: float) -> None:
    """lgamma of 1e4 loses about five digits of sixteen in the density's constant."""
    assert beta_tail(a, b, x) == pytest.approx(scipy.stats.beta.sf(x, a, b), rel=1e-9, abs=1e-300)
