"""Bounded bandits for Theorem them-R-Bayes-SubR, with the variance proxies that its hypotheses ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.stats

import reucb
from reucb.bounds.extremes import panels


@dataclass(frozen=True)
class Bounded:
    """A bandit with rewards in [0, 1]; sigma0_sq and sigma_sq are proxies: mu_k - E mu_k and r - mu_k are
    subG.
    """

    title: str
    bandit: Callable[[int], reucb.Bandit]
    sigma0_sq: float
    sigma_sq: float
    why: str


def _bernoulli(prior: object) -> Callable[[int], reucb.Bandit]:
    return lambda n_arms: reucb.Bandit(n_arms, prior, reucb.Bernoulli())


LAWS = {
    "uniform": Bounded(
        "Bernoulli, means U[0, 1]", _bernoulli(scipy.stats.uniform(0, 1)), 1 / 12, 1 / 4,
        "a uniform law is sub-Gaussian with its variance; a variable in [0, 1] with 1/4 (Hoeffding)",
    ),
    "narrow": Bounded(
        "Bernoulli, means U[0.2, 0.5]", _bernoulli(scipy.stats.uniform(0.2, 0.3)), 0.09 / 12, 1 / 4,
        "a uniform law is sub-Gaussian with its variance; a variable in [0, 1] with 1/4 (Hoeffding)",
    ),
    "beta": Bounded(
        "Bernoulli, means Beta(6, 14)", _bernoulli(scipy.stats.beta(6, 14)), 1 / 84, 1 / 4,
        "Beta(p, q) is sub-Gaussian with 1/(4 (p + q + 1))",
    ),
    "clipped": Bounded(
        "clipped Gaussian, latent N(0.5, 0.04), σ = 0.3",
        lambda n_arms: reucb.Bandit(n_arms, scipy.stats.norm(0.5, 0.2), reucb.ClippedGaussian(0.3)), 0.04, 0.09,
        "clipping and the mean of the clipped law are 1-Lipschitz, so Gaussian proxies are kept",
    ),
}  # fmt: skip


def random_play(law: Bounded, n_arms: int) -> float:
    """Bayes regret of one round of random play, E max_k m_k - E m_1, m the true mean.

    m increases with the latent mean, so this is int_0^1 m(F^{-1}(u)) (K u^{K-1} - 1) du: Gauss-Legendre.
    """
    bandit = law.bandit(n_arms)
    level, weights = panels(0.0, 1.0, 1 / 64)
    mean = bandit.true_means(np.asarray(bandit.prior.ppf(level)))
    return float((weights * (n_arms * level ** (n_arms - 1) - 1.0)) @ mean)
