"""Estimates that are 0: what the agent does there."""

import numpy as np

import reucb


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
