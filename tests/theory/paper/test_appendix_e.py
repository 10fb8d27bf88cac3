"""Appendix E: noise that differs by arm, and bounds by the largest noise."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import LAWS, SIGN, SKEW, Law, fitted, outcomes, variance
from tests.theory.harness.search import FRACTIONS, evaluate, near, seen_from
from theory.ledger import Entry
from theory.model.own_noise import tau_h_sq

# Appendix E: the core follows the second display, and the first is another number.


@examples(60)
@given(st.lists(st.tuples(st.integers(1, 40), FRACTIONS), min_size=1, max_size=5), FRACTIONS)
def test_core_agrees(pairs: list[tuple[int, Fraction]], spread: Fraction) -> None:
    counts, noise = [c for c, _ in pairs], [e for _, e in pairs]
    fit = reucb.blup(counts, [0.0] * len(pairs), sigma0_sq=float(spread), sigma_sq=[float(e) for e in noise])
    largest = reucb.blup(counts, [0.0] * len(pairs), sigma0_sq=float(spread), sigma_sq=float(max(noise)))
    for k in range(len(pairs)):
        assert near(fit.mse[k], evaluate(tau_h_sq, seen_from(k, counts, noise, spread)))
    assert (fit.mse <= largest.mse * (1 + 1e-14)).all()  # sec:varying/tau-h, up to rounding


def test_first_display_is_another_number(ledger: dict[str, Entry]) -> None:
    shown = ledger["sec:varying/first-display"].finding.counterexample
    assert shown is not None
    fit = reucb.blup(
        [int(c) for c in shown["n"]],
        [0.0, 0.0],
        sigma0_sq=float(Fraction(shown["sigma0_sq"])),
        sigma_sq=[float(Fraction(x)) for x in shown["sigma_k_sq"]],
    )
    assert float(fit.mse[0]) == pytest.approx(float(Fraction(shown["right"])), rel=1e-15)
    assert float(fit.mse[0]) != pytest.approx(float(Fraction(shown["left"])), rel=1e-3)


# Unequal noise with the common mean as printed: its error, by the covariance matrix of the sample means.


def printed_prediction(counts: tuple[int, int], first: Law, second: Law) -> Sides:
    """Error of arm 1's prediction with the common mean as printed, over all outcomes, and the least possible one."""
    noise = [variance(first), variance(second)]
    weights = [c / (c + e) for c, e in zip(counts, noise, strict=True)]  # offsets +-1
    shares = [(1 - w) * c for w, c in zip(weights, counts, strict=True)]
    error = Fraction(0)
    for p, (mu, other, *e) in outcomes(SIGN, SIGN, *[first] * counts[0], *[second] * counts[1]):
        means = mu + Fraction(sum(e[: counts[0]]), counts[0]), other + Fraction(sum(e[counts[0] :]), counts[1])
        common = (shares[0] * means[0] + shares[1] * means[1]) / sum(shares)
        error += p * ((1 - weights[0]) * common + weights[0] * means[0] - mu) ** 2
    return error, fitted(counts, [0, 0], noise, Fraction(1)).mse[0]


UNEQUAL = Family((((1, 1), (1, 2), (2, 1)), LAWS[:3], LAWS[:3]), printed_prediction, ((1, 1), SIGN, SKEW))
FAMILIES = {"sec:varying/posterior": UNEQUAL}

ARMS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4)


@examples(40)
@given(ARMS)
def test_printed_prediction_is_no_better_than_the_core(arms: list[tuple[int, int]]) -> None:
    """sec:varying/posterior: the core's error is the second display, and the printed prediction's is not below it."""
    counts, noise = np.array([c for c, _ in arms]), np.array([float(e) for _, e in arms])
    weights = counts / (counts + noise)
    rows = (1 - weights[0]) * (1 - weights) * counts / np.sum((1 - weights) * counts)
    rows[0] += weights[0]  # coefficients of the sample means in the printed prediction of arm 1
    error = rows**2 @ (1 + noise / counts) - 2 * rows[0] + 1
    core = reucb.blup(counts, np.zeros(len(arms)), sigma0_sq=1.0, sigma_sq=noise).mse[0]
    assert core == pytest.approx(1 - weights[0] + (1 - weights[0]) ** 2 / weights.sum(), rel=1e-12)
    assert error >= core * (1 - 1e-12)
