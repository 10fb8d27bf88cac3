"""The random streams of a run, one per use: Generator(PCG64(SeedSequence(seed, spawn_key=(run, use)))).

Compiled code takes a stream as four words, state and step of PCG64. For a block of runs they are computed here by
NumPy's documented recipes (SeedSequence hashes seed and key into 256 bits, PCG64 takes one step from them): a thousand
times faster than one SeedSequence each, and start-up no longer holds the GIL for a tenth of a run.
"""

from __future__ import annotations

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from reucb._engine.rng.ziggurat import MULTIPLIER

PRIOR, REWARDS, POLICY = 0, 1, 2

_WORD = (1 << 64) - 1
_POOL = 4  # words of 32 bits
_ALL = (1 << 128) - 1
_M32, _U16 = np.uint64(0xFFFFFFFF), np.uint64(16)
_INIT_A, _MULT_A, _INIT_B, _MULT_B = (np.uint64(x) for x in (0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED))
_LEFT, _RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)


def stream(seed: int, run: int, use: int) -> Generator:
    """The random stream of one run for one use (prior, rewards, policy)."""
    return Generator(PCG64(SeedSequence(seed, spawn_key=(run, use))))


def words_of(rng: Generator) -> NDArray[np.uint64]:
    """State and step of a PCG64 generator as four words."""
    inner = rng.bit_generator.state["state"]
    return np.array(
        [part for value in (inner["state"], inner["inc"]) for part in (value >> 64, value & _WORD)], dtype=np.uint64
    )


def put_words(rng: Generator, words: NDArray[np.uint64]) -> None:
    """Bring the generator to where the words are, as if just made."""
    high, low, step_high, step_low = words.tolist()
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "has_uint32": 0,
        "uinteger": 0,
        "state": {"state": high << 64 | low, "inc": step_high << 64 | step_low},
    }


def block_words(seed: int, first: int, count: int, use: int) -> NDArray[np.uint64]:
    """`words_of(stream(seed, run, use))` for the runs first, first + 1, ..., one row each."""
    words = [seed >> shift & 0xFFFFFFFF for shift in range(0, max(seed.bit_length(), 1), 32)]
    words += [0] * (_POOL - len(words))
    if first + count > 1 << 32:  # such a run number takes two words of the key
        return np.array([words_of(stream(seed, run, use)) for run in range(first, first + count)])
    runs = np.arange(first, first + count, dtype=np.uint64)
    entropy = [np.full(count, word, dtype=np.uint64) for word in words]
    return _seeded(_pool([*entropy, runs, np.full(count, use, dtype=np.uint64)]))


Words = NDArray[np.uint64]  # one word of 32 bits per run


def _scrambled(value: Words, constant: np.uint64, factor: np.uint64) -> tuple[Words, np.uint64]:
    """One step of the hash on 32-bit words: (hashed value, next constant)."""
    value = value ^ constant
    constant = (constant * factor) & _M32
    value = (value * constant) & _M32
    return value ^ (value >> _U16), constant


def _mixed(x: Words, y: Words) -> Words:
    """One word of the pool with another worked in."""
    value = (_LEFT * x - _RIGHT * y) & _M32
    return value ^ (value >> _U16)


def _pool(entropy: list[Words]) -> list[Words]:
    """The pool of SeedSequence, made of words of entropy; the last two are its key."""
    pool: list[Words] = []
    constant = _INIT_A
    for word in entropy[:_POOL]:
        value, constant = _scrambled(word, constant, _MULT_A)
        pool.append(value)
    for source in range(_POOL):
        for target in range(_POOL):
            if source != target:
                value, constant = _scrambled(pool[source], constant, _MULT_A)
                pool[target] = _mixed(pool[target], value)
    for word in entropy[_POOL:]:
        for target in range(_POOL):
            value, constant = _scrambled(word, constant, _MULT_A)
            pool[target] = _mixed(pool[target], value)
    return pool


def _seeded(pool: list[Words]) -> NDArray[np.uint64]:
    """The words of PCG64 generators seeded by the pool, one row per run."""
    constant, parts = _INIT_B, []
    for i in range(8):
        value, constant = _scrambled(pool[i % _POOL], constant, _MULT_B)
        parts.append(value.tolist())
    rows = []
    for a, b, c, d, e, f, g, h in zip(*parts, strict=True):
        step = ((f << 96 | e << 64 | h << 32 | g) << 1 | 1) & _ALL
        state = ((b << 96 | a << 64 | d << 32 | c) + step) * MULTIPLIER + step & _ALL
        rows.append((state >> 64, state & _WORD, step >> 64, step & _WORD))
    return np.array(rows, dtype=np.uint64).reshape(-1, 4)
