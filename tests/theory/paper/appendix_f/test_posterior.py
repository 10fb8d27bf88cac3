"""The posterior of Lemma sec:mu0Dist, by dense conditioning against the core."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, SIGN, Law, fitted, outcomes, variance
from tests.theory.harness.search import BANDITS


def error_given_the_reward(offsets: Law, noise: Law, reward: int) -> Sides | None:
    """E[(mu-tilde - mu)^2 | r] after one pull with mu_0 = 0, and tilde-tau^2."""
    fit = fitted([1], [reward], [variance(noise)], variance(offsets), Fraction(0))
    cases = [(p, d) for p, (d, e) in outcomes(offsets, noise) if d + e == reward]
    chance = sum((p for p, _ in cases), Fraction(0))
    return None if not cases else (sum(p * (fit.mu[0] - d) ** 2 for p, d in cases) / chance, fit.mse[0])


STUDIED = Family((LAWS, LAWS, (0, 1, -1, 2, -2)), error_given_the_reward, (SIGN, SIGN, 0))
FAMILIES = {"sec:mu0Dist/studied": STUDIED}

Bandit = tuple[list[int], Fraction, Fraction]


@examples(30)
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
