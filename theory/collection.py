"""Which claims make up a ledger: the modules they are written in, and what is recorded beside them."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import pkgutil
import re
import sys
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from theory.kernel.claim import REGISTRY, Claim, Elsewhere, claim


@dataclass(frozen=True)
class Place:
    """Where the paper says something: the number as its source compiles, the label, the line of the source."""

    number: str
    label: str
    line: int

    def __str__(self) -> str:
        return f"{self.number}, {self.label}, line {self.line}"


@dataclass(frozen=True)
class Collection:
    """The claims of one paper.

    Attributes
    ----------
    title : str
        Shown above the ledger and in the erratum.
    packages : tuple of str
        Packages and modules that hold the claims, in the order of the ledger.
    folders : tuple of str
        Folders from which they are imported, besides the usual ones.
    record, labels : Path or None
        Recorded verdicts; places of the paper's labels.
    causes : mapping
        Key and one sentence for every cause of defects.
    complete : bool
        Whether every defect must be classified and repaired.
    model : tuple of str
        Packages whose modules may make definitions; if there are none, every module without claims may.
    lazy : bool
        Whether a module is imported only when a proof of one of its claims is asked for.
    """

    title: str
    packages: tuple[str, ...]
    folders: tuple[str, ...] = ()
    record: Path | None = None
    labels: Path | None = None
    causes: Mapping[str, str] = field(default_factory=dict)
    complete: bool = False
    model: tuple[str, ...] = ()
    lazy: bool = False

    def claims(self) -> dict[str, Claim]:
        """All claims by id: those of the paper in the order of its source, a repair after its defect, then ours.

        Without a list of labels they are in the order in which they are written.
        """
        sys.path[:0] = [f for f in self.folders if f not in sys.path]
        try:
            modules = [m for package in self.packages for m in (_outlined if self.lazy else _modules)(package)]
        except (SyntaxError, ImportError) as problem:
            if not self.folders:
                raise  # a fault of this project
            raise ValueError(f"--claims {self.folders[0]}: {_import_error(problem)}") from None
        position = {module: i for i, module in enumerate(modules)}
        found = [c for c in REGISTRY.values() if c.module in position]
        found.sort(key=lambda c: position[c.module])
        if self.labels is not None:
            found.sort(key=self._order)
        return {c.id: c for c in found}

    def place(self, claim: Claim) -> Place | None:
        """Where the paper says what this claim is about; a repair has the place of its defect.

        The number is that of the longest label that the id starts with, if its line is in the same section.
        """
        root = _root(claim)
        places = _places(self.labels) if self.labels else {}
        parts = root.id.split("/")
        prefixes = ["/".join(parts[:size]) for size in range(len(parts), 0, -1)]
        label = next((x for x in prefixes if x in places), None)
        line = root.line or (places[label][1] if label else None)
        if line is None:
            return None
        if self.labels and (label is None or _section(self.labels, line) != _section(self.labels, places[label][1])):
            label = _section(self.labels, line)
        return Place(places[label][0], label, line) if label else Place("Abstract", "abstract", line)

    def may_define(self, module: str) -> bool:
        """Whether a module may make definitions: they are not proved, so modules of claims may not."""
        if self.model:
            return any(f"{module}.".startswith(f"{package}.") for package in self.model)
        return all(c.module != module for c in REGISTRY.values())

    def recorded(self) -> dict[str, dict[str, Any]]:
        """Recorded outcomes: verdict and, of proved claims, level."""
        if self.record is None or not self.record.exists():
            return {}
        try:
            found = json.loads(self.record.read_text(encoding="utf-8"))
        except ValueError as problem:
            raise ValueError(f"{self.record}: not a record of verdicts: {problem}") from None
        if not isinstance(found, dict) or not all(isinstance(of, dict) and "verdict" in of for of in found.values()):
            raise ValueError(f"{self.record}: not a record of verdicts: must be {{id: {{'verdict': ...}}, ...}}")
        return found

    def _order(self, claim: Claim) -> tuple[float, bool]:
        """Sort key: a repair follows its defect, our own results come last."""
        root = _root(claim)
        place = self.place(root)
        return (place.line if place and root.by == "paper" else float("inf")), claim.by != "paper"


def of_folder(folder: Path) -> Collection:
    """The claims in the Python files of a folder (or in one file), with the recorded verdicts beside them if any.

    Raises
    ------
    ValueError
        If there is no such folder, no Python file in it, or a file that is named like an installed module.
    """
    folder = folder.resolve()
    if folder.is_dir() and (folder / "__init__.py").exists():
        names, home = [folder.name], folder.parent
    elif folder.is_dir():
        names, home = sorted(p.stem for p in folder.glob("*.py")), folder
    elif folder.suffix == ".py" and folder.exists():
        names, home = [folder.stem], folder.parent
    else:
        raise ValueError(f"--claims {folder}: must be a folder of Python files or one Python file")
    if not names:
        raise ValueError(f"--claims {folder}: no Python file in this folder")
    sys.path.insert(0, str(home))
    importlib.invalidate_caches()
    for name in names:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None or Path(spec.origin).resolve().parent not in (home, home / name):
            raise ValueError(f"--claims {folder}: {name}.py is named like another module; rename it")
    return Collection(folder.stem, tuple(names), (str(home),), record=home / "recorded.json")


@cache
def the_paper() -> Collection:
    """The ledger of this project, as `theory/paper/__init__.py` describes it."""
    found: Collection = importlib.import_module("theory.paper").COLLECTION
    return found


@cache
def _modules(package: str) -> tuple[str, ...]:
    """The modules of a package, imported; for a module, the module itself."""
    found = _names(package)
    for name in found:
        if not name.endswith("__main__"):
            importlib.import_module(name)
    return found


@cache
def _outlined(package: str) -> tuple[str, ...]:
    """The modules of a package, their claims entered as the sources describe them: to import them all is slow."""
    found = _names(package)
    for name in found:
        if name in sys.modules or name.endswith("__main__"):
            continue
        described = _described(name)
        if described is None:
            importlib.import_module(name)
        else:
            for arguments, options in described:
                claim(*arguments, **options)(Elsewhere(name, *arguments))
    return found


def _names(package: str) -> tuple[str, ...]:
    home = importlib.import_module(package)
    return tuple(
        sorted((package, *(m.name for m in pkgutil.walk_packages(getattr(home, "__path__", ()), f"{package}."))))
    )


_CONSTANT = re.compile(r'^([A-Z_]+) = ("[^"\n]*"|\((?:"[^"\n]*",? ?)+\))$', re.MULTILINE)  # text, or a tuple of texts
_DECORATOR = re.compile(r"^@claim\((.*?)\)\n(?=def |@)", re.MULTILINE | re.DOTALL)


def _described(module: str) -> list[tuple[tuple[Any, ...], dict[str, Any]]] | None:
    """The arguments of every `@claim(...)` in the source of a module; None if the source does not tell them all.

    They are literals and constants of the module, nothing that needs an import.
    """
    spec = importlib.util.find_spec(module)
    if spec is None or spec.origin is None:
        return None
    source = Path(spec.origin).read_text(encoding="utf-8")
    found = _DECORATOR.findall(source)
    if len(found) != len(re.findall(r"\bclaim\(", source)):  # entered by a call, or only mentioned
        return None
    names = {name: ast.literal_eval(value) for name, value in _CONSTANT.findall(source)}
    scope = {"__builtins__": {}, "described": lambda *arguments, **options: (arguments, options), **names}
    try:
        return [eval(f"described({arguments})", scope) for arguments in found]
    except NameError:  # a constant of another module
        return None


def _import_error(problem: SyntaxError | ImportError) -> str:
    """Why a file of claims cannot be imported, in one line."""
    if isinstance(problem, SyntaxError):
        place = f"{Path(problem.filename).name}:{problem.lineno}: " if problem.filename else ""
        return f"{place}{problem.msg}"
    return str(problem)


def _root(claim: Claim) -> Claim:
    """The claim at the start of a chain of repairs."""
    seen = {claim.id}
    while claim.repairs in REGISTRY and claim.repairs not in seen:
        claim = REGISTRY[claim.repairs]
        seen.add(claim.id)
    return claim


def _section(labels: Path, line: int) -> str | None:
    """The label of the section that contains a line of the source."""
    starts = _sections(labels)
    after = bisect_right(starts, line, key=lambda start: start[0])
    return starts[after - 1][1] if after else None


@cache
def _sections(labels: Path) -> tuple[tuple[int, str], ...]:
    """Line and label of every section and appendix, in the order of the source."""
    places = _places(labels).items()
    return tuple(sorted((at, label) for label, (number, at) in places if number.startswith(("Section", "Appendix"))))


@cache
def _places(labels: Path) -> dict[str, tuple[str, int]]:
    found = json.loads(labels.read_text(encoding="utf-8"))["labels"]
    return {label: (place["number"], place["line"]) for label, place in found.items()}
