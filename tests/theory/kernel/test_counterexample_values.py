"""A counterexample shows every value that was used, derived from the point; what is typed is said to be."""

import pytest
import sympy as sp

from theory.kernel.argument import refuted
from theory.kernel.goal import Goal, Letter, Point, Rel, positive, real
from theory.kernel.named import Named, Said
from theory.model.arms import DOMAIN, J, No, Wo, arm_point, n, s, s0
from theory.model.own_noise import bandits

x, y = sp.symbols("x y")
TWO = sp.Integer(2)
FALSE = Goal(Rel(x, "<=", y), {x: positive(), y: positive()})
AVERAGES = Goal(Rel(x, "<=", 1), {x: positive()}, letters={x: Letter(x, "sigma^2/n_1")})
BANDIT = {"K": "2", "n": ["1", "2"], "sigma_sq": "2", "sigma0_sq": "1"}


def found(goal, point):
    return refuted(goal, at=point).check()


def without_sides(finding):
    return {name: text for name, text in finding.counterexample.items() if name not in ("left", "right")}


def test_every_value_that_was_used_is_shown():
    finding = found(FALSE, Point({x: TWO, y: sp.Integer(1)}, {"x": "2"}))
    assert finding.ok
    assert without_sides(finding) == {"x": "2", "y": "1"}


def test_no_value_is_shown_by_the_name_of_another_thing():
    """The mean of an arm was used, and `y` is what its law is called."""
    finding = found(FALSE, Point({x: TWO, y: sp.Integer(1)}, {"x": "2"}, words={"y": "0 or 1, fair"}))
    assert "y = 1 was used, and y is shown as something else" in finding.problem


@pytest.mark.parametrize("text", ["1 (and 2, 3)", "0 or 1, fair", "all equal", "y", "0.5", ["1", "two"]])
def test_what_is_no_exact_number_is_entered_as_words(text):
    point = Point({x: TWO, y: sp.Integer(1)}, {"rewards": text})
    assert "is shown, which is no exact number" in found(FALSE, point).problem
    spoken = Point({x: TWO, y: sp.Integer(1)}, words={"rewards": str(text)})
    assert found(FALSE, spoken).ok
    assert found(FALSE, spoken).typed == ("rewards",)


def test_a_value_follows_from_what_is_shown():
    how = {x: sp.Symbol("sigma_sq") / sp.Symbol("n_1")}
    finding = found(AVERAGES, Point({x: TWO}, BANDIT, how))
    assert finding.ok
    assert finding.counterexample["x"] == "sigma_sq/n_1 = 2"
    assert finding.typed == ("sigma0_sq",)  # K is the number of counts
    wrong = found(AVERAGES, Point({x: TWO}, BANDIT, {x: sp.Symbol("sigma_sq") / sp.Symbol("n_2")}))
    assert "x = 1 by what is shown, 2 was used" in wrong.problem
    idle = found(AVERAGES, Point({x: TWO}, BANDIT, {**how, y: sp.Symbol("K")}))
    assert "y is said to be K, and is not used" in idle.problem


def test_a_number_that_nothing_was_compared_with_is_typed():
    assert found(AVERAGES, Point({x: TWO}, {"x": "2", "horizon": "10^6"})).typed == ("horizon",)


def test_sums_over_the_other_arms_follow_from_a_bandit():
    free = {x: DOMAIN[x] for x in (n, No, Wo, s0)}
    false = Goal(Rel(s0 * No + Wo, "<=", n - 5), free)
    finding = found(false, arm_point((1, 2), 2, 1))
    assert finding.ok
    assert without_sides(finding) == {**BANDIT, "W_others": "1/2"}
    other = Point({**arm_point((1, 2), 2, 1).values, Wo: sp.Rational(1, 3)}, BANDIT)
    assert "Wo = 1/2 by what is shown, 1/3 was used" in found(false, other).problem


def test_the_number_of_arms_is_that_of_their_counts():
    point = Point({n: sp.Integer(1)}, {"K": "3", "n": ["1", "2"]})
    assert "K = 2 by what is shown, 3 is shown too" in found(Goal(Rel(n, ">", 1), {n: positive()}), point).problem


def test_a_letter_is_read_as_it_is_printed():
    """K - 1 other arms are shown as K arms."""
    finding = found(Goal(Rel(J, ">", 1), {J: positive()}), Point({J: sp.Integer(1)}))
    assert without_sides(finding) == {"K": "2"}


def test_noises_of_the_arms_are_shown_once():
    point = next(p for p in bandits() if len(p.shown["n"]) == 2)
    (own,) = (symbol for symbol in point.values if symbol.name == "s1")
    finding = found(Goal(Rel(own, ">", own**2), {own: positive()}), point)
    assert finding.ok
    assert "sigma_k_sq" not in finding.typed
    assert without_sides(finding) == dict(point.shown)


class Listed(Named):
    """A number that was computed from an example."""

    @property
    def value(self):
        return sp.Integer(2)

    @property
    def data(self):
        return {"K": "2", "law": Said("0 or 1, fair")}


def test_an_example_shows_what_its_number_was_computed_from():
    finding = found(Goal(Rel(Listed(), "=", 1), {}), Point({}))
    assert finding.ok
    assert without_sides(finding) == {"K": "2", "law": "0 or 1, fair"}
    assert finding.typed == ()
    other = found(Goal(Rel(Listed(), "=", 1), {}), Point({}, {"K": "3"}))
    assert "K is both 2 and 3: one is that of an example" in other.problem


def test_values_of_every_searched_point_are_shown():
    free = {x: real(), s: positive()}
    finding = refuted(Goal(Rel(x * s, "<=", 0), free)).check()
    assert finding.ok
    assert set(without_sides(finding)) == {"x", "sigma_sq"}
