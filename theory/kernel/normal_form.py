"""Identities with exp, log, erfc, roots and symbolic powers, decided as identities of rational functions of atoms.

    b^e         exp(e log b), unless e is an integer
    log(f g/h)  log f + log g - log h over irreducible factors, each certified to be positive on the domain
    exp(u + v)  exp(u) exp(v); exp(c log f) = f^c; exp(c u) = exp(u)^c for rational c
    erfc(-u)    2 - erfc(u)

What is left, log f of an irreducible f, exp u of a single term u, erfc u, is an atom. If the sides agree as rational
functions of the atoms, they agree at every point of the domain where both are defined. Nothing follows if they do not
agree (atoms may be related in other ways), or if a sign was not certified: the engine proves or does not know.
SymPy is used for its trees only; the arithmetic and the factors are FLINT's.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from copy import copy
from functools import reduce
from operator import add, mul
from typing import Any

import sympy as sp
from flint import fmpq, fmpz

from theory.kernel.atoms import ROOT, Atoms, OutOfReach, Quotient
from theory.kernel.derivative import by_rules
from theory.kernel.goal import Goal, Var
from theory.kernel.polynomial import Poly, to_fmpq

POSITIVE = Var(sp.Integer(0), strict=True)


def agree(goal: Goal) -> bool:
    """Whether left and right have the same normal form. False means unknown."""
    try:
        form = NormalForm(goal)
        return (form.of(goal.rel.left) - form.of(goal.rel.right)).is_zero
    except OutOfReach:
        return False


def over_atoms(goal: Goal) -> Goal:
    """An inequality as one between polynomials in atoms, with what is known of their ranges; it implies the goal.

    Raises OutOfReach where a side has no normal form, or its denominator no certified sign.
    """
    form = _supposing(goal)
    slack, strict = goal.rel.slack
    squares = [form.of(by_rules(q)).num for q in goal.squares]
    return form.atoms.goal(form.sign_of(slack), strict, goal, squares)


_SUPPOSED: dict[Any, NormalForm] = {}  # the hypotheses of the last goal: its mutants have the same


def _supposing(goal: Goal) -> NormalForm:
    """Normal forms on the domain of a goal, its hypotheses being known."""
    key = frozenset((s, goal.domain[s]) for s in goal.symbols), goal.given
    if key not in _SUPPOSED:
        form = NormalForm(goal)
        for h in goal.given:
            with suppress(OutOfReach):  # a hypothesis without normal form is left out
                form.atoms.suppose(form.sign_of(h.left - h.right), h.op)
        _SUPPOSED.clear()
        _SUPPOSED[key] = form
    return _SUPPOSED[key].copy()


class NormalForm:
    """Expressions on the domain of a goal as quotients in atoms."""

    def __init__(self, goal: Goal) -> None:
        self.atoms = Atoms(goal)
        self.one = self.atoms.quotient(self.atoms.ctx.constant(1))
        self._pi: Poly | None = None
        self._logs: list[tuple[Poly, Quotient]] = []  # (f, log f): f is irreducible or an atom, and positive
        self._roots: list[tuple[Poly, Poly]] = []
        self._known: dict[sp.Expr, Quotient] = {}
        self._tails: list[tuple[Quotient, Quotient]] = []  # (u, erfc u)

    def copy(self) -> NormalForm:
        """The same with atoms of its own: what is met later in one is not met in the other."""
        new = copy(self)
        new.atoms = self.atoms.copy()

        def moved(q: Quotient) -> Quotient:
            return Quotient(new.atoms, q.num, q.den)

        new.one = moved(self.one)
        new._logs = [(f, moved(log)) for f, log in self._logs]
        new._roots = list(self._roots)
        new._known = {e: moved(q) for e, q in self._known.items()}
        new._tails = [(moved(u), moved(tail)) for u, tail in self._tails]
        return new

    def sign_of(self, expr: sp.Expr) -> Poly:
        """A polynomial in atoms that has the sign of the expression everywhere on the domain."""
        value = self.of(expr)
        for way in (1, -1):
            if self.atoms.positive(way * value.den):
                return way * value.num
        raise OutOfReach("a denominator of unknown sign")

    def of(self, expr: sp.Expr) -> Quotient:
        """The normal form of an expression, found once: later atoms are in none that is known."""
        if expr not in self._known:
            self._known[expr] = self._of(expr)
        return self._known[expr]

    def _of(self, expr: sp.Expr) -> Quotient:
        if expr.is_Rational:
            return self.one * to_fmpq(expr)
        if expr.is_Symbol:
            return self.atoms.quotient(self.atoms.symbols[expr])
        if expr is sp.pi:
            self._pi = self._pi or self.atoms.new(Var(sp.Integer(3), strict=True))
            return self.atoms.quotient(self._pi)
        if expr is sp.E:
            return self.exp(self.one)
        if expr.is_Add:
            return reduce(add, map(self.of, expr.args))
        if expr.is_Mul:
            return reduce(mul, map(self.of, expr.args))
        if expr.is_Pow and expr.exp.is_Integer:
            return self.of(expr.base) ** int(expr.exp)
        if expr.is_Pow:
            return self.exp(self.of(expr.exp) * self.log(self.of(expr.base)))
        if expr.func in (sp.exp, sp.log, sp.erfc):
            return {sp.exp: self.exp, sp.log: self.log, sp.erfc: self.erfc}[expr.func](self.of(expr.args[0]))
        raise OutOfReach(f"no normal form for {expr}")

    def exp(self, u: Quotient) -> Quotient:
        return reduce(mul, map(self._exp_of_term, u.terms()), self.one)

    def _exp_of_term(self, u: Quotient) -> Quotient:
        for f, log in self._logs:
            ratio = (u * log**-1).constant
            if ratio is not None:
                return self._power(f, ratio)
        rises = self.atoms.plainly_nonnegative(u.num) and self.atoms.plainly_nonnegative(u.den)
        atom = self.atoms.new(Var(sp.Integer(1)) if rises else POSITIVE)
        self._logs.append((atom, u))
        return self.atoms.quotient(atom)

    def _power(self, f: Poly, exponent: fmpq) -> Quotient:
        """f^exponent for a positive f: a whole power, times a power of its root."""
        whole = exponent.floor()
        rest = (exponent - whole) * ROOT
        if rest.q != 1:
            raise OutOfReach(f"a root of order {exponent.q}")
        power = self.atoms.quotient(f) ** int(whole)
        return power * self.atoms.quotient(self._root(f)) ** int(rest.p) if rest else power

    def _root(self, f: Poly) -> Poly:
        for g, r in self._roots:
            if g == f:
                return r
        r = self.atoms.root(f)
        self._roots.append((f, r))
        self._logs.append((r, self._log_of_factor(f) * fmpq(1, ROOT)))
        return r

    def log(self, u: Quotient) -> Quotient:
        factors = list(self._factors(u))
        total = reduce(add, (self._log_of_factor(f) * k for f, k in factors), self.one * 0)
        if len(factors) > 1 and self.atoms.plainly_positive(u.den) and self.atoms.plainly_positive(u.num - u.den):
            self.atoms.suppose(total.num * total.den, ">")  # u > 1
        return total

    def _log_of_factor(self, f: Poly) -> Quotient:
        for g, log in self._logs:
            if g == f:
                return log
        atom = self.atoms.quotient(self.atoms.new(POSITIVE if self.atoms.positive(f - 1) else Var()))
        self._logs.append((f, atom))
        return atom

    def _factors(self, u: Quotient) -> Iterator[tuple[Poly, int]]:
        """(f, k) with u = product of f^k, every f > 0 on the domain: primes, and irreducible polynomials in atoms."""
        negative = 0
        for poly, way in ((u.num, 1), (u.den, -1)):
            content, parts = poly.factor()
            negative += content < 0
            for number, k in ((fmpz(abs(content.p)), way), (content.q, -way)):
                yield from ((self.atoms.ctx.constant(p), k * e) for p, e in number.factor())
            for f, e in parts:
                if self.atoms.positive(f):
                    yield f, way * e
                elif self.atoms.positive(-f):
                    negative += e
                    yield -f, way * e
                else:
                    raise OutOfReach("a factor of unknown sign under a logarithm or a root")
        if u.is_zero or negative % 2:
            raise OutOfReach("a logarithm or a root of what is not positive")

    def erfc(self, u: Quotient) -> Quotient:
        for v, tail in self._tails:
            if (u - v).is_zero:
                return tail
            if (u + v).is_zero:
                return self.one * 2 - tail
        self._tails.append((u, self.atoms.quotient(self.atoms.new(POSITIVE, below=2))))
        return self._tails[-1][1]
