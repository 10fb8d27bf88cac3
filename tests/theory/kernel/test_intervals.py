"""Regions of failure, and the second interval arithmetic."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from tests.hypothesis_examples import examples
from theory.kernel import exact
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.polynomial import to_fmpq
from theory.kernel.prove import proved
from theory.kernel.region import Region, TypedRegion, everywhere, exactly, unequal
from theory.kernel.second_intervals import NoEnclosure, enclosure, sign
from theory.model.arms import J, K, arm_goal, s, s0

# Regions of failure: right ones are proved both ways, wrong ones by one side or the other are not.

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
    printed = arm_goal(s, "<=", K * s0)
    region = exactly(printed, Rel(s, ">", K * s0))
    assert region.as_json(printed) == {
        "variables": ["K", "sigma0_sq", "sigma_sq"],
        "inequality": "sigma_sq > K*sigma0_sq",
        "everywhere": False,
        "negation": True,
        "of_printed": True,
        "typed": False,
        "where": {},
    }
    assert stands(region)


def test_a_region_says_if_it_is_the_negated_claim_only() -> None:
    squared = Goal(Rel(x**2, "<=", x * y), FREE)
    assert not exactly(squared, Rel(x, ">", y)).negation  # a factor x is gone
    assert exactly(squared, Rel(2 * x**2, ">", 2 * x * y)).negation
    equation = Goal(Rel(x**2, "=", x * y), FREE)
    assert not unequal(equation, x - y).negation
    assert unequal(equation, x * y - x**2).negation


def test_names_are_let_and_said() -> None:
    root, name = sp.symbols("q ratio")
    goal = Goal(Rel(root**2, "<=", 1), {root: positive(), y: real()})
    region = exactly(goal, Rel(name, ">", 1), let={name: root**2})
    assert region.inequality == "ratio > 1"
    assert region.as_json(goal)["where"] == {"ratio": "q**2"}
    assert stands(region)
    wrong = exactly(goal, Rel(name, ">", 1), let={name: root**2 + 1})
    assert not stands(wrong)


def test_a_region_is_shown_in_the_letters_of_the_goal() -> None:
    root = sp.Symbol("q")
    letters = {root: Letter(sp.sqrt(sp.Symbol("rho", positive=True) / sp.Symbol("K", positive=True)))}
    goal = Goal(Rel(K * root**2, "<=", 1), {root: positive(), J: at_least(0, integer=True)}, letters=letters)
    region = exactly(goal, Rel(K * root**2, ">", 1))
    assert region.inequality == "rho > 1"
    assert not region.as_json(goal)["typed"]
    variance = sp.Symbol("v")
    of_arm = Goal(Rel(variance, "=", 1), {variance: positive()}, letters={variance: Letter(sp.Symbol("sigma_k") ** 2)})
    assert unequal(of_arm, variance - 1).inequality == "sigma_k_sq - 1 != 0"


def test_what_an_author_types_of_a_region_is_marked() -> None:
    """`opened` says what symbols stand for: nothing compares this with the relation that was checked."""
    ell = sp.Symbol("ell")
    abstract = Goal(Rel(x, "<=", ell), {x: positive(), ell: positive()})
    opened = {ell: sp.log(1 + y)}
    region = exactly(abstract, Rel(x, ">", ell), opened)
    assert region.inequality == "x > log(y + 1)"
    printed = Goal(Rel(2 * x, "<=", 2 * sp.log(1 + y)), {x: positive(), y: positive()})
    assert stands(region)
    assert (region.as_json(printed)["typed"], region.as_json(printed)["of_printed"]) == (False, True)
    another = Goal(Rel(2 * x, "<=", sp.log(1 + y)), {x: positive(), y: positive()})
    wider = Goal(printed.rel, {x: positive(), y: at_least(0)})  # where the logarithm may be 0
    narrower = Goal(printed.rel, {x: positive(), y: positive()}, (Rel(x, "<", y),))
    turned = Goal(Rel(-2 * x, "<=", -2 * sp.log(1 + y)), {x: positive(), y: positive()})
    for other in (another, wider, abstract, turned):
        assert region.as_json(other)["typed"]
        assert not region.as_json(other)["of_printed"]
    assert not region.as_json(narrower)["of_printed"]
    assert TypedRegion("x > 100", ("x",), region.items).as_json(printed)["typed"]
    assert exactly(printed, Rel(x, ">", sp.log(1 + y)), also=(Rel(x, "<", y),)).as_json(printed)["typed"]


@pytest.mark.parametrize("other", [{"items": ()}, {"inequality": "x > 100"}, {"variables": ("y",)}, {"proved_by": ()}])
def test_what_is_shown_and_proved_of_a_region_belongs_together(other: dict[str, object]) -> None:
    """An author replaced the items, and the inequality was shown as generated. Items may be added."""
    region = exactly(Goal(Rel(x, "<=", 1), {x: positive()}), Rel(x, ">", 1))
    with pytest.raises(TypeError):
        replace(region, **other)
    own = Goal(Rel(x, ">", 0), {x: positive()})
    assert region.with_items(own).items == (*region.items, own)


def test_a_number_that_is_shown_is_in_the_range_of_its_symbol() -> None:
    """The relation holds for any value of pi in its range, so for pi; not for one that is outside."""
    pi = sp.Symbol("pi")
    area = Goal(Rel(x * pi, "<=", 1), {x: positive(), pi: at_least(3)})
    region = exactly(area, Rel(x * pi, ">", 1), numbers={pi: sp.pi})
    assert (region.inequality, region.variables) == ("pi*x > 1", ("x",))
    assert stands(region)
    assert not stands(exactly(area, Rel(x * pi, ">", 1), numbers={pi: sp.Integer(2)}))


# The second interval arithmetic contains what Arb contains, and narrowly.

RATIONALS = st.fractions(-20, 20, max_denominator=50).map(lambda q: sp.Rational(q.numerator, q.denominator))
FUNCTIONS = {
    "exp": lambda q: sp.exp(q, evaluate=False),
    "log": lambda q: sp.log(1 + q**2, evaluate=False),
    "erfc": lambda q: sp.erfc(q / 5, evaluate=False),
    "root": lambda q: sp.Pow(1 + q**2, sp.Rational(1, 2), evaluate=False),
    "other power": lambda q: sp.Pow(1 + q**2, sp.Rational(-3, 7), evaluate=False),
    "quotient": lambda q: sp.pi / (1 + q**2) - sp.E * q,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@examples(40)
@given(q=RATIONALS)
def test_both_arithmetics_meet(name, q):
    expr = FUNCTIONS[name](q)
    found = enclosure(expr, 80)
    saved, ctx.prec = ctx.prec, 200
    try:
        low, high = (arb(to_fmpq(sp.Rational(x.numerator, x.denominator))) for x in (found.low, found.high))
        value = exact.enclose(expr)
        assert not value < low
        assert not value > high
        assert high - low < abs(value) * arb(2) ** -30 + arb(2) ** -60
    finally:
        ctx.prec = saved


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (sp.pi - sp.Rational(355, 113), -1),
        (sp.E - sp.Rational(2721, 1001), 1),
        (sp.log(2) - sp.Rational(9, 13), 1),
        (sp.sqrt(2) * sp.sqrt(3) - sp.sqrt(6), None),  # 0 is never separated from 0
    ],
)
def test_signs(expr, expected):
    assert sign(expr) == expected


def test_what_it_does_not_know_is_refused():
    with pytest.raises(NoEnclosure):
        enclosure(sp.gamma(sp.Rational(1, 3)), 80)
    assert sign(sp.sin(1)) is None
