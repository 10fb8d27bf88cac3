"""Rules that join relations, cite and use claims: each proves a true statement and rejects a mutant of it."""

import pytest
import sympy as sp

from theory.kernel.argument import Words, proof, step
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.classical import LAI, RATE, VALUE
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Cases,
    Definition,
    Form,
    Limit,
    Need,
    Theorem,
    applied,
    chain,
    cited,
    event,
    follows,
    instance,
    replaced,
    restated,
    uses,
)
from theory.kernel.terms import Mean
from theory.model.arms import DOMAIN, tau_tilde_sq
from theory.model.normal import phi, upper
from theory.model.quantities import TAU_TILDE_SQ

a, b, c, i, j, n, s0, x, y, X = sp.symbols("a b c i j n s0 x y X")
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


def test_equals_for_equals():
    """Inside a function too; not what is bound, not from an inequality, and not something else."""
    f, y = sp.Function("f"), sp.Symbol("y")
    domain = {X: real(), y: real(), c: real(), f(X): real()}
    known = Definition("f at y", Goal(Rel(f(y) * c, "<=", 1), domain, name="f at y")).for_every(c)
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


S = sp.Function("S")(n, X)
UNIT, TAIL = Rel(x - y, "<=", 1), Rel(Mean(event(Rel(S, ">", c)), X), "<=", sp.exp(-2 * c**2 / n))
HOEFFDING = Theorem(
    *("Hoeffding", r"P(S\ge c)\le e^{-2c^2/n}", "Hoeffding 1963, Theorem 2"),
    *(("range at most 1",), lambda: Form((Need(UNIT),), TAIL)),
)


def test_cited_theorems_are_listed_and_their_hypotheses_checked():
    of = {X: real(), c: positive(), n: positive()}
    unit = Goal(UNIT, {x: Var(0, high=1), y: Var(0, high=1)}, name="range")
    gives = Goal(TAIL, {**unit.domain, **of}, name="tail")
    found = proof(cited(HOEFFDING, hypotheses=(unit,), gives=gives)).check()
    assert (found.verdict, found.level) == ("proved", "argued")
    assert found.assumes == ("Hoeffding (Hoeffding 1963, Theorem 2)",)
    assert verdict(unit, cited(HOEFFDING, gives=gives)) == "open"
    half = Goal(Rel(TAIL.left, "<=", TAIL.right / 2), gives.domain, name="half")
    assert verdict(cited(HOEFFDING, hypotheses=(unit,), gives=half)) == "open"
    free = Goal(Rel(a, "<=", sp.exp(-c)), {a: at_least(0), c: positive()}, name="of a free symbol")
    assert verdict(cited(HOEFFDING, hypotheses=(unit,), gives=free)) == "open"
    wide = Goal(UNIT, {x: Var(0, high=2), y: Var(0, high=1)}, name="range")
    assert verdict(cited(HOEFFDING, hypotheses=(wide,), gives=gives)) == "open"


RATE.declare(sp.Function("rate of a test")(n, c), noise=c, arms=n, density=phi(VALUE))


def lai(**other):
    """Lai's theorem for standard normal means; `other` replaces parameters of its form, or what is checked or given."""
    line, K, rate = {x: real()}, n, sp.Function("rate of a test")(n, c)
    at = {"rate": rate, "noise": c, "density": phi(x), "distribution": upper(-x), "arms": K, "x": x}
    hypotheses = (
        Goal(Rel(sp.Derivative(upper(-x), x), "=", phi(x)), line, name="density"),
        Goal(Rel(phi(x), ">=", 0), line, name="a density is nonnegative"),
        Limit(upper(-x), x, sp.S.One, line, "at infinity"),
        Limit(upper(x), x, sp.S.Zero, line, "at minus infinity"),
    )
    total = sp.Integral(phi(x) ** 2 * upper(-x) ** (K - 2), (x, -sp.oo, sp.oo))
    rel = Rel(rate, ">=", other.get("factor", sp.S.Half) * c * K * (K - 1) * total)
    gives = Goal(rel, {K: at_least(2, integer=True), c: positive()})
    checked = other.get("hypotheses", hypotheses)
    return cited(LAI, hypotheses=checked, gives=gives, at={**at, **other.get("at", {})})


def test_a_theorem_with_a_form_is_compared_with_its_use():
    found = proof(lai()).check()
    assert (found.verdict, found.level) == ("proved", "argued")
    assert not any("in words" in assumed for assumed in found.assumes)
    assert verdict(lai(factor=sp.S.One)) == "open"
    assert verdict(lai(at={"density": 2 * phi(x)})) == "open"
    assert verdict(lai(at={"distribution": upper(x)})) == "open"
    assert verdict(lai(hypotheses=lai().checked[:2])) == "open"
    assert verdict(lai(hypotheses=lai().checked[::-1])) == "open"
    half = Goal(Rel(sp.Derivative(upper(-x), x), "=", phi(x)), {x: positive()}, name="density, for x > 0 only")
    assert verdict(lai(hypotheses=(half, *lai().checked[1:]))) == "open"


@pytest.fixture
def two_claims(monkeypatch):
    """Two claims of a ledger: a proved one and a refuted one."""
    from theory.kernel import sources
    from theory.kernel.argument import refuted

    general = Goal(Rel(x + 1 / x, ">=", 2), {x: positive()}, name="x + 1/x", squares=(x - 1,))

    def entry(name, build):
        fields = dict.fromkeys(Claim.__dataclass_fields__, "")
        monkeypatch.setitem(REGISTRY, name, Claim(**{**fields, "id": name, "build": build}))

    entry("test/two", lambda: proof(general))
    entry("test/false", lambda: refuted(Goal(Rel(x, "<=", 1), {x: positive()})))
    for cached in (sources.proof_of, sources.conclusions, sources.basis):
        cached.cache_clear()
    yield
    for cached in (sources.proof_of, sources.conclusions, sources.basis):
        cached.cache_clear()


def test_hypotheses_with_a_source_say_what_the_source_says(two_claims):
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


def test_a_claim_as_a_premise(two_claims):
    used = uses("test/two", {x: y + 1}, domain={y: positive()})
    found = proof(follows(Rel(y + 1 / (y + 1), ">=", 1), used)).check()
    assert (found.verdict, found.uses) == ("proved", ("test/two",))
    outside = uses("test/two", {x: y - 1}, domain={y: positive()})
    assert verdict(follows(Rel(y + 1 / (y - 1), ">=", 3), outside)) == "open"
    with pytest.raises(ValueError, match="must name one of its conclusions"):
        follows(Rel(x, ">", 0), uses("test/two", item="another")).concludes  # noqa: B018


def test_what_a_used_claim_assumes_is_assumed(two_claims, monkeypatch):
    argued = proof(Goal(Rel(x, "<", x + y), {x: positive(), y: positive()}), Words("and so on"))
    fields = dict.fromkeys(Claim.__dataclass_fields__, "")
    monkeypatch.setitem(REGISTRY, "test/argued", Claim(**{**fields, "id": "test/argued", "build": lambda: argued}))
    found = proof(follows(Rel(x, "<", x + y + 1), uses("test/argued"))).check()
    assert (found.verdict, found.level, found.assumes) == ("proved", "argued", ("in words: and so on",))
    assert found.assumes_itself == ()
    assert argued.check().assumes_itself == found.assumes


def test_laws_of_a_used_claim_are_laws_of_the_proof(two_claims, monkeypatch):
    """Through two claims; the proof itself takes none, and is told apart from one that takes them."""
    fields = dict.fromkeys(Claim.__dataclass_fields__, "")
    f = sp.Function("f")(X)
    fair = Definition("f has mean 0", Goal(Rel(Mean(f, X), "=", 0), {X: real()}, name="fair"), world="fair")
    first = proof(follows(Rel(Mean(f, X) + 1, "=", 1), fair, name="one more"))
    second = proof(follows(Rel(Mean(f, X) + 2, "=", 2), uses("test/first"), name="two more"))
    for name, argument in (("test/first", first), ("test/second", second)):
        entry = Claim(**{**fields, "id": name, "build": lambda argument=argument: argument})
        monkeypatch.setitem(REGISTRY, name, entry)
    found = proof(follows(Rel(Mean(f, X) + 3, "=", 3), uses("test/second"))).check()
    assert (found.verdict, found.basis.laws, found.basis.worlds) == ("proved", ("f has mean 0",), ("fair",))
    assert found.laws_itself == ()
    assert first.check().laws_itself == ("f has mean 0",)


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


def test_cases_need_both_cases():
    above = Goal(Rel(x, "<=", x**2 + 1), {x: positive()}, (Rel(x, ">=", 1),), "from 1 on")
    below = Goal(Rel(x, "<=", x**2 + 1), {x: positive()}, (Rel(x, "<", 1),), "below 1")
    found = proof(Cases(Rel(x, ">=", 1), above, below, "everywhere")).check()
    assert found.verdict == "proved"
    assert "if" not in found.statement
    assert verdict(Cases(Rel(x, ">=", 2), above, below)) == "open"  # between 1 and 2 nothing is shown
    other = Goal(Rel(x, "<=", 1), {x: positive()}, (Rel(x, "<", 1),), "another relation")
    assert verdict(Cases(Rel(x, ">=", 1), above, other)) == "open"


def test_an_equation_may_need_a_hypothesis_beside_a_root():
    root, mean = sp.sqrt(x), Mean(X, X)
    goal = Goal(Rel(root * mean + y, "=", y), {x: positive(), y: real(), X: real()}, (Rel(mean, "=", 0),), "centred")
    assert verdict(goal) == "proved"
    assert verdict(Goal(goal.rel, goal.domain, (Rel(mean, "=", 1),), "not centred")) == "open"


def test_a_value_that_is_no_rational_number_passes_through_equations():
    first, second = Mean(X, X), Mean(y, y)
    free, value = {X: real(), y: real()}, 1 / sp.sqrt(sp.pi)
    given = (Rel(second, "=", value), Rel(first, "=", second))
    assert verdict(Goal(Rel(first, "=", value), free, given, "both")) == "proved"
    assert verdict(Goal(Rel(first, "=", 2 * value), free, given, "twice as much")) == "open"
