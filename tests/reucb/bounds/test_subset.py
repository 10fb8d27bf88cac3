"""Playing m of K arms: the bound it gives and the size it recommends."""

import numpy as np
import pytest
import scipy.stats

import reucb
from reucb import bounds
from reucb.bounds.subset import best_size, estimate, missed

MANY = {"n_arms": 1000, "horizon": 1000, "sigma0_sq": 0.04, "sigma_sq": 0.01, "a": 1.0}


def test_regret_of_a_subset_is_the_loss_and_the_regret_of_its_arms():
    """R_n = n sigma0 (e_K - e_m) + R_n^(m) for any policy on m arms: here round robin, four standard errors (6e-5).

    20 000 draws; it would notice an error of 2 per cent in the loss.
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
