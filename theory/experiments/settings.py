"""The paper's experiments as data: bandits, and the policies that meet them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import scipy.stats

import reucb
from reucb.policies.base import Policy


@dataclass(frozen=True)
class Experiment:
    """One panel: `label` is the paper's figure, `short` fits beside an axis, `policies` are named as on the picture."""

    name: str
    short: str
    title: str
    label: str
    bandit: reucb.Bandit
    policies: Mapping[str, Policy]
    chosen: tuple[str, ...] = ()  # what the paper leaves open, and what was taken


START = "ReUCB pulls every arm once, then estimates the variances in every round (a variance without data counts as 0)"
RATES = "KL-UCB at rate log t, Bayes-UCB at level 1 - 1/t: the paper does not say which it used"


def gaussian(name: str, law: str, prior: Any, mean: float, variance: float, noise: float = 0.25) -> Experiment:
    """Gaussian rewards, K = 50; Thompson sampling and ReUCB* are given the prior's true moments."""
    bandit = reucb.Bandit(50, prior, reucb.Gaussian(noise**0.5))
    return Experiment(
        name,
        f"Gaussian, {law}",
        f"Gaussian bandit, means {law}, K = 50",
        "fig:Gaussian-armed",
        bandit,
        {
            "ReUCB": reucb.ReUCB(a=1.0),
            "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=variance, sigma_sq=noise),
            "TS": reucb.GaussianTS(mu0=mean, sigma0_sq=variance, sigma_sq=noise),
            "UCB1": reucb.UCB1(sigma_sq=noise),
        },
        (START,),
    )


def bernoulli(n_arms: int) -> Experiment:
    """Bernoulli rewards, means U[0.2, 0.5]; ReUCB* takes the largest variance 1/4."""
    bandit = reucb.Bandit(n_arms, scipy.stats.uniform(0.2, 0.3), reucb.Bernoulli())
    title = f"Bernoulli bandit, means U[0.2, 0.5], K = {n_arms}"
    return Experiment(
        f"bernoulli-{n_arms}",
        f"Bernoulli, K = {n_arms}",
        title,
        "fig:bernoulli",
        bandit,
        {
            "ReUCB": reucb.ReUCB(a=1.0),
            "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=0.09 / 12, sigma_sq=0.25),
            "TS": reucb.BernoulliTS(alpha=1, beta=1),
            "UCB1": reucb.UCB1(sigma_sq=0.25),
        },
        (START,),
    )


LOW = scipy.stats.norm(1, 0.2)
TS_LOW = reucb.GaussianTS(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25)
STAR_LOW = reucb.ReUCB(a=1.0, sigma0_sq=0.04, sigma_sq=0.25)

SETTINGS: dict[str, Experiment] = {
    s.name: s
    for s in (
        gaussian("gaussian-a", "N(1, 0.04)", LOW, 1.0, 0.04),
        gaussian("gaussian-b", "N(1, 1)", scipy.stats.norm(1, 1), 1.0, 1.0),
        gaussian("gaussian-c", "U[1, 2]", scipy.stats.uniform(1, 1), 1.5, 1 / 12),
        bernoulli(20),
        bernoulli(50),
        bernoulli(100),
        Experiment(
            "misspecified-a",
            "wrong priors, Gaussian",
            "Wrong priors, Gaussian, means N(1, 0.04)",
            "fig:Mis-prior",
            reucb.Bandit(50, LOW, reucb.Gaussian(0.5)),
            {
                "ReUCB": reucb.ReUCB(a=1.0),
                "ReUCB* (σ₀² = 1)": reucb.ReUCB(a=1.0, sigma0_sq=1.0, sigma_sq=0.25),
                "TS": TS_LOW,
                "TSm1": reucb.GaussianTS(mu0=1.0, sigma0_sq=1.0, sigma_sq=0.25),
                "TSm2": reucb.GaussianTS(mu0=0.0, sigma0_sq=0.04, sigma_sq=0.25),
            },
            (START, "horizon 10,000, as elsewhere in the paper"),
        ),
        Experiment(
            "misspecified-b",
            "Bernoulli, Beta(1, 9)",
            "Wrong prior, Bernoulli, means Beta(1, 9), K = 20",
            "fig:Mis-prior",
            reucb.Bandit(20, scipy.stats.beta(1, 9), reucb.Bernoulli()),
            {
                "ReUCB": reucb.ReUCB(a=1.0),
                "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=0.00818, sigma_sq=0.25),
                "TS": reucb.BernoulliTS(alpha=1, beta=9),
                "TSm": reucb.BernoulliTS(alpha=9, beta=1),
            },
            (START, "horizon 10,000, as elsewhere in the paper"),
        ),
        Experiment(
            "misspecified-c",
            "clipped Gaussian",
            "Wrong reward law: Gaussian clipped to [0, 1], K = 20",
            "fig:Mis-prior",
            reucb.Bandit(20, scipy.stats.norm(0.3, 0.1), reucb.ClippedGaussian(0.2)),
            {
                "ReUCB": reucb.ReUCB(a=1.0),
                "ReUCB*": reucb.ReUCB(a=1.0, sigma0_sq=0.01, sigma_sq=0.04),
                "TS (Beta)": reucb.BernoulliTS(alpha=6, beta=14),
                "TS (Gauss)": reucb.GaussianTS(mu0=0.3, sigma0_sq=0.01, sigma_sq=0.04),
            },
            (
                START,
                "regret counts the mean of the clipped law",
                "rewards between 0 and 1 reach the Beta posterior by randomised rounding",
            ),
        ),
        Experiment(
            "ucb-family",
            "UCB family",
            "The UCB family, Gaussian, means N(1, 0.04)",
            "fig:Gaussian-Others",
            reucb.Bandit(50, LOW, reucb.Gaussian(0.5)),
            {
                "ReUCB": reucb.ReUCB(a=1.0),
                "ReUCB*": STAR_LOW,
                "ReUCB∞": reucb.ReUCBInf(sigma_sq=0.25, a=1.0),
                "TS": TS_LOW,
                "Bayes-UCB": reucb.BayesUCB(mu0=1.0, sigma0_sq=0.04, sigma_sq=0.25),
                "KL-UCB": reucb.KLUCB(sigma_sq=0.25),
                "UCB1": reucb.UCB1(sigma_sq=0.25),
            },
            (START, RATES),
        ),
    )
}
# Where the variance estimators are compared; a prior that is wrong by design is left out.
ESTIMATED = (
    "gaussian-a",
    "gaussian-b",
    "gaussian-c",
    "bernoulli-20",
    "bernoulli-50",
    "bernoulli-100",
    "misspecified-b",
    "misspecified-c",
)
