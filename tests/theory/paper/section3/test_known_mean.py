"""Section 3.1: the ledger's formulas are those of reucb.blup with mu0 known."""

from fractions import Fraction

import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import BANDITS, evaluate, near, seen_from
from theory.model.arms import tau_tilde_sq, w

mu0, r = sp.symbols("mu0 r")


@examples(60)
@given(BANDITS, st.integers(-9, 9), st.lists(st.integers(-9, 9), min_size=5, max_size=5))
def test_core_agrees(bandit: tuple[list[int], Fraction, Fraction], centre: int, means: list[int]) -> None:
    """w-def, mu-estimator and MSE-term1, number by number."""
    counts, noise, spread = bandit
    fit = reucb.blup(counts, means[: len(counts)], sigma0_sq=float(spread), sigma_sq=float(noise), mu0=centre)
    for k in range(len(counts)):
        at = seen_from(k, counts, [noise], spread) | {"mu0": Fraction(centre), "r": Fraction(means[k])}
        assert near(fit.weights[k], evaluate(w, at))
        assert near(fit.mse[k], evaluate(tau_tilde_sq, at))
        assert near(fit.mu[k], evaluate(mu0 + w * (r - mu0), at), scale=10.0)


def test_an_unpulled_arm() -> None:
    """w-def/unpulled."""
    fit = reucb.blup([0, 3], [float("nan"), 2.0], sigma0_sq=0.5, sigma_sq=2.0, mu0=1.0)
    assert (fit.weights[0], fit.mse[0], fit.mu[0]) == (0.0, 0.5, 1.0)
