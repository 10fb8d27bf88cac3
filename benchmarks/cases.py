"""The reference work: two 50-armed bandits and the policies that are timed on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import scipy.stats

import reucb

K = 50
GAUSSIAN = reucb.Bandit(n_arms=K, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
BERNOULLI = reucb.Bandit(n_arms=K, prior=scipy.stats.uniform(0.2, 0.3), rewards=reucb.Bernoulli())


@dataclass(frozen=True)
class TimedCase:
    """One policy on one bandit; `slow` marks those whose NumPy version solves a root per arm and round."""

    name: str
    bandit: reucb.Bandit
    policy: Any
    slow: bool = False


def gaussian_bandit(n_arms: int) -> reucb.Bandit:
    """N(1, 0.04) with any number of arms."""
    return reucb.Bandit(n_arms=n_arms, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))


KNOWN = reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.25)
ESTIMATED = reucb.ReUCB(a=1.0)

CASES = (
    TimedCase("ReUCB*", GAUSSIAN, KNOWN),
    TimedCase("ReUCB", GAUSSIAN, ESTIMATED),
    TimedCase("UCB1", GAUSSIAN, reucb.UCB1(sigma_sq=0.25)),
    TimedCase("Gaussian TS", GAUSSIAN, reucb.GaussianTS(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25)),
    TimedCase("Bayes-UCB", GAUSSIAN, reucb.BayesUCB(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25)),
    TimedCase("KL-UCB", GAUSSIAN, reucb.KLUCB(sigma_sq=0.25)),
    TimedCase("ReUCB^inf", GAUSSIAN, reucb.ReUCBInf(sigma_sq=0.25)),
    TimedCase("ReUCB, Bernoulli", BERNOULLI, ESTIMATED),
    TimedCase("UCB1, Bernoulli", BERNOULLI, reucb.UCB1(sigma_sq=0.25)),
    TimedCase("Bernoulli TS", BERNOULLI, reucb.BernoulliTS(), slow=True),
    TimedCase("Bayes-UCB, Bernoulli", BERNOULLI, reucb.BayesUCB(), slow=True),
    TimedCase("KL-UCB, Bernoulli", BERNOULLI, reucb.KLUCB(), slow=True),
)
