"""Products of numbers in [0, 1], chances or indicators: they are in [0, 1], and at most each of their factors."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Letter, Rel, Var, at_least
from theory.kernel.rules import Induction, instance

f = sp.Function("f")
i, j, m = sp.symbols("i j m")
WHOLE, COUNT = at_least(0, integer=True), at_least(1, integer=True)
FACTORS: dict[sp.Expr, Var] = {f(i): Var(sp.Integer(0), high=sp.Integer(1))}
PAIR = {**FACTORS, m: WHOLE, j: COUNT}
WORDS = {m: Letter(m, "number of factors"), f(i): Letter(f(i), "numbers in [0, 1]")}


def product(number: sp.Expr) -> sp.Expr:
    """The product of the first factors, of this number."""
    return sp.Product(f(i), (i, 1, number))


@claim("ours/products", by="us", kind="inequality")
def products() -> Argument:
    """Another factor in [0, 1] makes a number in [0, 1] no larger and not negative."""
    least = Induction(Rel(product(m), ">=", 0), m, sp.Integer(0), FACTORS, name="not negative")
    most = Induction(Rel(product(m), "<=", 1), m, sp.Integer(0), FACTORS, name="at most 1", lemmas=(least,))
    last = Rel(product(m), "=", product(m - 1) * f(m))
    apart = Induction(last, m, sp.Integer(1), FACTORS, name="the last factor apart")
    before = [instance(item, {m: j - 1}, {**FACTORS, j: COUNT}, name="the factors before it") for item in (least, most)]
    start = instance(apart, {m: j}, {**FACTORS, j: COUNT}, name="up to this factor")
    more = instance(apart, {m: j + m + 1}, PAIR, name="one factor more")
    there = instance(least, {m: j + m}, PAIR, name="not negative so far")
    rel = Rel(product(j + m), "<=", f(j))
    every = Induction(rel, m, sp.Integer(0), PAIR, lemmas=(more, there), first=(start, *before), name="more factors")
    one = instance(every, {m: m - j}, PAIR, (Rel(j, "<=", m),), name="at most each factor")
    return proof(least, most, one, letters=WORDS)
