from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import theorem2_repaired_terms
from reucb.bounds.subgaussian import inflation
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from theory.model import bound_formulas as bounds


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
