"""Every policy passes the shared test, a wrong index does not; parameters and rewards at their limits."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import scipy.stats

from reucb._engine import codes
from reucb._engine.codes import Rule
from reucb.bandit import Bandit
from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReUCB, ReUCBInf
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


REFUSED: dict[str, tuple[Callable[[], Policy], str]] = {
    "GaussianTS sigma0_sq": (lambda: GaussianTS(0, 1e308, 1), r"sigma0_sq = 1e\+308: must be a number from 1e-290 to"),
    "GaussianTS subnormal": (lambda: GaussianTS(0, 5e-324, 5e-324), "sigma0_sq = 5e-324: must be a number from 1e-290"),
    "GaussianTS mu0": (lambda: GaussianTS(1e308, 1, 1), r"mu0 = 1e\+308: must be a number from -1e\+145 to 1e\+145"),
    "ReUCB subnormal": (lambda: ReUCB(sigma0_sq=5e-324, sigma_sq=5e-324), "sigma0_sq = 5e-324: must be 0, or a number"),
    "ReUCB per arm": (
        lambda: ReUCB(sigma0_sq=1e-10, sigma_sq=(0.0, 1e300, 1.0)),
        r"sigma_sq\[1\] = 1e\+300: must be 0, or a number from 1e-290 to 1e\+290",
    ),
    "ReUCB ratio": (
        lambda: ReUCB(sigma0_sq=1e-10, sigma_sq=(0.0, 1e150, 1.0)),
        "must be at least 1e-140 times the largest one",
    ),
    "ReUCB a": (lambda: ReUCB(a=1.7e308), r"a = 1.7e\+308: must be a number from 1e-300 to 1e\+300"),
    "ReUCBInf a": (lambda: ReUCBInf(a=1.7e308, sigma_sq=0), r"a = 1.7e\+308: must be a number from 1e-300"),
    "UCB1": (lambda: UCB1(sigma_sq=1e308), r"sigma_sq = 1e\+308: must be 0, or a number from"),
    "KLUCB rate": (lambda: KLUCB(c=1e308), r"c = 1e\+308: must be a number from 0 to 1e\+09"),
    "KLUCB": (lambda: KLUCB(sigma_sq=1e-320), r"sigma_sq = 1e-320: must be a number from"),
    "BernoulliTS": (lambda: BernoulliTS(1e308, 1e308), r"alpha = 1e\+308: must be a number from 1e-300 to 1e\+300"),
    "BayesUCB prior": (lambda: BayesUCB(alpha=1e308), r"alpha = 1e\+308: must be a number from 1e-06 to 1e\+09"),
    "BayesUCB rate": (lambda: BayesUCB(c=1e6, horizon=3), r"c = 1000000.0: must be at most 6379\.\d+ for horizon = 3"),
    "BayesUCB horizon": (lambda: BayesUCB(c=1, horizon=10**400), r"horizon = 1000\d+...: must be an integer from 3 to"),
}


@pytest.mark.parametrize(("make", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_with_the_allowed_range(make: Callable[[], Policy], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


ENDS = {
    "GaussianTS wide": GaussianTS(mu0=1e145, sigma0_sq=1e290, sigma_sq=1e290),
    "GaussianTS narrow": GaussianTS(mu0=0.0, sigma0_sq=1e-290, sigma_sq=1e-290),
    "GaussianTS mixed": GaussianTS(mu0=0.0, sigma0_sq=1e-290, sigma_sq=1e290),
    "ReUCB a": ReUCB(a=1e300, sigma0_sq=1e290, sigma_sq=1e290),
    "ReUCB small a": ReUCB(a=1e-300),
    "ReUCB mixed": ReUCB(sigma0_sq=1e-290, sigma_sq=1e290),
    "ReUCB mixed the other way": ReUCB(sigma0_sq=1e290, sigma_sq=1e-290),
    "ReUCB per arm": ReUCB(sigma0_sq=1e-10, sigma_sq=(0.0, 1e129, 1.0)),
    "ReUCB per arm, no effects": ReUCB(sigma0_sq=0.0, sigma_sq=(1e-10, 1e129, 1.0)),
    "ReUCBInf": ReUCBInf(a=1e300, sigma_sq=0.0),
    "UCB1": UCB1(sigma_sq=1e290),
    "BayesUCB": BayesUCB(mu0=0.0, sigma0_sq=1e290, sigma_sq=1e-290, c=6000.0, horizon=3),
    "BayesUCB wide": BayesUCB(alpha=1e9, beta=1e-6),
    "BayesUCB narrow": BayesUCB(alpha=1e-6, beta=1e-6, c=6000.0, horizon=3),
    "KLUCB": KLUCB(sigma_sq=1e290, c=1e9),
    "KLUCB Bernoulli": KLUCB(c=1e9),
    "BernoulliTS wide": BernoulliTS(1e300, 1e300),
    "BernoulliTS narrow": BernoulliTS(1e-300, 1e-300),
}


@pytest.mark.parametrize("policy", ENDS.values(), ids=ENDS)
def test_choices_at_the_ends_of_what_is_allowed(policy: Policy) -> None:
    """Indices are finite, and no choice leaves the arms."""
    agent = policy.start(3, seed=0)
    rewards = [0.0, 1.0] if policy.binary else [1e145, -1e145, 0.0, 1e-300]
    for t in range(40):
        arm = agent.select()
        assert 0 <= arm < 3
        agent.update(arm, rewards[t % len(rewards)])
    if "TS" not in type(policy).__name__:
        assert np.isfinite(agent.indices()).all()


def test_per_arm_noise_at_the_ends_is_right() -> None:
    """Arm 0 is known exactly and determines mu0 up to its own effect: with noise of 1e129 arm 1 has no information."""
    agent = ReUCB(sigma0_sq=1e-10, sigma_sq=(0.0, 1e129, 1.0)).start(3)
    agent.update([0, 1, 2], [2.0, 7.0, 3.0])
    fit = agent.fit()
    np.testing.assert_allclose(fit.weights, [1.0, 1e-139, 1e-10 / (1 + 1e-10)], rtol=1e-12)
    np.testing.assert_allclose(fit.mu, [2.0, 2.0, 2.0], atol=2e-10)


def test_a_narrow_beta_prior_is_sampled_and_returns() -> None:
    """In a process of its own: compiled code that never returns cannot be interrupted.

    A Beta(1e-17, 1e-17) variate is 0 or 1 with probability 1/2 each, up to 1e-15. The first of two arms wins when its
    draw is 1, or both are 0 (a tie): probability 3/4. 400 selections: five standard errors are 0.108, so that a false
    alarm has probability 6e-7 and a probability of 1/2 or 1 would be seen.
    """
    code = (
        "from reucb import BernoulliTS; agent = BernoulliTS(alpha=1e-17, beta=1e-17).start(2, seed=1); "
        "print(sum(agent.select() == 0 for _ in range(400)) / 400)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600)
    assert abs(float(done.stdout) - 0.75) < 0.108


def test_sums_of_squares_of_the_largest_rewards_stay_finite() -> None:
    """The largest allowed rewards of alternating sign, as many as a float64 can count: 4 r^2 2^53 is finite."""
    largest = 1e145
    assert np.isfinite(4.0 * largest**2 * 2.0**53)
    agent = ReUCB().start(2)
    with pytest.raises(ValueError, match=r"reward = 1e\+150: must be at most 1e\+145 in absolute value"):
        agent.update(0, 1e150)
    agent.update(np.arange(10) % 2, largest * (-1.0) ** np.arange(10))
    agent._state.floats[3] *= 2.0**53 / 10.0  # the sum within arms after 2^53 such rewards
    agent._state.floats[5] *= 2.0**53 / 10.0
    assert np.isfinite(agent.fit().sigma_sq)
