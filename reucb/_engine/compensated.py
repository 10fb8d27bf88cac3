"""Arithmetic: sums kept as an unevaluated pair (high, low), so that adding and subtracting leaves no rounding error."""

from __future__ import annotations

from typing import Any

from reucb._engine.codes import TOTAL, TOTAL_REST
from reucb._engine.jit import inlined


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

    Means of equal rewards in another order are then equal to the bit, so that ties are ties.
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
