"""Files that appear whole or not at all."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
from pathlib import Path

PREFIX = ".tmp"


def _node() -> str:
    """A short name of this machine, so that a shared folder tells whose temporary file is whose."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def write(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step; after an error or a kill the old file is untouched.

    The temporary name is unique, so two writers never share one; the last to finish wins with a whole file.
    """
    temporary = path.parent / f"{PREFIX}-{_node()}-{os.getpid()}-{secrets.token_hex(6)}"
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sweep(folder: Path) -> None:
    """Remove the temporary files that killed processes of this machine left behind."""
    for leftover in folder.glob(f"{PREFIX}-{_node()}-*"):
        if not _alive(int(leftover.name.split("-")[2])):
            leftover.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
