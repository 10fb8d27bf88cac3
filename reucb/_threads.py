"""The default executor: threads over kernels that release the GIL."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class Threads(Executor):
    """Threads that never keep the process alive.

    The standard pool makes the interpreter wait for running tasks when it exits. A single run at a long
    horizon may take minutes inside the kernel, and Ctrl-C should not wait for it.
    """

    def __init__(self, count: int) -> None:
        self._tasks: queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None]
        self._tasks = queue.SimpleQueue()
        self._count = count
        for _ in range(count):
            threading.Thread(target=self._work, name="reucb", daemon=True).start()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Hand out fn(*args)."""
        if kwargs:
            raise TypeError("keyword arguments are not supported")
        task: Future[Any] = Future()
        self._tasks.put((task, fn, args))
        return task

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let the threads end after the tasks handed out so far, without waiting for them."""
        for _ in range(self._count):
            self._tasks.put(None)

    def _work(self) -> None:
        while (item := self._tasks.get()) is not None:
            task, fn, args = item
            if not task.set_running_or_notify_cancel():
                continue
            try:
                task.set_result(fn(*args))
            except BaseException as error:
                task.set_exception(error)
