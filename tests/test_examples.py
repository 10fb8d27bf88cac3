"""The scripts in examples/ run and print what the comment at their end says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
HEADING = "# Output:\n"


def documented(script: Path) -> str:
    """The output in the comment at the end of the script."""
    _, _, comment = script.read_text(encoding="utf-8").partition(HEADING)
    return "".join(line.removeprefix("#").removeprefix(" ") for line in comment.splitlines(keepends=True))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_prints_what_it_says(script):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-W", "error", str(script)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout == documented(script)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_is_short(script):
    code = script.read_text(encoding="utf-8").partition(HEADING)[0]
    assert len(code.splitlines()) < 60


def test_there_are_examples_for_every_guide():
    assert {path.stem for path in SCRIPTS} >= {
        "recommender",
        "compare_policies",
        "batting_averages",
        "is_the_bound_useful",
        "more_arms_than_rounds",
        "refute_a_claim",
    }
