from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb import blup
from reucb.bounds import expected_max, sharp_terms
from reucb.bounds.sums import learned_pulls
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact, number
from theory.model import bound_formulas as bounds


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
