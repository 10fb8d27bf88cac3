"""`python -m theory LABEL`: one claim is explained without checking the whole ledger."""

from __future__ import annotations

from theory import cli, ledger
from theory.impact import around, reached
from theory.kernel.claim import Claim


def test_an_unknown_label_is_said_with_what_is_near(capsys):
    assert cli.main(["sec:ta"]) == 1
    assert "no claim 'sec:ta'; did you mean" in capsys.readouterr().err
    assert cli.main(["weird $(label)"]) == 1
    assert capsys.readouterr().err == "no claim 'weird $(label)'\n"


def test_a_claim_is_explained_with_its_counterexample_and_repair(capsys, monkeypatch):
    checked = []
    settle = ledger.settle
    monkeypatch.setattr(cli, "settle", lambda ids=None, progress=None: checked.extend(ids) or settle(ids, progress))
    assert cli.main(["sec:tau2"]) == 0
    shown = capsys.readouterr().out
    assert "verdict        refuted" in shown
    assert "left side = 1/3, right side = 3/8" in shown
    assert "repaired by    sec:tau2/repaired (proved)" in shown
    assert len(checked) < len(ledger.load()) / 4


def test_around_a_claim_is_all_that_its_explanation_names():
    claims = ledger.load()
    sound = {name for name, verdict in ledger.recorded().items() if verdict == "proved"}
    for label in ("MSE", "sec:tau2", "sec:tau2/repaired", "them-R-Bayes"):
        named = {label} | reached(label, claims.values(), sound)
        chosen = set(around(label, claims.values()))
        assert named | set(claims[label].depends_on) <= chosen
        assert {c.id for c in claims.values() if c.repairs in named} <= chosen


def test_a_defect_reaches_through_what_falls_and_not_behind_what_is_proved():
    def named(name, *rests):
        return Claim(name, "", "step", "", rests, None, lambda: None)

    claims = [named("a"), named("b", "a"), named("c", "b"), named("d", "c"), named("e", "a"), named("a", "d")]
    assert reached("a", claims, sound=()) == {"b", "c", "d", "e"}
    assert reached("a", claims, sound=("c",)) == {"b", "c", "e"}
    assert reached("a", claims, sound=("b", "e")) == {"b", "e"}
    assert reached("e", claims, sound=()) == set()
