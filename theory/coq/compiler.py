"""Runs `coqc` on a folder of Coq files in the order of their dependencies, and reads what its theorems assume."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

LIBRARY = "ReUCB"  # the logical name of the folder: From ReUCB Require Import ...
JOBS = 2
TIMEOUT = 7200.0
UNFINISHED = f"not finished after {TIMEOUT:.0f} s"
ABSENT = (
    "coqc was not found: install Coq 8.16 with Coquelicot, Interval and Mathematical Components "
    "(Debian: coq libcoq-coquelicot libcoq-interval libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra "
    "libcoq-mathcomp-algebra-tactics)"
)

_IMPORT = re.compile(rf"From {LIBRARY} Require Import ([\w\s]+)\.")
_THEOREM = re.compile(r"^\s*(?:Theorem|Lemma|Corollary)\s+(\w+)", re.MULTILINE)
_PROVED = re.compile(r"^Lemma (\w+)(?:(?!^Qed\.).)*^Qed\.\n", re.MULTILINE | re.DOTALL)
_CHECKED = re.compile(r"^(\w+)$", re.MULTILINE)
_SENTENCE = re.compile(r"^Chars (\d+) - \d+ \[.*\] [\d.]+ secs \(([\d.]+)u,([\d.]+)s\).*\n?", re.MULTILINE)
_CLOSED = "Closed under the global context"
_ASSUMED = re.compile(r"^[\w.']+", re.MULTILINE)  # types are indented


@dataclass(frozen=True)
class Compiled:
    """The result of `coqc` for one file."""

    name: str
    ok: bool
    seconds: float
    output: str

    @property
    def error(self) -> str:
        """The first error, on one line; empty when there is none."""
        found = self.output.partition("Error:")[2] if not self.ok else ""
        return " ".join(found.split())[:400] or ("" if self.ok else self.output.strip()[-400:])


def coqc() -> str | None:
    """Where `coqc` is; None when it is not installed."""
    return shutil.which("coqc")


def imports(text: str) -> set[str]:
    """The files of the same folder that a file needs compiled before it."""
    return {name for names in _IMPORT.findall(text) for name in names.split()}


def theorems(text: str) -> list[str]:
    """The names of the theorems of a file, in its order."""
    return _THEOREM.findall(text)


def in_order(
    needs: Mapping[str, Collection[str]], run: Callable[[str, Mapping[str, T]], T], jobs: int = JOBS
) -> dict[str, T]:
    """The results of `run(name, done)` by name: called when its dependencies are done, at most `jobs` at a time."""
    done: dict[str, T] = {}
    running: dict[Future[T], str] = {}
    waiting = set(needs)
    with ThreadPoolExecutor(jobs) as pool:
        while waiting or running:
            for name in sorted(name for name in waiting if done.keys() >= set(needs[name])):
                running[pool.submit(run, name, done)] = name
            waiting -= set(running.values())
            if not running:
                raise ValueError(f"circular or missing dependencies: {sorted(waiting)}")
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                done[running.pop(future)] = future.result()
    return {name: done[name] for name in needs}


def compile_all(directory: Path, jobs: int = JOBS, skip: Collection[str] = ()) -> list[Compiled]:
    """Compile every `.v` file of a folder, at most `jobs` at once; what needs a file that failed is not tried."""
    paths = [path for path in sorted(directory.glob("*.v")) if path.stem not in skip]
    needs = {path.stem: imports(path.read_text()) for path in paths}

    def compiled(name: str, done: Mapping[str, Compiled]) -> Compiled:
        failed = sorted(n for n in needs[name] if not done[n].ok)
        if failed:
            return Compiled(name, False, 0.0, f"Error: needs {failed[0]}, which failed")
        return compile_file(directory, name)

    return list(in_order(needs, compiled, jobs).values())


def compile_file(directory: Path, name: str) -> Compiled:
    """Run `coqc` on one file whose dependencies are compiled."""
    return _coqc(directory, name)


def compile_timed(directory: Path, name: str) -> tuple[Compiled, list[tuple[int, float]]]:
    """Run `coqc` on one file; also, for every sentence, the place where it starts and its CPU time in seconds."""
    found = _coqc(directory, name, "-time")
    times = [(int(m.group(1)), float(m.group(2)) + float(m.group(3))) for m in _SENTENCE.finditer(found.output)]
    return replace(found, output=_SENTENCE.sub("", found.output)), times


def _coqc(directory: Path, name: str, *options: str) -> Compiled:
    program = coqc()
    if program is None:
        raise FileNotFoundError(ABSENT)
    start = time.perf_counter()
    command = [program, "-q", "-w", "-all", *options, "-Q", ".", LIBRARY, f"{name}.v"]
    try:
        run = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=TIMEOUT, check=False)
        ok, output = run.returncode == 0, run.stdout + run.stderr
    except subprocess.TimeoutExpired:
        ok, output = False, f"Error: {UNFINISHED}"
    return Compiled(name, ok, time.perf_counter() - start, output)


def survey(directory: Path, name: str) -> dict[str, str]:
    """The lemmas of a file that Coq refuses, with the first error of each; a refused lemma does not stop the rest.

    All lemmas have the error `UNFINISHED` if Coq does not come to the end of the file in time.
    """
    program = shutil.which("coqtop")
    if program is None:
        raise FileNotFoundError(ABSENT)
    text = (directory / f"{name}.v").read_text()
    lemmas = theorems(text)
    each = _PROVED.sub(lambda m: f"{m.group()}Abort All.\nCheck {m.group(1)}.\n", text)
    command = [program, "-q", "-w", "-all", "-Q", ".", LIBRARY]
    try:
        run = subprocess.run(
            command,
            cwd=directory,
            input=f"Set Silent.\n{each}",
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return dict.fromkeys(lemmas, UNFINISHED)
    accepted = set(_CHECKED.findall(run.stdout))
    errors = _errors(run.stderr)
    return {n: errors.get(n, "refused") for n in lemmas if n not in accepted}


def _errors(prompts: str) -> dict[str, str]:
    """The first error in the proof of each lemma, from what coqtop prints beside its prompts."""
    found: dict[str, str] = {}
    proving = ""
    for line in re.split(r"\n+(?=\w+ <)|^(?=\w+ <)", prompts):
        at = re.match(r"(?:Coq < )*(\w+) <", line)
        proving = at.group(1) if at else proving
        error = line.partition("Error:")[2]
        if error:
            found.setdefault(proving, " ".join(error.partition("Toplevel input")[0].split())[:400])
    return found


def assumptions_file(modules: Iterable[tuple[str, list[str]]]) -> str:
    """Coq text that prints what the named theorems, taken together, assume.

    Those of a module are local definitions of one term: a tuple of them would repeat their types at every place,
    and one term for all modules is too deep for Coq's stack.
    """
    found = list(modules)
    lines = [f"From {LIBRARY} Require Import {module}." for module, _ in found]
    lines += [_together(f"all_of_{module}", (f"{module}.{name}" for name in names)) for module, names in found]
    lines.append(_together("all_theorems", (f"all_of_{module}" for module, _ in found)))
    return "\n".join([*lines, "Print Assumptions all_theorems."]) + "\n"


def _together(name: str, terms: Iterable[str]) -> str:
    """A definition that depends on all these terms."""
    return "\n".join([f"Definition {name} :=", *(f"  let _ := @{term} in" for term in terms), "  I."])


def axioms(output: str) -> set[str]:
    """What the output of `Print Assumptions` names; empty when everything is closed.

    That is axioms, and also definitions that Coq accepted with one of its own checks switched off: it says of them that
    they are assumed to be guarded or positive, or that they rely on an unsafe hierarchy.
    """
    rest = output.replace(_CLOSED, "").replace("Axioms:", "")
    return set(_ASSUMED.findall(rest))
