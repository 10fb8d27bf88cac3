"""A counterexample and a region are about the printed statement: its letters, and what its symbols stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import Argument, gap, proof, refuted
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive
from theory.kernel.named import Named
from theory.kernel.region import everywhere, exactly
from theory.model.arms import ARMS_LETTER, DOMAIN, LETTERS, J, No, Wo, n, s, s0
from theory.model.examples import Listed
from theory.model.moments import W2o
from theory.model.two_arms import ErrorAfterOneAndZero, ErrorWithReward, OwnNoise, VarianceGiven

x, y, z, i, N, W, a, b = sp.symbols("x y z i N W a b")
f, g = map(sp.Function, "fg")
P, COUNT, ONE, TWO = positive(), at_least(1, integer=True), sp.Integer(1), sp.Integer(2)
FALSE = Goal(Rel(x, "<=", y), {x: P, y: P}, letters={x: Letter(a), y: Letter(b)})
LARGE = Goal(Rel(x, "<=", 1), {x: P})


def unsettled(argument: Argument) -> str:
    found = argument.check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


# What symbols stand for.


@pytest.mark.parametrize("at", [None, Point({W: sp.Integer(5), N: TWO})], ids=["searched", "given"])
def test_a_symbol_that_stands_for_a_sum_has_its_value_at_a_counterexample(at: Point | None) -> None:
    """W = 1/1 + ... + 1/N is at most N."""
    harmonic = Goal(Rel(W, "<=", N), {W: P, N: COUNT}, where={W: sp.Sum(1 / i, (i, 1, N))})
    assert "and it stands for Sum(1/i, (i, 1, N))" in unsettled(refuted(harmonic, at=at))
    below = Goal(Rel(W, "<=", 1), {W: P, N: COUNT}, (Rel(N, "<=", 9),), where=harmonic.where)
    assert refuted(below, at=Point({W: sp.Rational(3, 2), N: TWO})).check().verdict == "refuted"


def test_the_value_of_an_unspecified_sum_is_not_known() -> None:
    some = Goal(Rel(W, "<=", N), {W: P, N: COUNT}, where={W: sp.Sum(sp.Function("f")(i), (i, 1, N))})
    assert "and it stands for Sum(f(i), (i, 1, N))" in unsettled(refuted(some))


@pytest.mark.parametrize(
    "quantity", [lambda: ErrorWithReward(3), lambda: VarianceGiven(0), lambda: ErrorAfterOneAndZero(3)]
)
def test_two_arms_have_no_third_one(quantity: Callable[[], Named]) -> None:
    """Cov(mu-hat_1 - mu_1, r_3) had the value that belongs to r_2."""
    with pytest.raises(ValueError, match="must be one of 1, 2"):
        quantity()
    assert OwnNoise(3).args[0] == 3


@pytest.mark.parametrize("values", [{f(x): TWO, f(y): ONE}, {f(x): TWO, f(y): TWO, g(x): ONE}])
def test_a_point_has_values_of_symbols_only(values: dict[sp.Expr, sp.Expr]) -> None:
    """If x = y, f(x) = f(y): it was refuted by two values of f at one number."""
    equal = Goal(Rel(f(x), "=", f(y)), {x: P, y: P}, (Rel(x, "=", y),), "a function")
    assert "counterexample" in unsettled(refuted(equal, at=Point({x: ONE, y: ONE, **values})))


def test_one_example_is_described_beside_a_relation() -> None:
    """Of two examples the description of one was printed."""
    both = Goal(Rel(Listed("fixed"), "<", Listed("noise")), {}, name="two examples")
    assert "example is both" in unsettled(proof(both))
    assert proof(Goal(Rel(Listed("fixed"), "<", 1), {}, name="one example")).check().verdict == "proved"


# Letters.


def test_letters_are_as_many_as_what_they_stand_for() -> None:
    """J is printed K - 1: with another K beside it, K - 1 < K - 1 was proved, and sigma^2 = sigma^2 refuted."""
    arms, letters = sp.Symbol("K"), {**LETTERS, **ARMS_LETTER}
    few = {J: Var(sp.Integer(0), integer=True, high=ONE), arms: at_least(3, integer=True)}
    assert "J, K share letters" in unsettled(proof(Goal(Rel(J, "<", arms - 1), few, letters=letters)))
    sigma = sp.Symbol("sigma", positive=True)
    own = {x: Letter(sigma**2), y: Letter(sigma)}
    assert "x, y share letters" in unsettled(refuted(Goal(Rel(x, "=", y**2), {x: P, y: P}, letters=own)))
    ratio = {J: LETTERS[J], x: Letter(sp.Symbol("rho") / sp.Symbol("K"))}
    apart = Goal(Rel(x + J, ">", x - 1), {x: P, J: DOMAIN[J]}, letters=ratio)
    assert proof(apart).check().verdict == "proved"


def test_a_square_is_not_negative() -> None:
    """sigma^2 >= 0 was refuted at sigma^2 = -1."""
    letters = {x: Letter(sp.Symbol("sigma", positive=True) ** 2, "a variance")}
    below = Goal(Rel(x, ">=", 1), {x: Var()}, name="a variance", letters=letters)
    assert "which is not negative, and may be" in unsettled(refuted(below))
    assert refuted(replace(below, domain={x: at_least(0)})).check().verdict == "refuted"


def test_a_letter_of_the_goal_is_not_replaced_by_a_name_of_a_model() -> None:
    """Rounds r that are the symbol s of a goal were shown as sigma_sq; sigma_sq > r as n_k > sigma_sq."""
    rounds = {s: Letter(sp.Symbol("r"), "rounds"), n: Letter(sp.Symbol("sigma_sq"))}
    found = refuted(Goal(Rel(n, "<=", s), {s: P, n: P}, letters=rounds), fails_iff=Rel(n, ">", s)).check()
    assert found.ok
    assert found.region["inequality"] == "sigma_sq > r"
    assert (found.counterexample["sigma_sq"], found.counterexample["r"]) == ("2", "1")
    model = refuted(Goal(Rel(n, "<=", s), {s: P, n: P}, letters=LETTERS), fails_iff=Rel(n, ">", s)).check()
    assert model.region["inequality"] == "n_k > sigma_sq"


def test_a_region_in_other_letters_is_not_that_of_the_printed_relation() -> None:
    other = replace(FALSE, letters={x: Letter(b), y: Letter(a)})
    assert refuted(FALSE, region=exactly(FALSE, Rel(x, ">", y))).check().region["of_printed"]
    assert not refuted(FALSE, region=exactly(other, Rel(x, ">", y))).check().region["of_printed"]


def test_a_name_in_a_region_is_no_letter_of_the_relation() -> None:
    """b > 1, where b = a/b, beside a relation between a and b."""
    for name in (a, b):
        with pytest.raises(ValueError, match="is a letter of"):
            exactly(FALSE, Rel(name, ">", 1), let={name: x / y})
    plain = Goal(FALSE.rel, FALSE.domain)
    with pytest.raises(ValueError, match="y is a letter of"):
        exactly(plain, Rel(y, ">", 1), let={y: x / y})
    above = Goal(Rel(x + y, "<=", y), {x: P, y: P})
    with pytest.raises(ValueError, match="y is a letter of"):
        everywhere(above, y, let={y: x})
    assert exactly(FALSE, Rel(z, ">", 1), let={z: x / y}).where == {"z": "a/b"}


# Entries of a counterexample.


@pytest.mark.parametrize("shown", [{"n": ["1", "2"], "sigma_sq": "2"}, None])
def test_an_explanation_of_a_value_is_evaluated(shown: dict[str, object] | None) -> None:
    """`sigma_sq/n_9 = 2` was shown of a bandit with two arms."""
    how = {x: sp.Symbol("sigma_sq") / sp.Symbol("n_9")}
    assert "of which not all is shown" in unsettled(refuted(LARGE, at=Point({x: TWO}, shown, how)))


def test_no_value_is_shown_in_the_place_of_a_side() -> None:
    left = sp.Symbol("left")
    goal = Goal(Rel(2 * left, "<=", 1), {left: P})
    assert "left is shown, as a side of the relation is" in unsettled(refuted(goal, at=Point({left: TWO})))


def test_sums_over_the_other_arms_follow_from_their_counts() -> None:
    """One other arm with one pull and equal variances has the weight 1/2; the sum of the weights was taken as 1."""
    one = Goal(Rel(Wo, "=", s0 / (s0 + s)), DOMAIN, (Rel(J, "=", 1), Rel(No, "=", 1)), letters=LETTERS)
    at = Point(dict.fromkeys((Wo, s, s0, J, No), ONE))
    assert "No = 1 was used, which must follow from what is shown of the arms" in unsettled(refuted(one, at=at))
    bandit = {"n": ["1", "1"], "sigma_sq": "1", "sigma0_sq": "1"}
    assert "Wo = 1/2 by what is shown, 1 was used" in unsettled(refuted(one, at=replace(at, shown=bandit)))


def test_the_squared_weights_follow_from_the_counts_too() -> None:
    small = Goal(Rel(W2o, "<=", sp.Rational(1, 8)), {W2o: P})
    bandit = {"n": ["1", "1"], "sigma_sq": "1", "sigma0_sq": "1"}
    assert refuted(small, at=Point({W2o: sp.Rational(1, 4)}, bandit)).check().problem is None
    assert "W2o = 1/4 by what is shown" in unsettled(refuted(small, at=Point({W2o: ONE}, bandit)))


def test_counts_may_be_a_tuple() -> None:
    point = Point({n: ONE}, {"K": "3", "n": ("1", "2")})
    assert "K = 2 by what is shown, 3 is shown too" in unsettled(refuted(Goal(Rel(n, ">", 1), {n: P}), at=point))


def test_items_without_letters_are_printed_in_those_of_the_statement() -> None:
    """Readers saw s/(s + s0) beside sigma^2 <= sigma_0^2. A letter of the item itself is kept."""
    printed = Goal(Rel(s, "<=", s0), {s: P, s0: P}, letters=LETTERS)
    item = Goal(Rel(s / (s + s0), "<", 1), {s: P, s0: P})
    other = replace(item, letters={s: Letter(a), s0: Letter(b)})
    first, *_, plain, own = refuted(printed, also=(item, other)).check().items
    assert first["relation"] == "sigma^2 <= sigma_0^2"
    assert (plain["relation"], own["relation"]) == ("sigma^2/(sigma^2 + sigma_0^2) < 1", "a/(a + b) < 1")


# Premises of a gap.


@pytest.mark.parametrize(
    ("premise", "range_"), [(Rel(x, "<=", 1), True), (Rel(2 * x, ">=", 0), True), (Rel(2 * x, ">=", 1), False)]
)
def test_the_range_of_a_symbol_is_recognised_as_a_premise(premise: Rel, range_: bool) -> None:
    unit = Goal(Rel(x, "<=", sp.Rational(1, 2)), {x: Var(sp.Integer(0), high=ONE)}, name="a half")
    found = gap(unit, premises=(premise,)).check()
    assert (found.verdict == "open") is range_
    assert ("is the range of its symbol" in (found.problem or "")) is range_


def test_a_claim_is_named_by_a_hypothesis_and_not_by_a_relation_at_a_point() -> None:
    """The source of a relation at a point was not looked up."""
    premise = Rel(x**2, "<=", x).by("no such claim")
    goal = Goal(Rel(x, "<=", sp.Rational(1, 2)), {x: Var(sp.Integer(0), high=ONE)}, name="a half")
    assert "is a hypothesis of the goal" in unsettled(gap(goal, premises=(premise,)))
