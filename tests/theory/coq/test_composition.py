"""Rules as Coq lemmas that apply the lemmas of their premises, and files in which a lemma is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from tests.theory.coq.conftest import SUPPORT
from theory.coq import compiler
from theory.coq.auxiliary import Auxiliary
from theory.coq.check import check
from theory.coq.compiler import survey
from theory.coq.development import write_support
from theory.coq.export import exported, write
from theory.coq.falsified import turned
from theory.coq.lemma import Lemma, definition
from theory.coq.syntax import NoCoq
from theory.kernel.argument import Proof, proof, step
from theory.kernel.claim import Claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.items import Computation, exactly_equal
from theory.kernel.rules import (
    Definition,
    Expectation,
    Indicates,
    Induction,
    InLimit,
    Instance,
    Limit,
    Monotone,
    NextInteger,
    Otherwise,
    Picked,
    Reindex,
    Rises,
    SplitSum,
    SumOver,
    Telescoping,
    Whether,
    congruent,
    follows,
    instance,
    replaced,
    specialised,
)
from theory.kernel.terms import Event
from theory.ledger import load

x, y, c, i, j, k, n, K, X = sp.symbols("x y c i j k n K X")
f, g = sp.Function("f"), sp.Function("g")
WHOLE = at_least(1, integer=True)
NEEDS_COQ = pytest.mark.skipif(compiler.coqc() is None, reason="coqc is not installed")


def claim(id: str, *items) -> Claim:
    def build() -> Proof:
        return proof(*items)

    return Claim(id, "inequality", None, build)


def rules() -> dict[str, tuple]:
    """One small proof by each kind of rule."""
    term = Goal(Rel(x / (1 + x), "<=", 1), {x: at_least(0)}, name="one term")
    total = SumOver(term, i, 1, K, {K: WHOLE}, family={x: f(i)}, name="all terms")
    square = Goal(Rel(2 * c * X, "<=", X**2 + c**2), {X: real(), c: real()}, squares=(X - c,), name="a square")
    pulled = Definition("the value of f", Goal(Rel(f(j), "=", j**2), {f(j): real(), j: WHOLE}, name="f"))
    at_two = instance(pulled, {j: 2}, {f(j): real()})
    most, squared = Rel(g(f(j)), "<=", c), {f(j): real(), g(j): real(), j: WHOLE, c: real()}
    above = follows(most, domain=squared, given=(most,), name="as supposed")
    at_square = instance(pulled, {}, squared, name="f(j) is a square")
    any_ = Goal(Rel(g(j) + g(2), ">=", 0), {g(j): at_least(0), j: WHOLE}, name="any function >= 0")
    step_down = Goal(Rel(1 / (n * (n + 1)), "=", 1 / n - 1 / (n + 1)), {n: WHOLE}, name="one step")
    falls = Telescoping(step_down, -1 / n, n, 1, K, {K: WHOLE}, name="telescoping")
    first = SplitSum(g(i), i, 1, 1, K, {K: WHOLE}, name="the first term")
    same = Definition("g is constant", Goal(Rel(g(n + 1), "=", g(n)), {g(n): real(), n: WHOLE}, name="constant"))
    start = Goal(Rel(g(1), "=", g(1)), {g(n): real()}, name="start")
    ordered = Goal(Rel(x, "<=", 2 * x), {x: positive()}, name="ordered")
    hits = sp.Sum(Event(g(i), 1), (i, 1, K))
    until_K = {g(n): real(), n: WHOLE, K: WHOLE}
    falling = Definition(
        "g falls up to K", Goal(Rel(g(n + 1), "<=", g(n)), until_K, (Rel(n + 1, "<=", K),), name="falling")
    )
    product = Rel(sp.Product(g(j), (j, 1, n)), ">=", 0)
    numbers = {x: at_least(0), y: real(), c: at_least(0)}
    divided = Goal(Rel(x, "<=", c * sp.exp(-y)), numbers, (Rel(x * sp.exp(y), "<=", c),), name="divided")
    signs = {x: positive(), y: positive()}
    return {
        "follows": (follows(Rel(sp.Sum(f(i) / (1 + f(i)), (i, 1, K)), "<=", K + 1), total),),
        "expectation": (Expectation(square, (X,)),),
        "definition": (follows(Rel(f(2), "=", 4), at_two),),
        "equals for equals": (replaced(above, at_square, Rel(g(j**2), "<=", c), squared, (most,), "at f(j)"),),
        "any function": (specialised(any_, {g(x): x**2}, {j: WHOLE}, name="a square"),),
        "of equals": (congruent(g(x) + sp.Sum(g(i), (i, 1, x)), x, at_square, squared, name="of equals"),),
        "a number of events": (Picked(g(j), j, hits, 1, K, {K: WHOLE, g(j): real()}, name="a number of events"),),
        "telescoping": (falls,),
        "split": (first,),
        "induction": (Induction(Rel(sp.Sum(j, (j, 1, n)), "=", n * (n + 1) / 2), n, 1, {}),),
        "first": (Induction(Rel(g(n), "=", g(1)), n, 1, {g(n): real()}, lemmas=(same,), first=(start,)),),
        "until": (Induction(Rel(g(n), "<=", g(1)), n, 1, {g(n): real(), K: WHOLE}, lemmas=(falling,), until=K),),
        "product": (Induction(product, n, 1, {g(n): at_least(0)}, name="a product"),),
        "from the end": (Reindex(g(j), j, 1, K, i, K + 1 - i, {K: WHOLE, g(j): real()}, name="from the end"),),
        "exponentials": (
            divided,
            Goal(Rel(sp.exp(x + y), "=", sp.exp(x) * sp.exp(y)), {x: real(), y: real()}, name="of a sum"),
            Goal(Rel(y * sp.exp(-x * sp.log(y)), "=", sp.exp((1 - x) * sp.log(y))), signs, name="a power"),
        ),
        "limits": (
            Limit((1 + sp.sqrt(x / y)) ** 2, y, sp.S.One, signs, "a root"),
            Limit(sp.log(x) / sp.log(1 + x * y), y, sp.S.Zero, signs, "a logarithm"),
            InLimit(Goal(Rel(x, "<=", x + 1 / y), {x: real(), y: positive()}, name="a little more"), y, x, "no more"),
        ),
        "roots": (
            Goal(Rel(sp.sqrt(x * y * (1 + y)), "=", sp.sqrt(x) * sp.sqrt(y) * sp.sqrt(1 + y)), signs, name="roots"),
            Goal(Rel(sp.sqrt(1 + y / x) * sp.sqrt(x), "=", sp.sqrt(x + y)), signs, name="of a sum"),
            Goal(Rel(sp.log(x * sp.sqrt(y)), "=", sp.log(x) + sp.log(y) / 2), signs, name="logarithm of a root"),
        ),
        "picked": (Picked(g(i), i, k, 1, K, {K: WHOLE, k: WHOLE}, name="one term"),),
        "next integer": (NextInteger(2 * k, K, {K: WHOLE, k: WHOLE}, name="the next integer"),),
        "indicators": (
            Indicates(k - K, {K: WHOLE, k: WHOLE}, integer=True, part=True, strict=True, name="strict"),
            Indicates(x - y, {x: real(), y: real()}, strict=True, name="not strict"),
            Whether(Event(x - y, 1), {x: real(), y: real()}),
            Otherwise(x - y, {x: real(), y: real()}),
        ),
        "monotone": (Monotone(ordered, sp.log(y), y, {y: positive()}, name="logarithms"),),
        "same name": (Monotone(ordered, sp.log(x), x, {x: positive()}, name="logarithms"),),
        "rises": (
            Rises(sp.exp(-y) - 1 + y, y, sp.Integer(0), {y: at_least(0)}, "from both derivatives", order=2),
            Rises(sp.log(1 + y), y, sp.Integer(0), {y: at_least(0)}, "strictly", strict=True),
        ),
        "computation": (
            term,
            Computation("exact", "two halves", lambda v: exactly_equal(v + v, 1), (sp.Rational(1, 2),), {"no": (1,)}),
        ),
    }


def test_a_sum_is_stated_for_every_number_of_terms() -> None:
    total = rules()["follows"][0].parts[0]
    found = exported(claim("total", total)).items[-1].lemma
    assert isinstance(found, Lemma)
    assert found.text == (
        "forall (K : R) (f_of : R -> R),\n  1 <= K ->\n  whole K ->\n  (forall a1 : R, 0 <= (f_of a1)) ->\n  "
        "(rsum 1 K (fun i : R => ((f_of i) / (1 + (f_of i))))) <= K"
    )


def test_a_definition_is_a_hypothesis_for_every_index_and_shares_the_other_symbols() -> None:
    fact = definition(Goal(Rel(f(j), "=", c * j), {f(j): real(), j: WHOLE, c: positive()}))
    assert fact.over == (j,)
    assert fact.symbols == {c}
    assert fact.text == "(forall j : R, 1 <= j -> whole j -> (f_of j) = (c * j))"


def test_an_argument_with_the_name_of_an_index_is_not_caught_by_it() -> None:
    fact = definition(Goal(Rel(f(j), "=", c * j), {f(j): real(), j: WHOLE, c: positive()}))
    assert fact.at({c: j + 1}).text == "(forall j_ : R, 1 <= j_ -> whole j_ -> (f_of j_) = (j_ * (1 + j)))"


def test_an_induction_does_not_go_on_beyond_its_last_value() -> None:
    """Where a lemma of the step needs n + 1 <= K, the induction without this bound has no script."""
    (until,) = rules()["until"]
    (found,) = [item for item in exported(claim("until", until)).items if item.rule is until]
    assert "(below : (1 + n) <= K)" in found.coq()
    free = replace(until, until=None)
    (bare,) = [item for item in exported(claim("free", free)).items if item.rule is free]
    with pytest.raises(NoCoq):
        bare.coq()


def test_a_limit_is_stated_as_one() -> None:
    found = exported(claim("limit", Limit(1 + x / y, y, sp.S.One, {x: positive(), y: positive()})))
    assert list(found.items[-1].texts.values()) == [
        "forall (x : R),\n  0 < x ->\n  tends (fun y : R => (1 + (x / y))) 1"
    ]


def test_an_equation_whose_denominator_may_vanish_needs_its_hypothesis() -> None:
    quotient = Rel((1 - x) / (1 - y), "=", 1 - x + (1 - x) * y / (1 - y))
    with pytest.raises(NoCoq, match="vanish"):
        Auxiliary("quotient").add(Goal(quotient, {x: real(), y: real()}))
    assert Auxiliary("quotient").add(Goal(quotient, {x: real(), y: real()}, (Rel(y, "<", 1),))).name == "quotient_a1"
    anyway = Rel(x / (1 - y) + c / (1 - y), "=", (x + c) / (1 - y))
    assert Auxiliary("sum").add(Goal(anyway, {x: real(), y: real(), c: real()})).name == "sum_a1"


def test_a_used_claim_is_applied_by_its_lemma() -> None:
    load()
    found = exported(load()["r0-estimator/limit"])
    assert "ours/sum-of-weights" in found.applied


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_coq_accepts_every_rule_and_refuses_false_conclusions(ready: Path) -> None:
    chosen = [exported(claim(name, *items)) for name, items in rules().items()]
    assert [(c.id, item.missing) for c in chosen for item in c.items if item.missing] == []
    write(ready, chosen, model=False)
    result = check(ready, compiled=SUPPORT)
    assert result.refused == {}
    assert [id for id, e in result.evidence(chosen).items() if not e.complete] == []
    wrong = turned(ready, chosen, every=1)
    assert len(wrong.tried) >= len(chosen)
    assert wrong.accepted == ()


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_a_claim_without_its_premise_is_refused(folder: Path, tmp_path: Path) -> None:
    """The lemma of a rule needs the lemma of its premise: it is not assumed."""
    write(tmp_path, [exported(claim("follows", rules()["follows"][0]))], model=False)
    (file,) = tmp_path.glob("claims_*.v")
    (folder / "whole.v").write_text(file.read_text())
    (folder / "bare.v").write_text(file.read_text().replace("Lemma follows_1 :", "Lemma another :"))
    assert survey(folder, "whole") == {}
    assert {"follows_2", "follows_3"} <= set(survey(folder, "bare"))


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_a_lemma_that_fails_or_loops_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "several.v").write_text(
        "Set Default Timeout 1.\nLtac forever := idtac; forever.\n"
        "Lemma wrong : 1 = 2.\nProof.\nreflexivity.\nQed.\n"
        "Lemma endless : 1 = 2.\nProof.\nforever.\nQed.\n"
        "Lemma fine : 1 = 1.\nProof.\nreflexivity.\nQed.\n"
    )
    found = survey(tmp_path, "several")
    assert set(found) == {"wrong", "endless"}
    assert "Timeout" in found["endless"]


def test_steps_are_premises_of_what_follows() -> None:
    lemma = Goal(Rel(x, "<=", x + 1), {x: positive()}, name="lemma")
    found = exported(claim("steps", step(lemma), Instance(lemma, {x: y**2 + 1}, {y: real()})))
    assert found.lemmas == ("steps_1", "steps_2")


def test_the_tactics_are_written_beside_the_claims(tmp_path: Path) -> None:
    assert {path.name for path in write_support(tmp_path)} == {
        "enclosures.v",
        "relations.v",
        "sums.v",
    }
