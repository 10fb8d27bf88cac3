"""What an expression hides: variables of derivatives, indices of sums, ranges of functions, parameters of a model."""

import pytest
import sympy as sp

from theory.kernel.argument import Item, proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Chord,
    Definition,
    Induction,
    Monotone,
    NextInteger,
    Rises,
    SplitSum,
    SumOver,
    applied,
    congruent,
    follows,
    instance,
    replaced,
)
from theory.kernel.terms import Mean

x, y, z, c, n, i, j, K, N, M, X = sp.symbols("x y z c n i j K N M X")
f, h = sp.Function("f"), sp.Function("h")
R, COUNT, ONE = real(), at_least(1, integer=True), sp.Integer(1)


def problem(item: Item) -> str:
    """Why an item is not proved."""
    found = proof(item).check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(item: Item) -> bool:
    return proof(item).check().verdict == "proved"


# The variable of a derivative.

PRODUCT = Goal(Rel(sp.Derivative(x * y, y), "=", x), {x: R, y: R}, name="a product")
EQUAL = Goal(Rel(x, "=", y), {x: R, y: R}, (Rel(x, "=", y),), "equal numbers")


def test_nothing_becomes_the_variable_of_a_derivative():
    """d/dy (x y) = x for all x; at x = y it would say 2 y = y."""
    assert proved(instance(PRODUCT, {x: 2 * z}, {y: R, z: R}))
    with pytest.raises(ValueError, match="bound symbols \\['y'\\]"):
        proof(instance(PRODUCT, {x: y}, {y: R})).check()
    with pytest.raises(ValueError, match="bound symbols \\['y'\\]"):
        proof(congruent(sp.Derivative(z * y, y), z, EQUAL, EQUAL.domain, EQUAL.given)).check()
    assert "y is bound" in problem(
        replaced(PRODUCT, EQUAL, Rel(sp.Derivative(y * y, y), "=", y), EQUAL.domain, EQUAL.given)
    )


@pytest.mark.parametrize(
    "item",
    [
        Goal(Rel(sp.Derivative(f(x), x) + y, "<=", y + 1), {x: R, y: R}, name="a slope"),
        Goal(Rel(sp.Derivative(Mean(X * x, X), x) + y, "<=", y + 1), {x: R, y: R, X: R}, name="of a mean"),
        Rises(f(x) - f(1), x, ONE, {x: R}, "f"),
        Monotone(EQUAL, f(z), z, {x: R, y: R, z: R}),
        Chord(f(x), x, {x: Var(sp.Integer(0), high=ONE)}, "f"),
    ],
    ids=["a slope", "of a mean", "Rises", "Monotone", "Chord"],
)
def test_the_slope_of_any_function_is_not_zero(item):
    assert "unknown" in problem(item)


def test_a_function_of_other_things_is_a_constant_factor():
    assert proved(Goal(Rel(sp.Derivative(x * f(y), x) + y, "=", f(y) + y), {x: R, y: R}, name="a constant factor"))


# Names of opaque terms and of indices.


@pytest.mark.parametrize(
    ("left", "right", "domain"),
    [
        (f(y), sp.Symbol("term1"), {y: R, sp.Symbol("term1"): R}),
        (sp.Sum(f(i, sp.Symbol("index0")), (i, 1, N)), sp.Sum(f(i, i), (i, 1, N)), {sp.Symbol("index0"): R, N: COUNT}),
        (sp.Sum(f(i), (i, 1, i)), sp.Sum(f(j), (j, 1, j)), {i: COUNT, j: COUNT}),
    ],
    ids=["an opaque term", "an index", "an index that is an end"],
)
def test_no_name_is_taken_for_another(left, right, domain):
    assert "unknown" in problem(Goal(Rel(left, "<=", right + 1), domain, name="two things"))


def test_equal_sums_are_recognised_whatever_their_indices_are():
    first = sp.Sum(sp.Sum(f(i, j), (j, 1, i)), (i, 1, N))
    second = sp.Sum(sp.Sum(f(n, i), (i, 1, n)), (n, 1, N))
    assert proved(Goal(Rel(first + x, "<=", second + x + 1), {x: R, N: COUNT}, name="two names"))


def test_a_family_is_not_captured_by_an_index_inside():
    inner = Goal(Rel(sp.Sum(f(i, n), (i, 1, K)), "<=", sp.Sum(f(j, n), (j, 1, K)) + 1), {n: R, K: COUNT}, name="one")
    sizes = {K: COUNT, M: COUNT}
    assert "i is bound in one term" in problem(SumOver(inner, i, ONE, M, sizes, family={n: h(i)}))
    assert proved(SumOver(inner, z, ONE, M, sizes, family={n: h(z)}))


# Ends of sums.


@pytest.mark.parametrize(
    ("range_", "said"),
    [(Var(integer=True), "a negative number of terms"), (at_least(1), "not known to be integers")],
    ids=["negative", "real"],
)
def test_a_sum_has_integer_ends_and_no_negative_length(range_, said):
    goal = Goal(Rel(sp.Sum(y, (i, 1, N)), "=", N * y), {y: R, N: range_}, name="equal terms")
    assert said in problem(goal)
    assert proved(Goal(goal.rel, {y: R, N: COUNT}, name="equal terms"))


def test_rules_of_sums_need_integer_ends():
    term = Goal(Rel(x, "<", x + 1), {x: R}, name="a term")
    assert "not known to be an integer" in problem(SumOver(term, i, ONE, y, {x: R, y: at_least(1)}))
    parts = {N: COUNT, x: at_least(1)}
    assert "not known to be an integer" in problem(SplitSum(f(i), i, ONE, x, N, parts, (Rel(x, "<=", N),)))


# Ranges of functions.

BELOW = Goal(Rel(f(x), ">", 0), {x: R, f(x): positive()}, name="by its range")


def test_a_range_is_that_of_all_values():
    """0 < f(1) says nothing of f(x)."""
    assert "no range of all values of f" in problem(Goal(Rel(f(x), ">", 0), {x: R, f(ONE): positive()}, name="f"))


@pytest.mark.parametrize("domain", [{x: R}, {x: R, z: R, f(z): R}], ids=["none", "another"])
def test_a_conclusion_states_the_range_of_its_functions(domain):
    lemma = Goal(Rel(y + 1, ">", 0), {y: positive()}, name="a lemma")
    for item in (
        follows(Rel(f(x) + 1, ">", 0), BELOW, domain=domain),
        applied(lemma, {y: f(x)}, BELOW, domain=domain),
    ):
        assert "is not known to be real > 0" in problem(item)
    own = {x: R, f(x): positive()}
    assert proved(follows(Rel(f(x) + 1, ">", 0), BELOW, domain=own))
    assert proved(applied(lemma, {y: f(x)}, BELOW, domain=own))


def test_a_function_assumes_nothing():
    whole = sp.Function("w", integer=True)
    assert "the function w assumes more than its range" in problem(NextInteger(whole(x), sp.Integer(0), {x: R}))
    assert proved(NextInteger(f(x), sp.Integer(0), {x: R, f(x): Var(integer=True)}))


def test_a_definition_contains_its_object_after_cancellation():
    nothing = Definition("f", Goal(Rel(f(x) + x, "<=", f(x) + y), {x: R, y: R}, name="nothing"))
    assert "contains only free symbols" in problem(follows(Rel(x, "<=", y), nothing, domain={x: R, y: R}))


def test_induction_keeps_an_index_that_has_its_name():
    """Inside, n is an index; outside it is the number of the step."""
    left = sp.Sum(sp.Sum(f(i, n), (n, 1, 3)), (i, 1, n))
    right = sp.Sum(sp.Sum(f(i, j), (j, 1, 3)), (i, 1, n))
    assert proved(Induction(Rel(left, "=", right), n, ONE, {}))
    assert problem(Induction(Rel(left, "=", sp.Sum(3 * f(i, n), (i, 1, n))), n, ONE, {}))
