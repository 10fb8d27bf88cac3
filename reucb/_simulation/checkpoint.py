"""A file that keeps the finished chunks of a simulation.

Layout: a header (settings as JSON, checksummed), a table with one checksum per chunk, and one slot of float64
per run and recorded round. The file has its full size from the start, so a shorter one is
damaged. A chunk is written to its slot first and is valid once its checksum is in the table. A process killed in
between leaves a slot that is not valid yet, never one with wrong numbers.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np

from reucb._numerics import FloatArray
from reucb._numerics.validation import shown
from reucb._simulation.job import chunks
from reucb.files import atomic_file

MAGIC = b"reucb checkpoint 1\n"
DIGEST = 32
NOT_DONE = bytes(DIGEST)


class Checkpoint:
    """Finished chunks of one simulation in the file `path`, which is created if it does not exist."""

    def __init__(
        self, path: str | os.PathLike[str], settings: dict[str, Any], runs: int, width: int, chunk: int
    ) -> None:
        """Open or create the file; ValueError if it is damaged or has other settings; it is then left unchanged.

        An existing file keeps its chunk size: the results do not depend on how runs are divided into chunks.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"checkpoint = {shown(path)}: must be the path of a file, or None")
        self.path = Path(path)
        if self.path.is_dir():
            raise ValueError(f"checkpoint = {os.fspath(path)!r}: must be the path of a file, not a folder")
        self._width = width
        if self.path.is_symlink() and not self.path.exists():
            raise ValueError(f"checkpoint = {os.fspath(path)!r}: is a symbolic link to a file that does not exist")
        if not self.path.exists():
            with suppress(FileExistsError):  # another process made it meanwhile: its settings are compared below
                _create(self.path, {"settings": settings, "runs": runs, "width": width, "chunk": chunk})
        self._file: BinaryIO = open(self.path, "r+b", buffering=0)  # noqa: SIM115 (closed by close)
        try:
            header, self._table = _read_header(self._file, self.path)
            difference = _difference(header["settings"], settings)
            if difference:
                raise ValueError(f"checkpoint {self.path} belongs to another simulation: {difference}")
            self._chunk: int = header["chunk"]
            self.chunks = chunks(runs, self._chunk)
            self._rows = self._table + len(self.chunks) * DIGEST
            size, expected = os.fstat(self._file.fileno()).st_size, self._rows + runs * width * 8
            if size != expected:
                raise _damaged(self.path, f"it has {size} bytes instead of {expected}")
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Checkpoint:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def done(self) -> Iterator[tuple[int, FloatArray]]:
        """Every finished chunk as (first run, rows); ValueError where a checksum does not match."""
        self._file.seek(self._table)
        table = _read(self._file, len(self.chunks) * DIGEST)
        for number, (first, count) in enumerate(self.chunks):
            kept = table[number * DIGEST : (number + 1) * DIGEST]
            if kept == NOT_DONE:
                continue
            self._file.seek(self._rows + first * self._width * 8)
            data = _read(self._file, count * self._width * 8)
            if _checksum(number, data) != kept:
                raise _damaged(self.path, f"runs {first}..{first + count - 1} do not match their checksum")
            yield first, np.frombuffer(data, dtype="<f8").astype(np.float64).reshape(count, self._width)

    def store(self, first: int, rows: FloatArray) -> None:
        """Store a finished chunk: its rows, then, once they are on the disk, their checksum."""
        number = first // self._chunk
        if self.chunks[number] != (first, len(rows)):
            raise ValueError(f"runs {first}..{first + len(rows) - 1} are not a chunk of checkpoint {self.path}")
        data = np.ascontiguousarray(rows, dtype="<f8").tobytes()
        self._write(self._rows + first * self._width * 8, data)
        os.fsync(self._file.fileno())
        self._write(self._table + number * DIGEST, _checksum(number, data))

    def _write(self, place: int, data: bytes) -> None:
        try:
            self._file.seek(place)
            view = memoryview(data)
            while view:
                view = view[self._file.write(view) :]
        except OSError as error:
            raise type(error)(error.errno, error.strerror or str(error), str(self.path)) from error


def _create(path: Path, header: dict[str, Any]) -> None:
    text = json.dumps(header, sort_keys=True).encode()
    text += b" " * (-(len(MAGIC) + 8 + len(text)) % DIGEST)  # so no checksum straddles a disk sector
    empty = len(chunks(header["runs"], header["chunk"])) * DIGEST + header["runs"] * header["width"] * 8
    with atomic_file(path, exclusive=True) as stream:
        start = MAGIC + struct.pack("<Q", len(text)) + text
        stream.write(start + hashlib.sha256(start).digest())
        stream.truncate(stream.tell() + empty)


def _read_header(stream: BinaryIO, path: Path) -> tuple[dict[str, Any], int]:
    """The header, and where the table begins."""
    start = _read(stream, len(MAGIC) + 8)
    if not start.startswith(MAGIC):
        raise ValueError(f"{path} is not a reucb checkpoint: give checkpoint= another path")
    if len(start) < len(MAGIC) + 8:
        raise _damaged(path, "it ends inside its header")
    length = struct.unpack("<Q", start[-8:])[0]
    if length > os.fstat(stream.fileno()).st_size:
        raise _damaged(path, "it ends inside its header")
    text = _read(stream, length)
    if hashlib.sha256(start + text).digest() != _read(stream, DIGEST):
        raise _damaged(path, "its header does not match its checksum")
    try:
        header = json.loads(text)
        settings, chunk = header["settings"], header["chunk"]
        valid = isinstance(settings, dict) and type(chunk) is int and chunk >= 1
    except (ValueError, KeyError, TypeError, RecursionError):
        valid = False
    if not valid:
        raise _damaged(path, "its header is not one that this package writes")
    return header, stream.tell()


def _read(stream: BinaryIO, length: int) -> bytes:
    """Up to `length` bytes, fewer only at the end of the file."""
    parts = []
    while length > 0 and (part := stream.read(length)):
        parts.append(part)
        length -= len(part)
    return b"".join(parts)


def _checksum(number: int, data: bytes) -> bytes:
    return hashlib.sha256(struct.pack("<Q", number) + data).digest()


def _damaged(path: Path, how: str) -> ValueError:
    return ValueError(f"checkpoint {path} is damaged: {how}; remove it to start over")


def _difference(there: Any, here: Any, name: str = "") -> str | None:
    """The first setting in which two descriptions differ, in words; None if there is none."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted(there.keys() | here.keys()):
            found = _difference(there.get(key), here.get(key), f"{name}.{key}" if name else key)
            if found:
                return found
        return None
    if json.dumps(there) == json.dumps(here):
        return None
    return f"{name} is {_short(there)} there and {_short(here)} here"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else text[:60] + " ... " + text[-15:]
