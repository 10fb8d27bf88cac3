"""The logarithmic bound, and Theorem 5 (them-R-Bayes-SubR) repaired."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.logarithmic import tails
from reucb.bounds.normal import gap_density
from reucb.bounds.sharp import learned_pulls
from reucb.bounds.subgaussian import failure, inflation
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, errors_and_widths, settings_drawn
from tests.reucb.strategies import magnitudes

# The logarithmic bound: its order, its terms, and from which horizon it is below `sharp`.


def test_the_numbers_of_the_reference_setting():
    assert bounds.logarithmic(**PAPER, a=2.0) == pytest.approx(1956.0, abs=1.0)
    assert bounds.sharp(**PAPER, a=2.0) == pytest.approx(2473.3, abs=1.0)


def test_order_log_squared():
    """bound/log^2 n decreases towards (sqrt a + sqrt b)^2 sigma^2 p_K(0)/(2 sigma0)."""
    horizon = np.array([1e9, 1e12, 1e15])
    per = bounds.logarithmic(**{**PAPER, "horizon": horizon}, a=2.0) / np.log(horizon) ** 2
    limit = (math.sqrt(2) + 1) ** 2 * 0.25 * float(gap_density(np.array(0.0), 50)) / (2 * 0.2)
    assert (np.diff(per) < 0).all()
    assert limit < per[-1] < 2.5 * limit


@pytest.mark.parametrize(
    ("change", "horizon"),
    [
        ({}, 6209),
        ({"n_arms": 2}, 3),
        ({"n_arms": 10}, 1382),
        ({"n_arms": 200}, 17433),
        ({"a": 4.0}, 7285),
        ({"sigma0_sq": 0.0025}, 111_925),
        ({"sigma0_sq": 0.25}, 957),
    ],
)
def test_from_which_horizon_on_it_is_below_sharp(change, horizon):
    point = {"n_arms": 50, "sigma0_sq": 0.04, "sigma_sq": 0.25, "a": 2.0, **change}
    found = bounds.logarithmic_from(**point)
    assert found == pytest.approx(horizon, rel=2e-3)
    before = np.unique(np.round(np.geomspace(point["n_arms"] + 1, 0.99 * found, 25)))
    after = np.round(np.geomspace(1.01 * found, 1e15, 25))
    for rounds, wins in ((before[before < found], False), (after, True)):
        for n in rounds:
            assert (bounds.logarithmic(**point, horizon=n) < bounds.sharp(**point, horizon=n)) == wins


def test_never_below_sharp_for_small_a():
    """With a well below 2 the tail of optimism is a power of n and the two bounds keep their order far out."""
    assert bounds.logarithmic_from(n_arms=50, sigma0_sq=0.04, sigma_sq=0.25, a=0.01, strict=False) == math.inf


def test_hypotheses():
    with pytest.raises(ValueError, match=r"a = 1: the logarithmic bound is of order log\^2 n for a >= 2"):
        bounds.logarithmic(**PAPER, a=1.0)
    with pytest.raises(ValueError, match=r"b = 0.5: the logarithmic bound is of order log\^2 n for b >= 1"):
        bounds.logarithmic(**PAPER, a=2.0, b=0.5)
    with pytest.raises(ValueError, match=r"b = 0.0: must be finite numbers > 0"):
        bounds.logarithmic(**PAPER, a=2.0, b=0.0)
    assert bounds.logarithmic(**PAPER, a=1.0, b=0.5, strict=False) > 0


@given(settings_drawn)
@examples(30)
def test_deviations_are_above_their_sum(point):
    """Against the sum written out, round by round, to 2000 rounds after the first K."""
    n_arms, a, b = point["n_arms"], point["a"], 0.7
    horizon = min(point["horizon"], n_arms + 2000)
    if horizon <= n_arms:
        return
    alpha = learned_pulls(n_arms, point["sigma0_sq"], point["sigma_sq"])
    t = np.arange(n_arms + 1, horizon + 1)
    q = ((n_arms - 1) * t ** (-a / 2) + (1 + math.sqrt(a / b)) * t ** (-b / 2)) / math.sqrt(2 * math.pi)
    exact = math.sqrt(point["sigma_sq"]) * np.sum(q / np.sqrt(np.ceil((t - n_arms) / n_arms) + alpha))
    found = tails(n_arms, horizon, point["sigma0_sq"], point["sigma_sq"], a, b)[1]
    assert exact * (1 - 1e-10) <= found <= exact * 1.03


def test_seam_and_one_arm():
    at = {**PAPER, "horizon": 50, "a": 2.0}
    assert bounds.logarithmic(**at) == pytest.approx(bounds.trivial(n_arms=50, horizon=50, sigma0_sq=0.04), rel=1e-14)
    assert bounds.logarithmic(**{**at, "n_arms": 1}) == 0


# Theorem 5 repaired: its constant, its probability of failure, its terms.

POINT = {"n_arms": 20, "horizon": 5000, "sigma0_sq": 0.04, "sigma_sq": 0.25}


@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), magnitudes(-3, 3))
def test_inflation_covers_every_design(counts, rho):
    """tilde-tau (1 + sqrt((1 - w) K/W)) <= sqrt(kappa) tau for every arm and every count."""
    n, n_arms = np.array(counts, dtype=float), len(counts)
    w = n / (n + rho)
    _, tau = errors_and_widths(n, n, 1.0, rho)
    worst = np.sqrt(1 - w) * (1 + np.sqrt((1 - w) * n_arms / w.sum()))
    assert (worst <= math.sqrt(inflation(n_arms, rho)) * tau * (1 + 1e-12)).all()


@pytest.mark.parametrize(("n_arms", "rho"), [(2, 1.0), (5, 25.0), (5, 24.0), (3, 8.9)])
def test_inflation_is_reached_after_the_round_robin(n_arms, rho):
    ones = np.ones(n_arms)
    w, (_, tau) = 1 / (1 + rho), errors_and_widths(ones, ones, 1.0, rho)
    reached = math.sqrt(1 - w) * (1 + math.sqrt((1 - w) / w)) / tau[0]
    assert inflation(n_arms, rho) == pytest.approx(reached**2, rel=1e-12)
    assert inflation(n_arms, rho) <= n_arms + 1 + 1e-12
    assert inflation(n_arms, 1e9) == n_arms + 1


@given(st.integers(1, 100), magnitudes(-3, 0), magnitudes(-3, 1), magnitudes(-1, 3))
def test_failure_is_a_probability_that_does_not_increase(n_arms, sigma0_sq, sigma_sq, a):
    found = failure(np.geomspace(2, 1e12, 200), n_arms, sigma0_sq, sigma_sq, a)
    assert ((found >= 0) & (found <= 1)).all()
    assert (np.diff(found) <= 0).all()


def test_terms():
    a = 30.0
    terms = bounds.theorem2_repaired_terms(**POINT, a=a)
    assert terms["initial"] == pytest.approx(20 * 0.2 * math.sqrt(2 * math.log(20)), rel=1e-14)
    assert terms["widths"] == pytest.approx(2 * bounds.sharp_terms(**POINT, a=a)["widths"], rel=1e-14)
    kappa = (1 + 2.5) ** 2 / (1 + 6.25 / 20)
    t = np.arange(21, 5001.0)
    by_range = 40 * (1 + np.sqrt(a * np.log(t) ** 3) / 4) * math.exp(13) * t ** (-a / 2)
    exact = np.minimum(1, np.minimum(80 * t ** (1 - a / (2 * kappa)), by_range)).sum()
    assert exact * (1 - 1e-12) <= terms["tail"] <= 1.01 * exact
    assert terms["tail"] < 5


def test_each_route_is_the_smaller_one_somewhere():
    """A narrow prior with noise to match: the route by the prior; a wide one: the route by the range."""
    t = np.array([100.0, 300.0])
    assert failure(t, 20, 0.01, 0.01, 20.0) == pytest.approx(80 * t ** (1 - 10 * (1 + 1 / 20) / 4), rel=1e-12)
    by_range = 40 * (1 + np.sqrt(8 * np.log(t) ** 3) / 4) * math.e * t**-4.0
    assert failure(t, 20, 1.0, 1.0, 8.0) == pytest.approx(by_range, rel=1e-12)


def test_it_is_useful_for_wide_intervals_and_vacuous_for_narrow_ones():
    far = {**POINT, "horizon": 10**7}
    assert bounds.theorem2_repaired(**far, a=30.0) < 0.1 * 10**7
    assert bounds.theorem2_repaired(**far, a=1.0) > 10**7


def test_no_more_than_one_a_round_before_the_index_starts():
    assert bounds.theorem2_repaired(n_arms=9, horizon=5, sigma0_sq=100.0, sigma_sq=1.0, a=1.0) == 5
