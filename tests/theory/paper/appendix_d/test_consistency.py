"""Consistency of the variance estimates: the exact second moments of their sums of squares, by enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.harness.exactly import exact
from tests.theory.harness.families import Family, Sides
from tests.theory.harness.plays import RARE, SIGN, SKEW, Law, outcomes, variance
from theory.model.squares import centred_square


def mean_square(offsets: Law, noise: Law, counts: tuple[int, int], between: bool) -> Sides:
    """Mean of sum n_k u_k^2, or of Eq. variance1, over all outcomes; and what the two variances alone make of it."""
    size, total = sum(counts), Fraction(0)
    for p, (first, second, *e) in outcomes(offsets, offsets, *[noise] * size):
        arms = [first + x for x in e[: counts[0]]], [second + x for x in e[counts[0] :]]
        means, overall = [Fraction(sum(a), len(a)) for a in arms], Fraction(sum(map(sum, arms)), size)
        squares = (
            (c * (m - overall) ** 2 for c, m in zip(counts, means, strict=True))
            if between
            else ((x - m) ** 2 / (size - 2) for a, m in zip(arms, means, strict=True) for x in a)
        )
        total += p * sum(squares, Fraction(0))
    n_star = size - Fraction(sum(c * c for c in counts), size)
    return total, n_star * variance(offsets) + variance(noise) if between else variance(noise)


TWO_MOMENTS = Family(((SIGN, RARE, SKEW), (SIGN, SKEW), ((2, 1), (1, 2)), (False, True)), mean_square)
FAMILIES = {"sec:estimation-3/distribution-free": TWO_MOMENTS}

LAW = ((Fraction(-1), Fraction(2, 3)), (Fraction(2), Fraction(1, 3)))  # mean 0, variance 2, fourth moment 6


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_second_moment_of_a_sum_of_squares(size: int) -> None:
    total = Fraction(0)
    for draws in product(LAW, repeat=size):
        values, chance = [x for x, _ in draws], np.prod([p for _, p in draws])
        mean = sum(values, Fraction(0)) / size
        total += chance * sum((x - mean) ** 2 for x in values) ** 2
    assert centred_square(exact(size), exact(2), exact(6)) == exact(total)


@pytest.mark.parametrize("counts", [(2, 1), (2, 2), (3, 1)])
def test_noise_estimate_is_within_its_rate(counts: tuple[int, ...]) -> None:
    """sec:estimation-3/noise-consistent: Var <= kappa/(N-K), over all outcomes and with the core's own estimate."""
    owner, size = np.repeat(np.arange(len(counts)), counts), sum(counts)
    mean = second = 0.0
    for draws in product(LAW, repeat=size):
        noise, chance = np.array([float(x) for x, _ in draws]), float(np.prod([p for _, p in draws]))
        arms = [noise[owner == k] for k in range(len(counts))]
        estimate = float(
            reucb.variance_components(
                counts, [a.mean() for a in arms], [float(a.var() * a.size) for a in arms]
            ).sigma_sq
        )
        mean, second = mean + chance * estimate, second + chance * estimate**2
    assert mean == pytest.approx(2.0, rel=1e-12)
    assert second - mean**2 <= 6 / (size - len(counts)) * (1 + 1e-12)
