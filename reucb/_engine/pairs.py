"""Sums kept as an unevaluated pair (high, low): a value that comes and goes leaves no rounding behind."""

from __future__ import annotations

from typing import Any

from reucb._engine.jit import inlined


@inlined
def add(table: Any, hi: int, lo: int, value: float) -> None:
    """Add value to the pair table[hi] + table[lo]; the error of the rounded sum goes to the low part."""
    old = table[hi]
    new = old + value
    back = new - old
    table[lo] += (old - (new - back)) + (value - back)
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
def square_error(x: float) -> float:
    """x*x minus its rounded value, exactly (Dekker's splitting)."""
    shifted = 134217729.0 * x
    high = shifted - (shifted - x)
    low = x - high
    return ((high * high - x * x) + 2.0 * high * low) + low * low
