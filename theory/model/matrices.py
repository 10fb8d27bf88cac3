"""The algebra spanned by the identity I and the all-ones matrix 11^T, of symbolic size, and entries of its products."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE

from theory.kernel.named import Named, written
from theory.model.arms import n
from theory.model.at_values import at_values

SQUARED_NORM = sp.Symbol("q")  # of a vector x
TOTAL = sp.Symbol(r"\mathbf{1}^{\top} \mathbf{x}")  # the sum of its entries


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


class Entry(Named):
    """An entry of (a I + b 11^T)(c I + d 11^T): on the diagonal (j, j), or off it (j, l)."""

    def __new__(cls, *args: Any) -> Entry:
        if args[-1] not in (0, 1):
            raise ValueError(f"Entry: on the diagonal is {args[-1]}, must be 1 (yes) or 0")
        found: Entry = sp.Expr.__new__(cls, *map(sp.sympify, args))
        return found

    @property
    def product(self) -> Span:
        a, b, c, d, size, _ = self.args
        return Span(a, b, size) @ Span(c, d, size)

    @property
    def value(self) -> sp.Expr:
        return self.product.on_ones + (self.product.on_identity if self.args[-1] == 1 else 0)

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return tuple(self.args[:-1])

    @property
    def written(self) -> sp.Expr:
        return at_values(PrintedEntry(*map(written, self.args[:4]), self.args[-1]), (n, self.args[4]))


class PrintedEntry(sp.Expr):  # type: ignore[misc]
    """How an entry of a product is printed."""

    is_commutative = True

    def _latex(self, printer: Any) -> str:
        *coefficients, same = self.args
        first, second = (latex_of_span(x, y, printer) for x, y in (coefficients[:2], coefficients[2:]))
        return rf"\left[\left({first}\right) \left({second}\right)\right]_{{{'j,j' if same == 1 else 'j,l'}}}"

    def _sympystr(self, printer: Any) -> str:
        *coefficients, same = self.args
        a, b, c, d = map(printer._print, coefficients)
        return f"(({a}) I + ({b}) 11^T)(({c}) I + ({d}) 11^T)[{'j, j' if same == 1 else 'j, l'}]"


def latex_of_span(on_identity: sp.Expr, on_ones: sp.Expr, printer: Any) -> str:
    """a I + b 11^T."""
    sign, size = ("-", -on_ones) if on_ones.could_extract_minus_sign() else ("+", on_ones)
    first, second = (printer.parenthesize(x, PRECEDENCE["Mul"]) for x in (on_identity, size))
    return rf"{first} \mathbf{{I}} {sign} {second} \mathbf{{1}}\mathbf{{1}}^{{\top}}"


class Quadratic(Named):
    """x^T (a I + b 11^T) x for a vector x, from its squared length and the sum of its entries."""

    def __new__(cls, *args: Any) -> Quadratic:
        found: Quadratic = sp.Expr.__new__(cls, *map(sp.sympify, args))
        return found

    @property
    def value(self) -> sp.Expr:
        a, b, squared_norm, total = self.args
        return a * squared_norm + b * total**2

    @property
    def parts(self) -> tuple[sp.Expr, ...]:
        return tuple(self.args)

    @property
    def written(self) -> sp.Expr:
        return at_values(
            PrintedQuadratic(*map(written, self.args[:2])), (SQUARED_NORM, self.args[2]), (TOTAL, self.args[3])
        )


class PrintedQuadratic(sp.Expr):  # type: ignore[misc]
    """How a quadratic form is printed."""

    is_commutative = True

    def _latex(self, printer: Any) -> str:
        a, b = self.args
        return rf"\mathbf{{x}}^{{\top}} \left({latex_of_span(a, b, printer)}\right) \mathbf{{x}}"

    def _sympystr(self, printer: Any) -> str:
        a, b = map(printer._print, self.args)
        return f"x^T (({a}) I + ({b}) 11^T) x"


def entries(first: Span, second: Span) -> tuple[Entry, Entry]:
    """The two different entries of a product: on the diagonal and off it."""
    four = first.on_identity, first.on_ones, second.on_identity, second.on_ones, first.size
    return Entry(*four, 1), Entry(*four, 0)
