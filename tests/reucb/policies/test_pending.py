"""Pending pulls count in the widths and leave the predicted means alone; batches, choices among some arms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB
from tests.hypothesis_examples import examples
from tests.reucb.policies.catalogue import per_arm

KNOWN = ReUCB(sigma0_sq=0.04, sigma_sq=0.25)
INDEXED: dict[str, Policy] = {
    "ReUCB": ReUCB(),
    "ReUCB*": KNOWN,
    "ReUCB* first by index": ReUCB(sigma0_sq=0.04, sigma_sq=0.25, first="index"),
    "ReUCB per arm": per_arm(25),
    "all known": ReUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "UCB1": UCB1(0.25),
    "KLUCB": KLUCB(),
    "BayesUCB": BayesUCB(),
}
SAMPLED: dict[str, Policy] = {
    "GaussianTS": GaussianTS(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "BernoulliTS": BernoulliTS(),
    "ReTS*": ReTS(sigma0_sq=0.04, sigma_sq=0.25),
}
ALL = INDEXED | SAMPLED


def trained(policy: Policy, n_arms: int, rounds: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    arms = np.concatenate([np.arange(n_arms), rng.integers(0, n_arms, rounds - n_arms)])
    agent = policy.start(n_arms, seed=1)
    agent.update(arms, rng.integers(0, 2, rounds).astype(float) if policy.binary else rng.normal(0.5, 0.5, rounds))
    return agent


@pytest.mark.parametrize("n_arms", [5, 30])
def test_a_pending_pull_is_the_predicted_mean_as_a_reward(n_arms: int) -> None:
    """With known variances, entering mu-hat as the reward changes no mu-hat, and gives the widths of pending pulls.

    Both sides are sums of at most 60 terms of size about 1, so 1e-12 is far above their roundings.
    """
    agent = trained(KNOWN, n_arms, 60)
    twin = KNOWN.resume(agent.state())
    for arm in agent.select(size=25).tolist():
        before = twin.fit()
        twin.update(arm, float(before.mu[arm]))
        np.testing.assert_allclose(twin.fit().mu, before.mu, rtol=1e-12)
    np.testing.assert_allclose(agent.indices(), twin.indices(), rtol=1e-12)
    np.testing.assert_allclose(agent.fit().mu, twin.fit().mu, rtol=1e-12)
    expected = reucb.blup(agent.counts + agent.pending, twin.means, sigma0_sq=0.04, sigma_sq=0.25)
    widths = (agent.indices() - agent.fit().mu) ** 2 / np.log(60 + 25 + 1)
    np.testing.assert_allclose(widths, expected.mse, rtol=1e-9)


@pytest.mark.parametrize("n_arms", [5, 25])
@pytest.mark.parametrize("policy", INDEXED.values(), ids=INDEXED)
def test_a_batch_is_one_choice_after_another(policy: Policy, n_arms: int) -> None:
    """Each pull has the highest index given the pulls before it; indices are computed a second time, densely."""
    if policy == per_arm(25) and n_arms != 25:
        policy = per_arm(n_arms)
    agent = trained(policy, n_arms, 3 * n_arms)
    twin = policy.resume(agent.state())
    for arm in agent.select(size=2 * n_arms).tolist():
        index = twin.indices()
        assert index[arm] >= index.max() - 1e-11
        assert twin.select() == arm
        assert twin.select(among=np.ones(n_arms, dtype=bool)) == arm
        assert twin.select(size=1).tolist() == [arm]
    assert twin.state() == agent.state()


@pytest.mark.parametrize("policy", ALL.values(), ids=ALL)
def test_pending_pulls_are_answered_in_any_order_or_forgotten(policy: Policy) -> None:
    """What is left is what an agent has that saw the same rewards and never had pending pulls."""
    agent = trained(policy, 25, 40)
    plain = policy.resume(agent.state())
    batch = agent.select(size=12, distinct=True)
    assert len(set(batch.tolist())) == 12
    assert agent.pending.sum() == 12
    order = batch[::-1]
    agent.update(order[:6], np.ones(6))
    agent.forget(order[6:])
    assert not agent.pending.any()
    plain.update(order[:6], np.ones(6))
    assert agent.counts.tolist() == plain.counts.tolist()
    assert agent.means.tolist() == plain.means.tolist()
    if not isinstance(policy, (GaussianTS, BernoulliTS, ReTS)):
        np.testing.assert_allclose(agent.indices(), plain.indices(), rtol=1e-12)
        assert agent.select() == plain.select()


@pytest.mark.parametrize("policy", ALL.values(), ids=ALL)
@pytest.mark.parametrize("rewarded", [0, 3])
def test_first_pulls_pending(policy: Policy, rewarded: int) -> None:
    """More pulls than arms before any reward: every policy still selects and spreads pulls over the others."""
    agent = policy.start(25, seed=0)
    agent.update(range(rewarded), [1.0, 0.0, 1.0][:rewarded])
    batch = agent.select(size=60)
    if not isinstance(policy, (GaussianTS, BernoulliTS, ReTS)) and getattr(policy, "first", "each") == "each":
        assert batch[: 25 - rewarded].tolist() == list(range(rewarded, 25))
    if policy == UCB1(0.25):
        assert set(batch[25 - rewarded :].tolist()) == ({0, 1, 2} if rewarded else set(range(25)))
    agent.forget()
    twin = policy.resume(agent.state())
    assert twin.select() == agent.select()


@pytest.mark.parametrize("policy", ALL.values(), ids=ALL)
def test_among(policy: Policy) -> None:
    agent = trained(policy, 25, 40)
    before = agent.state()
    mask = np.zeros(25, dtype=bool)
    mask[[3, 7, 19]] = True
    if policy not in SAMPLED.values():
        best = max((3, 7, 19), key=lambda arm: agent.indices()[arm])
        assert agent.select(among=mask) == agent.select(among=[19, 3, 7, 7]) == best
        assert agent.state() == before
    assert set(agent.select(size=9, among=mask).tolist()) <= {3, 7, 19}
    assert sorted(agent.select(size=3, among=mask, distinct=True).tolist()) == [3, 7, 19]


def test_among_arms_never_pulled() -> None:
    agent = ReUCB().start(30)
    agent.update([0, 1, 2], [1.0, 2.0, 3.0])
    assert agent.select(among=[2, 8, 5]) == 5
    assert agent.select(size=3, among=[2, 8, 5]).tolist() == [5, 8, 2]


BAD: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "size": ({"size": -1}, ValueError, "size = -1: must be an integer from 0"),
    "size a float": ({"size": 2.0}, TypeError, "size = 2.0"),
    "mask": ({"among": [True, False]}, ValueError, r"among has shape \(2,\): a mask must have shape \(5,\)"),
    "no arm": ({"among": [False] * 5}, ValueError, "no arm to choose: among allows none"),
    "arm": ({"among": [5]}, ValueError, r"among\[0\] = 5.0: must be whole numbers from 0 to 4"),
    "matrix": ({"among": [[1]]}, ValueError, "must be a mask of the arms, or a list of arms"),
    "distinct": ({"size": 6, "distinct": True}, ValueError, "size = 6: must be at most the 5 arms"),
    "distinct among": ({"size": 3, "among": [1, 2], "distinct": True}, ValueError, "must be at most the 2 arms"),
    "distinct a number": ({"size": 1, "distinct": 1}, TypeError, "distinct = 1"),
}


@pytest.mark.parametrize(("arguments", "error", "message"), BAD.values(), ids=BAD)
def test_refused_and_unchanged(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    agent = trained(KNOWN, 5, 10)
    before = agent.state()
    with pytest.raises(error, match=message):
        agent.select(**arguments)
    assert agent.state() == before


def test_forget_refuses_what_is_not_pending() -> None:
    agent = UCB1(0.25).start(3)
    agent.select(size=3)
    for arms, message in (([0, 0], "arm 0 2 times: must be at most its 1 pending"), (3, "arms = 3.0"), ([0.5], "arms")):
        with pytest.raises(ValueError, match=message):
            agent.forget(arms)
    assert agent.pending.tolist() == [1, 1, 1]
    agent.forget(1)
    agent.forget()
    assert not agent.pending.any()


MOVES = st.lists(
    st.tuples(st.sampled_from(["select", "among", "distinct", "update", "forget", "retire"]), st.integers(0, 10**6)),
    max_size=40,
)


@pytest.mark.parametrize("policy", [ReUCB(), ReUCB(first="index")], ids=["each", "index"])
@examples(25)
@given(n_arms=st.sampled_from([3, 22]), moves=MOVES)
def test_any_order_of_calls(policy: ReUCB, n_arms: int, moves: list[tuple[str, int]]) -> None:
    """The state always equals one that is built from its counts, means and pending pulls alone, choice by choice."""
    agent = policy.start(n_arms)
    for move, number in moves:
        rng = np.random.default_rng(number)
        if move == "retire" and agent.retired.sum() < n_arms - 2:
            agent.retire(number % n_arms)
        elif move == "update":
            agent.update(number % n_arms, float(rng.normal()))
        elif move == "forget":
            agent.forget(np.flatnonzero(agent.pending)[:2])
        elif move == "among":
            mask = rng.random(n_arms) < 0.5
            if (mask & ~agent.retired).any():
                chosen = agent.select(size=2, among=mask)
                assert mask[chosen].all()
                assert not agent.retired[chosen].any()
        elif move != "retire":
            chosen = agent.select(size=2, distinct=move == "distinct")
            assert not agent.retired[chosen].any()
        twin = policy.resume(agent.state())
        assert twin.select() == agent.select()
        assert twin.state() == agent.state()
        allowed, index = ~agent.retired, agent.indices()
        if agent.rounds and not np.isnan(index).any():
            assert index[agent.select()] >= index[allowed].max() - 1e-9 * max(1.0, abs(index[allowed].max()))
