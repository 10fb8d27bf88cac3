"""Theorem 2 repaired: its constant, its probability of failure, its terms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.subgaussian import failure, inflation
from tests.reucb.bounds.reference import errors_and_widths
from tests.reucb.strategies import magnitudes

POINT = {"n_arms": 20, "horizon": 5000, "sigma0_sq": 0.04, "sigma_sq": 0.25}


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), magnitudes(-3, 3))
def test_inflation_covers_every_design(counts, rho):
    """tilde-tau (1 + sqrt((1 - w) K/W)) <= sqrt(kappa) tau for every arm and every count."""
    n, n_arms = np.array(counts, dtype=float), len(counts)
    w = n / (n + rho)
    _, tau = errors_and_widths(n, n, 1.0, rho)
    worst = np.sqrt(1 - w) * (1 + np.sqrt((1 - w) * n_arms / w.sum()))
    assert (worst <= math.sqrt(inflation(n_arms, rho)) * tau * (1 + 1e-12)).all()


@pytest.mark.parametrize(("n_arms", "rho"), [(2, 1.0), (5, 25.0), (5, 24.0), (3, 8.9)])
def test_inflation_is_reached_after_the_round_robin(n_arms, rho):
    ones = np.ones(n_arms)
    w, (_, tau) = 1 / (1 + rho), errors_and_widths(ones, ones, 1.0, rho)
    reached = math.sqrt(1 - w) * (1 + math.sqrt((1 - w) / w)) / tau[0]
    assert inflation(n_arms, rho) == pytest.approx(reached**2, rel=1e-12)
    assert inflation(n_arms, rho) <= n_arms + 1 + 1e-12
    assert inflation(n_arms, 1e9) == n_arms + 1


@given(st.integers(1, 100), magnitudes(-3, 0), magnitudes(-3, 1), magnitudes(-1, 3))
def test_failure_is_a_probability_that_does_not_increase(n_arms, sigma0_sq, sigma_sq, a):
    found = failure(np.geomspace(2, 1e12, 200), n_arms, sigma0_sq, sigma_sq, a)
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) <= 0).all()


def test_terms():
    a = 30.0
    terms = bounds.theorem2_repaired_terms(**POINT, a=a)
    assert terms["initial"] == pytest.approx(20 * 0.2 * math.sqrt(2 * math.log(20)), rel=1e-14)
    assert terms["widths"] == pytest.approx(2 * bounds.sharp_terms(**POINT, a=a)["widths"], rel=1e-14)
    kappa = (1 + 2.5) ** 2 / (1 + 6.25 / 20)
    t = np.arange(21, 5001.0)
    by_range = 40 * (1 + np.sqrt(a * np.log(t) ** 3) / 4) * math.exp(13) * t ** (-a / 2)
    exact = np.minimum(1, np.minimum(80 * t ** (1 - a / (2 * kappa)), by_range)).sum()
    assert exact * (1 - 1e-12) <= terms["tail"] <= 1.01 * exact
    assert terms["tail"] < 5


def test_each_route_has_its_ground():
    """A narrow prior with noise to match: the route by the prior; a wide one: the route by the range."""
    t = np.array([100.0, 300.0])
    assert failure(t, 20, 0.01, 0.01, 20.0) == pytest.approx(80 * t ** (1 - 10 * (1 + 1 / 20) / 4), rel=1e-12)
    by_range = 40 * (1 + np.sqrt(8 * np.log(t) ** 3) / 4) * math.e * t**-4.0
    assert failure(t, 20, 1.0, 1.0, 8.0) == pytest.approx(by_range, rel=1e-12)


def test_it_says_something_for_wide_intervals_and_nothing_for_narrow_ones():
    far = {**POINT, "horizon": 10**7}
    assert bounds.theorem2_repaired(**far, a=30.0) < 0.1 * 10**7
    assert bounds.theorem2_repaired(**far, a=1.0) > 10**7


def test_no_more_than_one_a_round_before_the_index_starts():
    assert bounds.theorem2_repaired(n_arms=9, horizon=5, sigma0_sq=100.0, sigma_sq=1.0, a=1.0) == 5
