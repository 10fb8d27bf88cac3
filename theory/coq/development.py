"""The hand-written Coq files, the model and the tactics of the exported claims, and a copy of them in a folder."""

from __future__ import annotations

from pathlib import Path

from theory.coq.compiler import assumptions_file, theorems

MODEL = Path(__file__).with_name("model")
SUPPORT = Path(__file__).with_name("support")
ASSUMPTIONS = "model_assumptions"


def model_files() -> list[Path]:
    """The files of the model, by name."""
    return sorted(MODEL.glob("*.v"))


def model_theorems() -> dict[str, list[str]]:
    """The theorems of each file of the model."""
    return {path.stem: theorems(path.read_text()) for path in model_files()}


def write_model(directory: Path) -> list[Path]:
    """Copy the model to a folder, with a file that prints what its theorems assume."""
    directory.mkdir(parents=True, exist_ok=True)
    written = _copied(model_files(), directory)
    listing = directory / f"{ASSUMPTIONS}.v"
    listing.write_text(assumptions_file(model_theorems().items()))
    return [*written, listing]


def write_support(directory: Path) -> list[Path]:
    """Copy the tactics of the exported claims to a folder."""
    directory.mkdir(parents=True, exist_ok=True)
    return _copied(sorted(SUPPORT.glob("*.v")), directory)


def _copied(paths: list[Path], directory: Path) -> list[Path]:
    for path in paths:
        (directory / path.name).write_text(path.read_text())
    return [directory / path.name for path in paths]
