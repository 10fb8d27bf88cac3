from fractions import Fraction

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import theorem2_derived_terms, theorem2_terms
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from theory.model import bound_formulas as bounds


@examples(40)
@given(st.integers(1, 500), st.integers(2, 10**6), VARIANCES, VARIANCES, st.sampled_from([1, 2]), st.integers(1, 8))
def test_the_statement_is_what_reucb_computes(arms, rounds, spread, noise, part, width):
    setting = {
        "n_arms": arms,
        "horizon": rounds,
        "sigma0_sq": float(spread),
        "sigma_sq": float(noise),
        "a": width / 2,
        "part": part,
    }
    leading, tail = bounds.theorem2(
        sp.Integer(arms), sp.Integer(rounds), exact(spread), exact(noise), exact(Fraction(width, 2)), part
    )
    printed, derived = theorem2_terms(**setting, strict=False), theorem2_derived_terms(**setting, strict=False)
    assert agree(printed["leading"], leading)
    assert agree(printed["tail"], tail)
    ends = 4 * arms * sp.sqrt(rounds) if part == 1 else 4 * arms * (1 + sp.log(rounds))
    assert agree(derived["leading"], leading)
    assert agree(derived["tail"], ends)


def test_the_counterexample_played():
    """Two fair-coin arms without noise: the first pull costs E max - E mu = 3/4 - 1/2, more than the bound at n =
    1."""
    setting = {"n_arms": 2, "horizon": 1, "sigma0_sq": 0.25, "sigma_sq": 1 / 200, "a": 1.0}
    assert theorem2_terms(**setting, part=1)["total"] < 0.25
