"""ReUCB with all its intermediate quantities: many runs side by side, with what the proofs use in every round.

The engine plays the runs, those of `reucb.simulate` with the same seed; `reucb.blup` gives the estimates of a round
from the counts and means at its beginning, where they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

import reucb
from reports.core import FloatArray, IntArray
from reucb import Bandit, Fit
from reucb.engine import PRIOR, play_run, stream


@dataclass(frozen=True)
class Play:
    """Runs first, first + 1, ... of ReUCB with the variances given (ReUCB*), or estimated (both None: ReUCB)."""

    bandit: Bandit
    horizon: int
    first: int
    runs: int
    seed: int
    a: float
    sigma0_sq: float | None
    sigma_sq: float | None

    @property
    def policy(self) -> reucb.ReUCB:
        return reucb.ReUCB(a=self.a, sigma0_sq=self.sigma0_sq, sigma_sq=self.sigma_sq)


@dataclass(frozen=True)
class Round:
    """What ReUCB knows at the beginning of round t and what it does; arrays are runs x arms, `choice` runs."""

    play: Play
    t: int
    counts: IntArray
    averages: FloatArray
    sq_devs: FloatArray
    choice: IntArray

    @cached_property
    def fit(self) -> Fit:
        """The estimates of every run."""
        sigma0_sq, sigma_sq = variances(self.play, self.counts, self.averages, self.sq_devs)
        return reucb.blup(self.counts, self.averages, sigma0_sq=sigma0_sq, sigma_sq=sigma_sq[:, None])

    @cached_property
    def width(self) -> FloatArray:
        """c_{k,t} = sqrt(a tau^2 log t), Eq. confidence-C."""
        return np.asarray(np.sqrt(self.play.a * np.log(self.t) * self.fit.mse))


def latent(play: Play) -> FloatArray:
    """Latent means of the runs, runs x arms."""
    return np.array([play.bandit.draw(stream(play.seed, play.first + r, PRIOR)) for r in range(play.runs)])


def rounds(play: Play) -> Iterator[Round]:
    """Every round after each arm was pulled once, before its reward is seen.

    The arrays of a round are those of the run itself: read them before asking for the next round.
    """
    arms, paid = _played(play)
    n_arms, every = play.bandit.n_arms, np.arange(play.runs)
    counts = np.zeros((play.runs, n_arms), dtype=np.int64)
    average, sq_devs = np.zeros((2, play.runs, n_arms))
    for t, (choice, reward) in enumerate(zip(arms.T, paid.T, strict=True), 1):
        if t > n_arms:
            yield Round(play, t, counts, average, sq_devs, choice)
        counts[every, choice] += 1
        step = reward - average[every, choice]
        average[every, choice] += step / counts[every, choice]
        sq_devs[every, choice] += step * (reward - average[every, choice])


def _played(play: Play) -> tuple[IntArray, FloatArray]:
    """The arms pulled and the rewards, runs x rounds."""
    arms, paid = np.zeros((play.runs, play.horizon), dtype=np.int64), np.zeros((play.runs, play.horizon))
    last, regret = np.array([play.horizon]), np.zeros(1)
    for r in range(play.runs):
        play_run(play.bandit, play.policy, play.horizon, last, play.seed, play.first + r, regret, arms[r], paid[r])
    return arms, paid


def variances(play: Play, counts: IntArray, means: FloatArray, sq_devs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(sigma0^2, sigma^2) of each run: as given, or as the policy estimates them, with its two rules for the start.

    After one pull of each arm sigma^2 cannot be estimated and counts as 0: the index is then the mean. An estimate of
    sigma0^2 is not taken below sigma^2/N.
    """
    if play.sigma0_sq is not None and play.sigma_sq is not None:
        return np.full(play.runs, play.sigma0_sq), np.full(play.runs, play.sigma_sq)
    if counts.max() < 2:
        return means.var(axis=1), np.zeros(play.runs)
    found = reucb.variance_components(counts, means, sq_devs, method=play.policy.method)
    assert found.sigma_sq is not None
    return np.maximum(found.sigma0_sq, found.sigma_sq / counts.sum(axis=1)), found.sigma_sq
