"""Standard normals of NumPy's own PCG64 stream, bit for bit, without a call per variate.

A Generator inside compiled code is called through a function pointer for every variate: for Thompson sampling, which
draws one normal per arm and round, that was half of the time. Here the 128-bit step and the common case of the ziggurat
are part of the caller's loop; the rare cases are a call. The words of the generator go in and come out advanced.
"""

from __future__ import annotations

from math import exp, log1p
from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # the package ships no types
from numba import types
from numba.extending import intrinsic

from reucb._engine.jit import inlined, separate
from reucb._engine.rng.ziggurat import EDGES, HEIGHTS, INVERSE, MULTIPLIER, RADIUS, WIDTHS

STATE_HI, STATE_LO, STEP_HI, STEP_LO = 0, 1, 2, 3
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
        z = float((size ^ -bit) + bit) * WIDTHS[layer]  # -size if the bit is set; a branch would be a coin's toss
        if size >= _EDGES[layer]:
            words[STATE_HI], words[STATE_LO] = hi, lo
            z = rare(words, out)
            hi, lo = words[STATE_HI], words[STATE_LO]
        draw = mean[i] + sd[i] * z
        if draw > value:
            best, value = i, draw
    words[STATE_HI], words[STATE_LO] = hi, lo
    return best
