import pytest
import sympy as sp
from flint import acb

from reucb.bounds import expected_max
from theory.kernel.exact import enclose
from theory.model.quadrature import best_of, enclosed, integral

x = sp.Symbol("x")


@pytest.mark.parametrize("arms", [2, 3, 5, 20])
def test_the_best_of_many_is_what_reucb_computes(arms):
    value = sp.Rational(expected_max(arms))
    assert value - sp.Rational(1, 10**6) < best_of(arms) < value + sp.Rational(1, 10**6)


def test_integrals_hold_the_truth_and_little_else():
    found = integral(x**2 * sp.exp(-x) + sp.erfc(x), x, sp.Integer(0), sp.Integer(1))
    assert found.overlaps(enclose(2 - 5 * sp.exp(-1) + sp.erfc(1) + (1 - sp.exp(-1)) / sp.sqrt(sp.pi)))
    assert found.rad() < 1e-15


def test_what_is_not_entire_is_refused():
    with pytest.raises(TypeError, match="not known to be entire"):
        enclosed(sp.log(x), x, acb(1))
