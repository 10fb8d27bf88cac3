"""False statements that followed from rules: each was once proved, and is refused for the reason named here."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources
from theory.kernel.argument import Item, proof
from theory.kernel.classical import COEFFICIENT, HOEFFDING, LAI, RATE, REFLECTION, SUPREMUM, VALUE
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Definition,
    Dominated,
    Induction,
    IntegralOf,
    Limit,
    Restricted,
    SumOver,
    applied,
    cited,
    follows,
    instance,
    replaced,
    specialised,
)
from theory.kernel.terms import Event, Mean
from theory.model.normal import phi, upper

x, y, z, c, n, i, u, K, N, W = sp.symbols("x y z c n i u K N W")
f, g, h = map(sp.Function, "fgh")
R, COUNT, ZERO, ONE = real(), at_least(1, integer=True), sp.Integer(0), sp.Integer(1)
F = UndefinedFunction("F", of="test_false_derivations")
sources.fix(N, scope="test_false_derivations")


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


def test_induction_supposes_nothing_at_another_value_of_a_parameter() -> None:
    """F = N, so F >= N; of F >= N + 1 + n, the same at N + 1, nothing is known: that is another F."""
    known = Definition("F is N", Goal(Rel(F(ZERO), "=", N), {N: COUNT}, name="F"))
    first = follows(Rel(F(ZERO), ">=", N), known, domain={N: COUNT}, name="F is N")
    item = Induction(Rel(F(ZERO), ">=", N + n), n, ZERO, {N: COUNT}, first=(first,), also=({N: N + 1},))
    assert "N is a parameter of the model" in problem(item)


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


def test_no_symbol_stands_for_an_integral() -> None:
    """c <= W for every c >= 0, where W is the integral of 1 over x > 0, would give W + 1 <= W."""
    line, plane = {c: at_least(0)}, {c: at_least(0), x: R}
    above, below = Event(x, 1), Event(c - x, 0)
    part = Dominated(
        *(above * below, x),
        Goal(Rel(above * below, ">=", 0), plane, name="both"),
        Goal(Rel(above * below, "<=", above), plane, name="one of them"),
        *(Restricted(ONE, x, ZERO, -ONE, sp.oo, {}), line),
    )
    first = Restricted(below, x, ZERO, -ONE, sp.oo, line)
    second = Restricted(ONE, x, c, ZERO, sp.oo, line, above=False, strict=False)
    area = IntegralOf(ONE, x, x, ZERO, c, plane, name="area")
    whole = sp.Integral(ONE, (x, 0, sp.oo))
    least = follows(Rel(c, "<=", whole), part, first, second, area, domain=line, name="at least c")
    assert proved(least)
    total = SumOver(least, i, ONE, ONE, {**line, W: at_least(0)}, where={W: whole}, name="W")
    assert "may be no number" in problem(instance(total, {c: W + 1}, {W: at_least(0)}))


# Cited theorems.

w, s, o = sp.symbols("w s o")
A, V, cross, rate, steep = map(sp.Function, ("A", "V", "cross", "rate of a play", "rate of a steep one"))


def hoeffding(average: sp.Expr, count: sp.Expr, deviation: sp.Expr, domain: dict[sp.Expr, Var]) -> Item:
    tail = Rel(Mean(Event(average - deviation, 0), w), "<=", sp.exp(-2 * count * deviation**2))
    all_, one = (i, 1, count), COEFFICIENT(i) * V(i, w)
    product = sp.Product(Mean(sp.exp(one), w), all_)
    laws = (
        Rel(Mean(average, w), "=", 0),
        Rel(count * average, "=", sp.Sum(V(i, w), all_)),
        Rel(V(i, w), ">=", 0),
        Rel(V(i, w), "<=", 1),
        Rel(Mean(sp.exp(sp.Sum(one, all_)), w), "=", product),
    )
    free = {s: COUNT, w: R, i: COUNT, **domain}
    known = tuple(Definition(str(rel), Goal(rel, free, name="of values")).for_every(s) for rel in laws)
    at = {"average": average, "mean": ZERO, "count": count, "deviation": deviation, "outcome": w, "above": True}
    at |= {"value": V(i, w), "index": i}
    return cited(HOEFFDING, hypotheses=known, gives=Goal(tail, {s: COUNT, w: R, **domain}), at=at, every=(w,))


@pytest.mark.parametrize(
    ("average", "count", "deviation", "domain", "why"),
    [
        (A(s, w), s, c, {c: R}, "c is not known to be real >= 0"),
        (A(s, w), s, -c, {c: at_least(0)}, "-c is not known to be real >= 0"),
        (A(s, w), 2 * s, c, {c: at_least(0)}, "must be a value of a function"),
        (A(s, w) * 2, s, c, {c: at_least(0)}, "must be a value of a function"),
        (A(w), sp.Integer(100), c, {c: at_least(0)}, "must be a value of a function"),
        (A(x, w), x, c, {c: at_least(0), x: at_least(1)}, "x is not known to be an integer >= 1"),
        (A(s, w), s, h(w), {h(w): at_least(0)}, "must not depend on w"),
        (A(s, w), s, c, {c: at_least(0), A(s, w): at_least(0)}, "its range is restricted"),
    ],
    ids=["any sign", "negative", "more values", "doubled", "no count", "no integer", "random", "cut off"],
)
def test_hoeffding_is_about_averages_and_deviations_of_one_sign(
    average: sp.Expr, count: sp.Expr, deviation: sp.Expr, domain: dict[sp.Expr, Var], why: str
) -> None:
    """P(average >= -1) is 1 if the values are >= -1, and not at most exp(-2 n)."""
    assert why in problem(hoeffding(average, count, deviation, domain))
    assert proved(hoeffding(A(s, w), s, c, {c: at_least(0)}))


def reflection(highest: Callable[..., sp.Expr], level: Var, time: Var) -> Item:
    """The chance that the supremum of a Brownian motion with a drift is x or more at time z; its slope is any y."""
    domain = {x: level, y: R, z: time, o: R}
    at = {"highest": highest, "level": x, "slope": y, "time": z, "outcome": o}
    chance = REFLECTION.form(**{**at, "highest": cross}).gives.stated[1]
    gives = Goal(Rel(Mean(Event(highest(y, z, o) - x, 0), o), "=", chance), domain, name="a line")
    above = tuple(Goal(Rel(q, ">", 0), domain, name=f"{q} > 0") for q in (x, z))
    return cited(REFLECTION, hypotheses=above, gives=gives, at=at, every=(o,))


def test_the_reflection_principle_is_about_lines_above_the_start() -> None:
    """The chance Q(0) + exp(2) Q(-2) to reach, in time 1, a line of level -1 and slope 1 would be above 1."""
    up = positive()
    SUPREMUM.declare(cross(y, z, o), slope=y, time=z, outcome=o)
    assert proved(reflection(cross, up, up))
    assert "x > 0" in problem(reflection(cross, R, up))
    assert "z > 0" in problem(reflection(cross, up, at_least(0)))
    for other in (lambda *of: 2 * cross(*of), lambda *_: sp.S.One, V):
        assert "no module of a model declares" in problem(reflection(other, up, up))
    assert "must be a function of" in problem(reflection(lambda m, t, w_: cross(t, m, w_), up, up))
    assert "must be a function of" in problem(reflection(lambda m, t, w_: cross(2 * m, t, w_), up, up))


def test_the_bound_of_lai_is_about_densities() -> None:
    """F = 1/(1 + e^(-x)) - x e^(-x^2) has the limits 0 and 1, and its slope is negative at 0 if it is steep enough."""
    wave = upper(-x) - 5 * x * sp.exp(-(x**2))
    slope = phi(x) - 5 * sp.exp(-(x**2)) + 10 * x**2 * sp.exp(-(x**2))
    checked = (
        Goal(Rel(sp.Derivative(wave, x), "=", slope), {x: R}, name="slope"),
        Goal(Rel(slope, ">=", 0), {x: R}, name="a density"),
        Limit(wave, x, ONE, {x: R}, "at infinity"),
        Limit(wave.xreplace({x: -x}), x, ZERO, {x: R}, "at minus infinity"),
    )
    assert all(proved(item) for i_, item in enumerate(checked) if i_ != 1)
    RATE.declare(steep(K, c), noise=c, arms=K, density=slope.xreplace({x: VALUE}))
    RATE.declare(rate(K, c), noise=c, arms=K, density=phi(VALUE))
    at = {"rate": steep(K, c), "noise": c, "density": slope, "distribution": wave, "arms": K, "x": x}
    gives = Goal(LAI.form(**at).gives, {K: at_least(2, integer=True), c: at_least(0)}, name="a bound")
    assert "a density" in problem(cited(LAI, hypotheses=checked, gives=gives, at=at))
    normal = {**at, "rate": rate(K, c), "density": phi(x), "distribution": upper(-x)}
    known = (
        Goal(Rel(sp.Derivative(upper(-x), x), "=", phi(x)), {x: R}, name="slope"),
        Goal(Rel(phi(x), ">=", 0), {x: R}, name="a density"),
        Limit(upper(-x), x, ONE, {x: R}, "at infinity"),
        Limit(upper(x), x, ZERO, {x: R}, "at minus infinity"),
    )

    def bound(domain: dict[sp.Expr, Var], **other: sp.Expr) -> Item:
        at_ = {**normal, **other}
        rel = LAI.form(**{**at_, "rate": rate(at_["arms"], c)}).gives
        goal = Goal(Rel(at_["rate"], ">=", rel.stated[1]), domain, name="a bound")
        return cited(LAI, hypotheses=known, gives=goal, at=at_, every=(c,))

    two = at_least(2, integer=True)
    assert proved(bound({K: two, c: at_least(0)}))
    assert "c is not known to be real >= 0" in problem(bound({K: two, c: R}))
    assert "K is not known to be an integer >= 2" in problem(bound({K: at_least(2), c: at_least(0)}))
    free = {K: two, c: at_least(0)}
    for other in (rate(K), V(K, c), c):
        assert "no module of a model declares" in problem(bound(free, rate=other))
    assert "is declared for" in problem(bound(free, rate=steep(K, c)))  # whose means have another density
    assert "is declared for" in problem(bound(free, rate=rate(K + 1, c)))
    assert "is declared for" in problem(bound(free, rate=rate(K, 2 * c)))


# What is printed.


def test_a_mean_inside_another_one_is_not_printed_as_a_number() -> None:
    """E[Y E[X | Y]] = E[X Y] was printed as E[Y E[X]] = E[X Y], which is false."""
    X, Y = sp.symbols("X Y")
    tower = Goal(Rel(Mean(Y * Mean(X, X), Y), "=", Mean(X * Y, X, Y)), {X: R, Y: R}, name="tower rule")
    assert "does not show that it is a mean given" in problem(tower)
    law = Goal(Rel(Mean(Y * Mean(A(X, Y), X), Y), "=", Mean(A(X, Y) * Y, X, Y)), {X: R, Y: R}, name="tower rule")
    assert proved(law)
