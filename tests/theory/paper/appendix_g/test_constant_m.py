from fractions import Fraction

import sympy as sp
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from reucb.bounds import m_constant
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES, agree, exact
from tests.theory.harness.families import Family, Sides
from theory.model import bound_formulas as bounds
from theory.model.width_ratio import J, m, q


@examples(40)
@given(st.integers(1, 500), VARIANCES, VARIANCES)
def test_the_constant_is_what_reucb_computes(arms, spread, noise):
    found = m_constant(n_arms=arms, sigma0_sq=float(spread), sigma_sq=float(noise))
    assert agree(found, bounds.m_constant(sp.Integer(arms), exact(spread), exact(noise)))
    assert agree(found, m.subs({J: arms - 1, q: sp.sqrt(exact(noise) / (arms * exact(spread)))}))
    assert arms / (arms + 1) * (1 - 1e-15) <= found < (1 + (float(noise / spread) / arms) ** 0.5) ** 2


def m_against_a(arms: int) -> Sides:
    """m of the Bernoulli experiments, rho = 100/3, and their a = 1."""
    rho = arb(100) / 3
    return (1 + (rho / arms).sqrt()) ** 2 / (1 + 1 / (arms * (1 + rho))), Fraction(1)


FAMILIES = {"them-R-Bayes-SubR/m/small": Family(((20, 50, 100),), m_against_a, (20,))}
