"""The least bound: never above its parts, and its subtracted family against the sum it stands for."""

import math

import numpy as np
import pytest
from hypothesis import given

from reucb import bounds
from reucb.bounds.combined import subtracted, without_counting
from reucb.bounds.logarithmic import gap_cost
from reucb.bounds.sums import learned_pulls
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn


@given(settings_drawn)
@examples(5)
def test_never_above_its_parts(point):
    least = bounds.combined(**point)
    assert least <= bounds.sharp(**point)
    assert least <= bounds.counting(**point)
    assert least <= bounds.logarithmic(**point, strict=False)
    assert least >= bounds.trivial(
        n_arms=point["n_arms"], horizon=min(point["n_arms"], point["horizon"]), sigma0_sq=point["sigma0_sq"]
    ) * (1 - 1e-12)


def test_it_gains_at_the_reference_setting():
    """By the subtracted family at a = 1, whose best member on a fine grid is 1345; by the gaps at a = 2."""
    assert sum(without_counting(50.0, 10_000.0, 0.04, 0.25, 1.0)) == pytest.approx(1347, abs=1)
    assert sum(without_counting(50.0, 10_000.0, 0.04, 0.25, 2.0)) < 0.85 * bounds.logarithmic(**PAPER, a=2.0)
    assert bounds.combined(**PAPER, a=1.0) == pytest.approx(bounds.counting(**PAPER, a=1.0, optimise=True), rel=1e-12)


def test_counting_is_not_always_the_least():
    """Few rounds for each arm and much noise: the widths alone are the better bound."""
    point = {"n_arms": 50, "horizon": 200, "sigma0_sq": 1.0, "sigma_sq": 6.25, "a": 1.0}
    assert bounds.combined(**point) == bounds.sharp(**point) < 0.6 * bounds.counting(**point)


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


def test_gap_cost_at_a_price_is_above_the_pulls_it_counts():
    """Counts written out for 20 000 instances (whole pulls): above, less 5 standard errors, and within 2 per cent."""
    n_arms, horizon, sigma0_sq, sigma_sq, a, b = 5, 600, 0.04, 0.25, 1.0, 0.5
    mu = 0.2 * np.random.default_rng(9).normal(size=(20_000, n_arms))
    gaps = mu.max(axis=1, keepdims=True) - mu
    reach = (1 + math.sqrt(0.5)) ** 2 * math.log(600) * sigma_sq / np.where(gaps > 0, gaps, np.inf) ** 2
    pulls = np.clip(np.floor(reach - learned_pulls(n_arms, sigma0_sq, sigma_sq)), 0, horizon - n_arms)
    for price in (0.0, 0.05, 0.2):
        drawn = (np.maximum(gaps - price, 0) * pulls).sum(axis=1) + price * (horizon - n_arms)
        found = gap_cost(n_arms, horizon, sigma0_sq, sigma_sq, a, b, np.array([price]))[0]
        error = drawn.std() / math.sqrt(len(drawn))
        assert drawn.mean() - 5 * error <= found <= 1.02 * drawn.mean()


def test_the_best_arm_keeps_the_subtracted_family_from_being_logarithmic():
    """lam = 1 at price 0 grows like sqrt(n): the pulls of the best arm have no gap to subtract."""
    here, there = (float(subtracted(50, n, 0.04, 0.25, 2.0, 1.0, np.zeros(1))[0]) for n in (1e12, 1e14))
    assert 9 < there / here < 12
    assert there > 100 * bounds.logarithmic(**{**PAPER, "horizon": 1e14}, a=2.0)


def test_exact_up_to_the_seam():
    assert bounds.combined(**{**PAPER, "horizon": 50}, a=1.0) == pytest.approx(
        bounds.trivial(n_arms=50, horizon=50, sigma0_sq=0.04), rel=1e-14
    )
