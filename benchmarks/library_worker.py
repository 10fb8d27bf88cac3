"""Rounds per second of one bandit library: `python library_worker.py NAME`, run by the interpreter that has it.

The reference problem: 50 Gaussian arms, mu ~ N(1, 0.04), sigma = 0.5, UCB1's index where the library has it. Only the
standard library and the measured library (with the NumPy it needs) are imported. Prints one JSON object.
"""

from __future__ import annotations

import json
import random
import sys
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version

K, SIGMA = 50, 0.5

warnings.simplefilter("ignore")
noise = random.Random(0)
MEANS = [noise.gauss(1.0, 0.2) for _ in range(K)]


def reward(arm: int) -> float:
    return MEANS[arm] + SIGMA * noise.gauss(0.0, 1.0)


def timed(step: Callable[[], None], seconds: float = 3.0) -> tuple[int, float]:
    """Rounds played and CPU seconds taken, after 200 rounds of warming up."""
    for _ in range(200):
        step()
    rounds, begin = 0, time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        for _ in range(50):
            step()
        rounds += 50
    return rounds, spent


def smpybandits() -> tuple[str, int, float]:
    from SMPyBandits.Policies.UCBalpha import UCBalpha

    policy = UCBalpha(K, alpha=4)
    policy.startGame()

    def step() -> None:
        arm = policy.choice()
        policy.getReward(arm, reward(arm))

    return ("UCB index in a Python loop; rewards are rescaled to [0, 1]", *timed(step))


def mabwiser() -> tuple[str, int, float]:
    from mabwiser.mab import MAB, LearningPolicy

    bandit = MAB(list(range(K)), LearningPolicy.UCB1(alpha=1.0))
    bandit.fit(list(range(K)), [reward(arm) for arm in range(K)])

    def step() -> None:
        arm = bandit.predict()
        bandit.partial_fit([arm], [reward(arm)])

    return ("UCB1 with general decisions and checks of every call", *timed(step))


def river() -> tuple[str, int, float]:
    from river import bandit

    policy, arms = bandit.UCB(delta=1.0, seed=0), list(range(K))

    def step() -> None:
        arm = policy.pull(arms)
        policy.update(arm, reward(arm))

    return ("UCB with arms of any hashable kind, statistics as objects", *timed(step))


def pymab() -> tuple[str, int, float]:
    import numpy as np
    from pymab.distributions import GaussianReward
    from pymab.environments import BanditEnvironment
    from pymab.policies import UCBPolicy
    from pymab.simulation import Experiment, ExperimentConfig

    environment = BanditEnvironment(np.array(MEANS), GaussianReward(SIGMA))
    policies = {"ucb": UCBPolicy(n_arms=K)}

    def run(runs: int) -> None:
        config = ExperimentConfig(
            horizon=10_000, n_replicates=runs, seed=0, reward_coupling="independent", backend="rust"
        )
        Experiment(environment=environment, policies=policies, config=config).run()

    run(1)
    begin = time.process_time()
    run(20)
    return (
        "compiled (Rust) simulation of fixed arms; keeps every reward and action, so memory grows with the horizon",
        200_000,
        time.process_time() - begin,
    )


MEASURES = {"SMPyBandits": smpybandits, "mabwiser": mabwiser, "river": river, "pymab": pymab}

if __name__ == "__main__":
    name = sys.argv[1]
    out, sys.stdout = sys.stdout, sys.stderr  # libraries that print on import do it elsewhere
    differs, rounds, seconds = MEASURES[name]()
    print(
        json.dumps(
            {"library": name, "version": version(name), "rounds_per_second": rounds / seconds, "differs": differs}
        ),
        file=out,
    )
