"""Lines that the weighted means of the other arms stay below or above, but for small probability (Lemma 1)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reucb._numerics.arrays import FloatArray
from reucb.bounds.bounded.envelope import Arm, envelopes
from reucb.bounds.bounded.posterior import Likelihood, likelihood, means, weights
from reucb.bounds.bounded.prior import Mesh, Prior
from reucb.bounds.bounded.setting import LAMBDAS, LARGEST, Setting

FOLLOWED = (300, 1200)  # pulls J of one arm that an envelope follows, at least and at most
ABOVE = np.array([0.4, 0.7, 1.0, 1.3, 1.6, 2.0])  # levels of lines: the prior mean plus or minus this many
BELOW = np.array([0.5, 0.6, 0.72, 0.85, 1.0, 1.2, 1.5])  # of its standard deviations
KNOWN = 96  # cells of the prior where every arm knows its own mean


@dataclass(frozen=True)
class Lines:
    """P(sum_i w_i sign (rbar_i - levels[l]) > x in some round) <= exp(log_g[l, k] - lams[k] x) for all k."""

    levels: FloatArray
    lams: FloatArray
    log_g: FloatArray

    def x(self, number: int, tail: float) -> float:
        """The least x for which line `number` is crossed with probability at most `tail`, by these bounds."""
        return float(np.min((self.log_g[number] - math.log(tail)) / self.lams))


@dataclass(frozen=True)
class Family:
    """The lines of one setting, for every value of the best mean that is an edge of the mesh."""

    setting: Setting
    prior: Prior
    mesh: Mesh

    @cached_property
    def pulls(self) -> int:
        """J: about 36 rho pulls, where an arm's own rewards have long outweighed the rest."""
        low, high = FOLLOWED
        return min(self.setting.most_pulls, int(min(max(36 * self.setting.rho, low), high)))

    @cached_property
    def lams(self) -> FloatArray:
        rho = self.setting.rho
        noise = 0.25 / math.sqrt(rho) if rho > 1 else 0.5 / (1 + rho)
        return np.minimum(LAMBDAS / math.hypot(self.prior.moments[1], noise), LARGEST)

    def prepare(self) -> None:
        """Compute what all values of y share, once, before threads ask for it."""
        _ = self._tables if self.setting.binary else self._known

    def above(self, y: float) -> Lines:
        """For the K - 2 arms that are neither pulled nor best, each of mean cut at y, and the best, of mean at most y.

        The best arm enters as rbar - y. Envelopes from above rise in y, so these lines hold for every smaller y.
        """
        best = self._envelopes(Arm.known(y, 1, self.pulls), np.array([y]))
        others = (self.setting.n_arms - 2) * self._cut(y, 1)
        return Lines(self._levels(1), self.lams, others + best)

    def below(self, y: float) -> Lines:
        """For the K - 1 others of the best arm, each of mean cut at y, from below.

        Envelopes from below fall in y, so these lines hold for every larger y.
        """
        return Lines(self._levels(-1), self.lams, (self.setting.n_arms - 1) * self._cut(y, -1))

    def _levels(self, sign: int) -> FloatArray:
        mean, spread = self.prior.moments
        return mean + spread * (ABOVE if sign > 0 else -BELOW)

    def _envelopes(self, arm: Arm, lines: FloatArray) -> FloatArray:
        """log G in rows of one level."""
        s = self.setting
        pairs = np.tile(self.lams, len(lines)), np.repeat(lines, len(self.lams))
        return envelopes(arm, *pairs, s.rho, self.pulls == s.most_pulls).reshape(len(lines), -1)

    def _cut(self, y: float, sign: int) -> FloatArray:
        """log G of an arm whose mean has the prior cut at y."""
        cut = self.mesh.place(y)
        if not self.setting.binary:
            return self._known_means(cut, sign)
        return self._envelopes(
            Arm(sign, [means(found, cut, sign) for found in self._tables[1:]], *weights(self._tables[0], cut, sign)),
            self._levels(sign),
        )

    @cached_property
    def _tables(self) -> list[Likelihood]:
        """Likelihoods after J pulls, and after J - 1, J/2 - 1, J/4 - 1, ..: between them errors at most double."""
        halves = [self.pulls >> k for k in range(self.pulls.bit_length())]
        return [likelihood(self.mesh, pulls) for pulls in (self.pulls, *(half - 1 for half in halves))]

    def _known_means(self, cut: int, sign: int) -> FloatArray:
        """log E G_mu where the mean mu is known to whoever stops: by cells, each at the end where G_mu is larger."""
        places, table = self._known[sign]
        inside = places[places < cut]
        mass = np.add.reduceat(self.mesh.high[:cut], inside)
        return np.asarray(np.log(np.tensordot(mass / self.mesh.low[:cut].sum(), np.exp(table[: len(mass)]), axes=1)))

    @cached_property
    def _known(self) -> dict[int, tuple[np.ndarray[tuple[int], np.dtype[np.intp]], FloatArray]]:
        """For each sign the first edges of KNOWN cells and log G_mu of each cell."""
        places = np.unique(np.linspace(0, len(self.mesh.low), KNOWN + 1).astype(np.intp))
        found = {}
        for sign, ends in ((1, places[1:]), (-1, places[:-1])):
            arms = [Arm.known(float(self.mesh.edges[end]), sign, self.pulls) for end in ends]
            found[sign] = places[:-1], np.array([self._envelopes(arm, self._levels(sign)) for arm in arms])
        return found
