"""Quantities written by name: printed as they stand, proved by their value, and never apart from it."""

import pytest
import sympy as sp

from theory.coq.statement import statements
from theory.kernel import statement
from theory.kernel.argument import proof, refuted
from theory.kernel.defined import undefined
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.named import Fixed, Named, valued
from theory.kernel.rules import SumOver, chain, follows, instance
from theory.kernel.sanity import objections

x, y, z = sp.symbols("x y z")
random = Fixed("X")


class Square(Named):
    """The square of its argument, by a name of its own; the mean of `random` inside it is 0."""

    @property
    def value(self):
        return self.args[0].as_independent(random, as_Add=True)[0] ** 2

    @property
    def bound(self):
        return {random}

    @property
    def parts(self):
        return (1 / self.args[0],)

    def _latex(self, printer):
        return rf"\operatorname{{sq}}\left({printer._print(self.args[0])}\right)"

    def _sympystr(self, printer):
        return f"sq({printer._print(self.args[0])})"


class Shown(Square):
    """The same with its definition beside the statement."""

    @property
    def written(self):
        return sp.Symbol("q")

    @property
    def definition(self):
        return self.written, self.value


class Beyond(Square):
    """A value with a symbol that is no argument."""

    @property
    def value(self):
        return self.args[0] + z


POSITIVE = {x: positive(), y: positive()}


def test_the_statement_keeps_the_name_and_the_engines_see_the_value():
    rel = Rel(Square(x + 1), "=", x**2 + 2 * x + 1)
    assert (rel.left, rel.by_rules.left) == ((x + 1) ** 2, (x + 1) ** 2)
    found = proof(Goal(rel, {x: positive()}, name="square")).check()
    assert found.verdict == "proved"
    assert found.statement == r"0 < x:\quad \operatorname{sq}\left(x + 1\right) = x^{2} + 2 x + 1"
    assert statement.text(Goal(rel, {x: positive()})) == "for x real > 0: sq(x + 1) = x^2 + 2*x + 1"


def test_a_wrong_value_is_not_proved_and_is_refuted():
    wrong = Goal(Rel(Square(x + 1), "=", x**2 + 1), {x: positive()})
    assert proof(wrong).check().verdict == "open"
    assert refuted(wrong).check().verdict == "refuted"


def test_every_variant_of_a_named_statement_is_refused_by_name():
    found = proof(Goal(Rel(Square(x + y), ">=", 4 * x * y), POSITIVE, squares=(x - y,))).check()
    assert found.verdict == "proved"
    assert len(found.mutants) >= 3
    assert all(m.killed for m in found.mutants)


def test_hypotheses_may_be_named():
    goal = Goal(Rel(x**2 + 1, "<=", 5), {x: positive()}, (Rel(Square(x), "<=", 4),), "one more")
    found = proof(goal).check()
    assert found.verdict == "proved"
    assert r"\text{if}\ \operatorname{sq}\left(x\right) \le 4" in found.statement


def test_definitions_are_printed_once_and_derivatives_are_of_the_value():
    goal = Goal(Rel(sp.Derivative(Shown(x), x), "=", 2 * x), {x: real()}, name="slope")
    assert goal.rel.left == goal.rel.by_rules.left == 2 * x
    assert statement.latex(goal).count("q = x^{2}") == 1


def test_rules_keep_the_name():
    below = Goal(Rel(2 * x, "<=", Square(x) + 1), {x: positive()}, squares=(x - 1,), name="below")
    above = Goal(Rel(Square(x) + 1, "<", Square(x + 1)), {x: positive()}, name="above")
    assert chain(below, above).concludes.rel.stated == (2 * x, Square(x + 1))
    assert instance(above, {x: y + 1}, {y: positive()}).concludes.rel.stated[1] == Square(y + 2)
    for item in (chain(below, above), instance(above, {x: y + 1}, {y: positive()})):
        assert proof(item).check().verdict == "proved"
    twice = follows(Rel(4 * x, "<=", 2 * Square(x) + 2), below)
    assert proof(twice).check().verdict == "proved"


def test_a_sum_of_a_named_term():
    i, m, f = sp.Symbol("i"), sp.Symbol("m"), sp.Function("f")
    term = Goal(Rel(2 * x, "<=", Square(x) + 1), {x: positive()}, squares=(x - 1,), name="term")
    total = SumOver(term, i, sp.Integer(1), m, {m: at_least(1, integer=True)}, family={x: f(i)})
    assert total.concludes.rel.stated[1].has(Square(f(i)))
    assert proof(total).check().verdict == "proved"


def test_what_the_value_no_longer_shows_must_be_defined():
    goal = Goal(Rel(Square(x), ">=", 0), {x: real()})
    assert undefined(goal) == ["x may vanish in a denominator"]
    assert objections(goal)


def test_nothing_can_be_put_in_the_place_of_what_is_no_variable():
    term = Square(sp.Add(random, x))
    assert term.free_symbols == {x}
    assert term.xreplace({random: sp.Integer(7)}) == term.subs(random, 7) == term
    with pytest.raises(ValueError, match="bound symbols"):
        _ = instance(Goal(Rel(term, ">", 0), {x: positive()}), {random: 7}, {x: positive()}).concludes


def test_a_value_in_symbols_that_are_no_arguments_is_refused():
    with pytest.raises(ValueError, match="symbols that it does not have"):
        valued(Beyond(x))


def test_coq_states_the_value():
    found = statements("named", Goal(Rel(Square(x + y), ">=", 0), POSITIVE))
    assert "sq" not in found[-1].text
    assert "x" in found[-1].text


def test_equations_that_continue_are_printed_as_one():
    first = Goal(Rel(Square(x), "=", x * x), {x: positive()})
    second = Goal(Rel(x**2, "<", x**2 + 1), {x: positive()})
    assert statement.latex(first, second).endswith(r"\operatorname{sq}\left(x\right) = x^{2} < x^{2} + 1")
