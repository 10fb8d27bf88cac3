"""A recommender whose clicks arrive late and whose articles come and go.

Each visitor sees one article; whether it was clicked is known 500 visitors later. Every 2,000 visitors the five oldest
articles are retired and five new ones are added. Pulls made with `select(size=1)` are pending until their click or
non-click arrives, so that the next visitors see other articles. The plain loop with `select()` does not count pending
pulls and shows the same article to all visitors in the meantime.
"""

from collections import deque

import numpy as np

import reucb

VISITORS, DELAY, PERIOD, ARTICLES, FRESH = 10_000, 500, 2_000, 30, 5


def clicks(policy, pending):
    """Total clicks of all visitors."""
    world = np.random.default_rng(7)  # the same articles for every policy
    rates = list(world.beta(2.0, 38.0, size=ARTICLES))
    agent = policy.start(n_arms=ARTICLES, seed=0)
    waiting, total = deque(), 0
    for visitor in range(VISITORS):
        if visitor and visitor % PERIOD == 0:
            agent.retire(np.arange(visitor // PERIOD * FRESH - FRESH, visitor // PERIOD * FRESH))
            agent.add_arms(FRESH)
            rates += list(world.beta(2.0, 38.0, size=FRESH))
        arm = int(agent.select(size=1)[0]) if pending else agent.select()
        click = world.random() < rates[arm]
        total += click
        waiting.append((arm, click))
        if len(waiting) > DELAY:
            agent.update(*waiting.popleft())
    return total


reml = reucb.ReUCB(a=1.0, method="reml")
print(f"random play            {clicks(reucb.GaussianTS(mu0=0, sigma0_sq=1.0, sigma_sq=1e9), pending=True):5d}")
print(f"ReUCB, plain loop      {clicks(reml, pending=False):5d}")
print(f"ReUCB, pending pulls   {clicks(reml, pending=True):5d}")
print(f"ReTS                   {clicks(reucb.ReTS(), pending=True):5d}")

# Output:
# random play              514
# ReUCB, plain loop        435
# ReUCB, pending pulls    1488
# ReTS                    1437
