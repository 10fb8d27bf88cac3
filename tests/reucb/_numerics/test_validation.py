"""The validators: what passes comes out as asked, what does not names argument, value and what is allowed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from reucb._numerics import validation

NOT_NUMBERS = [True, np.True_, "1", None, 1j, np.complex128(1), [1.0], np.array([1.0])]


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int8(2), Fraction(2), np.array(2.0)])
@pytest.mark.parametrize("check", [validation.real, validation.positive, validation.nonnegative])
def test_numbers_become_floats(check, value):
    found = check("a", value)
    assert found == 2.0
    assert type(found) is float


@pytest.mark.parametrize("value", NOT_NUMBERS)
@pytest.mark.parametrize("check", [validation.real, validation.positive, validation.nonnegative, validation.integer])
def test_what_is_no_number_is_a_type_error(check, value):
    with pytest.raises(TypeError, match=r"^a = .*: must be a"):
        check("a", value)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 10**400])
@pytest.mark.parametrize("check", [validation.real, validation.positive, validation.nonnegative])
def test_what_is_not_finite_is_a_value_error(check, value):
    with pytest.raises(ValueError, match=r"^a = .*: must be a finite"):
        check("a", value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (validation.positive, 0, "a = 0: must be a finite number > 0"),
        (validation.positive, -1.5, "a = -1.5: must be a finite number > 0"),
        (validation.nonnegative, -1e-300, "a = -1e-300: must be a finite number >= 0"),
    ],
)
def test_signs(check, value, message):
    with pytest.raises(ValueError, match=message):
        check("a", value)
    assert validation.nonnegative("a", 0) == 0.0


@pytest.mark.parametrize(
    ("bounds", "value", "message"),
    [
        ((1, None), 0, "K = 0: must be an integer >= 1"),
        ((1, 5), 6, "K = 6: must be an integer from 1 to 5"),
        ((None, 5), 6, "K = 6: must be an integer <= 5"),
    ],
)
def test_integers_within_bounds(bounds, value, message):
    with pytest.raises(ValueError, match=message):
        validation.integer("K", value, *bounds)


def test_integers():
    assert validation.integer("K", np.int64(5), 1, 5) == 5
    assert type(validation.integer("K", np.array(5))) is int
    with pytest.raises(TypeError, match=r"K = 5.0: must be an integer >= 1"):
        validation.integer("K", 5.0, 1)


def test_choices():
    assert validation.choice("method", "ml", ("ml", "reml")) == "ml"
    with pytest.raises(ValueError, match=r"method = 'REML': must be one of 'ml', 'reml'"):
        validation.choice("method", "REML", ("ml", "reml"))
    with pytest.raises(TypeError, match=r"method = 3: must be one of 'ml', 'reml'"):
        validation.choice("method", 3, ("ml", "reml"))


def test_arrays_are_copies_in_float64():
    given = np.array([1.0, 2.0])
    found = validation.real_array("x", given)
    found[0] = 9.0
    assert given[0] == 1.0
    assert validation.real_array("x", [[1, 2], [3, 4]]).dtype == np.float64
    np.testing.assert_array_equal(validation.real_array("x", [Fraction(1, 2), 2**70]), [0.5, 2.0**70])
    np.testing.assert_array_equal(validation.real_array("x", [np.nan], finite=False), [np.nan])


@pytest.mark.parametrize(
    ("value", "options", "error", "message"),
    [
        ([1, np.nan], {}, ValueError, r"x\[1\] = nan: must be finite real numbers"),
        ([[1.0], [np.inf]], {}, ValueError, r"x\[1, 0\] = inf: must be finite real numbers"),
        ([1, 2], {"high": 1}, ValueError, r"x\[1\] = 2.0: must be finite real numbers <= 1"),
        ([1, -2], {"low": 0, "high": 1}, ValueError, r"x\[1\] = -2.0: must be finite real numbers from 0 to 1"),
        (-1.0, {"low": 0}, ValueError, r"x = -1.0: must be finite real numbers >= 0"),
        ([1, 2], {"ndim": 2}, ValueError, r"x has shape \(2,\): must have 2 dimensions"),
        ([[1, 2]], {"ndim": 1}, ValueError, r"x has shape \(1, 2\): must have 1 dimension$"),
        ([1, 2], {"shape": (3,)}, ValueError, r"x has shape \(2,\): must have shape \(3,\)"),
        ([[1, 2], [3]], {}, ValueError, r"x = \[\[1, 2\], \[3\]\]: must be .*, every row equally long"),
        ([True, False], {}, TypeError, r"must be finite real numbers, not of type bool"),
        ([True, 0.5], {}, TypeError, r"must be finite real numbers, not booleans"),
        ([[True, 0.5]], {}, TypeError, r"must be finite real numbers, not booleans"),
        (["1"], {}, TypeError, r"x = \['1'\]: must be finite real numbers, not of type <U1"),
        ([None, 1.0], {}, TypeError, r"x = \[None, 1.0\]: must be finite real numbers, not of type object"),
        ([True, 2**70], {}, TypeError, r"must be finite real numbers"),
        (np.zeros(99, dtype="M8[s]"), {}, TypeError, r"x = array\(.{60,}\.\.\.: must be"),
    ],
)
def test_arrays_that_are_refused(value, options, error, message):
    with pytest.raises(error, match=message):
        validation.real_array("x", value, **options)


@pytest.mark.parametrize("value", [[1.0, 3.0], np.array([1, 3], dtype=np.uint8), (1, 3)])
def test_counts(value):
    np.testing.assert_array_equal(validation.count_array("n", value), [1.0, 3.0])


@pytest.mark.parametrize("value", [-1, 0.5, np.nan, np.inf, 2**53 + 2])
def test_counts_that_are_refused(value):
    with pytest.raises(ValueError, match=r"n\[1\] = .*: must be whole numbers from 0 to 2\*\*53"):
        validation.count_array("n", [1, value])


def test_a_long_double_beyond_float64_is_refused_without_a_warning():
    with pytest.raises(ValueError, match=r"n = inf: must be whole numbers"):
        validation.count_array("n", np.longdouble("1e4000"))


def test_flags():
    assert validation.flag("strict", np.True_) is True
    with pytest.raises(TypeError, match="strict = 1: must be True or False"):
        validation.flag("strict", 1)


class Unprintable:
    """A value whose repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@pytest.mark.parametrize("check", [validation.real, validation.integer, validation.flag])
def test_a_value_that_cannot_be_shown_is_named_by_its_type(check):
    with pytest.raises(TypeError, match="x = <Unprintable>: must be"):
        check("x", Unprintable())


@pytest.mark.parametrize("check", [validation.real, validation.integer])
def test_a_time_span_is_no_number(check):
    """NumPy counts timedelta64 among its integers."""
    with pytest.raises(TypeError, match=r"reward = .*timedelta64.*: must be"):
        check("reward", np.timedelta64(1, "s"))
