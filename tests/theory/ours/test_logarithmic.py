from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from reucb.bounds import combined, logarithmic_terms, sharp
from reucb.bounds.normal import gap_density
from tests.theory.harness.exactly import agree, exact, number
from theory.model import bound_formulas as bounds
from theory.model.normal import excess


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
        tail = first * sum(excess(sp.sqrt(exact(a) * sp.log(t))) for t in range(arms + 1, rounds + 1))
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
