"""Appendix A: the GLS mean against dense linear algebra on all rewards."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS


@examples(30)
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
