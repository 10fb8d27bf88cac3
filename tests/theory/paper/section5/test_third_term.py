from fractions import Fraction
from functools import cache
from math import log, sqrt

import numpy as np
import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import fitted
from tests.theory.harness.values import enclose, precision
from theory.paper.section5 import third_term as third

FAR = 20  # deviations


@cache
def largest_error(n: int, other: int) -> Sides:
    """E[max(Y, Z) 1{Y > c or Z > d}] for the errors of two arms with equal estimates before round n + other + 1, and
    the display, variances 1. By complement: E max(Y, Z) is known, and the part inside both widths is an integral over
    Z; below -FAR deviations of Z it is at most (dev Y + dev Z) sqrt(P(Z < -FAR dev Z)), by Cauchy-Schwarz."""
    (v, cov), (_, u) = fitted((n, other), (0, 0), [Fraction(1)], Fraction(1)).errors
    rounds, slope, rest = arb(n + other + 1), number(cov / u), number(v - cov**2 / u).sqrt()
    dev_y, dev_z = number(v).sqrt(), number(u).sqrt()
    c, d = dev_y * rounds.log().sqrt(), dev_z * rounds.log().sqrt()

    def density(x: acb) -> acb:
        return (-x * x / 2).exp() / acb(2 * arb.pi()).sqrt()

    def below(x: acb) -> acb:
        return (-x / acb(2).sqrt()).erfc() / 2

    def kept(z: acb, _: bool) -> acb:
        """Density of Z at z times E[max(Y, z) 1{Y <= c} | Z = z], for z <= c."""
        low, high = (z - slope * z) / rest, (c - slope * z) / rest
        mean = z * below(low) + slope * z * (below(high) - below(low)) + rest * (density(low) - density(high))
        return mean * density(z / dev_z) / dev_z

    main = acb.integral(kept, acb(-FAR * dev_z), acb(d)).real
    cut = (dev_y + dev_z) * below(acb(-FAR)).real.sqrt()
    best = number(v + u - 2 * cov).sqrt() / (2 * arb.pi()).sqrt()
    return best - main + (-cut).union(cut), (dev_y + dev_z) / (2 * arb.pi() * rounds).sqrt()


def display(n: int, other: int) -> Sides | None:
    with precision(64):
        return largest_error(n, other) if n <= other else None  # then c >= d, as the integrand supposes


UNEVEN = Family(((1, 2, 3), (*range(1, 31), 50, 99)), display, (1, 10))
FAMILIES = {"sec:proof/third-term/display": UNEVEN}


@examples(25)
@given(st.integers(1, 12), st.sampled_from([*range(1, 40), 100, 1000]))
def test_twice_the_widest_is_enough(n, more):
    """sec:proof/third-term/display/repaired: K times the widest tau in place of the sum, for K = 2."""
    with precision(64):
        left, right = largest_error(n, n + more)
        tau = [number(v).sqrt() for v in fitted((n, n + more), (0, 0), [Fraction(1)], Fraction(1)).mse]
        assert left <= right * 2 * tau[0] / (tau[0] + tau[1])


def test_the_closed_form_against_simulation():
    """Seeded. A false alarm beyond 5 standard errors has probability 6e-7; an error of 1 % would be some 9 of them."""
    at = {third.N: 10}
    covariance = np.array([[third.VAR[0], third.COV], [third.COV, third.VAR[1]]], dtype=object)
    covariance = np.vectorize(lambda x: float(x.subs(at)))(covariance)
    errors = np.random.default_rng(11).multivariate_normal([0.0, 0.0], covariance, size=2_000_000)
    failing = (errors > sqrt(log(12)) * np.sqrt(np.diag(covariance))).any(axis=1)
    values = errors.max(axis=1) * failing
    exact = float(third.best_arms_error().subs(at))
    assert abs(values.mean() - exact) < 5 * values.std() / sqrt(len(values))


@pytest.mark.parametrize("more", [1, 5, 9, 10, 30, 1000])
def test_the_closed_form_against_quadrature(more):
    with precision(64):
        assert largest_error(1, more)[0].overlaps(enclose(third.best_arms_error(), {"N": Fraction(more)}))
