"""The best of the other arms, Y = max of K - 1 standard normals, cut into cells."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import leggauss

from reucb._numerics.arrays import FloatArray
from reucb.bounds.tails import density, upper_tail

FAR, TAIL = 12.5, 10  # normal score of the last cell; cells of each tail


def graded_scores(number: int) -> FloatArray:
    """Normal scores that cut a law into `number` cells, and ten in either tail out to the score 12.5.

    A cell may be longer where there is less to count: lengths grow like exp(z^2/4), which makes mass times squared
    length constant.
    """
    from scipy.special import ndtri

    core = math.sqrt(2) * ndtri(np.arange(1, number) / number)
    tail = core[-1] + (FAR - core[-1]) * (np.arange(1, TAIL + 1) / TAIL) ** 1.15
    return np.concatenate([-tail[::-1], core, tail])


@dataclass(frozen=True)
class BestArm:
    """Cells [low, high] of Y with their probability and the mean of Y in them; `rest` is what lies outside all cells.

    For every c >= 0, E[(Y - mu)^+ + c; Y outside] <= rest[0] + rest[1] c.
    """

    low: FloatArray
    high: FloatArray
    mass: FloatArray
    mean: FloatArray
    rest: tuple[float, float]

    @property
    def variance(self) -> FloatArray:
        """v = 1/(1 - h^2/4), h the length of the cell.

        With x = Y - mu, E[phi(Y - x); cell] <= mass phi(m) exp(m^2 h^2/8), m = mean - x: Hoeffding's lemma for
        exp(-m (Y - mean)), and exp(-(Y - mean)^2/2) <= 1. The right side is mass sqrt(v) times the density of N(0, v).
        Cells are shorter than 2 (`graded_scores`).
        """
        return np.asarray(1 / (1 - (self.high - self.low) ** 2 / 4))


def best_arm(n_arms: float, number: int) -> BestArm:
    """Cells of Y by `graded_scores`."""
    from scipy.special import log_ndtr, ndtri_exp

    others = n_arms - 1
    ends = ndtri_exp(log_ndtr(graded_scores(number)) / others)
    log_below = others * log_ndtr(ends)
    below, above = np.exp(log_below), -np.expm1(log_below)
    mass = np.where(above[1:] < 0.5, above[:-1] - above[1:], below[1:] - below[:-1])
    nodes, weights = leggauss(12)
    half = np.diff(ends) / 2
    y = (ends[1:] + ends[:-1])[:, None] / 2 + half[:, None] * nodes
    shape = (others - 1) * log_ndtr(y) - y * y / 2
    shape = np.exp(shape - shape.max(axis=1, keepdims=True)) * weights
    mean = (shape * y).sum(axis=1) / shape.sum(axis=1)
    last, first = ends[-1], max(ends[0], 0.0)
    # above: (Y - mu)^+ <= Y + |mu| and E|mu| < 0.8; below: (Y - mu)^+ <= Y^+ + mu^- and E mu^- < 0.4
    chance = others * float(upper_tail(last)) + float(below[0])
    cost = others * float(density(last) + 0.8 * upper_tail(last)) + float(below[0]) * (first + 0.4)
    return BestArm(ends[:-1], ends[1:], np.maximum(mass, 0.0), mean, (cost, chance))
