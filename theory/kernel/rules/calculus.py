"""Calculus: signs from derivatives (so also comparison of power series), limits, monotone to a limit, integrals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import sympy as sp

from theory.kernel.defined import undefined
from theory.kernel.derivative import by_rules
from theory.kernel.engines import Evidence, Outcome, timed
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.growth import vanishes
from theory.kernel.items import Element, Item
from theory.kernel.mutate import Mutant
from theory.kernel.named import valued
from theory.kernel.rules.compose import Domain, conclusion, follows, verdict
from theory.kernel.sanity import objections
from theory.kernel.sources import captured_inside, inside, unmet
from theory.kernel.terms import maximal, substitute, transparent


@dataclass(frozen=True)
class Rises(Element):
    """expr >= 0 for x >= low: derivatives up to `order` - 1 are >= 0 at low, the next one is >= 0 from there on.

    With order 2 this compares power series: both value and slope agree at `low`, and the second derivative decides.
    `strict`: the last derivative is positive for x > low, and so is expr. Hypotheses must not contain x.
    """

    expr: sp.Expr
    x: sp.Symbol
    low: sp.Rational
    domain: Domain
    name: str = ""
    order: int = 1
    strict: bool = False
    given: tuple[Rel, ...] = ()
    squares: tuple[sp.Expr, ...] = ()

    def __post_init__(self) -> None:
        if any(self.x in h.symbols for h in self.given):
            raise ValueError(f"given={self.given}: hypotheses must not contain {self.x}, or its range has gaps")

    @cached_property
    def _above(self) -> dict[sp.Symbol, Var]:
        return {**self.domain, self.x: Var(sp.Rational(self.low), strict=self.strict)}

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        rest = {x: v for x, v in self.domain.items() if x != self.x}
        starts = [
            Goal(Rel(value, ">=", 0), rest, self.given, f"{self.name}: {what} at {self.x} = {self.low}")
            for what, value in ((_ordinal(k), self._start(k)) for k in range(self.order))
        ]
        last = Rel(sp.Derivative(self.expr, (self.x, self.order)), ">" if self.strict else ">=", 0)
        return (*starts, Goal(last, self._above, self.given, f"{self.name}: {_ordinal(self.order)}", self.squares))

    def _start(self, k: int) -> sp.Expr:
        if k == 0:
            return self.expr.subs(self.x, self.low)
        return sp.Subs(sp.Derivative(self.expr, (self.x, k)), self.x, self.low)

    @cached_property
    def concludes(self) -> Goal:
        return Goal(Rel(self.expr, ">" if self.strict else ">=", 0), self._above, self.given, self.name)

    def evidence(self) -> list[Evidence]:
        what = f"{self.name}: from the sign of derivatives"
        return [verdict("rises", what, self._undefined()), *objections(self.concludes)]

    def _undefined(self) -> Iterator[str]:
        """Where the expression or a lower derivative may have no value: also at the end itself."""
        closed = {**self.domain, self.x: Var(sp.Rational(self.low))}
        for k in range(self.order):
            value = by_rules(sp.Derivative(self.expr, (self.x, k)) if k else self.expr)
            yield from undefined(transparent(Goal(Rel(value, ">=", 0), closed, self.given)))


def _ordinal(k: int) -> str:
    return ("value", "slope", "second derivative", "third derivative")[k] if k < 4 else f"derivative {k}"


@dataclass(frozen=True)
class Chord(Element):
    """A convex function lies below its chord: f'' >= 0 is proved on the range [low, high] of x, both ends numbers."""

    f: sp.Expr
    x: sp.Symbol
    domain: Domain
    name: str = ""

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        curved = Rel(sp.Derivative(self.f, self.x, 2), ">=", 0)
        return (Goal(curved, self.domain, name=f"{self.name}: second derivative"),)

    @cached_property
    def concludes(self) -> Goal:
        low, high = self.domain[self.x].low, self.domain[self.x].high
        if low is None or high is None:
            raise ValueError(f"{self.name}: {self.x} must have a lower and an upper bound")
        if low == high:
            raise ValueError(f"{self.name}: the range of {self.x} is one point")
        ends = [self.f.subs(self.x, end) for end in (low, high)]
        chord = ((high - self.x) * ends[0] + (self.x - low) * ends[1]) / (high - low)
        return Goal(Rel(self.f, "<=", chord), self.domain, name=self.name)

    def evidence(self) -> list[Evidence]:
        var = self.domain[self.x]
        bad = [] if not var.integer and not var.strict else [f"the range of {self.x} must be a closed interval"]
        return [verdict("chord", self.name, iter(bad)), *objections(self.concludes)]


@dataclass(frozen=True)
class Monotone(Element):
    """f(a) <= f(b) from a <= b, for f that rises on a range that contains both sides; f' >= 0 is proved there.

    `f` is an expression in the symbol x, whose range is in `domain` along with that of the other symbols. `slope` are
    relations from which f' >= 0 follows there, if the engines need help.
    """

    item: Item
    f: sp.Expr
    x: sp.Symbol
    domain: Domain
    given: tuple[Rel, ...] = ()
    name: str = ""
    slope: tuple[Item, ...] = ()

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        slope, name = Rel(sp.Derivative(self.f, self.x), ">=", 0), f"{self.name or 'monotone'}: slope"
        if self.slope:
            return (self.item, follows(slope, *self.slope, domain=self.domain, name=name))
        return (self.item, Goal(slope, self.domain, name=name))

    @cached_property
    def concludes(self) -> Goal:
        before = conclusion(self.item)
        left, right = (substitute(self.f, {self.x: side}) for side in before.rel.stated)
        op = before.rel.op if before.rel.op == "=" else before.rel.op[0] + "="
        domain = {**{y: v for y, v in self.domain.items() if y != self.x}, **before.domain}
        given = tuple(dict.fromkeys((*before.given, *self.given)))
        name = self.name or "monotone"
        found = Goal(Rel(left, op, right), domain, given, name, letters=before.letters, short=before.short)
        return replace(found, where=before.where)

    def evidence(self) -> list[Evidence]:
        bad = [
            f"{side} is not known to be {self.domain[self.x]}"
            for side in conclusion(self.item).rel.stated
            if not inside(side, self.domain[self.x], self.concludes)
        ]
        for side in conclusion(self.item).rel.stated:  # the slope must be known where the conclusion is stated
            bad += unmet(conclusion(self.premises[1]), {self.x: side}, self.concludes)
        if self.domain[self.x].integer:
            bad.append(f"the range of {self.x} is no interval")
        return [verdict("monotone", self.concludes.name, iter(bad)), *objections(self.concludes)]


@dataclass(frozen=True)
class Limit(Element):
    """f tends to `value` as x goes to infinity; other symbols are positive. By SymPy and by growth rates."""

    f: sp.Expr
    x: sp.Symbol
    value: sp.Expr
    domain: Domain
    name: str = ""

    @cached_property
    def concludes(self) -> Goal:
        rel = Rel(sp.Limit(self.f, self.x, sp.oo, "-"), "=", self.value)
        return Goal(rel, self.domain, name=self.name or f"limit of {self.f}")

    def evidence(self) -> list[Evidence]:
        return list(self._asked())

    def _asked(self) -> Iterator[Evidence]:
        """One check after the other, the quick ones first: a mutant that fails one needs no others."""
        name = self.concludes.name
        yield verdict("limit", f"{name}: other symbols", iter(self._loose()))
        yield timed("growth", f"{name}: growth rates", lambda: (self._by_growth(), None))
        yield verdict("limit", f"{name}: defined", self._undefined())
        yield timed("sympy", f"{name}: limit", lambda: (self._by_sympy(), None))

    @cached_property
    def _valued(self) -> tuple[sp.Expr, sp.Expr]:
        return valued(self.f), valued(sp.sympify(self.value))

    def _loose(self) -> list[str]:
        f, value = self._valued
        names = sorted((f.free_symbols | value.free_symbols) - {self.x}, key=str)
        above = Var(sp.Integer(0), strict=True)
        loose = [f"{y} must be positive" for y in names if not self.domain[y].within(above)]
        return [*loose, *captured_inside(self.concludes)]

    def _undefined(self) -> Iterator[str]:
        """Where f may not be a real number, however large x is."""
        if self.domain[self.x].high is not None:
            yield f"the range of {self.x} has an upper end"
        yield from undefined(transparent(Goal(Rel(self.f, "<=", self.f), self.domain)))

    def _by_sympy(self) -> Outcome:
        f, value = self._valued
        positive = {y: sp.Symbol(y.name, positive=True) for y in f.free_symbols}
        found = _limit(f.xreplace(positive), positive.get(self.x, self.x))
        if found is None:
            return Outcome.UNKNOWN
        return Outcome.PROVED if sp.simplify(found - value.xreplace(positive)) == 0 else Outcome.UNKNOWN

    def _by_growth(self) -> Outcome:
        f, value = self._valued
        return Outcome.PROVED if vanishes(f - value, self.x) else Outcome.UNKNOWN

    def mutants(self) -> list[Mutant]:
        wrong = [replace(self, value=self.value + 1), replace(self, value=self.value - 1), replace(self, f=self.f + 2)]
        names = ("constant: 1 more", "constant: 1 less", "constant: 2 added")
        return [
            Mutant(name, killed=not all(e.ok for e in other._asked())) for name, other in zip(names, wrong, strict=True)
        ]


@lru_cache(maxsize=1024)  # a limit and its mutants have one function
def _limit(f: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    """The limit at infinity, or None where SymPy does not find it."""
    try:
        return sp.limit(f, x, sp.oo)
    except NotImplementedError:
        return None


@dataclass(frozen=True)
class FallsTo(Element):
    """f > value for every x in its range (>= if not strict), because f falls in x and tends to `value`."""

    f: sp.Expr
    x: sp.Symbol
    value: sp.Expr
    domain: Domain
    name: str = ""
    strict: bool = True
    given: tuple[Rel, ...] = ()

    def __post_init__(self) -> None:
        if any(self.x in h.symbols for h in self.given):
            raise ValueError(f"given={self.given}: hypotheses must not contain {self.x}, or its range has gaps")

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        slope = Rel(sp.Derivative(self.f, self.x), "<" if self.strict else "<=", 0)
        limit = Limit(self.f, self.x, self.value, self.domain, f"{self.name}: limit")
        return (Goal(slope, self.domain, self.given, f"{self.name}: slope"), limit)

    @cached_property
    def concludes(self) -> Goal:
        return Goal(Rel(self.f, ">" if self.strict else ">=", self.value), self.domain, self.given, self.name)

    def evidence(self) -> list[Evidence]:
        var = self.domain[self.x]
        bounded = var.integer or var.high is not None
        bad = [f"the range of {self.x} must be an interval without upper end"] if bounded else []
        return [verdict("falls to a limit", self.name, iter(bad)), *objections(self.concludes)]


@dataclass(frozen=True)
class IntegralOf(Element):
    """The integral of f over x from low to high is F(high) - F(low), F' = f; an infinite end takes the limit of F.

    `domain` has the range of x (the reals, or from low on) and of the other symbols, which are positive if an end is
    infinite. `slope` is an item that proves F' = f on this domain or a larger one, if the rule need not prove it.
    """

    f: sp.Expr
    antiderivative: sp.Expr
    x: sp.Symbol
    low: sp.Expr
    high: sp.Expr
    domain: Domain
    ends: tuple[sp.Expr | None, sp.Expr | None] = (None, None)  # limits of F at infinite ends
    name: str = ""
    slope: Item | None = None

    @property
    def _slope(self) -> Goal:
        rel = Rel(sp.Derivative(self.antiderivative, self.x), "=", self.f)
        return Goal(rel, self.domain, name=f"{self.name}: antiderivative")

    @cached_property
    def premises(self) -> tuple[Item, ...]:
        found: list[Item] = [self.slope or self._slope]
        for end, limit in zip((self.low, self.high), self.ends, strict=True):
            if end in (sp.oo, -sp.oo):
                mirrored, range_ = self.antiderivative.subs(self.x, sp.sign(end) * self.x), self.domain[self.x]
                if end == -sp.oo:
                    range_ = Var(None if range_.high is None else -range_.high)
                found.append(Limit(mirrored, self.x, limit, {**self.domain, self.x: range_}, f"{self.name}: at {end}"))
        return tuple(found)

    @cached_property
    def concludes(self) -> Goal:
        at: list[sp.Expr] = [
            limit if end in (sp.oo, -sp.oo) else substitute(self.antiderivative, {self.x: end})
            for end, limit in zip((self.low, self.high), self.ends, strict=True)
        ]
        rel = Rel(sp.Integral(self.f, (self.x, self.low, self.high)), "=", at[1] - at[0])
        rest = {y: v for y, v in self.domain.items() if y != self.x}
        return Goal(rel, rest, name=self.name)

    def evidence(self) -> list[Evidence]:
        return [verdict("integral", self.name, iter(self._outside())), *objections(self.concludes)]

    def _outside(self) -> list[str]:
        """The range of integration must lie in the range of x."""
        var, bad = self.domain[self.x], self._unproved()
        if self.slope is None and any(self.x in term.free_symbols for term in maximal(valued(self.antiderivative))):
            bad.append(f"whether {self.antiderivative} has a derivative is not known")
        if var.integer:
            bad.append(f"{self.x} is an integer")
        for end in map(sp.sympify, (self.low, self.high)):
            unbounded = {-sp.oo: var.low is None, sp.oo: var.high is None}
            if not (unbounded[end] if end in unbounded else inside(end, var, self.concludes)):
                bad.append(f"{end} is outside the range of {self.x}")
        return bad

    def _unproved(self) -> list[str]:
        """Why `slope`, if it is given, does not prove that F' = f."""
        if self.slope is None:
            return []
        proved, wanted = conclusion(self.slope), self._slope
        other = [] if proved.rel == wanted.rel else [f"{proved.rel} is not {wanted.rel}"]
        return [*other, *unmet(proved, {}, wanted)]
