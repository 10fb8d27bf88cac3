"""Theorems 2 and 5 repaired, against numbers."""

from fractions import Fraction
from math import cosh, log, sqrt

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import expected_max, sharp, theorem1_repaired, theorem1_terms, theorem2_repaired_terms, trivial
from reucb.bounds.sharp import sharp_terms
from reucb.bounds.subgaussian import inflation
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from theory.model import bound_formulas as bounds
from theory.ours import theorem_subgaussian_peeling as peeling

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
def test_the_terms_are_what_reucb_computes(arms, rounds, a):
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
