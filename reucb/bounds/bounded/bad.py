"""Bad rounds: how often the indices of all arms are below z, among them that of the best arm (Lemma 3).

Arms other than the best with means above z must be below z too. Bounding B by these witnesses as well lowers it by at
most 13 % where it is small already (U[0, 1], K = 10, a = 1) and not at all for U[0.2, 0.5], K = 20, so under 1 % of the
whole bound: their lines must hold for all of them at once. It is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.bounded.lines import Lines
from reucb.bounds.bounded.setting import EXACT, Setting, counts_up_to
from reucb.bounds.bounded.walk import Block as Arrays
from reucb.bounds.bounded.walk import charge

BLOCKS, POWER = 28, 2.5  # of rounds; block i ends at the share (i/BLOCKS)^POWER of them
LEVELS = (0.6, 0.3, 0.15, 0.07, 0.03, 0.01, 1e-3, 1e-5, 1e-7)  # tails of X that are tried first
MOST = 22  # levels of the tail of X


@dataclass(frozen=True)
class Block:
    """Some rounds t: how many, and for each count N of one arm the two ends of s = 1/(1 + v).

    roots: C_t sqrt(N + rho (1 - s)) at these ends, for the first of the rounds.
    """

    rounds: int
    counts: FloatArray
    s: FloatArray
    roots: FloatArray

    @property
    def arrays(self) -> Arrays:
        return self.counts, self.s, self.roots


def block(setting: Setting, first: int, last: int) -> Block:
    """Rounds first..last. The K - 1 other arms have t - 1 - N pulls, at least one each: v = W - w is least when one of
    them has all but K - 2, largest when they have equally many, as w is concave.
    """
    others, rho, w1 = setting.n_arms - 1, setting.rho, setting.first_weight
    counts = counts_up_to(last - setting.n_arms)
    one = np.maximum(first - 1 - counts - (others - 1), 1)
    each = np.maximum((last - 1 - counts) / others, 1)
    least = (others - 1) * w1 + one / (one + rho)
    most = np.maximum(others * each / (each + rho), least)
    if counts[-1] > EXACT:  # between counts that are left out the range is constant
        least[EXACT:], most[EXACT:] = others * w1, others
    s = 1 / (1 + np.array([least, most]))
    return Block(last - first + 1, counts, s, setting.radius(first) * np.sqrt(counts + rho * (1 - s)))


def blocks(setting: Setting) -> list[Block]:
    """All rounds after the first K."""
    ends = setting.n_arms + setting.most_pulls * np.linspace(0, 1, setting.mesh(BLOCKS) + 1)[1:] ** POWER
    last = np.unique(np.maximum(np.round(ends), setting.n_arms + 1)).astype(int)
    return [block(setting, int(a), int(b)) for a, b in zip([setting.n_arms + 1, *(last[:-1] + 1)], last, strict=True)]


class Charge:
    """E P(crossing b(X)), X with the law of one line: each cell of the law at its upper end, the last tail at 1."""

    def __init__(self, levels: Callable[[FloatArray, FloatArray, int, int], int], means: int) -> None:
        self._levels = levels
        self._tails, self._values = np.ones(MOST), np.zeros((MOST, means))
        self._tails[1 : len(LEVELS) + 1] = LEVELS
        self._known = levels(self._tails, self._values, 0, len(LEVELS) + 1)

    def refined(self) -> Charge:
        """With more levels of the tail, where they matter."""
        self._known = self._levels(self._tails, self._values, self._known, MOST)
        return self

    @property
    def values(self) -> FloatArray:
        """For each mean."""
        tails, values = self._tails[: self._known], self._values[1 : self._known]
        return np.asarray(np.minimum(1.0, -np.diff(tails) @ values + tails[-1]))


class Best:
    """The best arm, with each of some means, rising; weights say how much each matters."""

    def __init__(self, setting: Setting, means: FloatArray, weights: FloatArray) -> None:
        self._setting, self._means, self._weights = setting, means, weights / weights.sum()
        self._logs = np.log([means / means[-1], (1 - means) / (1 - means[-1])])
        self._room = np.empty((3, len(setting.counts) + 2))  # for the walks

    def bad_rounds(self, rounds: list[Block], z: float, lines: Lines) -> FloatArray:
        """B: the mean number of bad rounds for each mean, in every block with a line found by steps from the last."""
        total, number = np.zeros(len(self._means)), len(lines.levels) // 2
        for found in reversed(rounds):
            here = self._charge(found, z, lines, number)
            for way in (1, -1):
                while 0 <= number + way < len(lines.levels):
                    other = self._charge(found, z, lines, number + way)
                    if other.values @ self._weights >= here.values @ self._weights:
                        break
                    here, number = other, number + way
            total += found.rounds * here.refined().values
        return total

    def _charge(self, found: Block, z: float, lines: Lines, number: int) -> Charge:
        s, (below, reach, mass) = self._setting, self._room
        level, log_g, room = float(lines.levels[number]), lines.log_g[number], (below[: len(found.counts)], reach, mass)
        arm = self._means, self._logs, self._weights

        def levels(tails: FloatArray, values: FloatArray, known: int, most: int) -> int:
            of_x = level, lines.lams, log_g
            return charge(s.rho, s.binary, found.arrays, z, *of_x, *arm, room, tails, values, known, most)

        return Charge(levels, len(self._means))
