"""The waterfall ends at the bounds it explains, and the conditioning step is exact."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from scipy.integrate import quad

import reucb
from reports.core.jobs import Tools
from reports.sections.common.trajectory import Play, latent, rounds
from reports.sections.waterfall import panels, proof_steps
from reports.sections.waterfall.proof_steps import Model
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
        error = (now.mu_hat - mu)[every, now.choice]
        square = error**2 / now.tau_sq[every, now.choice]
        tilde = error**2 * (now.counts[every, now.choice] + 1.0)
        assert abs(error.mean()) < 5.5 * error.std() / 2000**0.5
        assert abs(square.mean() - 1) < 5.5 * (2 / 2000) ** 0.5
        weak += abs(tilde.mean() - 1) > 5.5 * (2 / 2000) ** 0.5
    assert weak > 0


@pytest.mark.parametrize("s", [0.0, 0.5, 2.0, 5.0])
def test_excess_is_the_mean_above(s: float) -> None:
    expected = quad(lambda z: (z - s) * scipy.stats.norm.pdf(z), s, 40)[0]
    assert proof_steps.excess(np.array(s)) == pytest.approx(expected, rel=1e-9)
