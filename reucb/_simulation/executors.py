"""Where the chunks of a simulation are computed: threads, any Executor, or a Dask cluster, through one interface.

The default is a pool of threads; the kernels release the GIL and can be stopped.
"""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager, nullcontext
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any

import numpy as np

from reucb import __version__
from reucb._numerics import FloatArray, IntArray
from reucb._numerics.validation import integer, shown
from reucb._simulation.checkpoint import Checkpoint
from reucb._simulation.job import Job, chunks
from reucb._simulation.progress import Report, reporting
from reucb.bandit import Bandit
from reucb.policies import Policy

# Chunks submitted at a time: enough to keep a large cluster busy, without a queue of millions.
WINDOW = 1024
# Seconds that an interrupted simulation waits for the chunks that are being computed, to keep them too.
GRACE = 0.5
MOST_THREADS = 4096

_here = threading.local()


def check_executor(executor: object) -> None:
    """Raise TypeError or ValueError for an executor that `opened` cannot use."""
    if isinstance(executor, (int, np.integer)):
        integer("executor", executor, 1, MOST_THREADS)
    elif isinstance(executor, str):
        _distributed()
    elif not (executor is None or isinstance(executor, Executor) or hasattr(executor, "get_executor")):
        raise TypeError(
            f"executor = {shown(executor)}: must be None, a number of threads, an Executor of "
            f"concurrent.futures, a dask.distributed Client or the address of its scheduler"
        )


@contextmanager
def opened(executor: Any) -> Iterator[Executor]:
    """The Executor for `executor=`: shut down at the end if it was created here, left open if it was passed in."""
    if isinstance(executor, Executor):
        yield executor
    elif isinstance(executor, str):
        with _distributed().Client(executor) as client:
            yield client.get_executor(pure=False)
    elif hasattr(executor, "get_executor"):  # a Client; Dask itself repeats what a lost worker had
        yield executor.get_executor(pure=False)
    else:
        pool = Threads(cores() if executor is None else executor)
        try:
            yield pool
        finally:
            pool.stop()  # after Ctrl-C or an error: what is still running is not needed
            pool.shutdown()


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise ImportError("a cluster needs dask.distributed: pip install 'reucb[cluster]'") from error
    return distributed


class Stopped(Exception):
    """A block of runs was left unfinished because its pool was stopped."""


def stop_flag() -> IntArray:
    """One number that a kernel reads in every round: not 0 once the pool of this thread was stopped."""
    flag: IntArray | None = getattr(_here, "flag", None)
    return np.zeros(1, dtype=np.int64) if flag is None else flag


class Threads(Executor):
    """Daemon threads.

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
        """Schedule fn(*args)."""
        if kwargs:
            raise TypeError("keyword arguments are not supported")
        task: Future[Any] = Future()
        self._tasks.put((task, fn, args))
        return task

    def stop(self) -> None:
        """End the kernels that are running; their tasks fail with `Stopped`."""
        self._flag[0] = 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads after the tasks submitted so far, without waiting for them."""
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


@cache  # called for every chunk; loaded versions do not change
def versions() -> dict[str, str]:
    """Versions of everything that can change a bit of a result."""
    return {"reucb": __version__, **{name: import_module(name).__version__ for name in ("numpy", "scipy", "numba")}}


def compute(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    marks: IntArray,
    seed: int,
    first: int,
    count: int,
    expected: dict[str, str],
) -> FloatArray:
    """Regret of the runs first..first+count-1 at the marked rounds: one chunk, on any worker."""
    from reucb._engine.runs import regret_block

    if versions() != expected:
        raise RuntimeError(f"a worker has {versions()}, the simulation was started with {expected}")
    return regret_block(bandit, policy, horizon, marks, seed, first, count)


def regret_curves(
    job: Job, executor: object, progress: bool | Report | None, checkpoint: str | os.PathLike[str] | None
) -> FloatArray:
    """Regret at the marked rounds, one row per run; chunks that the checkpoint holds are not computed again."""
    check_executor(executor)
    curves = np.empty((job.runs, len(job.marks)))
    identity = {**job.settings, "versions": versions()}
    with (
        reporting(progress) as report,
        nullcontext() if checkpoint is None else Checkpoint(checkpoint, identity, *curves.shape, job.chunk) as kept,
    ):
        todo = dict.fromkeys(chunks(job.runs, job.chunk) if kept is None else kept.chunks)
        done = 0
        for first, rows in () if kept is None else kept.done():
            curves[first : first + len(rows)] = rows
            done += len(rows)
            del todo[first, len(rows)]
        report(done, job.runs)

        def store(first: int, rows: FloatArray) -> None:
            nonlocal done
            if kept is not None:
                kept.store(first, rows)
            curves[first : first + len(rows)] = rows
            done += len(rows)
            report(done, job.runs)

        if todo:
            try:
                with opened(executor) as pool:
                    run_chunks(pool, job, list(todo), store)
            except Exception as error:  # each executor has its own exception for a dead worker
                what = lost(error)
                if what is None:
                    raise
                saved = "" if checkpoint is None else f"; they are kept in {checkpoint}: start again to resume"
                raise RuntimeError(f"{what} after {done} of {job.runs} runs{saved}") from error
    return curves


def run_chunks(pool: Executor, job: Job, todo: list[tuple[int, int]], store: Callable[[int, FloatArray], None]) -> None:
    """Compute `todo` on `pool` and pass every finished chunk to `store`, in the order in which they finish.

    After an error or Ctrl-C no more chunks are submitted; after Ctrl-C, chunks in progress are kept if they end soon.
    """
    expected = versions()
    waiting = iter(todo)
    pending: dict[Future[FloatArray], tuple[int, int]] = {}
    finished: queue.SimpleQueue[Future[FloatArray]] = queue.SimpleQueue()

    def hand_out(room: int) -> None:
        for first, count in islice(waiting, room):
            task = pool.submit(
                compute, job.bandit, job.policy, job.horizon, job.marks, job.seed, first, count, expected
            )
            pending[task] = (first, count)
            task.add_done_callback(finished.put)

    def collect(task: Future[FloatArray]) -> None:
        first, count = pending.pop(task)
        store(first, _checked(task.result(), first, count, len(job.marks)))

    try:
        hand_out(WINDOW)
        while pending:
            collect(finished.get())
            hand_out(1)
    except BaseException as error:
        running = {task for task in list(pending) if not task.cancel()}
        if isinstance(error, KeyboardInterrupt):
            for task in wait(running, timeout=GRACE).done:
                if task.exception() is None:
                    collect(task)
        raise


def lost(error: Exception) -> str | None:
    """Describe which worker or cluster was lost, from an error of the pool; None for any other error.

    Dask reports KilledWorker when several workers died on one chunk, and cancels every future when its scheduler is
    gone.
    """
    if isinstance(error, BrokenExecutor) or type(error).__name__ == "KilledWorker":
        return "a worker died"
    if isinstance(error, CancelledError) or type(error).__name__ in ("FutureCancelledError", "CommClosedError"):
        return "the executor cancelled the work (a Dask cluster does so when its scheduler is gone)"
    return None


def _checked(rows: FloatArray, first: int, count: int, width: int) -> FloatArray:
    if rows.shape != (count, width) or not np.isfinite(rows).all():
        raise RuntimeError(
            f"the runs {first}..{first + count - 1} came back with shape {rows.shape} "
            f"or values that are not finite; expected {count} x {width} finite regrets"
        )
    return rows
