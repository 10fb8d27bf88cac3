"""The hand-written Coq model: where it is, and a copy of it in a folder."""

from __future__ import annotations

from pathlib import Path

from theory.coq.compiler import assumptions_file, theorems

MODEL = Path(__file__).with_name("model")
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
    written = []
    for path in model_files():
        written.append(directory / path.name)
        written[-1].write_text(path.read_text())
    listing = directory / f"{ASSUMPTIONS}.v"
    listing.write_text(assumptions_file(model_theorems().items()))
    return [*written, listing]
