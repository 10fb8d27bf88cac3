"""Unequal noise with the common mean as printed: its error, by the covariance matrix of the sample means."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reucb
from tests.theory.search import facing
from theory.paper.e_varying_upper import _printed_error

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.e_varying_upper")

ARMS = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=4)


@settings(max_examples=40)
@given(ARMS)
def test_printed_prediction_is_no_better_than_the_core(arms: list[tuple[int, int]]) -> None:
    """sec:varying/posterior: the core's error is the second display, and the printed prediction's is not below it."""
    counts, noise = tuple(c for c, _ in arms), tuple(e for _, e in arms)
    error, _, second = (float(x) for x in _printed_error(counts, noise))
    core = reucb.blup(counts, np.zeros(len(arms)), sigma0_sq=1.0, sigma_sq=[float(e) for e in noise]).mse[0]
    assert core == pytest.approx(second, rel=1e-12)
    assert error >= second * (1 - 1e-12)
