"""The common mean: GLS is never less efficient than the mean of all rewards, and what the core estimates is GLS."""

from fractions import Fraction

import numpy as np
from hypothesis import given

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS


@examples(50)
@given(BANDITS)
def test_variances_of_the_two_means(bandit: tuple[list[int], Fraction, Fraction]) -> None:
    """Var(r0-bar) = sigma_0^2/W; the mean of all rewards has more, and just as much for equal counts."""
    counts, noise, spread = bandit
    n, s, s0 = np.array(counts, float), float(noise), float(spread)
    weights = reucb.blup(counts, np.zeros(len(counts)), sigma0_sq=s0, sigma_sq=s).weights
    direct = s0 + s / n
    gls = np.sum((weights / weights.sum()) ** 2 * direct)
    ols = np.sum((n / n.sum()) ** 2 * direct)
    np.testing.assert_allclose(gls, s0 / weights.sum(), rtol=1e-12)
    assert gls <= ols * (1 + 1e-13)  # room for rounding
    assert (len(set(counts)) == 1) == bool(np.isclose(gls, ols, rtol=1e-13, atol=0))
