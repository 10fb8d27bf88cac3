"""Random numbers of the engine: streams, normal variates, and the tables of the ziggurat."""

from __future__ import annotations

import numpy as np
import pytest

from reucb._engine import streams
from reucb._engine.jit import compiled
from reucb._engine.streams import block_words, highest_draw, normal, put_words, stream, uniform, words_of

# The words of a block of runs are those of NumPy's own SeedSequence and PCG64.


@pytest.mark.parametrize("first", [0, 1000, 2**32 - 2])
@pytest.mark.parametrize("seed", [0, 7, 2**32, 2**70 + 3, 2**128 - 1, 2**200 + 5])
def test_the_streams_of_a_block(seed: int, first: int) -> None:
    """Seeds of one to seven words, run numbers of one word and (the last two here) of two."""
    for use in range(3):
        expected = [words_of(stream(seed, first + i, use)).tolist() for i in range(4)]
        assert block_words(seed, first, 4, use).tolist() == expected
        assert len({tuple(row) for row in expected}) == 4


def test_a_generator_is_put_anywhere_as_if_new() -> None:
    """Also one that holds half a word back for its next 32-bit integer."""
    used = np.random.default_rng(5)
    used.integers(10)
    put_words(used, block_words(3, 2, 1, 1)[0])
    assert used.bit_generator.state == stream(3, 2, 1).bit_generator.state


# The inlined normals are NumPy's own, bit for bit, rare cases included.


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


# The ziggurat's tables, known and probed.


def test_numpy_shows_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Numba's module NumPy itself is asked; edges and widths agree to the bit, heights to an ulp."""

    def missing() -> streams.Tables:
        raise ImportError("no such module")

    expected = streams.numba_tables()
    monkeypatch.setattr(streams, "numba_tables", missing)
    edges, widths, heights = streams.tables()
    assert np.array_equal(edges, expected[0])
    assert np.array_equal(widths, expected[1])
    assert (np.abs(heights - expected[2]) <= np.spacing(expected[2])).all()
