"""Files of claims in which lemmas are refused: what is left out, what is tried again, and the order of files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from theory.coq import compiler, falsified, record
from theory.coq.check import AGAIN, INDIRECT, check, digest
from theory.coq.falsified import turned

NEEDS_COQ = [
    pytest.mark.skipif(compiler.coqc() is None, reason="coqc is not installed"),
    pytest.mark.xdist_group("coq"),
]


def lemma(name: str, said: str, proof: str = "reflexivity") -> str:
    return f"(* item: {name} *)\nLemma {name} : {said}.\nProof.\n{proof}.\nQed.\n"


FINE, WRONG = lemma("fine", "1 = 1"), lemma("wrong", "1 = 2")
USES, ELSEWHERE = lemma("uses", "1 = 2", "exact wrong"), lemma("elsewhere", "1 = 2", "exact wrong")
OTHER = lemma("other", "2 = 2")


@pytest.fixture
def development(tmp_path: Path) -> Path:
    (tmp_path / "claims_01.v").write_text(FINE + WRONG + USES)
    (tmp_path / "claims_02.v").write_text(f"From ReUCB Require Import claims_01.\n{OTHER}{ELSEWHERE}")
    return tmp_path


class TestRefused:
    pytestmark = NEEDS_COQ

    def test_only_the_lemma_that_fails_by_itself_is_a_root(self, development: Path) -> None:
        found = check(development)
        assert {"fine", "other"} <= found.accepted
        assert set(found.refused) == {"wrong", "uses", "elsewhere"}
        assert "Unable to unify" in found.refused["wrong"]
        assert found.refused["elsewhere"] == INDIRECT
        assert found.roots == {"wrong": digest(WRONG)}

    def test_the_time_of_a_proof_is_that_of_its_sentences(self, development: Path) -> None:
        (development / "claims_02.v").write_text(OTHER + lemma("slow", "1 = 1", "do 30000 (try fail); reflexivity"))
        found = check(development)
        assert set(found.times) == {"fine", "other", "slow"}
        assert found.times["slow"] > found.times["other"] + 0.001

    def test_a_text_known_to_be_refused_is_not_tried_again(
        self, development: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("theory.coq.check.survey", lambda *_: pytest.fail("nothing is left to be refused"))
        found = check(development, known={digest(WRONG)})
        assert {"fine", "other"} <= found.accepted
        assert found.refused == {"wrong": AGAIN, "uses": INDIRECT, "elsewhere": INDIRECT}
        assert found.roots == {"wrong": digest(WRONG)}

    def test_another_text_is_tried(self, development: Path) -> None:
        mended = lemma("wrong", "1 = 2 - 1")
        (development / "claims_01.v").write_text(FINE + mended)
        (development / "claims_02.v").unlink()
        found = check(development, known={digest(WRONG)})
        assert "wrong" in found.accepted
        assert found.roots == {}


def test_a_record_of_refused_lemmas_counts_only_for_the_tactics_it_was_made_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "REFUSED", tmp_path / "refused.json")
    assert record.refused() == frozenset()
    record.save_refused({"wrong": digest(WRONG)})
    assert record.refused() == {digest(WRONG)}
    monkeypatch.setattr(record, "SUPPORT", tmp_path)
    assert record.refused() == frozenset()


def test_a_false_statement_that_is_not_finished_does_not_count_as_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {"a", "b", "c"}
    found = {"a": "No applicable tactic.", "b": compiler.UNFINISHED}
    monkeypatch.setattr(falsified, "falsified", lambda item: f"Lemma {item} : 1 = 2.\n")
    monkeypatch.setattr(falsified, "survey", lambda directory, name: found)
    monkeypatch.setattr(falsified, "_accepted_items", lambda directory, claims: sorted(names))
    wrong = turned(tmp_path, [], every=1)
    assert wrong.accepted == ("c",)
    assert wrong.unfinished == ("b",)
    assert set(wrong.refused) == {"a"}


def test_a_file_waits_for_those_that_it_needs() -> None:
    def run(name: str, done: Mapping[str, int]) -> int:
        return 1 + max((done[other] for other in needs[name]), default=0)

    needs: dict[str, list[str]] = {"last": ["middle", "first"], "middle": ["first"], "first": []}
    assert compiler.in_order(needs, run) == {"last": 3, "middle": 2, "first": 1}
    with pytest.raises(ValueError, match="circular or missing dependencies"):
        compiler.in_order({"a": ["b"], "b": ["a"]}, run)
