"""The bound for one cell of the best mean: layers of means, each at the threshold z that is best for it; and their sum.

The bounds of the claims ours/bounded and ours/bounded/any-law are evaluated over all cells of the best mean, on as many
threads as there are processors.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from reucb._numerics import FloatArray
from reucb._simulation.executors import cores
from reucb.bounds.bounded.bad_rounds import Best, Block, blocks
from reucb.bounds.bounded.good_rounds import good_pulls
from reucb.bounds.bounded.lines import Family
from reucb.bounds.bounded.setting import BoundedSetting, Prior, mesh

# Distances y - z in standard deviations of the prior.
GAPS = np.array([0.0, 0.05, 0.1, 0.15, 0.21, 0.27, 0.34, 0.42, 0.51, 0.61, 0.73, 0.87, 1.03, 1.22, 1.45, 1.75])
FINE, PARTS = 0.03, 8  # a cell has parts of about this many standard deviations, but no more of them
FAR = 24  # cells of means below the lowest threshold
CELLS = 100  # of the best mean for each standard deviation of the prior that it spreads over, but
FEWEST_CELLS, MOST_CELLS = 18, 30
ROUNDING = 1e-9  # relative, of every term


@dataclass(frozen=True)
class Parts:
    """Contributions to the bound: good pulls, bad rounds, and layers in which every round is counted."""

    good: float
    bad: float
    capped: float


@dataclass(frozen=True)
class Threshold:
    """At one threshold: the mean number of bad rounds for each part of the cell, and good pulls by cells of means.

    inner[i]: integral of the pulls M(mu) over the cells before cell i; edge[i]: of (right end - mu) M(mu) over cell i.
    """

    bad: FloatArray
    inner: FloatArray
    edge: FloatArray


def means_grid(low: float, thresholds: FloatArray, spread: float) -> FloatArray:
    """Edges of cells of means: the thresholds, the points halfway, and in geometric distances further down to low."""
    points = np.sort(thresholds)
    depth = points[0] - low
    far = points[0] - np.geomspace(min(0.1 * spread, depth / 2), depth, FAR)[:-1]
    return np.unique(np.concatenate([[low], far, points, (points[1:] + points[:-1]) / 2]))


class Cell:
    """Best means in [low, high], both edges of the mesh of the family; cut into parts of equal length.

    mu_* - mu_k is the length of the layers l with mu_k < l < mu_*; a round with mu_k < l <= z is good or bad at z.
    Thresholds are tried from below; one that cannot help, as bad rounds become more with z, is left out.
    """

    def __init__(self, family: Family, low: float, high: float) -> None:
        self._family = family
        bottom, spread = family.prior.support[0], family.prior.moments[1]
        count = int(np.clip(np.ceil((high - low) / (FINE * spread)), 1, PARTS))
        self._tops = np.linspace(low, high, count + 1)
        lower = low - spread * GAPS
        self._thresholds = np.concatenate([lower[lower > bottom][::-1], self._tops[1:]])
        self._grid = means_grid(bottom, self._thresholds, spread)
        self._widths = np.diff(self._grid)

    def parts(self, rounds: list[Block]) -> Parts:
        """The contribution of the cell to the bound."""
        shares = np.array([self._shares(a, b) for a, b in pairwise(self._tops)])
        if not shares.sum() > 0:  # a gap of the prior
            return Parts(0.0, 0.0, 0.0)
        thresholds = self._evaluate(rounds, *shares.T)
        found = [self._layers(i, share, weight, thresholds) for i, (share, weight) in enumerate(shares)]
        return Parts(*np.sum(found, axis=0).tolist())

    def _shares(self, low: float, high: float) -> tuple[float, float]:
        """P(best mean in [low, high]) and the weight of an integral over the means of the others, (K - 1) E 1/F(y)."""
        arms = self._family.setting.n_arms
        f1, f2 = self._family.prior.cdf([low, high])
        return f2**arms - f1**arms, arms * (f2 ** (arms - 1) - f1 ** (arms - 1))

    def _evaluate(self, rounds: list[Block], share: FloatArray, weight: FloatArray) -> list[Threshold]:
        setting, low, high = self._family.setting, self._tops[0], self._tops[-1]
        above, below = self._family.above(high), self._family.below(low)
        arm = Best(setting, self._tops[:-1], share)
        moments = self._family.prior.cell_moments(self._grid)
        best = setting.most_pulls * share.sum() * self._widths
        found: list[Threshold] = []
        for z in self._thresholds:
            cells = int(np.searchsorted(self._grid, z))
            value, slope = good_pulls(setting, high, z, above, self._grid[: cells + 1]).T
            mass, up, down, both = (moment[:cells] for moment in moments)
            inner = np.append(0.0, np.cumsum(mass * value + up * slope)[:-1])
            edge, width = down * value + both * slope, self._widths[:cells]
            pulls = weight.sum() * (inner * width + edge)
            least = found[-1].bad @ share if found else 0.0
            if np.any(pulls + least * width < best[:cells]):
                found.append(Threshold(arm.bad_rounds(rounds, z, below), inner, edge))
                best[:cells] = np.minimum(best[:cells], pulls + found[-1].bad @ share * width)
        return found

    def _layers(
        self, part: int, share: float, weight: float, thresholds: list[Threshold]
    ) -> tuple[float, float, float]:
        """Good, bad and capped contribution of best means in one part, each layer at the least of its bounds."""
        layers = int(np.searchsorted(self._grid, self._tops[part + 1]))
        width = self._widths[:layers]
        bounds, good = [self._family.setting.most_pulls * share * width], [np.zeros(layers)]
        for at in thresholds:
            cells = min(layers, len(at.edge))
            pulls = np.full(layers, np.inf)
            pulls[:cells] = weight * (at.inner[:cells] * width[:cells] + at.edge[:cells])
            good.append(pulls)
            bounds.append(pulls + share * at.bad[part] * width)
        best = np.argmin(bounds, axis=0)
        total, pulls = np.min(bounds, axis=0), np.take_along_axis(np.array(good), best[None], axis=0)[0]
        capped = total[best == 0].sum()
        return pulls.sum(), total.sum() - pulls.sum() - capped, capped


def after_start(
    prior: Prior, setting: BoundedSetting, report: Callable[[int, int], None], cells: int | None = None
) -> dict[str, float]:
    """Regret of the rounds after the first K: `good`, `bad` and `capped` contributions, from above.

    The last one holds layers in which every round is counted. No round costs more than y - low.
    """
    arms = setting.n_arms
    wanted = np.clip(CELLS * prior.best_spread(arms) / prior.moments[1], FEWEST_CELLS, MOST_CELLS)
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
