from fractions import Fraction
from math import isclose, sqrt

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reucb import blup
from tests.hypothesis_examples import examples

COUNTS = st.lists(st.integers(1, 20), min_size=1, max_size=5)
VARIANCE = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))


def tau(counts: list[int], spread: Fraction, noise: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """tau^2 of the first arm, tilde-tau^2 and u, straight from Eq. MSE."""
    w = [c * spread / (c * spread + noise) for c in counts]
    own = w[0] * noise / counts[0]
    return (
        own + (1 - w[0]) ** 2 * noise / sum(c * (1 - v) for c, v in zip(counts, w, strict=True)),
        own,
        (1 - w[0]) / sum(w),
    )


@examples(100)
@given(COUNTS, VARIANCE, VARIANCE)
def test_lemma_tau2_fails_exactly_in_its_region(counts, spread, noise):
    full, own, u = tau(counts, spread, noise)
    arms, rho = len(counts), noise / spread
    assert (full < own * (1 + 1 / (arms * (1 + rho)))) == (u < 1 / (arms * (1 + rho)))
    found = blup(np.array(counts), np.zeros(arms), sigma0_sq=float(spread), sigma_sq=float(noise)).mse[0]
    assert isclose(found, full, rel_tol=1e-12)


@examples(100)
@given(COUNTS, VARIANCE, VARIANCE)
def test_the_repaired_ratio(counts, spread, noise):
    full, own, u = tau(counts, spread, noise)
    star, q = float(own) * (1 + sqrt(u)) ** 2, sqrt(noise / spread / len(counts))
    assert float(full) / star >= 0.5 * (1 - 1e-12)
    if q <= 1:
        assert float(full) / star >= (1 + q * q) / (1 + q) ** 2 * (1 - 1e-12)
    assert star <= float(own) * (1 + q) ** 2 * (1 + 1e-12)


@examples(50)
@given(st.integers(1, 6), VARIANCE)
def test_lemma_tautotau_at_one_pull_each(arms, rho):
    full, own, u = tau([1] * arms, Fraction(1), rho)
    assert u == rho / arms
    ratio, printed = 1 + u, 1 + 1 / (arms * (1 + rho))  # over the common denominator (1 + sqrt(rho/K))^2
    assert (ratio < printed) == (rho * (1 + rho) < 1)
    assert full == own * ratio
