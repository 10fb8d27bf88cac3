"""Uses of classical theorems are compared with their forms: what a theorem does not say is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.classical import NORMAL_SUM, REFLECTION, SUPREMUM
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, cited
from theory.kernel.terms import Event, Mean
from theory.model.play import count

a, b, c, u, v, x, y, z = sp.symbols("alpha beta c u v x Y Z")
FREE = {**dict.fromkeys((a, b, c, y, z), real()), u: real(), v: real()}
F = Event(x - c, 0) * (1 + sp.exp(x))


def moments(exponent: sp.Expr = (u**2 + v**2) / 2, of_u: Var | None = None) -> Definition:
    rel = Rel(Mean(sp.exp(u * y + v * z), y, z), "=", sp.exp(exponent))
    return Definition("two normals", Goal(rel, {**FREE, u: of_u or real()}, name="two normals"))


def summed(
    factors: tuple[sp.Expr, sp.Expr],
    factor: sp.Expr,
    law: Definition,
    f: sp.Expr = F,
    one: sp.Symbol = y,
    domain: dict | None = None,
) -> str:
    """The verdict on E f(a Y + b Z) = E f(factor Y)."""
    both = f.xreplace({x: factors[0] * y + factors[1] * z})
    free = domain or FREE
    gives = Goal(Rel(Mean(both, y, z), "=", Mean(f.xreplace({x: factor * one}), one)), free, name="one normal")
    square = Goal(Rel(factors[0] ** 2 + factors[1] ** 2, "=", factor**2), free, name="variances")
    at = {"f": f, "x": x, "factors": factors, "factor": factor, "normals": (y, z), "numbers": (u, v)}
    return proof(cited(NORMAL_SUM, hypotheses=(square, law), gives=gives, name="one normal", at=at)).check().verdict


def test_a_sum_of_independent_normals_is_one_normal():
    assert summed((a, b), sp.sqrt(a**2 + b**2), moments()) == "proved"
    assert summed((sp.Integer(3), sp.Integer(4)), sp.Integer(5), moments()) == "proved"


@pytest.mark.parametrize(
    ("factors", "factor", "law", "f"),
    [
        ((a, b), a + b, moments(), F),
        ((sp.Integer(3), sp.Integer(4)), sp.Integer(7), moments(), F),
        ((a, b), sp.sqrt(a**2 + b**2), moments((u**2 + v**2 + u * v) / 2), F),  # they are not independent
        ((a, b), sp.sqrt(a**2 + b**2), moments(u**2 + v**2), F),  # their variance is 2
        ((a, b), sp.sqrt(a**2 + b**2), moments(), F * y),
        ((y, sp.Integer(1)), sp.sqrt(y**2 + 1), moments(), F),  # a random factor
    ],
    ids=["sum-of-deviations", "numbers", "dependent", "variance", "function-of-one", "random-factor"],
)
def test_nothing_else_is_concluded_of_a_sum(factors, factor, law, f):
    assert summed(factors, factor, law, f) == "open"


def test_one_moment_is_no_law():
    """E exp(u Y + v Z) has to be known for all u: at u = v = 0 it is 1 for every law."""
    zero = Var(sp.Integer(0), high=sp.Integer(0))
    domain = {**FREE, u: zero}
    assert summed((a, b), sp.sqrt(a**2 + b**2), moments(of_u=zero), domain=domain) == "open"
    assert summed((a, b), sp.sqrt(a**2 + b**2), moments(of_u=at_least(0)), domain={**FREE, u: at_least(0)}) == "open"


m, t, o = sp.symbols("m T o")
HIGHEST = sp.Function("highest")
SUPREMUM.declare(HIGHEST(m, t, o), slope=m, time=t, outcome=o)


def reflected(level: Var, time: Var, change: sp.Expr = sp.S.Zero, highest: Callable[..., sp.Expr] = HIGHEST) -> str:
    """The verdict on the chance to reach a line in time."""
    free = {c: level, m: real(), t: time, o: real()}
    root = sp.sqrt(2 * t)
    value = sp.erfc((c + m * t) / root) / 2 + sp.exp(-2 * m * c) * sp.erfc((c - m * t) / root) / 2
    gives = Goal(Rel(Mean(Event(highest(m, t, o) - c, 0), o), "=", value + change), free, name="in time")
    known = tuple(Goal(Rel(x, ">", 0), free, name=str(x)) for x in (c, t))
    at = {"highest": highest, "level": c, "slope": m, "outcome": o, "time": t}
    return proof(cited(REFLECTION, hypotheses=known, gives=gives, name="in time", at=at)).check().verdict


def test_a_line_is_reached_from_below():
    assert reflected(positive(), positive()) == "proved"
    assert reflected(real(), positive()) == "open"
    assert reflected(positive(), positive(), sp.exp(-c)) == "open"


def test_only_a_declared_function_is_the_supremum_of_a_brownian_motion():
    """The chance that a count is at least c is not that of a path."""
    assert reflected(positive(), positive(), highest=count) == "open"
    assert reflected(positive(), positive(), highest=sp.Function("another")) == "open"
    with pytest.raises(ValueError, match="is declared as"):
        SUPREMUM.declare(HIGHEST(t, m, o), slope=m, time=t, outcome=o)
    for value in (HIGHEST(m, m, o), HIGHEST(2 * m, t, o), m):
        with pytest.raises(ValueError, match="function of different symbols"):
            SUPREMUM.declare(value, slope=m, time=t, outcome=o)


Q = sp.Function("q")


@pytest.mark.parametrize("f", [sp.exp(x**2), Q(x), x**2 * Q(x)])
def test_functions_of_a_sum_that_may_have_no_mean_are_refused(f):
    assert summed((a, b), sp.sqrt(a**2 + b**2), moments(), f) == "open"
    assert summed((a, b), sp.sqrt(a**2 + b**2), moments(), Event(f - c, 0)) == "proved"
