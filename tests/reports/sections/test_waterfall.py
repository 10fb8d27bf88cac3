"""The waterfall: inequalities between sums of widths on random pull sequences, each with a mutant that must fail;
chains that end at the bounds; the conditioning step.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

import reucb
from reports.core import FloatArray
from reports.core.jobs import Tools
from reports.sections.common.trajectory import Play, latent, rounds
from reports.sections.waterfall import panels, proof_steps
from reports.sections.waterfall import proof_steps as steps
from reports.sections.waterfall.proof_steps import Model, Pulls
from reucb import bounds

MODEL = Model(n_arms=5, horizon=200, sigma0_sq=0.3, sigma_sq=1.0, a=1.0)
SETTINGS = {**vars(MODEL), "mu0": 1.0, "runs": 60, "seed": 7}


@pytest.fixture(scope="module")
def outcome() -> dict[str, list[dict[str, float]]]:
    return dict(proof_steps.run(SETTINGS, Tools()))


def test_chains_start_at_the_regret_and_end_at_the_bounds(outcome: dict[str, list[dict[str, float]]]) -> None:
    bandit = reucb.Bandit(5, scipy.stats.norm(1, 0.3**0.5), reucb.Gaussian(1.0))
    result = reucb.simulate(bandit, reucb.ReUCB(1.0, sigma0_sq=0.3, sigma_sq=1.0), 200, 60, seed=7, executor=1)
    ends = {"printed": bounds.theorem1(**vars(MODEL)), "sharp": bounds.sharp(**vars(MODEL))}
    for chain, end in ends.items():
        assert outcome[chain][0]["mean"] == pytest.approx(result.final.mean(), rel=1e-10)
        assert outcome[chain][-1]["mean"] == pytest.approx(end, rel=1e-12)


def test_steps_that_hold_on_every_path_do(outcome: dict[str, list[dict[str, float]]]) -> None:
    rows = panels.records(outcome)
    assert panels.broken(rows) == []
    assert sum(row["holds"] == "every path" for row in rows) == 12


def test_a_broken_step_is_seen(outcome: dict[str, list[dict[str, float]]]) -> None:
    rows = panels.records(outcome)
    row = next(row for row in rows if row["holds"] == "every path")
    row["least_slack"] = -1e-6 * row["level"]
    assert panels.broken(rows) == [row]


def test_error_of_the_chosen_arm_has_mean_zero_and_size_tau() -> None:
    """E[mu-hat_I - mu_I] = 0 and E[(mu-hat_I - mu_I)^2] = E tau_I^2 in every round, under adaptive sampling.

    z-tests over 2000 runs at |z| < 5.5 in 10 rounds each: false alarm below 1e-6. They detect a bias of 0.12 tau and a
    variance that is off by 20 %, e.g. the mutant that leaves out the uncertainty of mu0 (tau-tilde for tau: 1/3 less).
    """
    bandit = reucb.Bandit(2, scipy.stats.norm(0, 1), reucb.Gaussian(1.0))
    play = Play(bandit, 12, 0, 2000, 11, 1.0, 1.0, 1.0)
    mu, every, weak = latent(play), np.arange(2000), 0
    for now in rounds(play):
        error = (now.fit.mu - mu)[every, now.choice]
        square = error**2 / now.fit.mse[every, now.choice]
        tilde = error**2 * (now.counts[every, now.choice] + 1.0)
        assert abs(error.mean()) < 5.5 * error.std() / 2000**0.5
        assert abs(square.mean() - 1) < 5.5 * (2 / 2000) ** 0.5
        weak += abs(tilde.mean() - 1) > 5.5 * (2 / 2000) ** 0.5
    assert weak > 0


@pytest.mark.parametrize("s", [0.0, 0.5, 2.0, 5.0])
def test_excess_is_the_mean_above(s: float) -> None:
    expected = quad(lambda z: (z - s) * scipy.stats.norm.pdf(z), s, 40)[0]
    assert proof_steps.excess(np.array(s)) == pytest.approx(expected, rel=1e-9)


Sum = Callable[[Pulls, Model], FloatArray | float]
ROUNDING = 1e-12  # sums of at most 60 terms
variances = st.floats(1e-4, 1e4)


@st.composite
def paths(draw: st.DrawFn) -> tuple[Model, Pulls]:
    """A model with K >= 2 and one pull sequence: every arm once, then anything."""
    n_arms = draw(st.integers(2, 6))
    rest = draw(st.lists(st.integers(0, n_arms - 1), min_size=1, max_size=50))
    model = Model(n_arms, n_arms + len(rest), draw(variances), draw(variances), draw(st.floats(0.05, 10)))
    return model, Pulls.of(np.array([[*range(n_arms), *rest]]), model)


def worst_order(_: Pulls, model: Model) -> float:
    """Pulls spread evenly and the widest last: the term `widths` of `sharp`."""
    return float(np.asarray(bounds.sharp_terms(**vars(model))["widths"]))


# The inequalities between sums of widths that hold on every path: smaller side, larger side.
PATHWISE: dict[str, tuple[Sum, Sum]] = {
    "tau^2 <= beta tilde-tau^2": (steps.widths, steps.widths_beta),
    "log t <= log n": (steps.widths_beta, steps.widths_log_n),
    "the first K rounds": (steps.widths_log_n, steps.widths_all),
    "Cauchy-Schwarz": (steps.widths_all, steps.cauchy_schwarz),
    "x / log(1 + x)": (steps.cauchy_schwarz, steps.logarithms),
    "telescoping, n_k <= n": (steps.logarithms, lambda _, model: steps.telescoped(model)),
    "tau^2 <= sigma^2 / (s + alpha)": (steps.widths, steps.widths_own),
    "worst order of pulls": (steps.widths_own, worst_order),
}


@pytest.mark.parametrize("name", PATHWISE)
@given(path=paths())
def test_inequality_holds_on_every_path(name: str, path: tuple[Model, Pulls]) -> None:
    model, pulls = path
    smaller, larger = PATHWISE[name]
    assert np.all(smaller(pulls, model) <= larger(pulls, model) * (1 + ROUNDING))


# The larger side made a little smaller, in the way a careless proof would: (inequality, mutated larger side).
MUTANTS: dict[str, tuple[str, Sum]] = {
    "beta dropped": ("tau^2 <= beta tilde-tau^2", lambda p, m: steps.widths_beta(p, m) / np.sqrt(m.beta)),
    "log(n - 1)": ("log t <= log n", lambda p, m: steps.widths_log_n(p, m) * _log_ratio(m.horizon - 1, m.horizon)),
    "a round lost": ("the first K rounds", lambda p, m: _without_first(p, m)),
    "n - K for n": ("Cauchy-Schwarz", lambda p, m: steps.cauchy_schwarz(p, m) * np.sqrt(1 - m.n_arms / m.horizon)),
    "gamma without log": ("x / log(1 + x)", lambda p, m: steps.logarithms(p, m) * np.sqrt(np.log1p(1 / m.rho) * m.rho)),
    "n/K/2 pulls each": ("telescoping, n_k <= n", lambda p, m: _telescoped_to(m, m.horizon / m.n_arms / 2)),
    "alpha is rho": ("tau^2 <= sigma^2 / (s + alpha)", lambda p, m: _own_with_rho(p, m)),
    "best order": ("worst order of pulls", lambda p, m: 0.95 * worst_order(p, m)),
}  # fmt: skip


def _without_first(pulls: Pulls, model: Model) -> FloatArray:
    return steps.widths_all(Pulls(pulls.before[:, model.n_arms + 1 :], pulls.before), model)


def _log_ratio(small: int, large: int) -> float:
    return float(np.sqrt(np.log(small) / np.log(large)))


def _telescoped_to(model: Model, pulls: float) -> float:
    return steps.telescoped(model) * np.sqrt(np.log1p(pulls / model.rho) / np.log1p(model.horizon / model.rho))


def _own_with_rho(pulls: Pulls, model: Model) -> FloatArray:
    later = pulls.later(model)
    return np.sqrt(model.a * model.sigma_sq / (later.before + model.rho) * model.log_t).sum(axis=1)


@pytest.mark.parametrize("mutant", MUTANTS)
def test_mutant_fails_somewhere(mutant: str) -> None:
    name, wrong = MUTANTS[mutant]
    smaller, _ = PATHWISE[name]
    assert any(np.any(smaller(pulls, model) > wrong(pulls, model) * (1 + 1e-9)) for model, pulls in _samples())


def _samples() -> list[tuple[Model, Pulls]]:
    """Pull sequences from even to one-sided, few and many rounds, little and much noise."""
    rng, found = np.random.default_rng(0), []
    for n_arms, extra, rho in ((2, 1, 0.1), (2, 40, 1.0), (3, 6, 0.01), (5, 200, 10.0), (4, 4, 100.0)):
        model = Model(n_arms, n_arms + extra, 1.0, rho, 1.0)
        even = [*range(n_arms)] * (1 + -(-extra // n_arms))
        one = [*range(n_arms)] + [0] * extra
        late = [*range(n_arms), *sorted(rng.integers(0, n_arms, extra).tolist())]
        found.append((model, Pulls.of(np.array([even[: model.horizon], one, late]), model)))
    return found


def test_every_inequality_has_a_mutant() -> None:
    assert {name for name, _ in MUTANTS.values()} == set(PATHWISE)


def test_lemma_tau_needs_every_arm_pulled() -> None:
    """The hypothesis that Lemma sec:tau does not print: K = 2, counts (1, 0), unit variances."""
    model = Model(2, 4, 1.0, 1.0, 1.0)
    pulls = Pulls(np.array([[1.0]]), np.array([[0.5]]))
    assert steps.tau_sq(pulls, model) > model.beta * steps.tilde_sq(pulls, model)
    unpulled = Pulls(np.array([[0.0]]), np.array([[0.5]]))
    assert steps.tau_sq(unpulled, model) > model.beta * steps.tilde_sq(unpulled, model)


@given(path=paths())
def test_chain_ends_at_the_printed_leading_term(path: tuple[Model, Pulls]) -> None:
    model, _ = path
    printed = bounds.theorem1_terms(**vars(model), strict=False)["leading"]
    np.testing.assert_allclose(2 * steps.telescoped(model), printed, rtol=1e-12)


def test_pulls_are_counted_before_the_round() -> None:
    model = Model(2, 5, 1.0, 1.0, 1.0)
    pulls = Pulls.of(np.array([[0, 1, 1, 0, 1]]), model)
    assert pulls.before.tolist() == [[0, 0, 1, 1, 2]]
    np.testing.assert_allclose(pulls.total_weight, [[0, 0.5, 1.0, 0.5 + 2 / 3, 4 / 3]])
