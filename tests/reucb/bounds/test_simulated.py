"""ReUCB* as written in the paper against the bounds: regret below them, and each step of the proof by itself."""

import math

import numpy as np
import pytest

from reucb import bounds
from tests.reucb.bounds.reference import play

GAUSSIAN = [
    (2, 200, 1.0, 1.0, 2.0),
    (2, 150, 1.0, 0.01, 1.0),
    (5, 300, 0.04, 0.25, 1.0),
    (10, 300, 4.0, 0.25, 2.0),
    (10, 300, 0.04, 0.25, 0.25),
    (30, 40, 1.0, 0.1, 1.0),
]
RUNS = 400
ERRORS = 5  # standard errors: a false alarm in all of these tests together has probability below 1e-5


def above(sample, bound):
    """Is the mean of the sample above the bound, by ERRORS standard errors?"""
    return sample.mean() - ERRORS * sample.std() / math.sqrt(len(sample)) > bound


@pytest.fixture(params=GAUSSIAN, ids=str, scope="module")
def played(request):
    n_arms, horizon, sigma0_sq, sigma_sq, a = request.param
    rng = np.random.default_rng([7, n_arms, horizon])
    mu = 3 + math.sqrt(sigma0_sq) * rng.normal(size=(RUNS, n_arms))
    point = {"n_arms": n_arms, "horizon": horizon, "sigma0_sq": sigma0_sq, "sigma_sq": sigma_sq, "a": a}
    noise = lambda mean: mean + math.sqrt(sigma_sq) * rng.normal(size=RUNS)  # noqa: E731
    return point, play(mu, noise, horizon, sigma0_sq, sigma_sq, a)


def test_regret_is_below_every_proved_bound(played):
    point, seen = played
    for bound in (bounds.sharp, bounds.combined):
        assert not above(seen["regret"], bound(**point))
    assert not above(seen["regret"], bounds.logarithmic(**point, strict=False))
    assert not above(seen["regret"], bounds.theorem1(**point, strict=False))


def test_each_step_of_the_proof(played):
    """Bonuses on every path; (mu_* - U_*)^+ on average; and the error of the pulled arm is 0 on average, exactly."""
    point, seen = played
    terms = bounds.sharp_terms(**point)
    assert seen["bonus"].max() <= terms["widths"]
    assert not above(seen["optimism"], terms["tail"])
    assert not above(seen["error"], 0.0)
    assert not above(-seen["error"], 0.0)


def test_the_checks_above_can_fail():
    """Controls: the round robin alone is no bound, nor are widths 5 per cent and a tail 60 per cent smaller."""
    rng = np.random.default_rng(5)
    seen = play(rng.normal(size=(RUNS, 30)), lambda mean: mean + 0.3 * rng.normal(size=RUNS), 40, 1.0, 0.09, 99.0)
    terms = bounds.sharp_terms(n_arms=30, horizon=40, sigma0_sq=1.0, sigma_sq=0.09, a=99.0)
    assert 0.95 * terms["widths"] < seen["bonus"].max() <= terms["widths"]
    seen = play(rng.normal(size=(4000, 2)), lambda mean: mean + rng.normal(size=4000), 60, 1.0, 1.0, 1.0)
    terms = bounds.sharp_terms(n_arms=2, horizon=60, sigma0_sq=1.0, sigma_sq=1.0, a=1.0)
    assert above(seen["regret"], terms["initial"])
    assert above(seen["optimism"], 0.4 * terms["tail"])
    assert not above(seen["optimism"], terms["tail"])


@pytest.mark.parametrize("a", [1.0, 40.0])
def test_bernoulli_arms(a):
    rng = np.random.default_rng(11)
    mu = rng.uniform(0.2, 0.5, size=(300, 5))
    seen = play(mu, lambda mean: (rng.random(300) < mean).astype(float), 300, 0.0075, 0.25, a)
    terms = bounds.theorem2_repaired_terms(n_arms=5, horizon=300, sigma0_sq=0.0075, sigma_sq=0.25, a=a)
    assert not above(seen["regret"], terms["total"])
    assert 2 * seen["bonus"].max() <= terms["widths"]
