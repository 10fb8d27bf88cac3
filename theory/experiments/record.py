"""`python -m theory.experiments.record [FOLDER]`: simulate the paper's experiments at its size, for the ledger.

Writes `theory/experiments/experiments.npz` (numbers of every run) and `experiments.json` (what they are, and the
SHA-256 of the former): the final regret of each policy in each setting (half-time too where a sentence is about it),
which arms Thompson sampling comes back to, and paired timings, also of ReTS. A quarter of an hour on one core; finished
pieces are kept in FOLDER (default `out/record`), so that an interrupted run resumes. `--only-times` measures the
timings again and keeps everything else; `--movielens DIR` plays a copy of MovieLens (a quarter of an hour) and keeps
everything else. Of MovieLens only regrets are recorded, and the SHA-256 of the two files they were made from: its
licence forbids redistribution.

The regrets depend on the seed alone. Timings are what this machine took: they are only ever used as ratios.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import reucb
from reucb.engine import play_run, run_block
from reucb.files import atomic_file
from reucb.policies import Policy, policy_from
from theory.experiments.evidence import FILE, recorded
from theory.experiments.movielens import play
from theory.experiments.movielens.ratings import ratings
from theory.experiments.settings import ESTIMATED, SETTINGS

SEED = 4  # readings, sentences, repairs and sizes were chosen on seeds 0 to 3; they are judged on other runs
RUNS, HORIZON = 5_000, 10_000  # the paper's 1,000 (and 200 on MovieLens) leave much undecided
EXTRA = {name: {"ReUCB (anova)": reucb.ReUCB(a=1.0, method="anova")} for name in ESTIMATED}
# The size on MovieLens was chosen on seeds 0 to 4: about 0.7 to 0.8 times the regret of Thompson sampling on each, so
# that 5,000 runs leave "at most 0.8 times" undecided.
MOVIELENS_SEED, MOVIELENS_RUNS = 5, 20_000
CURVE = 200  # rounds of the curves on MovieLens
DATA_FILES = ("ratings.dat", "users.dat", "u.data", "u.user")
RETURNING = ("TS", "TSm2")  # on misspecified-a: which arms are pulled again
HALF = ("misspecified-a/TSm2",)  # where a sentence is about the growth of the regret
TURNS, RUNS_PER_TURN = 7, 5
MANY_TURNS = {"gaussian-a": 101}  # where the paper compares run times
Arrays = dict[str, NDArray[Any]]
Cell = Mapping[str, Any]


def cells() -> dict[str, dict[str, Any]]:
    """What is played: "setting/policy" and the JSON description of both."""
    return {
        f"{name}/{label}": {"setting": name, "bandit": s.bandit.describe(), "policy": policy.describe()}
        for name, s in SETTINGS.items()
        for label, policy in {**s.policies, **EXTRA.get(name, {})}.items()
    }


def regrets(name: str, cell: Cell, first: int = 0, count: int = RUNS) -> NDArray[np.float32]:
    """Rows of regret, one column per run: after all rounds, before that after half of them where it is asked for."""
    marks = np.array([HORIZON // 2, HORIZON])
    bandit, policy = SETTINGS[cell["setting"]].bandit, policy_from(cell["policy"])
    found = run_block(bandit, policy, HORIZON, marks, SEED, first, count)
    return kept_rows(name, found)


def kept_rows(name: str, found: NDArray[np.float64]) -> NDArray[np.float32]:
    """From runs x (half, final) to what is recorded."""
    return np.asarray(found.T if name in HALF else found.T[1:], dtype=np.float32)


def returns(cell: Cell, runs: int = RUNS) -> NDArray[np.int16]:
    """Two rows, one column per run: whether the arm of the first round is pulled again in the next K rounds (-1 where
    it is the best arm), and how many arms are pulled at all.
    """
    bandit, policy = SETTINGS[cell["setting"]].bandit, policy_from(cell["policy"])
    found = []
    for run in range(runs):
        arms, regret = np.zeros(HORIZON, dtype=np.int64), np.zeros(1)
        play_run(bandit, policy, HORIZON, np.array([1]), SEED, run, regret, arms)
        back = int(arms[0] in arms[1 : bandit.n_arms + 1]) if regret[0] > 0 else -1
        found.append((back, len(np.unique(arms))))
    return np.array(found, dtype=np.int16).T


def real_movielens(folder: Path, runs: int = MOVIELENS_RUNS) -> tuple[Arrays, dict[str, Any]]:
    """Regrets on a copy of MovieLens (mean curves, and final regrets of each run), and what they were made from."""
    data, marks = ratings(folder, MOVIELENS_SEED), np.linspace(HORIZON / CURVE, HORIZON, CURVE).round().astype(np.int64)
    arrays: Arrays = {"real/rounds": marks}
    for label in play.LABELS:
        found = play.curves(data.values, label, marks, runs, MOVIELENS_SEED)
        arrays[f"real/{label}"] = np.asarray(found[:, -1:].T, dtype=np.float32)
        arrays[f"real/curve/{label}"] = np.stack([found.mean(0), found.std(0, ddof=1) / np.sqrt(len(found))])
    files = {path.name: _digest(path.read_bytes()) for path in sorted(folder.iterdir()) if path.name in DATA_FILES}
    return arrays, {"source": data.source, "seed": MOVIELENS_SEED, "runs": runs, "files": files}


def pieces() -> dict[str, Callable[[], NDArray[Any]]]:
    """Everything but the timings."""
    found: dict[str, Callable[[], NDArray[Any]]] = {
        name: partial(regrets, name, cell) for name, cell in cells().items()
    }
    return found | {f"again/{label}": partial(returns, cells()[f"misspecified-a/{label}"]) for label in RETURNING}


def computed(folder: Path, program: str, name: str, piece: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """The piece from the folder, or computed now and kept there; `program` identifies what computes it."""
    about = [name, cells().get(name), SEED, RUNS, HORIZON, program]
    path = folder / f"{_digest(json.dumps(about, sort_keys=True).encode())[:32]}.npy"
    if not path.exists():
        found = piece()
        with atomic_file(path) as stream:
            np.save(stream, found, allow_pickle=False)
    return np.asarray(np.load(path, allow_pickle=False))


def program() -> str:
    """Digest of the source of what is simulated with, and its versions."""
    homes = (Path(str(reucb.__file__)).parent, Path(__file__).parent)
    files = sorted(file for home in homes for file in home.rglob("*.py"))
    return _digest("".join(_digest(file.read_bytes()) for file in files).encode() + json.dumps(versions()).encode())


def versions() -> dict[str, str]:
    """The programs whose change may change a result."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python} | {name: version(name) for name in ("numpy", "scipy", "numba")}


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def times() -> Arrays:
    """CPU seconds per run of every policy in every setting, those of one setting taking turns."""
    work = {name: (SETTINGS[c["setting"]].bandit, policy_from(c["policy"])) for name, c in cells().items()}
    work |= {f"{name}/ReTS": (setting.bandit, reucb.ReTS()) for name, setting in SETTINGS.items()}
    row = ratings(None, SEED).values[0]
    work |= {f"movielens/{label}": (play.bandit(row), play.policy(label, row)) for label in play.LABELS}
    settings = dict.fromkeys(name.split("/")[0] for name in work)
    taken = [turns(setting, {n: w for n, w in work.items() if n.startswith(f"{setting}/")}) for setting in settings]
    return {f"seconds/{name}": seconds for found in taken for name, seconds in found.items()}


def turns(setting: str, work: Mapping[str, tuple[reucb.Bandit, Policy]]) -> Arrays:
    """CPU seconds per run of each contender in each turn."""
    many = MANY_TURNS.get(setting, TURNS)
    seconds = np.empty((len(work), many))
    for turn in range(-1, many):  # turn -1 compiles and warms up, and is overwritten
        for place, (bandit, policy) in enumerate(work.values()):
            begin = time.thread_time()
            run_block(bandit, policy, HORIZON, np.array([HORIZON]), SEED, 0, RUNS_PER_TURN)
            seconds[place, turn] = (time.thread_time() - begin) / RUNS_PER_TURN
    return dict(zip(work, seconds, strict=True))


def write(path: Path, arrays: Mapping[str, NDArray[Any]], real: Mapping[str, Any] | None) -> None:
    """Both files, each atomically; the description last, as it has the digest of the numbers."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # names are no options
    about = {
        "seed": SEED,
        "horizon": HORIZON,
        "runs": RUNS,
        "cells": cells(),
        "versions": versions(),
        "seconds": {
            "turns": {"all": TURNS, **MANY_TURNS},
            "runs per turn": RUNS_PER_TURN,
            "clock": "CPU time of one thread",
        },
        "real movielens": real,
        "sha256": _digest(buffer.getvalue()),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(about, indent=1, ensure_ascii=False).encode() + b"\n"
    for target, data in ((path, buffer.getvalue()), (path.with_suffix(".json"), text)):
        with atomic_file(target) as stream:
            stream.write(data)


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m theory.experiments.record", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("out/record"), help="finished pieces are kept here"
    )
    parser.add_argument("--only-times", action="store_true", help="keep the recorded regrets")
    parser.add_argument("--movielens", type=Path, metavar="DIR", help="play this copy, keep everything else")
    asked = parser.parse_args(argv)
    kept = {
        name: array
        for name, array in recorded().numbers.items()
        if name in pieces() or name.startswith(("seconds/", "real/"))
    }
    real, about_real = _starting("real/", kept), recorded().about.get("real movielens")
    if asked.movielens is not None:
        real, about_real = real_movielens(asked.movielens)
        write(FILE, kept | real, about_real)
        return
    if asked.only_times:
        arrays = {name: array for name, array in kept.items() if not name.startswith("seconds/")}
    else:
        asked.folder.mkdir(parents=True, exist_ok=True)
        work, with_what = pieces(), program()
        with ThreadPoolExecutor() as pool:  # the kernels release the lock
            found = pool.map(lambda name: computed(asked.folder, with_what, name, work[name]), work)
            arrays = dict(zip(work, found, strict=True))
    write(FILE, arrays | real | times(), about_real)


def _starting(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> Arrays:
    return {name: array for name, array in arrays.items() if name.startswith(prefix)}


if __name__ == "__main__":
    main()
