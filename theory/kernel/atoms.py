"""Quotients of polynomials in atoms: symbols, pi, and values of exp, log, erfc and roots that stand as symbols.

Each atom has a range on the goal's domain (exp > 0, 0 < erfc < 2), so that the sign of a polynomial in atoms can be
certified. A root r of f obeys r^ROOT = f; numerators and denominators are kept reduced by these relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from theory.kernel.certificate import certify
from theory.kernel.goal import Goal, Rel, Var
from theory.kernel.polynomial import Poly, is_rational, terms

ROOT = 12  # square, third, fourth, sixth and twelfth roots are powers of one atom
POOL = 40
_NAMES = [sp.Symbol(f"a{i}") for i in range(POOL)]
_RING: Any = fmpq_mpoly_ctx.get([x.name for x in _NAMES], Ordering.lex)
_GENERATORS = _RING.gens()


class OutOfReach(ValueError):
    """A rewriting that could not be shown to be valid on the whole domain."""


@dataclass(frozen=True, eq=False)
class Quotient:
    """num/den, reduced by the relations among the atoms and cancelled."""

    atoms: Atoms
    num: Poly
    den: Poly

    def __add__(self, other: Quotient) -> Quotient:
        return self.atoms.quotient(self.num * other.den + other.num * self.den, self.den * other.den)

    def __sub__(self, other: Quotient) -> Quotient:
        return self + other * -1

    def __mul__(self, other: Quotient | fmpq | int) -> Quotient:
        if not isinstance(other, Quotient):
            other = self.atoms.quotient(self.atoms.ctx.constant(other))
        return self.atoms.quotient(self.num * other.num, self.den * other.den)

    def __pow__(self, k: int) -> Quotient:
        over, under = (self.num, self.den) if k >= 0 else (self.den, self.num)
        return self.atoms.quotient(over ** abs(k), under ** abs(k))

    @property
    def is_zero(self) -> bool:
        return bool(self.num.is_zero())

    @property
    def constant(self) -> fmpq | None:
        """Its value, if no atom is left in it."""
        if not (self.num.is_constant() and self.den.is_constant()):
            return None
        return fmpq(0) if self.is_zero else self.num.leading_coefficient() / self.den.leading_coefficient()

    def terms(self) -> list[Quotient]:
        """What it is a sum of: the terms of its polynomial part, and those of the remainder over the denominator."""
        parts = zip(divmod(self.num, self.den), (None, self.den), strict=True)
        ctx = self.atoms.ctx
        return [self.atoms.quotient(ctx.from_dict({m: c}), den) for num, den in parts for m, c in terms(num).items()]


class Atoms:
    """The atoms met so far, what is known of their values, and the relations of the roots."""

    def __init__(self, goal: Goal) -> None:
        self.ctx, self._names = _RING, _NAMES
        self._ranges: dict[sp.Symbol, Var] = {}
        self._above_zero = [False] * POOL
        self._relations: list[Poly] = []
        self.symbols = {s: self.new(goal.domain[s]) for s in sorted(goal.symbols, key=lambda s: s.name)}
        renamed = {s: self._expr(g) for s, g in self.symbols.items()}
        self._facts = [h.at(renamed) for h in goal.given if _polynomial(h)]

    def copy(self) -> Atoms:
        """The same atoms, to which others can be added."""
        new = copy(self)
        new._ranges, new._above_zero = dict(self._ranges), list(self._above_zero)
        new._relations, new._facts = list(self._relations), list(self._facts)
        return new

    def new(self, var: Var, below: int | None = None) -> Poly:
        """A new atom, greater in the ordering than all before it, so that r^ROOT leads in r^ROOT - f."""
        if len(self._ranges) == POOL:
            raise OutOfReach(f"more than {POOL} atoms")
        place = POOL - 1 - len(self._ranges)
        self._ranges[self._names[place]] = var
        self._above_zero[place] = var.low is not None and (var.low > 0 or (var.low == 0 and var.strict))
        if below is not None:
            self._facts.append(Rel(self._names[place], "<", sp.Integer(below)))
        return _GENERATORS[place]

    def root(self, f: Poly) -> Poly:
        """The positive r with r^ROOT = f, for f > 0."""
        r = self.new(Var(sp.Integer(0), strict=True))
        self._relations.append(r**ROOT - f)
        return r

    def quotient(self, num: Poly, den: Poly | None = None) -> Quotient:
        num, den = self._reduced(num), self.ctx.constant(1) if den is None else self._reduced(den)
        if den.is_zero():
            raise OutOfReach("division by 0")
        if den.is_constant():  # as most are: nothing to cancel
            return Quotient(self, num, den)
        common = num.gcd(den)
        return Quotient(self, num / common, den / common)

    def _reduced(self, poly: Poly) -> Poly:
        if poly.is_constant():
            return poly
        for relation in reversed(self._relations):
            poly = divmod(poly, relation)[1]
        return poly

    def positive(self, poly: Poly) -> bool:
        """Whether poly > 0 everywhere: plainly, or by a certificate from the ranges of the atoms and the hypotheses."""
        if self.plainly_positive(poly):
            return True
        expr = self._expr(poly)
        facts, names = about(expr.free_symbols, self._facts)
        return _certified(expr, tuple((x, v) for x, v in self._ranges.items() if x in names), facts)

    def plainly_positive(self, poly: Poly) -> bool:
        """Whether it has a term, every coefficient is positive and every atom in it is positive."""
        signs = (c > 0 and all(self._above_zero[i] for i, e in enumerate(m) if e) for m, c in terms(poly).items())
        return not poly.is_zero() and all(signs)

    def plainly_nonnegative(self, poly: Poly) -> bool:
        """Whether every coefficient is positive and every atom in it nonnegative."""
        low = {i: self._ranges[name].low for i, name in enumerate(self._names) if name in self._ranges}
        return all(
            c > 0 and all(((bound := low[i]) is not None and bound >= 0) or e % 2 == 0 for i, e in enumerate(m) if e)
            for m, c in terms(poly).items()
        )

    def suppose(self, poly: Poly, op: str) -> None:
        """A hypothesis `poly op 0`."""
        self._facts.append(Rel(self._expr(poly), op, sp.Integer(0)))

    def goal(self, poly: Poly, strict: bool, origin: Goal, squares: Iterable[Poly] = ()) -> Goal:
        """poly >= 0 (> 0, if strict), for all values that the atoms may have."""
        rel = Rel(self._expr(poly), ">" if strict else ">=", sp.Integer(0))
        hints = tuple(map(self._expr, squares))
        facts, needed = about(rel.symbols.union(*(q.free_symbols for q in hints)), self._facts)
        domain = {x: v for x, v in self._ranges.items() if x in needed}
        return Goal(rel, domain, facts, origin.name, hints)

    def _expr(self, poly: Poly) -> sp.Expr:
        """The polynomial as a tree, for the certificate."""
        return sp.Add(
            *(
                sp.Rational(int(c.p), int(c.q)) * sp.Mul(*(self._names[i] ** e for i, e in enumerate(m) if e))
                for m, c in terms(poly).items()
            )
        )


def about(names: set[sp.Symbol], facts: Sequence[Rel]) -> tuple[tuple[Rel, ...], set[sp.Symbol]]:
    """The facts that have to do with some symbols, directly or through other facts, and all symbols in them."""
    found: dict[Rel, None] = {}
    names, grown = set(names), True
    while grown:
        new = [f for f in facts if f not in found and f.symbols & names]
        found.update(dict.fromkeys(new))
        names, grown = names.union(*(f.symbols for f in new)), bool(new)
    return tuple(found), names


@lru_cache(maxsize=4096)  # the same few signs are asked for by every step of a proof
def _certified(expr: sp.Expr, ranges: tuple[tuple[sp.Symbol, Var], ...], facts: tuple[Rel, ...]) -> bool:
    return certify(Goal(Rel(expr, ">", 0), dict(ranges), facts)) is not None


def _polynomial(rel: Rel) -> bool:
    """Whether both sides are quotients of polynomials with rational coefficients; log 2 is no such coefficient."""
    return is_rational(rel.left) and is_rational(rel.right)
