"""`compiled`: Numba's njit as the engine uses it, typed, cached on disk, and never stale.

What is used beyond Numba's documented interface only saves time; without it the engine does the same, more slowly.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

typeof: Any = numba.typeof
F = TypeVar("F", bound=Callable[..., Any])


def _sources() -> str:
    """A digest of every module of the engine."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _lean() -> dict[str, Any]:
    """The option to leave out reference counts (nothing is allocated in compiled code), where Numba has it."""
    try:
        known: Any = importlib.import_module("numba.core.options").DefaultOptions
    except (ImportError, AttributeError):
        return {}
    return {"_nrt": False} if hasattr(known, "_nrt") else {}


_DIGEST = _sources()
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", **_lean()}


def inlined(function: F) -> F:
    """A helper merged into its callers: a state is many words, dear to hand over millions of times a second."""
    return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))


def compiled(function: F) -> F:
    """The function compiled on first use, GIL released, IEEE arithmetic (no fastmath), result cached on disk.

    Numba stamps a cache entry with the one file that defines the function, so a change in a callee's file would leave
    the caller's old machine code in place. The stamp is extended to the whole engine; where it cannot be, or where no
    directory can be written to, the function is compiled anew in each process.
    """
    try:
        dispatcher: Any = numba.njit(cache=True, **_OPTIONS)(function)
        file = dispatcher._cache._cache_file
        file._source_stamp = (file._source_stamp, _DIGEST)
    except (RuntimeError, AttributeError):
        return cast(F, numba.njit(**_OPTIONS)(function))
    return cast(F, dispatcher)


def machine_code(function: F, *arguments: Any) -> F:
    """The machine code for arguments of these types, compiled now if need be, without the dispatch in front of it.

    Dispatch on a generator takes longer than an agent's whole round; a caller whose types never change can skip it.
    """
    types = tuple(typeof(value) for value in arguments)
    dispatcher: Any = function
    dispatcher.compile(types)
    try:
        return cast(F, dispatcher.overloads[types].entry_point)
    except (KeyError, AttributeError):
        return function
