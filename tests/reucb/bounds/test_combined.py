"""The least bound: never above its parts, and its subtracted family against the sum it stands for."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from reucb import bounds
from reucb.bounds.combined import subtracted
from reucb.bounds.widths import learned_pulls
from tests.reucb.bounds.reference import PAPER, settings_drawn


@given(settings_drawn)
@settings(max_examples=30)
def test_never_above_either(point):
    least = bounds.combined(**point)
    assert least <= bounds.sharp(**point)
    assert least <= bounds.logarithmic(**point, strict=False)
    assert least >= bounds.trivial(n_arms=point["n_arms"], horizon=min(point["n_arms"], point["horizon"]),
                                   sigma0_sq=point["sigma0_sq"]) * (1 - 1e-12)


def test_it_gains_at_the_reference_setting():
    assert bounds.combined(**PAPER, a=1.0) < 0.75 * bounds.sharp(**PAPER, a=1.0)
    assert bounds.combined(**PAPER, a=2.0) < 0.85 * bounds.logarithmic(**PAPER, a=2.0)


def test_subtracted_is_above_the_sum_it_bounds():
    """Against sums written out for 4000 instances: above, less five standard errors, and within 8 per cent."""
    n_arms, horizon, sigma0_sq, sigma_sq, a = 5, 600, 0.04, 0.25, 1.0
    mu = 0.2 * np.random.default_rng(4).normal(size=(4000, n_arms))
    gaps = mu.max(axis=1, keepdims=True) - mu
    g = np.sqrt(sigma_sq / (np.arange(1, horizon - n_arms + 1) + learned_pulls(n_arms, sigma0_sq, sigma_sq)))
    for lam, price in ((1.0, 0.0), (0.25, 0.03), (0.5, 0.2)):
        terms = (1 + lam) * math.sqrt(a * math.log(horizon)) * g - (lam * gaps[..., None] + price)
        drawn = np.maximum(terms, 0).sum(axis=(1, 2)) + price * (horizon - n_arms)
        found = subtracted(n_arms, horizon, sigma0_sq, sigma_sq, a, lam, np.array([price]))[0]
        error = drawn.std() / math.sqrt(len(drawn))
        assert drawn.mean() - 5 * error <= found <= 1.08 * drawn.mean()


def test_the_best_arm_keeps_the_subtracted_family_from_being_logarithmic():
    """lam = 1 at price 0 grows like sqrt(n): the pulls of the best arm have no gap to subtract."""
    here, there = (float(subtracted(50, n, 0.04, 0.25, 2.0, 1.0, np.zeros(1))[0]) for n in (1e12, 1e14))
    assert 9 < there / here < 12
    assert there > 100 * bounds.logarithmic(**{**PAPER, "horizon": 1e14}, a=2.0)


def test_exact_up_to_the_seam():
    assert bounds.combined(**{**PAPER, "horizon": 50}, a=1.0) == pytest.approx(
        bounds.trivial(n_arms=50, horizon=50, sigma0_sq=0.04), rel=1e-14)
