"""Small exact points of a domain, the smallest first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import lru_cache, partial
from itertools import count, islice
from operator import itemgetter
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq

from theory.kernel.engines import Outcome
from theory.kernel.exact import Test, compiled, enclose, enclosed, holds_at, rational_test, sign
from theory.kernel.goal import Goal, Point, Rel, Var
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
    None stands for a combination out of range or that does not meet the hypotheses: most of them are.
    """
    solved = _solved(goal, solve)
    symbols = sorted(goal.symbols - set(solved), key=lambda s: s.name)
    values = [small_values(goal.domain[s]) for s in symbols]
    quick = _Quick(goal, symbols, values, solved)
    for ix in _Combinations.of(tuple(map(len, values))):
        if not quick.admits(ix):
            yield None
            continue
        chosen = {s: v[i] for s, v, i in zip(symbols, values, ix, strict=True)}
        found = quick.solved(ix, chosen)
        point = None if found is None else Point({**chosen, **found})
        yield point if point is not None and quick.meets_others(ix, point) else None


Indices = tuple[int, ...]


def _key(places: Collection[int]) -> Callable[[Indices], Any]:
    """The indices at some places, as a key."""
    return itemgetter(*places) if places else len


class _Condition:
    """Whether values of some symbols pass a test, asked once for every combination of their indices.

    A hypothesis has few of the symbols of a goal, so that many points of the grid agree in them.
    """

    def __init__(self, test: Callable[[dict[str, fmpq]], bool | None], places: dict[int, tuple[str, tuple[fmpq, ...]]]):
        self._test, self._places = test, places
        self._key = _key(places)
        self._known: dict[Any, bool] = {}

    def __call__(self, ix: Indices) -> bool:
        key = self._key(ix)
        found = self._known.get(key)
        if found is None:
            at = {name: numbers[ix[i]] for i, (name, numbers) in self._places.items()}
            found = self._known[key] = bool(self._test(at))
        return found


class _Quick:
    """What rational arithmetic says of a combination of values: ranges of solved symbols, and hypotheses."""

    def __init__(
        self,
        goal: Goal,
        symbols: list[sp.Symbol],
        values: list[tuple[sp.Rational, ...]],
        solved: dict[sp.Symbol, sp.Expr],
    ) -> None:
        names = [x.name for x in (*symbols, *solved)]
        unique = len(set(names)) == len(names)  # values go by name
        self._values = {x: f for x, e in solved.items() if unique and (f := compiled(e))}
        self._places = {s: (i, (s.name, _numbers(v))) for i, (s, v) in enumerate(zip(symbols, values, strict=True))}
        self._solved, self._ranges = solved, {x: goal.domain[x] for x in solved}
        self._kept: dict[sp.Symbol, dict[Any, tuple[sp.Expr, bool]]] = {x: {} for x in solved}
        self._keys = {x: _key(self._about({x})) for x in solved}
        known = {*symbols, *self._values}
        tests = [(h, t) for h in goal.given if unique and h.symbols <= known and (t := rational_test(h))]
        others = [h for h in goal.given if all(h is not tested for tested, _ in tests)]
        self._others: list[tuple[Rel, Any, dict[Any, bool]]] = [(h, _key(self._about(h.symbols)), {}) for h in others]
        inside = [self._condition(partial(self._in_range, x), {x}) for x in self._values]
        meets = [self._condition(partial(self._holds, t, h.symbols), h.symbols) for h, t in tests]
        self._conditions = [*inside, *meets]

    def admits(self, ix: Indices) -> bool:
        """Whether the values of solved symbols are defined and in their ranges, and the hypotheses hold."""
        for condition in self._conditions:  # noqa: SIM110 - asked of every combination: a generator takes longer
            if not condition(ix):
                return False
        return True

    def meets_others(self, ix: Indices, point: Point) -> bool:
        """Whether hypotheses hold that rational arithmetic does not decide, each asked once as a condition is."""
        for h, key, known in self._others:
            found = known.get(key(ix))
            if found is None:
                found = known[key(ix)] = bool(holds_at(h, point))
            if not found:
                return False
        return True

    def solved(self, ix: Indices, chosen: dict[sp.Symbol, sp.Rational]) -> dict[sp.Symbol, sp.Expr] | None:
        """The values of solved symbols, each found once for the symbols in its expression; None if one is not in range.

        Of those with a rational expression `admits` says so.
        """
        found = {}
        for x, value in self._solved.items():
            key, kept = self._keys[x](ix), self._kept[x]
            if key not in kept:
                at = value.xreplace(chosen)
                kept[key] = at, x in self._values or _within(at, self._ranges[x])
            found[x], within = kept[key]
            if not within:
                return None
        return found

    def _about(self, symbols: set[sp.Symbol]) -> dict[int, tuple[str, tuple[fmpq, ...]]]:
        """Places, names and numbers of the symbols of the grid on which the values of some symbols depend."""
        free = {y for x in symbols for y in (self._solved[x].free_symbols if x in self._solved else {x})}
        return dict(sorted(self._places[s] for s in free))

    def _condition(self, test: Callable[[dict[str, fmpq]], bool | None], symbols: set[sp.Symbol]) -> _Condition:
        return _Condition(test, self._about(symbols))

    def _in_range(self, x: sp.Symbol, at: dict[str, fmpq]) -> bool:
        try:
            return _in_range(self._values[x](at), self._ranges[x])
        except ZeroDivisionError:
            return False

    def _holds(self, test: Test, about: set[sp.Symbol], at: dict[str, fmpq]) -> bool | None:
        return test({**at, **{x.name: f(at) for x, f in self._values.items() if x in about}})


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


class _Combinations:
    """Indices below some sizes, by growing largest index, then growing sum; kept, as many goals have equal sizes."""

    def __init__(self, sizes: tuple[int, ...]) -> None:
        self._found: list[Indices] = []
        self._more = self._all(sizes)

    @staticmethod
    @lru_cache(maxsize=1024)
    def of(sizes: tuple[int, ...]) -> _Combinations:
        return _Combinations(sizes)

    def __iter__(self) -> Iterator[Indices]:
        for m in count():
            if m == len(self._found):
                new = next(self._more, None)
                if new is None:
                    return
                self._found.append(new)
            yield self._found[m]

    @staticmethod
    def _all(sizes: tuple[int, ...]) -> Iterator[Indices]:
        for top in range(max(sizes, default=1)):
            last = [min(top, size - 1) for size in sizes]
            for total in range(top, sum(last) + 1):
                yield from _indices(last, total, top)


def _indices(last: list[int], total: int, top: int) -> Iterator[Indices]:
    """Tuples up to `last` with this sum, one of them at least `top`, in lexicographic order."""
    if len(last) == 1 and top <= total <= last[0]:
        yield (total,)
    if not last and total == 0 and top <= 0:
        yield ()
    if len(last) == 2:  # most of the time is spent at the end: without a generator for every tuple
        first, second = last
        for i in range(max(0, total - second), min(first, total) + 1):
            if i >= top or total - i >= top:
                yield i, total - i
    if len(last) <= 2:
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
            if m >= len(self._found) and self._tried < limit:
                self._look(limit)
            if m >= len(self._found) or self._found[m][0] >= limit:
                return
            yield self._found[m][1]

    def _look(self, limit: int) -> None:
        """Try more points, up to `limit` in all, until one is admissible."""
        for number, point in self._source:
            self._tried = number + 1
            if point is not None and (not self._by_hand or self._admissible(point)):
                self._found.append((number, point))
                return
            if self._tried >= limit:
                return

    def _admissible(self, point: Point) -> bool:
        """Whether a point is in the domain and meets the hypotheses; those of the grid do."""
        goal, at = self.goal, point.values
        return all(at[s] in goal.domain[s] for s in goal.symbols) and all(holds_at(h, point) for h in goal.given)


def admissible(goal: Goal, limit: int, solve: bool = False) -> Iterator[Point]:
    """Points of the domain that satisfy every hypothesis, among the first `limit` ones."""
    return Points(goal, solve).among(limit)


def _plain_difference(rel: Rel, point: Point, bits: int) -> arb | None:
    """A finite enclosure of left - right at a point, without SymPy's substitution; None if there is none."""
    try:
        difference = enclosed(rel.left, point, bits) - enclosed(rel.right, point, bits)
    except (TypeError, KeyError):
        return None
    return difference if difference.is_finite() else None


def agrees_everywhere_tried(goal: Goal, tries: int = 25, bits: int = 128) -> Outcome:
    """Whether Arb enclosures of left - right hold 0 at the first admissible points: a check, not a proof."""
    saved, ctx.prec = ctx.prec, bits
    try:
        tried = 0
        for point in islice(admissible(goal, 40 * tries), tries):
            difference = _plain_difference(goal.rel, point, bits)
            if difference is None:
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
