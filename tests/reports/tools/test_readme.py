"""Files of the repository made from the ledger: docs/findings.md and the pictures of the README."""

from __future__ import annotations

import re
from typing import Any

from reports.tools.readme import FINDINGS, FOLDER, LAWS, PICTURES, WIDTH, findings_markdown, picture
from tests.reports.page.samples import real_claims, record
from theory.ledger import load
from theory.render.laws import laws_markdown

# The picture of the README, and docs/findings.md against the ledger.


def test_docs_findings_are_those_of_the_ledger(ledger):
    new = findings_markdown(entry.as_json(details=False) for entry in ledger.values())
    assert FINDINGS.read_text(encoding="utf-8") == new, "run: python -m reports.tools.readme"


def test_docs_laws_are_those_of_the_claims(ledger):
    page = LAWS.read_text(encoding="utf-8")
    assert page == laws_markdown(load()), "run: python -m reports.tools.readme"
    headings = {line.removeprefix("### ").casefold() for line in page.splitlines() if line.startswith("### ")}
    taken = {law for entry in ledger.values() for law in entry.laws}
    assert len(taken) > 50
    assert {law.casefold() for law in taken} == headings


def test_pictures_stand_alone_and_are_small():
    for name in PICTURES.values():
        file = FOLDER / f"{name}.svg"
        text = file.read_text(encoding="utf-8")
        assert "currentColor" not in text
        assert "var(--" not in text
        assert file.stat().st_size < 200_000


def test_ink_and_paper_are_made_explicit():
    made = picture('<svg viewBox="0 0 10 5"><path stroke="currentColor" fill="var(--blue, #1f6fc4)"/></svg>')
    assert 'stroke="#1a1a1a"' in made
    assert 'fill="#1f6fc4"' in made
    assert '<rect x="0" y="0" width="10" height="5" fill="#fff"/>' in made


# docs/findings.md: every defect of the paper, by severity.


def claim(id: str, verdict: str = "refuted", **more: Any) -> dict[str, Any]:
    return record(id, verdict, **more)


def labels(page: str) -> list[str]:
    return [line.split("`")[1] for line in page.splitlines() if line.startswith("### ")]


def test_the_worst_comes_first_and_only_defects_of_the_paper_are_listed() -> None:
    claims = [
        claim("typo", "misprint", severity="wording"),
        claim("step", "gap", severity="argument"),
        claim("lemma", severity="result"),
        claim("step-2", severity="argument"),
        claim("fine", "proved"),
        claim("ours", by="us"),
    ]
    assert labels(findings_markdown(claims)) == ["lemma", "step-2", "step", "typo"]


def test_a_defect_has_reason_counterexample_and_repair() -> None:
    example = {"K": "1", "n": ["1", "2"], "left": "1/3", "right": "3/8"}
    bad = claim(
        "b", why="ReUCB* and\nReUCB*, if a <b", counterexample=example, repaired_by="b/repaired", number="Lemma 5"
    )
    good = claim("b/repaired", "proved", says=r"|x| \le 1;\qquad y = 2", repairs="b", by="us", level="engines")
    page = findings_markdown([bad, good])
    assert page.endswith(
        "### Lemma 5, `b`: refuted\n\n"
        "ReUCB\\* and ReUCB\\*, if a \\<b\n\n"
        "Counterexample: K = 1, n = (1, 2): 1/3 against 3/8.\n\n"
        "Instead, `b/repaired` (proved, engines):\n\n"
        "$$\n|x| \\le 1\n$$\n\n$$\ny = 2\n$$\n"
    )


def test_every_defect_of_the_ledger_has_a_heading_and_lines_of_text_are_short() -> None:
    page = findings_markdown(real_claims())
    wrong = [c["id"] for c in real_claims() if c["by"] == "paper" and c["verdict"] in ("refuted", "gap", "misprint")]
    assert sorted(labels(page)) == sorted(wrong)
    text = re.sub(r"\$\$.*?\$\$", "", page, flags=re.S)
    assert max(map(len, text.splitlines())) <= WIDTH
