"""Linear equations in nonnegative unknowns, solved exactly over the rational numbers.

Unknowns that one row determines are found first, then those of any sign are eliminated. The rest is solved by the first
phase of the simplex method. Where some unknowns must not all vanish, a second phase raises their sum above 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from flint import fmpq

Row = dict[int, fmpq]
ZERO = fmpq(0)
MAX_PIVOTS = 200  # a search that succeeds takes at most 116 pivots in this ledger


class GivenUp(Exception):
    """The pivot limit was exceeded."""


def solve(
    rows: Iterable[tuple[Mapping[int, fmpq], fmpq]], free: Collection[int] = (), not_all: Collection[int] | None = None
) -> dict[int, fmpq] | None:
    """Unknowns with sum(c * x[i] for i, c in row.items()) == right for all (row, right), or None if there are none.

    Parameters
    ----------
    rows : iterable of (mapping of numbers of unknowns to coefficients that are not 0, right side)
        The equations.
    free : collection of int
        Unknowns that may be negative.
    not_all : collection of int or None
        Unknowns, none of them free, of which one at least must not vanish; None if there is no such condition.

    Returns
    -------
    dict or None
        The unknowns that are not 0. None, too, if the search was given up.

    Examples
    --------
    >>> from flint import fmpq
    >>> solve([({0: fmpq(1), 1: fmpq(2)}, fmpq(3)), ({0: fmpq(1), 1: fmpq(-1)}, fmpq(0))])
    {0: 1, 1: 1}
    >>> solve([({0: fmpq(1), 1: fmpq(2)}, fmpq(-3))]) is None
    True
    """
    equations = [(dict(row), right) for row, right in rows]
    found: dict[int, fmpq] = {}
    open_ = _determined(equations, free, found)
    if open_ is None:
        return None
    eliminated = _without(free, open_)
    wanted = None if not_all is None or any(found.get(i) for i in not_all) else set(not_all) - set(found)
    try:
        values = _Tableau(open_).solution(wanted)
    except GivenUp:
        return None
    if values is None:
        return None
    found |= values
    for i, row, right in reversed(eliminated):
        found[i] = right - sum((c * found[k] for k, c in row.items() if k in found), ZERO)
    return {i: found[i] for i in sorted(found) if found[i]}


def _determined(
    equations: list[tuple[Row, fmpq]], free: Collection[int], found: dict[int, fmpq]
) -> list[tuple[Row, fmpq]] | None:
    """Enter the values of unknowns that one row determines; the other equations, or None if there is no solution."""
    rows = [row for row, _ in equations]
    rights = [right for _, right in equations]
    where: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        for i in row:
            where.setdefault(i, []).append(number)
    waiting = list(range(len(rows)))
    while waiting:
        number = waiting.pop()
        known = _known_from(rows[number], rights[number], free)
        if known is None:
            return None
        for i, value in known.items():
            found[i] = value
            for other in where[i]:
                c = rows[other].pop(i)
                rights[other] -= c * value
                waiting.append(other)
    return [(row, right) for row, right in zip(rows, rights, strict=True) if row]


def _known_from(row: Row, right: fmpq, free: Collection[int]) -> Row | None:
    """The unknowns that a row determines: the only one, or all if they have one sign and add up to 0; None if it has
    no solution."""
    if len(row) == 1:
        ((i, c),) = row.items()
        return {i: right / c} if i in free or right / c >= 0 else None
    if not row:
        return None if right else {}
    above = next(iter(row.values())).p > 0
    for i, c in row.items():  # most rows have both signs, and that shows early
        if (c.p > 0) != above or i in free:
            return {}
    if not right:
        return dict.fromkeys(row, ZERO)
    return {} if (right > 0) == above else None


def _without(free: Collection[int], equations: list[tuple[Row, fmpq]]) -> list[tuple[int, Row, fmpq]]:
    """Solve equations for free unknowns, in order, and remove those from the others: x_i = right - sum of row."""
    eliminated = []
    for i in sorted({i for row, _ in equations for i in row if i in free}):
        holding = [number for number, (row, _) in enumerate(equations) if i in row]
        if not holding:
            continue
        row, right = equations.pop(min(holding, key=lambda number: len(equations[number][0])))
        c = row.pop(i)
        row, right = {k: v / c for k, v in row.items()}, right / c
        for number, (other, value) in enumerate(equations):
            if (factor := other.pop(i, None)) is not None:
                _subtract(other, factor, row)
                equations[number] = other, value - factor * right
        eliminated.append((i, row, right))
    return eliminated


def _subtract(row: Row, factor: fmpq, other: Row) -> None:
    """row - factor * other, in place."""
    for k, v in other.items():
        new = row.get(k, ZERO) - factor * v
        if new:
            row[k] = new
        else:
            row.pop(k, None)


class _Tableau:
    """Equations solved for some of their unknowns, the basis. Artificial unknowns have negative numbers."""

    def __init__(self, equations: list[tuple[Row, fmpq]]) -> None:
        signed = [(row, right) if right >= 0 else ({k: -c for k, c in row.items()}, -right) for row, right in equations]
        self.rows = [row for row, _ in signed]
        self.rights = [right for _, right in signed]
        self.basis = [-1 - number for number in range(len(signed))]
        self.pivots = 0

    def solution(self, not_all: Collection[int] | None) -> dict[int, fmpq] | None:
        """A solution of all equations; with one of these unknowns above 0, if any are named."""
        lacking: Row = {}
        for row in self.rows:
            _subtract(lacking, fmpq(-1), row)
        self._rise(lacking, sum(self.rights, ZERO))
        if any(right for i, right in zip(self.basis, self.rights, strict=True) if i < 0):
            return None
        if not_all is not None and not self._positive(not_all):
            self._drop_artificial()
            sums: Row = {i: fmpq(1) for i in sorted(not_all)}
            for number, i in enumerate(self.basis):
                if i in not_all:
                    del sums[i]
                    _subtract(sums, fmpq(1), self.rows[number])
            ray = self._rise(sums, None)
            if ray is not None:
                return self._values(ray)
            if not self._positive(not_all):
                return None
        return self._values({})

    def _positive(self, unknowns: Collection[int]) -> bool:
        return any(right > 0 for i, right in zip(self.basis, self.rights, strict=True) if i in unknowns)

    def _values(self, ray: Row) -> dict[int, fmpq]:
        """The unknowns that are not 0, one step along the ray."""
        found = dict(zip(self.basis, self.rights, strict=True))
        for k, v in ray.items():
            found[k] = found.get(k, ZERO) + v
        return {i: value for i, value in found.items() if value}

    def _rise(self, gain: Row, missing: fmpq | None) -> Row | None:
        """Exchange unknowns until nothing is gained, `missing` is reached or, without it, anything is gained.

        The gain of the unknowns outside the basis changes with it. The largest one is taken; while the solution stays
        where it is, the first one, by Bland's rule, so that no basis comes again. Returns a direction in which the gain
        has no bound, if there is one.
        """
        stays = False
        while True:
            rising = [i for i, v in gain.items() if v.p > 0]
            if not rising:
                return None
            i = min(rising) if stays else max(rising, key=lambda k: (gain[k], -k))
            ratios = [
                (right / c, b, number)
                for number, (row, right, b) in enumerate(zip(self.rows, self.rights, self.basis, strict=True))
                if (c := row.get(i)) is not None and c.p > 0
            ]
            if not ratios:
                column = ((b, row.get(i)) for b, row in zip(self.basis, self.rows, strict=True))
                return {i: fmpq(1), **{b: -c for b, c in column if c is not None}}
            step, _, number = min(ratios)
            gained = gain[i] * step
            self._exchange(number, i)
            _subtract(gain, gain.pop(i), self.rows[number])
            stays = not gained
            if missing is None:
                if gained:
                    return None
            else:
                missing -= gained
                if not missing:
                    return None

    def _exchange(self, number: int, i: int) -> None:
        """Make x_i the basic unknown of a row. An artificial one that leaves is gone for good."""
        self.pivots += 1
        if self.pivots > MAX_PIVOTS:
            raise GivenUp
        row, left = self.rows[number], self.basis[number]
        c = row.pop(i)
        row = {k: v / c for k, v in row.items()}
        if left >= 0:
            row[left] = 1 / c
        right = self.rights[number] / c
        self.rows[number], self.rights[number], self.basis[number] = row, right, i
        for other, values in enumerate(self.rows):
            if other != number and (factor := values.pop(i, None)) is not None:
                _subtract(values, factor, row)
                self.rights[other] -= factor * right

    def _drop_artificial(self) -> None:
        """Take the artificial unknowns, all 0, out of the basis; rows without any other one say nothing."""
        for number, i in enumerate(self.basis):
            if i < 0 and self.rows[number]:
                self._exchange(number, min(self.rows[number]))
        kept = [number for number, i in enumerate(self.basis) if i >= 0]
        self.rows = [self.rows[m] for m in kept]
        self.rights = [self.rights[m] for m in kept]
        self.basis = [self.basis[m] for m in kept]
