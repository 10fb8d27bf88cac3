"""Writing into a folder to which other runs may write at the same time."""

from __future__ import annotations

import os
import re
from pathlib import Path

from reucb.files import atomic_file

TRIES = 3


def write(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step; after an error or a kill the old file is untouched.

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


def sweep(folder: Path) -> None:
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
