"""One run of a policy on a bandit, round by round."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reucb._simulation.job import make_job
from reucb.bandit import Bandit
from reucb.policies.base import Policy


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

    arms: NDArray[np.int64]
    rewards: NDArray[np.float64]
    regret: NDArray[np.float64]

    def __post_init__(self) -> None:
        for array in (self.arms, self.rewards, self.regret):
            array.setflags(write=False)

    def __repr__(self) -> str:
        return f"<Run of {len(self.arms)} rounds: regret {self.regret[-1]:.6g}>"

    def __reduce__(self) -> tuple[type[Run], tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]]:
        return Run, (self.arms, self.rewards, self.regret)


def play(bandit: Bandit, policy: Policy, horizon: int, seed: int = 0) -> Run:
    """Play one run and keep every round: run 0 of `simulate` with the same bandit, policy, horizon and seed.

    Parameters
    ----------
    bandit : Bandit
        Prior and reward law.
    policy : Policy
        What is played.
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
        If an argument is not allowed, or the policy cannot take the rewards of the bandit.

    Examples
    --------
    >>> import numpy as np, reucb
    >>> bandit = reucb.Bandit(n_arms=2, prior=np.array([0.0, 1.0]), rewards=reucb.Gaussian(sigma=1.0))
    >>> run = reucb.play(bandit, reucb.UCB1(sigma_sq=1.0), horizon=5)
    >>> run.arms, run.regret
    (array([0, 1, 1, 1, 1]), array([1., 1., 1., 1., 1.]))
    """
    from reucb._engine.block import play_run

    job = make_job(bandit, policy, horizon, 1, seed, 1)
    rounds = np.arange(1, job.horizon + 1)
    regret, arms = np.zeros(job.horizon), np.zeros(job.horizon, dtype=np.int64)
    rewards = np.zeros(job.horizon)
    play_run(job.bandit, job.policy, job.horizon, rounds, job.seed, 0, regret, arms, rewards)
    return Run(arms, rewards, regret)
