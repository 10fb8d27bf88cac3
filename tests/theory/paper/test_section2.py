"""Section 2 against the ledger's verdicts and against the agent's own counts."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, Law, outcomes, variance
from theory.paper import section2 as s2_setting


def shrunk(offsets: Law, noise: Law, shrink: Fraction) -> Sides:
    """E(c (d + e) - d)^2 over all outcomes, and the same by the two variances."""
    risk = sum((p * (shrink * (d + e) - d) ** 2 for p, (d, e) in outcomes(offsets, noise)), Fraction(0))
    return risk, shrink**2 * variance(noise) + (1 - shrink) ** 2 * variance(offsets)


def bernoulli(low: Fraction, high: Fraction, shrink: Fraction) -> Sides:
    """Risk of two Bernoulli rewards shrunk towards mu_0, arm mean low or high; and Eq. mse-a with the mean noise."""
    centre, risk = (low + high) / 2, Fraction(0)
    for mean in (low, high):
        for ones, chance in ((0, (1 - mean) ** 2), (1, 2 * mean * (1 - mean)), (2, mean**2)):
            risk += chance / 2 * (centre + shrink * (Fraction(ones, 2) - centre) - mean) ** 2
    spread = (high - low) ** 2 / 4
    return risk, shrink**2 * (centre * (1 - centre) - spread) / 2 + (1 - shrink) ** 2 * spread


SHARES = tuple(Fraction(i, j) for j in range(2, 6) for i in range(j + 1))
FAMILIES = {
    "payoff-M1/second-moments": Family((LAWS, LAWS, SHARES), shrunk),
    "payoff-R/average-noise": Family((SHARES, SHARES, SHARES), bernoulli),
}


@examples(10)
@given(st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_counts_are_of_earlier_rounds(n_arms: int, seed: int) -> None:
    """Before round t the agent's counts add up to t - 1 (claim sec:setting/counts)."""
    rng = np.random.default_rng(seed)
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=n_arms, seed=0)
    for t in range(1, 12):
        assert agent.counts.sum() == t - 1
        agent.update(agent.select(), float(rng.normal()))


def test_the_printed_count_fails_on_a_play() -> None:
    assert all(rel.left == rel.right for rel in s2_setting._numbered(before=1))
    assert not all(rel.left == rel.right for rel in s2_setting._numbered(before=0))
