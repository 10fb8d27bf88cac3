"""The words of a block of runs are those of NumPy's own SeedSequence and PCG64."""

from __future__ import annotations

import numpy as np
import pytest

from reucb._engine.rng.streams import block_words, put_words, stream, words_of


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
