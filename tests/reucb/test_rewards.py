"""Reward laws: true means against fifty digits, samples against the laws, round trips of descriptions."""

from __future__ import annotations

import json
import math
import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import Bernoulli, ClippedGaussian, Gaussian
from reucb.rewards import law_from
from tests.reucb.strategies import magnitudes

LAWS = [Gaussian(0.5), Gaussian((0.1, 0.2, 0.0)), Bernoulli(), ClippedGaussian(0.2), ClippedGaussian((1, 2, 3), -1, 4)]


def exact_clipped_mean(mu: float, sigma: float, low: float, high: float) -> mpmath.mpf:
    """low P(X < low) + high P(X > high) + the part between; 200 digits cancel 30 sigmas out, 60 are left."""
    with mpmath.workdps(270):
        mu, sigma, low, high = map(mpmath.mpf, (mu, sigma, low, high))
        a, b = (low - mu) / sigma, (high - mu) / sigma

        def tail(x):
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        def density(x):
            return mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mpmath.pi)

        return low * tail(-a) + high * tail(b) + mu * (tail(a) - tail(b)) + sigma * (density(a) - density(b))


@given(st.floats(-30, 30), magnitudes(-2, 8))
def test_clipped_mean_in_fifty_digits(z, sigma):
    """The distance from the nearer end is right to 1e-12 relative, 30 sigmas out and for sigma up to 1e8."""
    mu = z * sigma
    exact = exact_clipped_mean(mu, sigma, 0.0, 1.0)
    found = float(ClippedGaussian(sigma).mean(mu))
    assert abs(found - exact) <= 1e-12 * exact
    mirrored = float(ClippedGaussian(sigma, low=-1.0, high=0.0).mean(-mu))
    assert abs(mirrored + exact) <= 1e-12 * exact


@pytest.mark.parametrize(("mu", "expected"), [(0.5, 0.5), (-50.0, 0.0), (50.0, 1.0), (1e300, 1.0), (-1e300, 0.0)])
def test_clipped_mean_at_the_centre_and_far_out(mu, expected):
    assert float(ClippedGaussian(0.2).mean(mu)) == pytest.approx(expected, abs=1e-300, rel=1e-15)


def test_clipped_mean_of_the_papers_setting():
    """Sec. sec:mis bandits: at mu = 0.3, sigma = 0.2 the mean reward is 0.3058, not 0.3."""
    assert float(ClippedGaussian(0.2).mean(0.3)) == pytest.approx(0.30584966, abs=1e-8)


def test_clipped_mean_without_noise_and_per_arm():
    np.testing.assert_array_equal(ClippedGaussian(0.0).mean([-1, 0.25, 7]), [0.0, 0.25, 1.0])
    both = ClippedGaussian((0.0, 0.3)).mean([0.1, 0.1])
    assert both[0] == 0.1
    assert both[1] == float(ClippedGaussian(0.3).mean(0.1)) > 0.1


@given(st.lists(st.floats(-3, 4), min_size=2, max_size=8), magnitudes(-2, 1))
def test_clipped_mean_is_increasing_and_inside(mus, sigma):
    means = ClippedGaussian(sigma).mean(np.sort(mus))
    assert ((means >= 0) & (means <= 1)).all()
    assert (np.diff(means) >= -1e-15).all()


def test_plain_laws_have_mean_mu():
    np.testing.assert_array_equal(Gaussian(2).mean([1.0, -3.0]), [1.0, -3.0])
    np.testing.assert_array_equal(Bernoulli().mean([0.0, 0.25, 1.0]), [0.0, 0.25, 1.0])


@pytest.mark.parametrize("law", LAWS)
def test_samples_have_the_mean_of_the_law(law):
    """Each average within 5 standard errors: false alarm below 1e-6 per arm, an error of 1 % of sigma is seen."""
    rng, mu, size = np.random.default_rng(20), np.array([0.15, 0.5, 0.95]), 250_000
    draws = law.sample(np.tile(mu, (size, 1)), rng)
    error = draws.std(axis=0) / math.sqrt(size)
    rounding = 1e-10  # of a sum of 250 000 equal numbers (an arm without noise)
    assert (np.abs(draws.mean(axis=0) - law.mean(mu)) <= 5 * error + rounding).all()
    low, high = law.support
    assert (draws >= low).all()
    assert (draws <= high).all()


@pytest.mark.parametrize("law", LAWS)
def test_kernel_is_the_law(law):
    """The compiled form: sampling by (code, sigma, low, high) and the same variates gives the same rewards."""
    code, sigma, low, high = law.kernel(3)
    mu = np.array([0.2, 0.5, 0.9])
    rng = np.random.default_rng(3)
    by_hand = (
        (rng.random(3) < mu).astype(float) if code == 1 else np.clip(mu + sigma * rng.standard_normal(3), low, high)
    )
    np.testing.assert_array_equal(law.sample(mu, np.random.default_rng(3)), by_hand)
    assert sigma.shape == (3,)


@pytest.mark.parametrize("law", LAWS)
def test_descriptions_come_back(law):
    again = law_from(json.loads(json.dumps(law.describe())))
    assert again == law
    assert hash(again) == hash(law)
    assert pickle.loads(pickle.dumps(law)) == law


def test_sigma_given_as_array_list_or_tuple_is_one_law():
    assert Gaussian(np.array([1.0, 2.0])) == Gaussian([1, 2]) == Gaussian((1.0, 2.0))
    assert Gaussian(1) != Gaussian(2)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Gaussian(-1), ValueError, r"sigma = -1: must be a finite number >= 0"),
        (lambda: Gaussian("1"), TypeError, r"sigma = '1': must be a finite number >= 0"),
        (lambda: Gaussian(True), TypeError, r"sigma = True: must be a finite number >= 0"),
        (lambda: Gaussian([1, math.nan]), ValueError, r"sigma\[1\] = nan: must be finite real numbers >= 0"),
        (lambda: Gaussian([[1.0]]), ValueError, r"sigma has shape \(1, 1\): must have 1 dimension"),
        (
            lambda: Gaussian((1, 2)).kernel(3),
            ValueError,
            r"sigma has 2 entries: must be one number, or one per arm \(3\)",
        ),
        (lambda: Bernoulli().mean([0.5, 1.5]), ValueError, r"mu\[1\] = 1.5: must be finite real numbers from 0 to 1"),
        (
            lambda: Bernoulli().check_means([-0.1]),
            ValueError,
            r"mu\[0\] = -0.1: must be finite real numbers from 0 to 1",
        ),
        (lambda: Gaussian(1).mean([math.inf]), ValueError, r"mu\[0\] = inf: must be finite"),
        (lambda: ClippedGaussian(1, low=1, high=1), ValueError, r"high = 1.0: must be greater than low = 1.0"),
        (lambda: ClippedGaussian(1, low=-math.inf), ValueError, r"low = -inf: must be a finite real number"),
        (lambda: law_from({"law": "Cauchy"}), ValueError, r"law = 'Cauchy': must be one of 'Gaussian', 'Bernoulli'"),
        (lambda: law_from({"law": "Gaussian", "s": 1}), ValueError, r"must describe a Gaussian law"),
        (lambda: law_from({}), TypeError, r"law = None: must be one of"),
        (lambda: law_from("Gaussian"), TypeError, r"description = 'Gaussian': must be what law.describe\(\) gives"),
    ],
)
def test_bad_input_names_argument_value_and_what_is_allowed(make, error, message):
    with pytest.raises(error, match=message):
        make()
