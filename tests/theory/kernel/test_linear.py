"""Linear equations with unknowns that are not negative, against Z3's linear arithmetic."""

import pytest
import z3
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from theory.kernel import linear
from theory.kernel.linear import solve

UNKNOWNS = 6
coefficients = st.dictionaries(st.integers(0, UNKNOWNS - 1), st.integers(-3, 3).filter(bool), max_size=UNKNOWNS)
systems = st.lists(st.tuples(coefficients, st.integers(-4, 4)), min_size=1, max_size=5)
some = st.sets(st.integers(0, UNKNOWNS - 1))


def exact(system):
    return [({i: fmpq(c) for i, c in row.items()}, fmpq(right)) for row, right in system]


def solvable(system, free, not_all):
    """Whether Z3 finds a solution."""
    x = [z3.Real(f"x{i}") for i in range(UNKNOWNS)]
    solver = z3.Solver()
    solver.add([sum((c * x[i] for i, c in row.items()), z3.RealVal(0)) == right for row, right in system])
    solver.add([x[i] >= 0 for i in range(UNKNOWNS) if i not in free])
    if not_all is not None:
        solver.add(sum((x[i] for i in not_all), z3.RealVal(0)) > 0)
    return solver.check() == z3.sat


@settings(max_examples=400, deadline=None)
@given(systems, some, some, st.booleans())
def test_a_solution_is_found_where_there_is_one(system, free, not_all, strict):
    occurring = {i for row, _ in system for i in row}
    wanted = (not_all & occurring) - free if strict else None
    found = solve(exact(system), free, wanted)
    assert (found is not None) == solvable(system, free, wanted)
    if found is not None:
        assert all(sum((c * found.get(i, 0) for i, c in row.items()), fmpq(0)) == right for row, right in exact(system))
        assert all(value != 0 and (value > 0 or i in free) for i, value in found.items())
        assert wanted is None or wanted & set(found)


def test_a_sum_without_bound_is_raised_one_step():
    """x0 = x1: both may be any number, and 0 is not allowed."""
    assert solve([({0: fmpq(1), 1: fmpq(-1)}, fmpq(0))], not_all={1}) == {0: 1, 1: 1}


def test_degenerate_exchanges_end():
    """Beale's example, on which the rule of the largest gain alone goes round in a circle."""
    rows = [
        ({0: fmpq(1), 3: fmpq(1, 4), 4: fmpq(-60), 5: fmpq(-1, 25), 6: fmpq(9)}, fmpq(0)),
        ({1: fmpq(1), 3: fmpq(1, 2), 4: fmpq(-90), 5: fmpq(-1, 50), 6: fmpq(3)}, fmpq(0)),
        ({2: fmpq(1), 5: fmpq(1)}, fmpq(1)),
        ({3: fmpq(3, 4), 4: fmpq(-150), 5: fmpq(1, 50), 6: fmpq(-6), 7: fmpq(-1)}, fmpq(1, 20)),
    ]
    found = solve(rows)
    assert found is not None
    assert found[5] == 1
    rows[-1] = rows[-1][0], fmpq(51, 1000)  # 1/20 is the largest value of its objective
    assert solve(rows) is None


def test_a_search_is_given_up(monkeypatch):
    rows = [({0: fmpq(1), 1: fmpq(1)}, fmpq(2)), ({0: fmpq(1), 1: fmpq(-1)}, fmpq(1))]
    assert solve(rows) == {0: fmpq(3, 2), 1: fmpq(1, 2)}
    monkeypatch.setattr(linear, "MAX_PIVOTS", 1)
    assert solve(rows) is None


@pytest.mark.parametrize("right", [-1, 1])
def test_a_free_unknown_has_any_sign(right):
    assert solve([({0: fmpq(2)}, fmpq(right))], free={0}) == {0: fmpq(right, 2)}
    assert (solve([({0: fmpq(2)}, fmpq(right))]) is None) == (right < 0)
