"""The README says what the ledger says."""

import pytest

from reports.tools.readme import PICTURES, README, ROOT, findings, picture, put


def test_the_findings_in_the_readme_are_those_of_the_ledger(ledger):
    text = README.read_text(encoding="utf-8")
    assert put(text, "findings", findings(ledger.values())) == text, "run: python -m reports.tools.readme"


def test_marks_must_stand_once():
    with pytest.raises(ValueError, match="must stand there once"):
        put("no marks", "findings", "x")


def test_a_changed_finding_is_seen():
    text = README.read_text(encoding="utf-8")
    assert put(text, "findings", "something else") != text


def test_pictures_stand_alone_and_are_small():
    for name in PICTURES:
        file = ROOT / "reports" / "pictures" / f"{name}.svg"
        text = file.read_text(encoding="utf-8")
        assert "currentColor" not in text
        assert "var(--" not in text
        assert file.stat().st_size < 200_000
        assert f"reports/pictures/{name}.svg" in README.read_text(encoding="utf-8")


def test_ink_and_paper_are_made_explicit():
    made = picture('<svg viewBox="0 0 10 5"><path stroke="currentColor" fill="var(--blue, #1f6fc4)"/></svg>')
    assert 'stroke="#1a1a1a"' in made
    assert 'fill="#1f6fc4"' in made
    assert '<rect x="0" y="0" width="10" height="5" fill="#fff"/>' in made
