"""Appendix F: the bound of Lemma sec:tau and the posterior of Lemma sec:mu0Dist, on the core."""

from fractions import Fraction

import numpy as np
from hypothesis import given

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS

Bandit = tuple[list[int], Fraction, Fraction]


@examples(80)
@given(BANDITS)
def test_bounds_hold_for_the_core(bandit: Bandit) -> None:
    """sec:tau, sec:tau/sharp and sec:lemma/range, with room for rounding only."""
    counts, noise, spread = bandit
    n, s, s0, arms = np.array(counts, float), float(noise), float(spread), len(counts)
    mse = reucb.blup(counts, np.zeros(arms), sigma0_sq=s0, sigma_sq=s).mse
    known, w, rho = s0 * s / (n * s0 + s), n * s0 / (n * s0 + s), s / s0
    sharp = known * (1 + (1 - w) / (w + (arms - 1) / (1 + rho)))
    room = 1 + 1e-13
    assert (mse <= sharp * room).all()
    assert (sharp <= known * (1 + rho / arms) * room).all()
    assert (mse * room >= known * (1 + (1 - w) / arms)).all()


def test_an_unpulled_arm_breaks_the_printed_bound() -> None:
    """K = 2, n = (1, 0), both variances 1: 1 against 3/4 (claim sec:tau/unpulled-arm)."""
    assert reucb.blup([1, 0], [0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0).mse[0] == 1.0
