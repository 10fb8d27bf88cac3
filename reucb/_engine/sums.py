"""Running sums without rounding error, and sums over the slots.

A running sum is an unevaluated pair (high, low), so that adding and subtracting leaves no rounding error.

Sums over the slots are taken at two ratios at once, one in each lane of vector registers. The compiler may not
vectorise a sum: that would change the order of its additions, and with it the result, from one processor to another.
Here the lanes are the two ratios, so each sum is taken in the order of the slots.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]  # the package ships no types
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from reucb._engine.codes import TOTAL, TOTAL_REST
from reucb._engine.jit import inlined

LANES = 2
POWERS = 3


@inlined
def larger(x: float, y: float) -> float:
    """The larger of two numbers, neither nan; takes less to compile than `max`."""
    return x if x > y else y


@inlined
def add(table: Any, hi: int, value: float) -> None:
    """Add value to the pair table[hi] + table[hi + 1]; the error of the rounded sum goes to the low part."""
    old = table[hi]
    new = old + value
    back = new - old
    table[hi + 1] += (old - (new - back)) + (value - back)
    table[hi] = new


@inlined
def add_at(table: Any, hi: int, lo: int, column: int, value: float) -> None:
    """The same for one column of a table whose rows are the parts."""
    old = table[hi, column]
    new = old + value
    back = new - old
    table[lo, column] += (old - (new - back)) + (value - back)
    table[hi, column] = new


@inlined
def add_reward(totals: Any, arm: int, value: float, count: int) -> float:
    """Add a reward to the arm's total; its mean over `count` rewards, as exact as a double can be.

    Means of equal rewards in another order are then bit-for-bit equal, so that equal means compare equal.
    """
    old = totals[arm, TOTAL]
    new = old + value
    back = new - old
    totals[arm, TOTAL] = new
    totals[arm, TOTAL_REST] += (old - (new - back)) + (value - back)
    return float((new + totals[arm, TOTAL_REST]) / count)


@inlined
def square_error(x: float) -> float:
    """x*x minus its rounded value, exactly (Dekker's splitting)."""
    shifted = 134217729.0 * x
    high = shifted - (shifted - x)
    low = x - high
    return ((high * high - x * x) + 2.0 * high * low) + low * low


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
