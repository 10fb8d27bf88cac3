"""The expected maximum of K normals against closed forms and thirty digits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from tests.reucb.bounds.reference import best_of

CLOSED = {
    1: 0.0,
    2: 1 / math.sqrt(math.pi),
    3: 1.5 / math.sqrt(math.pi),
    4: 6 / math.pi**1.5 * math.atan(math.sqrt(2)),
    5: 5 / (4 * math.sqrt(math.pi)) + 15 / (2 * math.pi**1.5) * math.asin(1 / 3),
}


@pytest.mark.parametrize("n_arms", CLOSED)
def test_closed_forms(n_arms):
    assert bounds.expected_max(n_arms) == pytest.approx(CLOSED[n_arms], abs=2e-15)


@pytest.mark.parametrize("n_arms", [2, 7, 50, 999, 31_623, 10**6])
def test_thirty_digits(n_arms):
    assert bounds.expected_max(n_arms) == pytest.approx(best_of(n_arms), abs=1e-12)


def test_a_million_arms():
    assert bounds.expected_max(10**6) == pytest.approx(4.862897486, abs=1e-8)
    assert bounds.expected_max(10**6) < math.sqrt(2 * math.log(10**6))


@given(st.integers(2, 10**9))
def test_below_the_maximal_inequality_and_increasing(n_arms):
    here, more = bounds.expected_max([n_arms, 2 * n_arms])
    assert 0 < here < more
    assert here < math.sqrt(2 * math.log(n_arms))


def test_shape_is_kept():
    grid = np.array([[1, 2], [3, 4]])
    assert np.array_equal(bounds.expected_max(grid), [[bounds.expected_max(int(k)) for k in row] for row in grid])


def test_random_play_is_exact():
    assert bounds.trivial(n_arms=50, horizon=10_000, sigma0_sq=0.04) == pytest.approx(4498.147258779, rel=1e-11)
    assert bounds.trivial(n_arms=1, horizon=10, sigma0_sq=1.0) == 0
    assert bounds.trivial(n_arms=9, horizon=10, sigma0_sq=0.0) == 0


def test_random_play_is_what_uniform_play_costs():
    """Four standard errors of 20 000 drawn instances: false alarm 6e-5, and it sees an error of 3 per cent in e_K."""
    mu = np.random.default_rng(3).normal(size=(20_000, 8))
    cost = mu.max(axis=1) - mu.mean(axis=1)
    error = cost.std() / math.sqrt(len(cost))
    assert abs(cost.mean() - bounds.trivial(n_arms=8, horizon=1, sigma0_sq=1.0)) < 4 * error
    assert 8 * error < 0.03 * bounds.expected_max(8)
