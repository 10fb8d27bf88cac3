"""Our bounds and their parts are what reucb computes; Theorems 2 and 5 repaired, against numbers."""

import math
from fractions import Fraction
from math import cosh, log, sqrt

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb import blup
from reucb.bounds import (
    combined,
    expected_max,
    logarithmic_terms,
    sharp,
    sharp_terms,
    theorem1_repaired,
    theorem1_terms,
    theorem2_repaired_terms,
    trivial,
)
from reucb.bounds.normal import density, excess, gap_density, upper_tail
from reucb.bounds.sharp import HEAD, learned_pulls, width_sum
from reucb.bounds.subgaussian import inflation
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact, number
from theory.model import bound_formulas as bounds
from theory.model import normal as gaussian
from theory.ours import theorem_subgaussian_peeling as peeling
from theory.ours.root_series import FROM, primitive


@examples(40)
@given(st.integers(1, 60), st.integers(0, 8), VARIANCES, VARIANCES)
def test_the_width_is_met_by_the_estimator(pulls, others, spread, noise):
    """Arm 1 pulled `pulls` times, all others once: the mean squared error reucb.blup reports is g(pulls)^2."""
    counts = np.array([pulls] + [1] * others)
    found = blup(counts, np.zeros(1 + others), sigma0_sq=float(spread), sigma_sq=float(noise)).mse[0]
    assert agree(found, bounds.g(sp.Integer(pulls), sp.Integer(1 + others), exact(spread), exact(noise)) ** 2)
    assert agree(
        1 + learned_pulls(1 + others, float(spread), float(noise)),
        1 + bounds.alpha(sp.Integer(1 + others), exact(spread), exact(noise)),
    )


@examples(40)
@given(st.lists(st.integers(1, 40), min_size=1, max_size=8), VARIANCES, VARIANCES)
def test_no_arm_is_wider(counts, spread, noise):
    found = blup(np.array(counts), np.zeros(len(counts)), sigma0_sq=float(spread), sigma_sq=float(noise)).mse
    widest = [
        number(bounds.g(sp.Integer(c), sp.Integer(len(counts)), exact(spread), exact(noise)) ** 2) for c in counts
    ]
    assert np.all(found <= np.array(widest) * (1 + 1e-12))


@pytest.mark.parametrize(("arms", "rounds"), [(2, 3), (2, 40), (3, 50), (10, 60)])
def test_the_terms_are_what_reucb_computes(arms, rounds):
    """Below 512 rounds reucb sums every round, so that nothing but rounding separates the two."""
    for spread, noise, a in (
        (Fraction(1, 25), Fraction(1, 4), Fraction(1)),
        (Fraction(4), Fraction(1, 9), Fraction(5, 2)),
    ):
        found = sharp_terms(n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(a))
        point = (arms, rounds, exact(spread), exact(noise), exact(a))
        assert agree(found["widths"], bounds.widths(*point))
        assert agree(found["tail"], bounds.optimism(*point))
        assert found["initial"] == pytest.approx(arms * float(spread) ** 0.5 * expected_max(arms), rel=1e-12)


@pytest.mark.parametrize(("arms", "rounds"), [(2, 5), (3, 60), (8, 50)])
def test_the_tails_are_what_reucb_computes(arms, rounds):
    for spread, noise, a, b in (
        (Fraction(1, 25), Fraction(1, 4), Fraction(2), Fraction(1)),
        (Fraction(4), Fraction(1, 9), Fraction(3), Fraction(3, 2)),
    ):
        found = logarithmic_terms(
            n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(a), b=float(b)
        )
        first = (arms - 1) * bounds.g(sp.Integer(1), sp.Integer(arms), exact(spread), exact(noise))
        tail = first * sum(gaussian.excess(sp.sqrt(exact(a) * sp.log(t))) for t in range(arms + 1, rounds + 1))
        assert agree(found["tail"], tail)
        assert agree(
            found["deviations"], bounds.deviations(arms, rounds, exact(spread), exact(noise), exact(a), exact(b))
        )


@pytest.mark.parametrize("arms", [2, 3, 20])
def test_the_density_of_the_gaps_is_below_its_bound_and_meets_it_for_two_arms(arms):
    top = number(arms * (arms - 1) / (2 * sp.sqrt(sp.pi)))
    values = gap_density(np.linspace(0, 8, 81), arms)
    assert np.all(values <= top * (1 + 1e-12))
    assert (values[0] == pytest.approx(top, rel=1e-12)) == (arms == 2)


def test_the_least_of_all_is_above_none():
    setting = {"n_arms": 5, "horizon": 5000, "sigma0_sq": 1.0, "sigma_sq": 1.0, "a": 2.0}
    assert combined(**setting) <= min(sharp(**setting), logarithmic_terms(**setting)["total"])


@examples(40)
@given(st.lists(st.integers(0, 60), min_size=1, max_size=8), VARIANCES, VARIANCES)
def test_equal_shares_are_worst(extra, spread, noise):
    """Jensen on the partial sums: no division of the pulls among the arms meets more width than equal shares."""
    arms, total = len(extra), sum(extra)
    width = [
        number(bounds.g(sp.Integer(j), sp.Integer(arms), exact(spread), exact(noise))) for j in range(1, max(extra) + 2)
    ]
    met = sum(sum(width[:k]) for k in extra)
    whole, left = divmod(total, arms)
    assert met <= (arms * sum(width[:whole]) + left * width[whole]) * (1 + 1e-12)


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 3), Fraction(40)])
@pytest.mark.parametrize("pulls", [33, 50, 120])
def test_reucb_sums_by_this_series(alpha, pulls):
    shift = exact(alpha)
    head = sum(1 / sp.sqrt(j + shift) for j in range(1, HEAD + 1))
    series = head + primitive(pulls + sp.Rational(1, 2) + shift) - primitive(HEAD + sp.Rational(1, 2) + shift)
    total = number(head + sum(1 / sp.sqrt(j + shift) for j in range(HEAD + 1, pulls + 1)))
    found = float(width_sum(np.array([pulls]), float(alpha))[0])
    assert found == pytest.approx(number(series), rel=1e-13)
    assert 0 <= number(series) - total <= 1e-11 * total


def test_the_series_starts_where_reucb_starts_it():
    assert FROM == HEAD + 1


@examples(40)
@given(st.integers(0, 600))
def test_the_excess_is_what_reucb_computes(hundredths):
    at, x = np.array(hundredths / 100), sp.Rational(hundredths, 100)
    assert agree(float(density(at)), gaussian.phi(x), 1e-13)
    assert agree(float(upper_tail(at)), gaussian.upper(x), 1e-12)
    assert agree(float(excess(at)), gaussian.excess(x), 1e-11)  # 1 - s M(s) loses two digits by s = 6


@pytest.mark.parametrize("arms", [1, 2, 3, 10, 100, 10**4, 10**6])
def test_the_best_of_many(arms):
    assert expected_max(arms) <= math.sqrt(2 * math.log(arms)) <= 2 * math.sqrt(math.log(arms + 1))


COUNTS = st.lists(st.integers(1, 12), min_size=1, max_size=5)
VARIANCE = st.floats(0.05, 20)


def errors(counts: np.ndarray, spread: float, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Covariances of the errors mu-hat_k - mu_k of reucb.blup: with a single reward of each arm, and with each
    other."""
    arms = len(counts)
    weights = np.column_stack([blup(counts, unit, sigma0_sq=spread, sigma_sq=noise).mu for unit in np.eye(arms)])
    # of the arms' mean rewards; a single reward covaries with its own mean alike
    average = np.diag(spread + noise / counts)
    single = weights @ average - spread * np.eye(arms)
    both = weights @ average @ weights.T - spread * (weights + weights.T) + spread * np.eye(arms)
    return single, both


@examples(60)
@given(COUNTS, VARIANCE, VARIANCE)
def test_an_error_covaries_alike_with_every_reward(counts, spread, noise):
    n = np.array(counts)
    single, both = errors(n, spread, noise)
    w = n * spread / (n * spread + noise)
    scale = spread + noise
    assert np.allclose(single, ((1 - w) * spread / w.sum())[:, None], atol=1e-10 * scale, rtol=1e-9)
    off = np.outer(1 - w, 1 - w) * spread / w.sum()
    expected = off + np.diag((1 - w) * spread)
    assert np.allclose(both, expected, atol=1e-10 * scale, rtol=1e-9)


@examples(60)
@given(COUNTS, VARIANCE, VARIANCE, st.floats(-100, 100), st.integers(0, 2**32 - 1))
def test_a_shift_of_all_rewards_shifts_all_estimates(counts, spread, noise, shift, seed):
    n, means = np.array(counts), np.random.default_rng(seed).normal(size=len(counts))
    before = blup(n, means, sigma0_sq=spread, sigma_sq=noise)
    after = blup(n, means + shift, sigma0_sq=spread, sigma_sq=noise)
    assert np.allclose(after.mu - shift, before.mu, atol=1e-11 * (1 + abs(shift)))
    assert np.array_equal(after.mse, before.mse)


SETTING = (st.integers(1, 60), st.integers(2, 400), VARIANCES, VARIANCES, st.floats(1, 4))


@examples(60)
@given(*SETTING)
def test_each_step_of_the_repair_in_floats(arms, rounds, spread, noise, a):
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": a}
    printed, ours = theorem1_terms(**setting, part=1), sharp_terms(**setting)
    slack = 1 + 1e-12
    assert ours["tail"] <= printed["tail"] / 2 * slack
    assert ours["initial"] + ours["widths"] <= printed["leading"] * slack
    assert sharp(**setting) <= theorem1_repaired(**setting) * slack


@examples(60)
@given(st.integers(1, 300), st.integers(2, 300), VARIANCES)
def test_short_horizons(arms, rounds, spread):
    """Up to n = K the leading term alone is above the regret, whatever the noise: it is least for a = beta = G = 1."""
    first = min(arms, rounds)
    if first >= 2:
        least = 2 * np.sqrt(float(spread) * arms * first * np.log(first))
        assert trivial(n_arms=arms, horizon=first, sigma0_sq=float(spread)) <= least
    assert expected_max(arms) <= np.sqrt(2 * np.log(arms)) + 1e-15


@examples(60)
@given(st.integers(1, 30), VARIANCES, VARIANCES)
def test_kappa(arms, spread, noise):
    assert agree(
        inflation(arms, float(noise) / float(spread)),
        bounds.kappa(sp.Integer(arms), exact(spread), exact(noise)),
        1e-11,
    )


@pytest.mark.parametrize(
    ("arms", "rounds", "a"), [(2, 30, Fraction(12)), (3, 40, Fraction(5, 2)), (5, 50, Fraction(1))]
)
def test_the_terms_of_theorem_5_repaired_are_what_reucb_computes(arms, rounds, a):
    for spread, noise in (
        (Fraction(1, 4), Fraction(1, 4)),
        (Fraction(3, 400), Fraction(1, 4)),
        (Fraction(1, 12), Fraction(1, 100)),
    ):
        found = theorem2_repaired_terms(
            n_arms=arms, horizon=rounds, sigma0_sq=float(spread), sigma_sq=float(noise), a=float(a)
        )
        point = (exact(spread), exact(noise), exact(a))
        assert agree(found["widths"], 2 * bounds.widths(arms, rounds, *point))
        tail = sum(bounds.failure(t, sp.Integer(arms), *point) for t in range(arms + 1, rounds + 1))
        assert agree(found["tail"], tail)
        first = arms * -sp.Max(-1, -sp.sqrt(2 * exact(spread) * sp.log(arms)))
        assert agree(found["initial"], first)


def leaves(steps: int, slope: float) -> Fraction:
    """P(|S_n| > slope sqrt(n) for some n <= steps), S_n a sum of fair signs, counted path by path."""
    paths, left = {0: 1}, Fraction(0)
    for n in range(1, steps + 1):
        after: dict[int, int] = {}
        for at, count in paths.items():
            for to in (at - 1, at + 1):
                after[to] = after.get(to, 0) + count
        paths = {at: count for at, count in after.items() if at * at <= slope * slope * n}
        left += Fraction(sum(count for at, count in after.items() if at not in paths), 2**n)
    return left


@pytest.mark.parametrize("y", [0.2, 0.4, 0.8])
@pytest.mark.parametrize("level", [1.5, 3.0, 5.0])
def test_sums_stay_below_the_curve(y, level):
    """One arm, sigma = 1: the proved chance to leave |S_j| <= r sqrt(j) cosh(y) for some j <= t, against all paths.

    A mutant, the chance at one count and without cosh(y), is false.
    """
    t, radius = 300, sqrt(2 * level)
    at = {peeling.K: 1, peeling.t: t, peeling.y: y, peeling.r: radius}
    chance = sum(float(peeling.crossing_chance(side).concludes.rel.right.subs(at)) for side in peeling.SIDES)
    curve = peeling.sums_below("above").concludes.rel.right
    assert curve == peeling.r * peeling.root(peeling.j) * peeling.cosh(peeling.y)
    assert leaves(t, cosh(y) * radius) <= chance
    assert leaves(t, radius) > chance / (1 + log(t) / (4 * y))
