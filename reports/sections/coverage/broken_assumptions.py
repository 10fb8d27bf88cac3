"""Where the theory stops applying: how often mu-hat +- c covers, and the law of the standardised error.

Given the reward differences, (mu-hat_k - mu_k) / tau_k is exactly N(0, 1) in the Gaussian model, for a fixed
arm and for the arm about to be pulled, in every round after the first K. Each case breaks one assumption of
that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core.jobs import Outcome, Settings, Tools
from reports.sections.common.bounded_bandits import LAWS
from reports.sections.common.bounds_budget import Coverage
from reports.sections.common.trajectory import Floats, Play, Round, latent, rounds

LEVELS = np.arange(1, 40) / 40  # of the quantiles that are kept
NO_WIDTH = 1e-24  # an estimate that claims to be exact is off by any number of its deviations
NORMAL, NOISE = scipy.stats.norm(1.0, 0.2), reucb.Gaussian(0.5)


@dataclass(frozen=True)
class Case:
    """A bandit and the variances that ReUCB is given (None: it estimates them); its twin is Gaussian and given the "
    "truth."""

    title: str
    prior: Any
    rewards: Any
    sigma0_sq: float | None = 0.04
    sigma_sq: float | None = 0.25
    twin: str = "exact"


def _ramp(n_arms: int) -> reucb.Gaussian:
    """Noise that differs by arm, from 0.1 to 0.5."""
    return reucb.Gaussian(tuple(np.linspace(0.1, 0.5, n_arms).tolist()))


def _student(df: float) -> Any:
    """Heavy tails with mean 1 and standard deviation 0.2."""
    return scipy.stats.t(df, 1.0, 0.2 / np.sqrt(df / (df - 2)))


def _of_law(name: str, title: str, known: bool = True) -> Case:
    law = LAWS[name]
    sigma0_sq, sigma_sq = (law.sigma0_sq, law.sigma_sq) if known else (None, None)
    return Case(title, law.bandit(2).prior, law.bandit(2).rewards, sigma0_sq, sigma_sq, f"{name}-twin")


def _twin(name: str) -> Case:
    """The Gaussian bandit with the variances of a bounded law."""
    law = LAWS[name]
    prior, noise = scipy.stats.norm(0.5, law.sigma0_sq**0.5), reucb.Gaussian(law.sigma_sq**0.5)
    return Case(f"Gaussian twin of {name}", prior, noise, law.sigma0_sq, law.sigma_sq, twin=f"{name}-twin")


CASES = {
    "exact": Case("Gaussian, variances known", NORMAL, NOISE),
    "plug-in": Case("variances estimated", NORMAL, NOISE, None, None),
    "arm-noise": Case("noise 0.1 to 0.5 by arm, given 0.5", NORMAL, _ramp),
    "uniform": Case("uniform prior", scipy.stats.uniform(1 - 0.2 * 3**0.5, 0.4 * 3**0.5), NOISE),
    "t5": Case("prior t with 5 df", _student(5), NOISE),
    "t3": Case("prior t with 3 df", _student(3), NOISE),
    "bernoulli": _of_law("narrow", "Bernoulli, means U[0.2, 0.5]"),
    "bernoulli-plug-in": _of_law("narrow", "the same, variances estimated", known=False),
    "clipped": _of_law("clipped", "clipped Gaussian"),
    "clipped-plug-in": _of_law("clipped", "the same, variances estimated", known=False),
    "narrow-twin": _twin("narrow"),
    "clipped-twin": _twin("clipped"),
}
TWINS = ("narrow-twin", "clipped-twin")  # for comparison only


def units(coverage: Coverage, seed: int) -> list[dict[str, Any]]:
    """Settings of the cases."""
    shared = {"n_arms": coverage.n_arms, "a": coverage.a, "rounds": list(coverage.rounds)}
    return [{"case": name, **shared, "runs": coverage.runs, "seed": seed} for name in CASES]


def run(settings: Settings, tools: Tools) -> Outcome:
    """Standardised errors of arm 1 and of the chosen arm at the rounds, and the regret of every run at the
    last.
    """
    case = CASES[settings["case"]]
    law = case.rewards(settings["n_arms"]) if callable(case.rewards) else case.rewards
    bandit = reucb.Bandit(settings["n_arms"], case.prior, law)
    play = Play(
        bandit, max(settings["rounds"]), 0, settings["runs"], settings["seed"], settings["a"], case.sigma0_sq,
        case.sigma_sq,
    )  # fmt: skip
    mu = bandit.true_means(latent(play))
    every, best = np.arange(play.runs), mu.max(axis=1)
    regret = (best[:, None] - mu).sum(axis=1)
    seen = []
    for now in rounds(play):
        if now.t in settings["rounds"]:
            seen.append({"round": now.t} | _look(now, mu))
        regret += best - mu[every, now.choice]
    random = settings["rounds"][-1] * float((best - mu.mean(axis=1)).mean())
    spread = regret.std(ddof=1) / len(regret) ** 0.5
    return {"rounds": seen, "regret": regret.mean(), "stderr": spread, "random": random}


def _look(now: Round, mu: Floats) -> dict[str, Any]:
    """Coverage and the law of the standardised error in one round, for arm 1 and for the arm about to be pulled."""
    error = now.mu_hat - mu
    deviate = error / np.sqrt(np.maximum(now.tau_sq, NO_WIDTH))
    covered = np.abs(error) <= now.width
    arms = {"fixed": np.zeros_like(now.choice), "chosen": now.choice}
    every, found = np.arange(len(mu)), {"covered_all": covered.all(axis=1).mean()}
    for which, arm in arms.items():
        found[f"covered_{which}"] = covered[every, arm].mean()
        found[f"distance_{which}"] = scipy.stats.kstest(deviate[every, arm], "norm").statistic
        found[f"quantiles_{which}"] = np.quantile(deviate[every, arm], LEVELS)
    return found


def critical(runs: int, error: float) -> float:
    """What that distance exceeds with probability `error` if the deviates are independent N(0, 1)."""
    return float(scipy.stats.kstwo.isf(error, runs))
