"""README and docs/: code blocks run, labels and files they name exist, lines have a readable length."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from theory.kernel.claim import REGISTRY
from theory.ledger import load

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
SMALLER = {"runs=1_000": "runs=4", "runs=2_000": "runs=4", "horizon=10_000": "horizon=500"}


def blocks(page: Path) -> list[str]:
    """The Python code of a page, block by block."""
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run(code: str, names: dict[str, object]) -> None:
    for size, smaller in SMALLER.items():
        code = code.replace(size, smaller)
    exec(code, names)


@pytest.mark.parametrize("page", ["README.md", "docs/lesson.md"])
def test_the_code_runs(page, capsys):
    """In one namespace, at a smaller size."""
    names: dict[str, object] = {"__name__": "page"}
    for code in blocks(ROOT / page):
        run(code, names)
    assert capsys.readouterr().out


def test_the_quick_start_prints_what_it_says(capsys):
    """At its full size: a comment under `print` is what it prints."""
    code = blocks(ROOT / "README.md")[0]
    exec(code, {"__name__": "page"})
    assert capsys.readouterr().out.splitlines() == re.findall(r"^# (.*)", code, re.M)


def test_the_claim_in_the_guide_is_proved():
    before = set(REGISTRY)
    try:
        run(blocks(ROOT / "docs/adding-a-claim.md")[0], {"__name__": "guide"})
        (name,) = set(REGISTRY) - before
        finding = REGISTRY[name].build().check()
        assert finding.ok
        assert finding.verdict == "proved"
        assert len(finding.mutants) >= 3
    finally:
        for name in set(REGISTRY) - before:
            del REGISTRY[name]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_claims_that_a_page_names_exist(page):
    named = re.findall(r"python -m theory ([a-zA-Z][^\s`]*)", page.read_text(encoding="utf-8"))
    assert set(named) - set(load()) - {"LABEL", "means/harmonic"} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_files_that_a_page_links_exist(page):
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_lines_of_the_readme_are_readable():
    assert max(map(len, (ROOT / "README.md").read_text(encoding="utf-8").splitlines())) <= 200
