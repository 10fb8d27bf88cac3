"""The result of a simulation, and the file that holds it."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar
from zipfile import BadZipFile, is_zipfile

import numpy as np

from reucb._numerics import FloatArray, IntArray
from reucb._numerics.validation import shown
from reucb.files import atomic_file

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, eq=False)
class Result:
    """Regret of one policy on one bandit over independent runs; all arrays are read-only.

    Attributes
    ----------
    rounds : int array
        The recorded rounds.
    mean, stderr : float array
        Average cumulative pseudo-regret at these rounds (true means, not rewards), an estimate of the Bayes regret, and
        its standard error (nan for a single run, where it cannot be estimated).
    levels, quantiles : float array
        `quantiles[i]` is the `levels[i]` quantile over runs at each recorded round.
    final : float array
        Regret of each run at the horizon.
    settings, versions : dict
        What was run, and the versions of everything that can change a bit of it.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=0.0))
    >>> result = reucb.simulate(bandit, reucb.UCB1(sigma_sq=0.0), horizon=10, runs=3, record=[1, 10])
    >>> result.rounds, result.mean, result.final
    (array([ 1, 10]), array([1., 1.]), array([1., 1., 1.]))
    """

    rounds: IntArray
    mean: FloatArray
    stderr: FloatArray
    levels: FloatArray
    quantiles: FloatArray
    final: FloatArray
    settings: dict[str, Any]
    versions: dict[str, str]

    ARRAYS: ClassVar = ("rounds", "mean", "stderr", "levels", "quantiles", "final")
    FORMAT: ClassVar = "reucb-result-1"

    def __post_init__(self) -> None:
        for name in self.ARRAYS:
            getattr(self, name).setflags(write=False)

    def __repr__(self) -> str:
        name, runs = self.settings.get("policy", {}).get("policy", "?"), len(self.final)
        return f"<Result of {name}: {runs} runs of {self.settings.get('horizon')} rounds, regret {self.mean[-1]:.6g}>"

    def __reduce__(self) -> tuple[type[Result], tuple[Any, ...]]:
        return Result, tuple(getattr(self, field.name) for field in fields(self))  # arrays read-only again

    def digest(self) -> str:
        """The SHA-256 of settings and numbers; equal digests mean bit-for-bit equal results.

        Returns
        -------
        str
            64 hexadecimal digits.

        Examples
        --------
        >>> import numpy as np, reucb
        >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=0.0))
        >>> result = reucb.simulate(bandit, reucb.UCB1(sigma_sq=0.0), horizon=10, runs=3)
        >>> again = reucb.simulate(bandit, reucb.UCB1(sigma_sq=0.0), horizon=10, runs=3, executor=1)
        >>> result.digest() == again.digest()
        True
        """
        whole = hashlib.sha256(json.dumps(self.settings, sort_keys=True).encode())
        for name in self.ARRAYS:
            array = getattr(self, name)
            whole.update(f"{name}{array.dtype.str}{array.shape}".encode())
            whole.update(np.ascontiguousarray(array).tobytes())
        return whole.hexdigest()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result to one .npz file (JSON inside, no pickle), atomically.

        Parameters
        ----------
        path : path-like
            The file; an existing one is replaced.

        Raises
        ------
        OSError
            If the file cannot be written; an existing file is then unchanged.

        Examples
        --------
        >>> import tempfile, numpy as np, reucb
        >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=0.0))
        >>> result = reucb.simulate(bandit, reucb.UCB1(sigma_sq=0.0), horizon=10, runs=3)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     result.save(f"{folder}/ucb1.npz")
        ...     again = reucb.Result.load(f"{folder}/ucb1.npz")
        >>> again.digest() == result.digest()
        True
        """
        about = json.dumps(
            {"format": self.FORMAT, "settings": self.settings, "versions": self.versions, "digest": self.digest()},
            sort_keys=True,
        )
        arrays = {name: getattr(self, name) for name in self.ARRAYS}
        with atomic_file(_place(path)) as stream:
            np.savez(stream, about=np.frombuffer(about.encode(), dtype=np.uint8), **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that `save` wrote.

        Parameters
        ----------
        path : path-like
            The file.

        Returns
        -------
        Result
            Bit-for-bit equal to the one that was saved; `save` has an example.

        Raises
        ------
        FileNotFoundError
            If there is no such file.
        ValueError
            If the file is damaged or not a result.

        Examples
        --------
        >>> import reucb
        >>> reucb.Result.load("no-such-file.npz")
        Traceback (most recent call last):
            ...
        FileNotFoundError: [Errno 2] No such file or directory: 'no-such-file.npz'
        """
        where = _place(path)
        try:
            with open(where, "rb") as stream:
                if not is_zipfile(stream):
                    raise ValueError("truncated, or not an .npz file")
                stream.seek(0)
                with np.load(stream, allow_pickle=False) as archive:
                    content = {name: archive[name] for name in ("about", *cls.ARRAYS)}
            about = json.loads(content.pop("about").tobytes())
            if about["format"] != cls.FORMAT:
                raise ValueError(f"format is {about['format']!r}, this version reads {cls.FORMAT!r}")
            result = cls(**content, settings=about["settings"], versions=about["versions"])
            if result.digest() != about["digest"]:
                raise ValueError("numbers and checksum do not match")
        except FileNotFoundError:
            raise
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, BadZipFile) as error:
            raise ValueError(f"{where} is not a valid reucb result: {error}") from error
        return result


def _place(path: str | os.PathLike[str]) -> Path:
    """The path of a file; not an integer, which `open` would take for a file descriptor, and close."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path = {shown(path)}: must be the path of a file")
    return Path(path)


def summarise(
    rounds: IntArray, curves: FloatArray, final: FloatArray, settings: dict[str, Any], versions: dict[str, str]
) -> Result:
    """The result of `curves[run, round]`, reduced in run order, not in the order in which runs finished."""
    runs = len(curves)
    mean = curves.mean(axis=0)
    if runs > 1:
        stderr = np.sqrt(np.square(curves - mean).sum(axis=0) / (runs - 1) / runs)
    else:
        stderr = np.full(len(rounds), np.nan)
    levels = np.array(LEVELS)
    quantiles = np.quantile(curves, levels, axis=0)
    return Result(rounds.copy(), mean, stderr, levels, quantiles, final.copy(), settings, versions)
