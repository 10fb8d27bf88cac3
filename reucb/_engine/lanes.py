"""Sums over the slots at two ratios at once, one in each lane of vector registers.

The compiler may not vectorise a sum: that would change the order of its additions, and with it the result, from one
processor to another. Here the lanes are the two ratios, so each sum is taken in the order of the slots.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]  # the package ships no types
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

LANES = 2
POWERS = 3
numba_types: Any = types
tools: Any = cgutils


def _power_sums(
    typing: Any, count: Any, size: Any, own: Any, spread: Any, n: Any, ratio: Any, other: Any, centre: Any
) -> Any:
    """For each ratio nine sums over the slots: of size h^j, size e h^j and (spread + size e^2) h^j for j = 1, 2, 3.

    h = count/(1 + ratio count) and e = own - centre.
    """

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = ir.DoubleType()
        lanes, places = ir.VectorType(number, LANES), [ir.IntType(32)(i) for i in range(LANES)]

        def joined(values: Any) -> Any:
            vector = ir.Constant(lanes, ir.Undefined)
            for value, place in zip(values, places, strict=True):
                vector = builder.insert_element(vector, value, place)
            return vector

        kinds, values = signature.args[:4], arguments[:4]
        rows = [context.make_array(kind)(context, builder, v).data for kind, v in zip(kinds, values, strict=True)]
        ratios, middle = joined(arguments[5:7]), joined([arguments[7]] * LANES)
        one = ir.Constant(lanes, [1.0] * LANES)
        sums = [tools.alloca_once_value(builder, ir.Constant(lanes, [0.0] * LANES)) for _ in range(3 * POWERS)]
        with tools.for_range(builder, arguments[4]) as loop:
            counts, sizes, owns, spreads = (
                joined([builder.load(builder.gep(row, [loop.index]))] * LANES) for row in rows
            )
            h = builder.fdiv(counts, builder.fadd(one, builder.fmul(ratios, counts)))
            e = builder.fsub(owns, middle)
            a = builder.fmul(sizes, h)
            y = builder.fmul(a, e)
            terms = [a, y, builder.fadd(builder.fmul(spreads, h), builder.fmul(y, e))]
            for power in range(POWERS):
                if power:
                    terms = [builder.fmul(term, h) for term in terms]
                for total, term in zip(sums[3 * power : 3 * power + 3], terms, strict=True):
                    builder.store(builder.fadd(builder.load(total), term), total)
        of_ratio = signature.return_type.dtype
        totals = [builder.load(total) for total in sums]
        return context.make_tuple(
            builder,
            signature.return_type,
            [
                context.make_tuple(builder, of_ratio, [builder.extract_element(total, place) for total in totals])
                for place in places
            ],
        )

    real = numba_types.float64
    sums_of_a_ratio = numba_types.UniTuple(real, 3 * POWERS)
    arguments = (count, size, own, spread, numba_types.intp, real, real, real)
    return numba_types.UniTuple(sums_of_a_ratio, LANES)(*arguments), build


power_sums: Any = intrinsic(_power_sums)
