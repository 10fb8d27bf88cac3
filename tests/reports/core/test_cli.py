"""The command line and its output folder, with a toy section; the default report, killed and resumed (slow)."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import re
import runpy
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, CancelledError
from contextlib import nullcontext
from html import escape
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from rich.console import Console

from reports.core import cli, make, store
from reports.core.cli import shown
from reports.core.jobs import Options, Outcome, Report, Section, Settings, Tools, Unit
from reports.core.panel import Panel, Table

STATE: dict[str, tuple[str, ...]] = {"alerts": ()}
FAILURES: list[BaseException] = []  # what units raise


def double(settings: Settings, tools: Tools) -> Outcome:
    if settings["i"] >= int(os.environ.get("TOY_HANG_FROM", "1000")):
        signal.pause()  # until killed
    if FAILURES:
        raise FAILURES[0]
    return {"twice": 2 * settings["i"] + settings["seed"] / 3}


def units(options: Options) -> Sequence[Unit]:
    return [Unit(double, {"i": i, "seed": options.seed}) for i in range(6 if options.budget == "full" else 3)]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> Sequence[Panel]:
    rows = tuple((i, outcome["twice"]) for i, outcome in enumerate(outcomes))
    return [
        Panel(
            id="toy",
            title="Toy & <co>",
            finding=f"The largest is {max(twice for _, twice in rows)} [of {len(rows)}].",
            table=Table(("i", "twice"), rows),
            data={"rows": rows},
            reproduce=options.command("toy"),
            alerts=STATE["alerts"],
        )
    ]


def plain_page(report: Report) -> str:
    """A page without the ledger: what panels say, and the command."""
    return report.command + "\n".join(f"{escape(p.title)} {p.finding} {p.reproduce}" for p in report.panels)


TOY = Section("toy", "A toy", "toys", units, analyse)
OTHER = Section("other", "Without panels", "toys2", lambda options: [], lambda options, got: [])
SECTIONS = (TOY, OTHER)


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "sections", lambda: SECTIONS)
    monkeypatch.setattr(make, "_page", plain_page)
    monkeypatch.setitem(STATE, "alerts", ())


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_makes_page_and_data_and_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--out", str(tmp_path), "--seed", "3"]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""  # quiet in a pipe
    assert "The largest is 5.0 [of 3]." in printed.out
    assert str(tmp_path / "index.html") in printed.out
    assert (tmp_path / "data" / "toy.csv").read_text() == "i,twice\n0,1.0\n1,3.0\n2,5.0\n"
    assert json.loads((tmp_path / "data" / "toy.json").read_text())["data"] == {"rows": [[0, 1.0], [1, 3.0], [2, 5.0]]}
    page = (tmp_path / "index.html").read_text()
    assert "Toy &amp; &lt;co&gt;" in page
    assert "python -m reports --only toy --seed 3" in page
    assert str(tmp_path) not in page


def test_second_run_computes_nothing_and_changes_no_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["--out", str(tmp_path)]) == 0
    before = contents(tmp_path)
    monkeypatch.setenv("TOY_HANG_FROM", "not a number")  # a unit that ran would raise
    assert cli.main(["--out", str(tmp_path)]) == 0
    assert contents(tmp_path) == before


def test_full_seed_and_only_are_passed_to_the_units(tmp_path: Path) -> None:
    assert cli.main(["--out", str(tmp_path), "--full", "--only", "toys"]) == 0
    data = json.loads((tmp_path / "data" / "toy.json").read_text())
    assert len(data["data"]["rows"]) == 6
    assert data["reproduce"] == "python -m reports --only toy --full"


def test_list_names_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--list"]) == 0
    out = capsys.readouterr().out
    assert "toy" in out
    assert "Without panels" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--only", "nothing"],
            "--only must name a section or a group of other, toy, toys, toys2; got 'nothing'",
        ),
        (["--seed", "-1"], "must be 0 or more, got -1"),
        (["--workers", "0"], "must be from 1 to 4096, got 0"),
        (["--workers", "99999999999"], "must be from 1 to 4096, got 99999999999"),
        (["--workers", "2", "--scheduler", "tcp://x:1"], "exclude each other"),
        (["--scheduler", "nonsense"], "must be tcp://HOST:PORT or tls://HOST:PORT, got 'nonsense'"),
        (["--scheduler", "tcp://host"], "must be tcp://HOST:PORT"),
        (["--scheduler", "tcp://host:99999"], "must be tcp://HOST:PORT"),
        (["--scheduler", "http://host:80"], "must be tcp://HOST:PORT"),
        (["--seed", "9" * 5_000], "must be 0 or more, got " + "9" * 40 + "\n"),
        (["--movielens", "no/such/folder"], "--movielens must be a folder, got 'no/such/folder'"),
    ],
)
def test_bad_arguments_are_named(
    tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--out", str(tmp_path / "new"), *arguments])
    assert stop.value.code == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_contradiction_is_printed_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    STATE["alerts"] = ("regret above the bound; reproduce: python -m reports --only toy",)
    assert cli.main(["--out", str(tmp_path)]) == 1
    assert "contradiction: regret above the bound; reproduce: python -m reports" in capsys.readouterr().out


@pytest.mark.parametrize("victim", ["index.html", "toy.json"])
def test_full_disk_leaves_the_previous_page(
    tmp_path: Path, victim: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--out", str(tmp_path)]) == 0
    page = (tmp_path / "index.html").read_bytes()
    replace = os.replace

    def full(source: Path, target: Path) -> None:
        if target.name == victim:
            raise OSError(28, "No space left on device", str(target))
        replace(source, target)

    monkeypatch.setattr(os, "replace", full)
    assert cli.main(["--out", str(tmp_path), "--seed", "1"]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert (tmp_path / "index.html").read_bytes() == page
    assert not list(tmp_path.rglob(".*"))


def test_unwritable_folder_is_a_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert cli.main(["--out", str(tmp_path / "file")]) == 1
    assert "error: cannot write or read" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "in the way"


def test_scheduler_that_does_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(executor: object) -> None:
        raise OSError(f"timed out trying to connect to {executor}")

    monkeypatch.setattr("reucb.simulation.opened", refuse)
    assert cli.main(["--out", str(tmp_path / "new"), "--scheduler", "tcp://127.0.0.1:1"]) == 1
    assert "error: --scheduler tcp://127.0.0.1:1" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_tls_without_certificates_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Dask raises a TypeError about an SSL context before it connects anywhere."""
    pytest.importorskip("distributed")
    assert cli.main(["--out", str(tmp_path / "new"), "--scheduler", "tls://127.0.0.1:1"]) == 1
    message = capsys.readouterr().err
    assert "error: --scheduler tls://127.0.0.1:1: TLS" in message
    assert "Traceback" not in message


@pytest.mark.parametrize("error", [CancelledError(), ConnectionResetError("gone"), BrokenExecutor("a worker died")])
def test_lost_scheduler_is_named_and_finished_units_are_kept(
    tmp_path: Path, error: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("reucb.simulation.opened", lambda executor: nullcontext())
    monkeypatch.setattr(f"{__name__}.FAILURES", [error])
    assert cli.main(["--out", str(tmp_path), "--scheduler", "tcp://127.0.0.1:8786"]) == 1
    message = capsys.readouterr().err
    assert message.startswith("error: --scheduler tcp://127.0.0.1:8786: ")
    assert "the same command resumes" in message
    monkeypatch.setattr(f"{__name__}.FAILURES", [])
    assert cli.main(["--out", str(tmp_path), "--scheduler", "tcp://127.0.0.1:8786"]) == 0


def test_a_fault_of_the_program_is_not_explained_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.FAILURES", [ZeroDivisionError("a bug")])
    with pytest.raises(ZeroDivisionError, match="a bug"):
        cli.main(["--out", str(tmp_path)])


class Interrupting(MetaPathFinder):
    """Ctrl-C at the moment when this module is about to be loaded."""

    def __init__(self, module: str) -> None:
        self.module = module

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        if fullname == self.module:
            raise KeyboardInterrupt


@pytest.mark.parametrize("module", ["reports.core.cli", "reports.core.make"])
def test_interrupt_while_modules_load_is_one_line(
    module: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("reports.core.cli", "reports.core.make"):
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(module), *sys.meta_path])
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("reports", run_name="__main__")
    assert stop.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_standard_output_that_is_full_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(argv: object = None) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cli, "main", full)
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("reports", run_name="__main__")
    assert stop.value.code == 1
    assert capsys.readouterr().err == "python -m reports: [Errno 28] No space left on device\n"


def test_progress_has_a_line_for_each_section_on_a_terminal() -> None:
    written = io.StringIO()
    with shown(Console(file=written, force_terminal=True, width=200), {"toy": "A toy"}) as tick:
        for done in range(3):
            tick("toy", done, 2)
    assert re.search(r"\d\.\d s  A toy", written.getvalue())


def test_progress_is_silent_in_a_pipe() -> None:
    written = io.StringIO()
    with shown(Console(file=written, force_terminal=False), {"toy": "A toy"}) as tick:
        tick("toy", 1, 1)
    assert written.getvalue() == ""


SCRIPT = "import sys; from tests.reports.core import test_cli as toy; sys.exit(toy.run_alone(sys.argv[1:]))"


def run_alone(arguments: list[str]) -> int:
    """The toy report in a process of its own."""
    cli.sections = lambda: SECTIONS  # type: ignore[assignment]  # a short list instead of all
    make._page = plain_page
    return cli.main(arguments)


def start(out: Path, hang_from: int = 1000) -> subprocess.Popen[bytes]:
    environment = os.environ | {"TOY_HANG_FROM": str(hang_from)}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, "--out", str(out), "--full"],
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def test_killed_and_started_again_gives_the_same_bytes_as_two_at_once(tmp_path: Path) -> None:
    """Made in one go, by a run that is killed after its first unit, and by two runs at once: the same."""
    store.source_digest.cache_clear()  # as the new processes see the sources now
    killed = start(tmp_path / "killed", hang_from=1)
    while not list((tmp_path / "killed").rglob("units/*.json")):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / "killed" / "index.html").exists()
    runs = [start(tmp_path / "killed"), start(tmp_path / "both"), start(tmp_path / "both")]
    assert [run.wait() for run in runs] == [0, 0, 0]
    assert cli.main(["--out", str(tmp_path / "whole"), "--full"]) == 0
    whole = contents(tmp_path / "whole")
    assert contents(tmp_path / "killed") == whole
    assert contents(tmp_path / "both") == whole


def test_registry_refuses_two_sections_of_one_name() -> None:
    with pytest.raises(ValueError, match="got twice: other, toy"):
        make.sections(["tests.reports.core.test_cli", "tests.reports.core.test_cli"])


def test_sections_are_chosen_by_name_or_group() -> None:
    assert make.choose(SECTIONS, []) == SECTIONS
    assert make.choose(SECTIONS, ["toys"]) == (TOY,)
    assert make.choose(SECTIONS, ["other"]) == (OTHER,)


ROOT = Path(__file__).parent.parent.parent.parent


def start_report(out: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "reports", "--out", str(out)], cwd=ROOT, stdout=subprocess.DEVNULL)


def digests(out: Path) -> dict[str, str]:
    """Everything a reader sees: the page and the data of its panels (not the kept units)."""
    files = [out / "index.html", *sorted((out / "data").glob("*.*"))]
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


@pytest.mark.slow
def test_a_report_killed_at_random_moments_ends_with_the_same_bytes(tmp_path):
    whole = start_report(tmp_path / "whole")
    assert whole.wait() == 0
    rng = random.Random(0)
    for _ in range(6):
        run = start_report(tmp_path / "killed")
        try:
            run.wait(timeout=rng.uniform(2, 25))
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGKILL)
            run.wait()
    assert start_report(tmp_path / "killed").wait() == 0
    assert digests(tmp_path / "killed") == digests(tmp_path / "whole")
    assert (tmp_path / "whole" / "index.html").stat().st_size < 5_000_000
