"""Bounds made of others: the least of several, and that for a subset of the arms."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given

import reucb
from reucb import bounds
from reucb.bounds.combined import best_size, estimate, missed, subtracted, without_counting
from reucb.bounds.logarithmic import gap_cost
from reucb.bounds.sharp import learned_pulls
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn

pytestmark = pytest.mark.xdist_group("slow bounds")  # one process: values that several tests need are computed once

# The least bound: never above its parts, and its subtracted family against the sum it stands for.


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


# Playing m of K arms: the bound it gives and the size it recommends.

MANY = {"n_arms": 1000, "horizon": 1000, "sigma0_sq": 0.04, "sigma_sq": 0.01, "a": 1.0}


def test_regret_of_a_subset_is_the_loss_and_the_regret_of_its_arms():
    """R_n = n sigma0 (e_K - e_m) + R_n^(m) for any policy on m arms: here round robin, four standard errors (6e-5).

    20 000 draws; it would detect an error of 2 per cent in the loss.
    """
    mu = np.random.default_rng(5).normal(size=(20_000, 40))
    cost = mu.max(axis=1) - mu[:, :6].mean(axis=1)
    exact = missed(40.0, 1.0, 6.0) + bounds.expected_max(6)
    error = cost.std() / np.sqrt(len(cost))
    assert abs(cost.mean() - exact) < 4 * error
    assert 8 * error < 0.02 * missed(40.0, 1.0, 6.0) * 2


def test_more_arms_than_rounds():
    best = bounds.subset(**MANY)
    assert 50 < best.n_arms < 150
    assert best.bound < 0.4 * bounds.combined(**MANY)
    part = {**MANY, "n_arms": best.n_arms}
    assert best.bound == pytest.approx(0.2 * missed(1000.0, 1000.0, best.n_arms) + bounds.combined(**part), rel=1e-12)


def test_few_arms_are_all_played():
    point = {"n_arms": 10, "horizon": 10_000, "sigma0_sq": 0.04, "sigma_sq": 0.25, "a": 1.0}
    assert bounds.subset(**point) == bounds.Subset(10, bounds.combined(**point))
    assert reucb.subset_size(**point) == 10


def test_recommended_size_is_nearly_the_best_in_simulation():
    """Within 10 per cent of the least simulated regret among three sizes (200 runs, errors below 1 per cent)."""
    size = reucb.subset_size(**MANY)

    def regret(m):
        bandit = reucb.Bandit(n_arms=m, prior=scipy.stats.norm(0, 0.2), rewards=reucb.Gaussian(sigma=0.1))
        policy = reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.01)
        return (
            0.2 * missed(1000.0, 1000.0, m)
            + reucb.simulate(bandit, policy, horizon=1000, runs=200, seed=2).final.mean()
        )

    assert regret(size) < 1.1 * min(map(regret, (60, 120, 250)))
    assert regret(size) < bounds.subset(**MANY).bound


@pytest.mark.parametrize(("n_arms", "horizon", "sigma", "regret"), [(50, 10_000, 2.5, 1098), (9, 1000, 0.5, 23)])
def test_estimate_is_near_simulated_regret(n_arms, horizon, sigma, regret):
    assert 0.9 * regret < estimate(n_arms, horizon, sigma, 1.0) < 1.5 * regret


def test_search_finds_the_least_of_a_convex_cost():
    assert best_size(10_000.0, lambda m: abs(np.log(m / 137))) == pytest.approx(137, rel=0.1)
    assert best_size(7.0, lambda m: -m) == 7
    assert best_size(1.0, lambda m: m) == 1


def test_scalars_only():
    with pytest.raises(ValueError, match=r"arguments of shape \(2,\): must be single numbers"):
        bounds.subset(**{**MANY, "n_arms": [10, 20]})
    with pytest.raises(ValueError, match=r"n_arms = 0\.0: must be whole numbers from 1"):
        reucb.subset_size(**{**MANY, "n_arms": 0})
