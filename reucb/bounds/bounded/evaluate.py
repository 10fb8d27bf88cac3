"""Theorems B and C evaluated: all cells of the best mean, on as many threads as there are processors."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np

from reucb._simulation.executors import cores
from reucb.bounds.bounded.bad import blocks
from reucb.bounds.bounded.layers import Cell
from reucb.bounds.bounded.lines import Family
from reucb.bounds.bounded.prior import Prior, mesh
from reucb.bounds.bounded.setting import Setting

CELLS = 100  # of the best mean for each standard deviation of the prior that it spreads over, but
FEWEST, MOST = 18, 30
ROUNDING = 1e-9  # relative, of every term


def after_start(
    prior: Prior, setting: Setting, report: Callable[[int, int], None], cells: int | None = None
) -> dict[str, float]:
    """Regret of the rounds after the first K: `good`, `bad` and `capped` contributions, from above.

    The last one holds layers in which every round is counted. Nothing is worse than losing y - low in all of them.
    """
    arms = setting.n_arms
    wanted = np.clip(CELLS * prior.best_spread(arms) / prior.moments[1], FEWEST, MOST)
    edges = prior.best_cells(arms, cells or setting.mesh(int(wanted)))
    family = Family(setting, prior, mesh(prior, edges))
    family.prepare()
    rounds = blocks(setting)

    def contribution(i: int) -> tuple[float, float, float]:
        parts = Cell(family, float(edges[i]), float(edges[i + 1])).parts(rounds)
        return parts.good, parts.bad, parts.capped

    with ThreadPoolExecutor(cores()) as pool:
        tasks = [pool.submit(contribution, i) for i in range(len(edges) - 1)]
        try:
            for done, _ in enumerate(as_completed(tasks), 1):
                report(done, len(tasks))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    found = np.sum([task.result() for task in tasks], axis=0)
    found[2] += setting.most_pulls * prior.cdf(edges[0]) ** arms * (edges[0] - prior.support[0])
    worst = setting.most_pulls * prior.best_excess(arms)
    if not found.sum() < worst:
        found = np.array([0.0, 0.0, worst])
    return dict(zip(("good", "bad", "capped"), (found * (1 + ROUNDING)).tolist(), strict=True))
