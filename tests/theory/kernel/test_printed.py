"""A statement is printed so that it can be read in one way, the one that was checked."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.statement import latex, text
from theory.kernel.terms import Event
from theory.model.arms import arm_goal, w_k
from theory.model.functions import quantity
from theory.model.quantities import W_K

x, y, z, i, j, k, K, N, o, p = sp.symbols("x y z i j k K N o p")
f = sp.Function("f")
R, COUNT = real(), at_least(1, integer=True)
UNIT, ABOVE = Var(sp.Integer(0), high=sp.Integer(1)), Var(sp.Integer(2), high=sp.Integer(3))
other, dummy = sp.Symbol("i", integer=True), sp.Dummy("i")
X = quantity("X", "X_{{{}}}")

ALIKE = {
    "two symbols, one of them an index": Goal(
        Rel(sp.Sum(other, (i, 1, N)), "=", N * other), {N: COUNT, other: Var(integer=True)}
    ),
    "a dummy": Goal(
        Rel(sp.Sum(f(dummy) * i, (dummy, 1, N)), "=", i * sp.Sum(f(dummy), (dummy, 1, N))), {N: COUNT, i: R}
    ),
    "two letters": Goal(Rel(x, "<", y), {x: UNIT, y: ABOVE}, letters={x: Letter(z), y: Letter(z)}),
    "a letter that is an index": Goal(
        Rel(sp.Sum(N * f(i), (i, 1, 3)), "=", N * sp.Sum(f(i), (i, 1, 3))), {N: R}, letters={N: Letter(i)}
    ),
    "a letter and a quantity": arm_goal(W_K, "<", w_k, extra={w_k: ABOVE}, name="a weight"),
    "two outcomes": Goal(Rel(X(k, o) ** 2 + X(k, p) ** 2, ">=", 2 * X(k, o) * X(k, p)), dict.fromkeys((k, o, p), R)),
    "indices": Goal(Rel(sp.Symbol("x1"), "<", sp.Symbol("x_1")), {sp.Symbol("x1"): UNIT, sp.Symbol("x_1"): ABOVE}),
}


@pytest.mark.parametrize("goal", ALIKE.values(), ids=ALIKE)
def test_different_things_are_not_printed_alike(goal):
    """Each is true, and would be read as what is false or says nothing: sum_{i=1}^N i = N i, z < z."""
    found = proof(goal).check()
    assert found.verdict == "open"
    assert "is printed as something else is" in str([e.check for e in found.evidence if not e.ok])


def test_an_abbreviation_is_not_a_symbol_of_the_statement():
    """x < y + 1, not x < x."""
    goal = Goal(Rel(x, "<", y + 1), {x: Var(sp.Integer(0), high=sp.Rational(1, 2)), y: at_least(0)}, short={x: y + 1})
    assert latex(goal).endswith("x < y + 1")
    assert text(goal).endswith("x < y + 1")


def test_an_upper_end_at_zero_moves_with_the_letter():
    goal = Goal(Rel(x, "<", 1), {x: Var(sp.Integer(-3), high=sp.Integer(0))}, letters={x: Letter(K - 1)})
    assert latex(goal).startswith(r"-2 \le K \le 1")


def test_the_range_of_a_variable_is_printed_though_it_is_also_an_index():
    total = sp.Sum(f(k), (k, 1, 3))
    goal = Goal(Rel(total + k, ">=", total + 5), {k: at_least(5)}, name="a range")
    assert latex(goal).startswith(r"5 \le k")


def test_an_outer_sum_is_printed_first():
    total = sp.Sum(f(i, j), (j, 1, i), (i, 1, N))
    assert text(Goal(Rel(total, "<=", N), {N: COUNT})).endswith("sum_{i=1..N} sum_{j=1..i} f(i, j) <= N")


def test_a_power_of_an_indicator_is_printed():
    assert latex(Goal(Rel(Event(x, 0) ** 2, "<=", y), {x: R, y: R})).endswith(r"\right\}^{2} \le y")


def test_a_letter_has_one_meaning_in_a_statement():
    goals = [
        Goal(Rel(K, "<=", x), {K: R, x: R}, (Rel(K, "<=", x),), str(m), where={K: sp.Sum(f(i), (i, 1, m))})
        for m in (2, 3)
    ]
    assert proof(goals[0]).check().verdict == "proved"
    assert "K is both" in str(proof(*goals).check().problem)
