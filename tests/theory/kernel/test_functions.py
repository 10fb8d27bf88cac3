"""Quotients in atoms, and theorems about any function at particular ones."""

from dataclasses import replace

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from theory.kernel.argument import proof
from theory.kernel.atoms import POOL, ROOT, Atoms, OutOfReach
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Definition,
    Expectation,
    Otherwise,
    Rescaled,
    SumOver,
    congruent,
    instance,
    specialised,
)
from theory.kernel.terms import Event, Mean

# Quotients in atoms: a field of fractions in which roots are reduced and signs are certified.

x, y = sp.symbols("x y")


def atoms(x_range: Var, y_range: Var, *given: Rel) -> Atoms:
    return Atoms(Goal(Rel(x, "=", y), {x: x_range, y: y_range}, given))


def test_arithmetic_is_that_of_fractions():
    field = atoms(real(), real())
    a, b = (field.quotient(field.symbols[s]) for s in (x, y))
    assert ((a + b) ** 2 - (a * a + a * b * 2 + b * b)).is_zero
    assert (a * a**-1).constant == 1
    assert (a - a).constant == 0
    assert (a + b).constant is None
    with pytest.raises(OutOfReach, match="division by 0"):
        (a - a) ** -1


@given(st.integers(-3 * ROOT, 3 * ROOT), st.integers(-3 * ROOT, 3 * ROOT))
def test_powers_of_a_root(i, j):
    """r^i r^j = r^(i+j), also where r^ROOT = f is used, for a root of a root as well."""
    field = atoms(positive(), positive())
    f = field.symbols[x] + field.symbols[y]
    r = field.root(f)
    for q in (field.quotient(r), field.quotient(field.root(r + 1))):
        assert (q**i * q**j - q ** (i + j)).is_zero
        assert not (q**i * q**j - q ** (i + j + 1)).is_zero
    assert (field.quotient(r) ** (ROOT * 2) - field.quotient(f) ** 2).is_zero


def test_a_sum_falls_into_terms_that_add_up_to_it():
    field = atoms(real(), real())
    a, b = (field.quotient(field.symbols[s]) for s in (x, y))
    whole = a * 3 + (a + b * b) * (b + b * b + field.quotient(field.ctx.constant(1))) ** -1
    parts = whole.terms()
    assert len(parts) > 1
    total = a - a
    for part in parts:
        total = total + part
    assert (total - whole).is_zero


def test_signs():
    def sure(x_range, y_range, *given):
        field = atoms(x_range, y_range, *given)
        a, b = field.symbols[x], field.symbols[y]
        return {
            name
            for name, p in {"x": a, "x+y": a + b, "x-1": a - 1, "x^2": a**2, "1-x": 1 - a}.items()
            if field.positive(p)
        }

    assert sure(positive(), positive()) == {"x", "x+y", "x^2"}
    assert sure(at_least(0), positive()) == {"x+y"}
    assert sure(Var(sp.Integer(1), strict=True), at_least(0)) == {"x", "x+y", "x-1", "x^2"}
    assert sure(real(), real()) == set()
    assert sure(positive(), real(), Rel(x, "<", 1)) == {"x", "x^2", "1-x"}
    assert sure(positive(), positive(), Rel(x, ">", y + 1)) == {"x", "x+y", "x-1", "x^2"}
    assert not atoms(positive(), positive()).positive(atoms(positive(), positive()).ctx.constant(0))


def test_the_pool_of_atoms_is_finite():
    field = atoms(real(), real())
    for _ in range(POOL - 2):
        field.new(real())
    with pytest.raises(OutOfReach, match=f"more than {POOL} atoms"):
        field.new(real())


# Theorems about any function at particular ones, and functions of equals: false or captured instances are refused.

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


def hypotheses(value):
    return (Rel(Event(value - c, 0) * (value - c), ">=", 0),)


def test_a_theorem_at_a_particular_function():
    square = S(o) ** 2
    free = {o: real(), c: positive()}
    found = specialised(markov(), {M(u): square.xreplace({o: u})}, free, hypotheses(square), "of a square")
    assert verdict(found) == "proved"
    assert found.concludes.rel == Rel(c * Mean(Event(square - c, 0), o), "<=", Mean(square, o))


def test_a_function_outside_the_range_is_refused():
    free = {o: real(), c: positive()}
    assert verdict(specialised(markov(), {M(o): S(o)}, free, hypotheses(S(o)))) == "open"
    assert verdict(specialised(markov(), {M(o): S(o) ** 2 - 1}, free, hypotheses(S(o) ** 2 - 1))) == "open"


def test_hypotheses_about_the_function_must_be_known():
    assert verdict(specialised(markov(), {M(o): S(o) ** 2}, {o: real(), c: positive()})) == "open"


def test_the_other_symbols_keep_their_ranges():
    assert verdict(specialised(markov(), {M(o): S(o) ** 2}, {o: real(), c: real()}, hypotheses(S(o) ** 2))) == "open"


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


def test_a_positive_factor_leaves_an_event():
    positive_c = {o: real(), c: positive()}
    says = Rescaled(o - 1, c, positive_c, strict=True)
    assert proof(says).check().verdict == "proved"
    assert says.concludes.rel.stated == (Event(c * o - c, 1), Event(o - 1, 1))
    assert proof(Rescaled(o - 1, c, {o: real(), c: real()})).check().verdict == "open"
    assert proof(Rescaled(o - 1, c, {o: real(), c: at_least(0)})).check().verdict == "open"
    assert proof(Rescaled(o - 1, -c, positive_c)).check().verdict == "open"
    assert proof(Rescaled(o - 1, o**2, positive_c)).check().verdict == "open"


def test_the_range_of_a_function_is_needed_at_all_of_its_values():
    """A relation about f(k) > 0 that supposes f(i) > 0 holds for no other functions: at k = 1 as little as at k."""
    f, number = sp.Function("f"), {x: real()}
    i, k = sp.symbols("i k")
    positive_values = Goal(Rel(f(k), ">", 0), {f(i): positive(), k: at_least(1, integer=True)}, name="positive")
    loose = instance(positive_values, {k: 1}, number, name="at 1")
    assert proof(loose).check().verdict == "open"
    assert proof(specialised(loose, {f(i): -1 - x**2}, number, name="absurd")).check().verdict == "open"
    known = instance(positive_values, {k: 1}, {**number, f(x): positive()}, name="at 1")
    assert proof(known).check().verdict == "proved"
    summed = SumOver(positive_values, k, 1, 3, number, name="three values")
    assert proof(summed).check().verdict == "open"
    assert proof(replace(summed, domain={**number, f(x): positive()})).check().verdict == "proved"
