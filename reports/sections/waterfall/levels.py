"""What each proof step costs: from the regret measured up to the bound, for the printed proof and for
`sharp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.stats
from scipy.special import ndtr

import reucb
from reports.core.jobs import Outcome, Settings, Tools
from reports.sections.common.trajectory import Floats, Play, latent, rounds
from reports.sections.waterfall import counting, proof_steps
from reports.sections.waterfall.proof_steps import Model, Pulls
from reucb import bounds

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
class Path:
    """What the runs met, runs x rounds after the round robin; `start` is the regret of the round robin."""

    pulls: Pulls
    start: Floats
    gap: Floats  # mu_* - mu_I
    over: Floats  # mu-hat_I - mu_I
    under: Floats  # mu_* - mu-hat_*
    width: Floats  # c_I
    width_best: Floats  # c_*
    right: Floats  # 1 where some mu-hat_k - mu_k > c_k (the event E_R fails)
    left: Floats  # 1 where some mu_k - mu-hat_k > c_k (the event E_L fails)
    tau_sum: Floats  # sum_k tau_k


def follow(play: Play) -> Path:
    """Play the runs and keep the quantities of the proof."""
    n_arms = play.bandit.n_arms
    mu = play.bandit.true_means(latent(play))
    every, best = np.arange(play.runs), mu.argmax(axis=1)
    shape = (play.runs, play.horizon)
    before, weight = (
        np.zeros(shape),
        np.ones(shape),
    )  # the first K rounds: pulled never, the weight is not used
    kept = np.empty((8, play.runs, play.horizon - n_arms))
    for now in rounds(play):
        t, choice = now.t - 1, now.choice
        before[:, t], weight[:, t] = now.counts[every, choice], now.total_weight
        error = now.mu_hat - mu
        kept[:, :, t - n_arms] = (
            mu[every, best] - mu[every, choice],
            error[every, choice],
            -error[every, best],
            now.width[every, choice],
            now.width[every, best],
            (error > now.width).any(axis=1),
            (-error > now.width).any(axis=1),
            np.sqrt(now.tau_sq).sum(axis=1),
        )
    start = (mu.max(axis=1, keepdims=True) - mu).sum(axis=1)
    return Path(Pulls(before, weight), start, *kept)


def excess(s: Floats) -> Floats:
    """Psi(s) = phi(s) - s (1 - Phi(s)), the mean of (Z - s)^+ for a standard normal Z."""
    return np.asarray(np.exp(-s * s / 2) / np.sqrt(2 * np.pi) - s * ndtr(-s))


def printed_levels(path: Path, model: Model) -> Iterator[tuple[str, Floats]]:
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
    yield "tails: all widths as after one pull", start + 2 * proof_steps.widths(pulls, model) + tail
    yield "τ² ≤ β τ̃²", start + 2 * proof_steps.widths_beta(pulls, model) + tail
    yield "log t ≤ log n", start + 2 * proof_steps.widths_log_n(pulls, model) + tail
    yield "first K rounds join the sum", 2 * proof_steps.widths_all(pulls, model) + tail
    yield "Cauchy-Schwarz", 2 * proof_steps.cauchy_schwarz(pulls, model) + tail
    yield "x ≤ γ log(1 + x/σ²)", 2 * proof_steps.logarithms(pulls, model) + tail
    yield "telescoping, n_k ≤ n", np.full(len(start), 2 * proof_steps.telescoped(model) + tail)


def sharp_levels(path: Path, model: Model) -> Iterator[tuple[str, Floats]]:
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
    yield "τ² ≤ σ²/(s + α)", start + proof_steps.widths_own(path.pulls, model) + terms["tail"]
    yield "worst order of pulls", np.full(len(start), terms["total"])


def run(settings: Settings, tools: Tools) -> Outcome:
    """Mean and standard error of every level, and the least slack of every step over the runs."""
    model = Model(**{name: settings[name] for name in ("n_arms", "horizon", "sigma0_sq", "sigma_sq", "a")})
    prior = scipy.stats.norm(settings["mu0"], model.sigma0_sq**0.5)
    bandit = reucb.Bandit(model.n_arms, prior, reucb.Gaussian(model.sigma_sq**0.5))
    found: dict[str, dict[str, list[Floats]]] = {"printed": {}, "sharp": {}}
    spent = []
    for first in range(0, settings["runs"], BLOCK):
        count = min(BLOCK, settings["runs"] - first)
        play = Play(bandit, model.horizon, first, count, settings["seed"], model.a, model.sigma0_sq, model.sigma_sq)
        path = follow(play)
        spent.append(counting.spent(path.gap, path.over, path.width, path.start, model.n_arms))
        for chain, levels in (("printed", printed_levels), ("sharp", sharp_levels)):
            for name, values in levels(path, model):
                found[chain].setdefault(name, []).append(values)
    chains = {chain: _summary({name: np.concatenate(v) for name, v in kept.items()}) for chain, kept in found.items()}
    terms = {name: float(np.asarray(value)) for name, value in bounds.counting_terms(**vars(model)).items()}
    return {**chains, "spent": counting.joined(spent), "counting": terms}


def _summary(levels: dict[str, Floats]) -> list[dict[str, object]]:
    """One record per level, in order: mean, its standard error, and the least slack of the step that led
    here.
    """
    records: list[dict[str, object]] = []
    last: Floats | None = None
    for name, values in levels.items():
        least = None if last is None else float((values - last).min())
        error = float(values.std(ddof=1) / len(values) ** 0.5)
        records.append({"step": name, "mean": float(values.mean()), "stderr": error, "least_slack": least})
        last = values
    return records
