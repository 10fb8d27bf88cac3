"""Validators shared by the package: every error names the argument, the value, and what is allowed."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reucb._numerics import BoolArray, FloatArray

LARGEST_REWARD = 1e145  # in size: the squares of 2**53 differences of such rewards still have a finite sum
LARGEST_VARIANCE, SMALLEST_VARIANCE = 1e290, 1e-290  # of a policy: products with counts and squares stay finite
LARGEST_COUNT = 2**53  # of pulls and rounds: they enter formulas as float64, which holds every integer up to here

# NumPy counts a time span among its integers.
_NOT_NUMBERS = (bool, np.bool_, np.timedelta64)


def shown(value: object) -> str:
    """The value as an error message shows it: its repr, cut to 80 characters."""
    try:
        text = " ".join(repr(value).split())
    except (
        Exception
    ):  # nested too deeply; an integer of too many digits; whatever the repr of the caller's class raises
        return f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def _as_float(value: Any) -> float:
    """The nearest float; an integer beyond all of them is infinite, so that a check of finiteness finds it."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def arranged(value: Any) -> NDArray[Any] | None:
    """`value` as an array; None if NumPy cannot arrange it: it is ragged, or nested too deeply."""
    try:
        return np.asarray(value)
    except ValueError:
        return None


def dimensions(value: Any) -> int:
    """The dimensions of `value`; 1 of what cannot be arranged, so that an array validator refuses it by name."""
    array = arranged(value)
    return 1 if array is None else array.ndim


def flag(name: str, value: Any) -> bool:
    """`value` when it is a boolean."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} = {shown(value)}: must be True or False")
    return bool(value)


def real(name: str, value: Any, *, allowed: str = "a finite real number") -> float:
    """`value` as a finite float; bool, str, complex, nan, inf are refused."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, _NOT_NUMBERS) or not isinstance(value, (numbers.Real, np.number)):
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}")
    if isinstance(value, np.complexfloating):
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}")
    number = _as_float(value)
    if not math.isfinite(number):
        raise ValueError(f"{name} = {shown(value)}: must be {allowed}")
    return number


def positive(name: str, value: Any) -> float:
    """`value` as a finite float > 0."""
    number = real(name, value, allowed="a finite number > 0")
    if number <= 0:
        raise ValueError(f"{name} = {shown(value)}: must be a finite number > 0")
    return number


def nonnegative(name: str, value: Any) -> float:
    """`value` as a finite float >= 0."""
    number = real(name, value, allowed="a finite number >= 0")
    if number < 0:
        raise ValueError(f"{name} = {shown(value)}: must be a finite number >= 0")
    return number


def within(name: str, value: Any, low: float, high: float, *, zero: bool = False) -> float:
    """`value` as a float in [low, high]; with `zero`, 0 is allowed too."""
    allowed = f"{'0, or ' if zero else ''}a number from {low:g} to {high:g}"
    number = real(name, value, allowed=allowed)
    if not (low <= number <= high or (zero and number == 0)):
        raise ValueError(f"{name} = {shown(value)}: must be {allowed}")
    return number


def variance(name: str, value: Any, *, zero: bool = False) -> float:
    """A variance of a policy as a float; with `zero`, 0 is allowed too."""
    return within(name, value, SMALLEST_VARIANCE, LARGEST_VARIANCE, zero=zero)


def prior_mean(name: str, value: Any) -> float:
    """A mean of rewards as a float."""
    return within(name, value, -LARGEST_REWARD, LARGEST_REWARD)


def proportion(name: str, value: Any) -> float:
    """`value` as a float strictly between 0 and 1."""
    number = real(name, value, allowed="a number between 0 and 1")
    if not 0 < number < 1:
        raise ValueError(f"{name} = {shown(value)}: must be a number between 0 and 1")
    return number


def _span(low: float | None, high: float | None) -> str:
    """The wording of an interval in a message."""
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" >= {low}"
    return "" if high is None else f" <= {high}"


def integer(name: str, value: Any, low: int | None = None, high: int | None = None) -> int:
    """`value` as an int within [low, high]; a float is refused even when it is integral."""
    allowed = "an integer" + _span(low, high)
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if isinstance(value, _NOT_NUMBERS) or not isinstance(value, (numbers.Integral, np.integer)):
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}")
    number = int(value)
    if (low is not None and number < low) or (high is not None and number > high):
        raise ValueError(f"{name} = {shown(value)}: must be {allowed}")
    return number


def choice(name: str, value: Any, allowed: Iterable[str]) -> str:
    """`value` when it is one of the allowed words."""
    words = tuple(allowed)
    if not isinstance(value, str):
        raise TypeError(f"{name} = {shown(value)}: must be one of {', '.join(map(repr, words))}")
    if value not in words:
        raise ValueError(f"{name} = {shown(value)}: must be one of {', '.join(map(repr, words))}")
    return value


def _numeric(name: str, value: Any, allowed: str) -> NDArray[Any]:
    """`value` as an array of integers or floats; bool, str, complex, object and ragged input are refused."""
    if np.ma.is_masked(value):
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}, none of them masked")
    array = arranged(value)
    if array is None:
        raise ValueError(f"{name} = {shown(value)}: must be {allowed}, every row equally long")
    if array.dtype == object and array.size and all(_plain_number(x) for x in array.flat):
        array = np.array([_as_float(x) for x in array.flat]).reshape(array.shape)  # integers beyond int64, fractions
    if array.dtype.kind not in "iuf" and array.size:
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}, not of type {array.dtype}")
    if _hides_bools(value):
        raise TypeError(f"{name} = {shown(value)}: must be {allowed}, not booleans")
    return array


def _plain_number(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _hides_bools(value: Any) -> bool:
    """Whether nested lists hold a boolean: NumPy turns [True, 2.5] into floats silently."""
    if isinstance(value, (list, tuple)):
        return any(map(_hides_bools, value))
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, np.ndarray) and value.dtype == bool)


def real_array(
    name: str,
    value: Any,
    *,
    ndim: int | None = None,
    shape: tuple[int, ...] | None = None,
    low: float | None = None,
    high: float | None = None,
    finite: bool = True,
) -> FloatArray:
    """`value` as a new float64 array: finite by default, in [low, high], of the requested shape."""
    allowed = ("finite " if finite else "") + "real numbers" + _span(low, high)
    array = _numeric(name, value, allowed)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}: must have {ndim} dimension{'s' * (ndim != 1)}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} has shape {array.shape}: must have shape {shape}")
    with np.errstate(over="ignore"):
        result = np.array(array, dtype=np.float64)
    wrong = ~np.isfinite(result) if finite else np.zeros(result.shape, dtype=bool)
    if low is not None:
        wrong |= result < low
    if high is not None:
        wrong |= result > high
    refuse(name, result, wrong, allowed)
    return result


def count_array(name: str, value: Any, low: int = 0, high: int = LARGEST_COUNT) -> FloatArray:
    """`value` as a new float64 array of whole numbers from low to high (integral floats are counts too)."""
    allowed = f"whole numbers from {low} to {'2**53' if high == LARGEST_COUNT else high}"
    with np.errstate(over="ignore", invalid="ignore"):  # a long double beyond float64 is infinite, and refused as such
        result = np.array(_numeric(name, value, allowed), dtype=np.float64)
        wrong = ~np.isfinite(result) | (result < low) | (result > high) | (result != np.floor(result))
    refuse(name, result, wrong, allowed)
    return result


def refuse(name: str, array: NDArray[Any], wrong: BoolArray, allowed: str) -> None:
    """Raise for the first entry marked wrong, with its place and its value; do nothing when none is."""
    if wrong.any():
        where, place = first_place(wrong)
        raise ValueError(f"{name}{place} = {array[where].item()!r}: must be {allowed}")


def first_place(wrong: BoolArray) -> tuple[tuple[int, ...], str]:
    """The index of the first entry marked wrong, and how a message writes it ("" for a single number)."""
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    return where, f"[{', '.join(map(str, where))}]" if where else ""
