"""Every policy passes the shared test; a wrong index does not."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import scipy.stats

from reucb._engine import codes
from reucb._engine.codes import Rule
from reucb.bandit import Bandit
from reucb.policies import UCB1, Policy
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian
from tests.reucb.policies.catalogue import BERNOULLI, GAUSSIAN, POLICIES, conforms, per_arm

ARMS = {"one arm": 1, "dense": 5, "grouped": 64}


@pytest.mark.parametrize("n_arms", ARMS.values(), ids=ARMS)
@pytest.mark.parametrize("policy", GAUSSIAN.values(), ids=GAUSSIAN)
def test_gaussian_rewards(policy: Policy, n_arms: int) -> None:
    conforms(policy, Bandit(n_arms, scipy.stats.norm(0.5, 0.2), Gaussian(0.5)), horizon=200, seed=n_arms)


@pytest.mark.parametrize("n_arms", ARMS.values(), ids=ARMS)
@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_bernoulli_rewards_with_their_many_ties(policy: Policy, n_arms: int) -> None:
    conforms(policy, Bandit(n_arms, scipy.stats.uniform(0.1, 0.8), Bernoulli()), horizon=200, seed=n_arms)


@pytest.mark.parametrize("policy", BERNOULLI.values(), ids=BERNOULLI)
def test_rewards_between_zero_and_one_are_rounded(policy: Policy) -> None:
    conforms(policy, Bandit(20, scipy.stats.norm(0.5, 0.2), ClippedGaussian(0.3)), horizon=200, seed=3)


@pytest.mark.parametrize("n_arms", [3, 40])
def test_noise_of_each_arm(n_arms: int) -> None:
    policy = per_arm(n_arms)
    bandit = Bandit(n_arms, scipy.stats.norm(0.5, 0.2), Gaussian([v**0.5 for v in policy.sigma_sq]))
    conforms(policy, bandit, horizon=200, seed=1)


@dataclass(frozen=True)
class Overconfident(Policy):
    """UCB1 with seven in the place of eight: the negative control."""

    def rule(self, n_arms: int) -> Rule:
        return Rule(codes.LINEAR, scale=7.0, sigma_sq=0.25, noise=(0.25,))

    def describe(self) -> dict[str, object]:  # described as UCB1, whose saved states it uses
        return UCB1(0.25).describe()

    def resume(self, state: object) -> object:
        agent = UCB1(0.25).resume(state)
        agent._state.params[codes.SCALE] = 7.0
        return agent


@pytest.mark.parametrize("n_arms", [5, 40])
def test_a_wrong_index_fails(n_arms: int) -> None:
    bandit = Bandit(n_arms, scipy.stats.norm(0.5, 0.2), Gaussian(0.5))
    conforms(UCB1(0.25), bandit, horizon=200, seed=0)
    with pytest.raises(AssertionError):
        conforms(Overconfident(), bandit, horizon=200, seed=0, claims=UCB1(0.25))
