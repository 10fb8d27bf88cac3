"""`compiled`: Numba's njit as the engine uses it, typed, cached on disk, and never stale."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def _sources() -> str:
    """A digest of every module of the engine."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_DIGEST = _sources()


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


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether machine code for the function is in memory or waits in the cache on disk."""
    if getattr(function, "signatures", ()):
        return True
    file = getattr(getattr(function, "_cache", None), "_cache_file", None)
    load = getattr(file, "_load_index", None)
    return bool(load()) if callable(load) else False
