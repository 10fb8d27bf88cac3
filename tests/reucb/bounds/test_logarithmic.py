"""The logarithmic bound: its order, its terms, and from which horizon it is below `sharp`."""

import math

import numpy as np
import pytest
from hypothesis import given

from reucb import bounds
from reucb.bounds.logarithmic import tails
from reucb.bounds.normal import gap_density
from reucb.bounds.sums import learned_pulls
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn


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
def test_from_which_horizon_on_it_beats_sharp(change, horizon):
    point = {"n_arms": 50, "sigma0_sq": 0.04, "sigma_sq": 0.25, "a": 2.0, **change}
    found = bounds.logarithmic_from(**point)
    assert found == pytest.approx(horizon, rel=2e-3)
    before = np.unique(np.round(np.geomspace(point["n_arms"] + 1, 0.99 * found, 25)))
    after = np.round(np.geomspace(1.01 * found, 1e15, 25))
    for rounds, wins in ((before[before < found], False), (after, True)):
        for n in rounds:
            assert (bounds.logarithmic(**point, horizon=n) < bounds.sharp(**point, horizon=n)) == wins


def test_never_when_it_cannot():
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
