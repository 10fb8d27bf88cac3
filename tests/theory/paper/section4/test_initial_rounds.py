"""Section 4: what the ledger says of the algorithm, on agents that play it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples


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
