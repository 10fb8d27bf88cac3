"""README and docs/: code blocks run, labels and files they name exist, lines have a readable length."""

from __future__ import annotations

import doctest
import math
import re
from pathlib import Path

import numpy as np
import pytest

import reucb
from theory.kernel.claim import REGISTRY
from theory.ledger import load

ROOT = Path(__file__).parent.parent
FOLDERS = (".", "examples/ucb1", "tests/theory", "theory/kernel", "theory/paper")
READMES = [ROOT / folder / "README.md" for folder in FOLDERS]
PAGES = [*READMES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
SMALLER = {"runs=1_000": "runs=4", "runs=2_000": "runs=4", "horizon=10_000": "horizon=500"}


def blocks(page: Path) -> list[str]:
    """The Python code of a page, block by block."""
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)


def run(code: str, names: dict[str, object]) -> None:
    for size, smaller in SMALLER.items():
        code = code.replace(size, smaller)
    exec(code, names)


def agent_of_the_guide() -> dict[str, object]:
    """What the code in docs/choosing.md takes from its reader: an agent that has played, and a reward."""
    agent = reucb.ReUCB(a=1.0).start(n_arms=20, seed=0)
    agent.update(np.arange(20), np.linspace(0, 1, 20))
    return {"agent": agent, "reward": 0.5}


@pytest.mark.parametrize("page", ["README.md", "docs/lesson.md"])
def test_the_code_runs(page, capsys):
    """In one namespace, at a smaller size."""
    names: dict[str, object] = {"__name__": "page"}
    for code in blocks(ROOT / page):
        run(code, names)
    assert capsys.readouterr().out


def test_the_pulls_in_the_guide_to_policies():
    names = agent_of_the_guide()
    for code in blocks(ROOT / "docs/choosing.md"):
        run(code, names)
    assert names["agent"].pending.sum() == 8  # ten pulls, one rewarded and one forgotten


def test_the_bounds_print_what_they_say(capsys):
    """At its full size: the comment after `print` ends in what it prints, a lower bound rounded down, others up."""
    (code,) = blocks(ROOT / "docs/bounds.md")
    exec(code, {"__name__": "page"})
    said = re.findall(r"^print.*: ([0-9.]+)$", code, re.M)
    lower, *others = map(float, capsys.readouterr().out.split())
    assert [math.floor(100 * lower) / 100, *(math.ceil(100 * x) / 100 for x in others)] == [float(x) for x in said]


def test_the_sessions_in_the_guide_to_intervals():
    code = "\n".join(blocks(ROOT / "docs/intervals.md"))
    session = doctest.DocTestParser().get_doctest(code, {}, "intervals.md", None, None)
    assert session.examples
    assert not doctest.DocTestRunner().run(session).failed


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


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_claims_that_a_page_names_exist(page):
    named = re.findall(r"python -m theory ([a-zA-Z][^\s`]*)", page.read_text(encoding="utf-8"))
    assert set(named) - set(load()) - {"LABEL", "means/harmonic"} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_that_a_page_links_exist(page):
    links = re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_lines_of_the_readme_are_short():
    assert max(map(len, (ROOT / "README.md").read_text(encoding="utf-8").splitlines())) <= 200
