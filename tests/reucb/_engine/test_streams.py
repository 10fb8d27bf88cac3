"""Random streams and special functions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import example, given
from hypothesis import strategies as st

from reucb._engine import streams
from reucb._engine.jit import compiled
from reucb._engine.special import bernoulli_kl, beta_tail, beta_upper, kl_upper, upper_normal
from reucb._engine.streams import block_words, highest_draw, normal, put_words, stream, uniform, words_of
from tests.reucb.policies.reference import kl_root

# Random numbers of the engine: streams, normal variates, and the tables of the ziggurat.

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
    """200,000 normals: about 2000 from wedges and 50 from the tail, each sign; then both generators are equal."""
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
    """Without Numba's module they are taken from NumPy; edges and widths agree bit for bit, heights to an ulp."""

    def missing() -> streams.Tables:
        raise ImportError("no such module")

    expected = streams.numba_tables()
    monkeypatch.setattr(streams, "numba_tables", missing)
    edges, widths, heights = streams.tables()
    assert np.array_equal(edges, expected[0])
    assert np.array_equal(widths, expected[1])
    assert (np.abs(heights - expected[2]) <= np.spacing(expected[2])).all()


# The special functions of the indices against SciPy.

TAILS = st.floats(-12, -0.302).map(lambda e: 10.0**e)


@given(TAILS)
@example(0.5)
@example(1e-300)
def test_normal_quantile(tail: float) -> None:
    assert upper_normal(tail) == pytest.approx(scipy.stats.norm.isf(tail), rel=1e-14, abs=1e-15)


@given(st.floats(0, 1), st.floats(-9, 1.5).map(lambda e: 10.0**e))
@example(0.0, 0.7)
@example(1.0, 0.7)
@example(0.3, 0.0)
@example(0.999999, 40.0)
def test_kl_root(mean: float, level: float) -> None:
    """To 1e-10, the accuracy an index has to have."""
    assert kl_upper(mean, level) == pytest.approx(kl_root(mean, level), abs=1e-10)


def test_kl_where_an_outcome_is_impossible() -> None:
    assert bernoulli_kl(0.3, 1.0) == bernoulli_kl(0.3, 0.0) == float("inf")
    assert bernoulli_kl(0.0, 0.0) == bernoulli_kl(1.0, 1.0) == 0.0


@given(st.floats(-1, 4).map(lambda e: 10.0**e), st.floats(-1, 4).map(lambda e: 10.0**e), TAILS)
@example(1.0, 1.0, 0.5)
@example(0.5, 9000.5, 1e-9)
@example(0.5, 0.5, 1e-10)
def test_beta_quantile(a: float, b: float, tail: float) -> None:
    x = beta_upper(a, b, tail)
    assert x == pytest.approx(scipy.stats.beta.isf(tail, a, b), rel=1e-10, abs=1e-12)


@given(st.floats(0.5, 5000), st.floats(0.5, 5000), st.floats(0, 1))
@example(2.0, 3.0, 0.0)
@example(2.0, 3.0, 1.0)
def test_beta_tail(a: float, b: float, x: float) -> None:
    """lgamma of 1e4 loses about five digits of sixteen in the density's constant."""
    assert beta_tail(a, b, x) == pytest.approx(scipy.stats.beta.sf(x, a, b), rel=1e-9, abs=1e-300)
