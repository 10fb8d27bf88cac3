"""The random streams of a run, and uniforms and normals drawn from them in compiled code, bit for bit NumPy's.

A stream per use: Generator(PCG64(SeedSequence(seed, spawn_key=(run, use)))). Compiled code takes a stream as four
words, state and step of PCG64. For a block of runs they are computed here by NumPy's documented recipes (SeedSequence
hashes seed and key into 256 bits, PCG64 takes one step from them): a thousand times faster than one SeedSequence each,
and start-up does not hold the GIL for a tenth of a run.

A Generator inside compiled code is called through a function pointer for every variate: for Thompson sampling, which
draws one normal per arm and round, that was half of the time. Here the 128-bit step and the common case of the ziggurat
are part of the caller's loop; the rare cases are a call. The words of the generator are advanced in place.

NumPy's ziggurat for normals has 256 layers of equal area under exp(-x^2/2). A word of the stream gives a layer (8
bits), a sign and a size (52 bits): x = size * WIDTHS[layer], taken at once when size < EDGES[layer]. Numba holds the
tables in a module it does not document. Where that is missing, the tables are computed from NumPy: a generator is set
to states whose next words are chosen, and its variates give them.
"""

from __future__ import annotations

import importlib
from math import exp, log1p
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # the package ships no types
from numba import types
from numba.extending import intrinsic
from numpy.random import PCG64, Generator, SeedSequence
from numpy.typing import NDArray

from reucb._engine.jit import inlined, separate
from reucb._numerics import FloatArray

PRIOR, REWARDS, POLICY = 0, 1, 2  # uses of a stream
STATE_HI, STATE_LO, STEP_HI, STEP_LO = 0, 1, 2, 3  # words of a stream
MULTIPLIER = (2549297995355413924 << 64) + 4865540595714422341  # the multiplier of PCG64
RADIUS, INVERSE = 3.6541528853610087963519472518, 0.27366123732975827203338247596  # where the tail begins; 1/that

_WORD, _ALL = (1 << 64) - 1, (1 << 128) - 1
_POOL = 4  # size of the entropy pool in words of 32 bits
_M32, _U16 = np.uint64(0xFFFFFFFF), np.uint64(16)
_INIT_A, _MULT_A, _INIT_B, _MULT_B = (np.uint64(x) for x in (0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED))
_LEFT, _RIGHT = np.uint64(0xCA01F9DD), np.uint64(0x4973F715)


def stream(seed: int, run: int, use: int) -> Generator:
    """The random stream of one run for one use.

    Parameters
    ----------
    seed, run : int
        Seed of the simulation and number of the run, from 0 on.
    use : int
        `PRIOR`, `REWARDS` or `POLICY`.

    Returns
    -------
    numpy.random.Generator
        A new generator. It depends on the three arguments alone.

    Examples
    --------
    >>> from reucb.engine import REWARDS, stream
    >>> float(stream(seed=0, run=3, use=REWARDS).random()) == float(stream(seed=0, run=3, use=REWARDS).random())
    True
    """
    return Generator(PCG64(SeedSequence(seed, spawn_key=(run, use))))


def words_of(rng: Generator) -> NDArray[np.uint64]:
    """State and step of a PCG64 generator as four words."""
    inner = rng.bit_generator.state["state"]
    return np.array(
        [part for value in (inner["state"], inner["inc"]) for part in (value >> 64, value & _WORD)], dtype=np.uint64
    )


def put_words(rng: Generator, words: NDArray[np.uint64]) -> None:
    """Set the state of a generator, as if it had just been made.

    Parameters
    ----------
    rng : numpy.random.Generator
        A generator with a PCG64 bit generator; it is changed.
    words : array of uint64
        State and step of the generator, four words: one row of `block_words`.

    Examples
    --------
    >>> from reucb.engine import PRIOR, block_words, put_words, stream
    >>> rng = stream(seed=0, run=0, use=PRIOR)
    >>> put_words(rng, block_words(seed=0, first=5, count=1, use=PRIOR)[0])
    >>> float(rng.random()) == float(stream(seed=0, run=5, use=PRIOR).random())
    True
    """
    high, low, step_high, step_low = words.tolist()
    rng.bit_generator.state = {
        "bit_generator": "PCG64",
        "has_uint32": 0,
        "uinteger": 0,
        "state": {"state": high << 64 | low, "inc": step_high << 64 | step_low},
    }


def block_words(seed: int, first: int, count: int, use: int) -> NDArray[np.uint64]:
    """States of the streams of several runs, computed together.

    Parameters
    ----------
    seed, first, count : int
        Seed of the simulation; the runs are first, first + 1, ..., first + count - 1.
    use : int
        `PRIOR`, `REWARDS` or `POLICY`.

    Returns
    -------
    array of uint64, shape (count, 4)
        State and step of the PCG64 generator of `stream(seed, run, use)`, one row for each run.

    Examples
    --------
    >>> from reucb.engine import PRIOR, block_words
    >>> words = block_words(seed=0, first=0, count=3, use=PRIOR)
    >>> words.shape, str(words.dtype)
    ((3, 4), 'uint64')
    """
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


_BACK = pow(MULTIPLIER, -1, 1 << 128)

Tables = tuple[NDArray[np.uint64], FloatArray, FloatArray]


def numba_tables() -> Tables:
    """Edges, widths and heights as Numba holds them."""
    source: Any = importlib.import_module("numba.np.random._constants")
    return source.ki_double, source.wi_double, source.fi_double


def probed_tables() -> Tables:
    """Edges and widths as NumPy exposes them, bit for bit; heights exp(-x^2/2), to the last but one.

    A height decides only where a word falls into the sliver outside its edge, and there one ulp of it matters once in
    10^15 times: once in 10^17 normals.
    """
    rng = Generator(PCG64(0))
    inner = rng.bit_generator.state
    step = inner["state"]["inc"]

    def draw(word: int) -> tuple[float, bool]:
        """The normal that begins with this word, and whether the word alone decided it."""
        inner["state"]["state"] = (word - step) * _BACK & _ALL  # one step later: (0, word), put out as it is
        rng.bit_generator.state = inner
        value = float(rng.standard_normal())
        return value, bool(rng.bit_generator.state["state"]["state"] == word)

    edges = np.zeros(256, dtype=np.uint64)
    widths = np.array([draw(layer | 1 << 9)[0] for layer in range(256)])
    for layer in range(256):
        low, high = 0, 1 << 52  # sizes below low are taken at once, sizes from high on are not
        while low < high:
            middle = (low + high) // 2
            if draw(layer | middle << 9)[1]:
                low = middle + 1
            else:
                high = middle
        edges[layer] = low
    heights = np.exp(-0.5 * (widths * 2.0**52) ** 2)
    heights[0] = 1.0  # the layer of the tail
    return edges, widths, heights


def tables() -> Tables:
    """(edges, widths, heights) of the 256 layers."""
    try:
        return numba_tables()
    except (ImportError, AttributeError):
        return probed_tables()


EDGES, WIDTHS, HEIGHTS = tables()
_U8, _U1, _U9, _U11, _LAYERS, _MANTISSA = (np.uint64(x) for x in (8, 1, 9, 11, 0xFF, 0x000FFFFFFFFFFFFF))
_SIGN = np.uint64(0x100)
_EDGES = EDGES.astype(np.int64)
numba_types: Any = types


def _pcg_step(typing: Any, hi: Any, lo: Any, step_hi: Any, step_lo: Any) -> Any:
    """(state hi, state lo, output word) after one step of PCG64 (XSL-RR on the advanced state)."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, word = ir.IntType(128), ir.IntType(64)

        def join(high: Any, low: Any) -> Any:
            return builder.or_(builder.shl(builder.zext(high, wide), wide(64)), builder.zext(low, wide))

        state = builder.add(
            builder.mul(join(arguments[0], arguments[1]), wide(MULTIPLIER)), join(arguments[2], arguments[3])
        )
        high, low = builder.trunc(builder.lshr(state, wide(64)), word), builder.trunc(state, word)
        mixed, turn = builder.xor(high, low), builder.lshr(high, word(58))
        back = builder.and_(builder.sub(word(64), turn), word(63))
        out = builder.or_(builder.lshr(mixed, turn), builder.shl(mixed, back))
        return context.make_tuple(builder, signature.return_type, (high, low, out))

    word = numba_types.uint64
    return numba_types.UniTuple(word, 3)(word, word, word, word), build


pcg_step: Any = intrinsic(_pcg_step)


@inlined
def uniform(words: Any) -> float:
    """The next uniform in [0, 1)."""
    words[STATE_HI], words[STATE_LO], out = pcg_step(words[STATE_HI], words[STATE_LO], words[STEP_HI], words[STEP_LO])
    return float(out >> _U11) * (1.0 / 9007199254740992.0)


@separate
def rare(words: Any, out: Any) -> float:
    """The normal that begins with this word when the word alone does not decide it: wedge or tail of the ziggurat."""
    while True:
        layer = out & _LAYERS
        size = (out >> _U9) & _MANTISSA
        x = float(size) * WIDTHS[layer]
        if (out >> _U8) & _U1:
            x = -x
        if size < EDGES[layer]:
            return float(x)
        if layer == 0:
            while True:
                far = -INVERSE * log1p(-uniform(words))
                height = -log1p(-uniform(words))
                if height + height > far * far:
                    return -(RADIUS + far) if size & _SIGN else RADIUS + far
        if (HEIGHTS[layer - _U1] - HEIGHTS[layer]) * uniform(words) + HEIGHTS[layer] < exp(-0.5 * x * x):
            return float(x)
        words[STATE_HI], words[STATE_LO], out = pcg_step(
            words[STATE_HI], words[STATE_LO], words[STEP_HI], words[STEP_LO]
        )


@inlined
def normal(words: Any) -> float:
    """The next standard normal."""
    hi, lo, out = pcg_step(words[STATE_HI], words[STATE_LO], words[STEP_HI], words[STEP_LO])
    words[STATE_HI], words[STATE_LO] = hi, lo
    size = np.int64((out >> _U9) & _MANTISSA)
    if size >= _EDGES[out & _LAYERS]:
        return rare(words, out)
    bit = np.int64((out >> _U8) & _U1)
    return float((size ^ -bit) + bit) * float(WIDTHS[out & _LAYERS])


@inlined
def highest_draw(mean: Any, sd: Any, words: Any) -> int:
    """The position of the highest mean[i] + sd[i] z_i, z in stream order, ties to the lowest."""
    hi, lo, step_hi, step_lo = words[STATE_HI], words[STATE_LO], words[STEP_HI], words[STEP_LO]
    best, value = 0, -np.inf
    for i in range(mean.size):
        hi, lo, out = pcg_step(hi, lo, step_hi, step_lo)
        layer = out & _LAYERS
        size = np.int64((out >> _U9) & _MANTISSA)
        bit = np.int64((out >> _U8) & _U1)
        z = float((size ^ -bit) + bit) * WIDTHS[layer]  # -size if the bit is set; a branch would be unpredictable
        if size >= _EDGES[layer]:
            words[STATE_HI], words[STATE_LO] = hi, lo
            z = rare(words, out)
            hi, lo = words[STATE_HI], words[STATE_LO]
        draw = mean[i] + sd[i] * z
        if draw > value:
            best, value = i, draw
    words[STATE_HI], words[STATE_LO] = hi, lo
    return best
