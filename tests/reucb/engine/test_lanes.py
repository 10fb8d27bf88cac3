"""The sums in vector lanes against NumPy, term by term in the order of the slots."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from reucb._engine.sums import power_sums


@numba.njit(error_model="numpy")
def both(count: Any, size: Any, own: Any, spread: Any, ratio: float, other: float, centre: float) -> Any:
    """The intrinsic, called from compiled code."""
    return power_sums(count, size, own, spread, count.size, ratio, other, centre)


@pytest.mark.parametrize("slots", [0, 1, 2, 7, 16])
def test_sums_in_order(slots: int) -> None:
    """Each lane adds in the order of the slots, so the result is NumPy's running sum to the bit."""
    rng = np.random.default_rng(slots)
    count, size = rng.integers(0, 9, slots).astype(float), rng.integers(1, 5, slots).astype(float)
    own, spread = rng.normal(size=slots), rng.random(slots)
    ratios, centre = (0.37, 0.0), 0.2
    for ratio, found in zip(ratios, both(count, size, own, spread, *ratios, centre), strict=True):
        h, e = count / (1.0 + ratio * count), own - centre
        first = [size * h, size * h * e, spread * h + size * h * e * e]
        terms = [*first, *(term * h for term in first), *(term * h * h for term in first)]
        assert list(found) == [float(np.cumsum(term)[-1]) if slots else 0.0 for term in terms]
