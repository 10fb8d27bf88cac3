"""Sections 2 to 4: the model, estimates with the mean known and unknown, the algorithm."""

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, Law, outcomes, variance
from tests.theory.harness.search import BANDITS, evaluate, near, seen_from
from theory.model.arms import tau_sq, tau_tilde_sq, w
from theory.paper import section2 as s2_setting

# Section 2 against the ledger's verdicts and against the agent's own counts.


def shrunk(offsets: Law, noise: Law, shrink: Fraction) -> Sides:
    """E(c (d + e) - d)^2 over all outcomes, and the same by the two variances."""
    risk = sum((p * (shrink * (d + e) - d) ** 2 for p, (d, e) in outcomes(offsets, noise)), Fraction(0))
    return risk, shrink**2 * variance(noise) + (1 - shrink) ** 2 * variance(offsets)


def bernoulli(low: Fraction, high: Fraction, shrink: Fraction) -> Sides:
    """Risk of two Bernoulli rewards shrunk towards mu_0, arm mean low or high; and Eq. mse-a with the mean noise."""
    centre, risk = (low + high) / 2, Fraction(0)
    for mean in (low, high):
        for ones, chance in ((0, (1 - mean) ** 2), (1, 2 * mean * (1 - mean)), (2, mean**2)):
            risk += chance / 2 * (centre + shrink * (Fraction(ones, 2) - centre) - mean) ** 2
    spread = (high - low) ** 2 / 4
    return risk, shrink**2 * (centre * (1 - centre) - spread) / 2 + (1 - shrink) ** 2 * spread


SHARES = tuple(Fraction(i, j) for j in range(2, 6) for i in range(j + 1))
FAMILIES = {
    "payoff-M1/second-moments": Family((LAWS, LAWS, SHARES), shrunk),
    "payoff-R/average-noise": Family((SHARES, SHARES, SHARES), bernoulli),
}


@examples(10)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_counts_are_of_earlier_rounds(n_arms: int, seed: int) -> None:
    """Before round t the agent's counts add up to t - 1 (claim sec:setting/counts)."""
    rng = np.random.default_rng(seed)
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=n_arms, seed=0)
    for t in range(1, 12):
        assert agent.counts.sum() == t - 1
        agent.update(agent.select(), float(rng.normal()))


def test_the_printed_count_fails_on_a_play() -> None:
    assert all(rel.left == rel.right for rel in s2_setting._numbered(before=1))
    assert not all(rel.left == rel.right for rel in s2_setting._numbered(before=0))


# Section 3: estimates with the mean known and unknown, against the sample mean.

# Section 3.1: the ledger's formulas are those of reucb.blup with mu0 known.


mu0, r = sp.symbols("mu0 r")


@examples(60)
@given(BANDITS, st.integers(-9, 9), st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_core_agrees_with_the_mean_known(
    bandit: tuple[list[int], Fraction, Fraction], centre: int, means: list[int]
) -> None:
    """w-def, mu-estimator and MSE-term1, number by number."""
    counts, noise, spread = bandit
    fit = reucb.blup(counts, means[: len(counts)], sigma0_sq=float(spread), sigma_sq=float(noise), mu0=centre)
    for k in range(len(counts)):
        at = seen_from(k, counts, [noise], spread) | {"mu0": Fraction(centre), "r": Fraction(means[k])}
        assert near(fit.weights[k], evaluate(w, at))
        assert near(fit.mse[k], evaluate(tau_tilde_sq, at))
        assert near(fit.mu[k], evaluate(mu0 + w * (r - mu0), at), scale=10.0)


def test_an_unpulled_arm() -> None:
    """w-def/unpulled."""
    fit = reucb.blup([0, 3], [float("nan"), 2.0], sigma0_sq=0.5, sigma_sq=2.0, mu0=1.0)
    assert (fit.weights[0], fit.mse[0], fit.mu[0]) == (0.0, 0.5, 1.0)


# The common mean: GLS is never less efficient than the mean of all rewards, and what the core estimates is GLS.


@examples(50)
@given(BANDITS)
def test_variances_of_the_two_means(bandit: tuple[list[int], Fraction, Fraction]) -> None:
    """Var(r0-bar) = sigma_0^2/W; the mean of all rewards has more, and just as much for equal counts."""
    counts, noise, spread = bandit
    n, s, s0 = np.array(counts, float), float(noise), float(spread)
    weights = reucb.blup(counts, np.zeros(len(counts)), sigma0_sq=s0, sigma_sq=s).weights
    direct = s0 + s / n
    gls = np.sum((weights / weights.sum()) ** 2 * direct)
    ols = np.sum((n / n.sum()) ** 2 * direct)
    np.testing.assert_allclose(gls, s0 / weights.sum(), rtol=1e-12)
    assert gls <= ols * (1 + 1e-13)  # room for rounding
    assert (len(set(counts)) == 1) == bool(np.isclose(gls, ols, rtol=1e-13, atol=0))


# Section 3.2: the ledger's formulas are those of reucb.blup with mu0 estimated.


MEANS = st.lists(st.integers(-9, 9), min_size=5, max_size=5)
Bandit = tuple[list[int], Fraction, Fraction]


@examples(60)
@given(BANDITS, MEANS)
def test_core_agrees_with_the_mean_unknown(bandit: Bandit, means: list[int]) -> None:
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


# The Proposition against the ledger's verdict and against the core.


def test_equality_of_the_proposition() -> None:
    """compare-tauANDmab fails with one arm, and while only one arm is pulled."""
    assert reucb.blup([3], [1.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] == 1.0
    assert reucb.blup([3, 0], [1.0, 0.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] == 1.0
    assert reucb.blup([3, 1], [1.0, 0.0], sigma0_sq=1.0, sigma_sq=3.0).mse[0] < 1.0


# The bonus and the choice of an arm, on agents.


def test_the_initial_rounds_follow_the_numbering_whatever_the_indices() -> None:
    """The third arm is pulled in round 3 though the first has the higher index: the initial rounds come first."""
    fit = reucb.blup([1, 1, 0], [4.0, 0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0)
    index = fit.mu + np.sqrt(fit.mse * math.log(3))
    assert index[0] > index[2]
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=3, seed=0)
    for reward in (4.0, 0.0):
        agent.update(agent.select(), reward)
    assert agent.select() == 2


# Section 4: what the ledger says of the algorithm, on agents that play it.


@examples(10)
@given(st.integers(1, 6))
def test_initial_rounds_pull_each_arm_once(n_arms: int) -> None:
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=n_arms, seed=0)
    for arm in range(n_arms):
        assert agent.select() == arm
        agent.update(arm, 1.0)
    assert (agent.counts == 1).all()


def test_nothing_to_estimate_from_in_the_first_round() -> None:
    """alg:arm-ucb/first-round: without a pull the common mean does not exist, and the core says so."""
    with pytest.raises(ValueError, match="mu0"):
        reucb.blup([0, 0], [0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0)


def test_an_unpulled_arm_from_round_two_on() -> None:
    """alg:arm-ucb/repaired: it is predicted by the common mean, with width sigma_0^2 + sigma_0^2/W."""
    fit = reucb.blup([1, 0], [2.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0)
    assert fit.mu[1] == fit.mu0 == 2.0
    assert fit.mse[1] == 1.0 + 2.0


# Estimates that are 0: what the agent does there.


def test_equal_rewards_are_accepted() -> None:
    """alg:arm-ucb/estimated-variances: both estimates are 0 and every prediction is the common reward."""
    agent = reucb.ReUCB(method="moments").start(n_arms=3, seed=0)
    for _ in range(12):
        agent.update(agent.select(), 1.0)
    assert agent.rounds == 12


def test_no_noise_seen_is_greedy() -> None:
    """alg:arm-ucb/no-noise-seen/repaired: rewards 1, 1 and 0, 0 give the sample means as indices, without a bonus."""
    vc = reucb.variance_components([2, 2], [1.0, 0.0], [0.0, 0.0], method="moments")
    assert (vc.sigma_sq, vc.sigma0_sq) == (0.0, 0.5)
    fit = reucb.blup([2, 2], [1.0, 0.0], sigma0_sq=vc.sigma0_sq, sigma_sq=vc.sigma_sq)
    np.testing.assert_array_equal(fit.mu, [1.0, 0.0])
    np.testing.assert_array_equal(fit.mse, [0.0, 0.0])
    agent = reucb.ReUCB(method="moments").start(n_arms=2, seed=0)
    agent.update([0, 0, 1, 1], [1.0, 1.0, 0.0, 0.0])
    np.testing.assert_array_equal(agent.indices(), [1.0, 0.0])


# Related designs: the limits of ReUCB on agents that play them.


@examples(20)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.lists(st.integers(-5, 5), min_size=4, max_size=4))
def test_ucb1_is_reucb_with_eight_and_unit_weights(counts: list[int], rewards: list[int]) -> None:
    """fig:Gaussian-Others/caption: UCB1 has the indices of a = 8, higher than those of a = 1."""
    arms = np.repeat(np.arange(len(counts)), counts)
    given_rewards = np.take(np.array(rewards, float), arms)
    ucb1, eight, unit = (
        p.start(n_arms=len(counts), seed=0)
        for p in (reucb.UCB1(sigma_sq=0.5), reucb.ReUCBInf(sigma_sq=0.5, a=8.0), reucb.ReUCBInf(sigma_sq=0.5, a=1.0))
    )
    for agent in (ucb1, eight, unit):
        agent.update(arms, given_rewards)
    np.testing.assert_allclose(ucb1.indices(), eight.indices(), rtol=1e-14, atol=1e-14)
    assert (ucb1.indices() > unit.indices()).all()
