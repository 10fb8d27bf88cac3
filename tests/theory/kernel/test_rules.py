"""Rules of composition: each proves a true statement and rejects a mutant of it."""

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from theory.kernel.argument import Words, proof, step
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.growth import vanishes
from theory.kernel.rules import (
    Among,
    Cases,
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
    Theorem,
    Union,
    Whether,
    applied,
    chain,
    cited,
    equals,
    event,
    follows,
    instance,
    replaced,
    restated,
    uses,
)
from theory.kernel.terms import Event, Mean, linear
from theory.model.arms import DOMAIN, tau_tilde_sq
from theory.model.normal import phi, upper
from theory.model.quantities import TAU_TILDE_SQ

a, b, c, i, j, n, s, s0, x, y, K, N, X, Y = sp.symbols("a b c i j n s s0 x y K N X Y")
NUMBERS = dict.fromkeys((a, b, c), real())
HALF = sp.Rational(1, 2)


def verdict(*items):
    return proof(*items).check().verdict


def test_chain_joins_what_meets():
    first = Goal(Rel(x, "<=", x + y), {x: positive(), y: positive()}, name="first")
    second = Goal(Rel(x + y, "<", x + y + 1), {x: positive(), y: positive()}, name="second")
    found = proof(chain(first, second)).check()
    assert found.verdict == "proved"
    assert found.statement.endswith(r"x < x + y + 1")
    assert [i["role"] for i in found.items] == ["step", "step", "conclusion"]
    other = Goal(Rel(x + 2 * y, "<", 9 * x + 9 * y), {x: positive(), y: positive()}, name="does not meet")
    assert verdict(follows(Rel(x, "<", x + y), first, other)) == "proved"
    assert verdict(follows(Rel(x + y, "<=", x), first, other)) == "open"


def test_a_premise_must_hold_where_the_conclusion_is_stated():
    premise = Goal(Rel(x, "<=", x**2), {x: at_least(1)}, name="from 1 on")
    assert verdict(follows(Rel(x, "<=", x**2 + 1), premise, domain={x: at_least(2)})) == "proved"
    assert verdict(follows(Rel(x, "<=", x**2), premise, domain={x: positive()})) == "open"
    hypothetical = Goal(Rel(a, "<=", c), NUMBERS, (Rel(a, "<=", b), Rel(b, "<=", c)), "transitive")
    assert verdict(follows(Rel(a, "<=", c + 1), hypothetical, domain=NUMBERS)) == "open"
    assert verdict(follows(Rel(a, "<=", c + 1), hypothetical)) == "proved"


def test_an_instance_must_lie_in_the_domain():
    general = Goal(Rel(x + 1 / x, ">=", 2), {x: positive()}, name="x + 1/x", squares=(x - 1,))
    assert verdict(instance(general, {x: y**2 + 1}, {y: real()})) == "proved"
    assert verdict(instance(general, {x: y**2}, {y: real()})) == "open"
    whole = Goal(Rel(n, "<=", n**2), {n: at_least(1, integer=True)}, name="whole")
    assert verdict(instance(whole, {n: 2 * j}, {j: at_least(1, integer=True)})) == "proved"
    assert verdict(instance(whole, {n: j / 2}, {j: at_least(2, integer=True)})) == "open"


def test_a_lemma_is_applied_where_its_hypotheses_are_proved():
    product = Goal(Rel(a * c, "<=", b * c), {a: real(), b: real(), c: at_least(0)}, (Rel(a, "<=", b),), "times c")
    ordered = Goal(Rel(2 * x, "<=", x**2 + 1), {x: real()}, name="ordered", squares=(x - 1,))
    at, free = {a: 2 * x, b: x**2 + 1, c: sp.exp(y)}, {x: real(), y: real()}
    found = proof(applied(product, at, ordered, domain=free)).check()
    assert found.verdict == "proved"
    assert found.statement.endswith(r"2 x e^{y} \le \left(x^{2} + 1\right) e^{y}")
    assert any(m.name == "premises dropped" for m in found.mutants)
    assert verdict(applied(product, at, domain=free)) == "open"  # nothing proves a <= b
    assert verdict(applied(product, {**at, a: 3 * x}, ordered, domain=free)) == "open"  # another relation
    assert verdict(applied(product, {**at, c: y}, ordered, domain=free)) == "open"  # c may be negative
    narrow = Goal(Rel(2 * x, "<=", x**2 + 1), {x: at_least(5)}, name="narrow")
    assert verdict(applied(product, at, narrow, domain=free)) == "open"  # the premise holds for x >= 5
    assert verdict(applied(product, at, narrow, domain=free, given=(Rel(x, ">=", 6),))) == "proved"


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
    before = Definition("flat", Goal(Rel(f(N + 1), "=", f(N)), domain, (Rel(N, "<", M),), "flat before M"))
    later = Definition("flat", Goal(Rel(f(N + 1), "=", f(N)), domain, (Rel(N, "<", M - 1),), "flat before M - 1"))
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


def test_equals_for_equals():
    """Inside a function too; not what is bound, not from an inequality, and not something else."""
    f, y = sp.Function("f"), sp.Symbol("y")
    domain = {X: real(), y: real(), c: real(), f(X): real()}
    known = Definition("f at y", Goal(Rel(f(y) * c, "<=", 1), domain, name="f at y"))
    equal = Goal(Rel(y, "=", X**2), domain, (Rel(y, "=", X**2),), "y")
    there = Rel(f(X**2) * c, "<=", 1)
    assert verdict(replaced(known, equal, there, domain, equal.given)) == "proved"
    assert verdict(replaced(known, equal, there, domain)) == "open"
    assert verdict(replaced(known, equal, Rel(f(X**2) * c, "<=", 2), domain, equal.given)) == "open"
    assert verdict(replaced(known, equal, Rel(f(X) * c, "<=", 1), domain, equal.given)) == "open"
    below = Goal(Rel(y, "<=", X**2), domain, (Rel(y, "<=", X**2),), "y")
    assert verdict(replaced(known, below, there, domain, below.given)) == "open"
    mean = Definition("mean", Goal(Rel(Mean(f(y), y), "<=", 1), domain, name="mean"))
    assert verdict(replaced(mean, equal, Rel(Mean(f(X**2), y), "<=", 1), domain, equal.given)) == "open"


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


HOEFFDING = Theorem("Hoeffding", r"P(S\ge c)\le e^{-2c^2/n}", "Hoeffding 1963, Theorem 2", ("range at most 1",))


def test_cited_theorems_are_listed_and_their_hypotheses_checked():
    tail = Mean(event(Rel(sp.Function("S")(X), ">", c)), X)
    unit = Goal(Rel(x - y, "<=", 1), {x: Var(0, high=1), y: Var(0, high=1)}, name="range")
    gives = Goal(Rel(tail, "<=", sp.exp(-2 * c**2 / n)), {X: real(), c: positive(), n: positive()}, name="tail")
    found = proof(cited(HOEFFDING, hypotheses=(unit,), gives=gives)).check()
    assert (found.verdict, found.level) == ("proved", "argued")
    assert found.assumes == ("Hoeffding (Hoeffding 1963, Theorem 2)",)
    assert verdict(unit, cited(HOEFFDING, gives=gives)) == "open"
    free = Goal(Rel(a, "<=", sp.exp(-c)), {a: at_least(0), c: positive()}, name="of a free symbol")
    assert verdict(cited(HOEFFDING, hypotheses=(unit,), gives=free)) == "open"
    wide = Goal(Rel(x - y, "<=", 1), {x: Var(0, high=2), y: Var(0, high=1)}, name="range")
    assert verdict(cited(HOEFFDING, hypotheses=(wide,), gives=gives)) == "open"


@pytest.fixture
def ledger(monkeypatch):
    """Two claims of a ledger: a proved one and a refuted one."""
    from theory.kernel import sources
    from theory.kernel.argument import refuted

    general = Goal(Rel(x + 1 / x, ">=", 2), {x: positive()}, name="x + 1/x", squares=(x - 1,))

    def entry(name, build):
        fields = dict.fromkeys(Claim.__dataclass_fields__, "")
        monkeypatch.setitem(REGISTRY, name, Claim(**{**fields, "id": name, "build": build}))

    entry("test/two", lambda: proof(general))
    entry("test/false", lambda: refuted(Goal(Rel(x, "<=", 1), {x: positive()})))
    for cached in (sources.proof_of, sources.conclusions, sources.assumptions):
        cached.cache_clear()
    yield
    for cached in (sources.proof_of, sources.conclusions, sources.assumptions):
        cached.cache_clear()


def test_hypotheses_with_a_source_say_what_the_source_says(ledger):
    both = {x: positive(), y: positive()}
    said = Rel(y + 1 / y, ">=", 2).by("test/two", at={x: y})
    wanted = Rel(x + y + 1 / y, ">=", 2)
    found = proof(Goal(wanted, both, (said,), "with a source")).check()
    assert (found.verdict, found.uses, found.assumes) == ("proved", ("test/two",), ())
    assert "if" not in found.statement
    assert "[by test/two at x = y]" in found.items[0]["given"][0]
    for wrong in (
        Rel(y + 1 / y, ">=", 3).by("test/two", at={x: y}),  # says more
        Rel(y + 1 / y, ">=", 2).by("test/two"),  # at another argument
        Rel(y, "<=", 1).by("test/false", at={x: y}),  # not proved
        Rel(y, "<=", 1).by("test/none"),  # does not exist
    ):
        assert verdict(Goal(wanted, both, (wrong,), "wrong source")) == "open"
    assert verdict(Goal(wanted, {x: positive(), y: Var(-1, strict=True)}, (said,), "outside")) == "open"


def test_a_claim_as_a_premise(ledger):
    used = uses("test/two", {x: y + 1}, domain={y: positive()})
    found = proof(follows(Rel(y + 1 / (y + 1), ">=", 1), used)).check()
    assert (found.verdict, found.uses) == ("proved", ("test/two",))
    outside = uses("test/two", {x: y - 1}, domain={y: positive()})
    assert verdict(follows(Rel(y + 1 / (y - 1), ">=", 3), outside)) == "open"
    with pytest.raises(ValueError, match="must name one of its conclusions"):
        follows(Rel(x, ">", 0), uses("test/two", item="another")).concludes  # noqa: B018


def test_what_a_used_claim_assumes_is_assumed(ledger, monkeypatch):
    argued = proof(Goal(Rel(x, "<", x + y), {x: positive(), y: positive()}), Words("and so on"))
    fields = dict.fromkeys(Claim.__dataclass_fields__, "")
    monkeypatch.setitem(REGISTRY, "test/argued", Claim(**{**fields, "id": "test/argued", "build": lambda: argued}))
    found = proof(follows(Rel(x, "<", x + y + 1), uses("test/argued"))).check()
    assert (found.verdict, found.level, found.assumes) == ("proved", "argued", ("in words: and so on",))
    assert found.assumes_itself == ()
    assert argued.check().assumes_itself == found.assumes


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
        assert verdict(Among(g, i, n, sp.Integer(1), N, sizes, known)) == expected
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


def test_steps_are_not_part_of_the_statement():
    lemma = Goal(Rel(x, "<=", x + y), {x: positive(), y: positive()}, name="lemma")
    main = Goal(Rel(x, "<", x + y), {x: positive(), y: positive()}, name="main")
    found = proof(step(lemma), main).check()
    assert found.verdict == "proved"
    assert r"\le" not in found.statement
    assert proof(step(Goal(Rel(x, "<", x), {x: positive()})), main).check().verdict == "open"


def test_a_relation_in_other_words_is_the_same_relation():
    domain = {x: v for x, v in DOMAIN.items() if x in tau_tilde_sq.free_symbols}
    known = Goal(Rel(tau_tilde_sq, "<=", s0), domain, name="never wider than the prior")
    assert verdict(restated(known, Rel(TAU_TILDE_SQ, "<=", s0))) == "proved"
    assert verdict(restated(known, Rel(s0 - TAU_TILDE_SQ, ">=", 0))) == "proved"
    others = (
        Rel(TAU_TILDE_SQ, "<", s0),
        Rel(TAU_TILDE_SQ, ">=", s0),
        Rel(s0, "<=", TAU_TILDE_SQ),
        Rel(2 * TAU_TILDE_SQ, "<=", 2 * s0),  # true, but no other wording
        Rel(TAU_TILDE_SQ, "<=", s0 - 1),
    )
    assert all(verdict(restated(known, other)) == "open" for other in others)


def test_a_limit_of_named_quantities():
    width = TAU_TILDE_SQ.xreplace({n: x})
    domain = {x: positive(), s: positive(), s0: positive()}
    assert verdict(Limit(width, x, sp.Integer(0), domain, "the width tends to 0")) == "proved"
    assert verdict(Limit(width, x, sp.Integer(1), domain, "not to 1")) == "open"
    assert verdict(Limit(1 / width, x, sp.Integer(0), domain, "its inverse grows")) == "open"


def test_cases_need_both_cases():
    above = Goal(Rel(x, "<=", x**2 + 1), {x: positive()}, (Rel(x, ">=", 1),), "from 1 on")
    below = Goal(Rel(x, "<=", x**2 + 1), {x: positive()}, (Rel(x, "<", 1),), "below 1")
    found = proof(Cases(Rel(x, ">=", 1), above, below, "everywhere")).check()
    assert found.verdict == "proved"
    assert "if" not in found.statement
    assert verdict(Cases(Rel(x, ">=", 2), above, below)) == "open"  # between 1 and 2 nothing is shown
    other = Goal(Rel(x, "<=", 1), {x: positive()}, (Rel(x, "<", 1),), "another relation")
    assert verdict(Cases(Rel(x, ">=", 1), above, other)) == "open"


def test_a_definition_is_about_objects_of_a_model():
    w = sp.Symbol("w")
    length = sp.Function("length")(w)
    fact = Definition("a length", Goal(Rel(length, ">=", 1), {w: real()}, name="a length"))
    found = proof(follows(Rel(length + 1, ">=", 2), fact)).check()
    assert found.verdict == "proved"
    assert found.level == "engines"
    assert any("definition" in item["engines"] for item in found.items)
    assert verdict(follows(Rel(length, ">=", 2), fact)) == "open"
    free = Definition("of nothing", Goal(Rel(x, ">=", 1), {x: real()}, name="a number"))
    assert verdict(follows(Rel(x + 1, ">=", 2), free)) == "open"


def test_definitions_are_made_in_the_model_only():
    """A definition is taken as it is, so all of them stand where they can be read together."""
    theory = Path(__file__).parents[3] / "theory"
    makers = {f.relative_to(theory).parts[0] for f in theory.rglob("*.py") if "Definition(" in f.read_text()}
    assert makers <= {"model", "kernel"}


def test_the_range_of_an_index_is_known_of_every_term():
    term = Goal(Rel(1 / j, "<=", HALF), {j: at_least(1, integer=True)}, (Rel(j, ">=", 2),), "from 2 on")
    domain = {N: at_least(2, integer=True)}
    assert verdict(SumOver(term, j, sp.Integer(2), N, domain)) == "proved"
    assert verdict(SumOver(term, j, sp.Integer(1), N, domain)) == "open"


def test_an_equation_may_need_a_hypothesis_beside_a_root():
    root, mean = sp.sqrt(x), Mean(X, X)
    goal = Goal(Rel(root * mean + y, "=", y), {x: positive(), y: real(), X: real()}, (Rel(mean, "=", 0),), "centred")
    assert verdict(goal) == "proved"
    assert verdict(Goal(goal.rel, goal.domain, (Rel(mean, "=", 1),), "not centred")) == "open"


def test_a_factor_of_a_sum_is_averaged_with_its_terms():
    f, g = sp.Function("f")(i, X), sp.Function("g")(X)
    terms = sp.Sum(Mean(f * g, X), (i, 1, N))
    assert linear(Mean(g * sp.Sum(f, (i, 1, N)), X)) == terms
    other = sp.Function("g")(i, X) * sp.Sum(f, (i, 1, N))  # its own i
    assert linear(Mean(other, X)) == Mean(other, X)


def test_a_value_that_is_no_rational_number_passes_through_equations():
    first, second = Mean(X, X), Mean(y, y)
    free, value = {X: real(), y: real()}, 1 / sp.sqrt(sp.pi)
    given = (Rel(second, "=", value), Rel(first, "=", second))
    assert verdict(Goal(Rel(first, "=", value), free, given, "both")) == "proved"
    assert verdict(Goal(Rel(first, "=", 2 * value), free, given, "twice as much")) == "open"


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
