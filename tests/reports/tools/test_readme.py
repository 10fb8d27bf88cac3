"""The picture of the README, and docs/findings.md against the ledger."""

from reports.tools.readme import FINDINGS, FOLDER, PICTURES, findings_markdown, picture


def test_docs_findings_are_those_of_the_ledger(ledger):
    new = findings_markdown(entry.as_json() for entry in ledger.values())
    assert FINDINGS.read_text(encoding="utf-8") == new, "run: python -m reports.tools.readme"


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
