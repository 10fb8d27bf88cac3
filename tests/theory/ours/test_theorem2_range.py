from fractions import Fraction
from math import cosh, exp, log, sqrt

import pytest


def leaves(steps: int, slope: float) -> Fraction:
    """P(|S_n| > slope sqrt(n) for some n <= steps), S_n a sum of fair signs, counted path by path."""
    paths, left = {0: 1}, Fraction(0)
    for n in range(1, steps + 1):
        after: dict[int, int] = {}
        for at, count in paths.items():
            for to in (at - 1, at + 1):
                after[to] = after.get(to, 0) + count
        paths = {at: count for at, count in after.items() if at * at <= slope * slope * n}
        left += Fraction(sum(count for at, count in after.items() if at not in paths), 2**n)
    return left


@pytest.mark.parametrize("y", [0.2, 0.4, 0.8])
@pytest.mark.parametrize("level", [1.5, 3.0, 5.0])
def test_sums_stay_below_the_curve(y, level):
    """One arm: the chance to leave |S_n| <= cosh(y) sqrt(2Ln) within n <= t is at most 2 (1 + log t/(4y)) e^-L."""
    t = 300
    assert leaves(t, cosh(y) * sqrt(2 * level)) <= 2 * (1 + log(t) / (4 * y)) * exp(-level)


@pytest.mark.parametrize("level", [1.5, 3.0, 5.0])
def test_one_count_is_not_all_counts(level):
    """A mutant: without pieces, and without cosh(y), the bound is false."""
    assert leaves(300, sqrt(2 * level)) > 2 * exp(-level)


def test_cosh_squared():
    assert all(cosh(y) ** 2 <= 1 / (1 - y * y) for y in (i / 100 for i in range(1, 100)))
