"""The posterior of Lemma sec:mu0Dist, by dense conditioning against the core."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import BANDITS, facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.f_posterior")

Bandit = tuple[list[int], Fraction, Fraction]


@settings(max_examples=30)
@given(BANDITS, st.integers(0, 2**32 - 1))
def test_flat_prior_posterior_by_conditioning(bandit: Bandit, seed: int) -> None:
    """mu_k given the sample means under mu_0 ~ N(0, lambda), by dense conditioning; a large lambda is nearly flat."""
    counts, noise, spread = bandit
    n, s, s0, arms, lam = np.array(counts, float), float(noise), float(spread), len(counts), 1e6
    means = np.random.default_rng(seed).normal(size=arms)
    prior = lam + s0 * np.eye(arms)
    gain = np.linalg.solve(prior + np.diag(s / n), prior).T
    fit = reucb.blup(counts, means, sigma0_sq=s0, sigma_sq=s)
    # the rate of convergence is (V0/lambda), V0 <= (s0 + s) <= 18; conditioning loses about lambda * eps
    np.testing.assert_allclose(gain @ means, fit.mu, atol=1e-4)
    np.testing.assert_allclose(np.diag(prior - gain @ prior), fit.mse, atol=1e-3)
