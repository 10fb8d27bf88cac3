"""Few rounds and two arms: ReUCB* against random play and against the exact optimum."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.small_problems import posterior_variance, sum_of_largest, width
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PathSetting, errors_and_widths, play, rounds
from tests.reucb.strategies import magnitudes

# ReUCB* against random play: proved for n <= 2 K and for two arms, open beyond.


def test_largest_of_several_normals():
    """The sum of the m largest of K: known values, and drawn ones (4 standard errors of 40 000 draws, 6e-5 each)."""
    assert sum_of_largest(7.0, 1.0) == pytest.approx(bounds.expected_max(7), abs=1e-10)
    assert sum_of_largest(7.0, 6.0) == pytest.approx(bounds.expected_max(7), abs=1e-10)  # all but the smallest
    assert sum_of_largest(9.0, 9.0) == 0
    top = np.sort(np.random.default_rng(2).normal(size=(40_000, 9)), axis=1)[:, ::-1].cumsum(axis=1)
    for m in (2, 4, 7):
        assert abs(top[:, m - 1].mean() - sum_of_largest(9.0, m)) < 4 * top[:, m - 1].std() / 200


@given(st.integers(2, 10**6), st.floats(0, 1), magnitudes(-6, 6))
@examples(40)
def test_between_round_robin_and_random_play(n_arms, share, rho):
    horizon = n_arms + round(share * n_arms)
    found = bounds.few_rounds(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=rho)
    assert n_arms * bounds.expected_max(n_arms) * (1 - 1e-9) <= found
    assert found <= horizon * bounds.expected_max(n_arms) * (1 + 2e-9)


@given(st.integers(3, 12), magnitudes(-1.5, 1.5), magnitudes(-2, 1), st.integers(0, 2**32))
@examples(15)
def test_steps_of_the_proof_on_runs(n_arms, rho, a, seed):
    """In round K + i the pulled arm's estimate is at least that of the best arm pulled once, one of the i first."""
    s, first = PathSetting(n_arms, 2 * n_arms, rho, a), None
    for r in rounds(s, 40, seed):
        first = r.means.copy() if first is None else first
        i = r.t - n_arms
        once = np.where(r.counts == 1, first, -np.inf)
        rival = once.argmax(axis=1)
        assert (np.sort(first, axis=1)[:, -i] <= once.max(axis=1)).all()
        assert (r.of(r.estimate, r.arm) >= r.of(r.estimate, rival) - 1e-12).all()
        assert (r.of(r.tau, r.arm) <= r.of(r.tau, rival) + 1e-12).all()


def pulls_of_first(mu, noise, horizon, rho, a):
    """How often ReUCB* pulls arm 1 of two, for given means and given noise of every pull of each arm."""
    counts, sums, found = np.ones(2), mu + noise[:, 0], 1
    for t in range(3, horizon + 1):
        w = counts / (counts + rho)
        total, mean = w.sum(), sums / counts
        index = w * mean + (1 - w) * (w @ mean) / total
        index = index + math.sqrt(a * math.log(t)) * np.sqrt((1 - w) * (1 + (1 - w) / total))
        arm = 0 if index[0] >= index[1] else 1
        sums[arm] += mu[arm] + noise[arm, int(counts[arm])]
        counts[arm] += 1
        found += arm == 0
    return found


@given(magnitudes(-1, 1.5), magnitudes(-2, 1), st.floats(0, 3), st.integers(0, 2**32))
@examples(60)
def test_coupling_of_two_arms(rho, a, lift, seed):
    """With the same noise a higher mean of arm 1 never means fewer pulls of it."""
    rng = np.random.default_rng(seed)
    mu, noise = rng.normal(size=2), math.sqrt(rho) * rng.normal(size=(2, 60))
    assert pulls_of_first(mu + np.array([lift, 0.0]), noise, 60, rho, a) >= pulls_of_first(mu, noise, 60, rho, a)


@pytest.mark.parametrize(("n_arms", "horizon", "rho", "a"), [(2, 30, 4.0, 0.05), (6, 9, 1.0, 1.0), (20, 40, 9.0, 3.0)])
def test_simulated_regret_is_below(n_arms, horizon, rho, a):
    """8000 runs, 4 standard errors: false alarm 3e-5 each."""
    rng = np.random.default_rng(4)
    mu = rng.normal(size=(8000, n_arms))
    final = play(mu, lambda m: m + math.sqrt(rho) * rng.standard_normal(len(m)), horizon, 1.0, rho, a)["regret"]
    bound = bounds.few_rounds(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=rho)
    assert final.mean() - 4 * final.std() / math.sqrt(8000) < bound
    assert bounds.combined(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=rho, a=a) <= bound * (1 + 1e-12)


def test_hypothesis_is_named():
    with pytest.raises(ValueError, match=r"n_arms = 5, horizon = 11: few_rounds is proved for n <= 2 K or K <= 2"):
        bounds.few_rounds(n_arms=5, horizon=11, sigma0_sq=1.0, sigma_sq=1.0)
    open_case = bounds.few_rounds(n_arms=5, horizon=11, sigma0_sq=1.0, sigma_sq=1.0, strict=False)
    assert open_case == pytest.approx(bounds.trivial(n_arms=5, horizon=11, sigma0_sq=1.0))


# Two arms: the exact optimum lies between the lower bound and ReUCB*, and ReUCB* below the counting bound.

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
    """60 000 runs, 4 standard errors and the grid's 3e-3: false alarm below 1e-4; it would detect 4 per cent."""
    rng = np.random.default_rng(8)
    mu = rng.normal(size=(60_000, 2))
    regret = play(mu, lambda mean: mean + 1.5 * rng.standard_normal(len(mean)), 15, 1.0, 2.25, 1.0)["regret"]
    exact = bounds.two_arm_reucb(horizon=15, sigma0_sq=1.0, sigma_sq=2.25, a=1.0)
    error = regret.std() / math.sqrt(len(regret))
    assert abs(regret.mean() - exact) < 4 * error + 3e-3 * exact
    assert 8 * error < 0.035 * exact


def test_three_rounds_against_their_integral():
    """After one pull each, the third costs E min(E(-delta)^+, E(delta)^+) at d ~ N(0, 2 - v): Monte-Carlo over d.

    100 000 draws, 4 standard errors; it would detect an error of half a per cent.
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
