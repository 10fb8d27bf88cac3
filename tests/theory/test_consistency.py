"""The ledger as a whole: classified, acyclic, placed in the paper; and faults of a ledger are noticed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from theory.collection import the_paper
from theory.consistency import disorder, unsupported
from theory.ledger import DEFECTS, Entry


@pytest.fixture
def entries(ledger: dict[str, Entry]) -> dict[str, Entry]:
    return dict(ledger)


def altered(e: Entry, **changes: object) -> Entry:
    return replace(e, claim=replace(e.claim, **changes))


def test_nothing_is_out_of_order(entries):
    assert disorder(entries.values()) == []
    assert unsupported(entries.values()) == {}


def test_every_claim_of_the_paper_has_a_place(entries):
    for e in entries.values():
        if e.claim.by == "paper":
            assert e.place is not None, e.claim.id
            assert str(e.place) == e.where
            assert e.as_json()["line"] == e.place.line
    lines = [e.place.line for e in entries.values() if e.claim.by == "paper"]
    assert lines == sorted(lines)


def test_a_place_is_a_number_a_label_and_a_line(entries):
    assert entries["sec:tau2"].where == "Lemma 8, sec:tau2, line 883"
    assert entries["sec:tau2/last-inequality"].where == "Lemma 8, sec:tau2, line 896"
    assert entries["sec:tau2/repaired"].where == "Lemma 8, sec:tau2, line 883"
    assert entries["sec:discussion/improves"].where == "Section 8, sec:conclusions, line 567"
    assert entries["sec:tau2/sharp"].where == "ours, on Lemma 8, sec:tau2"


def test_repairs_and_our_own_results_are_not_counted_as_the_papers(entries):
    for e in entries.values():
        if e.claim.repairs or e.claim.id.startswith("ours/"):
            assert e.claim.by == "us", e.claim.id
        if e.verdict in DEFECTS:
            assert e.claim.by == "paper", e.claim.id


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        ("ours/round", {"uses": ("sec:tau2",)}, "ours/round: uses sec:tau2, which is refuted"),
        ("MSE", {"cites": ("nowhere",)}, "MSE: cites unknown claim nowhere"),
        ("w-def", {"uses": ("ours/sharp",)}, "proofs use each other in a circle"),
        ("sec:tau2", {"severity": None}, "sec:tau2: refuted, but severity=None"),
        ("sec:tau2", {"cause": "weather"}, "sec:tau2: cause=weather is not in the table of causes"),
        ("sec:tau2", {"severity": "edge"}, "sec:tau2: severity=edge, but sec:tau2/repaired does not prove the printed"),
        ("wto1w", {"severity": "result"}, "wto1w: a misprint, but severity=result"),
        ("MSE", {"severity": "edge"}, "MSE: proved, but severity=edge"),
        ("sec:tau2/repaired", {"repairs": "nowhere"}, "sec:tau2/repaired: repairs unknown claim nowhere"),
    ],
)
def test_a_fault_is_noticed(entries, name, changes, said):
    entries[name] = altered(entries[name], **changes)
    if "uses" in changes and name == "w-def":
        entries["ours/sharp"] = altered(entries["ours/sharp"], uses=("w-def",))
    assert any(problem.startswith(said) for problem in disorder(entries.values())), disorder(entries.values())


def test_every_cause_is_used(entries):
    assert {e.claim.cause for e in entries.values() if e.claim.cause} == set(the_paper().causes)
