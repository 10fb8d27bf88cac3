"""Small exact plays, listed outcome by outcome: laws with few values, rules that choose an arm, exact predictions.

Predictions come from the mixed-model equations, solved by exact linear algebra: no weight of the paper occurs here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod

from flint import fmpq, fmpq_mat

Law = tuple[tuple[int, Fraction], ...]  # (value, chance), of mean 0
HALF, THIRD, EIGHTH = Fraction(1, 2), Fraction(1, 3), Fraction(1, 8)
SIGN: Law = ((-1, HALF), (1, HALF))
SKEW: Law = ((-1, 2 * THIRD), (2, THIRD))
RARE: Law = ((-1, HALF / 2), (0, HALF), (1, HALF / 2))
WIDE: Law = ((-2, EIGHTH), (0, 6 * EIGHTH), (2, EIGHTH))
TWICE: Law = ((-2, HALF), (2, HALF))
LAWS = (SIGN, RARE, SKEW, TWICE, WIDE)


def variance(law: Law) -> Fraction:
    return sum((p * x * x for x, p in law), Fraction(0))


def outcomes(*laws: Law) -> Iterator[tuple[Fraction, tuple[int, ...]]]:
    """(chance, values) of every outcome of independent variables with these laws."""
    for drawn in product(*laws):
        yield prod((p for _, p in drawn), start=Fraction(1)), tuple(x for x, _ in drawn)


@dataclass(frozen=True)
class Rule:
    """Whether a combination of two rewards is equal to a level, differs from it, or reaches it."""

    combination: tuple[int, int]
    test: str
    level: int

    def __call__(self, first: int, second: int = 0) -> bool:
        value = self.combination[0] * first + self.combination[1] * second
        return {"=": value == self.level, "!=": value != self.level, ">=": value >= self.level}[self.test]


RULES = tuple(
    Rule(c, test, level)
    for level in (0, 1, -1, 2, -2)
    for test in ("=", "!=", ">=")
    for c in ((1, 0), (0, 1), (1, 1), (1, -1))
)


@dataclass(frozen=True)
class Fit:
    """Predictions of the arm means, and the covariances of their errors in a fixed design."""

    mu: tuple[Fraction, ...]
    errors: tuple[tuple[Fraction, ...], ...]

    @property
    def mse(self) -> tuple[Fraction, ...]:
        return tuple(row[k] for k, row in enumerate(self.errors))


def fitted(
    counts: Sequence[int],
    means: Sequence[Fraction | int],
    noise: Sequence[Fraction],
    spread: Fraction,
    mu0: Fraction | None = None,
) -> Fit:
    """Minimise sum n_k (rbar_k - m - d_k)^2/s_k + sum d_k^2/s0 in the offsets d_k, and in m unless it is known.

    The inverse of the matrix of these equations is the covariance of the errors of (m, d_1, ..., d_K).
    """
    size = len(counts)
    each = list(noise) * size if len(noise) == 1 else list(noise)
    info = [Fraction(c) / e for c, e in zip(counts, each, strict=True)]
    known = mu0 is not None
    rows = [[sum(info, Fraction(0)), *info]]
    rows += [[a, *((a + 1 / spread) if i == k else Fraction(0) for i in range(size))] for k, a in enumerate(info)]
    centred = [Fraction(r) - (mu0 or 0) for r in means]
    right = [
        sum((a * r for a, r in zip(info, centred, strict=True)), Fraction(0)),
        *(a * r for a, r in zip(info, centred, strict=True)),
    ]
    if known:
        rows, right = [row[1:] for row in rows[1:]], right[1:]
    inverse = _inverse(rows)
    if known:
        inverse = [[Fraction(0)] * (size + 1), *([Fraction(0), *row] for row in inverse)]
        right = [Fraction(0), *right]
    solved = [sum((a * b for a, b in zip(row, right, strict=True)), Fraction(0)) for row in inverse]
    mu = tuple((mu0 or 0) + solved[0] + solved[1 + k] for k in range(size))
    errors = tuple(
        tuple(inverse[0][0] + inverse[0][1 + i] + inverse[0][1 + k] + inverse[1 + i][1 + k] for i in range(size))
        for k in range(size)
    )
    return Fit(mu, errors)


def _inverse(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    size = len(rows)
    found = fmpq_mat(size, size, [fmpq(x.numerator, x.denominator) for row in rows for x in row]).inv()
    return [[Fraction(int(found[i, j].p), int(found[i, j].q)) for j in range(size)] for i in range(size)]
