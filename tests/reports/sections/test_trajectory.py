"""The instrumented runs are those of `simulate`, and their estimates those of `blup`."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import reucb
from reports.sections.common.trajectory import Play, estimate, latent, rounds, variances

GAUSSIAN = reucb.Bandit(6, scipy.stats.norm(1, 0.5), reucb.Gaussian(0.7))
CLIPPED = reucb.Bandit(6, scipy.stats.norm(0.5, 0.2), reucb.ClippedGaussian(0.3))
KNOWN = {"sigma0_sq": 0.25, "sigma_sq": 0.49}


@pytest.mark.parametrize("bandit", [GAUSSIAN, CLIPPED], ids=["gaussian", "clipped"])
@pytest.mark.parametrize("known", [KNOWN, {}], ids=["ReUCB*", "ReUCB"])
def test_regret_is_that_of_simulate_run_by_run(bandit: reucb.Bandit, known: dict[str, float]) -> None:
    """Continuous rewards have no ties, so the choices agree and only rounding is left: 300 sums of order 1."""
    play = Play(bandit, 300, 0, 12, 5, 1.5, known.get("sigma0_sq"), known.get("sigma_sq"))
    mu = bandit.true_means(latent(play))
    regret = (mu.max(axis=1, keepdims=True) - mu).sum(axis=1)
    for now in rounds(play):
        regret += mu.max(axis=1) - mu[np.arange(12), now.choice]
    result = reucb.simulate(bandit, reucb.ReUCB(a=1.5, **known), horizon=300, runs=12, seed=5, executor=1)
    np.testing.assert_allclose(regret, result.final, rtol=1e-10)


def test_later_runs_are_the_same_as_in_one_batch() -> None:
    whole = latent(Play(GAUSSIAN, 10, 0, 5, 3, 1.0, 1.0, 1.0))
    assert np.array_equal(latent(Play(GAUSSIAN, 10, 3, 2, 3, 1.0, 1.0, 1.0)), whole[3:])


def some_data(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return rng.integers(1, 40, (8, 5)), rng.normal(size=(8, 5))


def test_estimate_is_blup() -> None:
    counts, means = some_data(np.random.default_rng(1))
    mu_hat, tau_sq, total = estimate(counts, means, np.full((8, 1), 0.3), np.full((8, 1), 2.0))
    fit = reucb.blup(counts, means, sigma0_sq=0.3, sigma_sq=2.0)
    np.testing.assert_allclose(mu_hat, fit.mu, rtol=0, atol=1e-13)
    np.testing.assert_allclose(tau_sq, fit.mse, rtol=1e-12)
    np.testing.assert_allclose(total[:, 0], fit.weights.sum(axis=1), rtol=1e-12)


@pytest.mark.parametrize("variances_", [(0.0, 2.0), (0.3, 0.0)])
def test_estimate_at_the_limits_is_blup(variances_: tuple[float, float]) -> None:
    counts, means = some_data(np.random.default_rng(2))
    mu_hat, tau_sq, _ = estimate(counts, means, *(np.full((8, 1), v) for v in variances_))
    fit = reucb.blup(counts, means, sigma0_sq=variances_[0], sigma_sq=variances_[1])
    np.testing.assert_allclose(mu_hat, fit.mu, rtol=0, atol=1e-13)
    np.testing.assert_allclose(tau_sq, fit.mse, rtol=1e-12, atol=0)


def test_estimated_variances_are_the_printed_ones() -> None:
    counts, means = some_data(np.random.default_rng(3))
    counts += 1
    deviation = np.random.default_rng(4).uniform(0.1, 3, (8, 5))
    bandit = reucb.Bandit(5, scipy.stats.norm(0, 1), reucb.Gaussian(1.0))
    found = variances(Play(bandit, 10, 0, 8, 0, 1.0, None, None), counts, means, deviation)
    expected = reucb.variance_components(counts, means, deviation, method="moments")
    np.testing.assert_allclose(found[0][:, 0], expected.sigma0_sq, rtol=1e-12)
    np.testing.assert_allclose(found[1][:, 0], expected.sigma_sq, rtol=1e-12)
