"""Quotients in atoms: a field of fractions in which roots are reduced and signs are certified."""

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.kernel.atoms import POOL, ROOT, Atoms, OutOfReach
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real

x, y = sp.symbols("x y")


def atoms(x_range: Var, y_range: Var, *given: Rel) -> Atoms:
    return Atoms(Goal(Rel(x, "=", y), {x: x_range, y: y_range}, given))


def test_arithmetic_is_that_of_fractions():
    field = atoms(real(), real())
    a, b = (field.quotient(field.symbols[s]) for s in (x, y))
    assert ((a + b) ** 2 - (a * a + a * b * 2 + b * b)).is_zero
    assert (a * a**-1).constant == 1
    assert (a - a).constant == 0
    assert (a + b).constant is None
    with pytest.raises(OutOfReach, match="division by 0"):
        (a - a) ** -1


@given(st.integers(-3 * ROOT, 3 * ROOT), st.integers(-3 * ROOT, 3 * ROOT))
def test_powers_of_a_root(i, j):
    """r^i r^j = r^(i+j), also where r^ROOT = f is used, for a root of a root as well."""
    field = atoms(positive(), positive())
    f = field.symbols[x] + field.symbols[y]
    r = field.root(f)
    for q in (field.quotient(r), field.quotient(field.root(r + 1))):
        assert (q**i * q**j - q ** (i + j)).is_zero
        assert not (q**i * q**j - q ** (i + j + 1)).is_zero
    assert (field.quotient(r) ** (ROOT * 2) - field.quotient(f) ** 2).is_zero


def test_a_sum_falls_into_terms_that_add_up_to_it():
    field = atoms(real(), real())
    a, b = (field.quotient(field.symbols[s]) for s in (x, y))
    whole = a * 3 + (a + b * b) * (b + b * b + field.quotient(field.ctx.constant(1))) ** -1
    parts = whole.terms()
    assert len(parts) > 1
    total = a - a
    for part in parts:
        total = total + part
    assert (total - whole).is_zero


def test_signs():
    def sure(x_range, y_range, *given):
        field = atoms(x_range, y_range, *given)
        a, b = field.symbols[x], field.symbols[y]
        return {
            name
            for name, p in {"x": a, "x+y": a + b, "x-1": a - 1, "x^2": a**2, "1-x": 1 - a}.items()
            if field.positive(p)
        }

    assert sure(positive(), positive()) == {"x", "x+y", "x^2"}
    assert sure(at_least(0), positive()) == {"x+y"}
    assert sure(Var(sp.Integer(1), strict=True), at_least(0)) == {"x", "x+y", "x-1", "x^2"}
    assert sure(real(), real()) == set()
    assert sure(positive(), real(), Rel(x, "<", 1)) == {"x", "x^2", "1-x"}
    assert sure(positive(), positive(), Rel(x, ">", y + 1)) == {"x", "x+y", "x-1", "x^2"}
    assert not atoms(positive(), positive()).positive(atoms(positive(), positive()).ctx.constant(0))


def test_the_pool_of_atoms_is_finite():
    field = atoms(real(), real())
    for _ in range(POOL - 2):
        field.new(real())
    with pytest.raises(OutOfReach, match=f"more than {POOL} atoms"):
        field.new(real())
