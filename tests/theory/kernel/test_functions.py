"""Theorems about any function at particular ones, and functions of equals: false or captured instances are refused."""

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Definition, Expectation, Otherwise, SumOver, congruent, specialised
from theory.kernel.terms import Event, Mean

o, i, n, c, u = sp.symbols("o i n c u")
M, S, a = sp.Function("M"), sp.Function("S"), sp.Function("a")
COUNT = at_least(1, integer=True)


def verdict(*items):
    return proof(*items).check().verdict


def markov():
    """E M >= c E 1{M - c >= 0}, of a function M of the outcome that is not negative."""
    e = Event(M(o) - c, 0)
    facts = Rel(e * (M(o) - c), ">=", 0)
    free = {o: real(), c: positive(), M(o): at_least(0)}
    pointwise = Goal(Rel(c * e, "<=", M(o)), free, (facts,), "every outcome")
    return Expectation(pointwise, (o,), name="Markov")


def given(value):
    return (Rel(Event(value - c, 0) * (value - c), ">=", 0),)


def test_a_theorem_at_a_particular_function():
    square = S(o) ** 2
    free = {o: real(), c: positive()}
    found = specialised(markov(), {M(u): square.xreplace({o: u})}, free, given(square), "of a square")
    assert verdict(found) == "proved"
    assert found.concludes.rel == Rel(c * Mean(Event(square - c, 0), o), "<=", Mean(square, o))


def test_a_function_outside_the_range_is_refused():
    free = {o: real(), c: positive()}
    assert verdict(specialised(markov(), {M(o): S(o)}, free, given(S(o)))) == "open"
    assert verdict(specialised(markov(), {M(o): S(o) ** 2 - 1}, free, given(S(o) ** 2 - 1))) == "open"


def test_hypotheses_about_the_function_must_be_known():
    assert verdict(specialised(markov(), {M(o): S(o) ** 2}, {o: real(), c: positive()})) == "open"


def test_the_other_symbols_keep_their_ranges():
    assert verdict(specialised(markov(), {M(o): S(o) ** 2}, {o: real(), c: real()}, given(S(o) ** 2))) == "open"


def total():
    """The sum of M(i) is at most that of M(i) + 1: true of every function."""
    term = Goal(Rel(M(i), "<=", M(i) + 1), {i: COUNT}, name="term")
    return SumOver(term, i, sp.Integer(1), n, {n: COUNT}, name="sum")


def test_bound_symbols_are_not_captured():
    assert verdict(specialised(total(), {M(u): u**2}, {n: COUNT})) == "proved"
    for body in (u + i, sp.Sum(S(i), (i, 1, u))):
        with pytest.raises(ValueError, match="would change its meaning"):
            verdict(specialised(total(), {M(u): body}, {n: COUNT, i: COUNT}))


def test_a_function_that_a_model_defines_is_not_any_function():
    fact = Definition("a", Goal(Rel(a(i), "<=", M(i)), {i: COUNT}, name="a below M"))
    found = SumOver(fact, i, sp.Integer(1), n, {n: COUNT}, name="sum")
    assert verdict(found, total()) == "proved"
    assert verdict(specialised(found, {M(u): u**2}, {n: COUNT}), total()) == "open"
    assert verdict(specialised(found, {S(u): u**2}, {n: COUNT}), total()) == "proved"


def test_functions_of_the_outcome_are_no_numbers():
    """A mean inside a mean is conditional, so that an expression may not average over the outcome itself."""
    with pytest.raises(ValueError, match="would change its meaning"):
        verdict(specialised(markov(), {M(u): Mean(S(o) ** 2, o)}, {o: real(), c: positive()}))


def test_keys_are_functions_of_distinct_symbols():
    for key in (M(o, o), M(o + 1), o):
        with pytest.raises(ValueError, match="distinct symbols"):
            specialised(markov(), {key: S(o)}, {o: real(), c: positive()})


def test_an_event_or_its_opposite():
    says = Otherwise(o - c, {o: real(), c: real()})
    assert says.concludes.rel == Rel(Event(c - o, 1), "=", 1 - Event(o - c, 0))
    assert verdict(says, Goal(Rel(o, "<", o + 1), {o: real()})) == "proved"


def test_a_function_of_equals():
    same = Rel(n, "=", c)
    free = {n: COUNT, c: real()}
    known = Goal(same, free, (same,), "equal")
    found = congruent(M(u) + u, u, known, free, (same,))
    assert verdict(found) == "proved"
    assert found.concludes.rel == Rel(M(n) + n, "=", M(c) + c)
    assert verdict(congruent(sp.Sum(M(i), (i, 1, u)), u, known, free, (same,))) == "proved"
    assert verdict(congruent(M(u), u, known, free)) == "open"  # the hypothesis is not known
    assert verdict(congruent(M(u), u, known, {**free, n: real()}, (same,))) == "open"
    assert verdict(congruent(1 / (1 - u), u, known, free, (same,))) == "open"  # undefined at u = 1
    order = Rel(n, "<=", c)
    assert verdict(congruent(M(u), u, Goal(order, free, (order,), "ordered"), free, (order,))) == "open"


def test_equals_are_not_captured():
    same = Rel(o, "=", i)
    free = {o: real(), i: COUNT}
    known = Goal(same, free, (same,), "equal")
    for f in (Mean(u * o, o), sp.Sum(M(i) * u, (i, 1, n))):
        with pytest.raises(ValueError, match="bound symbols"):
            verdict(congruent(f, u, known, {**free, n: COUNT}, (same,)))
