"""Goals as Coq lemmas: what is written, what Coq accepts, and that it refuses a false statement with the same proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from tests.theory.coq.conftest import SUPPORT
from theory import checking
from theory.coq import command, compiler, record
from theory.coq.check import CLASSICAL, Checked, check
from theory.coq.export import HEADER, Exported, exported, identifier, write
from theory.coq.falsified import turned
from theory.coq.lemma import Lemma
from theory.coq.proofs import proof as script
from theory.coq.statement import Statement, statements
from theory.coq.syntax import NoCoq, expression, function_name, name_of
from theory.kernel.argument import proof
from theory.kernel.claim import REGISTRY, Claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Rises
from theory.ledger import load
from theory.model.arms import Wo, arm_goal, n, s, tau_sq

x, y, a = sp.symbols("x y a")
NEEDS_COQ = pytest.mark.skipif(compiler.coqc() is None, reason="coqc is not installed")
OPPOSITE = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "=": "<>"}

GOALS = {
    "hypotheses": arm_goal(tau_sq, "<", s / n, given=(Rel(Wo, ">", 0),)),
    "equation": Goal(Rel(x * y, "<=", 3 * y**2), {x: positive(), y: positive()}, (Rel(x - y, "=", y),)),
    "square": Goal(Rel(2 * x * y, "<=", x**2 + y**2), {x: real(), y: real()}, squares=(x - y,)),
    "upper": Goal(Rel(x * (1 - x), ">=", 0), {x: at_least(0)}, (Rel(x, "<=", 1),)),
    "slope": Goal(Rel(sp.Derivative(sp.exp(-x) / x, x), "=", -sp.exp(-x) * (1 + x) / x**2), {x: positive()}),
    "tail": Goal(Rel(sp.Derivative(sp.erfc(x), x), "=", -2 * sp.exp(-(x**2)) / sp.sqrt(sp.pi)), {x: real()}),
    "logarithm": Goal(Rel(sp.log(x / y), "=", sp.log(x) - sp.log(y)), {x: positive(), y: positive()}),
    "root": Goal(Rel(sp.sqrt(x) ** 3, "=", x * sp.sqrt(x)), {x: positive()}),
    "number": Goal(Rel(sp.sqrt(2) * sp.log(3), "<", sp.Rational(1554, 1000))),
}


def lemma(statement: Statement, beside: list[Statement]) -> str:
    defined = next((s.name for s in beside if s.kind == "defined"), None)
    return f"Lemma {statement.name} :\n  {statement.text}.\nProof.\n{script(statement, defined)}\nQed.\n"


def falsified(statement: Statement) -> Statement:
    """The opposite of an inequality, or that two equal sides differ: false at every point of the domain."""
    rel = statement.facts[0]
    assert isinstance(rel, Rel)
    return replace(statement, parts=(f"{expression(rel.left)} {OPPOSITE[rel.op]} {expression(rel.right)}",))


def test_the_statement_is_printed_from_the_goal() -> None:
    defined, relation = statements("name", arm_goal(1 / n, "<=", 1))
    assert defined.text == "forall n : R,\n  1 <= n ->\n  n <> 0"
    assert relation.text == "forall n : R,\n  1 <= n ->\n  (/ n) <= 1"


def test_names_of_claims_and_symbols_are_coq_names_of_their_own() -> None:
    names = [identifier(id) for id in load()]
    assert len(set(names)) == len(names)
    assert all(name.replace("_", "a").isalnum() and name.isascii() for name in names)
    assert name_of(sp.Symbol("S")) == "S_"
    assert function_name(sp.Function("1 - w")) == "value_1___w_of"


def test_two_things_of_one_name_are_not_exported() -> None:
    """One would hide the other, and Coq would be asked about the special case in which they are equal."""
    first, second = sp.symbols("n_k n-k")
    assert name_of(first) == name_of(second)
    with pytest.raises(NoCoq, match="have one name in Coq"):
        statements("two", Goal(Rel(first * second, "<=", first**2), {first: positive(), second: positive()}))
    f, g = (made(module, "f") for module in ("one", "two"))
    domain = {x: real(), f(x): at_least(0), g(x): at_least(0)}
    lemma = Lemma("two", Goal(Rel(f(x), "<=", 2 * g(x) + 1), domain))
    with pytest.raises(NoCoq, match="two functions are named f_of"):
        _ = lemma.functions


def made(module: str, name: str) -> sp.Function:
    return sp.Function(name, of=module)


def test_what_has_no_coq_counterpart_is_not_exported() -> None:
    with pytest.raises(NoCoq, match="sums"):
        statements("name", Goal(Rel(sp.Sum(x, (x, 1, y)), ">=", 0), {y: at_least(1)}))


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_coq_accepts_relations_of_every_kind(folder: Path) -> None:
    found = [(group, s) for name, goal in GOALS.items() for group in [statements(name, goal)] for s in group]
    (folder / "kinds.v").write_text(HEADER + "".join(lemma(s, group) for group, s in found))
    assert compiler.compile_file(folder, "kinds").error == ""
    (folder / "kinds_assume.v").write_text(compiler.assumptions_file([("kinds", [s.name for _, s in found])]))
    assert compiler.axioms(compiler.compile_file(folder, "kinds_assume").output) == CLASSICAL


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_coq_refuses_the_opposite_with_the_same_proof(folder: Path) -> None:
    """In one file: each proof is one tactic under `Fail`, which succeeds only if the tactic fails."""
    text = HEADER
    for name, goal in GOALS.items():
        *before, last = statements(name, goal)
        defined = [s for s in before if s.kind == "defined"]
        tactic = script(last, defined[0].name if defined else None).rstrip(".").replace(".\n", "; ")
        if "{" not in tactic:  # a script without subproofs
            text += "".join(lemma(s, before) for s in defined)
            text += f"Goal {falsified(last).text}.\nProof.\nFail solve [{tactic}].\nAbort.\n"
            text += f"Goal {last.text}.\nProof.\nsolve [{tactic}].\nQed.\n"  # the control
    assert text.count("Fail") >= 7
    (folder / "refused.v").write_text(text)
    assert compiler.compile_file(folder, "refused").error == ""


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_a_denominator_that_may_vanish_is_refused(folder: Path) -> None:
    goal = Goal(Rel((x**2 - 1) / (x - 1), "=", x + 1), {x: real()})
    first = statements("vanishing", goal)[0]
    assert first.kind == "defined"
    (folder / "vanishing.v").write_text(HEADER + lemma(first, []))
    assert not compiler.compile_file(folder, "vanishing").ok


def entered(id: str, *items: Goal | Rises) -> Claim:
    """A claim outside the ledger."""

    def build():
        return proof(*items)

    return Claim(id, "inequality", None, build)


@pytest.fixture
def claims() -> list[Claim]:
    true = Goal(Rel(x / (1 + x), "<=", 1), {x: at_least(0)}, name="fraction")
    false = Goal(Rel(x, "=", x + 1), {x: positive()}, name="no number")
    rises = Rises(x - sp.log(1 + x), x, sp.Integer(0), {x: at_least(0)}, "x - log(1+x)")
    return [entered("good", true), entered("bad", true, false), entered("rises", rises)]


@NEEDS_COQ
@pytest.mark.xdist_group("coq")
def test_a_claim_is_a_theorem_only_as_a_whole(claims: list[Claim], ready: Path) -> None:
    chosen = [exported(c) for c in claims]
    write(ready, chosen, model=False)
    found = check(ready, compiled=SUPPORT).evidence(chosen)
    assert {id: e.complete for id, e in found.items()} == {"good": True, "bad": False, "rises": True}
    assert found["good"].lemmas == ("good_1_defined", "good_1")
    assert found["bad"].refused == ("bad_2",)
    assert sum(e.seconds for e in found.values()) > 0


def test_the_digest_follows_the_statement(claims: list[Claim]) -> None:
    good = exported(claims[0])
    other = exported(entered("good", Goal(Rel(x / (1 + x), "<=", 2), {x: at_least(0)}, name="fraction")))
    assert good.digest == exported(claims[0]).digest
    assert good.digest != other.digest


def test_a_record_counts_only_for_the_statement_it_was_made_of(
    claims: list[Claim], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "RECORD", tmp_path / "recorded.json")
    good = exported(claims[0])
    record.save([_evidence(good), _evidence(exported(claims[1]), complete=False)])
    assert record.kernel_lemmas(claims[0]) == good.lemmas
    assert record.kernel_seconds(claims[0]) == 0.5
    assert record.kernel_lemmas(claims[1]) is None
    assert record.kernel_lemmas(entered("good", Goal(Rel(x, "<=", x + 1), {x: at_least(0)}))) is None


def test_a_claim_is_a_theorem_only_with_the_claims_that_it_uses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their statements are hypotheses of its lemmas."""
    monkeypatch.setattr(record, "RECORD", tmp_path / "recorded.json")
    bound = Rel(x, "<=", x + 1)
    used = entered("used by another", Goal(bound, {x: real()}, name="one more"))
    user = entered("user", Goal(Rel(x, "<=", x + 2), {x: real()}, (bound.by(used.id),), name="two more"))
    monkeypatch.setitem(REGISTRY, used.id, used)
    lemmas = exported(user).lemmas
    record.save([_evidence(exported(user))])
    assert record.kernel_lemmas(user) is None
    record.save([_evidence(exported(user)), replace(_evidence(exported(used)), digest="of another statement")])
    assert record.kernel_lemmas(user) is None
    record.save([_evidence(exported(user)), _evidence(exported(used))])
    assert record.kernel_lemmas(user) == lemmas


def test_the_ledger_shows_how_long_coq_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "RECORD", tmp_path / "recorded.json")
    record.save([_evidence(exported(load()["w-def"]))])
    finding, _ = checking.check("w-def")
    assert finding.level == "kernel"
    assert [e.seconds for e in finding.evidence if e.engine == "coq"] == [0.5]


def _evidence(claim: Exported, complete: bool = True) -> command.CoqEvidence:
    return command.CoqEvidence(claim.id, complete, claim.lemmas, (), claim.digest, 0.5)


def test_without_coqc_the_command_says_so(claims: list[Claim], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler.shutil, "which", lambda program: None)
    said: list[str] = []
    assert command.run(tmp_path, claims, said.append) == 1
    assert "coqc was not found" in said[-1]
    assert command.run(tmp_path, claims, said.append, checking=False) == 0
    assert (tmp_path / "claims_01.v").exists()


def test_only_a_lost_theorem_fails_the_comparison_with_the_record(
    claims: list[Claim], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "RECORD", tmp_path / "recorded.json")
    good, bad, rises = map(exported, claims)
    record.save([_evidence(good), _evidence(bad)])
    restated = replace(_evidence(good), digest="another statement")
    lost, notes = command._compared({e.id: e for e in (restated, _evidence(bad, complete=False), _evidence(rises))})
    assert lost == ["bad: recorded as a Coq theorem, and is none now"]
    assert len(notes) == 2
    assert "accepted by Coq: good" in notes[0]
    assert "not yet recorded: rises" in notes[1]


def test_axioms_of_machine_arithmetic_are_an_error() -> None:
    primitive = "PrimFloat.add : PrimFloat.float -> PrimFloat.float -> PrimFloat.float\n"
    found = Checked(assumed={*CLASSICAL, *compiler.axioms(f"Axioms:\n{primitive}")})
    assert list(command._faults(found)) == ["axioms beyond Coq's classical real numbers: PrimFloat.add"]
    assert list(command._faults(Checked(assumed=CLASSICAL))) == []


@NEEDS_COQ
@pytest.mark.slow
@pytest.mark.xdist_group("coq")
def test_every_recorded_theorem_is_accepted_and_false_statements_refused(tmp_path: Path) -> None:
    """All recorded claims and those whose lemmas they apply; then one relation in twelve made false. Some minutes."""
    chosen = [exported(c) for id, c in load().items() if id in record.read()]
    write(tmp_path, chosen, model=False)
    checked = check(tmp_path)
    assert checked.foreign == set()
    found = checked.evidence(chosen)
    assert [id for id, e in found.items() if not e.complete] == []
    wrong = turned(tmp_path, chosen)
    assert len(wrong.tried) > 100
    assert wrong.accepted == ()
