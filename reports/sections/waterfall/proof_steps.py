"""The proof of Theorem them-R-Bayes step by step, each as a number measured on a path.

A path is a batch of runs: for every round, how often the chosen arm had been pulled and the sum of all
weights (these decide every width), and the errors and gaps met (these decide everything else). Arrays are
runs x rounds; the first K rounds pull every arm once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.sections.common.trajectory import Floats
from reucb import bounds


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
    def log_t(self) -> Floats:
        """log t for the rounds K+1..n."""
        return np.log(np.arange(self.n_arms + 1, self.horizon + 1))


@dataclass(frozen=True)
class Pulls:
    """Which widths a path meets: pulls of the chosen arm before each round, and sum_i w_i then."""

    before: Floats
    total_weight: Floats

    @classmethod
    def of(cls, choices: NDArray[np.int64], model: Model) -> Pulls:
        """The path that makes the given choices, runs x rounds."""
        counts = np.zeros((len(choices), model.n_arms))
        before, total = np.empty((2, *choices.shape))
        every = np.arange(len(choices))
        for t, choice in enumerate(choices.T):
            before[:, t] = counts[every, choice]
            total[:, t] = (counts / (counts + model.rho)).sum(axis=1)
            counts[every, choice] += 1
        return cls(before, total)

    def later(self, model: Model) -> Pulls:
        """The rounds after the round robin."""
        return Pulls(self.before[:, model.n_arms :], self.total_weight[:, model.n_arms :])


def tilde_sq(pulls: Pulls, model: Model) -> Floats:
    """tau-tilde^2 of the chosen arm, sigma^2 / (n + rho) (Eq. MSE-term1)."""
    return model.sigma_sq / (pulls.before + model.rho)


def tau_sq(pulls: Pulls, model: Model) -> Floats:
    """tau^2 of the chosen arm, tau-tilde^2 (1 + (1 - w) / sum_i w_i) (Eq. MSE); not in the first round."""
    return tilde_sq(pulls, model) * (1 + model.rho / (pulls.before + model.rho) / pulls.total_weight)


def own_sq(pulls: Pulls, model: Model) -> Floats:
    """The bound on tau^2 by the arm's own pulls s, sigma^2 / (s + alpha), alpha = (K - 1) rho / (K + rho)."""
    alpha = (model.n_arms - 1) * model.rho / (model.n_arms + model.rho)
    return model.sigma_sq / (pulls.before + alpha)


def widths(pulls: Pulls, model: Model) -> Floats:
    """Sum over t > K of c = sqrt(a tau^2 log t) (Eq. confidence-C)."""
    return np.asarray(np.sqrt(model.a * tau_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


def widths_beta(pulls: Pulls, model: Model) -> Floats:
    """The same with tau^2 <= beta tau-tilde^2 (Lemma sec:tau)."""
    return np.asarray(np.sqrt(model.a * model.beta * tilde_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


def widths_log_n(pulls: Pulls, model: Model) -> Floats:
    """... and log t <= log n."""
    scale = model.a * model.beta * np.log(model.horizon)
    return np.asarray(np.sqrt(scale * tilde_sq(pulls.later(model), model)).sum(axis=1))


def widths_all(pulls: Pulls, model: Model) -> Floats:
    """... with the first K rounds priced like the others (the printed sum starts at t = 1)."""
    return np.asarray(np.sqrt(model.a * model.beta * np.log(model.horizon) * tilde_sq(pulls, model)).sum(axis=1))


def cauchy_schwarz(pulls: Pulls, model: Model) -> Floats:
    """... by Cauchy-Schwarz: sqrt(a beta n log n sum_t tau-tilde^2)."""
    scale = model.a * model.beta * model.horizon * np.log(model.horizon)
    return np.asarray(np.sqrt(scale * tilde_sq(pulls, model).sum(axis=1)))


def logarithms(pulls: Pulls, model: Model) -> Floats:
    """... with x <= gamma log(1 + x / sigma^2), gamma = sigma0^2 / log(1 + 1/rho)."""
    gamma = model.sigma0_sq / np.log1p(1 / model.rho)
    scale = model.a * model.beta * model.horizon * np.log(model.horizon) * gamma
    return np.asarray(np.sqrt(scale * np.log1p(tilde_sq(pulls, model) / model.sigma_sq).sum(axis=1)))


def telescoped(model: Model) -> float:
    """... telescoped with n_k <= n: half the first term of Theorem them-R-Bayes."""
    ratio = np.log1p(model.horizon / model.rho) / np.log1p(1 / model.rho)
    scale = model.a * model.beta * model.horizon * np.log(model.horizon)
    return float(np.sqrt(scale * model.sigma0_sq * model.n_arms * ratio))


def widths_own(pulls: Pulls, model: Model) -> Floats:
    """Sum over t > K of c with tau^2 <= sigma^2 / (s + alpha): each width by the arm's own pulls."""
    return np.asarray(np.sqrt(model.a * own_sq(pulls.later(model), model) * model.log_t).sum(axis=1))


def worst_order(model: Model) -> float:
    """... in the worst order: pulls spread evenly and the widest last (the term `widths` of `sharp`)."""
    return float(np.asarray(bounds.sharp_terms(**vars(model))["widths"]))


def _constant(value: float, pulls: Pulls) -> Floats:
    return np.full(len(pulls.before), value)


# The inequalities between sums of widths that hold on every path: smaller side, larger side.
PATHWISE = {
    "tau^2 <= beta tilde-tau^2": (widths, widths_beta),
    "log t <= log n": (widths_beta, widths_log_n),
    "the first K rounds": (widths_log_n, widths_all),
    "Cauchy-Schwarz": (widths_all, cauchy_schwarz),
    "x / log(1 + x)": (cauchy_schwarz, logarithms),
    "telescoping, n_k <= n": (logarithms, lambda pulls, model: _constant(telescoped(model), pulls)),
    "tau^2 <= sigma^2 / (s + alpha)": (widths, widths_own),
    "worst order of pulls": (widths_own, lambda pulls, model: _constant(worst_order(model), pulls)),
}
