"""Certificates of nonnegativity: a polynomial written as a sum of terms that are plainly nonnegative.

After x = low + y every variable with a lower bound is a y >= 0. A certificate of P >= 0 lists (coefficient, monomial,
generator) with coefficient > 0, generators being 1, the hypotheses h >= 0, their products, and squares; for a
hypothesis h = 0 the coefficient may have any sign. P may first be multiplied by a factor that is plainly positive.
It is found by exact linear programming and re-checked by plain expansion over Python's fractions, in code that shares
nothing with the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp
from flint import fmpq

from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.linear import solve
from theory.kernel.polynomial import Poly, Ring, terms, to_fmpq

Monomial = tuple[int, ...]
Coefficients = dict[Monomial, Fraction]

MAX_UNKNOWNS = 4000
NONNEGATIVE = Var(sp.Integer(0))


@dataclass(frozen=True)
class Generator:
    """A factor of known sign: zero (an equality), nonnegative, or positive (strict)."""

    label: str
    poly: Poly
    strict: bool = False
    zero: bool = False

    @cached_property
    def terms(self) -> tuple[tuple[Monomial, fmpq], ...]:
        """Monomial and coefficient of every term."""
        return tuple(terms(self.poly).items())


@dataclass(frozen=True)
class Certificate:
    """P = sum of coefficient * monomial * generator, in the shifted variables."""

    variables: tuple[str, ...]
    lows: tuple[str, ...]  # "-" where a variable has no lower bound
    positive: tuple[bool, ...]  # whether a shifted variable is positive, not only nonnegative
    polynomial: Coefficients
    parts: tuple[tuple[Fraction, Monomial, str, tuple[tuple[Monomial, Fraction], ...]], ...]
    strict: bool
    strict_generators: frozenset[str] = frozenset({"1"})

    def holds(self) -> bool:
        """Expand the parts again, without the engine that found them, and compare term by term."""
        total: Coefficients = {}
        sure = not self.strict
        for coefficient, monomial, label, generator in self.parts:
            if not label.startswith("0="):
                odd = any(e % 2 and low == "-" for e, low in zip(monomial, self.lows, strict=True))
                if coefficient <= 0 or odd:
                    return False
                everywhere = all(e == 0 or p for e, p in zip(monomial, self.positive, strict=True))
                sure = sure or (label in self.strict_generators and everywhere)
            for m, c in generator:
                key = tuple(a + b for a, b in zip(monomial, m, strict=True))
                total[key] = total.get(key, Fraction(0)) + coefficient * c
        return sure and {m: c for m, c in total.items() if c} == self.polynomial

    def __str__(self) -> str:
        def power(m: Monomial) -> str:
            return "*".join(f"{v}^{e}" if e > 1 else v for v, e in zip(self.variables, m, strict=True) if e) or "1"

        moved = [(v, low) for v, low in zip(self.variables, self.lows, strict=True) if low not in ("0", "-")]
        shifts = ", ".join(f"{v}={low}+{v}" for v, low in moved)
        body = " + ".join(f"{c}*{power(m)}" + (f"*({label})" if label != "1" else "") for c, m, label, _ in self.parts)
        return (f"[{shifts}] " if shifts else "") + (body or "0")


def coefficients(poly: Poly) -> Coefficients:
    return {m: Fraction(int(c.p), int(c.q)) for m, c in terms(poly).items()}


class Frame:
    """A goal in shifted polynomial form: ring, lower bounds, generators."""

    def __init__(
        self, ring: Ring, spec: tuple[Var, ...], given: tuple[Rel, ...] = (), squares: tuple[sp.Expr, ...] = ()
    ) -> None:
        self.ring = ring
        self.lows = [fmpq(0) if v.low is None else to_fmpq(v.low) for v in spec]
        self.bounded = [v.low is not None for v in spec]
        self.strict = [v.low is not None and v.strict for v in spec]
        self._fractions: dict[sp.Expr, tuple[Poly, Poly]] = {}
        self.generators = [Generator("1", self.ring.constant(1), strict=True)]
        self.multipliers = [self.ring.constant(1)]  # positive factors by which the target may be multiplied
        ceilings = [Rel(s, "<=", v.high) for s, v in zip(self.ring.symbols, spec, strict=True) if v.high is not None]
        hypotheses = [*given, *ceilings]
        singles = [g for g in map(self._hypothesis, hypotheses) if g is not None]
        products = [
            Generator(f"({a.label})*({b.label})", a.poly * b.poly, a.strict and b.strict)
            for a, b in combinations_with_replacement([g for g in singles if not g.zero], 2)
        ]
        hints = [Generator(f"({q})^2", self._numerator(q) ** 2) for q in squares]
        self.generators += singles + hints + products
        self.packings: dict[int, Packing] = {}

    @cached_property
    def largest_exponent(self) -> int:
        return max((e for g in self.generators for m, _ in g.terms for e in m), default=0)

    @staticmethod
    def of(goal: Goal) -> Frame:
        """The frame of a goal; goals that differ in their relation only share it."""
        return _frame(*_shape(goal))

    def _numerator(self, expr: Any) -> Poly:
        num, _ = self.ring.quotient(expr)
        return self.ring.shift(num, self.lows)

    def fraction(self, expr: Any) -> tuple[Poly, Poly]:
        if expr not in self._fractions:
            num, den = self.ring.quotient(expr)
            self._fractions[expr] = self.ring.shift(num, self.lows), self.ring.shift(den, self.lows)
        return self._fractions[expr]

    def surely_positive(self, poly: Poly) -> bool:
        """All coefficients nonnegative in bounded variables, and one term that is positive everywhere."""
        table = terms(poly)
        return all(c > 0 and self._even_or_bounded(m) for m, c in table.items()) and any(map(self._positive, table))

    def _even_or_bounded(self, m: Monomial) -> bool:
        return all(b or e % 2 == 0 for e, b in zip(m, self.bounded, strict=True))

    def _positive(self, m: Monomial) -> bool:
        return all(e == 0 or s for e, s in zip(m, self.strict, strict=True))

    def positive_form(self, expr: Any) -> Poly | None:
        """A polynomial with the sign of `expr` on the domain, when its denominator has a sure sign."""
        num, den = self.fraction(expr)
        if self.surely_positive(den):
            return num
        if self.surely_positive(-den):
            return -num
        return None

    def sum_of_sides(self, rel: Rel) -> Iterator[Poly]:
        """a + b as a positive factor of b - a, where an equation among the hypotheses may give squares of the sides."""
        if any(g.zero for g in self.generators):
            num, den = self.fraction(rel.left + rel.right)
            if self.surely_positive(num) and self.surely_positive(den):
                yield from (num * m for m in self.multipliers)

    def _hypothesis(self, rel: Rel) -> Generator | None:
        if rel.op == "=":
            num, den = self.fraction(rel.left - rel.right)
            if self.surely_positive(den) and not den.is_constant():
                self._multiply_by(den)
            return Generator(f"0={rel}", num, zero=True)
        slack, strict = rel.slack
        poly = self.positive_form(slack)
        if poly is None:
            return None
        _, den = self.fraction(slack)
        if self.surely_positive(den) and len(terms(den)) > 1:
            self._multiply_by(den)
        return Generator(str(rel), poly, strict)

    def _multiply_by(self, factor: Poly) -> None:
        if all(factor != m for m in self.multipliers):
            self.multipliers.append(factor)


_frame = lru_cache(maxsize=512)(Frame)  # a goal and its mutants


def _shape(goal: Goal) -> tuple[Ring, tuple[Var, ...], tuple[Rel, ...], tuple[sp.Expr, ...]]:
    """What a goal is but for its relation: ring, ranges, hypotheses, hints."""
    ring = Ring.of(goal.symbols | {s for q in goal.squares for s in q.free_symbols})
    spec = tuple(goal.domain.get(s, NONNEGATIVE) for s in ring.symbols)
    return ring, spec, goal.given, goal.squares


def certify(goal: Goal) -> Certificate | None:
    """A re-checked certificate of the goal's inequality, or None."""
    return _certificate(goal.rel, *_shape(goal))


@lru_cache(maxsize=16384)  # many steps differ in name only
def _certificate(
    rel: Rel, ring: Ring, spec: tuple[Var, ...], given: tuple[Rel, ...], squares: tuple[sp.Expr, ...]
) -> Certificate | None:
    frame = _frame(ring, spec, given, squares)
    slack, strict = rel.slack
    target = frame.positive_form(slack)
    if target is None:
        return None
    parts = None
    for multiplier in (*frame.multipliers, *frame.sum_of_sides(rel)):
        parts = _search(frame, terms(target * multiplier), strict)
        if parts is not None:
            target = target * multiplier
            break
    else:
        return None
    named = tuple((c, m, g.label, tuple(sorted(coefficients(g.poly).items()))) for c, m, g in parts)
    certificate = Certificate(
        tuple(s.name for s in frame.ring.symbols),
        tuple(str(low) if b else "-" for low, b in zip(frame.lows, frame.bounded, strict=True)),
        tuple(frame.strict),
        coefficients(target),
        named,
        strict,
        frozenset(g.label for g in frame.generators if g.strict),
    )
    return certificate if certificate.holds() else None


Part = tuple[Fraction, Monomial, Generator]
Packed = int
Terms = list[tuple[Packed, fmpq]]  # monomials and coefficients
Candidate = tuple[Packed, Generator, Terms]


class Packing:
    """Monomials of a frame as integers, one field of bits per exponent, ordered as the tuples are.

    The highest bit of every field is free, so that exponents can be added and compared all at once.
    """

    def __init__(self, frame: Frame, width: int) -> None:
        self.width = width
        self._shifts = [width * i for i in reversed(range(len(frame.bounded)))]
        field = (1 << width) - 1
        self.free = sum(1 << shift + width - 1 for shift in self._shifts)
        self._odd = sum(1 << shift for shift, b in zip(self._shifts, frame.bounded, strict=True) if not b)
        self._may_vanish = sum(field << shift for shift, s in zip(self._shifts, frame.strict, strict=True) if not s)
        self.generators = [(g, [(self.packed(m), c) for m, c in g.terms]) for g in frame.generators]
        signed = [(d, 1 if c > 0 else -1, g.zero) for g, terms_ in self.generators for d, c in terms_]
        self._divisors = {way: {(d, zero) for d, sign, zero in signed if zero or sign == way} for way in (1, -1)}

    @staticmethod
    def of(frame: Frame, target: dict[Monomial, fmpq]) -> Packing:
        """A packing with room for the products of generators with what divides a term of the target."""
        largest = frame.largest_exponent + max((e for m in target for e in m), default=0)
        width = 4 * (largest.bit_length() // 4 + 1)
        if width not in frame.packings:
            frame.packings[width] = Packing(frame, width)
        return frame.packings[width]

    def packed(self, m: Monomial) -> Packed:
        return sum(e << shift for e, shift in zip(m, self._shifts, strict=True))

    def unpacked(self, m: Packed) -> Monomial:
        return tuple(m >> shift & (1 << self.width) - 1 for shift in self._shifts)

    def reaches(self, m: Packed, sign: int) -> bool:
        """Whether some generator has a term of this sign (an equation: any term) that divides a monomial."""
        free, odd = self.free, self._odd
        for d, either in self._divisors[sign]:
            q = (m | free) - d
            if q & free == free and (either or not q & odd):
                return True
        return False

    def even_or_bounded(self, m: Packed) -> bool:
        return not m & self._odd

    def positive(self, m: Packed) -> bool:
        return not m & self._may_vanish

    def quotients(self, target: Iterable[Packed], divisor: Packed) -> Iterator[Packed]:
        """The quotients of the terms that the divisor divides: no field borrows its free bit."""
        free = self.free
        for m in target:
            q = (m | free) - divisor
            if q & free == free:
                yield q ^ free


def _search(frame: Frame, target: dict[Monomial, fmpq], strict: bool) -> list[Part] | None:
    plainly = all(c > 0 and frame._even_or_bounded(m) for m, c in target.items())
    if plainly and (not strict or any(map(frame._positive, target))):
        one = frame.generators[0]
        return [(Fraction(int(c.p), int(c.q)), m, one) for m, c in target.items()]
    packing = Packing.of(frame, target)
    wanted = {packing.packed(m): c for m, c in target.items()}
    if not all(packing.reaches(m, 1 if c > 0 else -1) for m, c in wanted.items()):
        return None
    candidates: list[Candidate] = []
    reached: set[Packed] = set()
    for g, terms_ in packing.generators:
        quotients = {0}  # a hypothesis unchanged, then its useful multiples
        for d, _ in terms_:
            quotients.update(packing.quotients(wanted, d))
        kept = [q for q in sorted(quotients) if g.zero or packing.even_or_bounded(q)]
        candidates += [(q, g, terms_) for q in kept]
        for d, _ in terms_:
            reached.update(q + d for q in kept)
    one, itself = packing.generators[0]
    known = {q for q, g, _ in candidates if g is one}
    candidates += [(q, one, itself) for q in sorted(reached - known) if packing.even_or_bounded(q)]
    if len(candidates) > MAX_UNKNOWNS:
        return None
    rows: dict[Packed, dict[int, fmpq]] = {m: {} for m in wanted}
    for i, (m, _, terms_) in enumerate(candidates):
        for d, c in terms_:
            rows.setdefault(m + d, {})[i] = c
    free = {i for i, (_, g, _) in enumerate(candidates) if g.zero}
    sure = {i for i, (m, g, _) in enumerate(candidates) if g.strict and packing.positive(m)} if strict else None
    found = solve(((row, wanted.get(m, fmpq(0))) for m, row in rows.items()), free, sure)
    if found is None:
        return None
    chosen = ((c, *candidates[i][:2]) for i, c in found.items())
    return [(Fraction(int(c.p), int(c.q)), packing.unpacked(m), g) for c, m, g in chosen]
