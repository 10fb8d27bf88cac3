"""Rational functions as quotients of FLINT polynomials, built from the expression tree without SymPy's simplifier."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp
from flint import Ordering, fmpq, fmpq_mpoly_ctx

Poly = Any  # fmpq_mpoly


def to_fmpq(value: sp.Rational) -> fmpq:
    return fmpq(int(value.p), int(value.q))


class NotRational(ValueError):
    """The expression is no rational function of its symbols."""


@lru_cache(maxsize=65536)
def is_rational(expr: sp.Expr) -> bool:
    """Whether an expression is built of rational numbers and symbols by sums, products and whole powers."""
    if expr.is_Rational or expr.is_Symbol:
        return True
    if expr.is_Add or expr.is_Mul:
        return all(map(is_rational, expr.args))
    return bool(expr.is_Pow and expr.exp.is_Integer and is_rational(expr.base))


@dataclass(frozen=True)
class Ring:
    """Polynomials over the rationals in fixed symbols."""

    symbols: tuple[sp.Symbol, ...]

    @staticmethod
    def of(symbols: Iterable[sp.Symbol]) -> Ring:
        return _ring(tuple(sorted(symbols, key=lambda s: s.name)) or (sp.Symbol("_"),))  # numbers: one idle symbol

    @cached_property
    def ctx(self) -> Any:
        return fmpq_mpoly_ctx.get([s.name for s in self.symbols], Ordering.lex)

    def constant(self, value: fmpq | int) -> Poly:
        return self.ctx.constant(value)

    @cached_property
    def one(self) -> Poly:
        return self.constant(1)

    @cached_property
    def gens(self) -> dict[sp.Symbol, Poly]:
        return dict(zip(self.symbols, self.ctx.gens(), strict=True))

    def gen(self, symbol: sp.Symbol) -> Poly:
        return self.gens[symbol]

    @cached_property
    def _quotients(self) -> dict[sp.Expr, tuple[Poly, Poly]]:
        return {}

    def quotient(self, expr: sp.Expr) -> tuple[Poly, Poly]:
        """(numerator, denominator), coprime."""
        if expr not in self._quotients:
            num, den = self._walk(expr)
            g = self.one if den.is_one() else num.gcd(den)
            self._quotients[expr] = (num, den) if g.is_zero() or g.is_one() else (num / g, den / g)
        return self._quotients[expr]

    def _walk(self, expr: sp.Expr) -> tuple[Poly, Poly]:
        one = self.one
        if expr.is_Rational:
            return self.constant(to_fmpq(expr)), one
        if expr.is_Symbol:
            return self.gen(expr), one
        if expr.is_Add:
            num, den = self.constant(0), one
            for e in expr.args:
                p, q = self._walk(e)
                if q.is_one() and den.is_one():  # as most are: nothing to cancel
                    num = num + p
                    continue
                num, den = num * q + p * den, den * q
                g = num.gcd(den)
                if not g.is_zero():
                    num, den = num / g, den / g
            return num, den
        if expr.is_Mul:
            num, den = one, one
            for e in expr.args:
                p, q = self._walk(e)
                num, den = num * p, den * q
            return num, den
        if expr.is_Pow and expr.exp.is_Integer:
            p, q = self._walk(expr.base)
            k = int(expr.exp)
            return (p**k, q**k) if k >= 0 else (q**-k, p**-k)
        raise NotRational(f"not a rational function: {expr}")

    def shift(self, poly: Poly, lows: Sequence[fmpq | int]) -> Poly:
        """The polynomial with every symbol x replaced by x + low."""
        if not any(lows):
            return poly
        return poly.compose(*[g + low for g, low in zip(self.ctx.gens(), lows, strict=True)], ctx=self.ctx)


_ring = lru_cache(maxsize=256)(Ring)  # with the quotients that were computed in it: goals share hypotheses


def terms(poly: Poly) -> dict[tuple[int, ...], fmpq]:
    """Coefficients by exponents, Python's integers: FLINT's are slower, and SymPy may take them for floats."""
    return {tuple(map(int, m)): c for m, c in zip(poly.monoms(), poly.coeffs(), strict=True)}
