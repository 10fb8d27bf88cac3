"""Appendix F: the bound of Lemma sec:tau and the posterior of Lemma sec:mu0Dist, on the core."""

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import BANDITS, facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.f_lemmas")

Bandit = tuple[list[int], Fraction, Fraction]


@settings(max_examples=80)
@given(BANDITS)
def test_bounds_hold_for_the_core(bandit: Bandit) -> None:
    """sec:tau, sec:tau/sharp and sec:lemma/range, with room for rounding only."""
    counts, noise, spread = bandit
    n, s, s0, arms = np.array(counts, float), float(noise), float(spread), len(counts)
    mse = reucb.blup(counts, np.zeros(arms), sigma0_sq=s0, sigma_sq=s).mse
    known, w, rho = s0 * s / (n * s0 + s), n * s0 / (n * s0 + s), s / s0
    sharp = known * (1 + (1 - w) / (w + (arms - 1) / (1 + rho)))
    room = 1 + 1e-13
    assert (mse <= sharp * room).all()
    assert (sharp <= known * (1 + rho / arms) * room).all()
    assert (mse * room >= known * (1 + (1 - w) / arms)).all()


def test_an_unpulled_arm_breaks_the_printed_bound() -> None:
    """K = 2, n = (1, 0), both variances 1: 1 against 3/4 (claim sec:tau/unpulled-arm)."""
    assert reucb.blup([1, 0], [0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0).mse[0] == 1.0


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
