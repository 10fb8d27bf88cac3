"""SymPy expressions, relations and domains as Coq text over the real numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Rel, Var, real
from theory.kernel.terms import Event, Mean

# Names that mean something else in Coq or in the libraries used.
_TAKEN = """S O R I E Q Z PI C T exp ln sqrt at in as if then else end fun forall exists match with let Prop Set Type
fix for return where using nonneg pos nonzero erfc scal plus mult minus one zero abs norm max min rsum whole within
steps partial mean event_ge event_gt each ends rising below base next before case rprod tends"""
RESERVED = set(_TAKEN.split())

_UNARY: dict[type, str] = {sp.exp: "exp", sp.log: "ln", sp.Abs: "Rabs", sp.erfc: "erfc"}
_FOLDED: dict[type, str] = {sp.Max: "Rmax", sp.Min: "Rmin"}


class NoCoq(ValueError):
    """Something that is not exported to Coq."""


def name_of(symbol: sp.Symbol) -> str:
    """The Coq variable for a symbol."""
    text = re.sub(r"\W", "_", symbol.name)
    return f"{text}_" if text in RESERVED or not text[0].isalpha() else text


def by_name(symbols: Iterable[sp.Symbol]) -> list[sp.Symbol]:
    """Symbols in the order of their names; two with one name in Coq, where one would hide the other, are refused."""
    found = sorted(set(symbols), key=lambda s: str(s.name))
    if len(set(map(name_of, found))) < len(found):
        raise NoCoq(f"two of {', '.join(s.name for s in found)} have one name in Coq")
    return found


def number(value: sp.Rational | Fraction | int) -> str:
    """A rational number, in parentheses where it is no plain integer."""
    q = Fraction(int(value.p), int(value.q)) if isinstance(value, sp.Rational) else Fraction(value)
    if q.denominator != 1:
        return f"({q.numerator} / {q.denominator})"
    return str(q) if q >= 0 else f"({q})"


def function_name(function: type) -> str:
    """The Coq variable for an unspecified function; a symbol of the same name is another variable."""
    text = re.sub(r"\W", "_", function.__name__) + "_of"
    return text if text[0].isalpha() else f"value_{text}"


def mean_name(over: Iterable[sp.Symbol]) -> str:
    """The Coq variable for the mean over random quantities."""
    return "mean_of_" + "_".join(map(name_of, over))


def expression(expr: sp.Expr) -> str:
    """Coq text of an expression; parenthesised wherever it is not an atom."""
    if expr.is_Rational:
        return number(expr)
    if expr.is_Symbol:
        return name_of(expr)
    if expr is sp.pi:
        return "PI"
    if expr is sp.E:
        return "(exp 1)"
    if expr.is_Add:
        return _sum(expr)
    if expr.is_Mul:
        return _product(expr)
    if expr.is_Pow:
        return _power(expr.base, expr.exp)
    if type(expr) in _UNARY:
        return f"({_UNARY[type(expr)]} {expression(expr.args[0])})"
    if type(expr) in _FOLDED:
        folded = expression(expr.args[0])
        for argument in expr.args[1:]:
            folded = f"({_FOLDED[type(expr)]} {folded} {expression(argument)})"
        return folded
    if isinstance(expr, (sp.Sum, sp.Product, Mean, Event, AppliedUndef)):
        return _opaque(expr)
    raise NoCoq(f"{type(expr).__name__} in {expr}")


def _opaque(expr: sp.Expr) -> str:
    """Sums, means, indicators and values of functions."""
    if isinstance(expr, (sp.Sum, sp.Product)):
        text, of = expression(expr.args[0]), "rsum" if isinstance(expr, sp.Sum) else "rprod"
        for i, low, high in expr.args[1:]:  # the innermost sum first
            text = f"({of} {expression(low)} {expression(high)} (fun {name_of(i)} : R => {text}))"
        return text
    if isinstance(expr, Mean):
        over = expr.args[1:]
        if len(over) != 1 or not over[0].is_Symbol:
            raise NoCoq(f"a mean over {', '.join(map(str, over))}")
        return f"({mean_name(over)} (fun {name_of(over[0])} : R => {expression(expr.args[0])}))"
    if isinstance(expr, Event):
        return f"({'event_gt' if expr.args[1] == 1 else 'event_ge'} {expression(expr.args[0])})"
    return f"({function_name(expr.func)} {' '.join(map(expression, expr.args))})"


def _sum(expr: sp.Expr) -> str:
    first, *rest = sorted(expr.args, key=_negative)
    text = expression(first)
    for term in rest:
        text += f" - {expression(-term)}" if _negative(term) else f" + {expression(term)}"
    return f"({text})"


def _negative(term: sp.Expr) -> bool:
    coefficient = term.as_coeff_Mul()[0]
    return bool(coefficient.is_Rational and coefficient < 0)


def _product(expr: sp.Expr) -> str:
    over, under = [], []
    for factor in expr.args:
        if factor.is_Pow and factor.exp.is_Rational and factor.exp < 0:
            under.append(_power(factor.base, -factor.exp))
        else:
            over.append(expression(factor))
    text = " * ".join(over) or "1"
    if not under:
        return f"({text})"
    below = under[0] if len(under) == 1 else f"({' * '.join(under)})"
    return f"({text} / {below})"


def _power(base: sp.Expr, exponent: sp.Expr) -> str:
    if exponent.is_Rational and exponent < 0:
        return f"(/ {_power(base, -exponent)})"
    if exponent.is_Integer:
        return expression(base) if exponent == 1 else f"({expression(base)} ^ {exponent})"
    if exponent.is_Rational and exponent.q == 2:
        root = f"(sqrt {expression(base)})"
        return root if exponent.p == 1 else f"({root} ^ {exponent.p})"
    return f"(Rpower {expression(base)} {expression(exponent)})"


def relation(left: sp.Expr, op: str, right: sp.Expr) -> str:
    return f"{expression(left)} {op} {expression(right)}"


def bounds(symbols: Iterable[sp.Symbol], domain: Mapping[sp.Symbol, Var]) -> list[tuple[str, str]]:
    """The bounds of the variables as named hypotheses: L_x for the lower, U_x for the upper one."""
    found = []
    for symbol in symbols:
        var, x = domain.get(symbol, real()), name_of(symbol)
        if var.low is not None:
            found.append((f"L_{x}", f"{number(var.low)} {'<' if var.strict else '<='} {x}"))
        if var.high is not None:
            found.append((f"U_{x}", f"{x} <= {number(var.high)}"))
    return found


def hypothesis(rel: Rel) -> str:
    """A hypothesis as Coq text, its derivatives carried out."""
    return relation(rel.left, rel.op, rel.right)


def polynomial(terms: Mapping[tuple[int, ...], Fraction], variables: list[str], even: list[bool]) -> str:
    """A polynomial from its monomials; powers of a variable marked `even` are printed as powers of its square."""
    return " + ".join(monomial(c, m, variables, even) for m, c in sorted(terms.items())) or "0"


def monomial(coefficient: Fraction, powers: tuple[int, ...], variables: list[str], even: list[bool]) -> str:
    factors = [number(coefficient)] if coefficient != 1 or not any(powers) else []
    for x, e, squares in zip(variables, powers, even, strict=True):
        if e and squares and e % 2 == 0:
            factors.append(f"({x} ^ 2) ^ {e // 2}")
        elif e:
            factors.append(x if e == 1 else f"{x} ^ {e}")
    return " * ".join(factors)
