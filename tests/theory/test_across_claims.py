"""Checks of the ledger as a whole: labels of the paper, consistency, what a defect affects."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from theory import ledger
from theory.across_claims import disorder, unsupported
from theory.collection import the_paper
from theory.impact import around, impact, radius, reached
from theory.kernel import classical
from theory.kernel.claim import Claim
from theory.kernel.rules.cited import Theorem
from theory.ledger import DEFECTS, Entry, load, recorded_uses
from theory.paper.numbering import OUTPUT, read

# The ledger as a whole: classified, acyclic, placed in the paper; and faults of a ledger are noticed.


@pytest.fixture
def entries(ledger: dict[str, Entry]) -> dict[str, Entry]:
    return dict(ledger)


def altered(e: Entry, **changes: object) -> Entry:
    if "uses" in changes:
        return replace(e, finding=replace(e.finding, **changes))
    return replace(e, claim=replace(e.claim, **changes))


def test_nothing_is_out_of_order(entries):
    assert disorder(entries.values()) == []
    assert unsupported(entries.values()) == {}


def test_laws_that_exclude_each_other_are_not_combined(entries):
    """The lower bound of the lock-out and the upper bound of the Gaussian model speak of the same regret."""
    lower, upper = "them-R-Bayes-SubR/lock-out/regret", "ours/sharp"
    assert entries[lower].finding.own.worlds == ("lock-out",)
    assert not entries[upper].finding.own.worlds  # they come from the claims that it uses
    finding = entries[upper].finding
    both = replace(entries[upper], finding=replace(finding, uses=(*finding.uses, lower)))
    problem = "takes laws that exclude each other: Gaussian arm means and rewards, lock-out"
    assert f"{upper}: {problem}" in disorder((entries | {upper: both}).values())
    assert unsupported((entries | {upper: both}).values())[upper] == problem
    assert unsupported([both]) == {upper: problem}  # the others as they are recorded


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


# Every label of the paper has a claim, and numbers and lines are read off the source as it compiles.

FROZEN = json.loads(OUTPUT.read_text())
SOURCE = next(
    (p / "shared" / "paper" / "random-effect-bandits.tex" for p in Path(__file__).parents if (p / "shared").exists()),
    Path("none"),
)
SMALL = r"""\declaretheorem[name=Theorem,refname={A,B}]{theorem}
\declaretheorem[name=Lemma,sibling=theorem]{lemma}
\section{One}\label{one}
\begin{align}\label{late} a \notag\\ b \end{align}  % \label{comment}
\begin{align} c \label{first}\\ d \label{second} \end{align}
\begin{align*} e \end{align*}
\begin{theorem}\label{thm} \begin{equation} f \label{inside} \end{equation} \end{theorem}
\subsection{Two}\label{two} \begin{lemma}\label{lem}\end{lemma}
\begin{figure*} \caption{g}\label{fig} \end{figure*}
\appendix \section{Three}\label{three}
"""


def test_numbers_as_latex_gives_them():
    numbers = {label: place["number"] for label, place in read(SMALL).items()}
    assert numbers == {
        "one": "Section 1",
        "late": "Eq. (1)",
        "first": "Eq. (2)",
        "second": "Eq. (3)",
        "thm": "Theorem 1",
        "inside": "Eq. (4)",
        "two": "Section 1.1",
        "lem": "Lemma 2",
        "fig": "Figure 1",
        "three": "Appendix A",
    }
    assert read(SMALL)["thm"]["line"] == 7


@pytest.mark.parametrize("label", FROZEN["labels"])
def test_label_has_a_claim(label: str) -> None:
    assert any(name == label or name.startswith(f"{label}/") for name in load()), f"no claim for {label}"


def test_the_list_is_complete() -> None:
    assert len(FROZEN["labels"]) == 65
    assert re.fullmatch(r"[0-9a-f]{64}", FROZEN["sha256"])


@pytest.mark.skipif(not SOURCE.exists(), reason="the paper's source is not distributed with the project")
def test_the_source_is_the_one_that_was_read() -> None:
    text = SOURCE.read_bytes()
    assert hashlib.sha256(text).hexdigest() == FROZEN["sha256"]
    assert read(text.decode()) == FROZEN["labels"]
    assert set(re.findall(r"\\label\{([^}]*)\}", text.decode())) == set(FROZEN["labels"])


# What depends on a claim, and what becomes of it.


def named(name: str, cites: tuple[str, ...] = (), repairs: str | None = None) -> Claim:
    return Claim(name, "step", "", lambda: None, cites=cites, repairs=repairs)


def test_a_defect_reaches_through_what_fails_and_not_behind_what_is_proved():
    depends = {"a": "d", "b": "a", "c": "b", "d": "c", "e": "a"}
    assert reached("a", depends) == {"b", "c", "d", "e"}
    assert reached("a", depends, sound=("c",)) == {"b", "c", "e"}
    assert reached("a", depends, sound=("b", "e")) == {"b", "e"}
    assert reached("e", depends) == set()


def test_a_claim_that_uses_another_does_not_hold_without_it():
    claims = {
        c.id: c
        for c in (
            named("lemma"),
            named("theorem"),
            named("corollary"),
            named("remark", cites=("lemma",)),
            named("behind", cites=("remark",)),
            named("false", cites=("lemma",)),
            named("false/repaired", repairs="false"),
            named("question", cites=("lemma",)),
            named("question/answer", repairs="question"),
        )
    }
    verdicts = {**dict.fromkeys(claims, "proved"), "false": "refuted", "question": "open"}
    uses = {"theorem": ("lemma",), "corollary": ("theorem",)}
    assert dict(impact("lemma", claims, verdicts, uses)) == {
        "theorem": "its proof uses it",
        "corollary": "its proof uses it",
        "remark": "holds: its proof does not use it",
        "false": "fails as printed; holds as false/repaired",
        "question": "open as printed; holds as question/answer",
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


def test_the_record_knows_what_every_proof_uses(ledger: dict[str, ledger.Entry]) -> None:
    """An explanation of one claim takes from the record which proofs use it."""
    recorded = {name: set(uses) for name, uses in recorded_uses().items()}
    assert recorded == {name: set(e.uses) for name, e in ledger.items()}


def test_no_claim_has_a_step_in_words(ledger: dict[str, ledger.Entry]) -> None:
    """All that a proof or a refutation assumes is a classical theorem, whose form was compared with its use."""
    theorems = {str(t) for t in vars(classical).values() if isinstance(t, Theorem)}
    assert len(theorems) >= 5
    for e in ledger.values():
        assert set(e.finding.assumes_itself) <= theorems, e.claim.id


def test_around_a_claim_is_all_that_its_explanation_names():
    claims, verdicts, uses = ledger.load(), ledger.recorded(), ledger.recorded_uses()
    for label in ("MSE", "sec:tau2", "sec:tau2/repaired", "them-R-Bayes"):
        chosen = set(around(label, claims, verdicts, uses))
        behind = {*uses[label], *claims[label].cites}
        named = {label, *behind, *(name for name, _ in impact(label, claims, verdicts, uses))}
        assert named <= chosen
        assert {c.id for c in claims.values() if c.repairs in named} <= chosen
