"""Section 4: the index, initial rounds, estimated variances, related algorithms."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples

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


def test_equal_rewards_are_no_trouble() -> None:
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
