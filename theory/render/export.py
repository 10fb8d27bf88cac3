"""Files to send: the ledger as Markdown, the erratum as LaTeX."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from theory.collection import Collection
from theory.ledger import Entry, replace_file
from theory.render import latex, markdown

PROBE = 1 << 20  # bytes, more than the files need


def check_target(option: str, folder: Path) -> None:
    """Create the folder that an option of the command line names, and try to write into it.

    Raises
    ------
    OSError
        If the folder is a file, cannot be created, is read-only, or the disk is full.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(PROBE))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as problem:
        raise OSError(f"{option} {folder}: cannot write there: {problem.strerror}") from None


def write(entries: list[Entry], folder: Path, collection: Collection) -> list[Path]:
    """Write ledger.md and erratum.tex into the folder; their paths."""
    texts = {
        "ledger.md": markdown.ledger(entries, collection.title),
        "erratum.tex": latex.erratum(entries, collection),
    }
    for name, text in texts.items():
        replace_file(folder / name, text)
    return [folder / name for name in texts]
