"""`python -m reports.tools.record [FOLDER]`: simulate the paper's experiments at its size, for the ledger.

Writes `theory/experiments/experiments.npz` (numbers of every run) and `experiments.json` (what they are, the SHA-256
of the former): the final regret of each policy in each setting (half-time too where a sentence asks for it), which
arms Thompson sampling comes back to, and paired timings. A quarter of an hour on one core; finished pieces are kept in
FOLDER (default `out/record`), so a run that was stopped goes on. `--only-times` measures the timings again and keeps
everything else.

The regrets depend on the seed alone. Timings are what this machine took: they are only ever used as ratios.
"""

from __future__ import annotations

import argparse
import io
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import reucb
from reports.core import atomic_files
from reports.core.jobs import Outcome, Settings, Tools, Unit
from reports.core.store import Store, digest, versions
from reports.sections.common.paper_settings import SETTINGS
from reports.sections.movielens import experiment
from reports.sections.movielens.ratings import ratings
from reports.sections.variance_estimators import comparison
from reucb.engine import play_run, run_block
from reucb.policies import policy_from
from reucb.policies.base import Policy

SEED = 4  # readings, sentences, repairs and sizes were settled on seeds 0 to 3; they are judged on other runs
RUNS, HORIZON, MOVIELENS_RUNS = 5_000, 10_000, 1_000  # the paper's 1,000 and 200 leave much undecided
EXTRA = {name: {"ReUCB (anova)": reucb.ReUCB(a=1.0, method="anova")} for name in comparison.WHERE}
AGAIN = ("TS", "TSm2")  # on misspecified-a
HALF = ("misspecified-a/TSm2",)  # where a sentence is about the growth of the regret
TURNS, RUNS_PER_TURN = 7, 5
MANY_TURNS = {"gaussian-a": 101}  # where the paper speaks about run times
EVIDENCE = Path(__file__).parents[2] / "theory" / "experiments" / "experiments.npz"
Arrays = dict[str, NDArray[Any]]


def cells() -> dict[str, Settings]:
    """What is played: "setting/policy" and the JSON description of both."""
    return {
        f"{name}/{label}": {"setting": name, "bandit": s.bandit.describe(), "policy": policy.describe()}
        for name, s in SETTINGS.items()
        for label, policy in {**s.policies, **EXTRA.get(name, {})}.items()
    }


def regrets(settings: Settings, tools: Tools | None = None) -> Outcome:
    """Regret of each run after half of the rounds and after all of them."""
    horizon = settings["horizon"]
    rows = run_block(
        SETTINGS[settings["setting"]].bandit,
        policy_from(settings["policy"]),
        horizon,
        np.array([horizon // 2, horizon]),
        settings["seed"],
        0,
        settings["runs"],
    )
    return {"half": rows[:, 0], "final": rows[:, 1]}


def again(settings: Settings, tools: Tools | None = None) -> Outcome:
    """Which arms each run comes back to.

    again     whether the arm of the first round is pulled again in the next K rounds; -1 where it is the best arm
    distinct  how many arms are pulled at all
    """
    bandit, policy, horizon = SETTINGS[settings["setting"]].bandit, policy_from(settings["policy"]), settings["horizon"]
    found = []
    for run in range(settings["runs"]):
        arms, regret = np.zeros(horizon, dtype=np.int64), np.zeros(1)
        play_run(bandit, policy, horizon, np.array([1]), settings["seed"], run, regret, arms)
        back = int(arms[0] in arms[1 : bandit.n_arms + 1]) if regret[0] > 0 else -1
        found.append((back, len(np.unique(arms))))
    return dict(zip(("again", "distinct"), np.array(found).T, strict=True))


def units() -> dict[str, Unit]:
    """Everything but the timings."""
    size = {"horizon": HORIZON, "seed": SEED}
    found = {name: Unit(regrets, {**cell, **size, "runs": RUNS}) for name, cell in cells().items()}
    for label in AGAIN:
        found[f"again/{label}"] = Unit(again, found[f"misspecified-a/{label}"].settings)
    for unit in experiment.stand_in_units(SEED, HORIZON, MOVIELENS_RUNS):
        found[f"movielens/{unit.settings['label']}"] = unit
    return found


def column(name: str, outcome: Outcome) -> NDArray[Any]:
    """The recorded form of an outcome: rows of float32 (half where wanted, final) or integers (again, distinct)."""
    if "again" in outcome:
        return np.array([outcome["again"], outcome["distinct"]], dtype=np.int16)
    rows = ("half", "final") if name in HALF else ("final",)
    return np.array([outcome[row] for row in rows], dtype=np.float32)


def times() -> Arrays:
    """CPU seconds per run of every policy in every setting, those of one setting taking turns."""
    work = {name: (SETTINGS[c["setting"]].bandit, policy_from(c["policy"])) for name, c in cells().items()}
    work |= {f"movielens/{label}": experiment.example(label, SEED) for label in experiment.LABELS}
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


def write(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Both files, each whole or not at all; the description last, as it vouches for the numbers."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)  # type: ignore[arg-type]  # names are no options
    about = {
        "seed": SEED,
        "horizon": HORIZON,
        "runs": RUNS,
        "cells": cells(),
        "versions": versions(),
        "movielens": {"source": ratings(None, SEED).source, "synthetic": True, "runs": MOVIELENS_RUNS},
        "seconds": {
            "turns": {"all": TURNS, **MANY_TURNS},
            "runs per turn": RUNS_PER_TURN,
            "clock": "CPU time of one thread",
        },
        "sha256": digest(buffer.getvalue()),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_files.write(path, buffer.getvalue())
    atomic_files.write(path.with_suffix(".json"), json.dumps(about, indent=1, ensure_ascii=False).encode() + b"\n")


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m reports.tools.record", description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path("out/record"), help="finished pieces are kept here"
    )
    parser.add_argument("--only-times", action="store_true", help="keep the recorded regrets")
    asked = parser.parse_args(argv)
    if asked.only_times:
        with np.load(EVIDENCE, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files if not name.startswith("seconds/")}
    else:
        store = Store(asked.folder)
        with ThreadPoolExecutor() as pool:  # the kernels release the lock
            outcomes = pool.map(lambda unit: store.compute(unit, Tools()), units().values())
            arrays = {name: column(name, outcome) for name, outcome in zip(units(), outcomes, strict=True)}
    write(EVIDENCE, arrays | times())


if __name__ == "__main__":
    main()
