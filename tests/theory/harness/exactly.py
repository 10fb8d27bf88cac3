"""Exact expressions against floats: settings drawn as fractions, expressions evaluated by Arb, compared to 1e-12."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import ctx
from hypothesis import strategies as st

from theory.kernel.exact import enclose

RELATIVE = 1e-12
ROUNDING = 16 * 2.0**-52  # the core promises a few units in the last place of each number
VARIANCES = st.builds(Fraction, st.integers(1, 40), st.integers(1, 40))


def exact(x: Fraction | int) -> sp.Rational:
    return sp.Rational(Fraction(x).numerator, Fraction(x).denominator)


def number(expr: sp.Expr) -> float:
    """The double nearest to an exact expression, from an enclosure of 200 bits."""
    saved, ctx.prec = ctx.prec, 200
    try:
        return float(enclose(sp.sympify(expr)).mid())
    finally:
        ctx.prec = saved


def agree(computed: float, expr: sp.Expr, relative: float = RELATIVE) -> bool:
    return math.isclose(computed, number(expr), rel_tol=relative, abs_tol=1e-300)


def near(value: Any, exact_value: Fraction, scale: float = 0.0) -> bool:
    """Whether a float of the core is the exact number, up to rounding relative to it (or to a scale that is larger)."""
    return bool(abs(float(value) - float(exact_value)) <= ROUNDING * max(abs(float(exact_value)), scale))
