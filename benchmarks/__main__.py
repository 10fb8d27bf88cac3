"""Measure the speed of the library and print the measurements, ratios within one run."""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import agents, arms_curve, cold_start, estimators, importing, kernels, libraries, parallel, saved_states
from reucb.files import atomic_file
from reucb.simulation import cores, versions

Measure = Callable[[bool], Iterator[dict[str, Any]]]
PARTS: dict[str, tuple[str, Measure]] = {
    "kernels": ("One core: Numba, NumPy vectorised over runs, C (-O3 -march=native)", kernels.measure),
    "arms": ("A round against the number of arms (nanoseconds)", arms_curve.measure),
    "estimators": ("A round of ReUCB by variance estimator (nanoseconds)", estimators.measure),
    "agents": ("Online agents at 50 arms (select and update)", agents.measure),
    "parallel": ("Ways to use the machine (wall time)", parallel.measure),
    "import": ("Import time", importing.measure),
    "cold": ("Cold start: empty cache, against a one-line kernel (CPU time)", cold_start.measure),
    "states": ("JSON state of an agent with many arms", saved_states.measure),
    "libraries": ("Bandit libraries on PyPI, UCB1 at 50 arms", libraries.measure),
}


def main() -> None:
    """Measure what was asked for, row by row."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less work per figure, rougher ratios")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the measurements there as well")
    parser.add_argument("--libraries", action="store_true", help="install bandit libraries and time them too")
    parser.add_argument("--only", choices=PARTS, action="append", help="one part (may be repeated)")
    chosen = parser.parse_args()
    names = chosen.only or [name for name in PARTS if name != "libraries" or chosen.libraries]
    record: dict[str, Any] = {"machine": machine(), "quick": chosen.quick}
    for name in names:
        title, measure = PARTS[name]
        print(f"\n{title}")
        record[name] = []
        for row in measure(chosen.quick):
            record[name].append(row)
            print("  " + "  ".join(f"{key} {_shown(value)}" for key, value in row.items()), flush=True)
    if chosen.json:
        with atomic_file(chosen.json) as stream:
            stream.write(json.dumps(record, indent=1).encode() + b"\n")


def machine() -> dict[str, Any]:
    """What was measured on."""
    return {
        "processor": _processor(),
        "cores": cores(),
        "load": os.getloadavg()[0],
        "python": platform.python_version(),
        **versions(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def _shown(value: Any) -> str:
    return (
        f"{value:,.3g}"
        if isinstance(value, float) and value < 1000
        else f"{value:,.0f}"
        if isinstance(value, float)
        else str(value)
    )


if __name__ == "__main__":
    main()
