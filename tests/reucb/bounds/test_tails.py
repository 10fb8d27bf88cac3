"""Sums of tails: above the exact sum, and hardly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds.tails import convex_sum, density, excess, falling_sum, knots, upper
from tests.reucb.bounds.reference import excess_slow
from tests.reucb.strategies import magnitudes


@pytest.mark.parametrize("s", [0.0, 0.1, 1.0, 3.0, 8.0, 20.0, 35.0])
def test_excess(s):
    assert float(excess(np.array(s))) == pytest.approx(excess_slow(s), rel=1e-12)


def test_excess_far_out_is_zero_not_negative():
    assert float(excess(np.array(1e6))) == 0


@given(st.floats(0, 30))
def test_what_the_logarithmic_bound_uses_of_it(s):
    """(s + Psi) Q <= phi and s Q <= phi."""
    x = np.array(s)
    assert (s + excess(x)) * upper(x) <= density(x)
    assert s * upper(x) <= density(x)


@given(st.integers(2, 10**6), st.integers(0, 10**12))
def test_knots_are_rounds(first, more):
    rounds = knots(first, first + more)
    assert rounds[0] == first
    assert rounds[-1] == first + more
    assert (np.diff(rounds) >= 1).all()
    assert len(rounds) <= 512 + 1024 + 2


@given(magnitudes(-1.5, 1), st.integers(2, 100))
def test_the_tail_of_optimism_is_convex_and_its_sum_close(a, first):
    rounds = np.arange(first, first + 30_000)
    exact = excess(np.sqrt(a * np.log(rounds)))
    assert (np.diff(exact, 2) >= -1e-15 * exact[0]).all()
    at = knots(rounds[0], rounds[-1])
    found = convex_sum(at, excess(np.sqrt(a * np.log(at))))
    assert exact.sum() * (1 - 1e-12) <= found <= exact.sum() * (1 + 1e-4)


def test_a_decreasing_sum():
    rounds = np.arange(3, 50_000)
    at = knots(3, 49_999)
    assert 1 <= falling_sum(at, at**-1.5) / np.sum(rounds**-1.5) < 1.001
    assert falling_sum(knots(3, 400), knots(3, 400) ** -1.5) == pytest.approx(math.fsum(range_power(3, 400)), rel=1e-13)


def range_power(first, last):
    return [t**-1.5 for t in range(first, last + 1)]
