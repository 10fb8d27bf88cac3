"""Knowing mu0, ignoring that it is shared, and knowing nothing."""

import math

import pytest
from hypothesis import given

from reucb import bounds
from tests.reucb.bounds.reference import PAPER, settings_drawn


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
