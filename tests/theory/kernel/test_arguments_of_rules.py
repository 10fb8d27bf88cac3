"""False statements that rules must refuse: arguments without a value, captured means, ranges that drop out, and others.

Each was once proved. What is refused is `open`, or is not made at all.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sympy as sp
from sympy.core.function import UndefinedFunction

from theory.kernel import sources
from theory.kernel.argument import proof, refuted, step
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.items import Item
from theory.kernel.region import TypedRegion
from theory.kernel.rules import (
    Blocks,
    Chord,
    Combined,
    Definition,
    Exchange,
    Expectation,
    Induction,
    IntegralOf,
    Jensen,
    NextInteger,
    Quotient,
    Rises,
    SplitSum,
    SumOver,
    Union,
    applied,
    equals,
    follows,
    instance,
    replaced,
    restated,
    specialised,
)
from theory.kernel.terms import Event, Mean

x, y, z, c, n, i, j, k, m, s, t, K, M, N, W, X, Y = sp.symbols("x y z c n i j k m s t K M N W X Y")
f, g, h = map(sp.Function, "fgh")
R, COUNT, WHOLE = real(), at_least(1, integer=True), at_least(0, integer=True)
ZERO, ONE, HALF = sp.Integer(0), sp.Integer(1), sp.Rational(1, 2)
SOUND = step(Goal(Rel(x, "<", x + 1), {x: R}, name="sound"))
SQUARE = Goal(Rel(x**2 + 1, ">=", 1), {x: R}, squares=(x,), name="square")
ABOVE = Goal(Rel(f(x) + 1, ">=", 2), {x: R, f(x): at_least(1)}, name="by its range")
IDENTITY = Definition("f is the identity", Goal(Rel(f(x), "=", x), {x: R}, name="identity"))
FACTOR = Goal(Rel(Mean(X * z, X), "=", z * Mean(X, X)), {X: R, z: R}, name="a constant factor")
PRODUCT = Rel(Mean(X * Y, X, Y), "=", Mean(X, X) * Mean(Y, Y))
F = UndefinedFunction("F", of="test_arguments_of_rules")
sources.fix(M, N, scope="test_arguments_of_rules")


def verdict(make: Callable[[], Item | tuple[Item, ...]]) -> str:
    try:
        items = make()
        return proof(*(items if isinstance(items, tuple) else (items,))).check().verdict
    except ValueError:
        return "not made"


def in_a_mean() -> Item:
    return restated(instance(FACTOR, {z: Mean(Y, Y)}, {X: R, Y: R}), PRODUCT)


def in_a_function() -> Item:
    lemma = Goal(Rel(Mean(X * g(z), X), "=", g(z) * Mean(X, X)), {X: R, z: R}, name="a constant factor")
    return restated(specialised(lemma, {g(z): Mean(Y, Y)}, {X: R, Y: R, z: R}), PRODUCT)


def random_range() -> Item:
    mean = Expectation(Goal(Rel(X, ">=", y), {X: at_least(1), y: Var(high=ONE)}, name="pointwise"), (X,))
    law = Definition("X has mean 0", Goal(Rel(Mean(X, X), "=", 0), {X: R}, name="law"))
    return follows(Rel(y, "<=", 0), mean, law, domain={y: Var(high=ONE)}, name="left out")


def parameter_range() -> Item:
    known = Definition("F is N", Goal(Rel(F(y), "=", N), {y: R, N: COUNT}, name="F"))
    few = Goal(Rel(N + 1, "<=", 6), {N: Var(ONE, integer=True, high=sp.Integer(5))}, name="few")
    return follows(Rel(F(y), "<=", 5), few, known, domain={y: R}, name="left out")


def parameter_of_a_quotient() -> Item:
    known = Definition("F is M", Goal(Rel(F(y), "=", M), {y: R, M: WHOLE}, name="F"))
    domain, given = {y: R, M: WHOLE, s: COUNT, m: WHOLE}, (Rel(s * M, "<=", m), Rel(m, "<=", s * (M + 1)))
    below = follows(Rel(F(y) * s, "<=", m), known, domain=domain, given=given, name="below")
    return Quotient(below, s, m, M, "quotient")


def named_by_its_index() -> Item:
    term = Goal(Rel(x, "<=", i), {x: R, i: COUNT}, (Rel(x, "<=", i),), name="term")
    given = (Rel(f(i), "<=", i).for_every(i, 1, N),)
    total = SumOver(term, i, ONE, N, {N: COUNT, f(i): R, W: R}, family={x: f(i)}, where={W: f(i)}, given=given)
    return follows(Rel(N * W, "<=", sp.Sum(i, (i, 1, N))), total)


def two_integrals() -> Item:
    first = IntegralOf(x, x**2 / 2, x, ZERO, ONE, {x: R}, name="one")
    inner = sp.Sum(x, (x, 1, 3))
    second = IntegralOf(sp.Sum(x * y, (x, 1, 3)), y**2 / 2 * inner, y, ZERO, ONE, {y: R}, name="two")
    return Combined((first, second), (ONE, ONE), {})


def another_case() -> Item:
    one, five = (sp.Integral(sp.Derivative(t**2, t), (t, 0, end)) for end in (1, 5))
    domain = {y: R, z: R, t: R}
    return Union(Goal(Rel(y + z, "<=", one + z + 1), domain, (Rel(y, "<=", one),), "below"), (Rel(y, "<=", five),))


def even_index() -> Item:
    even = sp.Symbol("i", even=True)
    return NextInteger(sp.Sum(even / 2, (even, 1, N)), ZERO, {N: COUNT})


def in_blocks(term: sp.Expr, index: sp.Symbol) -> Item:
    return Blocks(term, j, index, s, m, K, {s: COUNT, m: WHOLE, K: WHOLE})


def power() -> Item:
    return Rises(x ** (1 / sp.sqrt(1 + sp.log(x) ** 2)) - HALF, x, ZERO, {x: positive()}, "power", strict=True)


def from_a_half() -> Item:
    period = Definition("f has period 1", Goal(Rel(f(x + 1), "=", f(x)), {x: R}, name="period"))
    lemma = instance(period, {x: n}, {n: Var(HALF, integer=True)}, name="at n")
    return Induction(Rel(f(n), "=", f(HALF)), n, HALF, {}, lemmas=(lemma,))


SERIES = sp.Sum(f(i) + g(i), (i, 1, sp.oo)), sp.Sum(f(i), (i, 1, sp.oo)) + sp.Sum(g(i), (i, 1, sp.oo))
TWO_VALUES = Goal(Rel(g(x) + g(-x), ">", 0), {x: R, g(x): positive()}, name="two values")
VANISHING = Goal(Rel(z * x, "=", 0), {x: R, z: R}, (Rel(z, "=", 0),), "zero")
SCALED = Goal(Rel(x * Mean(X / x, X), "=", Mean(X, X)), {x: R, X: R}, name="scaled")
AREA = sp.Integral(g(x), (x, 0, 1))
NO_LESS = Goal(Rel(AREA, "<=", AREA + y**2 + 1), {y: R, z: R}, (Rel(AREA, "=", z),), "no less", squares=(y,))


def area_of(term: sp.Expr) -> Item:
    given = (Rel(sp.Integral(term, (x, 0, 1)), "=", z),)
    return specialised(NO_LESS, {g(x): term}, {y: R, z: R}, given)


FALSE: dict[str, Callable[[], Item | tuple[Item, ...]]] = {
    "a root of a negative number": lambda: instance(SQUARE, {x: sp.sqrt(y)}, {y: R}),
    "a root, applied": lambda: applied(SQUARE, {x: sp.sqrt(y)}, domain={y: R}),
    "a quotient by zero": lambda: instance(VANISHING, {x: 1 / z}, {z: R}, (Rel(z, "=", 0),)),
    "a number that is not real": lambda: instance(SQUARE, {x: sp.I}, {}),
    "an infinite number": lambda: instance(Goal(Rel(x, "<", x + 1), {x: R}), {x: sp.oo}, {}),
    "a function without values": lambda: specialised(
        Goal(Rel(sp.exp(g(x)) + 1, ">", 1), {x: R}, name="exp"), {g(x): sp.log(x)}, {x: R}
    ),
    "a function without values in an integral": lambda: area_of(1 / (2 * x - 1)),
    "an end without a value": lambda: IntegralOf(x, x**2 / 2, x, ZERO, sp.sqrt(y), {x: R, y: R}, name="end"),
    "a mean for a symbol in a mean": in_a_mean,
    "a mean for a function in a mean": in_a_function,
    "a mean in a convex function": lambda: Jensen(
        x**2 * Mean(Y, Y), x, X, {x: R, Y: R}, given=(Rel(Mean(Y, Y), ">=", 0),)
    ),
    "the range of a defined function": lambda: follows(Rel(x, ">=", 1), ABOVE, IDENTITY, domain={x: R}),
    "the range of a function, applied": lambda: applied(
        Goal(Rel(z + 1, ">=", 2), {z: R}, (Rel(z, ">=", 1),)), {z: x}, ABOVE, IDENTITY, domain={x: R}
    ),
    "the range of a random quantity": random_range,
    "the range of a parameter": parameter_range,
    "a quotient by zero in a mean": lambda: SCALED,
    "a quotient by zero in a sum": lambda: Goal(
        Rel(x * sp.Sum(f(i) / x, (i, 1, N)), "=", sp.Sum(f(i), (i, 1, N))), {x: R, N: COUNT}
    ),
    "another number for 1": lambda: instance(Goal(Rel(x, "<", x + 1), {x: R}), {ONE: -ONE}, {x: R}),
    "another value for a square": lambda: instance(SQUARE, {x**2: y}, {x: R, y: R}),
    "another value for a function": lambda: (SOUND, instance(IDENTITY, {f(x): ZERO}, {x: R})),
    "a range under a hypothesis": lambda: specialised(TWO_VALUES, {g(x): x}, {x: R}, (Rel(x, ">", 0),)),
    "infinite sums exchanged": lambda: (
        SOUND,
        specialised(
            Exchange(f(i, j), (i, 1, sp.oo), (j, 1, sp.oo), {}), {f(i, j): equals(i, j) - equals(i, j + 1)}, {}
        ),
    ),
    "an infinite sum in two": lambda: Goal(Rel(SERIES[0], "=", SERIES[1]), {}, name="linear"),
    "two integrals in one variable": two_integrals,
    "an end that is an index": lambda: IntegralOf(
        sp.Sum(k, (k, 1, 3)), sp.Sum(x * k, (k, 1, 3)), x, ZERO, k, {x: R, k: R}, name="captured"
    ),
    "an end that is random": lambda: IntegralOf(Mean(X, X), Mean(X * x, X), x, ZERO, X, {x: R, X: R}, name="captured"),
    "a size that is an index": lambda: in_blocks(f(j), s),
    "a size that is bound": lambda: in_blocks(sp.Sum(h(j, s), (s, 1, 3)), i),
    "integrals with other ends": another_case,
    "a value at an end": power,
    "an induction from a half": from_a_half,
    "a quotient that is a parameter": parameter_of_a_quotient,
    "a name for one term": named_by_its_index,
    "an even index": even_index,
    "a constant that is printed as pi": lambda: Goal(Rel(sp.Symbol("pi"), "<", sp.pi), {sp.Symbol("pi"): Var(high=3)}),
    "a mean over something else": lambda: Goal(Rel(Mean(Y, X) ** 2, "=", Mean(Y**2, X)), {X: R, Y: R}),
    "two means that are printed alike": lambda: Goal(Rel(Mean(Y, X) + Mean(Y, Y), "=", Y + Mean(Y, Y)), {X: R, Y: R}),
    "a chord of one point": lambda: (SOUND, Chord(x**2, x, {x: Var(ONE, high=ONE)}, "chord")),
    "an imaginary factor": lambda: Goal(Rel(sp.I * x + y, "<=", sp.I * x + y + 1), {x: R, y: R}),
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_statement_is_refused(name: str) -> None:
    assert verdict(FALSE[name]) in ("open", "not made")


TRUE: dict[str, Callable[[], Item | tuple[Item, ...]]] = {
    "a root of a number": lambda: instance(SQUARE, {x: sp.sqrt(y)}, {y: at_least(0)}),
    "a logarithm of counts": lambda: instance(SQUARE, {x: sp.sqrt(c * sp.log(n))}, {c: positive(), n: COUNT}),
    "an end with a value": lambda: IntegralOf(x, x**2 / 2, x, ZERO, sp.sqrt(y), {x: R, y: at_least(0)}, name="end"),
    "a range that is said": lambda: follows(
        Rel(f(x) + x, ">=", 1 + x), ABOVE, domain={x: R, f(x): at_least(1)}, name="said"
    ),
    "a quotient in a mean": lambda: Goal(
        Rel(x * Mean(X / x, X), "=", Mean(X, X)), {x: positive(), X: R}, name="scaled"
    ),
    "a function with values": lambda: specialised(
        Goal(Rel(sp.exp(g(x)) + 1, ">", 1), {x: positive()}, name="exp"), {g(x): sp.log(x)}, {x: positive()}
    ),
    "a function with values in an integral": lambda: area_of(1 / (2 * x + 1)),
    "a power from one on": lambda: Rises(sp.log(x), x, ONE, {x: at_least(1)}, "logarithm"),
}


@pytest.mark.parametrize("name", TRUE)
def test_a_true_statement_of_the_same_form_is_proved(name: str) -> None:
    assert verdict(TRUE[name]) == "proved"


def test_the_strictness_of_an_event_is_no_expression() -> None:
    with pytest.raises(ValueError, match="must be 0 or 1"):
        Event(x, x**2 - (x - 1) * (x + 1))
    one = Goal(Rel(1, "=", y), {y: R}, (Rel(y, "=", 1),), name="one")
    other = Goal(Rel(Event(x, 1), "<=", 1), {x: R}, name="event")
    assert verdict(lambda: replaced(other, one, Rel(Event(x, 0), "<=", y), {x: R, y: R}, (Rel(y, "=", 1),))) != "proved"


def test_letters_do_not_change_a_statement() -> None:
    """Half an integer is no integer, and a letter for one value of a function is not one for the others."""
    half = NextInteger(n, ZERO, {n: WHOLE})
    assert "K" not in proof(half, letters={n: Letter(K - HALF)}).check().statement
    split = SplitSum(f(i), i, ONE, ONE, N, {N: COUNT, f(i): R})
    assert "c" not in proof(SOUND, split, letters={f(i): Letter(c)}).check().statement.replace(r"\sum", "")


def test_one_letter_has_one_meaning() -> None:
    sigma = sp.Symbol("sigma")
    goals = [
        Goal(Rel(q, "<", q + 1), {q: R}, name=what, letters={q: Letter(sigma, what)})
        for q, what in ((x, "a"), (y, "b"))
    ]
    assert proof(*goals).check().verdict == "open"


def test_the_range_of_a_function_is_printed_as_that_of_all_values() -> None:
    goal = Goal(Rel(f(x + 5) + 1, ">", 1), {x: Var(ZERO, high=ONE), f(x): positive()}, name="beyond")
    assert "f_{any}" in proof(goal).check().statement


def test_refutations_need_real_points_and_decided_hypotheses() -> None:
    assert refuted(SQUARE, at=Point({x: sp.I})).check().verdict == "open"
    every = (Rel(x, "<=", i).for_every(i, 1, 3),)
    true = Goal(Rel(x + i, "<=", i + 1), {x: R, i: COUNT}, every, "true")
    assert refuted(true, at=Point({x: sp.Integer(2), i: sp.Integer(3)})).check().verdict == "open"
    below = Goal(Rel(x, "<=", 1), {x: positive()}, name="below")
    assert refuted(below, region=TypedRegion("x > 100", ("x",), ())).check().problem is not None


def test_what_holds_almost_surely_is_not_lost_through_a_source(monkeypatch: pytest.MonkeyPatch) -> None:
    sure = Rel(X, ">=", 1)
    known = {
        "sure": Expectation(Goal(Rel(X + y**2, ">=", 1), {X: R, y: R}, (sure,), "at least 1", squares=(y,)), (X,)),
        "law": Definition("X has mean 0", Goal(Rel(Mean(X, X), "=", 0), {X: R}, name="law")),
    }
    monkeypatch.setattr(sources, "conclusions", lambda claim: (known[claim].concludes,))
    given = sure, Rel(Mean(X, X) + y**2, ">=", 1).by("sure"), Rel(Mean(X, X), "=", 0).by("law")
    found = proof(Goal(Rel(y**2, ">=", 1), {X: R, y: R}, given, "by source")).check
    monkeypatch.setattr("theory.kernel.argument.inherited", lambda _: sources.NOTHING)
    assert any("was averaged" in e.check for e in found().evidence)
