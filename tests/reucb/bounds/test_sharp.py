"""The sharpened Theorem 1: continuity at n = K, order among the other bounds, values."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.normal import excess
from reucb.bounds.sharp import knots, learned_pulls, pooled
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, settings_drawn, simple_sharp
from tests.reucb.strategies import magnitudes


def test_the_numbers_of_the_reference_setting():
    """1.9e3 by the simple form, 1.83e3 by ours; the printed bound 8.1e3, random play 4.5e3."""
    assert simple_sharp(**PAPER, a=1.0) == pytest.approx(1899.496, abs=1e-3)
    terms = bounds.sharp_terms(**PAPER, a=1.0)
    assert terms["initial"] == pytest.approx(22.4907, abs=1e-3)
    assert terms["widths"] == pytest.approx(1731.68, abs=0.01)
    assert terms["tail"] == pytest.approx(72.043, abs=0.001)
    assert terms["total"] < bounds.trivial(n_arms=50, horizon=10_000, sigma0_sq=0.04) < bounds.theorem1(**PAPER, a=1.0)


@given(
    n_arms=st.sampled_from([2, 3, 7, 20, 60]),
    more=st.integers(1, 20_000),
    sigma0_sq=magnitudes(-3, 3),
    sigma_sq=magnitudes(-3, 3),
    a=magnitudes(-2, 1),
)
@examples(40)
def test_never_above_the_simple_form(n_arms, more, sigma0_sq, sigma_sq, a):
    point = {"n_arms": n_arms, "horizon": n_arms + more, "sigma0_sq": sigma0_sq, "sigma_sq": sigma_sq, "a": a}
    assert bounds.sharp(**point) <= simple_sharp(**point) * (1 + 1e-10)


@given(settings_drawn)
@examples(40)
def test_closed_form_is_above_and_is_its_formula(point):
    """Never below `sharp`, and each of its terms against the formula written out."""
    assert bounds.sharp(**point) <= bounds.sharp_simple(**point) * (1 + 1e-12)
    terms = bounds.sharp_simple_terms(**point)
    n_arms, horizon, noise = point["n_arms"], point["horizon"], point["sigma_sq"]
    if horizon > n_arms:
        exact = 2 * math.sqrt(noise * point["a"] * n_arms * (horizon - n_arms) * math.log(horizon))
        assert terms["leading"] == pytest.approx(exact, rel=1e-12)
        rho = noise / point["sigma0_sq"]
        widest = math.sqrt((1 + rho / n_arms) * noise / (1 + rho))
        t = np.arange(n_arms + 1.0, min(horizon, n_arms + 3000) + 1)
        part = float(excess(np.sqrt(point["a"] * np.log(t))).sum())
        assert terms["tail"] >= n_arms * widest * part * (1 - 1e-10)
        if horizon <= n_arms + 3000:
            assert terms["tail"] <= n_arms * widest * part * 1.001


@given(settings_drawn)
def test_theorem1_follows_from_it(point):
    """For n >= 2 and a >= 1 the printed bound is above `sharp` in both its parts: its repaired proof, in floats."""
    point = {**point, "a": max(point["a"], 1.0)}
    assert bounds.sharp(**point) <= bounds.theorem1(**point, part=1)
    twice = {**point, "a": max(point["a"], 2.0)}
    assert bounds.sharp(**twice) <= bounds.theorem1(**twice, part=2)


@given(settings_drawn)
def test_round_robin_is_exact_and_the_seam_is_small(point):
    """Up to n = K it is n sigma0 e_K; the next round adds one bonus and one tail, no jump."""
    n_arms, sigma0_sq = point["n_arms"], point["sigma0_sq"]
    for horizon in (1, n_arms):
        assert bounds.sharp(**{**point, "horizon": horizon}) == pytest.approx(
            bounds.trivial(n_arms=n_arms, horizon=horizon, sigma0_sq=sigma0_sq), rel=1e-14
        )
    at, after = (bounds.sharp(**{**point, "horizon": n}) for n in (n_arms, n_arms + 1))
    width = math.sqrt(point["sigma_sq"] / (1 + learned_pulls(n_arms, sigma0_sq, point["sigma_sq"])))
    s = math.sqrt(point["a"] * math.log(n_arms + 1))
    psi = math.exp(-s * s / 2) / math.sqrt(2 * math.pi) - s * math.erfc(s / math.sqrt(2)) / 2
    assert after - at == pytest.approx(width * (s + n_arms * psi), rel=1e-6)


@given(st.integers(2, 20), st.integers(1, 300), magnitudes(-1, 1))
def test_pooling_is_the_dual_at_the_best_price(n_arms, rounds, alpha):
    """K S(N/K) = min over eta >= 0 of eta N + K sum_s (g(s) - eta)^+: a pull priced at the width of equal shares."""
    g = 1 / np.sqrt(np.arange(1, rounds + 1) + alpha)
    dual = [eta * rounds + n_arms * np.maximum(g - eta, 0).sum() for eta in (*g, 0.0)]
    assert min(dual) == pytest.approx(float(pooled(np.array(rounds), n_arms, alpha)), rel=1e-10)


def test_one_arm_has_no_regret():
    assert bounds.sharp(n_arms=1, horizon=10**6, sigma0_sq=1.0, sigma_sq=1.0, a=1.0) == 0


def test_limits():
    """Without noise only the round robin costs; for large noise the bound grows in proportion to sigma."""
    point = {"n_arms": 10, "horizon": 10_000, "sigma0_sq": 1.0, "a": 1.0}
    start = bounds.trivial(n_arms=10, horizon=10, sigma0_sq=1.0)
    assert bounds.sharp(**point, sigma_sq=1e-30) == pytest.approx(start, rel=1e-9)
    assert bounds.sharp(**point, sigma_sq=1e24) / bounds.sharp(**point, sigma_sq=1e22) == pytest.approx(10, rel=1e-6)


def test_the_cost_does_not_grow_with_the_horizon():
    """The same number of knots serves 1e5 and 1e15 rounds."""
    assert len(knots(51, 1e15)) <= len(knots(51, 1e5)) + 1024
    assert np.isfinite(bounds.sharp(**{**PAPER, "horizon": 1e15}, a=1.0))
