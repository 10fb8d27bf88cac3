"""Theorem 2 (them-R-Bayes) sharpened: its values and limits, its order among the other bounds, and the sums in it."""

import importlib
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds.normal import density, excess, upper_tail
from reucb.bounds.sharp import bonus_sum, convex_sum, falling_sum, knots, learned_pulls, pooled, width_sum
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER, errors_and_widths, excess_slow, settings_drawn, simple_sharp, wide
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
    """The same number of knots is used for 1e5 and 1e15 rounds."""
    assert len(knots(51, 1e15)) <= len(knots(51, 1e5)) + 1024
    assert np.isfinite(bounds.sharp(**{**PAPER, "horizon": 1e15}, a=1.0))


# Sums over rounds: widths on every path, tails and widths against thirty digits.

paths = st.integers(2, 6).flatmap(
    lambda k: st.tuples(st.just(k), st.lists(st.integers(0, k - 1), min_size=1, max_size=80))
)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=8), magnitudes(-3, 3))
def test_the_width_bound_in_fractions(counts, rho):
    """tau_k^2 <= sigma^2/(n_k + alpha), exactly, with equality when every other arm was pulled once."""
    rho, n_arms = Fraction(rho), len(counts)
    alpha = (n_arms - 1) * rho / (n_arms + rho)
    for pulls in (counts, [counts[0]] + [1] * (n_arms - 1)):
        w = [n / (n + rho) for n in pulls]
        tau_sq = (1 + (1 - w[0]) / sum(w)) / (pulls[0] + rho)
        assert tau_sq <= 1 / (pulls[0] + alpha)
    assert tau_sq == 1 / (pulls[0] + alpha)


@given(st.integers(2, 300), magnitudes(-3, 3), magnitudes(-3, 3))
def test_narrower_than_with_the_least_total_weight(n_arms, sigma0_sq, sigma_sq):
    s = np.arange(1, 200)
    ours = np.sqrt(sigma_sq / (s + learned_pulls(n_arms, sigma0_sq, sigma_sq)))
    theirs = wide(s, n_arms, sigma0_sq, sigma_sq)
    assert (ours <= theirs * (1 + 1e-12)).all()
    assert ours[0] == pytest.approx(theirs[0], rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.3, 5.0, 1e4])
@pytest.mark.parametrize("pulls", [0, 1, 31, 32, 33, 34, 1000, 10**12])
def test_width_sum_is_an_upper_bound_good_to_5e12(alpha, pulls):
    """5e-12 is the first term left out, at alpha = 0; 1e-14 is rounding."""
    with mpmath.workdps(30):
        shift = mpmath.mpf(alpha)
        exact = mpmath.zeta(0.5, 1 + shift) - mpmath.zeta(0.5, pulls + 1 + shift)
        found = mpmath.mpf(float(width_sum(np.array(pulls), alpha)))
        error = float(found - exact)
    assert -1e-14 * exact <= error <= 5e-12 + 1e-14 * exact


def test_the_midpoint_integral_alone_would_be_too_much():
    """A mutant without the two correction terms is seen at the accuracy asked above."""
    exact = np.sum(1 / np.sqrt(np.arange(1, 1001)))
    crude = np.sum(1 / np.sqrt(np.arange(1, 33))) + 2 * (math.sqrt(1000.5) - math.sqrt(32.5))
    assert abs(crude / exact - 1) > 1e-6
    assert float(width_sum(np.array(1000), 0.0)) == pytest.approx(exact, rel=1e-11)


@given(st.integers(1, 40), st.integers(0, 400), magnitudes(-2, 2))
def test_equal_shares_are_worst(n_arms, rounds, alpha):
    """j pulls given one by one to the arm whose next width is widest meet exactly K S(j/K)."""
    dealt = sum(1 / math.sqrt(j // n_arms + 1 + alpha) for j in range(rounds))
    assert float(pooled(np.array(rounds), n_arms, alpha)) == pytest.approx(dealt, rel=1e-10, abs=1e-300)


@given(paths, magnitudes(-2, 2), magnitudes(-1, 1))
def test_no_path_meets_more_bonus(path, rho, a):
    """Whatever is pulled after the first round of all arms, the bonuses add up to at most `bonus_sum`."""
    n_arms, pulls = path
    counts, met = np.ones(n_arms), 0.0
    for t, arm in enumerate(pulls, n_arms + 1):
        tau = errors_and_widths(counts, counts, 1.0, rho)[1][arm]
        met += math.sqrt(a * math.log(t)) * tau
        counts[arm] += 1
    bound = bonus_sum(n_arms, n_arms + len(pulls), rho, a, learned_pulls(n_arms, 1.0, rho))
    assert met <= bound * (1 + 1e-12)
    assert bound <= math.sqrt(a * rho * math.log(n_arms + len(pulls))) * float(
        pooled(np.array(len(pulls)), n_arms, learned_pulls(n_arms, 1.0, rho))
    ) * (1 + 1e-12)


@pytest.mark.parametrize(("n_arms", "rounds"), [(1, 1), (3, 500), (3, 512), (7, 3000), (40, 20_000)])
def test_the_reversed_sum_written_out(n_arms, rounds):
    """Exact to 512 rounds, above by less than 0.3 per cent beyond."""
    horizon, alpha = n_arms + rounds, 0.7
    exact = math.fsum(
        math.sqrt(2 * math.log(horizon + 1 - j) / (math.ceil(j / n_arms) + alpha)) for j in range(1, rounds + 1)
    )
    found = bonus_sum(n_arms, horizon, 1.0, 2.0, alpha)
    assert exact * (1 - 1e-12) <= found <= exact * (1 + (1e-10 if rounds <= 512 else 3e-3))


def test_more_pieces_change_little(monkeypatch):
    coarse = bonus_sum(50, 10**6, 0.25, 1.0, 5.0)
    module = importlib.import_module("reucb.bounds.sharp")  # in the package the name is the function
    monkeypatch.setattr(module, "PIECES", 2**16)
    assert 1 <= coarse / bonus_sum(50, 10**6, 0.25, 1.0, 5.0) < 1.001


@pytest.mark.parametrize("s", [0.0, 0.1, 1.0, 3.0, 8.0, 20.0, 35.0])
def test_excess(s):
    assert float(excess(np.array(s))) == pytest.approx(excess_slow(s), rel=1e-12)


def test_excess_far_out_is_zero_not_negative():
    assert float(excess(np.array(1e6))) == 0


@given(st.floats(0, 30))
def test_what_the_logarithmic_bound_uses_of_it(s):
    """(s + Psi) Q <= phi and s Q <= phi."""
    x = np.array(s)
    assert (s + excess(x)) * upper_tail(x) <= density(x)
    assert s * upper_tail(x) <= density(x)


@given(st.integers(2, 10**6), st.integers(0, 10**12))
def test_knots_are_rounds(first, more):
    rounds = knots(first, first + more)
    assert rounds[0] == first
    assert rounds[-1] == first + more
    assert (np.diff(rounds) >= 1).all()
    assert len(rounds) <= 512 + 1024 + 2


@given(magnitudes(-1.5, 1), st.integers(2, 100))
def test_the_tail_of_optimism_is_convex_and_its_sum_close(a, first):
    rounds = np.arange(first, first + 30_000)
    exact = excess(np.sqrt(a * np.log(rounds)))
    assert (np.diff(exact, 2) >= -1e-15 * exact[0]).all()
    at = knots(rounds[0], rounds[-1])
    found = convex_sum(at, excess(np.sqrt(a * np.log(at))))
    assert exact.sum() * (1 - 1e-12) <= found <= exact.sum() * (1 + 1e-4)


def test_a_decreasing_sum():
    rounds = np.arange(3, 50_000)
    at = knots(3, 49_999)
    assert 1 <= falling_sum(at, at**-1.5) / np.sum(rounds**-1.5) < 1.001
    assert falling_sum(knots(3, 400), knots(3, 400) ** -1.5) == pytest.approx(math.fsum(range_power(3, 400)), rel=1e-13)


def range_power(first, last):
    return [t**-1.5 for t in range(first, last + 1)]
