"""The steps of two proofs as numbers measured on simulated paths: the printed proof of Theorem 2 and that of `sharp`.

A path is a batch of runs: for every round, how often the chosen arm had been pulled and the sum of all weights (these
decide every width), and the errors and gaps (these decide everything else). Arrays are runs x rounds; the first K
rounds pull every arm once.

For the counting bound the rounds after the first K are divided into pulls of the best arm, good rounds (the gap of the
pulled arm is at most its error plus s_n tau) and bad rounds. The bound charges good rounds by `gaps` and bad rounds by
`rounds`, and adds `prices` once per count so that bad rounds cost less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core import FloatArray, IntArray
from reports.core.jobs import Outcome, Settings, Tools
from reports.sections.common.trajectory import Play, latent, rounds
from reucb import bounds
from reucb.bounds.normal import excess
from reucb.bounds.sharp import learned_pulls, weight

MEASURED = "regret, measured"
# These hold in expectation over the runs; every other step holds on every path.
IN_EXPECTATION = frozenset(
    {
        "tails in closed form, both sides",
        "chosen arm: E[U − μ] = E c",
        "best arm: E[μ − U] ≤ Ψ Σ τ",
        "worst order of pulls",
    }
)
BLOCK = 50  # runs side by side: a block of 10^4 rounds takes some tens of megabytes


@dataclass(frozen=True)
class Model:
    """The numbers a bound is made of; rho = sigma^2 / sigma0^2, beta = 1 + rho / K."""

    n_arms: int
    horizon: int
    sigma0_sq: float
    sigma_sq: float
    a: float

    @property
    def rho(self) -> float:
        return self.sigma_sq / self.sigma0_sq

    @property
    def beta(self) -> float:
        return 1 + self.rho / self.n_arms

    @property
    def log_t(self) -> FloatArray:
        """log t for the rounds K+1..n."""
        return np.log(np.arange(self.n_arms + 1, self.horizon + 1))


@dataclass(frozen=True)
class Pulls:
    """What determines the widths of a path: pulls of the chosen arm before each round, and sum_i w_i then."""

    before: FloatArray
    total_weight: FloatArray

    @classmethod
    def of(cls, choices: IntArray, model: Model) -> Pulls:
        """The path that makes the given choices, runs x rounds."""
        counts = np.zeros((len(choices), model.n_arms))
        before, total = np.empty((2, *choices.shape))
        every = np.arange(len(choices))
        for t, choice in enumerate(choices.T):
            before[:, t] = counts[every, choice]
            total[:, t] = weight(counts, model.rho).sum(axis=1)
            counts[every, choice] += 1
        return cls(before, total)

    def later(self, model: Model) -> Pulls:
        """The rounds after the round robin."""
        return Pulls(self.before[:, model.n_arms :], self.total_weight[:, model.n_arms :])


def tilde_sq(pulls: Pulls, model: Model) -> FloatArray:
    """tau-tilde^2 of the chosen arm, sigma^2 / (n + rho) (Eq. MSE-term1)."""
    return model.sigma_sq / (pulls.before + model.rho)


def tau_sq(pulls: Pulls, model: Model) -> FloatArray:
    """tau^2 of the chosen arm, tau-tilde^2 (1 + (1 - w) / sum_i w_i) (Eq. MSE); not in the first round."""
    return np.asarray(tilde_sq(pulls, model) * (1 + weight(model.rho, pulls.before) / pulls.total_weight))


def own_sq(pulls: Pulls, model: Model) -> FloatArray:
    """The bound on tau^2 by the arm's own pulls s, sigma^2 / (s + alpha), alpha = (K - 1) rho / (K + rho)."""
    alpha = learned_pulls(model.n_arms, model.sigma0_sq, model.sigma_sq)
    return model.sigma_sq / (pulls.before + alpha)


def widths(pulls: Pulls, model: Model) -> FloatArray:
    """Sum over t > K of c = sqrt(a tau^2 log t) (Eq. confidence-C)."""
    return np.asarray(np.sqrt(model.a * tau_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


def widths_beta(pulls: Pulls, model: Model) -> FloatArray:
    """The same with tau^2 <= beta tau-tilde^2 (Lemma sec:tau)."""
    return np.asarray(np.sqrt(model.a * model.beta * tilde_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


def widths_log_n(pulls: Pulls, model: Model) -> FloatArray:
    """... and log t <= log n."""
    scale = model.a * model.beta * np.log(model.horizon)
    return np.asarray(np.sqrt(scale * tilde_sq(pulls.later(model), model)).sum(axis=1))


def widths_all(pulls: Pulls, model: Model) -> FloatArray:
    """... with the first K rounds priced like the others (the printed sum starts at t = 1)."""
    return np.asarray(np.sqrt(model.a * model.beta * np.log(model.horizon) * tilde_sq(pulls, model)).sum(axis=1))


def cauchy_schwarz(pulls: Pulls, model: Model) -> FloatArray:
    """... by Cauchy-Schwarz: sqrt(a beta n log n sum_t tau-tilde^2)."""
    scale = model.a * model.beta * model.horizon * np.log(model.horizon)
    return np.asarray(np.sqrt(scale * tilde_sq(pulls, model).sum(axis=1)))


def logarithms(pulls: Pulls, model: Model) -> FloatArray:
    """... with x <= gamma log(1 + x / sigma^2), gamma = sigma0^2 / log(1 + 1/rho)."""
    gamma = model.sigma0_sq / np.log1p(1 / model.rho)
    scale = model.a * model.beta * model.horizon * np.log(model.horizon) * gamma
    return np.asarray(np.sqrt(scale * np.log1p(tilde_sq(pulls, model) / model.sigma_sq).sum(axis=1)))


def telescoped(model: Model) -> float:
    """... telescoped with n_k <= n: half the first term of Theorem them-R-Bayes."""
    ratio = np.log1p(model.horizon / model.rho) / np.log1p(1 / model.rho)
    scale = model.a * model.beta * model.horizon * np.log(model.horizon)
    return float(np.sqrt(scale * model.sigma0_sq * model.n_arms * ratio))


def widths_own(pulls: Pulls, model: Model) -> FloatArray:
    """Sum over t > K of c with tau^2 <= sigma^2 / (s + alpha): each width by the arm's own pulls."""
    return np.asarray(np.sqrt(model.a * own_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


@dataclass(frozen=True)
class Path:
    """Quantities of the runs, runs x rounds after the round robin; `start` is the regret of the round robin."""

    pulls: Pulls
    start: FloatArray
    gap: FloatArray  # mu_* - mu_I
    over: FloatArray  # mu-hat_I - mu_I
    under: FloatArray  # mu_* - mu-hat_*
    width: FloatArray  # c_I
    width_best: FloatArray  # c_*
    right: FloatArray  # 1 where some mu-hat_k - mu_k > c_k (the event E_R fails)
    left: FloatArray  # 1 where some mu_k - mu-hat_k > c_k (the event E_L fails)
    tau_sum: FloatArray  # sum_k tau_k


def follow(play: Play) -> Path:
    """Play the runs and keep the quantities of the proof."""
    n_arms = play.bandit.n_arms
    mu = play.bandit.true_means(latent(play))
    every, best = np.arange(play.runs), mu.argmax(axis=1)
    shape = (play.runs, play.horizon)
    before, total = (
        np.zeros(shape),
        np.ones(shape),
    )  # the first K rounds: pulled never, the weights are not used
    kept = np.empty((8, play.runs, play.horizon - n_arms))
    for now in rounds(play):
        t, choice = now.t - 1, now.choice
        before[:, t], total[:, t] = now.counts[every, choice], now.fit.weights.sum(axis=1)
        error = now.fit.mu - mu
        kept[:, :, t - n_arms] = (
            mu[every, best] - mu[every, choice],
            error[every, choice],
            -error[every, best],
            now.width[every, choice],
            now.width[every, best],
            (error > now.width).any(axis=1),
            (-error > now.width).any(axis=1),
            np.sqrt(now.fit.mse).sum(axis=1),
        )
    start = (mu.max(axis=1, keepdims=True) - mu).sum(axis=1)
    return Path(Pulls(before, total), start, *kept)


def printed_levels(path: Path, model: Model) -> Iterator[tuple[str, FloatArray]]:
    """(step, what the proof has after it), each one number per run: the proof of Theorem them-R-Bayes.

    Index and events exist only after the round robin, so its regret is carried along until the printed sum of
    widths, which starts at t = 1, takes it in.
    """
    pulls, start = path.pulls, path.start
    split = (path.over * path.right + path.under * path.left).sum(axis=1)
    closed = 2 * (np.exp(-model.a / 2 * model.log_t) / np.sqrt(2 * np.pi) * path.tau_sum).sum(axis=1)
    tail = float(np.asarray(bounds.theorem1_terms(**vars(model))["tail"]))
    yield MEASURED, start + path.gap.sum(axis=1)
    both = path.under - path.width_best + path.over + path.width
    yield "optimism: U of the best ≤ U of the chosen", start + both.sum(axis=1)
    yield "split on E_R, E_L: 2 Σ c and tails", start + 2 * path.width.sum(axis=1) + split
    yield "tails in closed form, both sides", start + 2 * path.width.sum(axis=1) + closed
    yield "tails: all widths as after one pull", start + 2 * widths(pulls, model) + tail
    yield "τ² ≤ β τ̃²", start + 2 * widths_beta(pulls, model) + tail
    yield "log t ≤ log n", start + 2 * widths_log_n(pulls, model) + tail
    yield "first K rounds join the sum", 2 * widths_all(pulls, model) + tail
    yield "Cauchy-Schwarz", 2 * cauchy_schwarz(pulls, model) + tail
    yield "x ≤ γ log(1 + x/σ²)", 2 * logarithms(pulls, model) + tail
    yield "telescoping, n_k ≤ n", np.full(len(start), 2 * telescoped(model) + tail)


def sharp_levels(path: Path, model: Model) -> Iterator[tuple[str, FloatArray]]:
    """The same for `reucb.bounds.sharp`."""
    terms = {name: float(np.asarray(value)) for name, value in bounds.sharp_terms(**vars(model)).items()}
    start, missed = path.start, (path.under - path.width_best).sum(axis=1)
    psi = (excess(np.sqrt(model.a * model.log_t)) * path.tau_sum).sum(axis=1)
    yield MEASURED, start + path.gap.sum(axis=1)
    yield (
        "optimism: U of the best ≤ U of the chosen",
        start + missed + (path.over + path.width).sum(axis=1),
    )
    yield "chosen arm: E[U − μ] = E c", start + missed + path.width.sum(axis=1)
    yield "best arm: E[μ − U] ≤ Ψ Σ τ", start + path.width.sum(axis=1) + psi
    yield "tails: all extra pulls on one arm", start + path.width.sum(axis=1) + terms["tail"]
    yield "τ² ≤ σ²/(s + α)", start + widths_own(path.pulls, model) + terms["tail"]
    yield "worst order of pulls", np.full(len(start), terms["total"])


def spent_by_round(
    gap: FloatArray, error: FloatArray, width: FloatArray, start: FloatArray, n_arms: int
) -> dict[str, Any]:
    """Mean regret of the first K, the good and the bad rounds, with its standard error over runs.

    gap, error (mu-hat - mu of the pulled arm) and width (s_t tau) are runs x rounds after the first K.
    """
    t = np.arange(n_arms + 1, n_arms + 1 + gap.shape[1])
    horizon = n_arms + gap.shape[1]
    good = gap <= width * np.sqrt(np.log(horizon) / np.log(t)) + error
    parts = {"first": start, "good": (gap * good).sum(axis=1), "bad": (gap * ~good).sum(axis=1)}
    runs = len(start)
    return {name: {"mean": part.mean(), "sum_sq": float((part**2).sum()), "runs": runs} for name, part in parts.items()}


def joined_blocks(blocks: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Mean and standard error over blocks of runs."""
    found = {}
    for name in blocks[0]:
        runs = sum(block[name]["runs"] for block in blocks)
        mean = sum(block[name]["mean"] * block[name]["runs"] for block in blocks) / runs
        variance = (sum(block[name]["sum_sq"] for block in blocks) - runs * mean**2) / (runs - 1)
        found[name] = {"mean": float(mean), "stderr": float(max(variance, 0.0) ** 0.5 / runs**0.5)}
    return found


def run(settings: Settings, tools: Tools) -> Outcome:
    """Mean and standard error of every level, and the least slack of every step over the runs."""
    model = Model(**{name: settings[name] for name in ("n_arms", "horizon", "sigma0_sq", "sigma_sq", "a")})
    prior = scipy.stats.norm(settings["mu0"], model.sigma0_sq**0.5)
    bandit = reucb.Bandit(model.n_arms, prior, reucb.Gaussian(model.sigma_sq**0.5))
    found: dict[str, dict[str, list[FloatArray]]] = {"printed": {}, "sharp": {}}
    spent = []
    for first in range(0, settings["runs"], BLOCK):
        count = min(BLOCK, settings["runs"] - first)
        play = Play(bandit, model.horizon, first, count, settings["seed"], model.a, model.sigma0_sq, model.sigma_sq)
        path = follow(play)
        spent.append(spent_by_round(path.gap, path.over, path.width, path.start, model.n_arms))
        for chain, levels in (("printed", printed_levels), ("sharp", sharp_levels)):
            for name, values in levels(path, model):
                found[chain].setdefault(name, []).append(values)
    chains = {chain: _summary({name: np.concatenate(v) for name, v in kept.items()}) for chain, kept in found.items()}
    terms = {name: float(np.asarray(value)) for name, value in bounds.counting_terms(**vars(model)).items()}
    return {**chains, "spent": joined_blocks(spent), "counting": terms}


def _summary(levels: dict[str, FloatArray]) -> list[dict[str, object]]:
    """One record per level, in order: mean, its standard error, and the least slack of the step that led
    here.
    """
    records: list[dict[str, object]] = []
    last: FloatArray | None = None
    for name, values in levels.items():
        least = None if last is None else float((values - last).min())
        error = float(values.std(ddof=1) / len(values) ** 0.5)
        records.append({"step": name, "mean": float(values.mean()), "stderr": error, "least_slack": least})
        last = values
    return records
