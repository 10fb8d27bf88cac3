"""Lines that the weighted means of the other arms cross with small probability only (claim ours/bounded/line).

They come from envelopes G = sup over stopping times tau >= 1 of E exp(lam Z_tau), Z_j = sign (S_j - level j)/(j + rho),
computed from above. S_j is the sum of j rewards of one arm, 0 or 1, whose mean is drawn from a law or known. Whatever
the sampling, P(sum_i w_i sign (rbar_i - level) > x in some round) <= exp(-lam x) prod_i G_i.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from reucb._engine.jit import compiled
from reucb._numerics import FloatArray
from reucb.bounds.bounded.setting import (
    LAMBDAS,
    LARGEST_LAMBDA,
    BoundedSetting,
    CellLikelihood,
    Prior,
    PriorMesh,
    likelihood,
    posterior_means,
    posterior_weights,
)

ROUNDING = 1e-9  # added to log G for rounding errors; the recursions lose less than 1e-11 in 10^4 steps
FOLLOWED = (300, 1200)  # pulls J of one arm that an envelope follows, at least and at most
ABOVE = np.array([0.4, 0.7, 1.0, 1.3, 1.6, 2.0])  # levels of lines: the prior mean plus or minus this many
BELOW = np.array([0.5, 0.6, 0.72, 0.85, 1.0, 1.2, 1.5])  # of its standard deviations
KNOWN = 96  # number of cells of the prior if the stopping rule may depend on the mean of the arm


@compiled
def backward_induction(
    lams: FloatArray,
    levels: FloatArray,
    sign: int,
    rho: float,
    first: int,
    last: int,
    mean: FloatArray,
    values: FloatArray,
) -> None:
    """Optimal stopping from V_{last+1} = values to V_first: V_j(S) = max(exp(lam Z_j), p V(S + 1) + (1 - p) V(S)).

    `mean` holds p_last(S), afterwards p_{first-1}: p_{j-1}(S) = p_j(S)/(1 + p_j(S) - p_j(S + 1)), as rewards are
    exchangeable. Row i of `values` has lams[i] and levels[i]. Both arrays are overwritten.
    """
    for j in range(last, first - 1, -1):
        for i in range(len(lams)):
            value = values[i]
            ratio = math.exp(sign * lams[i] / (j + rho))
            stop = math.exp(-sign * lams[i] * levels[i] * j / (j + rho))
            for s in range(j + 1):
                value[s] = max(stop, value[s] + mean[s] * (value[s + 1] - value[s]))
                stop *= ratio
        for s in range(j):
            mean[s] = mean[s] / (1 + mean[s] - mean[s + 1])


def noise_after(lams: FloatArray, pulls: int, rho: float) -> FloatArray:
    """H = 1 + int_0^inf lam exp(lam x - 8 x^2 (J + rho)) dx, a factor for the noise of the pulls after J."""
    from scipy.special import erf

    a = 8 * (pulls + rho)
    return np.asarray(
        1 + lams * np.sqrt(np.pi / a) / 2 * np.exp(lams**2 / (4 * a)) * (1 + erf(lams / (2 * np.sqrt(a))))
    )


@dataclass(frozen=True)
class Arm:
    """What is known of one arm's mean, on the side where the sign makes envelopes larger.

    means[0] holds E[mu | S] after J - 1 pulls, later entries after fewer, the last one before any: bounds from above
    for sign = 1, from below for sign = -1, rising in S. weights[s, i] bounds P(mu in group i | S_J = s) and ends[i] is
    the end of the group where sign * mu is largest.
    """

    sign: int
    means: Sequence[FloatArray]
    weights: FloatArray
    ends: FloatArray

    @classmethod
    def known(cls, mean: float, sign: int, pulls: int) -> Arm:
        """An arm of known mean."""
        return cls(sign, [np.full(pulls, mean)], np.ones((pulls + 1, 1)), np.array([mean]))


def envelopes(arm: Arm, lams: FloatArray, levels: FloatArray, rho: float, ends_there: bool) -> FloatArray:
    """log G for each pair (lams[i], levels[i]); `ends_there`: no arm is pulled more than J = len(arm.means[0]) times.

    After J pulls, Z_j is a weighted mean of Z_J and sign (mu - level) plus noise, so that
    V_J <= H (e^{lam Z_J} + E[(e^{lam sign (mu - level)} - e^{lam Z_J})^+ | S_J]). The exact V_J is monotone in S, so
    its bound is made so. Then every V_j is, and means that are too large (sign = 1) or too small (-1) only raise it.
    """
    sign, pulls = arm.sign, len(arm.means[0])
    s = np.arange(pulls + 1.0)
    values = np.exp(lams[:, None] * sign * (s - levels[:, None] * pulls) / (pulls + rho))
    if not ends_there:
        for now, lam, level, factor in zip(values, lams, levels, noise_after(lams, pulls, rho), strict=True):
            later = np.exp(lam * sign * (arm.ends - level))
            bound = factor * (now + (arm.weights * np.maximum(later - now[:, None], 0.0)).sum(axis=1))
            now[:] = np.minimum.accumulate(bound[::-sign])[::-sign]
    mean = arm.means[0].copy()
    better = np.minimum if sign > 0 else np.maximum
    for known, following in zip(arm.means, [*arm.means[1:], np.zeros(1)], strict=True):
        mean[: len(known)] = better(mean[: len(known)], known)
        backward_induction(lams, levels, sign, rho, len(following), len(known) - 1, mean, values)
    return np.asarray(np.log(values[:, 0] + mean[0] * (values[:, 1] - values[:, 0])) + ROUNDING)


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

    setting: BoundedSetting
    prior: Prior
    mesh: PriorMesh

    @cached_property
    def pulls(self) -> int:
        """J: about 36 rho pulls, where an arm's own rewards far outweigh the rest."""
        low, high = FOLLOWED
        return min(self.setting.most_pulls, int(min(max(36 * self.setting.rho, low), high)))

    @cached_property
    def lams(self) -> FloatArray:
        rho = self.setting.rho
        noise = 0.25 / math.sqrt(rho) if rho > 1 else 0.5 / (1 + rho)
        return np.minimum(LAMBDAS / math.hypot(self.prior.moments[1], noise), LARGEST_LAMBDA)

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
            Arm(
                sign,
                [posterior_means(found, cut, sign) for found in self._tables[1:]],
                *posterior_weights(self._tables[0], cut, sign),
            ),
            self._levels(sign),
        )

    @cached_property
    def _tables(self) -> list[CellLikelihood]:
        """Likelihoods after J pulls, and after J - 1, J/2 - 1, J/4 - 1, ..: between them errors at most double."""
        halves = [self.pulls >> k for k in range(self.pulls.bit_length())]
        return [likelihood(self.mesh, pulls) for pulls in (self.pulls, *(half - 1 for half in halves))]

    def _known_means(self, cut: int, sign: int) -> FloatArray:
        """log E G_mu if the stopping rule may depend on mu: by cells, each at the end where G_mu is larger."""
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
