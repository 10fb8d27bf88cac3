"""Appendix E: the core follows the second display, and the first is another number."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reucb
from tests.hypothesis_examples import examples
from tests.theory.harness.search import FRACTIONS, evaluate, near, seen_from
from theory.ledger import Entry
from theory.model.own_noise import tau_h_sq


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
