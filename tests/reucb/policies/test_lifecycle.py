"""Warm starts, added and retired arms, pickling, and representations."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest
import scipy.stats

import reucb
from reucb.policies import UCB1, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf
from tests.reucb.policies.catalogue import POLICIES, per_arm

WARM: dict[str, Policy] = {
    "ReUCB": ReUCB(),
    "ReUCB reml": ReUCB(method="reml"),
    "ReUCB*": ReUCB(sigma0_sq=0.04, sigma_sq=0.25),
    "ReTS*": ReTS(sigma0_sq=0.04, sigma_sq=0.25),
    "UCB1": UCB1(0.25),
    "BernoulliTS": BernoulliTS(),
    "GaussianTS": GaussianTS(0.5, 0.04, 0.25),
}


@pytest.mark.parametrize("n_arms", [4, 40])
@pytest.mark.parametrize("policy", WARM.values(), ids=WARM)
def test_a_warm_start_equals_an_agent_with_the_rewards(policy: Policy, n_arms: int) -> None:
    """Sums of 120 rewards in another order: relative roundings of 1e-12 cover them."""
    rng = np.random.default_rng(n_arms)
    arms = np.concatenate([np.arange(n_arms - 1), rng.integers(0, n_arms - 1, 120)])
    rewards = rng.integers(0, 2, arms.size).astype(float) if policy.binary else rng.normal(5.0, 0.5, arms.size)
    agent = policy.start(n_arms, seed=3)
    agent.update(arms, rewards)
    statistics = {"counts": agent.counts, "means": agent.means, "sq_devs": agent.sq_devs}
    statistics["means"][-1] = np.nan  # ignored: the arm has no reward
    warm = policy.start(**statistics, seed=3)
    assert warm.counts.tolist() == agent.counts.tolist()
    np.testing.assert_allclose(warm.means, agent.means, rtol=1e-15)
    np.testing.assert_allclose(warm.sq_devs, agent.sq_devs, rtol=1e-12, atol=1e-15)
    assert warm.select() == agent.select()
    for each in (agent, warm):
        each.update(n_arms - 1, 1.0)
    if isinstance(policy, (ReUCB, ReTS)):
        for name in ("mu0", "sigma0_sq", "sigma_sq", "mu", "mse"):
            np.testing.assert_allclose(getattr(warm.fit(), name), getattr(agent.fit(), name), rtol=1e-9)
    assert warm.select() == agent.select()


def test_squared_deviations_of_each_arm() -> None:
    """Against NumPy's two passes; the variance estimate of the model is that of `variance_components`."""
    rng = np.random.default_rng(0)
    arms, rewards = rng.integers(0, 6, 200), rng.normal(1e3, 2.0, 200)
    agent = ReUCB(method="anova").start(6)
    agent.update(arms, rewards)
    expected = [((rewards[arms == k] - rewards[arms == k].mean()) ** 2).sum() for k in range(6)]
    np.testing.assert_allclose(agent.sq_devs, expected, rtol=1e-10)
    vc = reucb.variance_components(agent.counts, agent.means, agent.sq_devs, method="anova")
    assert agent.fit().sigma_sq == pytest.approx(float(vc.sigma_sq), rel=1e-10)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no arms": ({}, "n_arms = None: must be an integer from 1"),
    "no means": ({"counts": [1]}, "means = None: must be given with counts"),
    "no squares": ({"counts": [2], "means": [1.0]}, r"sq_devs = None: must be given, as ReUCB\(\) estimates variances"),
    "means alone": ({"n_arms": 1, "means": [1.0]}, "means is given without counts"),
    "other number": (
        {"n_arms": 2, "counts": [1], "means": [0.0], "sq_devs": [0.0]},
        r"n_arms = 2: must be the number of entries of counts \(1\)",
    ),
    "fraction": ({"counts": [1.5], "means": [0.0], "sq_devs": [0.0]}, r"counts\[0\] = 1.5"),
    "mean": ({"counts": [1], "means": [np.nan], "sq_devs": [0.0]}, r"means\[0\] = nan: must be a mean of rewards in"),
    "squares of one": ({"counts": [1], "means": [0.0], "sq_devs": [1.0]}, r"sq_devs\[0\] = 1.0: must be 0 where"),
    "negative": ({"counts": [2], "means": [0.0], "sq_devs": [-1.0]}, r"sq_devs\[0\] = -1.0"),
    "too many": ({"counts": [2**53, 2**53], "means": [0.0, 0.0], "sq_devs": [0.0, 0.0]}, r"must be at most 2\*\*53"),
    "shape": ({"counts": [[1]], "means": [[0.0]], "sq_devs": [[0.0]]}, r"counts has shape \(1, 1\)"),
}


@pytest.mark.parametrize(("arguments", "message"), BAD.values(), ids=BAD)
def test_refused_aggregates(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        ReUCB().start(**arguments)
    with pytest.raises(ValueError, match=r"means\[0\] = 0.3: must be a whole number of wins"):
        BernoulliTS().start(counts=[2], means=[0.3])


@pytest.mark.parametrize("policy", WARM.values(), ids=WARM)
def test_added_arms(policy: Policy) -> None:
    """From dense to grouped and beyond: as an agent that had all arms from the start."""
    agent, whole = policy.start(5, seed=1), policy.start(30, seed=1)
    arms = [0, 1, 2, 3, 4, 4, 2]
    for each in (agent, whole):
        each.update(arms, [1.0, 0.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    assert agent.add_arms(15).tolist() == list(range(5, 20))
    agent.add_arms(10)
    assert agent.n_arms == 30
    assert agent.select() == whole.select()
    for each in (agent, whole):
        each.update(range(5, 30), [0.5 if not policy.binary else 1.0] * 25)
    assert agent.counts.tolist() == whole.counts.tolist()
    if policy != BernoulliTS() and not isinstance(policy, GaussianTS):
        assert agent.select() == whole.select()
    assert policy.resume(agent.state()).state() == agent.state()


def test_no_arm_can_be_added_where_each_has_its_noise() -> None:
    agent = per_arm(3).start(3)
    with pytest.raises(ValueError, match="sigma_sq has 3 entries"):
        agent.add_arms(1)
    assert agent.n_arms == 3
    for n, error in ((0, ValueError), (1.5, TypeError)):
        with pytest.raises(error, match=f"n = {n}"):
            UCB1(1).start(2).add_arms(n)


@pytest.mark.parametrize("n_arms", [5, 30])
@pytest.mark.parametrize("policy", WARM.values(), ids=WARM)
def test_retired_arms(policy: Policy, n_arms: int) -> None:
    agent = policy.start(n_arms, seed=0)
    agent.retire([1, 3])
    chosen = []
    for t in range(3 * n_arms):
        chosen.append(agent.select())
        agent.update(chosen[-1], float(t % 2))
    assert set(chosen).isdisjoint({1, 3})
    agent.update(1, 1.0)  # a late reward
    agent = policy.resume(agent.state())
    assert agent.retired.nonzero()[0].tolist() == [1, 3]
    assert set(agent.select(size=10).tolist()).isdisjoint({1, 3})
    assert agent.select(among=[1, 2]) == 2
    agent.add_arms(2)
    agent.retire(range(n_arms + 2))
    for arguments in ({}, {"size": 1}, {"among": [2]}):
        with pytest.raises(ValueError, match="no arm to choose"):
            agent.select(**arguments)


def test_booleans_are_rewards() -> None:
    agent = BernoulliTS().start(2, seed=0)
    agent.update(0, True)
    agent.update(0, np.bool_(False))
    agent.update([1, 1], [True, 0.0])
    agent.update(np.array([1, 1]), np.array([True, True]))
    assert agent.means.tolist() == [0.5, 0.75]


def select_there(agent: reucb.Agent) -> tuple[int, reucb.Agent]:
    return agent.select(), agent


def test_pickles() -> None:
    """A process pool can hold an agent; it continues there bit for bit."""
    agent = ReUCB().start(25, seed=0)
    agent.update(range(25), np.linspace(0, 1, 25))
    agent.select(size=4)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:  # this process has threads
        arm, twin = pool.submit(select_there, agent).result()
    assert arm == agent.select()
    assert twin.state() == agent.state()
    for policy in (*POLICIES.values(), per_arm(3)):
        assert pickle.loads(pickle.dumps(policy)) == policy


def test_a_pickled_result_stays_read_only() -> None:
    bandit = reucb.Bandit(n_arms=3, prior=np.array([0.0, 1.0, 0.5]), rewards=reucb.Gaussian(sigma=1.0))
    result = reucb.simulate(bandit, UCB1(1.0), horizon=20, runs=3)
    twin = pickle.loads(pickle.dumps(result))
    assert twin.digest() == result.digest()
    for name in reucb.Result.ARRAYS:
        assert not getattr(twin, name).flags.writeable
    assert repr(twin) == f"<Result of UCB1: 3 runs of 20 rounds, regret {result.mean[-1]:.6g}>"
    assert pickle.loads(pickle.dumps(bandit)) == bandit


def test_representations_are_one_line() -> None:
    assert repr(ReUCB()) == "ReUCB()"
    assert repr(ReUCB(a=2.0, method="reml", first="index")) == "ReUCB(a=2.0, method='reml', first='index')"
    assert repr(ReUCBInf(sigma_sq=0.25)) == "ReUCBInf(sigma_sq=0.25)"
    agent = per_arm(100).start(100)
    agent.select(size=2)
    assert "\n" not in repr(agent)
    assert len(repr(agent)) < 200
    assert repr(agent).endswith("100 arms, 0 rewards, 2 pending>")
    agent.update(0, 1.0)
    assert repr(agent.fit()) == "<AgentFit of 100 arms: mu0 = 1, sigma0_sq = 0.04, sigma_sq = <100 values>>"


def test_a_played_run_is_run_zero_of_a_simulation() -> None:
    bandit = reucb.Bandit(n_arms=25, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
    result = reucb.simulate(bandit, ReUCB(), horizon=200, runs=2, seed=7, record=[50, 200])
    run = reucb.play(bandit, ReUCB(), 200, seed=7)
    assert run.regret[-1] == result.final[0]
    assert run.arms.shape == run.rewards.shape == (200,)
    agent = ReUCB().start(25)
    for arm, reward in zip(run.arms.tolist(), run.rewards.tolist(), strict=True):
        assert agent.select() == arm
        agent.update(arm, reward)
    assert repr(run).startswith("<Run of 200 rounds: regret ")
    assert not pickle.loads(pickle.dumps(run)).arms.flags.writeable
    with pytest.raises(ValueError, match=r"needs rewards in \[0, 1\]"):
        reucb.play(bandit, BernoulliTS(), 10)


def test_a_policy_that_does_not_fit_the_bandit_is_refused_in_the_call() -> None:
    """Not by a worker: the executor is never asked."""

    class Never(ProcessPoolExecutor):
        def submit(self, *args: Any, **kwargs: Any) -> Any:
            raise AssertionError("asked")

    bandit = reucb.Bandit(n_arms=2, prior=np.zeros(2), rewards=reucb.Gaussian(sigma=1.0))
    with Never(1) as pool:
        for policy, message in ((BernoulliTS(), "needs rewards"), (per_arm(3), r"one per arm \(2\)")):
            with pytest.raises(ValueError, match=message):
                reucb.simulate(bandit, policy, horizon=5, runs=2, executor=pool)
