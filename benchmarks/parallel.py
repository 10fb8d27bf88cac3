"""The default threads against one thread and against processes: wall time of the same simulation."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import reucb
from benchmarks.cases import GAUSSIAN, KNOWN
from reucb.simulation import cores


def measure(quick: bool) -> Iterator[dict[str, Any]]:
    """Least wall seconds of each way, and the speed-up over one thread."""
    horizon, runs = (2_000, 400) if quick else (10_000, 2_000)

    def simulation(executor: object) -> reucb.Result:
        return reucb.simulate(GAUSSIAN, KNOWN, horizon, runs, executor=executor, progress=False)

    with ProcessPoolExecutor(cores(), mp_context=multiprocessing.get_context("spawn")) as pool:
        ways: dict[str, Callable[[], reucb.Result]] = {
            "1 thread": lambda: simulation(1),
            f"{cores()} threads": lambda: simulation(None),
            f"{cores()} processes": lambda: simulation(pool),
        }
        least, digests = dict.fromkeys(ways, float("inf")), set()
        for _ in range(2 if quick else 4):
            for name, run in ways.items():
                begin = time.perf_counter()
                digests.add(run().digest())
                least[name] = min(least[name], time.perf_counter() - begin)
    if len(digests) != 1:
        raise AssertionError("threads and processes gave different results")
    for name, seconds in least.items():
        yield {"way": name, "seconds": seconds, "speed_up": least["1 thread"] / seconds}
