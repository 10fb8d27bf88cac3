"""Appendices E and F: noise that differs by arm; the posterior, Lemma sec:tau, and the sums over rounds."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, SIGN, SKEW, Law, fitted, outcomes, variance
from tests.theory.harness.search import BANDITS, FRACTIONS, evaluate, near, seen_from
from theory.ledger import Entry, load
from theory.model.arms import s, s0
from theory.model.own_noise import tau_h_sq

# Appendix E: noise that differs by arm, and bounds by the largest noise.

# Appendix E: the core follows the second display, and the first is another number.


@examples(60)
@given(st.lists(st.tuples(st.integers(1, 40), FRACTIONS), min_size=1, max_size=5), FRACTIONS)
def test_core_agrees(pairs: list[tuple[int, Fraction]], spread: Fraction) -> None:
    counts, noise = [c for c, _ in pairs], [e for _, e in pairs]
    fit = reucb.blup(counts, [0.0] * len(pairs), sigma0_sq=float(spread), sigma_sq=[float(e) for e in noise])
    largest = reucb.blup(counts, [0.0] * len(pairs), sigma0_sq=float(spread), sigma_sq=float(max(noise)))
    for k in range(len(pairs)):
        assert near(fit.mse[k], evaluate(tau_h_sq, seen_from(k, counts, noise, spread)))
    assert (fit.mse <= largest.mse * (1 + 1e-14)).all()  # sec:varying/tau-h, up to rounding


def test_first_display_is_another_number(ledger: dict[str, Entry]) -> None:
    shown = ledger["sec:varying/first-display"].finding.counterexample
    assert shown is not None
    fit = reucb.blup(
        [int(c) for c in shown["n"]],
        [0.0, 0.0],
        sigma0_sq=float(Fraction(shown["sigma0_sq"])),
        sigma_sq=[float(Fraction(x)) for x in shown["sigma_k_sq"]],
    )
    assert float(fit.mse[0]) == pytest.approx(float(Fraction(shown["right"])), rel=1e-15)
    assert float(fit.mse[0]) != pytest.approx(float(Fraction(shown["left"])), rel=1e-3)


# Unequal noise with the common mean as printed: its error, by the covariance matrix of the sample means.


def printed_prediction(counts: tuple[int, int], first: Law, second: Law) -> Sides:
    """Error of arm 1's prediction with the common mean as printed, over all outcomes, and the least possible one."""
    noise = [variance(first), variance(second)]
    weights = [c / (c + e) for c, e in zip(counts, noise, strict=True)]  # offsets +-1
    shares = [(1 - w) * c for w, c in zip(weights, counts, strict=True)]
    error = Fraction(0)
    for p, (mu, other, *e) in outcomes(SIGN, SIGN, *[first] * counts[0], *[second] * counts[1]):
        means = mu + Fraction(sum(e[: counts[0]]), counts[0]), other + Fraction(sum(e[counts[0] :]), counts[1])
        common = (shares[0] * means[0] + shares[1] * means[1]) / sum(shares)
        error += p * ((1 - weights[0]) * common + weights[0] * means[0] - mu) ** 2
    return error, fitted(counts, [0, 0], noise, Fraction(1)).mse[0]


UNEQUAL = Family((((1, 1), (1, 2), (2, 1)), LAWS[:3], LAWS[:3]), printed_prediction, ((1, 1), SIGN, SKEW))


ARMS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4)


@examples(40)
@given(ARMS)
def test_printed_prediction_is_no_better_than_the_core(arms: list[tuple[int, int]]) -> None:
    """sec:varying/posterior: the core's error is the second display, and the printed prediction's is not below it."""
    counts, noise = np.array([c for c, _ in arms]), np.array([float(e) for _, e in arms])
    weights = counts / (counts + noise)
    rows = (1 - weights[0]) * (1 - weights) * counts / np.sum((1 - weights) * counts)
    rows[0] += weights[0]  # coefficients of the sample means in the printed prediction of arm 1
    error = rows**2 @ (1 + noise / counts) - 2 * rows[0] + 1
    core = reucb.blup(counts, np.zeros(len(arms)), sigma0_sq=1.0, sigma_sq=noise).mse[0]
    assert core == pytest.approx(1 - weights[0] + (1 - weights[0]) ** 2 / weights.sum(), rel=1e-12)
    assert error >= core * (1 - 1e-12)


# Appendix F: the posterior, Lemma sec:tau, and the sums over rounds.

# The posterior of Lemma sec:mu0Dist, by dense conditioning against the core.


def error_given_the_reward(offsets: Law, noise: Law, reward: int) -> Sides | None:
    """E[(mu-tilde - mu)^2 | r] after one pull with mu_0 = 0, and tilde-tau^2."""
    fit = fitted([1], [reward], [variance(noise)], variance(offsets), Fraction(0))
    cases = [(p, d) for p, (d, e) in outcomes(offsets, noise) if d + e == reward]
    chance = sum((p for p, _ in cases), Fraction(0))
    return None if not cases else (sum(p * (fit.mu[0] - d) ** 2 for p, d in cases) / chance, fit.mse[0])


STUDIED = Family((LAWS, LAWS, (0, 1, -1, 2, -2)), error_given_the_reward, (SIGN, SIGN, 0))
FAMILIES = {"sec:varying/posterior": UNEQUAL, "sec:mu0Dist/studied": STUDIED}

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
    """sec:mu0Dist/law: E r-bar_1 - mu_0 is what the ledger says at unit variances, 10^6 plays.

    A false alarm beyond five standard errors has a chance of 6e-7; a bias off by one part in twenty would be seen.
    """
    rng = np.random.default_rng(20)
    offsets, noise = rng.standard_normal((10**6, 2)), rng.standard_normal((10**6, 3))
    first, second = offsets[:, 0] + noise[:, 0], offsets[:, 1] + noise[:, 1]
    again = offsets[:, 0] + noise[:, 2]
    mean = np.where(first > second, (first + again) / 2, first)
    bias = float(load()["sec:mu0Dist/law"].argument.printed.rel.left.subs({s: 1, s0: 1}))
    assert bias < -0.05
    assert abs(mean.mean() - bias) < 5 * mean.std() / 1e3
