"""`compiled`: Numba's njit as the engine uses it, typed, cached on disk, and never stale."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

typeof: Any = numba.typeof
F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


def _sources() -> str:
    """A digest of every module of the engine."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_DIGEST = _sources()


def inlined(function: F) -> F:
    """A helper merged into its callers: a state is many words, dear to hand over millions of times a second."""
    return cast(F, numba.njit(forceinline=True, **_OPTIONS)(function))


def compiled(function: F) -> F:
    """The function compiled on first use, GIL released, IEEE arithmetic (no fastmath), result cached on disk."""
    try:
        dispatcher = numba.njit(cache=True, **_OPTIONS)(function)
    except RuntimeError:  # no directory to cache in: compile in memory
        return cast(F, numba.njit(**_OPTIONS)(function))
    # Numba stamps a cache entry with the one file that defines the function, so a change in a callee's file would
    # leave the caller's old machine code in place. The stamp is extended to the whole engine.
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if file is not None and hasattr(file, "_source_stamp"):
        file._source_stamp = (file._source_stamp, _DIGEST)
    return cast(F, dispatcher)


def direct(function: F, *arguments: Any) -> F:
    """The machine code for arguments of these types, compiled now if need be, without the dispatch in front of it.

    Dispatch on a generator takes longer than an agent's whole round; a caller whose types never change can skip it.
    """
    types = tuple(typeof(value) for value in arguments)
    dispatcher: Any = function
    dispatcher.compile(types)
    return cast(F, getattr(dispatcher.overloads[types], "entry_point", function))


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether machine code for the function is in memory or waits in the cache on disk."""
    if getattr(function, "signatures", ()):
        return True
    file = getattr(getattr(function, "_cache", None), "_cache_file", None)
    load = getattr(file, "_load_index", None)
    return bool(load()) if callable(load) else False
