"""One cell of the sweep: its bandit, a simulation, and every bound that applies to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import scipy.stats

import reucb
from reports.core import FloatArray
from reports.core.jobs import Outcome, Settings, Tools
from reports.sections.common.bounds_budget import CurveBudget, SweepBudget
from reucb import bounds
from reucb.bounds.normal import panels
from reucb.policies.base import Policy

BEYOND = 10  # bounds are drawn up to this multiple of the longest simulated horizon
POLICIES = ("ReUCB*", "ReUCB")  # what the sweep tests
DRAWN = (*POLICIES, "ReTS")  # what a picture of regret shows
GAUSSIAN: dict[str, Callable[..., Any]] = {
    "theorem1": bounds.theorem1,
    "sharp": bounds.sharp,
    "logarithmic": bounds.logarithmic,
    "counting": bounds.counting,
    "combined": bounds.combined,
    "lower": lambda a, **model: bounds.lower(**model),  # for every algorithm, so a is not used
}
# About a second for each horizon: evaluated at the horizons that `slow` of a cell names.
SLOW = frozenset({"counting", "combined", "lower"})
LOWER = frozenset({"lower"})
BOUNDED: dict[str, Callable[..., Any]] = {
    "theorem2": bounds.theorem2,
    "theorem2_derived": bounds.theorem2_derived,
    "theorem2_repaired": bounds.theorem2_repaired,
}
TITLES = {
    "theorem1": "printed bound",
    "sharp": "sharp (ours)",
    "logarithmic": "logarithmic (ours)",
    "counting": "counting (ours)",
    "combined": "least of ours",
    "lower": "lower bound, every algorithm (ours)",
    "theorem2": "printed bound",
    "theorem2_derived": "as the proof derives it",
    "theorem2_repaired": "repaired (ours)",
    "exact": "round robin, exact",
}
# Proved for ReUCB* under the cell's own model (Theorem 2 from n = 2 on): a violation contradicts a proof.
PROVED = frozenset({"theorem1", "sharp", "logarithmic", "counting", "combined", "theorem2_repaired"})
# In the first K rounds these bounds are the regret itself, which is tested as "exact".
EXACT_START = frozenset({"sharp", "logarithmic", "counting", "combined"})


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


def horizons(last: int) -> list[int]:
    """1, 3, 10, 30, ... up to the last round; each is the horizon of a test."""
    powers = [int(f * 10**e) for e in range(7) for f in (1, 3)]
    return [*(n for n in powers if n < last), last]


def gaussian(sweep: SweepBudget, seed: int) -> Iterator[dict[str, Any]]:
    """Settings of the cells for Theorem them-R-Bayes, sigma = 1."""
    for policy, n_arms, spread, a in product(POLICIES, sweep.n_arms, sweep.spread, sweep.a):
        model = {"n_arms": n_arms, "sigma0_sq": spread**2, "sigma_sq": 1.0, "a": a}
        yield _cell("gaussian", policy, model, sweep.horizon, sweep.runs, seed)


def bounded(sweep: SweepBudget, seed: int) -> Iterator[dict[str, Any]]:
    """Settings of the cells for Theorem them-R-Bayes-SubR: a = 1 as in the experiments, m and 2 m as it requires."""
    for policy, n_arms, law in product(POLICIES, sweep.bounded_arms, LAWS):
        proxies = {"sigma0_sq": LAWS[law].sigma0_sq, "sigma_sq": LAWS[law].sigma_sq}
        m = float(np.asarray(bounds.m_constant(n_arms=n_arms, **proxies)))
        for a in (1.0, m, 2 * m):
            model = {"n_arms": n_arms, **proxies, "a": a}
            yield _cell(law, policy, model, sweep.horizon, sweep.runs, seed)


def curves(curve: CurveBudget, seed: int) -> Iterator[dict[str, Any]]:
    """Settings of the picture of the first screen."""
    for policy, a in product(DRAWN, curve.a):
        model = {"n_arms": curve.n_arms, "sigma0_sq": curve.sigma0**2, "sigma_sq": curve.sigma**2, "a": a}
        cell = _cell("gaussian", policy, model, curve.horizon, curve.runs, seed)
        marks = {*horizons(curve.horizon), *np.geomspace(1, curve.horizon, 49).round().astype(int).tolist()}
        yield cell | {"horizons": sorted(marks)}


def slow_horizons(curve: CurveBudget) -> list[int]:
    """Where the bounds that take a second each are evaluated for a curve, also beyond the simulated rounds."""
    start, end = curve.n_arms, BEYOND * curve.horizon
    more = np.geomspace(1.3 * start, end, curve.slow).round().astype(int).tolist()
    return sorted({start, curve.horizon, *more})


def bound_lines(settings: Settings, tools: Tools) -> Outcome:
    """Counting and lower bound over rounds, for a picture."""
    model, n = settings["model"], np.asarray(settings["rounds"])
    return {name: GAUSSIAN[name](**model, horizon=n) for name in ("counting", "lower")}


def _cell(law: str, policy: str, model: dict[str, Any], last: int, runs: int, seed: int) -> dict[str, Any]:
    return {
        "law": law,
        "policy": policy,
        "model": model,
        "horizons": horizons(last),
        "slow": [last] if law == "gaussian" else [],
        "runs": runs,
        "seed": seed,
    }


def run(settings: Settings, tools: Tools) -> Outcome:
    """Empirical Bayes regret at the horizons with its standard error, random play, and the applicable bounds."""
    model, marks = settings["model"], settings["horizons"]
    result = reucb.simulate(
        bandit_of(settings),
        policy_of(settings),
        horizon=marks[-1],
        runs=settings["runs"],
        seed=settings["seed"],
        record=marks,
        executor=tools.executor,
        progress=False,
    )
    return {
        "horizons": marks,
        "mean": result.mean,
        "stderr": result.stderr,
        "random": random_regret(settings),
        "bounds": {name: _evaluate(name, model, marks, settings["slow"]) for name in _names(settings)},
    }


def policy_of(settings: Settings) -> Policy:
    """ReUCB* and ReTS* are given both variances, ReUCB and ReTS estimate them."""
    name, model = settings["policy"], settings["model"]
    known = {key: model[key] for key in ("sigma0_sq", "sigma_sq")} if name.endswith("*") else {}
    return reucb.ReTS(**known) if name.startswith("ReTS") else reucb.ReUCB(a=model["a"], **known)


def bandit_of(settings: Settings) -> reucb.Bandit:
    model = settings["model"]
    if settings["law"] != "gaussian":
        return LAWS[settings["law"]].bandit(model["n_arms"])
    prior = scipy.stats.norm(1.0, model["sigma0_sq"] ** 0.5)
    return reucb.Bandit(model["n_arms"], prior, reucb.Gaussian(model["sigma_sq"] ** 0.5))


def random_regret(settings: Settings) -> FloatArray:
    """Bayes regret of random play, and of round robin, at the horizons."""
    model, marks = settings["model"], np.asarray(settings["horizons"])
    if settings["law"] != "gaussian":
        return marks * random_play(LAWS[settings["law"]], model["n_arms"])
    return np.asarray(bounds.trivial(n_arms=model["n_arms"], horizon=marks, sigma0_sq=model["sigma0_sq"]))


def _names(settings: Settings) -> list[str]:
    return list(GAUSSIAN if settings["law"] == "gaussian" else BOUNDED)


def _evaluate(name: str, model: dict[str, Any], marks: list[int], slow: list[int]) -> list[float | None]:
    """The bound at the horizons; None where its hypotheses do not hold, or where it is not asked for."""
    at = [n for n in marks if name not in SLOW or n in slow]
    try:
        found = np.asarray((GAUSSIAN | BOUNDED)[name](**model, horizon=np.asarray(at)))
    except ValueError:
        return [None] * len(marks)
    values = dict(zip(at, found.tolist(), strict=True))
    return [values.get(n) for n in marks]
