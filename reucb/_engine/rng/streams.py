"""The random streams of a run, one per use: Generator(PCG64(SeedSequence(seed, spawn_key=(run, use)))).

Compiled code takes a stream as four words, state and step of PCG64. For a block of runs they are computed here by
NumPy's documented recipes (SeedSequence hashes seed and key into 256 bits, PCG64 takes one step from them): a thousand
times faster than one SeedSequence each, and start-up no longer holds the GIL for a tenth of a run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from reucb._engine.jit import compiled, inlined
from reucb._engine.rng.normals import STATE_HI, STATE_LO, STEP_HI, STEP_LO, pcg_step

PRIOR, REWARDS, POLICY = 0, 1, 2

_WORD = (1 << 64) - 1
_POOL = 4  # words of 32 bits
_M32, _U16, _U32, _U1, _U63 = (np.uint64(x) for x in (0xFFFFFFFF, 16, 32, 1, 63))
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
    out = np.empty((count, 4), dtype=np.uint64)
    _fill(np.array([*words, 0, use], dtype=np.uint64), first, out)
    return out


@inlined
def _scrambled(value: Any, constant: Any, factor: Any) -> Any:
    """One step of the hash on 32-bit words: (hashed value, next constant)."""
    value ^= constant
    constant = (constant * factor) & _M32
    value = (value * constant) & _M32
    return value ^ (value >> _U16), constant


@inlined
def _mixed(x: Any, y: Any) -> Any:
    """One word of the pool with another worked in."""
    value = (_LEFT * x - _RIGHT * y) & _M32
    return value ^ (value >> _U16)


@inlined
def _absorb(pool: Any, place: int, value: Any, constant: Any) -> Any:
    """Work the value into one word of the pool; the next constant."""
    value, constant = _scrambled(value, constant, _MULT_A)
    pool[place] = _mixed(pool[place], value)
    return constant


@compiled
def _fill(entropy: Any, first: int, out: Any) -> None:
    """One row of words for each run; `entropy` ends with the key, and the run's number is its last word but one."""
    for row in range(out.shape[0]):
        entropy[-2] = first + row
        pool, constant = out[row], _INIT_A
        for i in range(_POOL):
            pool[i], constant = _scrambled(entropy[i], constant, _MULT_A)
        for source in range(_POOL):
            for target in range(_POOL):
                if source != target:
                    constant = _absorb(pool, target, pool[source], constant)
        for source in range(_POOL, entropy.size):
            for target in range(_POOL):
                constant = _absorb(pool, target, entropy[source], constant)
        _begin(pool)


@inlined
def _begin(pool: Any) -> None:
    """Turn a pool into the words of a PCG64 seeded by it."""
    constant = _INIT_B
    a, constant = _scrambled(pool[0], constant, _MULT_B)
    b, constant = _scrambled(pool[1], constant, _MULT_B)
    c, constant = _scrambled(pool[2], constant, _MULT_B)
    d, constant = _scrambled(pool[3], constant, _MULT_B)
    high, low = b << _U32 | a, d << _U32 | c
    a, constant = _scrambled(pool[0], constant, _MULT_B)
    b, constant = _scrambled(pool[1], constant, _MULT_B)
    c, constant = _scrambled(pool[2], constant, _MULT_B)
    d, constant = _scrambled(pool[3], constant, _MULT_B)
    step_high, step_low = b << _U32 | a, d << _U32 | c
    step_high, step_low = step_high << _U1 | step_low >> _U63, step_low << _U1 | _U1
    start = low + step_low
    carry = _U1 if start < low else _U1 - _U1
    high, low, _ = pcg_step(high + step_high + carry, start, step_high, step_low)
    pool[STATE_HI], pool[STATE_LO], pool[STEP_HI], pool[STEP_LO] = high, low, step_high, step_low
