"""CPU time of contenders that take turns, so that their ratio is stable on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping


def race(contenders: Mapping[str, Callable[[], object]], repeat: int) -> dict[str, float]:
    """The least CPU seconds of each contender over `repeat` rounds in which each runs once.

    CPU time of this thread leaves out what other processes take; the least of several leaves out most of the rest.
    """
    least = dict.fromkeys(contenders, float("inf"))
    for _ in range(repeat):
        for name, work in contenders.items():
            begin = time.thread_time()
            work()
            least[name] = min(least[name], time.thread_time() - begin)
    return least
