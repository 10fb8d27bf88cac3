"""`run_block` in NumPy, vectorised over runs: the baseline of the benchmark and an oracle of the compiled kernels.

The same signature, streams and regrets as `reucb.engine.run_block`, from formulas of its own (numpy_rules.py):
independent of the engine on purpose.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

import reucb
from benchmarks.numpy_rules import Bernoulli, Blup, FloatArray, IntArray, Linear, Rule, Shrunk

AHEAD = 2**21  # variates drawn ahead, over all runs


class Ahead:
    """Variates of every run's own stream, one slice over runs per round."""

    def __init__(self, draw: list[Callable[[tuple[int, ...]], FloatArray]], shape: tuple[int, ...] = ()) -> None:
        self.draw, self.shape = draw, shape
        self.block = max(1, AHEAD // (len(draw) * max(1, int(np.prod(shape)))))
        self.values, self.used = np.empty((0, len(draw), *shape)), 0

    def next(self) -> FloatArray:
        if self.used == len(self.values):
            drawn = [draw((self.block, *self.shape)) for draw in self.draw]
            self.values, self.used = np.ascontiguousarray(np.stack(drawn, axis=1)), 0
        self.used += 1
        slice_over_runs: FloatArray = self.values[self.used - 1]
        return slice_over_runs


class GaussianTS(Shrunk):
    """One normal per arm and round, from each run's own stream."""

    def __init__(self, policy: Any, streams: list[Generator], n_arms: int) -> None:
        super().__init__(policy, len(streams), n_arms)
        self.normals = Ahead([stream.standard_normal for stream in streams], (n_arms,))
        every = self.rows[:, None], np.arange(n_arms)[None, :]
        self.write_arms(every, self.counts, self.means)

    def choose(self, t: int) -> IntArray:
        np.multiply(self.width, self.normals.next(), out=self.index)
        self.index += self.estimate
        return self.highest()


class BernoulliTS(Rule):
    """Beta draws: one call per run from its own stream, or (shared) one call for all runs."""

    def __init__(self, policy: Any, streams: list[Generator], n_arms: int, shared: bool) -> None:
        super().__init__(policy, len(streams), n_arms)
        self.streams, self.shared = streams, shared

    def choose(self, t: int) -> IntArray:
        wins = np.rint(self.means * self.counts)
        alpha, beta = self.policy.alpha + wins, self.policy.beta + (self.counts - wins)
        if self.shared:
            self.index = self.streams[0].beta(alpha, beta)
            return self.highest()
        for row, stream in enumerate(self.streams):
            self.index[row] = stream.beta(alpha[row], beta[row])
        return self.highest()


def rule_of(policy: Any, streams: list[Generator], n_arms: int, shared: bool) -> Rule:
    """The rule in NumPy that plays `policy`."""
    runs = len(streams)
    if isinstance(policy, reucb.GaussianTS):
        return GaussianTS(policy, streams, n_arms)
    if isinstance(policy, reucb.BernoulliTS):
        return BernoulliTS(policy, streams, n_arms, shared)
    if policy.binary:
        return Bernoulli(policy, runs, n_arms)
    if isinstance(policy, reucb.ReUCB) and policy.mu0 is None:
        return Blup(policy, runs, n_arms)
    if isinstance(policy, (reucb.ReUCB, reucb.BayesUCB)):
        return Shrunk(policy, runs, n_arms)
    return Linear(policy, runs, n_arms)


def run_block(
    bandit: reucb.Bandit,
    policy: Any,
    horizon: int,
    marks: NDArray[np.int64],
    seed: int,
    first: int,
    count: int,
    *,
    fast: bool = False,
    follow: IntArray | None = None,
) -> FloatArray:
    """Cumulative pseudo-regret of the runs first..first+count-1 after each marked round.

    `fast` is for timing: beta draws of all runs come from one stream, so runs are no longer comparable one by one.
    `follow`, shape (horizon, count), plays the arms of another implementation instead of its own, and returns how far
    their indices fall short of the highest, shape (horizon, count): 0, up to rounding, if that one is right.
    """

    def streams(use: int) -> list[Generator]:
        return [Generator(PCG64(SeedSequence(seed, spawn_key=(run, use)))) for run in range(first, first + count)]

    latent = np.stack([bandit.draw(stream) for stream in streams(0)])
    true = bandit.rewards.mean(latent)
    gaps = true.max(axis=1, keepdims=True) - true
    code, sigma, low, high = bandit.rewards.kernel(bandit.n_arms)
    own = streams(2)
    noise = Ahead([stream.random if code == 1 else stream.standard_normal for stream in streams(1)])
    rule = rule_of(policy, own, bandit.n_arms, shared=fast)
    short = np.zeros((0 if follow is None else horizon, count))
    out, regret, rows = np.empty((count, len(marks))), np.zeros(count), np.arange(count)
    marked = dict(zip(marks.tolist(), range(len(marks)), strict=True))
    for t in range(1, horizon + 1):
        arms = rule.choose(t)
        if follow is not None:
            best, arms = rule.index[rows, arms], follow[t - 1]
            short[t - 1] = best - rule.index[rows, arms]
        at, variate = (rows, arms), noise.next()
        if code == 1:
            rewards = (variate < latent[at]).astype(np.float64)
        else:
            rewards = latent[at] + sigma[arms] * variate
            if code == 2:
                rewards = np.clip(rewards, low, high)
            if policy.binary:
                rewards = np.array([_rounded(reward, rng) for reward, rng in zip(rewards, own, strict=True)])
        rule.learn(arms, rewards)
        regret += gaps[at]
        if t in marked:
            out[:, marked[t]] = regret
    return out if follow is None else short


def _rounded(reward: float, rng: Generator) -> float:
    """A reward in [0, 1] as 0 or 1 with the same mean."""
    return reward if reward in (0.0, 1.0) else float(rng.random() < reward)
