"""Rules about sums, means, events, limits and integrals: each proves a true statement and rejects a mutant of it."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.growth import vanishes
from theory.kernel.rules import (
    Among,
    Definition,
    Expectation,
    FallsTo,
    Indicates,
    Induction,
    InLimit,
    IntegralOf,
    Jensen,
    Limit,
    Monotone,
    Picked,
    Rises,
    RisesTo,
    SplitSum,
    SumOver,
    Telescoping,
    Union,
    Whether,
    equals,
    event,
    follows,
    instance,
)
from theory.kernel.terms import Event, Mean, linear
from theory.model.normal import phi, upper
from theory.model.quantities import TAU_TILDE_SQ

a, b, c, i, j, n, s, s0, x, y, K, N, X, Y = sp.symbols("a b c i j n s s0 x y K N X Y")
NUMBERS = dict.fromkeys((a, b, c), real())
HALF = sp.Rational(1, 2)


def verdict(*items):
    return proof(*items).check().verdict


def test_sums_over_arms():
    weight = n * s0 / (n * s0 + s)
    one = Goal(
        Rel(s0 / (s0 + s), "<=", weight), {n: at_least(1, integer=True), s: positive(), s0: positive()}, name="a weight"
    )
    counts, W = sp.Function("n")(i), sp.Symbol("W")
    sizes = {K: at_least(0, integer=True), s: positive(), s0: positive(), W: at_least(0)}
    total = sp.Sum(weight.xreplace({n: counts}), (i, 1, K))
    found = proof(SumOver(one, i, 1, K, sizes, family={n: counts}, where={W: total})).check()
    assert found.verdict == "proved"
    assert r"\frac{K s_{0}}{s + s_{0}} \le W" in found.statement
    assert r"\sum_{i=1}^{K}" in found.statement
    assert verdict(SumOver(one, i, 1, K - 5, sizes, family={n: counts})) == "open"
    assert verdict(SumOver(one, i, 1, K, {**sizes, s: at_least(0)}, family={n: counts})) == "open"
    local = Goal(Rel(n, "<=", K), {n: positive(), K: positive()}, (Rel(n, "<=", K),), "of one arm only")
    assert verdict(SumOver(local, i, 1, K, {K: at_least(1, integer=True)}, family={n: counts})) == "open"


def test_telescoping():
    term = Goal(Rel(1 / (j * (j + 1)), "<=", 1 / j - 1 / (j + 1)), {j: at_least(1)}, name="partial fractions")
    size = {N: at_least(1, integer=True)}
    found = proof(Telescoping(term, -1 / j, j, 1, N, size)).check()
    assert found.verdict == "proved"
    assert r"\le 1 - \frac{1}{N + 1}" in found.statement
    assert verdict(Telescoping(term, -2 / j, j, 1, N, size)) == "open"
    assert verdict(Telescoping(term, -1 / j, j, 0, N, size)) == "open"


def test_induction():
    total = sp.Sum(j, (j, 1, N))
    assert verdict(Induction(Rel(total, "=", N * (N + 1) / 2), N, 1, {})) == "proved"
    assert verdict(Induction(Rel(total, "=", N * (N + 1) / 2 + 1), N, 1, {})) == "open"
    assert verdict(Induction(Rel(total, "=", N**2), N, 1, {})) == "open"
    assert verdict(Induction(Rel(total, "<=", N**2), N, 1, {})) == "proved"


def test_induction_with_definitions():
    """A base that needs a fact, and a step whose lemma may suppose what it starts from."""
    f, domain = sp.Function("f"), {N: at_least(1, integer=True), sp.Function("f")(N): real()}
    first = Definition("start", Goal(Rel(f(1), "=", 1), domain, name="start"))
    grows = Definition("growth", Goal(Rel(f(N + 1), ">=", f(N) + 1), domain, (Rel(f(N), ">=", N),), "growth"))
    rel = Rel(f(N), ">=", N)
    assert verdict(Induction(rel, N, 1, domain, lemmas=(grows,), first=(first,))) == "proved"
    assert verdict(Induction(rel, N, 1, domain, lemmas=(grows,))) == "open"
    assert verdict(Induction(rel, N, 1, domain, first=(first,))) == "open"
    assert verdict(Induction(Rel(f(N), ">=", N + 1), N, 1, domain, lemmas=(grows,), first=(first,))) == "open"
    depends = Definition("start", Goal(Rel(f(1), "=", N), domain, name="depends on n"))
    with pytest.raises(ValueError, match="depend"):
        Induction(rel, N, 1, domain, lemmas=(grows,), first=(depends,))


def test_induction_up_to_a_last_number():
    """Beyond M the step need not hold, and nothing is concluded there."""
    f, M = sp.Function("f"), sp.Symbol("M")
    domain = {N: at_least(0, integer=True), M: at_least(1, integer=True), f(N): real()}
    first = Definition("start", Goal(Rel(f(0), "=", 0), domain, name="start"))
    flat, end = Rel(f(N + 1), "=", f(N)), Rel(N, "<", M)
    before = Definition("flat", Goal(flat, domain, (end,), "flat before M")).for_every(M)
    later = Definition("flat", Goal(flat, domain, (Rel(N, "<", M - 1),), "flat before M - 1")).for_every(M)
    rel = Rel(f(N), "=", 0)
    bounded = Induction(rel, N, 0, domain, lemmas=(before,), first=(first,), until=M)
    assert verdict(bounded) == "proved"
    assert bounded.concludes.given == (Rel(N, "<=", M),)
    assert verdict(Induction(rel, N, 0, domain, lemmas=(before,), first=(first,))) == "open"
    assert verdict(Induction(rel, N, 0, domain, lemmas=(before,), first=(first,), until=M + 1)) == "open"
    assert verdict(Induction(rel, N, 0, domain, lemmas=(later,), first=(first,), until=M)) == "open"
    assert verdict(follows(Rel(f(M + 1), "=", 0), bounded, domain=domain)) == "open"
    with pytest.raises(ValueError, match="depend"):
        Induction(rel, N, 0, domain, until=N + 1)


def test_an_induction_may_suppose_its_relation_at_other_values():
    """g(0, c) = c and g(n+1, c) = g(n, c+1), so g(n, c) = n + c: P(n) at c + 1 gives P(n + 1) at c."""
    g = sp.Function("g")
    start = Definition("g", Goal(Rel(g(0, c), "=", c), {c: real()}))
    step = Definition("g", Goal(Rel(g(N + 1, c), "=", g(N, c + 1)), {c: real(), N: at_least(0, integer=True)}))
    rel, also = Rel(g(N, c), "=", N + c), ({c: c + 1},)
    assert verdict(Induction(rel, N, 0, {c: real()}, lemmas=(step,), first=(start,), also=also)) == "proved"
    assert verdict(Induction(rel, N, 0, {c: real()}, lemmas=(step,), first=(start,))) == "open"
    assert verdict(Induction(rel, N, 0, {c: real()}, lemmas=(step,), first=(start,), also=({c: c + 2},))) == "open"
    false = Rel(g(N, c), "=", N + c + 1)
    assert verdict(Induction(false, N, 0, {c: real()}, lemmas=(step,), first=(start,), also=also)) == "open"
    bounded = {c: Var(sp.Integer(0), high=sp.Integer(9))}  # c + 1 may be 10
    assert verdict(Induction(rel, N, 0, bounded, lemmas=(step,), first=(start,), also=also)) == "open"


def test_other_values_must_be_in_the_range():
    """h(0, c) = c and h(n+1, c) = h(n, c-1), so h(1, 0) = -1, although c >= 0 in P(0)."""
    h = sp.Function("h")
    domain = {c: at_least(0)}
    start = Definition("h", Goal(Rel(h(0, c), "=", c), domain))
    step = Definition("h", Goal(Rel(h(N + 1, c), "=", h(N, c - 1)), {**domain, N: at_least(0, integer=True)}))
    rel = Rel(h(N, c), ">=", 0)
    assert verdict(Induction(rel, N, 0, domain, lemmas=(step,), first=(start,), also=({c: c - 1},))) == "open"
    inside = Induction(rel, N, 0, domain, lemmas=(step,), first=(start,), also=({c: c + 1},))
    assert [m.killed for m in inside.mutants() if m.name == "argument: c below 0"] == [True]


@pytest.mark.parametrize(
    ("at", "more"),
    [
        ({N: N - 1}, {}),  # the variable of the induction
        ({b: b + 1}, {}),  # no range
        ({c: c + 1}, {"given": (Rel(c, "<=", 1),)}),  # P(n) is known for c <= 1 only
        ({c: c + 1}, {"until": c}),  # or for n <= c only
        ({c: c + 1}, {"start": c}),  # or from n = c on
    ],
)
def test_nothing_else_is_supposed_of_what_is_replaced(at, more):
    with pytest.raises(ValueError, match="also"):
        Induction(Rel(sp.Function("g")(N, c), ">=", 0), N, domain={c: real()}, also=(at,), **{"start": 0, **more})


def test_expectations():
    square = Goal(Rel(2 * X * c, "<=", X**2 + c**2), {X: real(), c: real()}, squares=(X - c,), name="square")
    found = proof(Expectation(square, (X,))).check()
    assert found.verdict == "proved"
    assert r"c^{2} + \mathbb{E}\left[X^{2}\right]" in found.statement
    bounded = Goal(Rel(X, "<=", 1), {X: Var(sp.Integer(0), high=sp.Integer(1))}, name="bounded")
    mean = Expectation(bounded, (X,))
    assert verdict(follows(Rel(Mean(X, X), "<=", 2), mean, domain={X: Var(sp.Integer(0), high=HALF)})) == "proved"
    assert verdict(follows(Rel(Mean(X, X), "<=", 2), mean, domain={X: real()})) == "open"
    assert verdict(follows(Rel(Mean(X, X), "<=", 0), mean)) == "open"


def test_means_are_linear_and_obey_the_tower_rule_and_nothing_else():
    f = sp.Function("f")
    assert linear(Mean(c * X + 1, X)) == c * Mean(X, X) + 1
    assert linear(Mean(Y * Mean(X, X), Y)) != linear(Mean(X * Y, X))
    assert linear(Mean(Mean(X * Y, X), Y)) == linear(Mean(X * Y, X, Y))
    assert linear(Mean(sp.Sum(c * X, (i, 1, N)), X)) == N * c * Mean(X, X)
    assert linear(Mean(X * Y, X, Y)) != linear(Mean(X, X) * Mean(Y, Y))
    for wrong in ((X,), (f(i), f(i))):
        with pytest.raises(ValueError, match="random symbol"):
            Mean(*wrong)


def test_jensen():
    assert verdict(Jensen(x**2, x, X, {x: real()})) == "proved"
    assert verdict(Jensen(sp.sqrt(x), x, X, {x: positive()}, convex=False)) == "proved"
    assert verdict(Jensen(sp.sqrt(x), x, X, {x: positive()})) == "open"
    assert verdict(Jensen(x**3, x, X, {x: real()})) == "open"
    assert verdict(Jensen(x**2, x, X, {x: at_least(0, integer=True)})) == "open"


def test_power_series_by_second_derivatives():
    cosh = (sp.exp(x) + sp.exp(-x)) / 2
    below = x**2 / 2 - sp.log(cosh)
    hint = (sp.exp(2 * x) - 1,)
    assert verdict(Rises(below, x, 0, {x: at_least(0)}, "cosh(x) <= exp(x^2/2)", order=2, squares=hint)) == "proved"
    assert verdict(Rises(below - x**2 / 3, x, 0, {x: at_least(0)}, "too much", order=2)) == "open"
    assert verdict(Rises(below, x, 0, {x: at_least(0)}, "by the slope alone", order=1)) == "open"


def test_falling_to_a_limit():
    assert verdict(FallsTo(phi(x) / x - upper(x), x, 0, {x: positive()}, "Mills")) == "proved"
    assert verdict(FallsTo(phi(x) / x - 2 * upper(x), x, 0, {x: positive()}, "twice")) == "open"
    assert verdict(FallsTo(1 / x + 1, x, 0, {x: positive()}, "another limit")) == "open"
    assert verdict(FallsTo(1 / x, x, 0, {x: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}, "no tail")) == "open"


@pytest.mark.parametrize(
    ("f", "to_zero"),
    [
        (1 / x, True),
        (sp.log(x) ** 3 / x, True),
        (sp.log(1 + c * x) * sp.log(x) / x, True),
        (x**5 * sp.exp(-x), True),
        (x * sp.exp(-(x**2) / 2), True),
        (upper(x), True),
        (upper(-x) - 1, True),
        (x / (1 + x), False),
        (sp.log(x), False),
        (upper(-x), False),
        (sp.exp(x) / x, False),
        (x - x * (1 + 1 / x), False),
    ],
)
def test_growth_rates(f, to_zero):
    assert vanishes(f, x) is to_zero


def test_limits_need_both_engines():
    assert verdict(Limit((1 + sp.sqrt(c / x)) ** 2, x, sp.Integer(1), {x: positive(), c: positive()})) == "proved"
    assert verdict(Limit((1 + sp.sqrt(c / x)) ** 2, x, sp.Integer(2), {x: positive(), c: positive()})) == "open"
    assert verdict(Limit(c / x, x, sp.Integer(0), {x: positive(), c: real()})) == "open"


def test_integrals():
    ends = (sp.S.Zero, sp.S.Zero)
    assert verdict(IntegralOf(x * phi(x), -phi(x), x, -sp.oo, sp.oo, {x: real()}, ends, "mean")) == "proved"
    assert verdict(IntegralOf(x * phi(x), phi(x), x, -sp.oo, sp.oo, {x: real()}, ends, "sign")) == "open"
    assert verdict(IntegralOf(1 / x, sp.log(x), x, sp.Integer(1), y, {x: at_least(1), y: at_least(1)}, name="log"))
    outside = IntegralOf(1 / x, sp.log(x), x, sp.Integer(-1), sp.Integer(1), {x: positive()}, name="through 0")
    assert verdict(outside) == "open"


def test_a_union_of_events_covers_what_an_implication_leaves():
    small, large = Rel(x, "<=", 1), Rel(y, "<=", 1)
    both = Goal(Rel(x + y, "<=", 2), {x: real(), y: real()}, (small, large), "both")
    found = proof(Union(both, (small, large))).check()
    assert found.verdict == "proved"
    assert verdict(Union(both, (small, Rel(y, "<=", 2)))) == "open"
    chance = Expectation(Union(both, (small, large)), (x, y))
    assert verdict(follows(Rel(Mean(event(Rel(x + y, ">", 2)), x, y), "<=", 2), chance)) == "open"
    bad = [Rel(Mean(event(Rel(z, ">", 1)), x, y), "<=", HALF) for z in (x, y)]
    assert verdict(follows(Rel(Mean(event(Rel(x + y, ">", 2)), x, y), "<=", 1), chance, given=tuple(bad))) == "proved"
    assert verdict(follows(Rel(Mean(event(Rel(x + y, ">", 2)), x, y), "<", 1), chance, given=tuple(bad))) == "open"


def test_indicators_and_one_term_among_many():
    whole = {n: at_least(0, integer=True)}
    assert verdict(Indicates(n - 3, whole, integer=True)) == "proved"
    assert verdict(Indicates(n - HALF, whole, integer=True)) == "open"
    happens = event(Rel(x, ">", 0))
    assert verdict(follows(Rel(happens**2 + 1, "=", happens + 1), Whether(happens, {x: real()}))) == "proved"
    assert verdict(Whether(2 * happens, {x: real()})) == "open"
    f = event(Rel(sp.Function("X")(i), ">", 0))
    sizes = {N: at_least(1, integer=True), n: at_least(1, integer=True)}
    assert verdict(Among(f, i, n, sp.Integer(1), N, sizes)) == "proved"
    assert verdict(Among(f - 1, i, n, sp.Integer(1), N, sizes)) == "open"
    assert verdict(Among(f, i, n, sp.Integer(1), N, {**sizes, n: positive()})) == "open"
    g, whole = sp.Function("g")(i), {**sizes, i: at_least(1, integer=True)}
    for last, expected in ((N, "proved"), (N - 1, "open")):  # known up to the last index, or not
        known = Definition("up to the last", Goal(Rel(g, ">=", 0), whole, (Rel(i, "<=", last),), "up to the last"))
        assert verdict(Among(g, i, n, sp.Integer(1), N, sizes, known.for_every(N))) == expected
    if_large = Goal(Rel(x * g**2, ">=", 0), {**whole, x: real(), g: real()}, (Rel(x, ">=", 0),), "if x >= 0")
    among = Among(x * g**2, i, n, sp.Integer(1), N, {**sizes, x: real(), g: real()}, if_large)
    assert verdict(among) == "open"
    assert verdict(replace(among, given=(Rel(x, ">=", 1),))) == "proved"
    assert verdict(replace(among, given=(Rel(x, ">=", -1),))) == "open"
    far = Goal(Rel((i - 3) * g**2, ">=", 0), {**whole, g: real()}, (Rel(i, ">=", 3),), "from 3 on")
    among = Among((i - 3) * g**2, i, n, sp.Integer(1), N, {**whole, g: real()}, far)
    assert verdict(replace(among, given=(Rel(i, ">=", 3),))) == "open"  # not of every index


def test_a_sum_of_integers_between_integers_is_one():
    sizes, f = {N: at_least(1, integer=True)}, sp.Function("X")(i)
    hits = sp.Sum(event(Rel(f, ">", 0)), (i, 1, N))
    assert verdict(Indicates(hits - 3, sizes, integer=True)) == "proved"
    assert verdict(Picked(f, i, hits, sp.Integer(1), N, sizes)) == "open"  # the index is used elsewhere
    assert verdict(Picked(sp.Function("g")(n), n, hits, sp.Integer(1), N, sizes)) == "proved"
    for wrong in (sp.Sum(f, (i, 1, N)), hits / 2, sp.Sum(event(Rel(f, ">", 0)), (i, 1, N / 2))):
        assert verdict(Indicates(wrong, sizes, integer=True)) == "open"
        assert verdict(Picked(sp.Function("g")(n), n, wrong, sp.Integer(1), N, sizes)) == "open"
    assert verdict(Indicates(sp.Sum(1, (i, 1, x)), {x: real()}, integer=True)) == "open"


def test_sums_split_where_the_parts_have_no_negative_length():
    sizes = {N: at_least(2, integer=True)}
    assert verdict(SplitSum(sp.Function("X")(i), i, sp.Integer(1), sp.Integer(2), N, sizes)) == "proved"
    assert verdict(SplitSum(sp.Function("X")(i), i, sp.Integer(1), sp.Integer(4), N, sizes)) == "open"


def test_hypotheses_about_a_term_are_hypotheses_about_every_term():
    f, g = sp.Function("f"), sp.Function("g")
    each = Rel(f(i), "<=", g(i))
    term = Goal(Rel(f(i), "<=", g(i) + 1), {i: at_least(1, integer=True)}, (each,), "one")
    sizes = {N: at_least(1, integer=True)}
    assert verdict(SumOver(term, i, sp.Integer(1), N, sizes)) == "open"
    found = proof(SumOver(term, i, sp.Integer(1), N, sizes, given=(each.for_every(i, 1, N),))).check()
    assert found.verdict == "proved"
    assert r"(1 \le i \le N)" in found.statement
    assert verdict(SumOver(term, i, sp.Integer(1), N, sizes, given=(each.for_every(i, 2, N),))) == "open"


def test_a_limit_of_named_quantities():
    width = TAU_TILDE_SQ.xreplace({n: x})
    domain = {x: positive(), s: positive(), s0: positive()}
    assert verdict(Limit(width, x, sp.Integer(0), domain, "the width tends to 0")) == "proved"
    assert verdict(Limit(width, x, sp.Integer(1), domain, "not to 1")) == "open"
    assert verdict(Limit(1 / width, x, sp.Integer(0), domain, "its inverse grows")) == "open"


def test_the_range_of_an_index_is_known_of_every_term():
    term = Goal(Rel(1 / j, "<=", HALF), {j: at_least(1, integer=True)}, (Rel(j, ">=", 2),), "from 2 on")
    domain = {N: at_least(2, integer=True)}
    assert verdict(SumOver(term, j, sp.Integer(2), N, domain)) == "proved"
    assert verdict(SumOver(term, j, sp.Integer(1), N, domain)) == "open"


def test_a_factor_of_a_sum_is_averaged_with_its_terms():
    f, g = sp.Function("f")(i, X), sp.Function("g")(X)
    terms = sp.Sum(Mean(f * g, X), (i, 1, N))
    assert linear(Mean(g * sp.Sum(f, (i, 1, N)), X)) == terms
    other = sp.Function("g")(i, X) * sp.Sum(f, (i, 1, N))  # its own i
    assert linear(Mean(other, X)) == Mean(other, X)


def harmonic(rate, above=False):
    """The harmonic sums less log n + 1/(2n), with this rate."""
    rounds = {N: at_least(1, integer=True)}
    one = 1 / (2 * N) + 1 / (2 * (N + 1)) - sp.log(N + 1) + sp.log(N)
    step = x / 2 + x / (2 * (1 + x)) - sp.log(1 + x)
    fall = (rate - rate.subs(N, N + 1)).subs(N, 1 / x).cancel()
    rules = [Rises(f, x, sp.Integer(0), {x: at_least(0)}, "from 0 on") for f in (step, fall - step)]
    sides = Rel(one, ">=", 0), Rel(one, "<=", rate - rate.subs(N, N + 1))
    steps = [follows(r, instance(p, {x: 1 / N}, rounds), domain=rounds) for r, p in zip(sides, rules, strict=True)]
    total = sp.Sum(1 / j, (j, 1, N)) - sp.log(N) - 1 / (2 * N)
    return RisesTo(total, N, rate, tuple(steps), i, {}, vanishing=1 / (2 * N), above=above)


def test_a_sequence_rises_to_its_limit():
    rate = 1 / (12 * N**2)
    assert verdict(harmonic(rate)) == verdict(harmonic(rate, above=True)) == "proved"
    assert verdict(harmonic(rate / 2)) == "open"  # too slow for its steps
    assert verdict(replace(harmonic(rate), vanishing=sp.Rational(1, 2))) == "open"
    assert verdict(replace(harmonic(rate), f=-harmonic(rate).f)) == "open"
    assert verdict(replace(harmonic(rate), rate=rate + 1)) == "open"  # then f need not have this limit


def test_a_bound_that_holds_all_along_holds_in_the_limit():
    free = {x: positive(), a: real(), b: positive()}
    f = b + b * sp.exp(1 / x) / x
    every = Goal(Rel(a, "<=", f), free, (Rel(a, "<=", b),), "for every x")
    limit = InLimit(every, x, b)
    assert verdict(limit) == "proved"
    assert limit.concludes.rel == Rel(a, "<=", b)
    assert verdict(replace(limit, value=b / 2)) == "open"  # another limit
    assert verdict(InLimit(Goal(Rel(x, "<=", x + 1 / x), free, name="x itself"), x, sp.Integer(0))) == "open"
    only = Goal(Rel(a, "<=", 1 / x), free, (Rel(a, "<=", -x),), "where x <= -a")  # false for large x if a > 0
    assert verdict(InLimit(only, x, sp.Integer(0))) == "open"
    near = Goal(Rel(a, "<=", 1 / x), {**free, x: Var(0, True, high=1)}, (Rel(a, "<=", 1),), "x <= 1")
    assert verdict(InLimit(near, x, sp.Integer(0))) == "open"


def test_one_term_is_picked_from_a_sum():
    whole = {n: at_least(1, integer=True), N: at_least(1, integer=True), x: real()}
    f = sp.Function("f")
    picked = Picked(f(i) * x, i, n, sp.Integer(1), N, whole)
    assert verdict(picked) == "proved"
    one = follows(Rel(sp.Sum(equals(n, i), (i, 1, N)), "=", 1), Picked(sp.Integer(1), i, n, sp.Integer(1), N, whole))
    assert verdict(one) == "proved"
    assert verdict(follows(Rel(picked.concludes.rel.left, "=", x * f(N)), picked)) == "open"
    assert verdict(replace(picked, domain={**whole, n: at_least(1)})) == "open"  # not a whole number
    empty = follows(Rel(picked.concludes.rel.left, "=", x * f(n)), picked, domain=whole)  # n may be beyond N
    assert verdict(empty) == "open"


def test_a_slope_may_follow_from_other_relations():
    order = Goal(Rel(x, "<=", y), {x: positive(), y: positive()}, (Rel(x, "<=", y),), "order")
    rises = Rises(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) >= x/(1+x)")
    sign = instance(rises, {x: X}, {X: positive()})
    ratio = Monotone(order, X / sp.log(1 + X), X, {X: positive()}, slope=(sign,))
    assert verdict(ratio) == "proved"
    assert verdict(replace(ratio, slope=())) == "open"
    assert verdict(replace(ratio, f=sp.log(1 + X) / X)) == "open"


def test_the_indicator_of_a_strict_inequality():
    event_ = Indicates(x - y, {x: real(), y: real()}, strict=True)
    assert verdict(follows(Rel((1 - Event(x - y, 1)) * x, "<=", (1 - Event(x - y, 1)) * y), event_)) == "proved"
    assert verdict(follows(Rel((1 - Event(x - y, 0)) * x, "<=", (1 - Event(x - y, 0)) * y), event_)) == "open"
    assert verdict(Indicates(n - 3, {n: at_least(1, integer=True)}, integer=True, strict=True)) == "open"


def test_an_antiderivative_may_be_proved_elsewhere():
    half = Goal(Rel(sp.Derivative(-phi(x), x), "=", x * phi(x)), {x: real()}, name="elsewhere")
    area = IntegralOf(x * phi(x), -phi(x), x, y, sp.oo, {x: real(), y: positive()}, (None, sp.S.Zero), slope=half)
    assert verdict(area) == "proved"
    assert verdict(replace(area, slope=Goal(half.rel, {x: positive()}, name="on half the line"))) == "open"
    assert verdict(replace(area, f=2 * x * phi(x))) == "open"
