"""The policies in NumPy: dense, vectorised over runs, written from the formulas, not from the engine.

Weights, BLUP and variances are independent of `reucb` on purpose: a baseline that the engine is timed against, and
a reference that its choices are checked against.

`rule.choose(t)` gives one arm per run for round t; `rule.learn(arms, rewards)` enters one reward per run. Arrays are
(runs, arms); `rule.index` keeps the last indices (draws, for Thompson sampling). Ties go to the lower arm.
"""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv, ndtri

import reucb

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


class Rule:
    """Counts and means of every arm in every run; index policies begin with one pull of each arm."""

    def __init__(self, policy: Any, runs: int, n_arms: int) -> None:
        self.policy, self.n_arms = policy, n_arms
        self.counts, self.means = np.zeros((runs, n_arms)), np.zeros((runs, n_arms))
        self.index = np.empty((runs, n_arms))
        self.rows = np.arange(runs)

    def choose(self, t: int) -> IntArray:
        if t <= self.n_arms:
            self.index[:] = np.arange(self.n_arms) == t - 1
            return np.full(len(self.rows), t - 1)
        self.rank(t)
        return self.highest()

    def highest(self) -> IntArray:
        arms: IntArray = self.index.argmax(axis=1)
        return arms

    def learn(self, arms: IntArray, rewards: FloatArray) -> None:
        at = self.rows, arms
        count = self.counts[at] + 1
        mean = self.means[at]
        mean += (rewards - mean) / count
        self.counts[at] = count
        self.means[at] = mean
        self.write_arms(at, count, mean)

    def rank(self, t: int) -> None:
        """Write the index of every arm into self.index."""
        raise NotImplementedError

    def write_arms(self, at: tuple[IntArray, IntArray], count: FloatArray, mean: FloatArray) -> None:
        """Refresh what is kept for the arms just pulled."""


class Linear(Rule):
    """estimate + s_t width, where both change only for the arm that was pulled."""

    def __init__(self, policy: Any, runs: int, n_arms: int) -> None:
        super().__init__(policy, runs, n_arms)
        self.estimate, self.width = np.zeros((runs, n_arms)), np.zeros((runs, n_arms))

    def rank(self, t: int) -> None:
        np.multiply(self.width, self.multiplier(t), out=self.index)
        self.index += self.estimate

    def multiplier(self, t: int) -> float:
        p = self.policy
        scale = 8.0 if isinstance(p, reucb.UCB1) else 2.0 if isinstance(p, reucb.KLUCB) else p.a
        return float(np.sqrt(scale * exploration(t, getattr(self.policy, "c", 0.0))))

    def write_arms(self, at: tuple[IntArray, IntArray], count: FloatArray, mean: FloatArray) -> None:
        self.estimate[at] = mean
        self.width[at] = np.sqrt(self.policy.sigma_sq / count)


class Shrunk(Linear):
    """The posterior of a Gaussian prior: ReUCB with everything known, Gaussian Bayes-UCB, Gaussian TS."""

    def multiplier(self, t: int) -> float:
        if isinstance(self.policy, reucb.ReUCB):
            return float(np.sqrt(self.policy.a * log(t)))
        return float(-ndtri(tail(self.policy, t)))

    def write_arms(self, at: tuple[IntArray, IntArray], count: FloatArray, mean: FloatArray) -> None:
        p = self.policy
        scale = 1.0 / (count * p.sigma0_sq + p.sigma_sq)
        self.estimate[at] = p.mu0 + count * p.sigma0_sq * scale * (mean - p.mu0)
        self.width[at] = np.sqrt(p.sigma0_sq * (p.sigma_sq * scale))


class Blup(Rule):
    """ReUCB with mu0 by GLS (Eq. r0-estimator, Eq. blup, Eq. MSE), variances known or estimated in every round."""

    def __init__(self, policy: Any, runs: int, n_arms: int) -> None:
        super().__init__(policy, runs, n_arms)
        self.within = np.zeros(runs)
        self.buffer = np.empty((runs, n_arms))

    def learn(self, arms: IntArray, rewards: FloatArray) -> None:
        before = self.means[self.rows, arms]
        super().learn(arms, rewards)
        self.within += (rewards - before) * (rewards - self.means[self.rows, arms])

    def variances(self) -> tuple[FloatArray, FloatArray]:
        """sigma0^2 and sigma^2 of each run as columns; what cannot be estimated is 0."""
        p, n = self.policy, self.counts
        if p.sigma0_sq is not None and p.sigma_sq is not None:
            return np.full((1, 1), p.sigma0_sq), np.full((1, 1), p.sigma_sq)
        rounds, arms = n[0].sum(), self.n_arms
        sigma_sq = self.within / (rounds - arms) if rounds > arms else np.zeros(len(n))
        np.multiply(n, self.means, out=self.buffer)
        np.subtract(self.means, self.buffer.sum(axis=1, keepdims=True) / rounds, out=self.buffer)
        np.square(self.buffer, out=self.buffer)
        between = np.einsum("rk,rk->r", n, self.buffer)
        if p.method == "anova":
            between -= (arms - 1) * sigma_sq
        free = rounds - np.einsum("rk,rk->r", n, n) / rounds
        sigma0_sq = np.maximum(between, 0.0) / np.where(free > 0.0, free, np.inf)
        sigma0_sq = np.maximum(sigma0_sq, sigma_sq / rounds)  # the floor of the policy
        return sigma0_sq[:, None], sigma_sq[:, None]

    def rank(self, t: int) -> None:
        sigma0_sq, sigma_sq = self.variances()
        index, shrink = self.index, self.buffer
        noisy = sigma_sq > 0.0
        np.multiply(self.counts, np.where(noisy, sigma0_sq, 1.0), out=shrink)
        shrink += np.where(noisy, sigma_sq, 0.0)
        np.divide(self.counts, shrink, out=index)  # GLS weights n/(n sigma0^2 + sigma^2)
        np.divide(np.where(noisy, sigma_sq, 0.0), shrink, out=shrink)  # 1 - w
        of_mu0 = 1.0 / index.sum(axis=1, keepdims=True)
        mu0 = np.einsum("rk,rk->r", index, self.means)[:, None] * of_mu0
        np.subtract(mu0, self.means, out=index)
        index *= shrink
        index += self.means  # mean + (1 - w)(mu0 - mean)
        tau_sq = (
            (shrink * of_mu0 + sigma0_sq) * shrink
            if noisy.all()
            else np.where(noisy, (shrink * of_mu0 + sigma0_sq) * shrink, 0.0)
        )
        np.sqrt(tau_sq, out=tau_sq)
        tau_sq *= np.sqrt(self.policy.a * log(t))
        index += tau_sq


class Bernoulli(Rule):
    """KL-UCB and Bayes-UCB for rewards 0 and 1: one root per arm and round."""

    def rank(self, t: int) -> None:
        if isinstance(self.policy, reucb.KLUCB):
            self.index[:] = kl_upper(self.means, exploration(t, self.policy.c) / self.counts)
        else:
            wins = np.rint(self.means * self.counts)
            self.index[:] = betainccinv(
                self.policy.alpha + wins, self.policy.beta + (self.counts - wins), tail(self.policy, t)
            )


def exploration(t: int, c: float) -> float:
    """log t + c log log t."""
    return max(0.0, log(t) + (c * log(log(t)) if c and t >= 3 else 0.0))


def tail(policy: Any, t: int) -> float:
    """1/(t (log horizon)^c), at most one half."""
    factor = 1.0 if policy.horizon is None else log(policy.horizon) ** policy.c
    return min(0.5, 1.0 / (t * factor))


def kl_upper(p: FloatArray, level: FloatArray) -> FloatArray:
    """The largest q with KL(p, q) <= level, by Newton from the right until nothing moves."""
    one, q = 1.0 - p, np.minimum(p + np.sqrt(0.5 * level), 1.0 - 1e-16)
    with np.errstate(divide="ignore", invalid="ignore"):
        rest = np.where(p > 0, p * np.log(p), 0.0) + np.where(one > 0, one * np.log(one), 0.0) - level
        edge = 1.0 - np.exp(np.where(one > 0, rest / one, 0.0))  # -p log q >= 0 dropped
        q = np.where(one > 0, np.minimum(q, edge), 1.0)
        for _ in range(60):
            value = rest - np.where(p > 0, p * np.log(q), 0.0) - np.where(one > 0, one * np.log1p(-q), 0.0)
            step = np.where((q > p) & (q < 1.0), value * q * (1.0 - q) / (q - p), 0.0)
            if not (step > 1e-16 * q).any():
                break
            q = np.maximum(q - np.maximum(step, 0.0), p)
    return q
