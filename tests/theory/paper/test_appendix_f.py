"""Appendix F: the posterior, Lemma sec:tau, and the sums over rounds."""

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, SIGN, Law, fitted, outcomes, variance
from tests.theory.harness.search import BANDITS

# The posterior of Lemma sec:mu0Dist, by dense conditioning against the core.


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


# Appendix F: the bound of Lemma sec:tau and the posterior of Lemma sec:mu0Dist, on the core.


@examples(80)
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


# Appendix F at the rounds of ReUCB: the claims stand as recorded, and the mean of a sample mean is what is said.


def test_a_followed_up_reward_is_too_low_on_average() -> None:
    """sec:mu0Dist/law: E r-bar_1 - mu_0 = -1/(4 sqrt(2 pi)) at unit variances, 10^6 plays; a false alarm beyond five
    standard errors has a chance of 6e-7, and the test sees a bias off by one part in twenty."""
    rng = np.random.default_rng(20)
    offsets, noise = rng.standard_normal((10**6, 2)), rng.standard_normal((10**6, 3))
    first, second = offsets[:, 0] + noise[:, 0], offsets[:, 1] + noise[:, 1]
    again = offsets[:, 0] + noise[:, 2]
    mean = np.where(first > second, (first + again) / 2, first)
    assert abs(mean.mean() + 1 / (4 * math.sqrt(2 * math.pi))) < 5 * mean.std() / 1e3
