"""A statement is about what it is read to be about: quantities that exist, hypotheses as printed, one reading only.

Each false statement here was once proved or refuted, and is now refused for the reason that is named. A similar true
one beside it is still accepted.
"""

from __future__ import annotations

import pytest
import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources, statement
from theory.kernel.argument import Argument, Computation, Item, Words, gap, proof, refuted, step
from theory.kernel.claim import REGISTRY, claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.growth import vanishes
from theory.kernel.rules import (
    Definition,
    Expectation,
    Indicates,
    IntegralOf,
    Jensen,
    SumOver,
    Whether,
    applied,
    follows,
    instance,
    specialised,
)
from theory.kernel.terms import Event, Mean

x, y, z, c, i, N, X, Y, o = sp.symbols("x y z c i N X Y o")
f, g, h, S = map(sp.Function, "fghS")
R, COUNT, ONE = real(), at_least(1, integer=True), sp.Integer(1)
F = UndefinedFunction("F", of="test_meaning_of_statements")
sources.fix(o, scope="test_meaning_of_statements")
SOUND = step(Goal(Rel(x, "<", x + 1), {x: R}, name="sound"))
SQUARE = Goal(Rel(x**2 + 1, ">=", 1), {x: R}, squares=(x,), name="square")


def problem(*items: Item) -> str:
    """Why items are not proved."""
    return unsettled(proof(*items))


def unsettled(argument: Argument) -> str:
    found = argument.check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(*items: Item) -> bool:
    return proof(*items).check().verdict == "proved"


# Functions that have no value somewhere.


@pytest.mark.parametrize("function", [sp.gamma, sp.acos, sp.atanh, sp.LambertW])
def test_a_function_of_which_nothing_is_known_may_be_undefined(function):
    """The gamma function has no value at -1, and acos none at 2."""
    inside = Goal(Rel(f(function(x)) + y, "<", f(function(x)) + y + 1), {x: R, y: R}, name="an argument")
    assert "it is not known where it is defined" in problem(inside)
    total = Goal(Rel(f(sp.tanh(x)) + y, "<", f(sp.tanh(x)) + y + 1), {x: R, y: R}, name="an argument")
    assert proved(total)


def test_an_argument_of_a_lemma_is_a_number():
    assert "gamma(y) is not known to be real" in problem(instance(SQUARE, {x: sp.gamma(y)}, {y: R}))
    assert proved(instance(SQUARE, {x: sp.erf(y)}, {y: R}))


def test_what_is_concluded_of_an_event_is_defined():
    """Of 1{log x >= 0} for real x; a step may leave it to the hypotheses of the rules that use it."""
    for rule in (Indicates(sp.log(x), {x: R}), Whether(Event(sp.log(x), 0), {x: R})):
        assert "x may not be positive" in problem(SOUND, rule)
    for rule in (Indicates(sp.log(x), {x: positive()}), Whether(Event(sp.log(x), 0), {x: positive()})):
        assert proved(SOUND, rule)


# Refutations.


@pytest.mark.parametrize(
    "relation",
    [Rel(sp.log(x) ** 2, ">=", 0), Rel(sp.sqrt(x) * sp.sqrt(y), ">=", 0), Rel(sp.exp(sp.pi * sp.sqrt(x)), ">", 0)],
    ids=["logarithm", "roots", "exponential"],
)
def test_nothing_is_refuted_where_it_is_undefined(relation):
    """The square of log(-1) is -pi^2 in the complex numbers."""
    at = Point({x: -ONE, y: -ONE})
    assert "counterexample" in unsettled(refuted(Goal(relation, {x: R, y: R}, name="true"), at=at))


def test_a_defined_relation_is_refuted():
    goal = Goal(Rel(sp.log(x) ** 2, ">=", 1), {x: R}, name="false")
    assert refuted(goal, at=Point({x: sp.Integer(2)})).check().verdict == "refuted"


def test_a_hypothesis_is_defined_at_a_counterexample():
    goal = Goal(Rel(x, ">=", 0), {x: R}, (Rel(sp.log(x) ** 2, "<=", 0),), "from the square of a logarithm")
    assert "counterexample" in unsettled(refuted(goal, at=Point({x: -ONE})))


def test_the_premises_of_a_gap_hold():
    """2 <= i for every i from 1 to 3 is false, though it holds at i = 3."""
    inference = Goal(Rel(x + i, "<=", 4), {x: R, i: COUNT}, name="inference")
    at = Point({x: sp.Integer(2), i: sp.Integer(3)})
    every = Rel(x, "<=", i).for_every(i, 1, 3)
    assert "premise x <= i for every i" in unsettled(gap(inference, at=at, premises=(every,)))
    assert "has no premises" in unsettled(gap(inference, at=at, premises=(Words("as is well known"),)))
    assert gap(inference, at=at, premises=(Rel(x, "<=", i),)).check().verdict == "gap"


def test_the_source_of_a_premise_is_checked():
    bound = Rel(x, ">=", 1).by("no such claim")
    assert "no claim 'no such claim'" in unsettled(gap(Goal(Rel(x, "<=", 4), {x: R}, (bound,), "inference")))


def test_a_gap_uses_the_claims_behind_its_premises():
    before = dict(REGISTRY)
    try:

        @claim("meaning/positive", kind="inequality")
        def above():
            """By its range."""
            return proof(Goal(Rel(x**2 + 1, ">=", 1), {x: R}, squares=(x,), name="above"))

        bound = Rel(x**2 + 1, ">=", 1).by("meaning/positive")
        found = gap(Goal(Rel(x, "<=", 4), {x: R}, (bound,), "inference")).check()
        assert (found.verdict, found.uses) == ("gap", ("meaning/positive",))
    finally:
        REGISTRY.clear()
        REGISTRY.update(before)


def test_a_refuted_statement_has_one_reading():
    """x_1 <= x_1 was refuted: two symbols were printed alike."""
    first, second = sp.symbols("x1 x_1")
    assert "is printed as something else is" in unsettled(
        refuted(Goal(Rel(first, "<=", second), {first: R, second: R}))
    )


@pytest.mark.parametrize("shown", [{"x": "5"}, {"x": 5}, {"x": sp.Integer(5)}])
def test_the_point_that_is_shown_is_the_one_that_was_used(shown):
    goal = Goal(Rel(x, "<=", 1), {x: positive()}, name="false")
    assert "is shown, 2 was used" in unsettled(refuted(goal, at=Point({x: sp.Integer(2)}, shown)))
    assert refuted(goal, at=Point({x: sp.Integer(2)}, {"x": 2})).check().verdict == "refuted"


def test_a_false_input_makes_a_computation_fail():
    """v = v holds for every v, and is not decided for a float: this is no failure."""

    def trivial(value: float) -> Rel:
        return Rel(sp.sympify(value), "=", sp.sympify(value))

    def one(value: sp.Expr) -> Rel:
        return Rel(value, "=", 1)

    assert "mutant accepted" in problem(SOUND, Computation("exact", "itself", trivial, (1,), {"half": (0.5,)}))
    assert proved(SOUND, Computation("exact", "one", one, (ONE,), {"two": (sp.Integer(2),)}))


# Means.


def test_a_hypothesis_about_a_conditional_mean_says_so():
    """If E[X | Y] = c for every Y, E[X Y] = c E[Y]. It was printed with E[X] = c, of which it is false: X = Y."""
    given = (Rel(Mean(X, X), "=", c),)
    pointwise = Goal(Rel(Y * Mean(X, X), "=", Y * c), {X: R, Y: R, c: R}, given, "given Y")
    assert "is a mean given what is averaged" in problem(Expectation(pointwise, (Y,)))
    letters = {X: Letter(X, "its mean in the hypothesis is that given Y, for every Y")}
    assert proof(Expectation(pointwise, (Y,)), letters=letters).check().verdict == "proved"
    assert proved(follows(Rel(Mean(X, X) * Y, "=", c * Y), pointwise))


def test_a_convex_function_does_not_depend_on_the_outcome_without_showing_it():
    """F(y) E[g]^2 <= E[F(y) g^2] fails where F, which depends on the outcome o, is above its mean."""
    domain = {x: R, y: R, o: R, F(y): positive(), g(o): R}
    assert "o is a parameter of the model" in problem(Jensen(x**2 * F(y), x, g(o), domain, over=(o,)))
    assert proved(Jensen(x**2 * y, x, g(o), {x: R, y: positive(), o: R, g(o): R}, over=(o,)))


# Indices of hypotheses.


def test_a_function_is_not_captured_by_the_index_of_a_hypothesis():
    """From g(z) <= h(i) <= y for i = 1, ..., N: g(z) <= y. With i for g(z) it says nothing of other numbers i."""
    between = Rel(h(i), ">=", g(z)), Rel(h(i), "<=", y)
    term = Goal(Rel(g(z), "<=", y), {z: R, y: R, i: R}, between, "between")
    every = tuple(rel.for_every(i, 1, N) for rel in between)
    total = SumOver(term, i, ONE, N, {N: COUNT, z: R, y: R}, given=every, name="N times")
    domain = {N: COUNT, z: R, y: R, i: R}
    assert proved(total)
    captured = Rel(h(i), ">=", i).for_every(i, 1, N), every[1]
    with pytest.raises(ValueError, match="a bound symbol"):
        proof(specialised(total, {g(z): i}, domain, captured)).check()
    assert proved(specialised(total, {g(z): z}, domain, (Rel(h(i), ">=", z).for_every(i, 1, N), every[1])))


def test_the_index_of_a_hypothesis_is_no_family():
    """f(1), ..., f(5) <= y gives S = f(1) + ... + f(5) <= 5 y; f(g(i)) <= y does not."""
    one = Goal(Rel(f(x), "<=", y), {x: R, y: R}, (Rel(f(x), "<=", y),), "one")
    every = (Rel(f(x), "<=", y).for_every(x, 1, 5),)
    five = SumOver(one, x, ONE, sp.Integer(5), {y: R}, given=every)
    named = Definition("S is the sum", Goal(Rel(S(y), "=", sp.Sum(f(x), (x, 1, 5))), {y: R}, name="S"))
    total = follows(Rel(S(y), "<=", 5 * y), five, named, domain={y: R}, given=every, name="in all")
    other = (Rel(f(g(i)), "<=", y).for_every(x, 1, 5).for_every(i, 1, N),)
    assert "x is bound in one term" in problem(
        SumOver(total, i, ONE, N, {N: COUNT, y: R}, family={x: g(i)}, given=other)
    )
    assert proved(SumOver(total, i, ONE, N, {N: COUNT, y: R}, given=every))


# Limits and integrals that may not exist.


@pytest.mark.parametrize("term", [sp.Limit(x, x, sp.oo), sp.Integral(ONE, (x, 0, sp.oo))], ids=["limit", "integral"])
def test_a_goal_is_about_limits_and_integrals_that_exist(term):
    """The limit of x is not less than the limit of x, plus 1."""
    bare = Goal(Rel(term + y, "<", term + y + 1), {y: R}, name="one more")
    assert "may not exist" in problem(bare)
    assert "may not exist" in problem(follows(bare.rel, SQUARE, domain={y: R, x: R}))
    assert proved(Goal(bare.rel, {y: R, z: R}, (Rel(term, "=", z),), "if it is a number"))
    more = Goal(Rel(c + z, "<", c + z + 1), {c: R, z: R}, name="one more")
    some = Goal(Rel(g(c) + z, "<", g(c) + z + 1), {c: R, z: R}, name="one more")
    for item in (
        instance(more, {c: term}, {z: R}),
        applied(more, {c: term}, domain={z: R}),
        specialised(some, {g(c): term}, {c: R, z: R}),
    ):
        assert "may not exist" in problem(item)
    assert proved(instance(more, {c: term}, {z: R}, (Rel(term, "<=", z),)))


def test_an_integral_with_a_value_is_a_number():
    area = sp.Integral(x, (x, 0, 1))
    value = IntegralOf(x, x**2 / 2, x, sp.Integer(0), ONE, {x: R}, name="area")
    assert proved(follows(Rel(area + y, "<", y + 1), value, domain={y: R}))


@pytest.mark.parametrize(
    "expr",
    [
        sp.exp(-x * sp.log(1 + c / x)),  # tends to exp(-c)
        sp.sqrt(sp.log(1 + x)) / sp.log(1 + sp.log(1 + x)),
        1 / (1 + sp.exp(x - sp.sqrt(x**2 + x))),
        1 / (x * sp.erfc(sp.log(1 + x))),
    ],
)
def test_a_bound_of_growth_from_above_is_none_from_below(expr):
    assert not vanishes(expr, x)


def test_growth_is_known_of_sums_and_exponentials():
    assert vanishes(sp.log(1 + x) / sp.sqrt(1 + x), x)
    assert vanishes(1 / (1 + sp.exp(c * x)), x)
    assert vanishes(x**5 * sp.exp(-c * x), x)


# What is printed.


def test_a_function_has_one_number_of_arguments():
    """f(x) > 0 says nothing of f(x, y)."""
    goal = Goal(Rel(f(x, y) + x, ">", x), {x: R, y: R, f(x): positive()}, name="two functions")
    assert "different numbers of arguments" in problem(goal)
    assert proved(Goal(goal.rel, {x: R, y: R, f(x, y): positive()}, name="one function"))


def test_a_variable_is_not_printed_as_the_base_of_exponentials():
    """e + x < e + x, for a number e <= 1/2."""
    e, half = sp.Symbol("e"), Var(high=sp.Rational(1, 2))
    goal = Goal(Rel(e + x, "<", sp.E + x), {e: half, x: R}, name="e")
    assert "is printed as the base of exponentials is" in problem(goal)
    assert proved(Goal(Rel(y + x, "<", sp.E + x), {y: half, x: R}, name="y"))
    assert proved(Goal(Rel(e + x, "<", 1 + x), {e: half, x: R}, name="no exponential"))


def test_the_text_of_a_power_of_a_sum():
    """It was printed as the sum of the powers."""
    total = sp.Sum(f(i), (i, 1, N))
    goal = Goal(Rel(total**2, "<=", y**total + y * total), {N: COUNT, y: positive()})
    power, sum_ = "(sum_{i=1..N} f(i))^2", "sum_{i=1..N} f(i)"
    assert statement.text(goal).endswith(f"{power} <= y*{sum_} + y^({sum_})")
