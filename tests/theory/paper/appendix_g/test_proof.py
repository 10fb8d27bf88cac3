from fractions import Fraction
from math import comb

import pytest
from flint import arb

from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import fitted


def pulled_error(first: int, second: int, size: Fraction, a: Fraction) -> Sides | None:
    """Error of the arm pulled at t = 3 if an interval fails: two arms pulled once, rewards equal to the means, both
    variances of this size, a >= m."""
    fit, means = fitted((1, 1), (first, second), [size], size), (first, second)
    errors = [found - mean for found, mean in zip(fit.mu, means, strict=True)]
    widths = [(number(a * v) * arb(3).log()).sqrt() for v in fit.mse]
    m = (1 + (arb(1) / 2).sqrt()) ** 2 / (1 + arb(1) / 4)  # rho = 1, K = 2
    fails = any(number(e) > c for e, c in zip(errors, widths, strict=True))
    if not (fails and number(a) >= m):
        return None
    return errors[0 if fit.mu[0] >= fit.mu[1] else 1], Fraction(0)


SIZES = tuple(Fraction(1, x) for x in (1, 2, 4, 8, 16, 32, 64))
RANGE = Family(
    ((1, 0), (0, 1), SIZES, (Fraction(5, 2), Fraction(3))), pulled_error, (1, 0, Fraction(1, 64), Fraction(5, 2))
)
FAMILIES = {"decom1-result2/range": RANGE}


def fails(pulls: int, a: Fraction) -> Fraction:
    """P(the interval of a single arm fails before round t = pulls + 1), noise +-sigma: S^2 > a n log t, counted."""
    level = number(a * pulls) * arb(pulls + 1).log()
    beyond = [ups for ups in range(pulls + 1) if 2 * ups > pulls and number(Fraction((2 * ups - pulls) ** 2)) > level]
    return Fraction(sum(comb(pulls, ups) for ups in beyond), 2**pulls)


@pytest.mark.parametrize(
    ("pulls", "a", "root"),
    [
        (1, Fraction(4, 3), Fraction(1, 8)),
        (1000, Fraction(13, 25), Fraction(1, 100)),
        (5000, Fraction(13, 25), Fraction(1, 100)),
    ],
)
def test_the_power_of_delta_counted(pulls, a, root):
    """One arm, so nothing is adaptive: more intervals fail than delta^(1/m) = t^(-a/(2m)) allows, at few and at many
    pulls; not more than t^(-a/2), the repaired power."""
    m = (1 + root) ** 2 / (1 + 1 / (1 + root**2))
    assert a >= m
    chance, log = number(fails(pulls, a)), arb(pulls + 1).log()
    assert chance > (-number(a / (2 * m)) * log).exp()
    assert chance <= (-number(a / 2) * log).exp()
