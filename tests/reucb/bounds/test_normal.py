"""Expected maximum and averages over gaps against closed forms, thirty digits, quadrature and drawn instances."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.special import ndtr

from reucb import bounds
from reucb.bounds.normal import average_over_gaps, gap_density, gap_mesh
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
    """Four standard errors of 20 000 drawn instances: false alarm 6e-5; it detects an error of 3 per cent in e_K."""
    mu = np.random.default_rng(3).normal(size=(20_000, 8))
    cost = mu.max(axis=1) - mu.mean(axis=1)
    error = cost.std() / math.sqrt(len(cost))
    assert abs(cost.mean() - bounds.trivial(n_arms=8, horizon=1, sigma0_sq=1.0)) < 4 * error
    assert 8 * error < 0.03 * bounds.expected_max(8)


@pytest.mark.parametrize("n_arms", [2, 3, 50, 1000, 10**6])
def test_moments_of_the_gaps(n_arms):
    """K - 1 gaps, adding up to K e_K; for two arms the one gap has second moment 2."""
    assert average_over_gaps(np.ones_like, [1e-3], n_arms) == pytest.approx(n_arms - 1, rel=1e-11)
    assert average_over_gaps(lambda z: z, [0.1], n_arms) == pytest.approx(
        n_arms * bounds.expected_max(n_arms), rel=1e-11
    )
    if n_arms == 2:
        assert average_over_gaps(np.square, [0.1], 2) == pytest.approx(2, rel=1e-11)


def test_two_arms_have_a_folded_normal_gap():
    z = np.linspace(0, 8, 50)
    assert gap_density(z, 2) == pytest.approx(np.exp(-z * z / 4) / math.sqrt(math.pi), rel=1e-12)


def capped(z):
    """A cost like the bound's: linear up to 0.2, then like 1/z, nothing beyond 3."""
    return z * np.clip((2 / z) ** 2 - 4 / 9, 0, 100 - 4 / 9)


def test_against_double_quadrature():
    n_arms = 4

    def joint(x, y):
        both = math.exp(-(x * x + y * y) / 2) / (2 * math.pi)
        return n_arms * (n_arms - 1) * both * ndtr(y) ** (n_arms - 2) * float(capped(np.array(y - x)))

    pieces = [
        dblquad(joint, -8, 8, lambda y, b=b: y - b, lambda y, a=a: y - a, epsabs=1e-11, epsrel=1e-10)[0]
        for a, b in ((1e-12, 0.2), (0.2, 3.0))
    ]
    assert average_over_gaps(capped, [0.2, 3.0], n_arms) == pytest.approx(sum(pieces), rel=1e-8)


def test_against_drawn_instances():
    """Four standard errors of 200 000 instances of six arms: false alarm 6e-5; an arm left out is 40 of them off."""
    mu = np.random.default_rng(8).normal(size=(200_000, 6))
    gaps = mu.max(axis=1, keepdims=True) - mu
    cost = np.where(gaps > 0, capped(np.where(gaps > 0, gaps, 1.0)), 0.0).sum(axis=1)
    error = cost.std() / math.sqrt(len(cost))
    assert abs(average_over_gaps(capped, [0.2, 3.0], 6) - cost.mean()) < 4 * error
    assert cost.mean() / 5 > 40 * error


def test_small_kinks_are_followed_down():
    """1/z above a cut: p_K(0) log(1/cut) and a constant, also for a cut of 1e-40."""
    at = [float(average_over_gaps(lambda z, c=c: np.where(z < c, 0.0, 1 / z), [c], 5)) for c in (1e-10, 1e-20, 1e-40)]
    step = float(gap_density(np.array(0.0), 5)) * 10 * math.log(10)
    assert at[1] - at[0] == pytest.approx(step, rel=1e-8)
    assert at[2] - at[0] == pytest.approx(3 * step, rel=1e-8)
    assert (np.diff(gap_mesh([1e-40])) > 0).all()
