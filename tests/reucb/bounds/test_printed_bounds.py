"""The two theorems against what the paper prints, and the bounds that the paper compares them with."""

import math

import numpy as np
import pytest
from hypothesis import given

from reucb import bounds
from tests.reucb.bounds.reference import PAPER, settings_drawn


def paper_theorem1(n_arms, horizon, sigma0_sq, sigma_sq, a, part, two=2, eight=8, inner=2, one=1):
    """Theorem them-R-Bayes copied symbol by symbol; the numbers are arguments so that a test can change them."""
    m = sigma0_sq / sigma_sq
    ratio = math.log(1 + m * horizon) / math.log(1 + m)
    leading = two * math.sqrt(
        a * ratio * (one + sigma_sq / (n_arms * sigma0_sq)) * sigma0_sq * n_arms * horizon * math.log(horizon)
    )
    if part == 1:
        return leading + (n_arms * sigma0_sq + sigma_sq) / sigma0_sq * math.sqrt(
            eight * horizon * sigma0_sq * sigma_sq / (math.pi * (sigma0_sq + sigma_sq))
        )
    return leading + (one + math.log(horizon)) * (n_arms + sigma_sq / sigma0_sq) * math.sqrt(
        inner * sigma0_sq * sigma_sq / (math.pi * (sigma_sq + sigma0_sq))
    )


@given(settings_drawn)
def test_theorem1_is_the_printed_formula(point):
    for part in (1, 2):
        found = bounds.theorem1(**point, part=part, strict=False)
        assert found == pytest.approx(paper_theorem1(**point, part=part), rel=1e-9)


@pytest.mark.parametrize(("change", "part"), [({"two": 1}, 1), ({"eight": 4}, 1), ({"inner": 8}, 2), ({"one": 2}, 2)])
def test_a_changed_constant_is_seen(change, part):
    point = {**PAPER, "a": 2.0}
    assert bounds.theorem1(**point, part=part) == pytest.approx(paper_theorem1(**point, part=part), rel=1e-13)
    assert bounds.theorem1(**point, part=part) != pytest.approx(paper_theorem1(**point, part=part, **change), rel=1e-3)


def test_the_numbers_of_the_reference_setting():
    terms = bounds.theorem1_terms(**PAPER, a=1.0)
    assert terms["total"] == pytest.approx(8086.2247575922, rel=1e-12)
    assert terms["leading"] + terms["tail"] == pytest.approx(terms["total"], rel=1e-15)


def test_the_part_follows_a():
    for a, part in ((1.0, 1), (1.999, 1), (2.0, 2), (8.0, 2)):
        assert bounds.theorem1(**PAPER, a=a) == bounds.theorem1(**PAPER, a=a, part=part)
    assert bounds.theorem1(**PAPER, a=4.0, part=1) > bounds.theorem1(**PAPER, a=4.0)


@pytest.mark.parametrize(("a", "part"), [(0.99, None), (0.5, 1), (1.5, 2)])
def test_theorem1_refuses_outside_its_hypothesis(a, part):
    with pytest.raises(ValueError, match=rf"a = {a}: Theorem them-R-Bayes needs a >= 1 in part \(1\), a >= 2"):
        bounds.theorem1(**PAPER, a=a, part=part)
    assert bounds.theorem1(**PAPER, a=a, part=part, strict=False) > 0


@pytest.mark.parametrize("part", [0, 3, True, "1"])
def test_there_are_two_parts(part):
    with pytest.raises(ValueError, match=r"part = .*must be 1, 2 or None"):
        bounds.theorem1(**PAPER, a=2.0, part=part)


@pytest.mark.parametrize("a", [1.0, 2.0])
def test_theorem1_is_false_at_one_round_and_the_repair_refuses_it(a):
    point = {"n_arms": 2, "sigma0_sq": 1.0, "sigma_sq": 0.01, "a": a}
    regret = 1 / math.sqrt(math.pi)
    assert bounds.theorem1(**point, horizon=1) < regret
    with pytest.raises(ValueError, match="horizon = 1: Theorem them-R-Bayes is false at n = 1"):
        bounds.theorem1_repaired(**point, horizon=1)
    assert bounds.theorem1_repaired(**point, horizon=2) == bounds.theorem1(**point, horizon=2) >= 2 * regret


def test_m_constant():
    """K = 2, sigma = sigma0: (1 + 1/sqrt 2)^2 / (1 + 1/4)."""
    equal = bounds.m_constant(n_arms=2, sigma0_sq=3.0, sigma_sq=3.0)
    assert equal == pytest.approx((1 + 2**-0.5) ** 2 / 1.25, rel=1e-15)
    limit = bounds.m_constant(n_arms=4, sigma0_sq=1e16, sigma_sq=1.0)
    assert limit == pytest.approx(4 / 5, rel=1e-6), "it goes to K/(K + 1), not to 1"
    assert bounds.m_constant(n_arms=20, sigma0_sq=0.0075, sigma_sq=0.25) == pytest.approx(5.2, abs=0.05)


def test_theorem2_terms():
    point = {"n_arms": 10, "horizon": 1000, "sigma0_sq": 0.04, "sigma_sq": 0.25}
    m, price = bounds.m_constant(n_arms=10, sigma0_sq=0.04, sigma_sq=0.25), 1 + 6.25 / 10
    for a, part in ((m, 1), (2 * m, 2)):
        first = bounds.theorem1_terms(**point, a=a, part=1, strict=False)
        printed, derived = bounds.theorem2_terms(**point, a=a), bounds.theorem2_derived_terms(**point, a=a)
        assert printed["leading"] == derived["leading"] == pytest.approx(first["leading"] * math.sqrt(price), rel=1e-14)
        harmonic = 10 * (1 + math.log(1000))
        assert printed["tail"] == pytest.approx(first["tail"] if part == 1 else 2 * harmonic, rel=1e-14)
        assert derived["tail"] == pytest.approx(40 * math.sqrt(1000) if part == 1 else 4 * harmonic, rel=1e-14)
        assert bounds.theorem2(**point, a=a) == printed["total"]
        assert bounds.theorem2_derived(**point, a=a) == derived["total"]


def test_theorem2_refuses_below_m():
    point = {"n_arms": 20, "horizon": 1000, "sigma0_sq": 0.0075, "sigma_sq": 0.25}
    for bound in (bounds.theorem2, bounds.theorem2_derived):
        with pytest.raises(ValueError, match=r"a = 1, m = 5.24102: Theorem them-R-Bayes-SubR needs a >= m"):
            bound(**point, a=1.0)
        with pytest.raises(ValueError, match="them-R-Bayes-SubR"):
            bound(**point, a=6.0, part=2)
        assert bound(**point, a=1.0, strict=False) > 0


def test_the_rate_in_n():
    horizons = np.array([1e4, 1e6, 1e8, 1e10, 1e12])
    growth = bounds.theorem1(**{**PAPER, "horizon": horizons}, a=1.0) / np.sqrt(horizons)
    assert (np.diff(growth) > 0).all()
    assert growth[-1] < 3 * growth[0], "sqrt(n) up to logarithms"


@given(settings_drawn)
def test_the_price_of_learning_mu0(point):
    """sqrt(beta) in the leading term, beta in the tail: not one factor for both, as the discussion has it."""
    for part in (1, 2):
        ours = bounds.theorem1_terms(**point, part=part, strict=False)
        known = bounds.known_mu0_terms(**point, part=part, strict=False)
        beta = 1 + point["sigma_sq"] / (point["n_arms"] * point["sigma0_sq"])
        assert ours["leading"] == pytest.approx(math.sqrt(beta) * known["leading"], rel=1e-12)
        assert ours["tail"] == pytest.approx(beta * known["tail"], rel=1e-12)


@given(settings_drawn)
def test_no_structure_is_a_wider_known_prior(point):
    wider = {**point, "sigma0_sq": point["sigma0_sq"] + 0.5}
    assert bounds.no_structure(**point, sigma_q_sq=0.5, strict=False) == bounds.known_mu0(**wider, strict=False)
    assert bounds.no_structure(**point, sigma_q_sq=0.0, strict=False) == bounds.known_mu0(**point, strict=False)


def test_sharing_pays_from_many_arms_on():
    few, many = ({**PAPER, "n_arms": k, "a": 1.0} for k in (2, 500))
    assert bounds.no_structure_terms(**few, sigma_q_sq=0.04)["leading"] < bounds.theorem1_terms(**few)["leading"]
    assert bounds.no_structure_terms(**many, sigma_q_sq=0.04)["leading"] > bounds.theorem1_terms(**many)["leading"]


def test_classical_counts_every_pull():
    """4 sqrt(a sigma^2 K n log n) is above twice the widths of the equal split of the pulls, and close to it."""
    per_arm, n_arms = 400, 25
    total = 2 * math.sqrt(2 * 0.25 * math.log(per_arm * n_arms)) * n_arms * sum(s**-0.5 for s in range(1, per_arm))
    bound = bounds.classical(n_arms=n_arms, horizon=per_arm * n_arms, sigma_sq=0.25, a=2.0)
    assert 0.9 * bound < total < bound


def test_refusals():
    with pytest.raises(ValueError, match=r"a = 0.5: the bound with mu0 known needs a >= 1"):
        bounds.known_mu0(**PAPER, a=0.5)
    with pytest.raises(ValueError, match=r"a = 0.5: the classical width"):
        bounds.classical(n_arms=2, horizon=9, sigma_sq=1.0, a=0.5)
    with pytest.raises(ValueError, match=r"sigma_q_sq = -1.0: must be"):
        bounds.no_structure(**PAPER, a=1.0, sigma_q_sq=-1.0)
    with pytest.raises(ValueError, match="sigma0_sq"):
        bounds.no_structure(**{**PAPER, "sigma0_sq": -0.01}, a=1.0, sigma_q_sq=1.0)
