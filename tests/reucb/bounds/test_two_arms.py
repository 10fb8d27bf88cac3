"""Two arms: the exact optimum between Theorem L and ReUCB*, which is between it and Theorem U."""

import math

import numpy as np
import pytest

from reucb import bounds
from tests.reucb.bounds.reference import errors_and_widths, play

# n, rho, optimum and ReUCB* (a = 1) of an independent recursion, and its accuracy
TABLE = [(20, 1.0, 2.566, 2.766, 2e-3), (20, 6.25, 5.347, 5.824, 2e-3), (100, 0.25, 2.12, 2.31, 1e-2)]


@pytest.mark.parametrize(("horizon", "rho", "optimum", "policy", "error"), TABLE)
def test_sandwich(horizon, rho, optimum, policy, error):
    point = {"horizon": horizon, "sigma0_sq": 1.0, "sigma_sq": rho}
    best = bounds.two_arm_optimum(**point)
    ours = bounds.two_arm_reucb(**point, a=1.0)
    assert best == pytest.approx(optimum, rel=error)
    assert ours == pytest.approx(policy, rel=error)
    assert bounds.lower(n_arms=2, **point) < best < ours < bounds.counting(n_arms=2, **point, a=1.0)


def test_values_converge():
    """Doubling the nodes changes the optimum by less than 1e-4 and ReUCB* by less than 3e-3 of its value."""
    point = {"horizon": 40, "sigma0_sq": 1.0, "sigma_sq": 0.25}
    coarse, fine = (bounds.two_arm_optimum(**point, nodes=m) for m in (512, 1024))
    assert coarse == pytest.approx(fine, rel=1e-4)
    coarse, fine = (bounds.two_arm_reucb(**point, a=1.0, nodes=m) for m in (1024, 2048))
    assert coarse == pytest.approx(fine, rel=3e-3)


def test_policy_against_simulation():
    """60 000 runs, 4 standard errors and the grid's 3e-3: false alarm below 1e-4; it would notice 4 per cent."""
    rng = np.random.default_rng(8)
    mu = rng.normal(size=(60_000, 2))
    regret = play(mu, lambda mean: mean + 1.5 * rng.standard_normal(len(mean)), 15, 1.0, 2.25, 1.0)["regret"]
    exact = bounds.two_arm_reucb(horizon=15, sigma0_sq=1.0, sigma_sq=2.25, a=1.0)
    error = regret.std() / math.sqrt(len(regret))
    assert abs(regret.mean() - exact) < 4 * error + 3e-3 * exact
    assert 8 * error < 0.035 * exact


def test_three_rounds_by_hand():
    """After one pull each, the third costs E min(E(-delta)^+, E(delta)^+) at d ~ N(0, 2 - v): Monte-Carlo over d.

    100 000 draws, 4 standard errors; it would notice an error of half a per cent.
    """
    v = 1 / (0.5 + 1 / 4)
    d = math.sqrt(2 - v) * np.random.default_rng(1).standard_normal(100_000)
    root = math.sqrt(v)
    wrong = root * np.exp(-((d / root) ** 2) / 2) / math.sqrt(2 * math.pi) - np.abs(d) * 0.5 * np.vectorize(math.erfc)(
        np.abs(d) / root / math.sqrt(2)
    )
    exact = 2 / math.sqrt(math.pi) + wrong.mean()
    error = wrong.std() / math.sqrt(len(d))
    assert abs(bounds.two_arm_optimum(horizon=3, sigma0_sq=1.0, sigma_sq=2.0) - exact) < 4 * error + 1e-6


def test_widths_are_those_of_the_estimate():
    from reucb.bounds.two_arms import posterior_variance, width

    counts = np.array([[1.0, 5.0], [7.0, 2.0], [40.0, 40.0]])
    rho = 1.7
    _, tau = errors_and_widths(counts, np.zeros_like(counts), 1.0, rho)
    assert np.allclose(width(counts[:, 0], counts[:, 1], rho), tau[:, 0], rtol=1e-13)
    # Var(delta | data) = tau_1^2 + tau_2^2 - 2 (1 - w_1)(1 - w_2)/W
    w = counts / (counts + rho)
    joint = (tau**2).sum(axis=1) - 2 * (1 - w).prod(axis=1) / w.sum(axis=1)
    assert np.allclose(posterior_variance(counts[:, 0], counts[:, 1], rho), joint, rtol=1e-12)


def test_seam_scale_and_arguments():
    assert bounds.two_arm_optimum(horizon=2, sigma0_sq=4.0, sigma_sq=1.0) == pytest.approx(4 / math.sqrt(math.pi))
    one = bounds.two_arm_optimum(horizon=12, sigma0_sq=1.0, sigma_sq=2.0)
    assert bounds.two_arm_optimum(horizon=12, sigma0_sq=9.0, sigma_sq=18.0) == pytest.approx(3 * one, rel=1e-12)
    with pytest.raises(ValueError, match="horizon = 2001: must be an integer from 1 to 2000"):
        bounds.two_arm_optimum(horizon=2001, sigma0_sq=1.0, sigma_sq=1.0)
    with pytest.raises(ValueError, match=r"a = 0: must be a finite number > 0"):
        bounds.two_arm_reucb(horizon=20, sigma0_sq=1.0, sigma_sq=1.0, a=0)
