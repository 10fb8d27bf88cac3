"""MovieLens from the command line: errors in a file of the user, and results that do not name its folder."""

from __future__ import annotations

from dataclasses import replace

from reports.core.cli import main
from reports.sections.common import experiments
from reports.sections.common.experiments import BUDGETS
from tests.theory.experiments.movielens_files import full_size_copy, write_1m


def test_the_command_names_the_line_and_leaves_the_page(tmp_path, capsys):
    folder = write_1m(tmp_path, ["1::x::5::9"], ["1::F::25::7::1"])
    out = tmp_path / "out"
    out.mkdir()
    (out / "index.html").write_text("the last page")
    assert main(["--only", "movielens", "--movielens", str(folder), "--out", str(out)]) == 1
    assert (
        "ratings.dat:1: movie 'x': must be a whole number of at most 18 digits; the last page is unchanged"
        in capsys.readouterr().err
    )
    assert (out / "index.html").read_text() == "the last page"


def test_kept_results_do_not_name_the_folder(tmp_path, monkeypatch):
    """Two copies of the same data in different folders share their results; the path is in no file."""
    monkeypatch.setitem(experiments.BUDGETS, "quick", replace(BUDGETS["quick"], horizon=200, movielens_runs=2))
    out = tmp_path / "out"
    kept = []
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        folder = full_size_copy(tmp_path / name)
        assert main(["--only", "movielens", "--movielens", str(folder), "--out", str(out)]) == 0
        kept.append({path.name for path in (out / "data" / "units").iterdir()})
    assert kept[0] == kept[1]
    assert not [path for path in out.rglob("*.json") if str(tmp_path).encode() in path.read_bytes()]
