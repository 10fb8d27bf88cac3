"""The inlined normals are NumPy's own, bit for bit, rare cases included."""

from __future__ import annotations

import numpy as np
import pytest

from reucb._engine.jit import compiled
from reucb._engine.rng.normals import highest_draw, normal, uniform
from reucb._engine.rng.streams import put_words, words_of


@compiled
def _fill(words: np.ndarray, normals: np.ndarray, uniforms: np.ndarray) -> None:
    for i in range(normals.size):
        normals[i] = normal(words)
        uniforms[i] = uniform(words)


@compiled
def _highest(mean: np.ndarray, sd: np.ndarray, words: np.ndarray) -> int:
    return highest_draw(mean, sd, words)


def test_bit_for_bit() -> None:
    """200 000 normals: about 2 000 from wedges and 50 from the tail, each sign; then both generators stand alike."""
    ours, numpys = np.random.default_rng(3), np.random.default_rng(3)
    words, normals, uniforms = words_of(ours), np.empty(200_000), np.empty(200_000)
    _fill(words, normals, uniforms)
    expected = np.array([(numpys.standard_normal(), numpys.random()) for _ in range(200_000)])
    assert np.array_equal(normals, expected[:, 0])
    assert np.array_equal(uniforms, expected[:, 1])
    assert np.abs(expected[:, 0]).max() > 3.6541528853610088  # the tail was reached
    put_words(ours, words)
    assert ours.bit_generator.state == numpys.bit_generator.state


@pytest.mark.parametrize("n", [1, 50])
def test_highest_draw(n: int) -> None:
    ours, numpys = np.random.default_rng(8), np.random.default_rng(8)
    words, mean, sd = words_of(ours), np.linspace(0, 1, n), np.linspace(1, 2, n)
    for _ in range(2_000):
        assert _highest(mean, sd, words) == np.argmax(mean + sd * numpys.standard_normal(n))
