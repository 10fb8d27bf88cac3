"""The scripts in examples/ run and print what the comment at their end says; the ledger of UCB1 likewise."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SCRIPTS = sorted((ROOT / "examples").glob("*.py"))
UCB1 = sorted((ROOT / "examples" / "ucb1").glob("*.py"))
HEADING = "# Output:\n"


def documented(script: Path) -> str:
    """The output in the comment at the end of the script."""
    _, _, comment = script.read_text(encoding="utf-8").partition(HEADING)
    return "".join(line.removeprefix("#").removeprefix(" ") for line in comment.splitlines(keepends=True))


# Runs the scripts one after the other: loading the libraries for each of them takes longer than some of them run.
# Nothing but the library is loaded before the first one, so that a script whose imports are incomplete fails.
RUNNER = """
import contextlib, io, json, runpy, sys, traceback

found = {}
for script in sys.argv[1:]:
    out, error, sys.argv = io.StringIO(), "", [script]
    with contextlib.redirect_stdout(out):
        try:
            runpy.run_path(script, run_name="__main__")
        except BaseException:
            error = traceback.format_exc()
    found[script] = out.getvalue(), error
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def printed() -> dict[str, tuple[str, str]]:
    """What every script prints, and its traceback if it fails."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUNNER, *map(str, SCRIPTS)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    found: dict[str, tuple[str, str]] = json.loads(run.stdout)
    return found


@pytest.mark.xdist_group("examples")  # the scripts run once
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_an_example_prints_what_it_says(script, printed):
    output, error = printed[str(script)]
    assert error == ""
    assert output == documented(script)


def test_the_ledger_of_another_paper_prints_what_it_says():
    """The lines after the table, as its README shows them; then all definitions."""
    command = [sys.executable, "-m", "theory", "--claims", "examples/ucb1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    shown = (ROOT / "examples" / "ucb1" / "README.md").read_text(encoding="utf-8").split("```")[3].strip()
    assert shown.startswith("11 claims of the paper")
    _, found, taken = run.stdout.partition(shown)
    assert found
    assert len(taken.strip().splitlines()) == 13
    assert "UCB1 pulls arm i only if its index is no smaller than that of the best arm:  u(t + 1, i, w)" in taken


@pytest.mark.parametrize("script", [*SCRIPTS, *UCB1], ids=lambda path: path.stem)
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
