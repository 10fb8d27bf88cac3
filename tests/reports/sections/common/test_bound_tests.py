"""The tests of the sweep: no rejection at the bound, rejection above it, and the command that repeats a test."""

from __future__ import annotations

import json
import shlex
from typing import Any

import numpy as np
import pytest
import scipy.stats

from reports.core.jobs import Tools
from reports.core.store import canonical, json_value
from reports.sections import sweep
from reports.sections.common import bound_cells, bound_tests
from reports.sections.common.bound_cells import LAWS, random_play
from reports.sections.common.bounds_budget import BUDGETS, SweepBudget
from reucb.bounds.normal import panels

SWEEP = SweepBudget((0.5, 1.0, 2.0), (3,), (0.4,), 60, 20, (3,))


def cell(policy: str = "ReUCB*", law: str = "gaussian") -> dict[str, Any]:
    model = {"n_arms": 3, "sigma0_sq": 1.0, "sigma_sq": 1.0, "a": 1.0}
    return {
        "law": law,
        "policy": policy,
        "model": model,
        "horizons": [1, 10, 100],
        "slow": [100],
        "runs": 50,
        "seed": 0,
    }


def outcome(mean: float, stderr: float, bound: float, name: str = "sharp") -> dict[str, Any]:
    curve = [1.0, mean, mean]
    return {"horizons": [1, 10, 100], "mean": curve, "stderr": [stderr] * 3, "random": [1.0, 50.0, 500.0],
            "bounds": {name: [bound] * 3}}  # fmt: skip


def test_mean_at_the_bound_is_not_rejected_and_far_above_is() -> None:
    assert not any(test.rejected for test in bound_tests.family([cell()], [outcome(20.0, 1.0, 20.0)]))
    tests = bound_tests.family([cell()], [outcome(20.0, 1.0, 10.0)])
    assert [test.horizon for test in tests if test.contradiction] == [10, 100]


def test_critical_value_shares_the_error_over_the_family() -> None:
    """M = 3 tests here (one exact, two against the bound): just below and above the Bonferroni quantile."""
    critical = scipy.stats.t.isf(1e-3 / 3, 49)
    below = bound_tests.family([cell()], [outcome(20.0 + 0.99 * critical, 1.0, 20.0)])
    above = bound_tests.family([cell()], [outcome(20.0 + 1.01 * critical, 1.0, 20.0)])
    assert len(below) == 3
    assert [sum(test.rejected for test in tests) for tests in (below, above)] == [0, 2]


def test_family_error_is_kept() -> None:
    """Thirty skewed means exactly at their bound, 200 times: at error 0.05 an alarm is seen at most 22 times.

    Exponential regrets, 50 runs. If the family error were 0.05 the chance of 23 or more is below 1e-3.
    """
    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(200):
        draws = rng.exponential(size=(30, 50))
        mean, stderr = draws.mean(axis=1), draws.std(axis=1, ddof=1) / 50**0.5
        family = bound_tests.family([cell()] * 30, [_one(m, s) for m, s in zip(mean, stderr, strict=True)], error=0.05)
        alarms += any(test.rejected for test in family)
    assert alarms <= 22


def _one(mean: float, stderr: float) -> dict[str, Any]:
    return {"horizons": [100], "mean": [mean], "stderr": [stderr], "random": [5.0], "bounds": {"sharp": [1.0]}}


def test_estimated_variances_and_the_first_round_are_no_contradiction() -> None:
    tests = bound_tests.family([cell("ReUCB")], [outcome(20.0, 1.0, 10.0)])
    assert any(test.rejected for test in tests)
    assert not any(test.contradiction for test in tests)
    first = bound_tests.family([cell()], [outcome(1.0, 0.01, 0.5, "theorem1")])
    assert [test.contradiction for test in first if test.bound == "theorem1"] == [False, True, True]


def test_a_lower_bound_is_tested_from_the_other_side_and_for_every_policy() -> None:
    """A mean far below the lower bound contradicts it, whatever the policy; a mean far above does not."""
    for policy in ("ReUCB*", "ReUCB"):
        low = bound_tests.family([cell(policy)], [outcome(20.0, 1.0, 40.0, "lower")])
        assert all(test.contradiction for test in low if test.bound == "lower")
        high = bound_tests.family([cell(policy)], [outcome(20.0, 1.0, 0.5, "lower")])
        assert not any(test.rejected or test.vacuous for test in high if test.bound == "lower")


def test_round_robin_is_tested_from_both_sides() -> None:
    wrong = outcome(20.0, 0.1, 30.0) | {"random": [2.0, 50.0, 500.0]}
    first, *_ = bound_tests.family([cell()], [wrong])
    assert (first.bound, first.contradiction) == ("exact", True)


def test_alert_carries_a_command_that_repeats_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    (alert, _) = bound_tests.alerts(bound_tests.family([cell()], [outcome(20.0, 1.0, 10.0)]))
    words = shlex.split(alert.split("reproduce: ")[1])
    assert words[:3] == ["python", "-m", "reports.sections.sweep"]
    assert json.loads(words[3]) == cell() | {"horizons": [10]}
    assert sweep.main([words[3]]) == 0
    assert "sharp" in capsys.readouterr().out


def test_cells_are_simulated_and_bounded() -> None:
    tools = Tools(executor=1)
    for settings in [*bound_cells.gaussian(SWEEP, 0), *bound_cells.bounded(SWEEP, 0)]:
        assert json.loads(canonical(settings)) == settings
        found = json_value(bound_cells.run(settings, tools))
        silent = {name for name, values in found["bounds"].items() if values[-1] is None}
        assert silent == _expected_silence(settings)
        assert found["mean"][0] == pytest.approx(found["random"][0], abs=6 * found["stderr"][0])
        assert not any(test.contradiction for test in bound_tests.family([settings], [found]))


def _expected_silence(settings: dict[str, Any]) -> set[str]:
    a = settings["model"]["a"]
    if settings["law"] == "gaussian":
        return {name for name, least in (("theorem1", 1), ("logarithmic", 2)) if a < least}
    return {"theorem2", "theorem2_derived"} if a == 1 else set()


def test_horizons_rise_to_the_last() -> None:
    assert bound_cells.horizons(2_000) == [1, 3, 10, 30, 100, 300, 1000, 2000]
    assert bound_cells.horizons(1000)[-2:] == [300, 1000]


def test_random_play_of_uniform_means_is_exact() -> None:
    for n_arms in (1, 2, 7, 100):
        assert random_play(LAWS["uniform"], n_arms) == pytest.approx(n_arms / (n_arms + 1) - 0.5, abs=1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_proxies_dominate_the_moment_generating_function(name: str) -> None:
    """E exp(l (mu - E mu)) <= exp(l^2 proxy / 2) on a grid of l, by 64-panel quadrature of the true means."""
    law = LAWS[name]
    level, weight = panels(0.0, 1.0, 1 / 64)
    bandit = law.bandit(1)
    mean = bandit.true_means(bandit.prior.ppf(level))
    centred = mean - weight @ mean
    for scale in np.linspace(-30, 30, 25):
        assert weight @ np.exp(scale * centred) <= np.exp(scale**2 * law.sigma0_sq / 2) * (1 + 1e-9)


def test_the_full_budget_covers_the_planned_grid() -> None:
    full = BUDGETS["full"].sweep
    assert set(full.a) == {0.25, 0.5, 1, 2, 4, 8}
    assert set(full.n_arms) == {2, 5, 10, 20, 50, 100, 200, 500}
    assert (set(full.spread), full.horizon) == ({0.1, 0.4, 1, 4}, 10**5)
