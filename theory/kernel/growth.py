"""How fast an expression grows as a symbol goes to infinity: a bound C exp-class x^p (log x)^l, computed from the tree.

An independent check of limits: |f| is at most a constant times the stated growth, for x large, whatever positive values
the other symbols have. A `sharp` growth is one of which |f| is also at least a positive constant times it.
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


def size(expr: sp.Expr, x: sp.Symbol, sharp: bool = False) -> Growth:
    """An upper bound of the growth of |expr|; if `sharp`, also a lower one."""
    if x not in expr.free_symbols:
        return ONE
    if expr == x:
        return Growth(power=Fraction(1))
    if expr.is_Add:
        return _exact(expr, x) if sharp else max(size(e, x) for e in expr.args)
    if expr.is_Mul:
        product = ONE
        for e in expr.args:
            product = product * size(e, x, sharp)
        return product
    if expr.is_Pow and expr.exp.is_Rational:
        base = size(expr.base, x, sharp) if expr.exp > 0 else _exact(expr.base, x)
        return base ** Fraction(int(expr.exp.p), int(expr.exp.q))
    if isinstance(expr, sp.log):
        return _log(_exact(expr.args[0], x), sharp)
    if isinstance(expr, (sp.exp, sp.erfc)):
        return _exponential(expr, x, sharp)
    raise Unknown(f"no growth known for {expr}")


def _exact(expr: sp.Expr, x: sp.Symbol) -> Growth:
    """The growth of a sum of positive terms, which no cancellation makes smaller; that of the largest one is sharp."""
    expr = sp.together(expr)
    num, den = sp.fraction(expr)
    if den.has(x):
        return _exact(num, x) * _exact(den, x) ** Fraction(-1)
    terms = sp.Add.make_args(sp.expand(expr))
    if not all(_positive(t) for t in terms):
        raise Unknown(f"{expr} may cancel")
    top = max(size(t, x) for t in terms)
    if not any(_sharp(t, x) for t in terms if size(t, x) == top):
        raise Unknown(f"{expr} may grow less")
    return top


def _sharp(expr: sp.Expr, x: sp.Symbol) -> bool:
    """Whether its growth is not only an upper bound."""
    try:
        size(expr, x, sharp=True)
    except Unknown:
        return False
    return True


def _positive(term: sp.Expr) -> bool:
    return bool(term.xreplace({s: sp.Symbol(s.name, positive=True) for s in term.free_symbols}).is_positive)


def _log(of: Growth, sharp: bool) -> Growth:
    if of.exponential:
        raise Unknown("the logarithm of an exponential")
    if sharp and not of.power:  # the logarithm of a logarithm, or of what may tend to 1
        raise Unknown("a logarithm that may grow less")
    return Growth(logs=Fraction(1)) if of.power else ONE if not of.logs else Growth(logs=Fraction(1))


def _exponential(expr: sp.Expr, x: sp.Symbol, sharp: bool) -> Growth:
    """exp and erfc, which fall if their argument goes to minus, respectively plus, infinity like a power of x."""
    inner = -expr.args[0] if isinstance(expr, sp.exp) else expr.args[0]
    leading = _leading(inner, x)
    if leading is not None and size(leading, x).power > 0 and _positive(leading) and _sharp(leading, x):
        return Growth(exponential=-1)
    if leading is not None and size(leading, x).exponential:
        raise Unknown(f"an exponential in {expr}")
    if size(inner, x) <= ONE:
        return ONE
    rises = leading is not None and size(leading, x).power > 0 and _positive(-leading) and _sharp(leading, x)
    if sharp and not rises:
        raise Unknown(f"{expr} may grow less")
    return ONE if isinstance(expr, sp.erfc) else Growth(exponential=1)


def _leading(expr: sp.Expr, x: sp.Symbol) -> sp.Expr | None:
    terms = sp.Add.make_args(sp.expand(expr))
    top = max(size(t, x) for t in terms)
    first = [t for t in terms if size(t, x) == top]
    return first[0] if len(first) == 1 else None
