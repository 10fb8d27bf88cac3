"""Recorded runs of the paper's experiments: what the sentences about results are judged on.

Made by `python -m theory.experiments.record`; a test plays some of the runs again and compares.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from theory.experiments.intervals import FloatArray

FILE = Path(__file__).with_name("experiments.npz")


@dataclass(frozen=True)
class Recorded:
    """The numbers by name, and what they are (seed, horizon, runs, settings, versions).

    "setting/policy"            rows (half-time regret where a sentence is about it, final regret), one column per run
    "seconds/setting/policy"    CPU seconds per run, one per turn
    "real/policy"               final regret on a copy of MovieLens; "real/curve/policy" mean and standard error over
                                "real/rounds"
    "again/policy"              rows (first arm pulled again in the next K rounds, -1: it was the best; arms pulled)
    """

    numbers: Mapping[str, NDArray[Any]]
    about: Mapping[str, Any]

    def final(self, cell: str) -> FloatArray:
        return np.asarray(self.numbers[cell][-1], dtype=np.float64)

    def half(self, cell: str) -> FloatArray:
        half, _ = self.numbers[cell]
        return np.asarray(half, dtype=np.float64)

    def seconds(self, cell: str) -> FloatArray:
        return np.asarray(self.numbers[f"seconds/{cell}"], dtype=np.float64)

    def again(self, policy: str) -> FloatArray:
        """1 for each run that came back, 0 for each that did not; runs whose first arm was the best are left out."""
        found = self.numbers[f"again/{policy}"][0]
        return np.asarray(found[found >= 0], dtype=np.float64)

    def distinct(self, policy: str) -> FloatArray:
        """How many arms each run pulled at all."""
        return np.asarray(self.numbers[f"again/{policy}"][1], dtype=np.float64)


@cache
def recorded(file: Path = FILE) -> Recorded:
    """The recorded runs; an error if their digest is not that of the description beside them."""
    data = file.read_bytes()
    about = json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))
    found = hashlib.sha256(data).hexdigest()
    if found != about["sha256"]:
        raise ValueError(
            f"{file.name}: SHA-256 is {found}, {file.stem}.json says {about['sha256']}: record both again "
            "with python -m theory.experiments.record"
        )
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return Recorded({name: arrays[name] for name in arrays.files}, about)
