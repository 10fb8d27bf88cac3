"""Exact answers with which the float code is compared: generic in the number type, so exact in fractions.

`optimal_reward` is the best any policy can do on two Bernoulli arms with uniform means, by dynamic programming.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

import mpmath

FIFTY_DIGITS = 50


def solve(matrix: Sequence[Sequence[Any]], columns: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """X with matrix @ X = columns, by elimination; exact when the numbers are."""
    size = len(matrix)
    rows = [list(left) + list(right) for left, right in zip(matrix, columns, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for r in range(size):
            if r != i and rows[r][i] != 0:
                factor = rows[r][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[size:] for row in rows]


def henderson(
    counts: Sequence[int],
    means: Sequence[float],
    sigma0_sq: float,
    noise: Sequence[float],
    number: Callable[[Any], Any] = Fraction,
) -> dict[str, Any]:
    """Henderson's mixed model equations, both variances positive: mu0, mu, and the prediction error variances.

    [ sum n/s     n_1/s_1 ...            ] [mu0  ]   [ sum n m/s ]
    [ n_k/s_k     diag(n_k/s_k + 1/s0)   ] [delta] = [ n_k m_k/s_k ]
    """
    n = [number(int(c)) for c in counts]
    y = [number(float(m)) if c else number(0) for c, m in zip(n, means, strict=True)]
    s0, s = number(float(sigma0_sq)), [number(float(x)) for x in noise]
    precision = [a / b for a, b in zip(n, s, strict=True)]
    size = len(n)
    left = [[sum(precision, number(0)), *precision]]
    for k in range(size):
        left.append([precision[k], *[precision[k] + 1 / s0 if j == k else number(0) for j in range(size)]])
    right = [
        sum((p * m for p, m in zip(precision, y, strict=True)), number(0)),
        *[p * m for p, m in zip(precision, y, strict=True)],
    ]
    identity = [[number(int(i == j)) for j in range(size + 1)] for i in range(size + 1)]
    answer = solve(left, [[b, *e] for b, e in zip(right, identity, strict=True)])
    inverse = [row[1:] for row in answer]
    return {
        "mu0": answer[0][0],
        "mu": [answer[0][0] + answer[k + 1][0] for k in range(size)],
        "mse": [inverse[0][0] + 2 * inverse[0][k + 1] + inverse[k + 1][k + 1] for k in range(size)],
        "weights": [a * s0 / (a * s0 + b) for a, b in zip(n, s, strict=True)],
    }


def henderson_50(
    counts: Sequence[int], means: Sequence[float], sigma0_sq: float, noise: Sequence[float]
) -> dict[str, Any]:
    """The same equations solved in fifty digits."""
    with mpmath.workdps(FIFTY_DIGITS):
        return henderson(counts, means, sigma0_sq, noise, mpmath.mpf)


def relative_error(found: float, exact: Any) -> float:
    """|found - exact| / |exact|, evaluated exactly; an exact 0 must be met exactly."""
    difference, size = abs(Fraction(float(found)) - _fraction(exact)), abs(_fraction(exact))
    if size == 0:
        return 0.0 if difference == 0 else float("inf")
    return float(difference / size)


def _fraction(value: Any) -> Fraction:
    if isinstance(value, mpmath.mpf):
        sign, mantissa, exponent, _ = value._mpf_
        return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(value)


@cache
def optimal_reward(horizon):
    """The largest expected total reward: Bellman's equation over successes and failures of both arms."""

    @cache
    def value(s1, f1, s2, f2):
        if s1 + f1 + s2 + f2 == horizon:
            return 0.0
        p1, p2 = (s1 + 1) / (s1 + f1 + 2), (s2 + 1) / (s2 + f2 + 2)
        return max(
            p1 * (1 + value(s1 + 1, f1, s2, f2)) + (1 - p1) * value(s1, f1 + 1, s2, f2),
            p2 * (1 + value(s1, f1, s2 + 1, f2)) + (1 - p2) * value(s1, f1, s2, f2 + 1),
        )

    return value(0, 0, 0, 0)


def expected_best():
    """The expectation of the larger of two uniform means."""
    return 2 / 3
