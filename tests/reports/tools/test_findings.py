"""The table of findings: every defect, the worst first, one line each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from reports.tools.findings import findings_markdown


def entry(id: str, verdict: str, where: str = "Section 3.1, Eq. x", **more: Any) -> Any:
    """A settled claim, as far as the table looks at it."""
    claim = SimpleNamespace(
        id=id,
        kind=more.get("kind", "inequality"),
        why=more.get("why", "Because."),
        repairs=more.get("repairs"),
        depends_on=more.get("rests", ()),
    )
    finding = SimpleNamespace(counterexample=more.get("example"))
    says = more.get("says", "x = 1")
    return SimpleNamespace(
        claim=claim, finding=finding, verdict=verdict, repaired_by=more.get("by"), where=where, says=says
    )


def labels(table: str) -> list[str]:
    return [line.split("`")[1] for line in table.splitlines() if line.startswith("| `")]


def test_theorems_first_then_lemmas_then_the_rest_steps_last() -> None:
    entries = [
        entry("step", "refuted", "Section 5.2, proof of Theorem t"),
        entry("eq", "refuted"),
        entry("fine", "proved", "Theorem 3"),
        entry("lemma", "misprint", "Appendix, Lemma l"),
        entry("lemma2", "refuted", "Appendix, Lemma m"),
        entry("prose", "gap", "Section 1"),
        entry("theorem", "gap", "Section 5, Theorem t"),
    ]
    assert labels(findings_markdown(entries)) == ["theorem", "lemma2", "lemma", "eq", "prose", "step"]


def test_what_carries_more_comes_first() -> None:
    entries = [
        entry("light", "refuted"),
        entry("heavy", "refuted"),
        entry("above", "proved", rests=("heavy",)),
    ]
    assert labels(findings_markdown(entries)) == ["heavy", "light"]


def test_a_row_has_counterexample_and_repair_and_cannot_break_the_table() -> None:
    bad = entry(
        "b",
        "refuted",
        why="a | b\nc",
        example={"K": "1", "n": ["1", "2"], "left": "1/3", "right": "3/8"},
        by="b/repaired",
    )
    table = findings_markdown([bad, entry("b/repaired", "proved", says=r"|x| \le 1", repairs="b")])
    row = table.splitlines()[2]
    cells = [
        "`b`, Section 3.1",
        "refuted",
        r"a \| b c",
        "K = 1, n = (1, 2): 1/3 against 3/8",
        r"$\|x\| \le 1$ (proved)",
    ]
    assert row == f"| {' | '.join(cells)} |"


def test_the_rest_is_counted() -> None:
    entries = [entry(str(i), "refuted") for i in range(5)]
    assert findings_markdown(entries, limit=3).endswith("\n\nand 2 more: `python -m theory`.\n")
    assert len(labels(findings_markdown(entries, limit=None))) == 5
