"""The compiled ml and reml, and moments and anova from running sums, against the estimators of `reucb.variance`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reucb.policies import ReUCB
from reucb.variance import METHODS, variance_components


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30)
@given(
    n_arms=st.sampled_from([2, 3, 9, 30]),
    spread=st.floats(-3, 3),
    offset=st.sampled_from([0.0, 1e6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_variances_of_an_agent(method: str, n_arms: int, spread: float, offset: float, seed: int) -> None:
    """Deviations from a reward near 1e6 carry an error of 1e-10, hence the tolerance."""
    rng = np.random.default_rng(seed)
    arms = rng.permutation(np.repeat(np.arange(n_arms), rng.integers(1, 7, n_arms) + (np.arange(n_arms) == 0)))
    rewards = offset + rng.normal(0, 10.0**spread, n_arms)[arms] + rng.normal(size=arms.size)
    agent = ReUCB(method=method).start(n_arms)
    agent.update(arms, rewards)
    own = [rewards[arms == k] for k in range(n_arms)]
    expected = variance_components(
        [len(r) for r in own],
        [r.mean() for r in own],
        [((r - r.mean()) ** 2).sum() if len(r) > 1 else 0.0 for r in own],
        method=method,
    )
    fit = agent.fit()
    tolerance = 1e-7 if offset else 1e-9
    assert fit.sigma_sq == pytest.approx(expected.sigma_sq, rel=tolerance)
    assert fit.sigma0_sq == pytest.approx(
        max(expected.sigma0_sq, expected.sigma_sq / arms.size), rel=tolerance, abs=tolerance * expected.sigma_sq
    )
