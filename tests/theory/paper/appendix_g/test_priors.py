from fractions import Fraction
from math import comb, factorial

import pytest
from scipy import stats

from tests.theory.harness.families import Family, Sides


def third_moment(p: int, q: int) -> Sides:
    """E(X - EX)^3 of Beta(p, q) from its raw moments as ratios of factorials, against 0."""
    raw = [
        Fraction(factorial(p + k - 1) * factorial(p + q - 1), factorial(p - 1) * factorial(p + q + k - 1))
        for k in range(4)
    ]
    return sum((comb(3, k) * raw[k] * (-raw[1]) ** (3 - k) for k in range(4)), Fraction(0)), Fraction(0)


BETA = Family((range(1, 13), range(1, 13)), third_moment, (1, 9))
FAMILIES = {"sec:extensions/beta-prior": BETA}


def test_the_third_moment_of_the_beta_prior(ledger):
    """SciPy's skewness times the cubed deviation is the exact number of the ledger."""
    law = stats.beta(1, 9)
    shown = ledger["sec:extensions/beta-prior"].finding.counterexample
    assert float(law.stats("s")) * law.std() ** 3 == pytest.approx(float(Fraction(shown["left"])), rel=1e-12)
    assert float(law.var()) == pytest.approx(float(Fraction(shown["sigma0_sq"])), rel=1e-12)
