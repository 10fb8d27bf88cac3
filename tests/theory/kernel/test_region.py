"""Regions of failure: right ones are proved both ways, wrong ones by one side or the other are not."""

import pytest
import sympy as sp

from theory.kernel.goal import Goal, Rel, positive, real
from theory.kernel.prove import proved
from theory.kernel.region import Region, everywhere, exactly, unequal
from theory.model.arms import K, arm_goal, s, s0

x, y = sp.symbols("x y")
FREE = {x: positive(), y: positive()}


def stands(region: Region) -> bool:
    return all(proved(item) for item in region.items)


@pytest.mark.parametrize(
    ("where", "right"),
    [(Rel(x, ">", y), True), (Rel(x, ">", 2 * y), False), (Rel(2 * x, ">", y), False), (Rel(x, "<", y), False)],
)
def test_an_inequality_fails_exactly_there(where: Rel, right: bool) -> None:
    assert stands(exactly(Goal(Rel(x**2, "<=", x * y), FREE), where)) is right


@pytest.mark.parametrize(("factor", "right"), [(x - y, True), (x, False), (x + y, False), ((x - y) ** 2, False)])
def test_an_equation_fails_where_its_factor_is_not_zero(factor: sp.Expr, right: bool) -> None:
    assert stands(unequal(Goal(Rel(x**2, "=", x * y), FREE), factor)) is right


@pytest.mark.parametrize(
    ("rel", "right"),
    [
        (Rel(x + y, "=", x), True),
        (Rel(x + y, "<", x), True),
        (Rel(x, "=", y), False),
        (Rel(x**2 + 1, "<=", 2 * x), False),
    ],
)
def test_failing_everywhere(rel: Rel, right: bool) -> None:
    assert stands(everywhere(Goal(rel, FREE))) is right


def test_by_how_much_is_checked() -> None:
    goal = Goal(Rel(x + y, "=", x), FREE)
    assert stands(everywhere(goal, y))
    assert not stands(everywhere(goal, 2 * y))


def test_a_reader_meets_the_names_of_a_counterexample() -> None:
    region = exactly(arm_goal(s, "<=", K * s0), Rel(s, ">", K * s0))
    assert region.as_json() == {
        "variables": ["K", "sigma0_sq", "sigma_sq"],
        "inequality": "sigma_sq > K*sigma0_sq",
        "everywhere": False,
        "negation": True,
    }
    assert stands(region)


def test_a_region_says_if_it_is_the_negated_claim_only() -> None:
    squared = Goal(Rel(x**2, "<=", x * y), FREE)
    assert not exactly(squared, Rel(x, ">", y)).negation  # a factor x is gone
    assert exactly(squared, Rel(2 * x**2, ">", 2 * x * y)).negation
    equation = Goal(Rel(x**2, "=", x * y), FREE)
    assert not unequal(equation, x - y).negation
    assert unequal(equation, x * y - x**2).negation


def test_roots_are_opened_and_names_are_let() -> None:
    root, name = sp.symbols("q ratio")
    goal = Goal(Rel(root**2, "<=", 1), {root: positive(), y: real()})
    assert exactly(goal, Rel(root, ">", 1), {root: sp.sqrt(s / s0)}).inequality == "sqrt(sigma_sq/sigma0_sq) > 1"
    region = exactly(goal, Rel(name, ">", 1), let={name: root**2})
    assert region.inequality == "ratio > 1"
    assert stands(region)
