"""Agents driven at random: equal to a recomputation in exact fractions, and finite over all decades or refused."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf
from tests.hypothesis_examples import examples
from tests.reucb.strategies import fewer, magnitudes

# An agent driven at random, saved and resumed, always equals a recomputation of its history in exact fractions.

REWARDS = st.one_of(st.sampled_from([0.0, 1.0, 0.1, -3.5]), st.floats(-100, 100), st.floats(1e6, 1e6 + 1e-3))
POLICIES = st.sampled_from(
    [
        ReUCB(),
        ReUCB(method="anova", a=2.5),
        ReUCB(sigma0_sq=0.5, sigma_sq=0.25),
        ReUCB(mu0=0.25),
        ReUCB(mu0=0.25, sigma0_sq=0.5, sigma_sq=2.0),
    ]
)


class Exact:
    """Everything ReUCB computes, from the full history, in fractions (Eq. w-def to Eq. MSE, variance1, variance2)."""

    def __init__(self, policy: ReUCB, history: list[list[float]]) -> None:
        data = [[Fraction(x) for x in rewards] for rewards in history]
        self.n = n = [len(r) for r in data]
        self.means = m = [sum(r, Fraction()) / len(r) for r in data]
        total, arms = sum(n), len(n)
        grand = sum((sum(r, Fraction()) for r in data), Fraction()) / total
        within = sum((x - mean) ** 2 for r, mean in zip(data, m, strict=True) for x in r)
        between = sum(k * (mean - grand) ** 2 for k, mean in zip(n, m, strict=True))
        self.scale = max(max(abs(float(x)) for r in data for x in r), 1e-300)
        sigma_sq = Fraction(within, max(total - arms, 1)) if policy.sigma_sq is None else Fraction(policy.sigma_sq)
        sigma0_sq = Fraction() if policy.sigma0_sq is None else Fraction(policy.sigma0_sq)
        n_star = total - Fraction(sum(k * k for k in n), total)
        if policy.sigma0_sq is None:
            between -= (arms - 1) * sigma_sq if policy.method == "anova" else 0
            sigma0_sq = max(between / n_star if n_star else Fraction(), sigma_sq / total)
        self.sigma0_sq, self.sigma_sq = sigma0_sq, sigma_sq
        if sigma_sq == 0:
            self.mu, self.tau_sq = m, [Fraction()] * arms
            return
        g = [k / (k * sigma0_sq + sigma_sq) for k in n]
        mu0 = sum(x * y for x, y in zip(g, m, strict=True)) / sum(g) if policy.mu0 is None else Fraction(policy.mu0)
        error = 1 / sum(g) if policy.mu0 is None else Fraction()
        shrink = [sigma_sq / (k * sigma0_sq + sigma_sq) for k in n]
        self.mu = [s * mu0 + (1 - s) * mean for s, mean in zip(shrink, m, strict=True)]
        self.tau_sq = [sigma0_sq * s + s * s * error for s in shrink]

    def index(self, a: float) -> np.ndarray:
        t = sum(self.n) + 1
        return np.array(
            [
                float(mu) + math.sqrt(a * math.log(t) * float(tau_sq))
                for mu, tau_sq in zip(self.mu, self.tau_sq, strict=True)
            ]
        )


class Driven(RuleBasedStateMachine):
    """Random pulls, foreign updates, batches, refusals, saves and resumes."""

    @initialize(policy=POLICIES, n_arms=st.sampled_from([1, 2, 5, 21]))
    def begin(self, policy: ReUCB, n_arms: int) -> None:
        self.policy, self.n_arms = policy, n_arms
        self.agent = policy.start(n_arms)
        self.history: list[list[float]] = [[] for _ in range(n_arms)]

    @rule(reward=REWARDS)
    def pull(self, reward: float) -> None:
        arm = self.agent.select()
        self.agent.update(arm, reward)
        self.history[arm].append(reward)

    @rule(arm=st.integers(0, 20), reward=REWARDS)
    def learn_of_any_arm(self, arm: int, reward: float) -> None:
        self.agent.update(arm % self.n_arms, reward)
        self.history[arm % self.n_arms].append(reward)

    @rule(batch=st.lists(st.tuples(st.integers(0, 20), REWARDS), max_size=12))
    def learn_a_batch(self, batch: list[tuple[int, float]]) -> None:
        arms, rewards = [arm % self.n_arms for arm, _ in batch], [reward for _, reward in batch]
        self.agent.update(arms, rewards)
        for arm, reward in zip(arms, rewards, strict=True):
            self.history[arm].append(reward)

    @rule(reward=REWARDS)
    def one_of_each(self, reward: float) -> None:
        self.learn_a_batch([(arm, reward + arm) for arm in range(self.n_arms)])

    @rule(bad=st.sampled_from([math.nan, math.inf, 1e151, 1j, "1", None]))
    def refuse(self, bad: object) -> None:
        before = self.agent.state()
        with pytest.raises((ValueError, TypeError), match="reward"):
            self.agent.update(0, bad)
        with pytest.raises((ValueError, TypeError), match="reward"):
            self.agent.update([0, 0], [0.5, bad])
        assert self.agent.state() == before

    @rule()
    def save_and_resume(self) -> None:
        saved = json.loads(json.dumps(self.agent.state()))
        self.agent = self.policy.resume(saved)
        assert self.agent.state() == saved

    @invariant()
    def counts_and_means(self) -> None:
        """Means are exact sums divided once: one rounding of the sum, one of the quotient."""
        assert self.agent.counts.tolist() == [len(r) for r in self.history]
        exact = [float(sum(map(Fraction, r), Fraction()) / len(r)) if r else 0.0 for r in self.history]
        np.testing.assert_allclose(self.agent.means, exact, rtol=4e-16, atol=1e-300)

    @precondition(lambda self: all(self.history))
    @invariant()
    def fit_and_choice(self) -> None:
        """Deviations from the first reward are of the size `scale` at most and carry relative roundings; the variances
        are sums of their squares, so 1e-11 scale^2 bounds their error, and its root, times a weight, that of mu."""
        exact = Exact(self.policy, self.history)
        fit, index = self.agent.fit(), exact.index(self.policy.a)
        slack = 1e-11 * exact.scale**2
        assert fit.sigma_sq == pytest.approx(float(exact.sigma_sq), rel=1e-9, abs=slack)
        assert fit.sigma0_sq == pytest.approx(float(exact.sigma0_sq), rel=1e-9, abs=slack)
        if min(exact.sigma_sq, exact.sigma0_sq) > 1e-4 * exact.scale**2:  # else the weights hang on lost digits
            np.testing.assert_allclose(fit.mu, [float(x) for x in exact.mu], rtol=1e-6, atol=1e-6 * exact.scale)
            np.testing.assert_allclose(fit.mse, [float(x) for x in exact.tau_sq], rtol=1e-5)
            chosen = self.agent.select()
            assert index[chosen] >= index.max() - 1e-6 * exact.scale
            assert (exact.n[chosen], exact.means[chosen]) not in list(zip(exact.n, exact.means, strict=True))[
                :chosen
            ]  # of equal records the first


TestDriven = Driven.TestCase
TestDriven.settings = settings(examples(20), stateful_step_count=18)


# Parameters and rewards over all decades: a policy is refused with ValueError, or all it shows is finite.

NUMBERS = magnitudes(-330, 308) | st.sampled_from([0.0, 1.0, 5e-324, 1.7e308, -1.0, float("nan"), float("inf")])
EXTREME_REWARDS = st.lists(magnitudes(-310, 145) | magnitudes(-310, 145).map(lambda x: -x) | st.just(0.0), min_size=1)
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
@given(data=st.data(), rewards=EXTREME_REWARDS)
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
