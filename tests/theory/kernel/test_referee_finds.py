"""False statements that referees derived from rules: each was once proved, and is refused for the reason named here."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources
from theory.kernel.argument import Item, proof
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import (
    Definition,
    Dominated,
    Induction,
    IntegralOf,
    Restricted,
    SumOver,
    applied,
    follows,
    instance,
    replaced,
    specialised,
)
from theory.kernel.terms import Event

x, y, z, c, n, i, u, K, N, W = sp.symbols("x y z c n i u K N W")
f, g, h = map(sp.Function, "fgh")
R, COUNT, ZERO, ONE = real(), at_least(1, integer=True), sp.Integer(0), sp.Integer(1)
F = UndefinedFunction("F", of="test_referee_finds")
sources.fix(N, scope="test_referee_finds")


def problem(item: Item) -> str:
    """Why an item is not proved."""
    found = proof(item).check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(item: Item) -> bool:
    return proof(item).check().verdict == "proved"


# Induction.


def test_induction_takes_no_term_off_a_sum_whose_end_is_bound() -> None:
    """Inside a sum over n from -5 on, the sum up to n + 1 may be empty: it is not the sum up to n and f(n + 1)."""
    whole = sp.Sum(g(n) * sp.Sum(f(i), (i, 1, n + 1)), (n, -5, 3))
    apart = sp.Sum(g(n) * (sp.Sum(f(i), (i, 1, n)) + f(n + 1)), (n, -5, 3))
    assert "base" in problem(Induction(Rel(whole, "=", apart), n, ONE, {}))
    inside = sp.Integral(sp.Sum(f(i), (i, 1, n + 1)), (n, 0, 1))
    assert "base" in problem(
        Induction(Rel(inside, "=", sp.Integral(sp.Sum(f(i), (i, 1, n)) + f(n + 1), (n, 0, 1))), n, ONE, {})
    )
    assert proved(Induction(Rel(sp.Sum(f(i), (i, 1, n)) + whole, "=", whole + sp.Sum(f(z), (z, 1, n))), n, ONE, {}))


# Ranges that a rule assumes and its conclusion does not state.

FEW = {y: R, N: at_least(5, integer=True)}
IS_N = Definition("F is N", Goal(Rel(F(y), "=", N), {y: R, N: COUNT}, name="F"))
LARGE = follows(Rel(F(y), ">=", 5), IS_N, domain={y: R, N: COUNT}, given=(Rel(N, ">=", 5),), name="large")
ANY_H = follows(Rel(F(y) + h(y), ">=", 5 + h(y)), IS_N, domain={y: R, N: COUNT}, given=(Rel(N, ">=", 5),), name="large")


@pytest.mark.parametrize(
    "item",
    [
        follows(Rel(F(y), ">=", 5), IS_N, domain=FEW),
        instance(LARGE, {}, FEW),
        applied(LARGE, {}, domain=FEW),
        specialised(ANY_H, {h(y): y}, FEW),
        SumOver(LARGE, y, ONE, K, {K: COUNT, N: at_least(5, integer=True)}),
    ],
    ids=["follows", "instance", "applied", "specialised", "SumOver"],
)
def test_the_range_of_a_parameter_is_stated(item: Item) -> None:
    """F = N for every N >= 1 does not give F >= 5, whatever range of N a rule is told."""
    assert proved(LARGE)
    assert "a premise assumes that N is" in problem(item)


ABOVE_ONE = {x: R, f(x): at_least(1)}
IDENTITY = Definition("f is the identity", Goal(Rel(f(x), "=", x), {x: R}, name="identity"))
BY_RANGE = Goal(Rel(f(x) + g(x), ">=", 1 + g(x)), ABOVE_ONE, name="by its range")
LEMMA = Goal(Rel(z + u, ">=", 1 + u), {z: R, u: R}, (Rel(z, ">=", 1),), name="a lemma")


@pytest.mark.parametrize(
    "item",
    [
        follows(Rel(x + g(x), ">=", 1 + g(x)), IDENTITY, domain=ABOVE_ONE),
        applied(LEMMA, {z: x, u: g(x)}, IDENTITY, domain=ABOVE_ONE),
        replaced(BY_RANGE, IDENTITY, Rel(x + g(x), ">=", 1 + g(x)), ABOVE_ONE),
    ],
    ids=["follows", "applied", "replaced"],
)
def test_the_range_of_a_function_that_drops_out_is_stated(item: Item) -> None:
    """x >= 1 for every x, if f(x) = x is in a range that is in the domain of the rule, and not printed."""
    assert "a premise assumes that f(x) is real >= 1" in problem(item)


def test_the_range_of_a_symbol_that_stands_for_a_sum_is_stated() -> None:
    """W = f(1) + ... + f(K) <= K, with W >= 100, does not give K >= 100 for every K."""

    def total(range_: Var) -> Item:
        one = Goal(Rel(x, "<=", 1), {x: Var(ZERO, high=ONE)}, name="a weight")
        where = {W: sp.Sum(f(i), (i, 1, K))}
        return SumOver(one, i, ONE, K, {K: COUNT, W: range_}, family={x: f(i)}, where=where, name="all weights")

    many = Rel(K + g(K), ">=", 100 + g(K))
    assert "a premise assumes that W is" in problem(follows(many, total(at_least(100)), domain={K: COUNT}))
    assert "a premise assumes that W is" in problem(
        follows(many, total(R), domain={K: COUNT, W: at_least(100)}, name="many")
    )
    assert proved(follows(Rel(K + g(K), ">=", g(K)), total(at_least(0)), domain={K: COUNT}, name="a sum of weights"))


# Integrals that are no numbers.


def test_an_integral_is_a_number_only_if_it_is_known_to_be_one() -> None:
    """The integral of 1 over x > 0, if it is y, is at least every c, so that y^2 + 1 <= y: there is no such y."""
    whole = sp.Integral(ONE, (x, 0, sp.oo))
    given, domain = (Rel(whole, "=", y),), {c: at_least(0), y: R}
    below, plane = Event(c - x, 0), {c: at_least(0), x: R}
    signs = Goal(Rel(below, ">=", 0), plane, name="an event"), Goal(Rel(below, "<=", 1), plane, name="an event")
    part = Dominated(below, x, *signs, Goal(given[0], {y: R}, given, "its value"), domain, given)
    cut = Restricted(ONE, x, c, ZERO, sp.oo, {c: at_least(0)}, above=False, strict=False)
    area = IntegralOf(ONE, x, x, ZERO, c, {x: R, c: at_least(0)}, name="area")
    least = follows(Rel(c, "<=", y), part, cut, area, domain=domain, given=given, name="at least c")
    never = instance(least, {c: y**2 + 1}, {y: R}, given, name="above itself")
    assert proved(never)
    assert "is not known to be a number" in problem(instance(never, {y: whole}, {}))
    any_ = follows(Rel(c + h(z), "<=", y + h(z)), least, domain={**domain, z: R}, given=given, name="any h")
    same = sp.Integral(ONE, (u, 0, sp.oo))
    assert "is not known to be a number" in problem(specialised(any_, {h(z): same}, {**domain, z: R}, given))
