"""Every index written down a second time, densely, from counts and means: slow, plain, and with SciPy's quantiles."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import scipy.optimize
import scipy.stats

from reucb import policies as p


@dataclass
class History:
    """The rewards of every arm, and the statistics computed from them from scratch."""

    n_arms: int
    rewards: list[list[float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rewards = [[] for _ in range(self.n_arms)]

    def add(self, arm: int, reward: float) -> None:
        self.rewards[arm].append(reward)

    @property
    def t(self) -> int:
        return sum(map(len, self.rewards)) + 1

    @property
    def counts(self) -> np.ndarray:
        return np.array([len(r) for r in self.rewards])

    @property
    def means(self) -> np.ndarray:
        return np.array([math.fsum(r) / len(r) if r else 0.0 for r in self.rewards])

    @property
    def within(self) -> float:
        return math.fsum((x - m) ** 2 for r, m in zip(self.rewards, self.means, strict=True) for x in r)


def variances(policy: p.ReUCB | p.ReTS, h: History) -> tuple[float, float | np.ndarray]:
    n, m = h.counts, h.means
    total, arms = n.sum(), (n > 0).sum()
    sigma_sq = policy.sigma_sq
    if sigma_sq is None:
        sigma_sq = h.within / (total - arms) if total > arms else 0.0
    sigma0_sq = policy.sigma0_sq
    if sigma0_sq is None:
        between = (n * (m - (n * m).sum() / total) ** 2).sum()
        if policy.method == "anova":
            between -= (arms - 1) * sigma_sq
        n_star = total - (n**2).sum() / total
        sigma0_sq = max(between / n_star if n_star > 0 else 0.0, sigma_sq / total)
    return sigma0_sq, np.asarray(sigma_sq) if isinstance(sigma_sq, tuple) else sigma_sq


def reucb(policy: p.ReUCB, h: History) -> np.ndarray:
    mu0, error, w, sigma0_sq = model(policy, h)
    tau_sq = sigma0_sq * (1 - w) + (1 - w) ** 2 * error
    return mu0 + w * (h.means - mu0) + np.sqrt(policy.a * math.log(h.t) * tau_sq)


def model(policy: p.ReUCB | p.ReTS, h: History) -> tuple[float, float, np.ndarray, float]:
    """mu0, its variance, the weights and sigma0^2; without noise an arm is known by one reward."""
    n, m = h.counts, h.means
    sigma0_sq, sigma_sq = variances(policy, h)
    if np.all(sigma_sq == 0):
        w, precision = (n > 0).astype(float), (n > 0) / sigma0_sq if sigma0_sq > 0 else (n > 0) * 1e300
    else:
        w, precision = n * sigma0_sq / (n * sigma0_sq + sigma_sq), n / (n * sigma0_sq + sigma_sq)
    if policy.mu0 is not None:
        return policy.mu0, 0.0, w, sigma0_sq
    return float((precision * m).sum() / precision.sum()), float(1.0 / precision.sum()), w, sigma0_sq


def kl_ucb(policy: p.KLUCB, h: History) -> np.ndarray:
    rate = math.log(h.t) + (policy.c * math.log(math.log(h.t)) if h.t >= 3 else 0.0)
    if policy.sigma_sq is not None:
        return h.means + np.sqrt(2 * policy.sigma_sq * rate / h.counts)
    return np.array([kl_root(m, rate / n) for m, n in zip(h.means, h.counts, strict=True)])


def kl_root(mean: float, level: float) -> float:
    """Brent's method on KL(mean, q) = level, with SciPy's own divergence."""
    if mean >= 1.0:
        return 1.0

    def excess(q: float) -> float:
        return float(scipy.special.rel_entr([mean, 1 - mean], [q, 1 - q]).sum()) - level

    top = 1.0 - 2.0**-53
    return mean if level <= 0 else top if excess(top) < 0 else scipy.optimize.brentq(excess, mean, top, xtol=1e-15)


def bayes_ucb(policy: p.BayesUCB, h: History) -> np.ndarray:
    n, m = h.counts, h.means
    tail = min(0.5, 1 / (h.t * (1.0 if policy.horizon is None else math.log(policy.horizon) ** policy.c)))
    if policy.mu0 is None:
        wins = n * m
        return scipy.stats.beta.isf(tail, policy.alpha + wins, policy.beta + n - wins)
    precision = 1 / policy.sigma0_sq + n / policy.sigma_sq
    mean = (policy.mu0 / policy.sigma0_sq + n * m / policy.sigma_sq) / precision
    return scipy.stats.norm.isf(tail, mean, precision**-0.5)


INDEX: dict[type, Callable[..., np.ndarray]] = {
    p.ReUCB: reucb,
    p.ReUCBInf: lambda policy, h: h.means + np.sqrt(policy.a * policy.sigma_sq * math.log(h.t) / h.counts),
    p.UCB1: lambda policy, h: h.means + np.sqrt(8 * policy.sigma_sq * math.log(h.t) / h.counts),
    p.KLUCB: kl_ucb,
    p.BayesUCB: bayes_ucb,
}


def sample(policy: p.Policy, h: History, rng: np.random.Generator) -> int:
    """Thompson sampling with NumPy's generator; draws in the order of the arms."""
    n, m = h.counts, h.means
    if isinstance(policy, p.ReTS):
        known = policy.sigma0_sq is not None and policy.sigma_sq is not None
        if (n == 0).any() and (not known or (n.sum() == 0 and policy.mu0 is None)):
            return int(np.argmax(n == 0))
        mu0, error, w, sigma0_sq = model(policy, h)
        if policy.mu0 is None:
            mu0 += math.sqrt(error) * rng.standard_normal()
        return int(np.argmax(mu0 + w * (m - mu0) + np.sqrt(sigma0_sq * (1 - w)) * rng.standard_normal(len(n))))
    if isinstance(policy, p.GaussianTS):
        precision = 1 / policy.sigma0_sq + n / policy.sigma_sq
        mean = (policy.mu0 / policy.sigma0_sq + n * m / policy.sigma_sq) / precision
        return int(np.argmax(mean + precision**-0.5 * rng.standard_normal(len(n))))
    return int(np.argmax(rng.beta(policy.alpha + np.rint(n * m), policy.beta + n - np.rint(n * m))))
