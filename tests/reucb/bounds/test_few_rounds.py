"""ReUCB* against random play: proved for n <= 2 K and for two arms, open beyond."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.random_play import sum_of_largest
from tests.hypothesis_examples import examples
from tests.reucb.bounds.paths import Setting, rounds
from tests.reucb.bounds.reference import play
from tests.reucb.strategies import magnitudes


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
    s, first = Setting(n_arms, 2 * n_arms, rho, a), None
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
