"""The exact optimum of two arms: known values, and below every policy."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

import reucb
from reports.sections.two_arms import optimum


@pytest.mark.parametrize(("horizon", "rho", "expected"), [(20, 1.0, 2.566), (20, 6.25, 5.347), (40, 0.25, None)])
def test_the_optimum_has_converged(horizon: int, rho: float, expected: float | None) -> None:
    """Reference values of a dense linear interpolation (three digits); a finer grid changes less than 0.2 %."""
    found = optimum(horizon, rho)
    assert found == pytest.approx(optimum(horizon, rho, 321), rel=2e-3)
    if expected is not None:
        assert found == pytest.approx(expected, rel=2e-3)


def test_two_rounds_are_one_pull_each() -> None:
    """E|mu_1 - mu_2| = 2/sqrt(pi), whatever the noise; one round costs half of it."""
    assert optimum(2, 3.0) == pytest.approx(2 / np.sqrt(np.pi))
    assert optimum(1, 3.0) == pytest.approx(1 / np.sqrt(np.pi))


def test_no_policy_is_below_the_optimum_and_the_lower_bound_is() -> None:
    """20,000 runs, standard error about 0.5 %: a policy 3 % below the optimum would be seen (five standard errors)."""
    bandit = reucb.Bandit(2, scipy.stats.norm(0, 1), reucb.Gaussian(1.0))
    best = optimum(30, 1.0)
    for policy in (reucb.ReUCB(a=1.0, sigma0_sq=1.0, sigma_sq=1.0), reucb.GaussianTS(mu0=0, sigma0_sq=1, sigma_sq=1)):
        result = reucb.simulate(bandit, policy, horizon=30, runs=20_000, seed=1, executor=1, progress=False)
        assert result.mean[-1] > best - 5 * result.stderr[-1]
    assert reucb.bounds.lower(n_arms=2, horizon=30, sigma0_sq=1.0, sigma_sq=1.0) < best
