"""The policies every shared test runs over, and what every one of them must pass."""

from __future__ import annotations

import json

import numpy as np

from reucb.bandit import Bandit
from reucb.engine import POLICY, PRIOR, REWARDS, play_run, stream
from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf
from reucb.policies.agent import Agent
from reucb.rewards import Bernoulli
from tests.reucb.policies.reference import INDEX, History, sample

# The policies every shared test runs over.

GAUSSIAN: dict[str, Policy] = {
    "ReUCB": ReUCB(),
    "ReUCB anova": ReUCB(method="anova", a=2.0),
    "ReUCB mu0 known": ReUCB(mu0=0.5),
    "ReUCB sigma known": ReUCB(sigma_sq=0.25),
    "ReUCB sigma0 known": ReUCB(sigma0_sq=0.04, method="anova"),
    "ReUCB*": ReUCB(sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB* a=0.3": ReUCB(a=0.3, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB all known": ReUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB first by index": ReUCB(first="index"),
    "ReUCB* first by index": ReUCB(sigma0_sq=0.04, sigma_sq=0.25, first="index"),
    "ReUCB all known, first by index": ReUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25, first="index"),
    "ReTS": ReTS(method="moments"),
    "ReTS anova": ReTS(mu0=0.5, method="anova"),
    "ReTS*": ReTS(sigma0_sq=0.04, sigma_sq=0.25),
    "ReTS all known": ReTS(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCBInf": ReUCBInf(sigma_sq=0.25),
    "UCB1": UCB1(sigma_sq=0.25),
    "GaussianTS": GaussianTS(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "BayesUCB": BayesUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "BayesUCB c=5": BayesUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25, c=5.0, horizon=1000),
    "KLUCB": KLUCB(sigma_sq=0.25),
    "KLUCB c=3": KLUCB(sigma_sq=0.25, c=3.0),
}
BERNOULLI: dict[str, Policy] = {
    "BernoulliTS": BernoulliTS(),
    "BernoulliTS(9, 1)": BernoulliTS(alpha=9.0, beta=1.0),
    "BayesUCB Bernoulli": BayesUCB(),
    "BayesUCB Bernoulli(1/2, 1/2)": BayesUCB(alpha=0.5, beta=0.5, c=1.0, horizon=500),
    "KLUCB Bernoulli": KLUCB(),
    "KLUCB Bernoulli c=3": KLUCB(c=3.0),
}
POLICIES: dict[str, Policy] = GAUSSIAN | BERNOULLI


def per_arm(n_arms: int) -> ReUCB:
    """ReUCB with a noise variance of its own for every arm."""
    return ReUCB(sigma0_sq=0.04, sigma_sq=tuple(0.1 + 0.3 * (k % 4) for k in range(n_arms)))


# What every policy must pass: kernel, online agent and dense reference agree choice by choice on the same rewards.

# Both sides compute an index from sums of at most a few hundred terms of size about 1; 1e-11 is far above what their
# roundings add up to and far below the gap between two arms that differ.
ROUNDING = 1e-11


def expect_choice(arm: int, policy: Policy, history: History, rng: np.random.Generator) -> None:
    """The arm is what the dense rule chooses: exactly for draws, and up to rounding for an index."""
    counts, means = history.counts, history.means
    if isinstance(policy, (GaussianTS, BernoulliTS, ReTS)):
        assert arm == sample(policy, history, rng)
        return
    by_index = getattr(policy, "first", "each") == "index" and counts.any()
    if (counts == 0).any() and not by_index:
        assert arm == np.argmax(counts == 0)
        return
    index = INDEX[type(policy)](policy, history)
    assert index[arm] >= index.max() - ROUNDING * max(1.0, abs(index.max()))
    twins = (counts == counts[arm]) & (means == means[arm])
    if by_index and counts[arm] > 0 and (counts == 0).any():  # a tie goes to the arm never pulled
        assert index[arm] > index[counts == 0].max() - ROUNDING * max(1.0, abs(index.max()))
    if not isinstance(getattr(policy, "sigma_sq", None), tuple):  # arms with the same record tie exactly
        assert arm == np.argmax(twins)


def conforms(policy: Policy, bandit: Bandit, horizon: int, seed: int, claims: Policy | None = None) -> None:
    """Kernel, agent (saved and resumed on the way) and dense rule agree on the same streams, choice by choice."""
    choices = np.full(horizon, -1)
    out = np.zeros(1)
    play_run(bandit, policy, horizon, np.array([horizon]), seed, 0, out, choices)
    mu = bandit.draw(stream(seed, 0, PRIOR))
    rewards, own = stream(seed, 0, REWARDS), stream(seed, 0, POLICY)
    agent, history, regret = policy.start(bandit.n_arms), History(bandit.n_arms), 0.0
    agent = Agent(policy, agent._state, stream(seed, 0, POLICY))
    true = bandit.rewards.mean(mu)
    _, sigma, low, high = bandit.rewards.kernel(bandit.n_arms)
    for t in range(horizon):
        arm = agent.select()
        assert arm == choices[t]
        expect_choice(arm, claims or policy, history, own)
        if isinstance(bandit.rewards, Bernoulli):
            reward = float(rewards.random() < mu[arm])
        else:
            reward = float(np.clip(mu[arm] + sigma[arm] * rewards.standard_normal(), low, high))
        agent.update(arm, reward)
        if policy.binary and 0 < reward < 1:
            reward = float(own.random() < reward)
        history.add(arm, reward)
        regret += true.max() - true[arm]
        if t % 61 == 7:
            agent = policy.resume(json.loads(json.dumps(agent.state())))
    assert agent.counts.tolist() == history.counts.tolist() == np.bincount(choices, minlength=bandit.n_arms).tolist()
    np.testing.assert_allclose(agent.means, history.means, rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(out[0], regret, rtol=1e-12)
