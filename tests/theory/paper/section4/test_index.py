"""The bonus and the choice of an arm, on agents."""

import math
from fractions import Fraction

import numpy as np
from flint import arb

import reucb
from tests.theory.harness.families import Family, Sides, number
from tests.theory.harness.plays import fitted
from theory.ledger import Entry


def third_round(first: int, second: int, noise: Fraction, spread: Fraction) -> Sides:
    """Index of arm 3, which is pulled at t = 3, and the best of the others, after one reward of arms 1 and 2."""
    fit = fitted((1, 1, 0), (first, second, 0), [noise], spread)
    one, two, three = (number(mu) + (number(v) * arb(3).log()).sqrt() for mu, v in zip(fit.mu, fit.mse, strict=True))
    return three, one.max(two)


ONE = Fraction(1)
IN_TURN = Family(
    (range(10), range(10), (ONE, ONE / 2, 2 * ONE), (ONE, ONE / 2, 2 * ONE)), third_round, (4, 0, ONE, ONE)
)
FAMILIES = {"sec:algorithm/highest-ucb": IN_TURN}


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
