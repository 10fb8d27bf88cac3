"""Consistency of the variance estimates: the exact second moments of their sums of squares, by enumeration."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import reucb
from tests.theory.exactly import exact
from tests.theory.search import facing
from theory.paper.d_consistency import centred_square

test_verdict, test_no_violation, _ = facing("theory.paper.d_consistency")  # no defect, so no counterexample

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
        estimate = float(reucb.variance_components(counts, [a.mean() for a in arms],
                                                   [float(a.var() * a.size) for a in arms]).sigma_sq)
        mean, second = mean + chance * estimate, second + chance * estimate**2
    assert mean == pytest.approx(2.0, rel=1e-12)
    assert second - mean**2 <= 6 / (size - len(counts)) * (1 + 1e-12)
