"""The default executor: threads over kernels that release the GIL and can be stopped."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
from numpy.typing import NDArray

_here = threading.local()


class Stopped(Exception):
    """A block of runs was left unfinished because its pool was stopped."""


def stop_flag() -> NDArray[np.int64]:
    """One number that a kernel reads in every round: not 0 once the pool of this thread was stopped."""
    flag: NDArray[np.int64] | None = getattr(_here, "flag", None)
    return np.zeros(1, dtype=np.int64) if flag is None else flag


class Threads(Executor):
    """Threads that never keep the process alive.

    The standard pool makes the interpreter wait for running tasks when it exits. A single run at a long
    horizon may take minutes inside the kernel, and Ctrl-C should not wait for it.
    """

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None]
        self._tasks = queue.SimpleQueue()
        self._count = count
        self._flag = np.zeros(1, dtype=np.int64)
        for _ in range(count):
            threading.Thread(target=self._work, name="reucb", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand out fn(*args)."""
        if kwargs:
            raise TypeError("keyword arguments are not supported")
        task: Future[Any] = Future()
        self._tasks.put((task, fn, args))
        return task

    def stop(self) -> None:
        """End the kernels that are running; their tasks fail with `Stopped`."""
        self._flag[0] = 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end after the tasks handed out so far, without waiting for them."""
        for _ in range(self._count):
            self._tasks.put(None)

    def _work(self) -> None:
        _here.flag = self._flag
        while (item := self._tasks.get()) is not None:
            task, fn, args = item
            if not task.set_running_or_notify_cancel():
                continue
            try:
                task.set_result(fn(*args))
            except BaseException as error:
                task.set_exception(error)
