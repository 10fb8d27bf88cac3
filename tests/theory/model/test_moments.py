"""The calculi with symbolic K and n against dense linear algebra at concrete ones."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.model.arms import V0, J, W, Wo, arm_point, s, s0, tau_sq, w
from theory.model.matrices import Span
from theory.model.moments import Calculus, Form, sum_over, v

ONE = sp.Integer(1)
MEAN = Form(ONE, ONE)
GLS = Form(w / W, w / W, v / W, v / W)
BLUP_ERROR = w * MEAN + (1 - w) * GLS - Form(ONE)
CALCULUS = Calculus(s0, w, {0: J, 1: Wo})
ERROR_VARIANCE, GLS_VARIANCE = CALCULUS.var(BLUP_ERROR), CALCULUS.var(GLS)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(1, 5), st.integers(1, 5))
def test_second_moments_agree_with_the_dense_covariance_of_all_effects(counts, noise, spread):
    weights = np.array([c * spread / (c * spread + noise) for c in counts])
    gls = weights / weights.sum()
    k = len(counts)
    own = np.eye(k)[0]
    effect = weights[0] * own + (1 - weights[0]) * gls - own  # coefficients of the offsets in the BLUP error
    average = weights[0] * own + (1 - weights[0]) * gls  # and of the noise averages
    dense = spread * effect @ effect + noise * average @ (average / np.array(counts))
    at = arm_point(tuple(counts), noise, spread).values
    assert float(ERROR_VARIANCE.xreplace(at)) == pytest.approx(dense, rel=1e-12)
    assert float(tau_sq.xreplace(at)) == pytest.approx(dense, rel=1e-12)
    assert float(GLS_VARIANCE.xreplace(at)) == pytest.approx(float(V0.xreplace(at)), rel=1e-12)


def test_a_sum_that_is_no_polynomial_is_refused():
    with pytest.raises(ValueError, match="not a polynomial"):
        sum_over(1 / (1 + v), v, {0: J})


@given(*(st.integers(-4, 4) for _ in range(4)), st.integers(1, 5))
def test_the_algebra_of_identity_and_ones(a, b, c, d, size):
    eye, ones = np.eye(size), np.ones((size, size))
    product = Span(*map(sp.Integer, (a, b, size))) @ Span(*map(sp.Integer, (c, d, size)))
    dense = (a * eye + b * ones) @ (c * eye + d * ones)
    assert np.array_equal(dense, float(product.on_identity) * eye + float(product.on_ones) * ones)


def test_noise_variance_of_an_average_is_written_through_its_weight():
    assert sp.simplify(s0 * (1 - w) / w - s / sp.Symbol("n")) == 0
