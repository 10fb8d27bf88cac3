"""The bonus and the choice of an arm, on agents."""

import math

import numpy as np

import reucb


def test_the_initial_rounds_follow_the_numbering_whatever_the_indices() -> None:
    """The third arm is pulled in round 3 though the first has the higher index: the initial rounds come first."""
    fit = reucb.blup([1, 1, 0], [4.0, 0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0)
    index = fit.mu + np.sqrt(fit.mse * math.log(3))
    assert index[0] > index[2]
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=3, seed=0)
    for reward in (4.0, 0.0):
        agent.update(agent.select(), reward)
    assert agent.select() == 2
