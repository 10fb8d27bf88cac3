"""Threads, processes and a Dask cluster give bit-for-bit identical results, also when a worker dies."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import reucb
from reucb._simulation import executors
from reucb._simulation.executors import Stopped, stop_flag
from tests.reucb.child_process import BANDIT, POLICY

distributed = pytest.importorskip("distributed", reason="the cluster extra is not installed")
dask = pytest.importorskip("dask", reason="the cluster extra is not installed")

pytestmark = pytest.mark.xdist_group("cluster")  # one cluster, not one per test process

PATIENCE = 60.0  # seconds until a test gives up: what it waits for takes milliseconds on an idle machine
SETTINGS = {"bandit": BANDIT, "policy": POLICY, "horizon": 2_000, "runs": 64, "seed": 9}


@pytest.fixture(scope="module")
def local():
    return reucb.simulate(**SETTINGS, executor=1).digest()


@pytest.fixture(scope="module")
def cluster():
    """Two worker processes of a real cluster, restarted by their nanny when they die, on ports that are free.

    A process that has died is called again and again until the time to connect is over, by default half a minute.
    """
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "10s"}),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, silence_logs=50, dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def test_spawned_processes_give_the_same_bits(local):
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert reucb.simulate(**SETTINGS, executor=pool, chunk=9).digest() == local
        assert pool.submit(abs, -1).result() == 1  # it is the caller's: left open


def test_a_dead_process_is_reported_and_the_checkpoint_is_kept(tmp_path, local):
    def kill_one(done, total):
        if done == 3:
            os.kill(next(iter(pool._processes)), signal.SIGKILL)

    with (
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool,
        pytest.raises(RuntimeError, match=r"worker died after \d+ of 64 runs; they are kept in"),
    ):
        reucb.simulate(**SETTINGS, executor=pool, chunk=1, checkpoint=tmp_path / "c", progress=kill_one)
    done = []
    again = reucb.simulate(**SETTINGS, checkpoint=tmp_path / "c", progress=lambda runs, _: done.append(runs))
    assert again.digest() == local
    assert 3 <= done[0] < 64


def test_a_cluster_gives_the_same_bits(cluster, local):
    assert reucb.simulate(**SETTINGS, executor=cluster, chunk=5).digest() == local
    assert reucb.simulate(**SETTINGS, executor=cluster.scheduler.address, chunk=11).digest() == local


def test_a_killed_worker_changes_nothing(cluster):
    """One of the two worker processes is killed after the first chunk; its chunks are computed again."""
    settings = {**SETTINGS, "horizon": 20_000, "runs": 200}
    killed = []

    def kill_one(done, total):
        if done and not killed:
            pid = next(iter(cluster.run(os.getpid).values()))
            os.kill(pid, signal.SIGKILL)
            killed.append((pid, done))

    result = reucb.simulate(**settings, executor=cluster, chunk=4, progress=kill_one)
    assert killed[0][1] < 200
    assert result.digest() == reucb.simulate(**settings).digest()


class CancelledHalfway(ThreadPoolExecutor):
    """An executor that cancels what it is given after three tasks, as Dask does when its scheduler is gone."""

    given = 0

    def submit(self, fn, /, *args, **kwargs):
        self.given += 1
        if self.given <= 3:
            return super().submit(fn, *args, **kwargs)
        task = Future()
        task.cancel()
        task.set_running_or_notify_cancel()
        return task


def test_a_lost_cluster_is_reported_and_the_checkpoint_is_kept(tmp_path, local):
    words = r"executor cancelled the work .* after \d+ of 64 runs; they are kept in .*: start again to resume"
    with CancelledHalfway(1) as pool, pytest.raises(RuntimeError, match=words):
        reucb.simulate(**SETTINGS, executor=pool, chunk=1, checkpoint=tmp_path / "c")
    assert reucb.simulate(**SETTINGS, checkpoint=tmp_path / "c").digest() == local


def test_a_worker_of_another_version_refuses():
    """Its bits might differ. The error of a worker reaches the caller."""
    with pytest.raises(RuntimeError, match="a worker has"):
        executors.compute(BANDIT, POLICY, 10, np.array([10]), 0, 0, 1, {"reucb": "0"})
    with pytest.raises(ValueError, match=r"needs rewards in \[0, 1\]"):
        reucb.simulate(**{**SETTINGS, "policy": reucb.BernoulliTS()}, executor=1)


@pytest.mark.parametrize(("wrong", "error"), [(0, ValueError), (True, TypeError), (2.0, TypeError), ([], TypeError)])
def test_other_executors_are_refused(wrong, error):
    with pytest.raises(error, match="executor = "):
        reucb.simulate(**SETTINGS, executor=wrong)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ImportError, match=r"reucb\[cluster\]"):
        reucb.simulate(**SETTINGS, executor="tcp://127.0.0.1:1")


def test_an_error_of_the_caller_stops_everything():
    """A progress function that fails: its own error arrives, and nothing is computed after it."""
    done = []

    def fail(runs, total):
        done.append(runs)
        if runs:
            raise OSError("the caller's own")

    with pytest.raises(OSError, match="the caller's own"):
        reucb.simulate(**SETTINGS, executor=1, chunk=1, progress=fail)
    assert done == [0, 1]


@pytest.mark.parametrize("rows", [np.zeros((3, 2)), np.full((2, 2), np.nan)])
def test_wrong_rows_are_refused(rows):
    with pytest.raises(RuntimeError, match=r"runs 0\.\.1 came back"):
        executors._checked(rows, 0, 2, 2)


def test_threads_do_not_keep_the_process_and_cancel():
    pool = executors.Threads(1)
    started, gate = threading.Event(), threading.Event()

    def task():
        started.set()
        return gate.wait(PATIENCE)

    first = pool.submit(task)
    assert started.wait(PATIENCE)
    second = pool.submit(abs, -1)
    third = pool.submit(abs, "x")
    assert second.cancel()
    pool.shutdown()  # returns although the first task is still waiting for the gate
    assert not first.done()
    gate.set()
    assert first.result(PATIENCE) is True
    with pytest.raises(TypeError):
        third.result(PATIENCE)
    assert all(thread.daemon for thread in threading.enumerate() if thread.name == "reucb")


def test_a_pool_that_is_told_to_stop_ends_its_kernels():
    """A run that would take weeks ends within a round; a pool that was not stopped has its own flag."""
    executors.compute(BANDIT, POLICY, 10, np.array([10]), 0, 0, 1, executors.versions())  # compiled beforehand
    pool = executors.Threads(1)
    task = pool.submit(executors.compute, BANDIT, POLICY, 2**50, np.array([2**50]), 0, 0, 1, executors.versions())
    with pytest.raises(TimeoutError):
        task.result(0.5)
    pool.stop()
    with pytest.raises(Stopped):
        task.result(PATIENCE)
    pool.shutdown()
    assert not stop_flag()[0]


INTERRUPTED = """
import os, signal, threading, time
import reucb
from tests.reucb.child_process import BANDIT, POLICY

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job, and its children, ignore it
reucb.simulate(BANDIT, POLICY, 100, 2, executor=2)  # compiled before the clock runs
before = set(threading.enumerate())


def interrupt():
    while len(set(threading.enumerate()) - before) < 3:  # this thread and both of the pool
        time.sleep(0.01)
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)


try:
    # progress is called once, before the first run
    reucb.simulate(BANDIT, POLICY, 2**50, 2, executor=2, progress=lambda *_: threading.Thread(target=interrupt).start())
except KeyboardInterrupt:
    for thread in set(threading.enumerate()) - before:
        thread.join(60.0)
        assert not thread.is_alive()
    print("stopped")
"""


def test_an_interrupt_leaves_no_thread_running():
    """In a process of its own: test runners may ignore the signal."""
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=10 * PATIENCE, check=False
    )
    assert run.stdout == "stopped\n", run.stderr
