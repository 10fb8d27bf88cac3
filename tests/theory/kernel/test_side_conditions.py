"""Conditions that a rule must not forget: each false statement here follows if one of them is left out."""

from dataclasses import replace

import pytest
import sympy as sp

from theory.kernel.argument import Computation, Item, gap, proof, step
from theory.kernel.claim import REGISTRY, claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Cases,
    Definition,
    Expectation,
    FallsTo,
    Form,
    Indicates,
    Induction,
    InLimit,
    IntegralOf,
    Jensen,
    Limit,
    Monotone,
    Otherwise,
    Substitution,
    SumOver,
    Telescoping,
    Theorem,
    Union,
    Whether,
    applied,
    cited,
    congruent,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.terms import Event, Mean, linear

x, y, z, c, n, i, j, k, N, M, W, X, o = sp.symbols("x y z c n i j k N M W X o")
f, g, h, S = map(sp.Function, "fghS")
R, COUNT, ZERO, ONE = real(), at_least(1, integer=True), sp.Integer(0), sp.Integer(1)


def problem(item: Item) -> str:
    """Why an item is not proved."""
    found = proof(item).check()
    assert found.verdict == "open", found.statement
    return str(found.problem)


def proved(item: Item) -> bool:
    return proof(item).check().verdict == "proved"


# Hypotheses with a source.

BOTH = {x: R, c: R}
BELOW = Rel(x, "<=", c)


@pytest.mark.parametrize(
    "item",
    [
        SumOver(Goal(BELOW, BOTH, (BELOW,), "one"), i, ONE, N, {**BOTH, N: COUNT}, given=(BELOW.by("no such claim"),)),
        Induction(Rel(n * x, "<=", n * c), n, ONE, BOTH, given=(BELOW.by("no such claim"),)),
    ],
    ids=["SumOver", "Induction"],
)
def test_every_rule_checks_the_sources_of_its_hypotheses(item):
    """A hypothesis with a source is not printed."""
    assert "no claim 'no such claim'" in problem(item)


@pytest.fixture
def ledger():
    """Claims that are entered in a test are taken out again."""
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def test_a_claim_behind_a_hypothesis_of_a_rule_is_used(ledger):
    theorem = Theorem("a theorem", r"f \ge 0", "a book", (), lambda: Form((), Rel(f(x), ">=", 0)))
    one = Goal(Rel(x, "<", x + 1), {x: R}, name="a step")

    @claim("side-conditions/cites", kind="inequality")
    def cites():
        """A theorem."""
        return proof(one, cited(theorem, gives=Goal(Rel(f(x), ">=", 0), {x: R}, name="f")))

    by = Rel(f(x), ">=", 0).by("side-conditions/cites")
    found = proof(follows(Rel(f(x) + x + 1, ">", x), one, domain={x: R}, given=(by,))).check()
    assert (found.verdict, found.level) == ("proved", "argued")
    assert found.uses == ("side-conditions/cites",)
    assert found.assumes == (str(theorem),)


def test_a_claim_behind_a_premise_of_a_gap_is_used(ledger):
    @claim("side-conditions/square", kind="inequality")
    def square():
        """A square."""
        return proof(Goal(Rel(x**2, ">=", 0), {x: R}, squares=(x,), name="a square"))

    inference = Goal(Rel(x**2, ">=", x), {x: R}, name="a square")
    assert gap(inference, premises=(uses("side-conditions/square"),)).check().uses == ("side-conditions/square",)


# Ranges, and what symbols assume.

ABOVE_ONE = Goal(Rel(y + 1, ">", 1), {y: positive()}, name="above 1")


@pytest.mark.parametrize("value", [-(x**2), Mean(x, x), sp.Integer(-3)], ids=["a term", "a mean", "a number"])
def test_only_symbols_and_functions_have_ranges(value):
    """1 - x^2 > 1, if -x^2 > 0; this range would not be printed."""
    item = instance(ABOVE_ONE, {y: value}, {x: R, value: positive()})
    assert "neither a symbol nor a value of a function" in problem(item)


def test_the_random_quantity_of_jensen_has_a_range_that_is_printed():
    """1/E[-X^2] <= E[1/(-X^2)] is the wrong way round: -X^2 is not positive."""
    item = Jensen(1 / x, x, -(X**2), {x: positive(), X: R}, over=(X,))
    assert "neither a symbol nor a value of a function" in problem(item)


def test_an_indicator_is_stated_as_goals_are():
    """A real m that SymPy takes for an integer: (1 - 1{m >= 0}) (m + 1) <= 0 fails at m = -1/2."""
    m = sp.Symbol("m", integer=True)
    assert "the symbol m assumes more than its domain" in problem(Indicates(m, {m: R}, integer=True))
    assert proved(Indicates(n, {n: at_least(-2, integer=True)}, integer=True))
    assert "x may vanish in a denominator" in problem(Indicates(1 / x, {x: R}))
    assert "may vanish" not in str(problem(Indicates(1 / x, {x: positive()})))


# Slopes, convexity, limits and integrals.

ORDER = Goal(Rel(y, "<=", z), {y: R, z: R, c: R}, (Rel(y, "<=", z),), "an order")


def test_the_slope_is_known_where_the_conclusion_is_stated():
    """c y <= c z for y <= z: not for every real c because c x rises for c > 0."""
    assert "c = c is not known to be real > 0" in problem(Monotone(ORDER, c * x, x, {x: R, c: positive()}))
    narrow = Goal(ORDER.rel, {**ORDER.domain, c: positive()}, ORDER.given, "an order")
    assert proved(Monotone(narrow, c * x, x, {x: R, c: positive()}))


def test_an_index_in_a_rising_function_captures_nothing():
    order = Goal(Rel(y, "<=", k), {y: R, k: R}, (Rel(y, "<=", k),), "an order")
    with pytest.raises(ValueError, match="bound symbols \\['k'\\]"):
        proof(Monotone(order, x + sp.Sum(f(k), (k, 1, 3)), x, {x: R})).check()


@pytest.mark.parametrize(
    ("function", "random", "over"),
    [(x**2 * f(o), g(o), (o,)), (x**2 * X, X, ())],
    ids=["a factor of the outcome", "the quantity itself"],
)
def test_only_the_argument_of_a_convex_function_is_random(function, random, over):
    """E[X]^2 Y <= E[X^2 Y] fails at X = 1, where Y is above its mean."""
    domain = {x: positive(), X: positive(), o: R, f(o): positive()}
    assert "which is averaged" in problem(Jensen(function, x, random, domain, over=over))
    assert proved(Jensen(x**2 * y, x, random, {**domain, y: positive()}, over=over))


def test_a_range_that_ends_at_zero_has_an_upper_end():
    """-1/(1 + x^2) falls for x <= 0 and tends to 0 at infinity, but it is negative."""
    item = FallsTo(-1 / (1 + x**2), x, ZERO, {x: Var(high=ZERO)}, "f", strict=False)
    assert "upper end" in problem(item)


def test_a_limit_is_one_of_real_numbers():
    """sqrt(1 - x)/x is none beyond x = 1."""
    assert "may be negative under a root" in problem(Limit(sp.sqrt(1 - x) / x, x, ZERO, {x: positive()}))
    assert "has an upper end" in problem(Limit(1 / x, x, ZERO, {x: Var(ZERO, strict=True, high=ONE)}))
    assert proved(Limit(sp.sqrt(1 + x) / x, x, ZERO, {x: positive()}))


def test_a_limit_keeps_the_ranges_of_functions():
    """-g(y) <= 1/x for every x > 0, so -g(y) <= 0, if g is positive."""
    all_along = Goal(Rel(-g(y), "<=", 1 / x), {x: positive(), y: R, g(x): positive()}, name="all along")
    found = proof(InLimit(all_along, x, ZERO)).check()
    assert found.verdict == "proved"
    assert "0 < g_{x}" in found.statement


def test_an_integral_may_be_taken_backwards():
    """From plus to minus infinity it has the opposite sign."""
    big, small, half = -sp.sqrt(sp.pi) * sp.erfc(x) / 2, sp.exp(-(x**2)), -sp.sqrt(sp.pi)
    assert proved(IntegralOf(small, big, x, -sp.oo, sp.oo, {x: R}, (half, ZERO), "forwards"))
    assert proved(IntegralOf(small, big, x, sp.oo, -sp.oo, {x: R}, (ZERO, half), "backwards"))
    assert problem(IntegralOf(small, big, x, sp.oo, -sp.oo, {x: R}, (half, ZERO), "the wrong ends"))


# Means of sums.


def test_a_random_number_of_terms_stays_in_the_mean():
    """The mean of 1{A_1} + ... + 1{A_T} with a random T is no sum of chances up to T: that would say T <= E T."""
    total = sp.Sum(Event(f(i, o), 0), (i, 1, h(o)))
    event = Goal(Rel(Event(f(i, o), 0), "<=", 1), {i: R, o: R}, name="an event")
    counted = SumOver(event, i, ONE, h(o), {o: R, h(o): at_least(0, integer=True)})
    assert proved(counted)
    assert Expectation(counted, (o,)).concludes.rel == Rel(Mean(total, o), "<=", Mean(h(o), o))
    assert linear(Mean(sp.Sum(f(i, o), (i, 1, N)), o)) == sp.Sum(Mean(f(i, o), o), (i, 1, N))


def test_an_index_is_not_averaged():
    """1 + 2 = 3 says nothing of a random quantity that has the name of the index."""
    both = Goal(Rel(sp.Sum(i, (i, 1, 2)) + N, "<=", sp.Sum(i, (i, 1, 2)) + N + 1), {i: R, N: R}, name="a sum")
    assert "i, which is averaged, is an index" in problem(Expectation(both, (i,)))


# Symbols that stand for sums.

UNIT = Var(ZERO, high=ONE)
WEIGHT = Goal(Rel(x, "<=", 1), {x: UNIT}, name="a weight")
WEIGHTS = sp.Sum(f(i), (i, 1, N))
TOTAL = SumOver(WEIGHT, i, ONE, N, {N: COUNT, W: R}, family={x: f(i)}, where={W: WEIGHTS}, name="all weights")
OTHERS = SumOver(
    Goal(Rel(y, ">=", 1), {y: at_least(1)}, name="a size"),
    *(i, ONE, M, {M: COUNT, W: R}),
    family={y: g(i)},
    where={W: sp.Sum(g(i), (i, 1, M))},
    name="all sizes",
)


def test_a_symbol_that_stands_for_a_sum_is_no_variable():
    """W <= N says something of one sum W, and nothing of N + 5."""
    assert proved(TOTAL)
    assert "W stands for" in problem(instance(TOTAL, {W: N + 5}, {N: COUNT, f(i): UNIT}))
    assert "W stands for" in problem(applied(TOTAL, {W: N + 5}, domain={N: COUNT, f(i): UNIT}))
    for item in (
        instance(TOTAL, {N: N + 1}, {N: COUNT, W: R, f(i): UNIT}),
        applied(TOTAL, {N: N + 1}, domain={N: COUNT, W: R, f(i): UNIT}),
    ):
        found = proof(item, step(WEIGHT)).check()
        assert found.verdict == "proved"
        assert r"W = \sum_{i=1}^{N + 1} f_{i}" in found.statement


def test_a_symbol_does_not_stand_for_two_sums():
    """M <= W for one sum and W <= N for another do not give M <= N."""
    assert "W stands for" in problem(follows(Rel(M, "<=", N), OTHERS, TOTAL))
    assert proved(follows(Rel(W, "<=", N + 1), TOTAL))


def test_what_a_symbol_stands_for_does_not_change_inside_a_rule():
    """W = f(1) + ... + f(N) is no constant in a sum over N, and no constant in a mean over the outcome of f."""
    assert "W stands for" in problem(SumOver(TOTAL, N, ONE, M, {M: COUNT, W: R, f(i): UNIT}))
    chosen = Goal(Rel(x, "<=", 1), {x: UNIT, o: R}, name="a weight")
    random = SumOver(
        chosen, i, ONE, N, {N: COUNT, W: R, o: R}, family={x: h(i, o)}, where={W: sp.Sum(h(i, o), (i, 1, N))}
    )
    assert "W stands for" in problem(Expectation(random, (o,)))


# Definitions.


# Hypotheses that hold almost surely.


def test_a_hypothesis_about_what_was_averaged_stands_beside_a_mean():
    """S <= y gives E S <= y if it holds almost surely; with E S = 1, S <= y for one outcome does not give 1 <= y."""
    law = Definition("S has mean 1", Goal(Rel(Mean(S(o), o), "=", 1), {o: R}))
    below = Expectation(Goal(Rel(S(o), "<=", y), {o: R, y: R}, (Rel(S(o), "<=", y),), "below y"), (o,))
    assert proved(follows(Rel(Mean(S(o), o), "<=", y + 1), below, law))
    assert "o was averaged" in problem(follows(Rel(1, "<=", y), below, law))


def test_a_function_of_the_outcome_is_not_put_for_a_constant():
    """M <= h gives M <= E h for a number M, not h <= E h."""
    below = Goal(Rel(S(x), "<=", h(o)), {x: R, o: R}, (Rel(S(x), "<=", h(o)),), "a lower bound")
    with pytest.raises(ValueError, match="a bound symbol"):
        proof(specialised(Expectation(below, (o,)), {S(x): h(o)}, {x: R, o: R})).check()
    assert proved(specialised(Expectation(below, (o,)), {S(x): x - 1}, {x: R, o: R}, (Rel(x - 1, "<=", h(o)),)))


# Computations.


def test_a_computation_shows_what_it_computes():
    def bound(value: sp.Expr) -> Rel:
        return Rel(value, "<=", 1)

    def computed(shows: Goal) -> Computation:
        return Computation("exact", "a number", bound, (ZERO,), {"two": (sp.Integer(2),)}, shows)

    assert proved(computed(Goal(bound(ZERO))))
    assert "is not what is computed" in problem(computed(Goal(Rel(x, "<=", 0), {x: R})))


# Quantifiers, and families of terms.

NONE_ABOVE = Rel(f(i), "<=", 0).for_every(i, 1, N)


def test_a_conclusion_has_no_quantifier():
    """It was taken for a relation at every value of the index, in its range or not."""
    with pytest.raises(ValueError, match="only a hypothesis holds for every index"):
        Goal(NONE_ABOVE, {i: R, N: COUNT})


def test_what_holds_for_every_index_is_not_split():
    """If max f <= 0 whenever every f(i) <= 0, then 1{max f > 0} is not at most 1{f(i) > 0} for each i."""
    largest = Goal(Rel(S(N), "<=", 0), {N: COUNT, i: COUNT}, (NONE_ABOVE,), "the largest")
    for item in (Union(Definition("the largest", largest), (NONE_ABOVE,)), Cases(NONE_ABOVE, largest, largest)):
        with pytest.raises(ValueError, match="has no negation"):
            proof(item).check()


@pytest.mark.parametrize(
    ("term", "family"),
    [
        (Goal(Rel(y + 1, ">", 1), {y: positive()}, name="above 1"), {y: -(f(i) ** 2)}),
        (Definition("S", Goal(Rel(S(o), ">=", 5), {o: R})), {S(o): h(i)}),
        (Goal(Rel(x**2 + 1, ">=", 1), {x: R}, squares=(x,), name="a square"), {x**2: h(i)}),
    ],
    ids=["a value that is an expression", "a function of a model", "an expression for any term"],
)
def test_a_family_puts_functions_for_symbols(term, family):
    assert "a symbol becomes a value of a function" in problem(
        SumOver(term, i, ONE, N, {N: COUNT, o: R, x: R}, family=family)
    )


# Sums that may be empty, captured indices, and a factor that may be undefined.


def test_no_term_is_taken_off_an_empty_sum():
    """A sum from 5 to n has no last term before n = 5; otherwise f(2) + f(3) + f(4) = 0 would follow."""
    before, after = sp.Sum(f(i), (i, 5, n)), sp.Sum(f(i), (i, 2, n))
    assert problem(Induction(Rel(before, "=", sp.Sum(f(i), (i, 5, 1)) + after), n, ONE, {}))
    assert proved(Induction(Rel(before, "=", sp.Sum(f(j), (j, 5, n))), n, sp.Integer(4), {}))


@pytest.mark.parametrize(
    "item",
    [
        Telescoping(
            Goal(Rel(sp.Sum(f(k), (k, 1, 3)) - 1, "<=", sp.Sum(f(k), (k, 1, 3))), {j: at_least(1)}, name="a term"),
            *(sp.Sum(j * f(k), (k, 1, 3)), j, ONE, k, {k: COUNT}),
        ),
        Induction(Rel(sp.Sum(g(i) * sp.Sum(f(i, n), (n, 1, 3)), (i, 1, n)), "<=", n), n, ONE, {}),
    ],
    ids=["Telescoping", "Induction"],
)
def test_an_end_of_a_sum_is_not_captured_by_an_index_inside(item):
    with pytest.raises(ValueError, match="bound symbols"):
        proof(item).check()


def test_a_substitution_multiplies_by_what_is_defined():
    """Both sides of f = g times 1{z > 0} are equal; to divide by it says nothing of z <= 0."""
    bell, above, below = sp.exp(-(z**2)), Event(z, 1), Event(-z, 0)
    ends = -sp.sqrt(sp.pi), ZERO
    value = IntegralOf(bell, -sp.sqrt(sp.pi) * sp.erfc(z) / 2, z, -sp.oo, sp.oo, {z: R}, ends, "a value")
    once = follows(Rel(above * (1 + below), "=", above), Otherwise(-z, {z: R}), Whether(above, {z: R}), domain={z: R})
    part = congruent(x * bell, x, once, {z: R})
    assert proved(part)
    assert proved(value)
    doubled = (1 + Event(-x, 0)) * sp.exp(-(x**2))
    item = Substitution(doubled, x, (ZERO, ONE), ONE, bell, z, part, value, {}, times=1 / above)
    assert "may vanish in a denominator" in problem(item)


def test_a_hypothesis_about_a_symbol_that_stands_for_a_sum_explains_the_symbol(ledger):
    """W <= N by a claim about a sum W: without a word on W it would be read of any W."""

    @claim("side-conditions/total", kind="inequality")
    def total():
        """The weights."""
        return proof(TOTAL)

    bound = Rel(W, "<=", N).by("side-conditions/total")
    goal = Goal(Rel(W, "<", N + 1), {W: R, N: COUNT, f(i): UNIT}, (bound,), "by the claim")
    assert "has no letter that says so" in problem(goal)
    assert proved(replace(goal, letters={W: Letter(W, "the sum of the weights")}))
    elsewhere = Rel(x, "<=", N).by("side-conditions/total", {W: x})
    assert "W stands for" in problem(Goal(Rel(x, "<", N + 1), {N: COUNT, x: R, f(i): UNIT}, (elsewhere,), "elsewhere"))
