"""Only expressions whose moments surely exist have a mean: polynomials, indicators and exponentials of light tails."""

import pytest
import sympy as sp

from theory.kernel.integrable import require_mean
from theory.kernel.terms import Event, Mean
from theory.model.normal import Density, Tail
from theory.model.play import K, count

x, y, a, c, w, i, n = sp.symbols("x y a c w i n")
q = sp.Function("q")
HAVE = {
    "a number": a / c,
    "any function of numbers": sp.exp(a**2) * q(a),
    "a polynomial": (x - a) ** 3 * y + x**2,
    "an indicator of anything": Event(sp.exp(x**2) - q(w), 0),
    "an exponential": (x + 1) * sp.exp(a * x - c * y + 7),
    "a small exponential": x * sp.exp(a * y - x**2 / 2),
    "a named density": Density((x - a) / c) * Tail(q(x)),
    "a sum": sp.Sum(a**i * x**2, (i, 1, n)),
    "a product": sp.Product(1 + i * x, (i, 1, n)),
    "a mean given it": Mean(Event(w - x, 0) * x, w),
    "a mean of it": Mean(q(x), x, y, w) * x,
}
MAY_NOT = {
    "a quadratic exponent": sp.exp(x**2),
    "one with any factor": sp.exp(-a * x**2),
    "a product of two": sp.exp(x * y),
    "an exponential of one": sp.exp(sp.exp(x)),
    "a negative power": 1 / (1 + x**2),
    "a root": sp.sqrt(1 + x**2),
    "a logarithm": sp.log(x),
    "a power": sp.Symbol("a") ** x,
    "an unspecified power": x**n,
    "an unspecified function": q(x),
    "what is random and not light": x * w,
    "a sum with random ends": sp.Sum(x, (i, 1, y)),
    "a sum without end": sp.Sum(x, (i, 1, sp.oo)),
    "a heavy term of a sum": sp.Sum(sp.exp(i * x**2), (i, 1, n)),
    "a mean of what is heavy": Mean(sp.exp(x * y), y),
    "an integral": sp.Integral(sp.exp(a * x), (a, 0, 1)),
    "a slope": sp.Derivative(q(x), x),
}


@pytest.mark.parametrize("f", HAVE.values(), ids=list(HAVE))
def test_a_mean_exists(f):
    require_mean(f, (x, y), (x, y, w))


@pytest.mark.parametrize("f", MAY_NOT.values(), ids=list(MAY_NOT))
def test_a_mean_may_not_exist(f):
    with pytest.raises(ValueError, match="may have no mean"):
        require_mean(f, (x, y), (x, y, w))


def test_functions_depend_on_parameters_of_their_model():
    """A count of a play depends on K: it is no number where K is averaged."""
    require_mean(count(i, n, a) * x, (x,), (x,))
    with pytest.raises(ValueError, match="may have no mean"):
        require_mean(count(i, n, a) * x, (x,), (x, K))
