"""The algebra spanned by the identity I and the all-ones matrix 11^T, of symbolic size."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp


@dataclass(frozen=True)
class Span:
    """on_identity I + on_ones 11^T, of size `size` (a symbol)."""

    on_identity: sp.Expr
    on_ones: sp.Expr
    size: sp.Expr

    def __matmul__(self, other: Span) -> Span:
        a, b, c, d = self.on_identity, self.on_ones, other.on_identity, other.on_ones
        return Span(a * c, a * d + b * c + self.size * b * d, self.size)

    def quadratic(self, squared_norm: sp.Expr, total: sp.Expr) -> sp.Expr:
        """x^T M x from the squared norm and the sum of the entries of x."""
        return self.on_identity * squared_norm + self.on_ones * total**2
