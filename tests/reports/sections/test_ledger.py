"""The ledger as a section: counts of verdicts, alerts for contradictions, no dependence on time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reports.core.jobs import Options, Tools
from reports.sections import ledger
from reports.sections.common.claim_tex import relation_tex, shown_value
from tests.reports.page.samples import record
from theory.ledger import check_claims


@pytest.fixture(scope="module")
def few() -> list[dict[str, Any]]:
    """Three real claims after their checks: one of each side of a repair, and one that holds."""
    ids = ["w-def", "sec:tau2", "sec:tau2/repaired"]
    return [ledger._record(entry, []) for entry in check_claims(ids)]


def test_records_are_json_without_times(few: list[dict[str, Any]]) -> None:
    text = json.dumps(few)
    assert "seconds" not in text
    assert [c["by"] for c in few] == ["paper", "paper", "us"]


def test_a_counterexample_is_shown_exactly_and_in_decimals(few: list[dict[str, Any]]) -> None:
    refuted = few[1]
    assert refuted["verdict"] == "refuted"
    assert refuted["example"]["right"] == {"tex": r"\frac{3}{8}", "decimal": "0.37500"}
    assert refuted["relation"]["op"] == ">="
    assert r"\sigma_0^{2}" in refuted["relation"]["left"]
    assert refuted["section"] == "Appendix G"
    assert few[0]["relation"] is None


def test_words_in_a_counterexample_stay_words() -> None:
    assert shown_value("equal to mu_k") == {"text": "equal to mu_k"}
    assert shown_value("fair") == {"text": "fair"}
    assert shown_value("sigma_sq/n_1 = 1/2") == {"tex": r"\frac{\sigma^{2}}{n_{1}} = \frac{1}{2}", "decimal": ""}
    assert shown_value(["1", "2/3"]) == {"tex": r"(1, \frac{2}{3})", "decimal": "0.66667"}


def test_tally_counts_the_papers_claims_only() -> None:
    claims = [
        record("a"),
        record("b", "refuted", repaired_by="b/repaired"),
        record("b/repaired", by="us", repairs="b"),
        record("c", "gap", repaired_by="c/repaired"),
        record("c/repaired", "gap", by="us"),
        record("d", "supported"),
    ]
    counted = ledger.tally(claims)
    names = ("paper", "repairs", "own", "hold", "fail", "repaired")
    assert [counted[name] for name in names] == [4, 1, 1, 2, 2, 1]


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


@pytest.mark.parametrize(
    ("typed", "tex"),
    [
        ("sigma0_sq - sigma_mu_sq != 0", r"\sigma_{0}^{2} - \sigma_{\mu}^{2} \ne 0"),
        ("K*sigma_q_sq < s", r"K \sigma_{q}^{2} < \sigma^{2}"),
        ("n*s0**2 > s**2", r"\sigma_0^{4} n_k > \sigma^{4}"),
        ("a*log(2) < 1 and K > 1", r"a \log{\left(2 \right)} < 1 \text{ and } K > 1"),
        ("1/lambda <= 0", r"\frac{1}{\lambda} \le 0"),
        ("sum_k E n_k (rbar_k - mu_k)^2 != 0", None),
        ("Cov(n_k, rbar_k) != 0", None),
        ("__import__('os') > 0", None),
        ("", None),
    ],
)
def test_regions_are_set_in_the_letters_of_the_paper(typed: str, tex: str | None) -> None:
    """Words and calls are kept as typed; nothing typed is executed."""
    assert relation_tex(typed) == tex


def test_the_record_is_used_for_its_own_version_of_theory_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recorded ledger is read back as it was written; for other sources the claims are checked again."""
    monkeypatch.setattr(ledger, "RECORDED", tmp_path / "ledger.json.gz")
    assert ledger.recorded_outcome(ledger.sources()) is None
    outcome = {"claims": [record("a")], "disorder": []}
    ledger.write_record(outcome)
    first = ledger.RECORDED.read_bytes()
    assert ledger.claim_records({"theory": ledger.sources()}, Tools()) == json.loads(json.dumps(outcome))
    assert ledger.recorded_outcome("other sources") is None
    ledger.write_record(outcome)
    assert ledger.RECORDED.read_bytes() == first
