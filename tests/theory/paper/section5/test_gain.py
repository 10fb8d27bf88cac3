from fractions import Fraction
from math import log, log2, sqrt

import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st

from reucb.bounds import no_structure_terms, theorem1_terms
from tests.hypothesis_examples import examples
from tests.theory.harness.exactly import VARIANCES
from tests.theory.harness.families import Family, Sides

ROUNDED = 1 + 1e-12


def bounds_of(arms, rounds, spread, noise, common):
    """Our terms and those of the agent without the common mean, a = 1, by the code."""
    setting = {"n_arms": arms, "horizon": rounds, "sigma0_sq": float(spread), "sigma_sq": float(noise), "a": 1.0}
    return theorem1_terms(**setting), no_structure_terms(**setting, sigma_q_sq=float(common))


@examples(60)
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


def leading_terms(arms: int, power: int, small: int) -> Sides:
    """Our leading term and log n times the agent's: sigma = a = 1, n = 10^power, sigma_0^2 = 10^-small, sigma_q^2 =
    1/K."""
    rounds, spread = arb(10) ** power, arb(10) ** -small

    def leading(variance: arb, price: arb) -> arb:
        ratio = (1 + variance * rounds).log() / (1 + variance).log()
        return 2 * (ratio * price * variance * arms * rounds * rounds.log()).sqrt()

    return leading(spread, 1 + 1 / (arms * spread)), rounds.log() * leading(spread + arb(1) / arms, arb(1))


FAMILIES = {
    "sec:discussion/lower-whenever": Family(
        ((2, 10, 5, 20), (2, 3, 4, 5, 6, 7), (2, 3, 4, 5, 6, 7)), leading_terms, (10, 6, 6)
    )
}


def test_the_code_has_the_same_leading_terms() -> None:
    ours, theirs = bounds_of(10, 10**6, Fraction(1, 10**6), 1, Fraction(1, 10))
    left, right = leading_terms(10, 6, 6)
    assert ours["leading"] == pytest.approx(float(left), rel=1e-9)
    assert log(10**6) * theirs["leading"] == pytest.approx(float(right), rel=1e-9)
    assert ours["leading"] > 5 * log(10**6) * theirs["leading"]
