"""Related designs: the limits of ReUCB on agents that play them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples


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
