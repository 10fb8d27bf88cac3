"""One agent shared by threads: every call is one step, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from reucb.policies import UCB1, BernoulliTS, Policy, ReUCB

SHARED: dict[str, Policy] = {"ReUCB": ReUCB(), "UCB1": UCB1(0.25), "BernoulliTS": BernoulliTS()}


def together(work: Callable[[int], None], threads: int = 4) -> None:
    """Run the work in several threads at once; an error in one of them is raised here."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # handed to the test
            errors.append(error)

    running = [threading.Thread(target=guarded, args=(i,)) for i in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    if errors:
        raise errors[0]


@pytest.mark.parametrize("policy", SHARED.values(), ids=SHARED)
def test_updates_and_choices_of_four_threads(policy: Policy) -> None:
    """On 0.1.0 this did not end: kernels released the GIL in the middle of an update."""
    agent, rounds = policy.start(100, seed=0), 3_000

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        for t in range(rounds):
            agent.update(agent.select() if t % 3 else int(rng.integers(100)), float(rng.integers(0, 2)))
            if t % 500 == 0:
                policy.resume(agent.state())

    together(work)
    assert agent.rounds == agent.counts.sum() == 4 * rounds
    twin = policy.resume(agent.state())
    assert twin.state() == agent.state()


def test_batches_growth_and_new_arms() -> None:
    agent = ReUCB().start(300)

    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        for t in range(150):
            batch = (
                agent.select(size=3, among=np.flatnonzero(rng.random(300) < 0.9), distinct=True)
                if t % 2
                else agent.select(size=3)
            )
            agent.update(batch, rng.normal(size=3))
            agent.update(np.full(t % 7, number), rng.normal(size=t % 7))  # many distinct counts: the slots grow
            if t == 70 + number:
                agent.add_arms(40)

    together(work)
    assert agent.n_arms == 460
    assert agent.rounds == agent.counts.sum() == 4 * (150 * 3 + sum(t % 7 for t in range(150)))
    assert not agent.pending.any()
    assert ReUCB().resume(agent.state()).state() == agent.state()
