"""The ledger as a section: verdicts counted, contradictions raised, no trace of the clock."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reports.core.jobs import Options, Tools
from reports.sections import ledger
from tests.reports.page.samples import record
from theory.ledger import settle


@pytest.fixture(scope="module")
def few() -> list[dict[str, Any]]:
    """Three real claims, settled: one of each side of a repair, and one that holds."""
    ids = ["w-def", "w-def/bounds", "w-def/bounds/repaired"]
    return [ledger._record(entry, []) for entry in settle(ids)]


def test_records_are_json_and_know_no_clock(few: list[dict[str, Any]]) -> None:
    text = json.dumps(few)
    assert "seconds" not in text
    assert [c["ours"] for c in few] == [False, False, True]


def test_a_counterexample_is_shown_exactly_and_in_decimals(few: list[dict[str, Any]]) -> None:
    refuted = few[1]
    assert refuted["verdict"] == "refuted"
    assert refuted["example"]["right"] == {"tex": r"\frac{1}{2}", "decimal": "0.50000"}
    assert refuted["relation"]["op"] == "<="
    assert refuted["relation"]["left"] == r"\frac{{\sigma_0^2}}{{\sigma^2}}"
    assert few[0]["relation"] is None


def test_words_in_a_counterexample_stay_words() -> None:
    assert ledger._shown("equal to mu_k") == {"text": "equal to mu_k"}
    assert ledger._shown("fair") == {"text": "fair"}
    assert ledger._shown(["1", "2/3"]) == {"tex": r"(1, \frac{2}{3})", "decimal": "0.66667"}


def test_tally_counts_the_papers_claims_only() -> None:
    claims = [
        record("a"),
        record("b", "refuted", repaired_by="b/repaired"),
        record("b/repaired", ours=True, repairs="b"),
        record("c", "gap", repaired_by="c/repaired"),
        record("c/repaired", "gap", ours=True),
        record("d", "supported"),
    ]
    counted = ledger.tally(claims)
    assert (counted["paper"], counted["ours"], counted["hold"], counted["fail"], counted["repaired"]) == (
        4,
        2,
        2,
        2,
        1,
    )


def test_what_cannot_be_trusted_is_an_alert() -> None:
    outcome = {"claims": [record("a"), record("b", problem="z3 says unknown")], "disorder": ["c: dangling"]}
    panel = ledger.analyse(Options(), [outcome])[0]
    assert panel.alerts == ("b: z3 says unknown; python -m theory b", "c: dangling; python -m theory")
    assert "2 claims of the paper 2 hold" in panel.finding
    assert panel.data["claims"] == outcome["claims"]


def test_the_unit_is_bound_to_the_sources_of_theory() -> None:
    unit = ledger.units(Options())[0]
    assert unit.run is ledger.claim_records
    assert len(unit.settings["theory"]) == 64
    assert Tools().executor is None
