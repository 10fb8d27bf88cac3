"""Blocks of runs: edges, independence of the blocking, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from reucb._engine.runs import play_run, run_block
from reucb.bandit import Bandit
from reucb.policies import Policy, ReUCB
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian
from tests.reucb.policies.catalogue import BERNOULLI, POLICIES

SOME = {name: POLICIES[name] for name in ("ReUCB", "ReUCB*", "UCB1", "BernoulliTS", "KLUCB Bernoulli")}
COIN = Bandit(20, scipy.stats.uniform(0.2, 0.3), Bernoulli())


def marks(*rounds: int) -> np.ndarray:
    return np.array(rounds, dtype=np.int64)


@pytest.mark.parametrize("policy", SOME.values(), ids=SOME)
def test_a_run_depends_on_seed_and_number_alone(policy: Policy) -> None:
    whole = run_block(COIN, policy, 90, marks(1, 50, 90), 7, 0, 6)
    parts = [run_block(COIN, policy, 90, marks(1, 50, 90), 7, first, 2) for first in (4, 0, 2)]
    assert np.array_equal(whole, np.concatenate([parts[1], parts[2], parts[0]]))
    assert len(np.unique(whole[:, -1])) == 6
    assert (np.diff(whole) >= 0).all()


@pytest.mark.parametrize("policy", SOME.values(), ids=SOME)
@pytest.mark.parametrize(("n_arms", "horizon"), [(20, 5), (20, 20), (20, 21), (1, 30), (2, 1)])
def test_short_horizons_and_one_arm(policy: Policy, n_arms: int, horizon: int) -> None:
    bandit = Bandit(n_arms, scipy.stats.uniform(0.2, 0.3), Bernoulli())
    out = run_block(bandit, policy, horizon, marks(horizon), 0, 0, 3)
    assert out.shape == (3, 1)
    assert (out >= 0).all()
    assert n_arms > 1 or (out == 0).all()


def test_no_runs_and_no_marks() -> None:
    assert run_block(COIN, ReUCB(), 10, marks(10), 0, 0, 0).shape == (0, 1)
    assert run_block(COIN, ReUCB(), 10, marks(), 0, 0, 2).shape == (2, 0)


def test_regret_of_the_first_round_robin() -> None:
    """Each arm once in order: the regret is a partial sum of gaps."""
    mu = np.linspace(0, 1, 20)
    out = run_block(Bandit(20, mu, Gaussian(1.0)), ReUCB(), 20, marks(1, 7, 20), 0, 0, 1)
    np.testing.assert_allclose(out[0], np.cumsum(1 - mu)[[0, 6, 19]], rtol=1e-14)


def test_regret_counts_the_true_mean_of_a_clipped_law() -> None:
    mu = np.array([0.5, 3.0])
    law = ClippedGaussian(0.2)
    out = run_block(Bandit(2, mu, law), ReUCB(), 1, marks(1), 0, 0, 1)
    assert out[0, 0] == pytest.approx(law.mean(mu)[1] - law.mean(mu)[0])
    assert out[0, 0] < 0.6


@pytest.mark.parametrize("policy", BERNOULLI.values(), ids=BERNOULLI)
def test_rewards_a_policy_cannot_take(policy: Policy) -> None:
    with pytest.raises(ValueError, match=r"needs rewards in \[0, 1\]"):
        run_block(Bandit(3, np.full(3, 0.5), Gaussian(0.1)), policy, 5, marks(5), 0, 0, 1)


@pytest.mark.parametrize(
    "policy", [ReUCB(), ReUCB(method="anova"), ReUCB(method="reml"), ReUCB(sigma0_sq=1e290, sigma_sq=1e290)]
)
def test_rewards_of_any_size(policy: ReUCB) -> None:
    """Rewards near 1e144 give the choices of rewards near 1: the rule is equivariant (the factor is a power of 2)."""
    factor = 2.0**480
    mu = np.random.default_rng(0).normal(1, 0.2, 30)
    small = policy if policy.sigma0_sq is None else ReUCB(sigma0_sq=1e290 / factor**2, sigma_sq=1e290 / factor**2)
    left = run_block(Bandit(30, mu, Gaussian(0.5)), small, 400, marks(100, 400), 0, 0, 2)
    right = run_block(Bandit(30, mu * factor, Gaussian(0.5 * factor)), policy, 400, marks(100, 400), 0, 0, 2)
    np.testing.assert_allclose(right / factor, left, rtol=1e-12)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_a_run_leaves_nothing_to_the_next(policy: Policy) -> None:
    """The runs of a block share one state: each is what it is alone."""
    block = run_block(COIN, policy, 60, marks(30, 60), 1, 3, 3)
    alone = np.zeros((3, 2))
    for i in range(3):
        play_run(COIN, policy, 60, marks(30, 60), 1, 3 + i, alone[i], np.zeros(0, dtype=np.int64))
    assert np.array_equal(block, alone)
