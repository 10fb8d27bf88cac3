"""`python -m theory`: one claim explained, verdicts recorded, another paper's claims, unwritable targets."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import NamedTuple

import pytest

from theory import cli, collection, ledger
from theory.kernel.claim import REGISTRY

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


class Output(NamedTuple):
    """What a command left: its exit status and its two streams."""

    returncode: int
    stdout: str
    stderr: str


Command = Callable[..., Output]


def process(*arguments: object) -> Output:
    """`python -m theory` in a process of its own."""
    command = [sys.executable, "-m", "theory", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    return Output(run.returncode, run.stdout, run.stderr)


@pytest.fixture
def theory(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The command line in this process, which has loaded its libraries; nothing of another paper's claims is left.

    Each call imports the claims anew, from the source: a file of bytecode would be taken for that of a changed file
    whose size and second are the same.
    """
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def run(*arguments: object) -> Output:
        registry, modules = dict(REGISTRY), set(sys.modules)
        try:
            with monkeypatch.context() as patch:
                patch.setattr(sys, "path", list(sys.path))
                capsys.readouterr()
                status = cli.main([*map(str, arguments)])
        finally:
            REGISTRY.clear()
            REGISTRY.update(registry)
            for name in set(sys.modules) - modules:
                del sys.modules[name]
            collection._modules.cache_clear()
        return Output(status, *capsys.readouterr())

    return run


def test_an_unknown_label_is_answered_with_the_nearest_ones(capsys):
    assert cli.main(["sec:tau3"]) == 1
    assert "no claim 'sec:tau3'; nearest: sec:tau, sec:tau2" in capsys.readouterr().err
    assert cli.main(["weird $(label)"]) == 1
    assert capsys.readouterr().err == "python -m theory: no claim 'weird $(label)'\n"


@pytest.fixture
def checked(monkeypatch):
    """The ids of the claims that the command line checks, as they are checked."""
    ids, original = [], ledger.check_claims

    def watched(chosen, *more, **named):
        ids.extend(chosen)
        return original(chosen, *more, **named)

    monkeypatch.setattr(cli, "check_claims", watched)
    return ids


def test_a_claim_is_explained_and_nothing_else_is_checked(capsys, checked):
    assert cli.main(["sec:tau2"]) == 0
    shown = capsys.readouterr().out
    assert checked == ["sec:tau2"]
    assert "where          Lemma 8, sec:tau2, line 883" in shown
    assert "verdict        refuted" in shown
    assert "severity       result; cause: reversed-inequality" in shown
    assert "left side = 1/3, right side = 3/8" in shown
    assert "repaired by    sec:tau2/repaired (proved)" in shown


def test_where_it_fails_in_words_is_marked_as_typed(capsys):
    """The region beside it is generated from the relation that was checked, and is not marked."""
    assert cli.main(["sec:tau2"]) == 0
    lines = {line[:15].strip(): line for line in capsys.readouterr().out.splitlines()}
    assert lines["fails when"].endswith("[typed, not generated from a check]")
    assert "typed" not in lines["region"]


def test_names_in_the_evidence_are_explained(capsys):
    """Engines print a goal as they see it; what their names are called elsewhere is said before."""
    assert cli.main(["sec:tau2/repaired"]) == 0
    shown = capsys.readouterr().out
    names, evidence = shown.index("in evidence    J is K - 1, Wo is W_others"), shown.index("\nevidence  ")
    assert names < evidence


def test_fresh_checks_the_neighbours_too(checked):
    assert cli.main(["MSE0/first-step", "--fresh"]) == 0
    assert {"MSE0", "MSE0/first-step", "MSE0/first-step/repaired"} <= set(checked)
    assert len(checked) < 10


def test_claims_of_another_paper(folder, theory):
    found = process("--claims", folder, "--json")
    assert (found.returncode, found.stderr) == (0, "")
    harmonic, false = json.loads(found.stdout)
    assert (harmonic["verdict"], harmonic["by"], harmonic["where"]) == ("proved", "us", "any textbook")
    assert (false["verdict"], false["by"], false["severity"]) == ("refuted", "paper", None)
    table = theory("--claims", folder)
    assert table.stdout.startswith("means\n")
    assert "Random Effect" not in table.stdout
    assert "1 claim of the paper: 1 refuted" in table.stdout
    explained = theory("--claims", folder, "means/harmonic")
    assert "verdict        proved" in explained.stdout


def test_a_claim_is_explained_without_the_problems_of_others(folder, theory):
    """Where nothing is recorded all claims are checked, but only one is asked about."""
    (folder / "inequalities_of_means.py").write_text(PAPER.replace("OP", ">="))
    assert theory("--claims", folder).returncode == 1
    found = theory("--claims", folder, "means/false")
    assert (found.returncode, found.stderr) == (0, "")
    assert "means/harmonic" in theory("--claims", folder, "--fresh", "means/false").stderr


CHAIN = """

@claim("means/first", where="here", kind="inequality")
def first():
    \"\"\"From a false claim.\"\"\"
    false = Rel(2 * x * y / (x + y), ">=", (x + y) / 2).by("means/harmonic")
    return proof(Goal(Rel(2 * x * y / (x + y), ">=", (x + y) / 2 - 1), ABOVE_0, (false,), name="first"))


@claim("means/second", where="here", kind="inequality")
def second():
    \"\"\"From that one.\"\"\"
    false = Rel(2 * x * y / (x + y), ">=", (x + y) / 2 - 1).by("means/first")
    return proof(Goal(Rel(2 * x * y / (x + y), ">=", (x + y) / 2 - 2), ABOVE_0, (false,), name="second"))
"""


def test_what_follows_from_a_false_claim_is_not_called_proved(folder, theory):
    """Directly or through another claim: in the table, for other programs, and where one claim is asked for."""
    claims = folder / "inequalities_of_means.py"
    claims.write_text(PAPER.replace("OP", ">=") + CHAIN)
    table = theory("--claims", folder)
    assert "means/first: uses means/harmonic, which is open" in table.stderr
    assert "means/second: uses means/first, which is open" in table.stderr
    assert "3 results of our own: 3 open" in table.stdout
    found = json.loads(theory("--claims", folder, "--json", "means/second").stdout)
    assert [(c["verdict"], c["level"]) for c in found] == [("open", None)]
    assert "verdict        open" in theory("--claims", folder, "means/second").stdout
    assert theory("--claims", folder, "--record").returncode == 1
    assert list(json.loads((folder / "recorded.json").read_text())) == ["means/false"]


MISPRINT = """

from theory.kernel.argument import misprint


@claim("means/misprint", where="here", kind="inequality")
def printed():
    \"\"\"The harmonic mean is meant.\"\"\"
    return misprint(Goal(Rel(x, "<=", y), ABOVE_0, name="printed"))
"""


def test_a_misprint_needs_a_proof_of_what_is_meant(folder, theory):
    claims = folder / "inequalities_of_means.py"
    claims.write_text(PAPER.replace("OP", "<=") + MISPRINT)
    assert "means/misprint: a misprint, and no claim proves what is meant" in theory("--claims", folder).stderr
    for relation, verdict in (("<=", "misprint"), (">=", "open")):
        meant = PAPER.replace("OP", relation).replace('says=r"2xy', 'repairs="means/misprint", says=r"2xy')
        claims.write_text(meant + MISPRINT)
        found = json.loads(theory("--claims", folder, "--json", "means/misprint").stdout)
        assert [c["verdict"] for c in found] == [verdict]


def test_a_circle_of_proofs_is_named(folder, theory):
    (folder / "inequalities_of_means.py").write_text(
        PAPER.replace("OP", "<=") + CHAIN.replace("means/harmonic", "means/second").replace("- 1).by", "- 2).by")
    )
    assert "in a circle" in theory("--claims", folder).stderr


def test_a_false_claim_is_not_recorded(folder, theory):
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


RAISES = """

@claim("means/by-zero", kind="inequality")
def by_zero():
    "Python divides by zero."
    return proof(Goal(Rel(x, "<=", 1 / 0), ABOVE_0))


@claim("means/no-range", kind="inequality")
def no_range():
    "A symbol without a range."
    return proof(Goal(Rel(x, "<=", x + y), {x: positive()}))
"""


def test_a_claim_whose_code_raises_is_open_and_the_others_are_checked(folder, theory):
    """A traceback of 50 lines was printed, and nothing was checked or recorded."""
    (folder / "inequalities_of_means.py").write_text(PAPER.replace("OP", "<=") + RAISES)
    found = theory("--claims", folder, "--record")
    assert found.returncode == 1
    assert "means/by-zero: not recorded: its code raises ZeroDivisionError: division by zero" in found.stderr
    assert "means/no-range: not recorded: its code raises ValueError: goal x <= x + y: no domain for y" in found.stderr
    assert list(json.loads((folder / "recorded.json").read_text())) == ["means/harmonic", "means/false"]


def test_a_proof_that_uses_what_is_not_proved_is_not_recorded(folder, theory):
    file = folder / "inequalities_of_means.py"
    text = file.read_text().replace("return refuted(", "return proof(")
    file.write_text(
        text.replace('ABOVE_0, name="means"', 'ABOVE_0, (Rel(x, "<=", y).by("means/false"),), name="means"')
    )
    failed = theory("--claims", folder, "--record")
    assert failed.returncode == 1
    assert "means/harmonic: not recorded: uses means/false, which is open" in failed.stderr
    assert not json.loads((folder / "recorded.json").read_text())


MODEL = """
import sympy as sp
from theory.kernel.goal import Goal, Rel, positive
from theory.kernel.rules import Definition

x, length = sp.Symbol("x"), sp.Function("length")
LONG = Definition("a length", Goal(Rel(length(x), ">=", 1), {x: positive()}, name="a length"))
"""
USER = """

from theory.kernel.rules import follows
@claim("means/length", kind="inequality", where="nowhere")
def longer():
    '''One more.'''
    return proof(follows(Rel(length(x) + 1, ">=", 2), LONG, name="one more"))
"""


def test_definitions_of_another_paper_stand_apart_from_its_claims(folder, theory):
    """They are taken as they are, so that a reader must find them in one place."""
    (folder / "model_of_lengths.py").write_text(MODEL)
    beside = PAPER.replace("OP", "<=") + "\nfrom model_of_lengths import LONG, length\n" + USER
    (folder / "inequalities_of_means.py").write_text(beside)
    assert "proved" in theory("--claims", folder, "means/length").stdout
    (folder / "inequalities_of_means.py").write_text(PAPER.replace("OP", "<=") + MODEL + USER)
    found = theory("--claims", folder, "means/length")
    assert found.returncode == 1
    assert "a length: made in inequalities_of_means, beside claims" in found.stderr


NAMED = """
from theory.kernel.named import Named

class R_n(Named):
    @property
    def value(self):
        return self.args[0] / (self.args[0] + 1)

@claim("means/small", kind="inequality", where="nowhere")
def small():
    '''A name whose value readers do not see.'''
    return proof(Goal(Rel(R_n(x), "<", 1), {x: positive()}, name="small"))
"""


def test_so_do_named_quantities(folder, theory):
    (folder / "inequalities_of_means.py").write_text(PAPER.replace("OP", "<=") + NAMED)
    found = theory("--claims", folder, "means/small")
    assert found.returncode == 1
    assert "R_n: made in inequalities_of_means, beside claims" in found.stderr


OBJECT = """
import sympy as sp
from theory.kernel.classical import SUPREMUM

m, T, o = sp.symbols("m T o")
PEAK = sp.Function("PEAK")
SUPREMUM.declare(PEAK(m, T, o), slope=m, time=T, outcome=o)
"""
REFLECTED = """
from theory.kernel.classical import REFLECTION
from theory.kernel.goal import real
from theory.kernel.rules import cited

@claim("means/line", kind="identity", where="nowhere")
def line():
    '''A path and a line.'''
    free = {x: positive(), m: real(), T: positive(), o: real()}
    at = {"highest": PEAK, "level": x, "slope": m, "time": T, "outcome": o}
    known = tuple(Goal(Rel(q, ">", 0), free, name=str(q)) for q in (x, T))
    gives = Goal(REFLECTION.form(**at).gives, free, name="a line")
    return proof(cited(REFLECTION, hypotheses=known, gives=gives, at=at))
"""


def test_so_do_the_objects_of_theorems(folder, theory):
    (folder / "model_of_paths.py").write_text(OBJECT)
    beside = PAPER.replace("OP", "<=") + "\nfrom model_of_paths import PEAK, T, m, o\n" + REFLECTED
    (folder / "inequalities_of_means.py").write_text(beside)
    assert "proved" in theory("--claims", folder, "means/line").stdout
    beside = (PAPER.replace("OP", "<=") + OBJECT + REFLECTED).replace("PEAK", "HIGH")
    (folder / "inequalities_of_means.py").write_text(beside)
    found = theory("--claims", folder, "means/line")
    assert found.returncode == 1
    assert "HIGH(m, T, o): made in inequalities_of_means, beside claims" in found.stderr


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_claims_is_named(tmp_path, theory, name):
    (tmp_path / "empty").mkdir()
    found = theory("--claims", tmp_path / name)
    assert found.returncode == 1
    assert found.stderr.startswith(f"python -m theory: --claims {tmp_path / name}: ")
    assert found.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--export", "--coq"])
@pytest.mark.parametrize("target", ["file", "file/below", "/proc/nowhere"])
def test_a_target_is_checked_before_any_claim_is(tmp_path, monkeypatch, capsys, target, option):
    (tmp_path / "file").write_text("kept")
    monkeypatch.setattr(cli, "_run", None)  # must not be reached
    folder = tmp_path / target
    assert cli.main([option, str(folder)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"python -m theory: {option} {folder}: cannot write there: ")
    assert message.count("\n") == 1
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.parametrize(
    "arguments",
    [["--no-check"], ["--coq", "x", "--json"], ["--coq", "x", "--export", "y"], ["MSE", "--export", "x"]],
)
def test_options_without_effect_are_refused(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def (", "inequalities_of_means.py:1: invalid syntax"),
        ("import no_such_module", "No module named 'no_such_module'"),
        ("x = 0\n\0", "source code string cannot contain null bytes"),
    ],
)
def test_claims_that_cannot_be_imported_are_one_line(folder, theory, text, message):
    (folder / "inequalities_of_means.py").write_text(text)
    found = theory("--claims", folder)
    assert (found.returncode, found.stderr) == (1, f"python -m theory: --claims {folder}: {message}\n")


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "not a record of verdicts"),
        ("[]", "not a record of verdicts"),
        ('{"means/harmonic": 5}', "not a record of verdicts"),
        ('{"means/harmonic": {"verdict": "proved", "level": "x"}, "means/false": {"verdict": "refuted"}}', "level 'x'"),
    ],
)
def test_a_damaged_record_is_one_line(folder, theory, record, message):
    (folder / "recorded.json").write_text(record)
    found = theory("--claims", folder)
    assert found.returncode == 1
    assert message in found.stderr
    assert found.stderr.count("\n") == 1


def test_a_killed_process_is_one_line(monkeypatch, capsys):
    def killed(*_, **__):
        raise BrokenProcessPool("a process was terminated abruptly")

    monkeypatch.setattr(cli, "check_claims", killed)
    assert cli.main(["sec:tau2"]) == 1
    assert capsys.readouterr().err == "python -m theory: a process that checked claims was killed (out of memory?)\n"


def test_a_reader_that_stops_is_no_error(monkeypatch, capsys):
    def closed(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(cli, "check_claims", closed)
    assert cli.main(["sec:tau2"]) == 1
    assert capsys.readouterr().err == ""


# Sends Ctrl-C to its own process group, as a terminal does, when the first check of a claim begins.
INTERRUPTED = """
import os, runpy, signal, sys, threading
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job, and its children, ignore it
import theory.ledger
theory.ledger.FEW, theory.ledger.CHUNK = 0, 1  # a small ledger, in as many processes as a large one
submit = theory.ledger.ProcessPoolExecutor.submit

def submitted(self, *arguments):
    task = submit(self, *arguments)
    if not hasattr(self, "asked"):
        self.asked = self.submit = lambda *a: submit(self, *a)
        interrupt = lambda *_: os.killpg(0, signal.SIGINT)
        MOMENT
    return task

theory.ledger.ProcessPoolExecutor.submit = submitted
sys.argv = ["theory", "--json", "--claims", "examples/ucb1"]
runpy.run_module("theory", run_name="__main__")
"""


@pytest.mark.parametrize(
    "moment", ["task.add_done_callback(interrupt)", "threading.Timer(0.1, interrupt).start()"], ids=["result", "start"]
)
def test_ctrl_c_is_one_line(moment):
    """Every process of the terminal gets the signal; only the first one says so, also while the others start."""
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("MOMENT", moment)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        start_new_session=True,
        check=False,
        timeout=600,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "interrupted\n")


def test_ctrl_c_while_modules_load_is_one_line(monkeypatch, capsys):
    class Interrupting(MetaPathFinder):
        def find_spec(self, fullname, path, target=None):
            if fullname == "theory.cli":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "theory.cli")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("theory", run_name="__main__")
    assert stop.value.code == 130
    assert capsys.readouterr().err == "interrupted\n"
