"""The evaluation of the counting bound against sums written out, its mutants, other prices, and simulation."""

import math
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from scipy.special import log_ndtr, ndtr

import reucb
from reucb import bounds
from reucb.bounds import counted_rounds
from reucb.bounds.counted_rounds import (
    Blocks,
    LearnedMean,
    blocks,
    charge,
    least_prices,
    supremum_cells,
    uncovered_cost,
)
from reucb.bounds.counting import FINE, ScaledSetting, counted, good_pulls
from reucb.bounds.normal import best_arm

pytestmark = pytest.mark.xdist_group("slow bounds")  # one process: values that several tests need are computed once

PROBLEM = ScaledSetting(4, 60.0, 2.0, 1.0, False)
REACH = PROBLEM.reaches()[0]


def plain_gaps(reach, counts, prices):
    """K sum_N E[...] of (U) by midpoint rules in S, Y and x: accurate to about 1e-3."""
    ends, law = supremum_cells(reach.n_arms, reach.sigma**2, reach.zeta, 120)
    s, law = np.append(ends[0], (ends[1:] + ends[:-1]) / 2), law[:-1]
    y = np.linspace(-6, 8, 71)
    weight = (reach.n_arms - 1) * np.exp((reach.n_arms - 2) * log_ndtr(y) - y * y / 2) / math.sqrt(2 * math.pi) * 0.2
    x = (np.arange(400) + 0.5) * 0.035
    density = np.exp(-((y[:, None] - x) ** 2) / 2) / math.sqrt(2 * math.pi) * 0.035
    total = 0.0
    for count, price in zip(counts, prices, strict=True):
        d = reach.f(np.array(count), y[:, None], s) / count
        for i in range(len(y)):
            chance = law @ ndtr((d[i][:, None] - x) * math.sqrt(count) / reach.sigma)
            total += weight[i] * float((density[i] * (x + price)) @ chance)
    return reach.n_arms * total


COUNTS = np.array([1.0, 2.0, 5.0, 20.0])
PRICES = np.array([0.4, 0.2, 0.1, 0.0])


@pytest.fixture(scope="module")
def exact():
    return plain_gaps(REACH, COUNTS, PRICES)


def test_fine_mesh_is_the_sum(exact):
    found = good_pulls(REACH, Blocks(COUNTS, COUNTS), PRICES, best_arm(4, 150), 150)
    assert exact * 0.999 <= found <= exact * 1.006


def at_lower_ends(monkeypatch):
    def supremum(self, number):
        ends, law = supremum_cells(self.n_arms, self.sigma**2, self.zeta, 8)
        return np.append(ends[0] - 1.0, ends[:-1]), law

    monkeypatch.setattr(LearnedMean, "supremum", supremum)
    return best_arm(4, 150)


def best_at_upper_ends(monkeypatch):
    best = best_arm(4, 6)
    return replace(best, low=best.high)


@pytest.mark.parametrize("mutant", [at_lower_ends, best_at_upper_ends])
def test_mutants_of_the_evaluation_are_below_the_sum(mutant, monkeypatch, exact):
    best = mutant(monkeypatch)
    assert good_pulls(REACH, Blocks(COUNTS, COUNTS), PRICES, best, 150) < exact * 0.999


def test_a_block_at_its_last_count_is_below():
    """The block 1..30 taken at N = 30 only is less than the sum of its counts; the bound of the block is more."""
    each, block = np.arange(1.0, 31), Blocks(np.array([1.0]), np.array([30.0]))
    best, none = best_arm(4, 24), np.zeros(30)
    single = good_pulls(REACH, Blocks(each, each), none, best, 24)
    assert good_pulls(REACH, block, none[:1], best, 24) > single
    last = Blocks(np.array([30.0]), np.array([30.0]))
    assert 30 * good_pulls(REACH, last, none[:1], best, 24) < single


def test_the_test_whether_f_falls_is_needed(monkeypatch):
    """Without it a block would be taken at its first count where f_N/N still rises."""
    reach, y, s = LearnedMean(10.0, 3.0, 0.5, 0.0), np.array([2.0]), np.array([-1.0])
    block, each = Blocks(np.array([3.0]), np.array([9.0])), np.arange(3.0, 10)
    singles = reach.longest(Blocks(each, each), y, s).max()
    assert reach.longest(block, y, s)[0, 0, 0] >= singles
    monkeypatch.setattr(counted_rounds, "falling", lambda *arguments: np.array(True))
    assert reach.longest(block, y, s)[0, 0, 0] < singles - 0.1


def regret(n_arms, horizon, sigma, a, runs, seed=3):
    bandit = reucb.Bandit(n_arms=n_arms, prior=scipy.stats.norm(0, 1), rewards=reucb.Gaussian(sigma=sigma))
    policy = reucb.ReUCB(a=a, sigma0_sq=1.0, sigma_sq=sigma**2)
    final = reucb.simulate(bandit, policy, horizon=horizon, runs=runs, seed=seed).final
    return final.mean(), final.std() / math.sqrt(runs)


def test_other_prices_stay_above_simulation():
    """Lam = 0 and three random Lam >= 0: each gives a bound, and the closed form the least of them.

    2000 runs, 4 standard errors: false alarm below 1e-4.
    """
    problem = ScaledSetting(10, 300.0, 1.5, 1.0, False)
    mean, error = regret(10, 300, 1.5, 1.0, 2000)
    count, later = blocks(1.0, 290.0, 40, 0.05), blocks(11.0, 300.0, 40, 0.02)
    closed, rng = charge(problem.bad, count), np.random.default_rng(6)
    choices = [closed, 0 * closed] + [rng.random() * closed.max() * rng.random(len(closed)) for _ in range(3)]

    def value(prices):
        gaps = good_pulls(problem.reaches()[0], count, prices, best_arm(10, 24), 24)
        return (
            10 * bounds.expected_max(10)
            + gaps
            + count.size @ prices
            + uncovered_cost(problem.bad, count, prices, later)
        )

    values = [value(prices) for prices in choices]
    assert min(values) == values[0]
    assert mean + 4 * error < values[0]


@pytest.mark.parametrize(
    ("n_arms", "horizon", "sigma", "a", "runs"),
    [(2, 1000, 1.0, 1.0, 4000), (3, 500, 0.1, 1.0, 2000), (50, 1000, 2.5, 1.0, 300)],
)
def test_regret_is_between_the_bounds(n_arms, horizon, sigma, a, runs):
    """4 standard errors on either side: false alarm below 1e-4 in each setting."""
    mean, error = regret(n_arms, horizon, sigma, a, runs)
    point = {"n_arms": n_arms, "horizon": horizon, "sigma0_sq": 1.0, "sigma_sq": sigma**2}
    assert bounds.lower(**point) < mean + 4 * error
    assert mean - 4 * error < bounds.counting(**point, a=a)
    assert error < 0.03 * mean


def test_regret_with_known_mean_is_below_its_bound():
    """At mu0 = 5, known to the policy: 4 standard errors, false alarm below 1e-4; and below 4 times the regret."""
    bandit = reucb.Bandit(n_arms=20, prior=scipy.stats.norm(5, 1), rewards=reucb.Gaussian(sigma=1.5))
    policy = reucb.ReUCB(a=1.0, mu0=5.0, sigma0_sq=1.0, sigma_sq=2.25)
    final = reucb.simulate(bandit, policy, horizon=1000, runs=500, seed=5).final
    bound = bounds.counting(n_arms=20, horizon=1000, sigma0_sq=1.0, sigma_sq=2.25, a=1.0, mu0_known=True)
    assert final.mean() - 4 * final.std() / math.sqrt(500) < bound < 4 * final.mean()


def test_fine_mesh_of_the_library_is_close_to_its_limit():
    """Within 1.5 per cent of a mesh four times finer, and above it."""
    here = counted(PROBLEM, REACH, FINE).gaps.sum()
    limit = counted(PROBLEM, REACH, replace(FINE, ratio=0.005, best=200, others=200)).gaps.sum()
    assert limit <= here <= 1.015 * limit


def test_cost_is_linear_in_the_prices():
    """`Counted` from the prices 0 and 1 gives what an evaluation at other prices gives."""
    here = counted(PROBLEM, REACH, FINE)
    prices = np.random.default_rng(1).random(len(here.gaps))
    direct = good_pulls(REACH, here.count, prices, best_arm(4, FINE.best), FINE.others)
    assert here.cost(prices) == pytest.approx(direct + here.count.size @ prices, rel=1e-12)


def test_least_prices_are_least():
    """No price of 20 random ones, nor the closed form, has a smaller objective on the same blocks."""
    problem = ScaledSetting(10, 300.0, 1.5, 1.0, False)
    count, later, rng = blocks(1.0, 290.0, 6, 0.1), blocks(11.0, 300.0, 2, 0.1), np.random.default_rng(2)
    weight = count.size * 3
    found = least_prices(problem.bad, count, weight, later)

    def objective(prices):
        return weight @ prices + uncovered_cost(problem.bad, count, prices, later)

    others = [charge(problem.bad, count), *(found * rng.uniform(0, 2, len(found)) for _ in range(20))]
    assert all(objective(found) <= objective(prices) + 1e-9 for prices in others)
