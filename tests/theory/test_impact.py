"""What depends on a claim, and what becomes of it."""

from __future__ import annotations

from theory import ledger
from theory.impact import around, impact, radius, reached
from theory.kernel.claim import Claim


def named(name: str, uses: tuple[str, ...] = (), cites: tuple[str, ...] = (), repairs: str | None = None) -> Claim:
    return Claim(name, "step", "", lambda: None, uses=uses, cites=cites, repairs=repairs)


def test_a_defect_reaches_through_what_fails_and_not_behind_what_is_proved():
    edges = {"a": "d", "b": "a", "c": "b", "d": "c", "e": "a"}
    claims = [named(name, cites=(other,)) for name, other in edges.items()]
    assert reached("a", claims) == {"b", "c", "d", "e"}
    assert reached("a", claims, sound=("c",)) == {"b", "c", "e"}
    assert reached("a", claims, sound=("b", "e")) == {"b", "e"}
    assert reached("e", claims) == set()


def test_a_claim_that_uses_another_does_not_hold_without_it():
    claims = {
        c.id: c
        for c in (
            named("lemma"),
            named("theorem", uses=("lemma",)),
            named("corollary", uses=("theorem",)),
            named("remark", cites=("lemma",)),
            named("behind", cites=("remark",)),
            named("false", cites=("lemma",)),
            named("false/repaired", repairs="false"),
        )
    }
    verdicts = {**dict.fromkeys(claims, "proved"), "false": "refuted"}
    assert dict(impact("lemma", claims, verdicts)) == {
        "theorem": "its proof uses it",
        "corollary": "its proof uses it",
        "remark": "holds: proved here without it",
        "false": "fails as printed; holds as false/repaired",
    }


def test_no_claim_that_uses_another_is_said_to_hold_without_it(ledger: dict[str, ledger.Entry]) -> None:
    """Over the whole ledger, and through other claims: the fault of 0.1.0 at ours/round."""
    used = {name: {name} for name in ledger}
    for name in used:
        stack = [name]
        while stack:
            new = set(ledger[stack.pop()].uses) - used[name]
            used[name] |= new
            stack += new
    assert any("ours/round" in below for name, below in used.items() if name != "ours/round")
    for label in ("ours/round", "MSE", "sec:tau", "them-R-Bayes/repaired", "w-def"):
        for name, outcome in radius(ledger.values(), label):
            assert (label in used[name]) == (outcome == "its proof uses it"), (label, name, outcome)


def test_around_a_claim_is_all_that_its_explanation_names():
    claims, verdicts = ledger.load(), ledger.recorded()
    for label in ("MSE", "sec:tau2", "sec:tau2/repaired", "them-R-Bayes"):
        chosen = set(around(label, claims, verdicts))
        named = {label, *claims[label].depends_on, *(name for name, _ in impact(label, claims, verdicts))}
        assert named <= chosen
        assert {c.id for c in claims.values() if c.repairs in named} <= chosen
