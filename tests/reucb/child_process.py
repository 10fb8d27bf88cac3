"""A simulation in a process of its own, to be stopped by signals and watched from outside."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import scipy.stats

import reucb

BANDIT = reucb.Bandit(n_arms=10, prior=scipy.stats.norm(1, 0.2), rewards=reucb.Gaussian(sigma=0.5))
POLICY = reucb.UCB1(sigma_sq=0.25)
HORIZON, RUNS, SEED, CHUNK, THREADS = 20_000, 200, 5, 2, 2

SCRIPT = """
import signal, sys
from tests.reucb import child_process as p
interrupted = False

def stop(*_):
    # also where a shell's background job, and its children, would ignore the signal
    global interrupted
    interrupted = True
    raise KeyboardInterrupt

signal.signal(signal.SIGINT, stop)

def show(done, total):
    # report, then wait for a line, so that the reader sets the pace; a reader that has left is not waited for
    print(done, flush=True)
    if not interrupted:
        sys.stdin.readline()

try:
    p.reucb.simulate(p.BANDIT, p.POLICY, p.HORIZON, p.RUNS, p.SEED, chunk=p.CHUNK, executor=p.THREADS,
                     checkpoint=sys.argv[1], progress=show).save(sys.argv[1] + ".npz")
except KeyboardInterrupt:
    print("stopped", flush=True)
"""


def start(checkpoint):
    """The simulation with this checkpoint.

    It prints the number of runs done after every chunk, and continues when it reads a line.
    """
    root = Path(__file__).parents[2]
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SCRIPT, str(checkpoint)],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def allow(process, chunks=1):
    """Let the simulation compute this many chunks more."""
    process.stdin.write("\n" * chunks)
    process.stdin.flush()


@cache
def expected():
    """What it should give."""
    return reucb.simulate(BANDIT, POLICY, HORIZON, RUNS, SEED)
