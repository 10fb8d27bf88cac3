"""How fast an expression grows as a symbol goes to infinity: a bound C exp-class x^p (log x)^l, computed from the tree.

An independent check of limits: |f| is at most a constant times the stated growth, for x large, whatever positive values
the other symbols have. `exact` says that f is also at least a positive constant times it.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy as sp


class Unknown(ValueError):
    """No rule for the growth of an expression."""


@dataclass(frozen=True, order=True)
class Growth:
    """exponential: -1 falls like exp(-x^q), q > 0; 0 neither; 1 rises. Then the powers of x and of log x."""

    exponential: int = 0
    power: Fraction = Fraction(0)
    logs: Fraction = Fraction(0)

    def __mul__(self, other: Growth) -> Growth:
        if self.exponential * other.exponential < 0:
            raise Unknown("a rising times a falling exponential")
        way = self.exponential or other.exponential
        return Growth(way, self.power + other.power, self.logs + other.logs)

    def __pow__(self, exponent: Fraction) -> Growth:
        way = self.exponential * (1 if exponent > 0 else -1)
        return Growth(way, self.power * exponent, self.logs * exponent)


ONE = Growth()


def vanishes(expr: sp.Expr, x: sp.Symbol) -> bool:
    """Whether expr tends to 0 as x goes to infinity. Other symbols are positive. False means unknown."""
    try:
        mirrored = {e: 2 - sp.erfc(-e.args[0]) for e in expr.atoms(sp.erfc) if _positive(-e.args[0])}
        terms = sp.Add.make_args(sp.expand(expr.xreplace(mirrored)))
        return all(term == 0 or size(term, x) < ONE for term in terms)
    except Unknown:
        return False


def size(expr: sp.Expr, x: sp.Symbol) -> Growth:
    """An upper bound of the growth of |expr|."""
    if x not in expr.free_symbols:
        return ONE
    if expr == x:
        return Growth(power=Fraction(1))
    if expr.is_Add:
        return max(size(e, x) for e in expr.args)
    if expr.is_Mul:
        product = ONE
        for e in expr.args:
            product = product * size(e, x)
        return product
    if expr.is_Pow and expr.exp.is_Rational:
        base = size(expr.base, x) if expr.exp > 0 else _exact(expr.base, x)
        return base ** Fraction(int(expr.exp.p), int(expr.exp.q))
    if isinstance(expr, sp.log):
        return _log(_exact(expr.args[0], x))
    if isinstance(expr, (sp.exp, sp.erfc)):
        return _falling(expr, x)
    raise Unknown(f"no growth known for {expr}")


def _exact(expr: sp.Expr, x: sp.Symbol) -> Growth:
    """The growth of a sum of positive terms, which no cancellation makes smaller."""
    expr = sp.together(expr)
    num, den = sp.fraction(expr)
    if den.has(x):
        return _exact(num, x) * _exact(den, x) ** Fraction(-1)
    terms = sp.Add.make_args(sp.expand(expr))
    if not all(_positive(t) for t in terms):
        raise Unknown(f"{expr} may cancel")
    return max(size(t, x) for t in terms)


def _positive(term: sp.Expr) -> bool:
    return bool(term.xreplace({s: sp.Symbol(s.name, positive=True) for s in term.free_symbols}).is_positive)


def _log(of: Growth) -> Growth:
    if of.exponential:
        raise Unknown("the logarithm of an exponential")
    return Growth(logs=Fraction(1)) if of.power else ONE if not of.logs else Growth(logs=Fraction(1))


def _falling(expr: sp.Expr, x: sp.Symbol) -> Growth:
    """exp and erfc of what goes to minus, respectively plus, infinity like a power of x."""
    inner = -expr.args[0] if isinstance(expr, sp.exp) else expr.args[0]
    leading = _leading(inner, x)
    if leading is not None and size(leading, x).power > 0 and _positive(leading):
        return Growth(exponential=-1)
    if leading is not None and size(leading, x).exponential:
        raise Unknown(f"an exponential in {expr}")
    if isinstance(expr, sp.erfc) or size(expr.args[0], x) <= ONE:
        return ONE
    return Growth(exponential=1)


def _leading(expr: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    terms = sp.Add.make_args(sp.expand(expr))
    top = max(size(t, x) for t in terms)
    first = [t for t in terms if size(t, x) == top]
    return first[0] if len(first) == 1 else None
