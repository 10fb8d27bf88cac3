"""Atomic files, and stored results of units, from which an interrupted report resumes.

A result is stored in `<folder>/<key>.json`, where the key is the SHA-256 of (function, settings, sources, versions).
It is read back even right after it was computed, so that a resumed report uses the same values as one that was never
interrupted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from reports.core.jobs import Outcome, Tools, Unit
from reucb.files import atomic_file

TRIES = 3
LIBRARIES = ("numpy", "scipy", "numba")


def write_file(path: Path, data: bytes) -> None:
    """Replace the file `path` atomically; after an error or a kill the old file is unchanged.

    A run on another machine that shares the folder may remove the temporary file, as it
    cannot see that this process is running; the file is then written again.
    """
    for left in reversed(range(TRIES)):
        try:
            with atomic_file(path) as stream:
                stream.write(data)
        except FileNotFoundError:
            if not left:
                raise
        else:
            return


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that killed processes left behind."""
    for leftover in folder.glob(".*.tmp"):
        owner = re.search(r"\.(\d+)-[0-9a-f]+\.tmp$", leftover.name)
        if owner and not _alive(int(owner[1])):
            leftover.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def json_value(value: Any) -> Any:
    """The value in JSON types: arrays become nested lists, a number that is not finite is rejected."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float) and value - value != 0.0:
        raise ValueError(f"a result must be finite (None for a missing number), got {value!r}")
    if isinstance(value, Mapping):
        return {str(name): json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(item) for item in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a result must consist of JSON values and NumPy arrays, got {type(value).__name__}")


def canonical(value: Any) -> str:
    """The canonical JSON text of a value: sorted keys, shortest floats that read back exactly."""
    return json.dumps(json_value(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(text: str | bytes) -> str:
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


@cache
def versions() -> Mapping[str, str]:
    """Versions of the programs that can change a result."""
    return {"python": ".".join(map(str, sys.version_info[:3]))} | {name: version(name) for name in LIBRARIES}


@cache
def source_digest(module: str) -> str:
    """Digest of the source of a module, and of every module below it when it is a package."""
    file = Path(str(sys.modules[module].__file__))
    files = sorted(file.parent.rglob("*.py")) if file.name == "__init__.py" else [file]
    return digest("".join(f"{path.relative_to(file.parent)} {digest(path.read_bytes())}\n" for path in files))


@cache
def modules_used(module: str) -> frozenset[str]:
    """The module and those of the same top package whose names it holds, theirs included."""
    root, found, ahead = module.partition(".")[0], {module}, [module]
    while ahead:
        for value in list(vars(sys.modules[ahead.pop()]).values()):
            name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            if isinstance(name, str) and name.startswith(root + ".") and name in sys.modules and name not in found:
                found.add(name)
                ahead.append(name)
    return frozenset(found)


def key(unit: Unit) -> str:
    """The key of a unit's result; it changes with every setting, source and library version."""
    import reucb

    module = unit.run.__module__
    sources = {name: source_digest(name) for name in {reucb.__name__, *modules_used(module)}}
    what = {"run": f"{module}.{unit.run.__qualname__}", "settings": unit.settings}
    return digest(canonical(what | {"sources": sources, "versions": versions()}))


class Store:
    """The results of finished units in a folder; several processes may share it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        remove_leftovers(folder)

    def path(self, unit: Unit) -> Path:
        return self.folder / f"{key(unit)[:32]}.json"

    def get(self, unit: Unit) -> Outcome | None:
        """The stored result, or None if it is missing or damaged (it is then computed again)."""
        try:
            record = json.loads(self.path(unit).read_bytes())
            whole = record["sha256"] == digest(canonical(record["result"]))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None
        return record["result"] if whole else None

    def put(self, unit: Unit, outcome: Outcome) -> None:
        result = json_value(outcome)
        record = {"result": result, "settings": json_value(unit.settings), "sha256": digest(canonical(result))}
        write_file(self.path(unit), canonical(record).encode() + b"\n")

    def compute(self, unit: Unit, tools: Tools) -> Outcome:
        """The result of a unit, computed unless it is stored already."""
        kept = self.get(unit)
        if kept is None:
            self.put(unit, unit.run(unit.settings, tools))
            kept = self.get(unit)
            if kept is None:
                raise OSError(f"the result written to {self.path(unit)} does not read back")
        return kept
