"""ReUCB with all its intermediate quantities: many runs side by side, with what the proofs use in every round.

Plain NumPy, an array of runs x arms per round. The runs are those of `reucb.simulate` with the same seed:
same means, same noise, same choices. It is slower than the compiled kernel and records quantities that the
kernel does not keep.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reucb import Bandit
from reucb.rewards import Bernoulli, ClippedGaussian, Gaussian

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True)
class Round:
    """What ReUCB knows at the beginning of round t and what it does; arrays are runs x arms, `choice` runs."""

    t: int
    means: FloatArray  # true means
    counts: IntArray
    mu_hat: FloatArray
    tau_sq: FloatArray
    width: FloatArray  # c_{k,t} = sqrt(a tau^2 log t), Eq. confidence-C
    total_weight: FloatArray  # sum_i w_i, one per run
    choice: IntArray


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


def latent(play: Play) -> FloatArray:
    """Latent means of the runs, runs x arms."""
    return np.array([play.bandit.draw(_stream(play.seed, play.first + r, 0)) for r in range(play.runs)])


def rewards(play: Play, mu: FloatArray) -> Iterator[tuple[int, FloatArray]]:
    """Round by round, what every arm would pay: t = 1, 2, ... and runs x arms (one variate per run and
    round).
    """
    law = play.bandit.rewards
    assert isinstance(law, Bernoulli | Gaussian | ClippedGaussian)
    streams = [_stream(play.seed, play.first + r, 1) for r in range(play.runs)]
    if isinstance(law, Bernoulli):
        noise = np.array([stream.random(play.horizon) for stream in streams])
    else:
        noise = np.array([stream.standard_normal(play.horizon) for stream in streams])
    for t in range(1, play.horizon + 1):
        variate = noise[:, t - 1, None]
        if isinstance(law, Bernoulli):
            yield t, (variate < mu).astype(float)
        else:
            paid = mu + np.asarray(law.sigma) * variate
            yield t, paid if isinstance(law, Gaussian) else np.clip(paid, law.low, law.high)


def rounds(play: Play) -> Iterator[Round]:
    """Every round after each arm was pulled once, before its reward is seen.

    The arrays of a round are those of the run itself: read them before asking for the next round.
    """
    mu = latent(play)
    true = play.bandit.true_means(mu)
    n_arms, every = play.bandit.n_arms, np.arange(play.runs)
    counts = np.zeros((play.runs, n_arms), dtype=np.int64)
    mean, deviation = np.zeros((2, play.runs, n_arms))
    for t, paid in rewards(play, mu):
        if t <= n_arms:
            choice = np.full(play.runs, t - 1)
        else:
            sigma0_sq, sigma_sq = variances(play, counts, mean, deviation)
            mu_hat, tau_sq, total = estimate(counts, mean, sigma0_sq, sigma_sq)
            width = np.sqrt(play.a * np.log(t) * tau_sq)
            choice = np.argmax(mu_hat + width, axis=1)
            yield Round(t, true, counts, mu_hat, tau_sq, width, total[:, 0], choice)
        counts[every, choice] += 1
        step = paid[every, choice] - mean[every, choice]
        mean[every, choice] += step / counts[every, choice]
        deviation[every, choice] += step * (paid[every, choice] - mean[every, choice])


def estimate(
    counts: IntArray, mean: FloatArray, sigma0_sq: FloatArray, sigma_sq: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """mu-hat (Eq. blup), tau^2 (Eq. MSE) and sum_i w_i when every arm was pulled; the variances are runs x 1."""
    exact = sigma_sq == 0  # no noise seen yet: the index is the sample mean
    scaled = counts * np.where(exact, 1.0, sigma0_sq)
    weight = scaled / (scaled + sigma_sq)
    total = weight.sum(axis=1, keepdims=True)
    mu0 = _average(weight, mean, counts)
    mu_hat = mu0 + weight * (mean - mu0)
    with np.errstate(divide="ignore", invalid="ignore"):
        tau_sq = (1 - weight) * sigma0_sq * (1 + (1 - weight) / total)
    pooled = sigma_sq / counts.sum(axis=1, keepdims=True)  # the limit sigma0^2 -> 0
    return mu_hat, np.where(total > 0, tau_sq, pooled), total


def _average(weight: FloatArray, mean: FloatArray, counts: IntArray) -> FloatArray:
    """The GLS mean (Eq. r0-estimator); with sigma0^2 = 0 the weights in the limit are the counts."""
    used = np.where(weight.sum(axis=1, keepdims=True) > 0, weight, counts)
    return np.asarray((used * mean).sum(axis=1, keepdims=True) / used.sum(axis=1, keepdims=True))


def variances(play: Play, counts: IntArray, mean: FloatArray, deviation: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(sigma0^2, sigma^2), runs x 1: as given, or Eq. variance2 and Eq. variance1 as printed.

    After one pull of each arm sigma^2 does not show and counts as 0: the index is then the mean.
    """
    if play.sigma0_sq is not None and play.sigma_sq is not None:
        return np.full((play.runs, 1), play.sigma0_sq), np.full((play.runs, 1), play.sigma_sq)
    size = counts.sum(axis=1, keepdims=True)
    spare = size - play.bandit.n_arms
    grand = (counts * mean).sum(axis=1, keepdims=True) / size
    between = (counts * (mean - grand) ** 2).sum(axis=1, keepdims=True)
    effective = size - (counts**2).sum(axis=1, keepdims=True) / size
    return between / effective, deviation.sum(axis=1, keepdims=True) / np.maximum(spare, 1)


def _stream(seed: int, run: int, which: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(run, which))))
