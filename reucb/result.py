"""What a simulation gives, and the file it is kept in."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from zipfile import BadZipFile, is_zipfile

import numpy as np
from numpy.typing import NDArray

from reucb.files import atomic_file

Floats = NDArray[np.float64]

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Result:
    r"""Regret of one policy on one bandit over independent runs.

    With $R_{r,t}$ the cumulative pseudo-regret of run $r$ after round $t$ (true means, not rewards):
    `mean` is its average over runs at each of `rounds`, an estimate of the Bayes regret (Section Setting);
    `stderr` the standard error of that average (nan for a single run, where it cannot be estimated);
    `quantiles[i]` the `levels[i]` quantile over runs; `final[r]` is $R_{r,n}$ at the horizon.
    `settings` and `versions` say what made it.
    """

    rounds: NDArray[np.int64]
    mean: Floats
    stderr: Floats
    levels: Floats
    quantiles: Floats
    final: Floats
    settings: dict[str, Any]
    versions: dict[str, str]

    ARRAYS: ClassVar = ("rounds", "mean", "stderr", "levels", "quantiles", "final")
    FORMAT: ClassVar = "reucb-result-1"

    def __post_init__(self) -> None:
        for name in self.ARRAYS:
            getattr(self, name).setflags(write=False)

    def digest(self) -> str:
        """SHA-256 of settings and numbers: equal digests mean equal bits."""
        whole = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode())
        for name in self.ARRAYS:
            array = getattr(self, name)
            whole.update(f"{name}{array.dtype.str}{array.shape}".encode())
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to one .npz file (JSON inside, no pickle), whole or not at all."""
        about = json.dumps(
            {"format": self.FORMAT, "settings": self.settings, "versions": self.versions, "digest": self.digest()},
            sort_keys=True,
        )
        arrays = {name: getattr(self, name) for name in self.ARRAYS}
        with atomic_file(Path(path)) as stream:
            np.savez(stream, about=np.frombuffer(about.encode(), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """The result saved at `path`, to the last bit; ValueError if it is damaged or another file."""
        try:
            with open(path, "rb") as stream:
                if not is_zipfile(stream):
                    raise ValueError("it is cut off, or no .npz file")
                stream.seek(0)
                with np.load(stream, allow_pickle=False) as archive:
                    content = {name: archive[name] for name in ("about", *cls.ARRAYS)}
            about = json.loads(content.pop("about").tobytes())
            if about["format"] != cls.FORMAT:
                raise ValueError(f"format is {about['format']!r}, this version reads {cls.FORMAT!r}")
            result = cls(**content, settings=about["settings"], versions=about["versions"])
            if result.digest() != about["digest"]:
                raise ValueError("its numbers do not match their checksum")
        except FileNotFoundError:
            raise
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, BadZipFile) as error:
            raise ValueError(f"{os.fspath(path)} is not a whole reucb result: {error}") from error
        return result


def summarise(
    rounds: NDArray[np.int64], curves: Floats, final: Floats, settings: dict[str, Any], versions: dict[str, str]
) -> Result:
    """The result of `curves[run, round]`, reduced in run order, whoever finished first."""
    runs = len(curves)
    mean = curves.mean(axis=0)
    if runs > 1:
        stderr = np.sqrt(np.square(curves - mean).sum(axis=0) / (runs - 1) / runs)
    else:
        stderr = np.full(len(rounds), np.nan)
    levels = np.array(LEVELS)
    quantiles = np.quantile(curves, levels, axis=0)
    return Result(rounds.copy(), mean, stderr, levels, quantiles, final.copy(), settings, versions)
