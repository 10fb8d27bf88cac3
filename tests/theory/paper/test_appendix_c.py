"""Appendix C: the comparison with the sample mean, on the core."""

from fractions import Fraction

import numpy as np
from hypothesis import given

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS


@examples(60)
@given(BANDITS)
def test_gain_over_the_sample_mean(bandit: tuple[list[int], Fraction, Fraction]) -> None:
    """sigma^2/n_k - tau_k^2 = (1-w_k) sigma^2/n_k times the other arms' share of the weights."""
    counts, noise, spread = bandit
    fit = reucb.blup(counts, np.zeros(len(counts)), sigma0_sq=float(spread), sigma_sq=float(noise))
    direct = float(noise) / np.array(counts)
    others = (fit.weights.sum() - fit.weights) / fit.weights.sum()
    gain = (1 - fit.weights) * direct * others
    np.testing.assert_allclose(direct - fit.mse, gain, rtol=1e-9, atol=1e-13 * direct.max())  # the difference cancels
    if len(counts) > 1:
        assert (fit.mse < direct).all()
