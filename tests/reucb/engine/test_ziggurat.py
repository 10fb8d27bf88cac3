"""The ziggurat's tables, known and probed."""

from __future__ import annotations

import numpy as np
import pytest

from reucb._engine.rng import ziggurat


def test_numpy_shows_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Numba's module NumPy itself is asked; edges and widths agree to the bit, heights to an ulp."""

    def missing() -> ziggurat.Tables:
        raise ImportError("no such module")

    expected = ziggurat.known()
    monkeypatch.setattr(ziggurat, "known", missing)
    edges, widths, heights = ziggurat.tables()
    assert np.array_equal(edges, expected[0])
    assert np.array_equal(widths, expected[1])
    assert (np.abs(heights - expected[2]) <= np.spacing(expected[2])).all()
