"""Runs of a policy on a bandit: a Monte Carlo estimate of its regret, and one run round by round.

Results are bit-for-bit identical on one core, on many, or on a cluster.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reucb._numerics import FloatArray, IntArray
from reucb._simulation.executors import cores, opened, regret_curves, versions
from reucb._simulation.job import DEFAULT_RECORD, make_job, recorded_rounds
from reucb._simulation.progress import Report
from reucb.bandit import Bandit
from reucb.policies import Policy
from reucb.result import Result, summarise

__all__ = ["Run", "cores", "opened", "play", "recorded_rounds", "simulate", "versions"]


def simulate(
    bandit: Bandit,
    policy: Policy,
    horizon: int,
    runs: int,
    seed: int = 0,
    *,
    executor: object = None,
    progress: bool | Report | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    record: int | Sequence[int] | IntArray = DEFAULT_RECORD,
    chunk: int | None = None,
) -> Result:
    """Estimate the regret of `policy` on `bandit` from `runs` independent runs of `horizon` rounds.

    Run r draws its bandit, its rewards and the policy's own randomness from three streams that depend on (seed, r)
    alone. The result is therefore bit-for-bit identical for any number of threads, workers and chunks, and policies
    simulated with the same seed have the same bandits and the same reward noise.

    Parameters
    ----------
    bandit : Bandit
        The prior over arm means and the reward law.
    policy : Policy
        The policy to run, for example ``reucb.ReUCB(a=1.0)``.
    horizon, runs : int
        Rounds of each run, and number of runs.
    seed : int
        Seed of all streams.
    executor : None, int, concurrent.futures.Executor, dask.distributed.Client or str
        None: threads on all cores; a number of threads; an executor; a Dask client, or the address of its scheduler
        ("tcp://host:8786"; needs the extra `cluster`).
    progress : None, bool or callable
        None shows finished runs and the remaining time if stderr is a terminal; True and False force it; a function is
        called with (runs done, runs in total).
    checkpoint : path, optional
        File that keeps finished chunks. The same call, repeated after a kill or Ctrl-C, resumes from it. With a
        complete file the same call returns without computing anything.
    record : int or sequence of int
        How many rounds of the curve to keep (evenly spaced), or which ones. Memory is 8 bytes per run and recorded
        round; it does not depend on the horizon.
    chunk : int, optional
        Runs computed at a time by one worker; the default takes about a tenth of a second.

    Returns
    -------
    Result
        Regret curve with standard errors, quantiles, and the final regret of each run.

    Raises
    ------
    TypeError, ValueError
        If an argument is not allowed, or the checkpoint is damaged or belongs to other settings; the file is left
        unchanged.
    RuntimeError
        If a worker or the cluster is lost; the message gives the number of runs that are kept.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=1.0))
    >>> result = reucb.simulate(bandit, reucb.UCB1(sigma_sq=1.0), horizon=100, runs=20, seed=1)
    >>> result.final.shape, bool(result.mean[-1] == result.final.mean())
    ((20,), True)
    """
    job = make_job(bandit, policy, horizon, runs, seed, record, chunk)
    curves = regret_curves(job, executor, progress, checkpoint)
    made_by = {**versions(), "python": platform.python_version()}
    return summarise(job.rounds, curves[:, : len(job.rounds)], curves[:, -1], job.settings, made_by)


@dataclass(frozen=True, eq=False)
class Run:
    """What `play` returns: read-only arrays with one entry per round.

    Attributes
    ----------
    arms : ndarray of int64
        The arm that was pulled.
    rewards : ndarray of float64
        Its reward.
    regret : ndarray of float64
        Cumulative pseudo-regret, computed with true means.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=0.0))
    >>> run = reucb.play(bandit, reucb.UCB1(sigma_sq=0.0), horizon=4)
    >>> run.rewards, run.regret
    (array([0., 1., 1., 1.]), array([1., 1., 1., 1.]))
    """

    arms: IntArray
    rewards: FloatArray
    regret: FloatArray

    def __post_init__(self) -> None:
        for array in (self.arms, self.rewards, self.regret):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Run of {len(self.arms)} rounds: regret {self.regret[-1]:.6g}>"

    def __reduce__(self) -> tuple[type[Run], tuple[IntArray, FloatArray, FloatArray]]:
        return Run, (self.arms, self.rewards, self.regret)


def play(bandit: Bandit, policy: Policy, horizon: int, seed: int = 0) -> Run:
    """Play one run and keep every round: run 0 of `simulate` with the same bandit, policy, horizon and seed.

    Parameters
    ----------
    bandit : Bandit
        Prior and reward law.
    policy : Policy
        The policy to play.
    horizon : int
        Number of rounds.
    seed : int
        Seed of the three streams (prior, rewards, policy).

    Returns
    -------
    Run
        With `arms`, `rewards` and cumulative `regret`, one entry per round.

    Raises
    ------
    ValueError, TypeError
        If an argument is not allowed, or the policy does not accept the rewards of the bandit.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=1.0))
    >>> run = reucb.play(bandit, reucb.UCB1(sigma_sq=1.0), horizon=5)
    >>> run.arms, run.regret
    (array([0, 1, 1, 1, 1]), array([1., 1., 1., 1., 1.]))
    """
    from reucb._engine.runs import play_run

    job = make_job(bandit, policy, horizon, 1, seed, 1)
    rounds = np.arange(1, job.horizon + 1)
    regret, arms = np.zeros(job.horizon), np.zeros(job.horizon, dtype=np.int64)
    rewards = np.zeros(job.horizon)
    play_run(job.bandit, job.policy, job.horizon, rounds, job.seed, 0, regret, arms, rewards)
    return Run(arms, rewards, regret)
