"""Section 4: what the ledger says of the algorithm, on agents that play it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import facing

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s4_algorithm")


@settings(max_examples=10)
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


def test_equal_rewards_are_no_trouble() -> None:
    """alg:arm-ucb/estimated-variances: both estimates are 0 and every prediction is the common reward."""
    agent = reucb.ReUCB(method="moments").start(n_arms=3, seed=0)
    for _ in range(12):
        agent.update(agent.select(), 1.0)
    assert agent.rounds == 12


@settings(max_examples=20)
@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.lists(st.integers(-5, 5), min_size=4, max_size=4))
def test_ucb1_is_reucb_with_eight_and_unit_weights(counts: list[int], rewards: list[int]) -> None:
    """sec:algorithm/reduces-to-ucb1/repaired: UCB1 has the indices of a = 8, higher than those of a = 1."""
    arms = np.repeat(np.arange(len(counts)), counts)
    given_rewards = np.take(np.array(rewards, float), arms)
    ucb1, eight, unit = (p.start(n_arms=len(counts), seed=0) for p in (
        reucb.UCB1(sigma_sq=0.5), reucb.ReUCBInf(sigma_sq=0.5, a=8.0), reucb.ReUCBInf(sigma_sq=0.5, a=1.0)))
    for agent in (ucb1, eight, unit):
        agent.update(arms, given_rewards)
    np.testing.assert_allclose(ucb1.indices(), eight.indices(), rtol=1e-14, atol=1e-14)
    assert (ucb1.indices() > unit.indices()).all()
