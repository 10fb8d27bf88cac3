"""Appendix A: the GLS mean against dense linear algebra on all rewards."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import BANDITS, facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.a_gls")


@settings(max_examples=30)
@given(BANDITS, st.integers(0, 2**32 - 1))
def test_core_solves_the_dense_problem(bandit: tuple[list[int], Fraction, Fraction], seed: int) -> None:
    """The minimiser of the printed loss, by the inverse of the whole covariance matrix."""
    counts, noise, spread = bandit
    owner = np.repeat(np.arange(len(counts)), counts)
    rewards = np.random.default_rng(seed).normal(size=owner.size)
    covariance = float(spread) * (owner[:, None] == owner) + float(noise) * np.eye(owner.size)
    weights = np.linalg.solve(covariance, np.ones(owner.size))
    means = np.bincount(owner, rewards) / counts
    fit = reucb.blup(counts, means, sigma0_sq=float(spread), sigma_sq=float(noise))
    np.testing.assert_allclose(fit.mu0, weights @ rewards / weights.sum(), rtol=1e-9, atol=1e-10)


@settings(max_examples=30)
@given(st.integers(-4, 4), st.integers(1, 5))
def test_the_loss_falls_towards_the_data(mean: int, count: int) -> None:
    """The sign of the derivative (claim sec:r0-estimator/derivative), by exact differences of the printed loss."""
    weight = Fraction(count, count + 1)  # both variances 1

    def loss(mu0: Fraction) -> Fraction:
        return count * (mean - mu0) ** 2 * (1 - weight)

    below, step = Fraction(mean - 1), Fraction(1, 100)
    assert loss(below + step) < loss(below)
    assert 2 * (1 - weight) * count * (mean - below) > 0  # what is printed is positive where the loss falls
