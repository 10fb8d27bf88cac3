"""`python -m theory`: one claim explained, verdicts recorded, another paper's claims, unwritable targets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from theory import cli, ledger

ROOT = Path(__file__).parents[2]
PAPER = '''
import sympy as sp
from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, positive

x, y = sp.symbols("x y")
ABOVE_0 = {x: positive(), y: positive()}


@claim("means/harmonic", where="any textbook", kind="inequality", says=r"2xy/(x+y) \\\\le (x+y)/2")
def harmonic():
    """The difference is a square over a positive number."""
    return proof(Goal(Rel(2 * x * y / (x + y), "OP", (x + y) / 2), ABOVE_0, name="means", squares=(x - y,)))


@claim("means/false", where="nowhere", kind="inequality", says=r"x \\\\le y", by="paper")
def false():
    """Any x above y."""
    return refuted(Goal(Rel(x, "<=", y), ABOVE_0, name="false"))
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Claims of another paper."""
    claims = tmp_path / "means"
    claims.mkdir()
    (claims / "inequalities_of_means.py").write_text(PAPER.replace("OP", "<="))
    return claims


def theory(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "theory", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)


def test_an_unknown_label_is_answered_with_the_nearest_ones(capsys):
    assert cli.main(["sec:tau3"]) == 1
    assert "no claim 'sec:tau3'; nearest: sec:tau, sec:tau2" in capsys.readouterr().err
    assert cli.main(["weird $(label)"]) == 1
    assert capsys.readouterr().err == "python -m theory: no claim 'weird $(label)'\n"


def test_a_claim_is_explained_and_nothing_else_is_checked(capsys, monkeypatch):
    checked = []
    settle = ledger.settle

    def watched(ids=None, progress=None, collection=None):
        checked.extend(ids)
        return settle(ids, progress, collection)

    monkeypatch.setattr(cli, "settle", watched)
    assert cli.main(["sec:tau2"]) == 0
    shown = capsys.readouterr().out
    assert checked == ["sec:tau2"]
    assert "where          Lemma 8, sec:tau2, line 883" in shown
    assert "verdict        refuted" in shown
    assert "severity       result; cause: reversed-inequality" in shown
    assert "left side = 1/3, right side = 3/8" in shown
    assert "repaired by    sec:tau2/repaired (proved)" in shown


def test_fresh_checks_the_neighbours_too(capsys, monkeypatch):
    checked = []
    settle = ledger.settle

    def watched(ids=None, progress=None, collection=None):
        checked.extend(ids)
        return settle(ids, progress, collection)

    monkeypatch.setattr(cli, "settle", watched)
    assert cli.main(["MSE0/first-step", "--fresh"]) == 0
    assert {"MSE0", "MSE0/first-step", "MSE0/first-step/repaired"} <= set(checked)
    assert len(checked) < 10


def test_claims_of_another_paper(folder):
    found = theory("--claims", folder, "--json")
    assert (found.returncode, found.stderr) == (0, "")
    harmonic, false = json.loads(found.stdout)
    assert (harmonic["verdict"], harmonic["by"], harmonic["where"]) == ("proved", "us", "any textbook")
    assert (false["verdict"], false["by"], false["severity"]) == ("refuted", "paper", None)
    table = theory("--claims", folder)
    assert table.stdout.startswith("means\n")
    assert "Random Effect" not in table.stdout
    assert "1 claims of the paper: 1 refuted" in table.stdout
    explained = theory("--claims", folder, "means/harmonic")
    assert "verdict        proved" in explained.stdout


def test_a_false_claim_is_not_recorded(folder):
    assert theory("--claims", folder, "--record").returncode == 0
    record = folder / "recorded.json"
    before = json.loads(record.read_text())
    assert before["means/harmonic"]["verdict"] == "proved"
    (folder / "inequalities_of_means.py").write_text(PAPER.replace("OP", ">="))
    failed = theory("--claims", folder, "--record")
    assert failed.returncode == 1
    assert "means/harmonic: not recorded" in failed.stderr
    assert json.loads(record.read_text()) == before
    record.unlink()
    assert theory("--claims", folder, "--record").returncode == 1
    assert list(json.loads(record.read_text())) == ["means/false"]


def test_a_proof_that_uses_what_is_not_proved_is_not_recorded(folder):
    file = folder / "inequalities_of_means.py"
    file.write_text(file.read_text().replace('where="any textbook"', 'uses=("means/false",)'))
    failed = theory("--claims", folder, "--record")
    assert failed.returncode == 1
    assert "means/harmonic: not recorded: uses means/false, which is refuted" in failed.stderr
    assert list(json.loads((folder / "recorded.json").read_text())) == ["means/false"]


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_claims_is_named(tmp_path, name):
    (tmp_path / "empty").mkdir()
    found = theory("--claims", tmp_path / name)
    assert found.returncode == 1
    assert found.stderr.startswith(f"python -m theory: --claims {tmp_path / name}: ")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize("target", ["file", "file/below", "/proc/nowhere"])
def test_export_checks_its_target_before_anything_is_settled(tmp_path, monkeypatch, capsys, target):
    (tmp_path / "file").write_text("kept")
    monkeypatch.setattr(cli, "settle", None)  # must not be reached
    folder = tmp_path / target
    assert cli.main(["--export", str(folder)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"python -m theory: --export {folder}: cannot write there: ")
    assert message.count("\n") == 1
    assert (tmp_path / "file").read_text() == "kept"
