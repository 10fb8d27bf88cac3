"""Atomic file writing."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO


@contextmanager
def atomic_file(path: Path, *, exclusive: bool = False) -> Iterator[BinaryIO]:
    """Open a temporary file that becomes `path` in one step when the block ends without an error.

    Until then, and after an error or a kill, an existing file at `path` is unchanged.

    Parameters
    ----------
    path : Path
        The file to write.
    exclusive : bool
        Fail with FileExistsError if something is at `path` already, even if another process put it there meanwhile.

    Returns
    -------
    context manager
        Of a file that is open for writing bytes.

    Raises
    ------
    OSError
        Any failure to write, with `path` as its file name (not the name of the temporary file).

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from reucb.files import atomic_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with atomic_file(Path(folder) / "numbers.txt") as stream:
    ...         written = stream.write(b"1 2 3")
    ...     print((Path(folder) / "numbers.txt").read_text())
    1 2 3
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, f"cannot write {path.name!r}: no such folder", str(path.parent))
    temporary = path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}.tmp")
    try:
        with open(temporary, "xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        (_publish if exclusive else os.replace)(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if error.filename not in (None, str(temporary), temporary):
            raise  # the caller's own error inside the block
        raise type(error)(error.errno, error.strerror or str(error), str(path)) from error
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _publish(temporary: Path, path: Path) -> None:
    """Give the finished file its name unless that name is taken."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, "file exists", str(path)) from None
    except OSError:  # a file system without hard links: reserve the name, then replace it
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        os.replace(temporary, path)
    with suppress(FileNotFoundError):
        temporary.unlink()
