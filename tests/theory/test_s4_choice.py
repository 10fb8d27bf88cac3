"""The bonus and the choice of an arm, on agents."""

import math

import numpy as np

import reucb
from tests.theory.search import facing
from theory.ledger import Entry

test_verdict, test_no_violation, test_counterexample = facing("theory.paper.s4_choice")


def test_the_third_arm_is_pulled_though_the_first_has_the_higher_index(ledger: dict[str, Entry]) -> None:
    """sec:algorithm/highest-ucb, played by the agent; the ledger's two indices are the core's."""
    fit = reucb.blup([1, 1, 0], [4.0, 0.0, 0.0], sigma0_sq=1.0, sigma_sq=1.0)
    index = fit.mu + np.sqrt(fit.mse * math.log(3))
    assert index[0] > index[2]
    assert ledger["sec:algorithm/highest-ucb"].verdict == "refuted"
    agent = reucb.ReUCB(sigma0_sq=1.0, sigma_sq=1.0).start(n_arms=3, seed=0)
    for reward in (4.0, 0.0):
        agent.update(agent.select(), reward)
    assert agent.select() == 2
