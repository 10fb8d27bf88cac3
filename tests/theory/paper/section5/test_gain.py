from fractions import Fraction
from math import log, log2, sqrt

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from reucb.bounds import no_structure_terms, theorem1_terms
from tests.theory.harness.exactly import VARIANCES

ROUNDED = 1 + 1e-12


def bounds_of(arms, rounds, spread, noise, common):
    """Our terms and those of the agent without the common mean, a = 1, by the code."""
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": 1.0}
    return theorem1_terms(**setting), no_structure_terms(**setting, sigma_q_sq=float(common))


@settings(max_examples=60)
@given(st.integers(1, 300), st.integers(2, 10**5), VARIANCES, VARIANCES, VARIANCES)
def test_the_whole_bound_compares(arms, rounds, spread, noise, common):
    assume(arms * common >= noise)
    ours, theirs = bounds_of(arms, rounds, spread, noise, common)
    root_beta = sqrt(1 + noise / (arms * spread))
    tail = ours["tail"] / root_beta  # what the repaired proof gives
    odds = float(spread / noise)
    assert ours["leading"] <= sqrt(1 + log(rounds) / log(1 + odds)) * theirs["leading"] * ROUNDED
    assert tail <= sqrt(1 + 1 / (arms * (1 + odds))) * theirs["tail"] * ROUNDED
    if spread >= noise:
        assert ours["leading"] + tail <= sqrt(1 + log2(rounds)) * theirs["total"] * ROUNDED


@settings(max_examples=40)
@given(st.integers(1, 10**4))
def test_every_multiple_of_the_agents_bound_is_exceeded(multiple):
    ours, theirs = bounds_of(2, 2, Fraction(1, 24 * multiple**2), 1, 1)
    assert ours["total"] > multiple * theirs["total"]
