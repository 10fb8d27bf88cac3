"""Small exact points of a domain, the smallest first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count, islice

import sympy as sp
from flint import ctx, fmpq

from theory.kernel.engines import Outcome
from theory.kernel.exact import compiled, enclose, holds_at, rational_test, sign
from theory.kernel.goal import Goal, Point, Var
from theory.kernel.polynomial import to_fmpq

_SIZES = [
    sp.Rational(p, q)
    for p, q in [(1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (4, 1), (1, 4), (10, 1), (1, 10), (100, 1), (1, 100)]
]


@lru_cache(maxsize=256)
def small_values(var: Var) -> tuple[sp.Rational, ...]:
    """A few exact values of a variable, in the order in which a reader would like to meet them."""
    if var.low is None:
        candidates = [sp.Integer(0), *(v for x in _SIZES for v in (x, -x))]
    elif var.integer:
        candidates = [var.low + sp.Integer(i) for i in (0, 1, 2, 3, 4, 5, 9, 99)]
    else:
        candidates = [var.low, *(var.low + x for x in _SIZES)]
    if var.high is not None:  # a bounded range has points of its own, the size of a reader's numbers or not
        near = [var.high - x for x in (sp.Integer(0), *_SIZES)]
        if var.low is not None:
            near = [var.low + (var.high - var.low) * q for q in (sp.Rational(1, 2), *_SIZES[2::2], sp.Integer(1))]
        candidates += [sp.floor(v) if var.integer else v for v in near]
    return tuple(dict.fromkeys(v for v in candidates if v in var))


@lru_cache(maxsize=256)
def _numbers(values: tuple[sp.Rational, ...]) -> tuple[fmpq, ...]:
    return tuple(map(to_fmpq, values))


def grid(goal: Goal, solve: bool = False) -> Iterator[Point | None]:
    """All combinations of small values, by growing largest index, then growing sum of indices.

    `solve`: a symbol that a hypothesis equates with an expression has the value of that expression.
    None stands for a combination that does not meet a hypothesis between rational expressions: most of them are such.
    """
    solved = _solved(goal, solve)
    symbols = sorted(goal.symbols - set(solved), key=lambda s: s.name)
    values = [small_values(goal.domain[s]) for s in symbols]
    names, numbers = [s.name for s in symbols], [_numbers(v) for v in values]
    quick = _Quick(goal, symbols, solved)
    for top in range(max(map(len, values), default=1)):
        last = [min(top, len(v) - 1) for v in values]
        for ix in (ix for total in range(top, sum(last) + 1) for ix in _indices(last, total, top)):
            at = {name: v[i] for name, v, i in zip(names, numbers, ix, strict=True)}
            if not quick.inside(at):
                continue
            meets = quick.meets(at)
            if not (meets or quick.rest):
                yield None
                continue
            chosen = {s: v[i] for s, v, i in zip(symbols, values, ix, strict=True)}
            found = {x: value.xreplace(chosen) for x, value in solved.items()}
            if all(_within(found[x], goal.domain[x]) for x in quick.rest):
                yield Point({**chosen, **found}) if meets else None


class _Quick:
    """What rational arithmetic says of a combination of values: ranges of solved symbols, and hypotheses."""

    def __init__(self, goal: Goal, symbols: list[sp.Symbol], solved: dict[sp.Symbol, sp.Expr]) -> None:
        names = [x.name for x in (*symbols, *solved)]
        unique = len(set(names)) == len(names)  # values go by name
        self._values = {x: f for x, e in solved.items() if unique and (f := compiled(e))}
        self._ranges = {x: goal.domain[x] for x in self._values}
        self.rest = [x for x in solved if x not in self._values]  # without a rational expression
        known = {*symbols, *self._values}
        self._tests = [t for h in goal.given if unique and h.symbols <= known and (t := rational_test(h))]

    def inside(self, at: dict[str, fmpq]) -> bool:
        """Enter the values of solved symbols; whether they are defined and in their ranges."""
        try:
            found = {x: f(at) for x, f in self._values.items()}
        except ZeroDivisionError:
            return False
        at.update({x.name: value for x, value in found.items()})
        return all(_in_range(value, self._ranges[x]) for x, value in found.items())

    def meets(self, at: dict[str, fmpq]) -> bool:
        return all(test(at) for test in self._tests)


def _in_range(value: fmpq, var: Var) -> bool:
    if var.integer and value.q != 1:
        return False
    if var.high is not None and value > to_fmpq(var.high):
        return False
    return var.low is None or bool(value > to_fmpq(var.low) if var.strict else value >= to_fmpq(var.low))


def somewhere(goal: Goal) -> Point:
    """One point of the domain, no special one: the values of its symbols differ. It need not meet the hypotheses."""
    symbols = sorted(goal.symbols, key=lambda s: s.name)
    return Point({s: _inner_value(goal.domain[s], i, len(symbols)) for i, s in enumerate(symbols)})


def _inner_value(var: Var, i: int, of: int) -> sp.Rational:
    """A value of a variable, another one for every i below `of` where there are as many."""
    if var.integer:
        value = (sp.Integer(0) if var.low is None else sp.ceiling(var.low)) + 1 + i
        return value if var.high is None else min(value, sp.floor(var.high))
    part = sp.Rational(2 * i + 3, 2 * of + 5)
    if var.high is None:
        return (0 if var.low is None else var.low) + part + i
    return var.high - part if var.low is None else var.low + part * (var.high - var.low)


def _indices(last: list[int], total: int, top: int) -> Iterator[tuple[int, ...]]:
    """Tuples up to `last` with this sum, one of them at least `top`, in lexicographic order."""
    if len(last) == 1 and top <= total <= last[0]:
        yield (total,)
    if not last and total == 0 and top <= 0:
        yield ()
    if len(last) <= 1:
        return
    first, *rest = last
    beyond = sum(rest)
    for i in range(max(0, total - beyond), min(first, total) + 1):
        left = 0 if i >= top else top  # still to be reached
        if left <= min(total - i, max(rest, default=0)):
            yield from ((i, *others) for others in _indices(rest, total - i, left))


def _within(value: sp.Expr, var: Var) -> bool:
    """Whether a closed expression is surely a number in the range of a variable."""
    if value.is_Rational or var.integer or var.low is var.high is None:
        return bool(value.is_finite and value.is_real and value in var)
    above = var.low is None or sign(value - var.low) in ((1,) if var.strict else (0, 1))
    return above and (var.high is None or sign(value - var.high) in (-1, 0))


def _solved(goal: Goal, every: bool) -> dict[sp.Symbol, sp.Expr]:
    """Symbols that a hypothesis equates with an expression: a root, a logarithm or pi, or `every` one.

    With `every`, where the square of a symbol that is not negative is given, the symbol is the root.
    """
    found: dict[sp.Symbol, sp.Expr] = {}
    used: set[sp.Symbol] = set()
    equations = ((h.left, h.right.xreplace(found)) for h in goal.given if h.op == "=")
    for x, value in (_root(*sides, goal) if every else sides for sides in equations):
        free = value.free_symbols
        plain = value.is_rational_function(*free) if free else value.is_Rational
        if x.is_Symbol and x not in used | set(found) | free and (every or not plain):
            found[x] = value
            used |= free
    return found


def _root(left: sp.Expr, right: sp.Expr, goal: Goal) -> tuple[sp.Expr, sp.Expr]:
    """x and the root of the right side, if the left side is the square of a symbol x >= 0."""
    x, power = left.as_base_exp()
    low = goal.domain[x].low if x.is_Symbol else None
    return (x, sp.sqrt(right)) if power == 2 and low is not None and low >= 0 else (left, right)


class Points:
    """Points of a domain that satisfy every hypothesis of a goal; each is looked for once."""

    def __init__(self, goal: Goal, solve: bool = False) -> None:
        self.goal = goal
        self._by_hand = goal.points is not None
        points: Iterator[Point | None] = grid(goal, solve) if goal.points is None else goal.points()
        self._source = enumerate(points)
        self._found: list[tuple[int, Point]] = []
        self._tried = 0

    def among(self, limit: int) -> Iterator[Point]:
        """The admissible ones among the first `limit` points."""
        for m in count():
            while m >= len(self._found) and self._tried < limit and self._look():
                pass
            if m >= len(self._found) or self._found[m][0] >= limit:
                return
            yield self._found[m][1]

    def _look(self) -> bool:
        """Try one more point; whether there was one."""
        number, point = next(self._source, (-1, None))
        if number < 0:
            return False
        self._tried = number + 1
        if point is not None and self._inside(point) and all(holds_at(h, point) for h in self.goal.given):
            self._found.append((number, point))
        return True

    def _inside(self, point: Point) -> bool:
        """Whether a point is in the domain; those of the grid are, as they are made."""
        goal, at = self.goal, point.values
        return not self._by_hand or all(at[s] in goal.domain[s] for s in goal.symbols)


def admissible(goal: Goal, limit: int, solve: bool = False) -> Iterator[Point]:
    """Points of the domain that satisfy every hypothesis, among the first `limit` ones."""
    return Points(goal, solve).among(limit)


def agrees_everywhere_tried(goal: Goal, tries: int = 25, bits: int = 128) -> Outcome:
    """Whether Arb enclosures of left - right hold 0 at the first admissible points: a check, not a proof."""
    saved, ctx.prec = ctx.prec, bits
    try:
        tried = 0
        for point in islice(admissible(goal, 40 * tries), tries):
            closed = (goal.rel.left - goal.rel.right).subs(point.values)
            if closed.has(sp.I, sp.nan, sp.zoo):
                return Outcome.UNKNOWN
            difference = enclose(closed)
            if not difference.is_finite():
                continue
            tried += 1
            if not difference.contains(0):
                return Outcome.REFUTED
        enough = 5 if goal.symbols else 1  # numbers have one point only
        return Outcome.PROVED if tried >= enough else Outcome.UNKNOWN
    finally:
        ctx.prec = saved
