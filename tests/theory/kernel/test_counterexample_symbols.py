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
P, COUNT = positive(), at_least(1, integer=True)
ZERO, ONE, TWO = map(sp.Integer, range(3))
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


def test_what_a_sum_is_made_of_is_in_its_range_and_shown() -> None:
    """1/1 + ... + 1/N >= 1 for N >= 1 was refuted by the empty sum at N = 0, which was not shown."""
    harmonic = {W: sp.Sum(1 / i, (i, 1, N))}
    least = Goal(Rel(W, ">=", 1), {W: at_least(0), N: COUNT}, where=harmonic)
    assert "N = 0 was used, which is not in its range" in unsettled(refuted(least, at=Point({W: ZERO, N: ZERO})))
    most = Goal(Rel(W, "<=", 1), {W: at_least(0), N: COUNT}, where=harmonic)
    found = refuted(most, at=Point({W: sp.Rational(3, 2), N: TWO})).check()
    assert (found.verdict, found.counterexample["N"]) == ("refuted", "2")


def test_a_sum_in_a_premise_has_its_value() -> None:
    """From (1/1 + ... + 1/N) N <= 1/2 anything follows: the sum was taken to be 1/4 at N = 2."""
    one = Goal(Rel(N, "<=", 1), {N: COUNT, W: P}, where={W: sp.Sum(1 / i, (i, 1, N))})
    at = Point({N: TWO, W: sp.Rational(1, 4)})
    found = gap(one, premises=(Rel(W * N, "<=", sp.Rational(1, 2)),), at=at).check()
    assert any("and it stands for Sum(1/i, (i, 1, N)) = 3/2" in e.check for e in found.evidence if not e.ok)


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


K = sp.Symbol("K")
SUM = Goal(Rel(W, "<", W + x), {W: P, x: P, N: COUNT}, name="more", where={W: sp.Sum(1 / i, (i, 1, N))})


@pytest.mark.parametrize(
    ("goal", "why"),
    [
        (replace(SUM, letters={x: Letter(a), N: Letter(a)}), "share letters"),
        (replace(SUM, letters={x: Letter(K), N: Letter(K - 1)}), "share letters"),
        (replace(SUM, letters={x: Letter(i)}, where={W: sp.Sum(x / i, (i, 1, N))}), "printed as something else is: i"),
    ],
    ids=["one letter", "K and K - 1", "an index"],
)
def test_letters_of_definitions_are_not_those_of_something_else(goal: Goal, why: str) -> None:
    """W < W + i, W = 1 + ... + 1: the sum of x/i, where x was printed i."""
    assert why in unsettled(proof(goal))
    assert proof(SUM).check().verdict == "proved"


class Squared(Named):
    """x^2, printed q and defined beside the statement."""

    value = property(lambda self: self.args[0] ** 2)
    written = property(lambda self: sp.Symbol("q"))
    definition = property(lambda self: (sp.Symbol("q"), self.args[0] ** 2))


def test_an_abbreviation_is_not_the_letter_of_a_named_quantity() -> None:
    """x^2 + x + y < x^2 + x + y + z was printed 2 q < 2 q + z, q = x^2."""
    goal = Goal(Rel(Squared(x) + x + y, "<", Squared(x) + x + y + z), {x: P, y: P, z: P}, name="more")
    assert "q is both x**2 and x + y" in unsettled(proof(replace(goal, short={sp.Symbol("q"): x + y})))
    assert proof(replace(goal, short={sp.Symbol("p"): x + y})).check().verdict == "proved"


def test_a_square_is_not_negative() -> None:
    """sigma^2 >= 0 was refuted at sigma^2 = -1."""
    letters = {x: Letter(sp.Symbol("sigma", positive=True) ** 2, "a variance")}
    below = Goal(Rel(x, ">=", 1), {x: Var()}, name="a variance", letters=letters)
    assert "which is not negative, and may be" in unsettled(refuted(below))
    plain = replace(below, letters={x: Letter(sp.Symbol("sigma") ** 2)})
    assert "which is not negative, and may be" in unsettled(refuted(plain))
    assert "which is not positive, and may be" in unsettled(refuted(replace(below, letters={x: Letter(-(a**2))})))
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


LOGARITHM = Goal(Rel(sp.log(x), "<=", 1), {x: Var(ONE, strict=True)})
OPENED = Goal(Rel(z, "<=", 1), {z: P})
THREE = Point({x: sp.Integer(3)})


def test_names_in_a_region_are_explained_by_what_is_shown() -> None:
    """Where x stands for log x, W = x + 1 was shown for W = log x + 1; where c is pi, W = x/c for W = x/pi."""
    same = Goal(Rel(x, "<=", 1), {x: P})
    region = exactly(same, Rel(W, ">", 2), opened={x: sp.log(x)}, let={W: x + 1})
    found = refuted(LOGARITHM, at=THREE, region=region).check()
    assert found.ok
    assert (found.region["of_printed"], found.region["where"]) == (True, {"W": "log(x) + 1"})
    assert exactly(replace(FALSE, letters={}), Rel(W, ">", 1), let={W: x / y}, numbers={y: sp.pi}).where == {
        "W": "x/pi"
    }


def test_names_in_a_region_are_no_letters_of_what_is_shown() -> None:
    with pytest.raises(ValueError, match="x is a letter of"):
        exactly(OPENED, Rel(x, ">", 2), opened={z: sp.log(x)}, let={x: z + 1})
    squared = Goal(Rel(x, "<=", y), {x: P, y: P}, letters={x: Letter(a**2)})
    with pytest.raises(ValueError, match="a is a letter of"):  # a > 1, where a = a_sq/y, beside a^2 <= y
        exactly(squared, Rel(a, ">", 1), let={a: x / y})
    with pytest.raises(ValueError, match="z is a letter of"):  # log x > 2 was shown for log x + 1 > 2
        exactly(OPENED, Rel(z, ">", 2), opened={z: sp.log(x)}, let={z: z + 1})
    small = Goal(Rel(x, "<=", 1), {x: P})
    other = Goal(Rel(x, "<=", y), {x: P, y: P})
    assert "y is a letter of x <= y already" in unsettled(
        refuted(other, region=exactly(small, Rel(y, ">", 1), let={y: x}))
    )


def test_names_in_a_region_are_no_letters_of_definitions() -> None:
    """N > 1 was shown, where N is W, beside W = 1/1 + ... + 1/N."""
    harmonic = Goal(Rel(W, "<=", 1), {W: P, N: COUNT}, where={W: sp.Sum(1 / i, (i, 1, N))})
    region = exactly(Goal(Rel(W, "<=", 1), {W: P}), Rel(N, ">", 1), let={N: W})
    at = Point({W: sp.Rational(3, 2), N: TWO})
    assert "N is a letter of" in unsettled(refuted(harmonic, at=at, region=region))
    assert refuted(harmonic, at=at, fails_iff=Rel(W, ">", 1)).check().ok


@pytest.mark.parametrize("name", [s, z], ids=["a name of a model", "a letter of the goal"])
def test_a_name_in_a_region_is_shown_as_it_is(name: sp.Symbol) -> None:
    """sigma_sq > 1, where s = x/y, was shown for s > 1."""
    goal = Goal(Rel(x, "<=", y), {x: P, y: P}, letters={z: Letter(b)})
    with pytest.raises(ValueError, match="would be shown as"):
        exactly(goal, Rel(name, ">", 1), let={name: x / y})


def test_a_name_that_the_statement_defines_means_the_same_in_a_region() -> None:
    own = Goal(Rel(Squared(x), "<=", 1), {x: P})
    q = sp.Symbol("q")
    assert refuted(own, region=exactly(own, Rel(q, ">", 1), let={q: x**2})).check().ok
    assert "let: q is x, and x**2" in unsettled(refuted(own, region=exactly(own, Rel(q, ">", 1), let={q: x})))


def test_different_symbols_are_shown_differently_in_a_region() -> None:
    plain = replace(FALSE, letters={})
    for one in (Letter(b), Letter(b + 1)):
        region = exactly(replace(FALSE, letters={x: one, y: Letter(b)}), Rel(x, ">", y))
        assert "y and x are both shown by b" in unsettled(refuted(plain, region=region))


def test_what_opens_a_symbol_is_in_the_letters_of_the_printed_relation() -> None:
    """a <= b, which is x <= y, failed where x > b."""
    base = Goal(Rel(z, "<=", y), {z: P, y: P}, letters=FALSE.letters)
    found = refuted(FALSE, region=exactly(replace(base, letters={y: Letter(b)}), Rel(z, ">", y), opened={z: x}))
    assert found.check().region["typed"]
    assert not refuted(FALSE, region=exactly(base, Rel(z, ">", y), opened={z: x})).check().region["typed"]
    whole = Goal(Rel(N, "<=", 1), {N: COUNT})
    least = Goal(Rel(x, "<=", 1), {x: at_least(1)})
    assert refuted(least, region=exactly(whole, Rel(N, ">", 1), opened={N: x})).check().region["typed"]


def test_numbers_are_shown_for_symbols_that_may_have_them() -> None:
    circle = Goal(Rel(x, "<=", sp.pi), {x: P})
    base = Goal(Rel(x, "<=", z), {x: P, z: P})
    above, pi = Rel(x, ">", z), {z: sp.pi}
    assert refuted(circle, region=exactly(base, above, numbers=pi)).check().ok
    supposing = replace(base, given=(Rel(z, "<=", 3),))
    assert "pi <= 3" in unsettled(refuted(circle, region=exactly(supposing, above, numbers=pi)))
    assert "z is shown as 2, and is any number" in unsettled(
        refuted(base, region=exactly(base, above, numbers={z: TWO}))
    )
    for domain in ({x: P, z: COUNT}, {x: P, z: P}):
        wrong = z if domain[z] == COUNT else y
        with pytest.raises(ValueError, match="must have a range of real numbers"):
            exactly(replace(base, domain=domain), above, numbers={wrong: sp.pi})


def test_a_hypothesis_about_every_index_is_not_shown_as_one_about_an_index() -> None:
    every = Rel(y, "<=", i).for_every(i, 1, 3)
    with pytest.raises(ValueError, match="without its indices"):
        exactly(replace(LARGE, domain={x: P, y: P}, given=(every,)), Rel(x, ">", 1), also=(every,))


def test_a_region_of_another_relation_is_not_its_negation() -> None:
    """x > 2 was shown as the negation of x <= 1."""
    other = Goal(Rel(x, "<=", 2), {x: P})
    assert not refuted(LARGE, region=exactly(other, Rel(x, ">", 2))).check().region["negation"]
    assert refuted(LARGE, region=exactly(LARGE, Rel(x, ">", 1))).check().region["negation"]


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


def test_a_symbol_has_one_letter_in_a_gap() -> None:
    """a <= 1 was printed beside the fact b^2 + 1 >= 2 b, both about x, or beside a premise about another b."""
    square = Goal(Rel(x**2 + 1, ">=", 2 * x), {x: Var()}, squares=(x - 1,), name="a square")
    large = replace(LARGE, letters={x: Letter(a)})
    small = Rel(x, "<=", 3)
    assert gap(large, premises=(square, small)).check().premises[1].startswith("for a real")
    other = replace(square, letters={x: Letter(b)})
    assert "x is a in x <= 1, and b in premise" in unsettled(gap(large, premises=(other, small)))
    found = gap(LARGE, premises=(square, small), letters={x: Letter(a)}).check()
    assert found.premises == ("x <= 3", "for x real: x^2 + 1 >= 2*x [a fact, proved]")
    two = Goal(Rel(x, "<=", 1), {x: P, a: P}, letters={x: Letter(a)})
    at = Point({x: TWO, a: TWO}, {"a": "2"})
    assert "x is printed as a, which is another symbol" in unsettled(gap(two, premises=(Rel(x + a, "<=", 4),), at=at))


def test_items_of_a_defect_are_printed_as_what_they_are() -> None:
    two = Goal(Rel(x, "<", x + y), {x: P, y: P}, name="more", letters={x: Letter(a), y: Letter(a)})
    assert "share letters" in unsettled(refuted(LARGE, also=(two,)))


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
