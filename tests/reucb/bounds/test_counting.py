"""The counting bound (ours/counting): its values, its one-sided evaluation part by part, and its limits."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from reucb import bounds
from reucb.bounds.counted_rounds import (
    Blocks,
    Thresholds,
    blocks,
    charge,
    start_survival,
    supremum_cells,
    supremum_survival,
)
from reucb.bounds.counting import FINE, CountingMesh, ScaledSetting, counted, unpaid_rounds
from reucb.bounds.normal import best_arm
from tests.hypothesis_examples import examples
from tests.reucb.bounds.reference import PAPER
from tests.reucb.strategies import magnitudes

pytestmark = pytest.mark.xdist_group("slow bounds")  # one process: values that several tests need are computed once

# K, n, sigma, a (sigma0 = 1) and the value on a fine mesh without one-sided error
TABLE = [
    (2, 1000, 1.0, 1.0, 20.49),
    (3, 500, 0.1, 1.0, 3.485),
    (10, 1000, 0.5, 1.0, 49.88),
    pytest.param(10, 10_000, 2.5, 1.0, 826.9, marks=pytest.mark.slow),
    (50, 1000, 2.5, 1.0, 1651.0),
    pytest.param(50, 10_000, 2.5, 2.0, 3585.2, marks=pytest.mark.slow),
    pytest.param(50, 10_000, 0.5, 2.0, 221.8, marks=pytest.mark.slow),
    (200, 1000, 0.5, 2.0, 659.4),
]


@pytest.mark.parametrize(("n_arms", "horizon", "sigma", "a", "expected"), TABLE)
def test_values(n_arms, horizon, sigma, a, expected):
    """At most 1 per cent above the value of a fine mesh, and at most its own error of 0.25 per cent below."""
    found = bounds.counting(n_arms=n_arms, horizon=horizon, sigma0_sq=1.0, sigma_sq=sigma**2, a=a)
    assert 0.9975 * expected <= found <= 1.01 * expected


def test_reference_setting():
    terms = bounds.counting_terms(**PAPER, a=1.0)
    assert terms["total"] == bounds.counting(**PAPER, a=1.0) <= 515
    assert [terms[name] for name in ("initial", "gaps", "prices", "rounds")] == pytest.approx(
        [22.5, 333.1, 37.1, 113.5], rel=0.015
    )


def test_two_arms_have_no_others_and_the_law_of_s_is_exact():
    s = np.array([-0.1, 0.0, 0.2, 0.7])
    assert np.allclose(supremum_survival(s, 2, 1.0, 0.3), [1, 1, math.exp(-0.32), math.exp(-3.92)], rtol=1e-14)


@given(st.floats(-3, 6), magnitudes(-4, 3))
@examples(15)
def test_start_of_the_path(x, v0):
    """P(B(v0) + E > x) against quadrature over B."""
    root = math.sqrt(v0)

    def given_b(b):
        return norm.pdf(b) * math.exp(-2 * max(x - root * b, 0.0) ** 2)

    points = sorted({-9.0, min(max(x / root, -9.0), 9.0), min(max((x - 0.5) / root, -9.0), 9.0), 9.0})
    exact = sum(quad(given_b, a, b, epsabs=1e-12)[0] for a, b in pairwise(points))
    assert float(start_survival(np.array(x), v0)) == pytest.approx(exact, abs=1e-8)


@pytest.mark.parametrize(("n_arms", "rho", "zeta"), [(3, 0.5, 0.0), (10, 6.25, 0.3), (40, 1.0, 0.3)])
def test_law_of_s_against_paths(n_arms, rho, zeta):
    """8000 paths of 600 steps; a path seen at steps only is lower, so the bound may not be below 4 standard errors.

    False alarm below 1e-3 over all cases. It would detect a bound 3 per cent too low at P = 1/2.
    """
    rng, v0 = np.random.default_rng(12), (n_arms - 2) / (1 + rho)
    step = (n_arms - 2 - v0) / 600
    extra = np.sqrt(-np.log(rng.random(8000)) / 2)
    path, v = rng.normal(size=8000) * math.sqrt(v0), v0
    highest = (path + extra) / (2 + v0)
    for _ in range(600):
        v, path = v + step, path + rng.normal(size=8000) * math.sqrt(step)
        highest = np.maximum(highest, (path + extra - zeta * (v - v0)) / (2 + v))
    levels = np.quantile(highest, [0.1, 0.5, 0.9, 0.99])
    found = supremum_survival(levels, n_arms, rho, zeta)
    drawn = (highest[:, None] > levels).mean(axis=0)
    assert (found >= drawn - 4 * np.sqrt(drawn * (1 - drawn) / 8000)).all()
    assert (found <= drawn + 0.05).all()


@given(st.integers(2, 10**6), magnitudes(-6, 6), st.sampled_from([0.0, 0.3]))
@examples(10)
def test_cells_of_s_are_a_law(n_arms, rho, zeta):
    ends, mass = supremum_cells(n_arms, rho, zeta, 40)
    assert (np.diff(ends) > 0).all()
    assert (mass >= 0).all()
    assert mass.sum() == pytest.approx(1, abs=1e-12)
    assert mass[-1] < 1e-30


@given(st.integers(2, 10**7), st.integers(2, 80))
@examples(30)
def test_cells_of_the_best_arm(n_arms, number):
    best = best_arm(n_arms, number)
    assert best.mass.sum() == pytest.approx(1, abs=1e-12)
    assert ((best.low < best.mean) & (best.mean < best.high)).all()
    assert best.mass @ best.mean == pytest.approx(bounds.expected_max(n_arms - 1), abs=1e-10)
    assert (best.high - best.low < 1.7).all()


def test_hoeffding_cell_is_above_the_best_arm_in_it():
    """E[phi(Y - x); cell] <= mass sqrt(v) phi_v(mean - x) for x on a grid; with v = 1 it would be false."""
    needed = False
    for n_arms in (2, 5, 60):
        best = best_arm(n_arms, 12)
        for i in (3, 8, 14, 20):
            for x in np.linspace(-3, 6, 13):
                exact = quad(
                    lambda y, x=x, k=n_arms: (k - 1) * norm.pdf(y) * ndtr(y) ** (k - 2) * norm.pdf(y - x),
                    best.low[i],
                    best.high[i],
                    epsabs=0,
                )[0]
                v = best.variance[i]
                bound = best.mass[i] * math.sqrt(v) * norm.pdf(best.mean[i] - x, scale=math.sqrt(v))
                assert exact <= bound * (1 + 1e-10)
                needed |= exact > 1.001 * best.mass[i] * norm.pdf(best.mean[i] - x)
    assert needed


def slow_cost(y, v, noise, price, d):
    """E[((y - mu) + price) 1{mu < y} 1{mu + noise Z >= y - d}], mu ~ N(0, v), by quadrature over x = y - mu."""

    def f(x):
        return (x + price) * norm.pdf(y - x, scale=math.sqrt(v)) * ndtr((d - x) / noise)

    cuts = sorted(
        {0.0, *(min(max(c, 0.0), y + 12) for c in (d - 8 * noise, d, d + 8 * noise, y - 5, y, y + 5, y + 12))}
    )
    return sum(quad(f, a, b, epsabs=1e-13, limit=200)[0] for a, b in pairwise(cuts))


@given(st.floats(-2, 5), st.floats(1, 1.2), magnitudes(-4, 3), st.floats(0, 2), st.floats(-3, 8))
@examples(40)
def test_good_pulls_are_above_their_cost(y, v, noise, price, reach):
    d = reach * max(noise, 0.1)
    row = [np.array([value]) for value in (y, v, noise, price)]
    found = Thresholds(*row).cost(np.array([[d]]))[0, 0]
    exact = slow_cost(y, v, noise, price, d)
    assert found >= exact * (1 - 1e-8) - 1e-11
    assert found <= exact * 1.03 + 0.003 * min(noise, 1) ** 2 + 0.003 * price * min(noise, 1) + 1e-9


@given(st.integers(1, 50), st.integers(0, 10**9), st.integers(1, 60), st.floats(0.001, 0.5))
def test_blocks_cover_every_number_once(low, more, exact, ratio):
    cut = blocks(float(low), float(low + more), exact, ratio)
    assert cut.first[0] == low
    assert cut.last[-1] == low + more
    assert (cut.first[1:] == cut.last[:-1] + 1).all()
    assert (cut.last >= cut.first).all()
    assert (cut.last[cut.size > 1] <= cut.first[cut.size > 1] * (1 + 2 * ratio) + 1).all()


@pytest.mark.parametrize(("n_arms", "sigma", "a"), [(2, 1.0, 1.0), (10, 0.5, 2.0), (30, 2.5, 0.5)])
def test_a_block_of_counts_is_above_its_counts(n_arms, sigma, a):
    """`longest` against f_N/N for every N of the block, both branches of f and both signs of every part."""
    for reach in (
        *ScaledSetting(n_arms, 1000.0, sigma, a, False).reaches(),
        *ScaledSetting(n_arms, 1000.0, sigma, a, True).reaches(),
    ):
        y, s = np.linspace(-3, 60, 60), np.linspace(-1, 3, 9)
        for first, last in ((1, 4), (7, 9), (30, 60), (300, 306)):
            block = reach.longest(Blocks(np.array([float(first)]), np.array([float(last)])), y, s)[0]
            each = np.arange(first, last + 1.0)
            single = reach.longest(Blocks(each, each), y, s).max(axis=0)
            assert (block >= single - 1e-12 * np.abs(single)).all()


@pytest.mark.parametrize("change", [{"counts": 2, "ratio": 0.2}, {"ratio": 0.08}, {"best": 20}, {"others": 20}])
def test_coarser_is_higher(change):
    """Merged blocks or cells never give less; the prices are held, as they may be chosen on any mesh."""
    problem = ScaledSetting(10, 2000.0, 1.0, 1.0, False)
    mesh = CountingMesh(20, 0.04, 0.04, 40, 40)
    fine, coarse = (counted(problem, problem.reaches()[0], replace(mesh, **more)) for more in ({}, change))
    assert coarse.gaps.sum() > fine.gaps.sum()
    assert coarse.pulls.sum() > fine.pulls.sum()


def test_coarser_rounds_are_higher():
    problem = ScaledSetting(10, 2000.0, 1.0, 1.0, False)
    prices = charge(problem.bad, problem.counts(CountingMesh(1)))
    values = [unpaid_rounds(problem, CountingMesh(1, FINE.ratio, rounds), prices) for rounds in (0.01, 0.05, 0.2)]
    assert values[0] < values[1] < values[2]


def test_known_mean_costs_less():
    for a in (0.5, 2.0):
        assert bounds.counting(**PAPER, a=a, mu0_known=True) < bounds.counting(**PAPER, a=a)


def test_range_of_the_arms_and_seam():
    cap = (50 + 2 * 50) * bounds.expected_max(50) * 0.2
    assert bounds.counting(**{**PAPER, "horizon": 100, "sigma_sq": 1e6}, a=1.0) == pytest.approx(cap, rel=1e-7)
    assert bounds.counting(**{**PAPER, "horizon": 50}, a=1.0) == pytest.approx(
        50 * bounds.expected_max(50) * 0.2, rel=1e-7
    )
    assert bounds.counting(**{**PAPER, "n_arms": 1}, a=1.0) == 0


def test_mu0_known_is_a_flag():
    with pytest.raises(TypeError, match="mu0_known = 1: must be True or False"):
        bounds.counting(**PAPER, a=1.0, mu0_known=1)


def test_optimised_prices_gain():
    assert bounds.counting(**PAPER, a=1.0, optimise=True) == pytest.approx(499.2, abs=1)
    long = {**PAPER, "n_arms": 10_000, "horizon": 10**7, "a": 1.0}
    assert bounds.counting(**long, optimise=True) < 0.5 * bounds.counting(**long)
