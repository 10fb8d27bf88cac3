"""Parameters and rewards over all decades: a policy is refused with ValueError, or all it shows is finite.

The number of examples follows the Hypothesis profile (HYPOTHESIS_PROFILE=deep for a long run).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf
from tests.reucb.strategies import fewer, magnitudes

NUMBERS = magnitudes(-330, 308) | st.sampled_from([0.0, 1.0, 5e-324, 1.7e308, -1.0, float("nan"), float("inf")])
REWARDS = st.lists(magnitudes(-310, 145) | magnitudes(-310, 145).map(lambda x: -x) | st.just(0.0), min_size=1)
MAKERS: dict[str, tuple[type[Policy], tuple[str, ...]]] = {
    "ReUCB*": (ReUCB, ("a", "sigma0_sq", "sigma_sq")),
    "ReUCB all known": (ReUCB, ("a", "mu0", "sigma0_sq", "sigma_sq")),
    "ReUCB": (ReUCB, ("a",)),
    "ReTS*": (ReTS, ("sigma0_sq", "sigma_sq")),
    "ReUCBInf": (ReUCBInf, ("sigma_sq", "a")),
    "UCB1": (UCB1, ("sigma_sq",)),
    "GaussianTS": (GaussianTS, ("mu0", "sigma0_sq", "sigma_sq")),
    "KLUCB": (KLUCB, ("c",)),
    "BernoulliTS": (BernoulliTS, ("alpha", "beta")),
    "BayesUCB": (BayesUCB, ("alpha", "beta", "c", "horizon")),
}


def accepted(kind: type[Policy], values: dict[str, Any]) -> Policy | None:
    """The policy, or None if it is refused by an error that says what is allowed."""
    try:
        return kind(**values)
    except ValueError as error:
        if "must be" not in str(error):
            raise
        return None


@pytest.mark.parametrize(("kind", "names"), MAKERS.values(), ids=MAKERS)
@fewer
@given(data=st.data(), rewards=REWARDS)
def test_refused_or_finite(
    kind: type[Policy], names: tuple[str, ...], data: st.DataObject, rewards: list[float]
) -> None:
    values: dict[str, Any] = {name: data.draw(NUMBERS, label=name) for name in names}
    if "horizon" in values:
        values["horizon"] = data.draw(st.integers(3, 10**6))
    policy = accepted(kind, values)
    if policy is None:
        return
    agent = policy.start(3, seed=0)
    for t in range(12):
        arm = agent.select()
        assert 0 <= arm < 3
        reward = rewards[t % len(rewards)]
        agent.update(arm, float(reward > 0) if policy.binary else reward)
    assert set(agent.select(size=3).tolist()) <= {0, 1, 2}
    if not kind.__name__.endswith("TS"):
        assert np.isfinite(agent.indices()).all()
    assert policy.resume(agent.state()).state() == agent.state()
