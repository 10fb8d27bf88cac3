"""Section 3.2: the ledger's formulas are those of reucb.blup with mu0 estimated."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS, evaluate, near, seen_from
from theory.model.arms import tau_sq, w

MEANS = st.lists(st.integers(-9, 9), min_size=5, max_size=5)
Bandit = tuple[list[int], Fraction, Fraction]


@examples(60)
@given(BANDITS, MEANS)
def test_core_agrees(bandit: Bandit, means: list[int]) -> None:
    """r0-estimator, blup and MSE, number by number."""
    counts, noise, spread = bandit
    fit = reucb.blup(counts, means[: len(counts)], sigma0_sq=float(spread), sigma_sq=float(noise))
    each = [seen_from(k, counts, [noise], spread) for k in range(len(counts))]
    weights = [evaluate(w, at) for at in each]
    common = sum(x * m for x, m in zip(weights, means, strict=False)) / sum(weights)
    assert near(fit.mu0, common, scale=10.0)
    for k, at in enumerate(each):
        assert near(fit.mse[k], evaluate(tau_sq, at))
        assert near(fit.mu[k], (1 - weights[k]) * common + weights[k] * means[k], scale=10.0)


@examples(40)
@given(BANDITS)
def test_predictions_and_errors_by_dense_algebra(bandit: Bandit) -> None:
    """Var(mu-hat), its covariances and tau^2 from the full covariance matrix of the sample means (an oracle apart)."""
    counts, noise, spread = bandit
    n, s, s0 = np.array(counts, float), float(noise), float(spread)
    weights = s0 / (s0 + s / n)
    rows = np.diag(weights) + np.outer(1 - weights, weights / weights.sum())
    cov = rows @ np.diag(s0 + s / n) @ rows.T
    v0 = s0 / weights.sum()
    np.testing.assert_allclose(np.diag(cov), weights * s0 + (1 - weights**2) * v0, rtol=1e-12)
    off = (1 - np.outer(weights, weights)) * v0
    mask = ~np.eye(len(n), dtype=bool)
    np.testing.assert_allclose(cov[mask], off[mask], rtol=1e-12)
    error = np.diag(cov) - 2 * np.diag(rows) * s0 + s0
    means = np.zeros(len(n))
    np.testing.assert_allclose(error, reucb.blup(counts, means, sigma0_sq=s0, sigma_sq=s).mse, rtol=1e-9)
