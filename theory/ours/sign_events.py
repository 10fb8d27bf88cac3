"""What an event of signs says of the signs: that of arm H, and those of all other arms."""

from collections.abc import Mapping
from functools import cache

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Follows,
    Indicates,
    Induction,
    InLimit,
    Instance,
    applied,
    congruent,
    equals,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model.arm_signs import NEXT, Sign, of_others
from theory.model.lockout import H
from theory.model.lockout_laws import Halves
from theory.model.play import ANOTHER, COUNT, K, another, i, k, o
from theory.ours.bad_rounds import times
from theory.ours.products import f, j, m

u, v, y, p, q, x = sp.symbols("u v y p q x")
Domain = Mapping[sp.Expr, Var]
UNIT = Var(sp.Integer(0), high=sp.Integer(1))
OTHER = Rel(j, "<=", K - 1)
BOTH = Goal(Rel(u, ">=", 1), {u: UNIT, v: UNIT}, (Rel(u * v, ">=", 1),), "both factors")


@cache
def no_distance() -> Follows:
    """u = v if (u - v)^2 <= 0: u - v is at most every positive number."""
    numbers, square = {u: real(), v: real()}, (Rel((u - v) ** 2, "<=", 0),)
    free, flat = {x: positive(), y: real(), p: real()}, (Rel(y**2, "<=", p),)
    near = Goal(Rel(y, "<=", x * y**2 / 4 + 1 / x), free, name="two squares", squares=(2 - x * y,))
    more = Goal(Rel(x * y**2 / 4, "<=", x * p / 4), free, flat, "a larger square")
    less = Goal(
        Rel(u, "<=", q + v), dict.fromkeys((u, v, p, q), real()), (Rel(u, "<=", p + v), Rel(p, "<=", q)), "less"
    )
    at = {u: y, v: 1 / x, p: x * y**2 / 4, q: x * p / 4}
    close = applied(less, at, near, more, domain=free, given=flat, name="close")
    none = instance(
        close, {p: 0}, {x: positive(), y: real()}, (Rel(y**2, "<=", 0),), name="below every positive number"
    )
    least = InLimit(none, x, sp.Integer(0), "not positive")
    sides = (instance(least, {y: side}, numbers, square, name="not larger") for side in (u - v, v - u))
    return follows(Rel(u, "=", v), *sides, domain=numbers, given=square, name="no distance")


@cache
def equal_numbers() -> Applied:
    """u = v if the indicator of u = v is at least 1."""
    numbers, given = {u: real(), v: real()}, (Rel(equals(u, v), ">=", 1),)
    says = Indicates(-((u - v) ** 2), numbers, part=True, name="an indicator of equals")
    sure = follows(Rel(equals(u, v), "=", 1), domain=numbers, given=given, name="it happens")
    parts = says, sure, times(sure.concludes.rel, (u - v) ** 2, numbers, "times the square")
    none = follows(Rel((u - v) ** 2, "<=", 0), *parts, domain=numbers, given=given, name="no distance")
    return applied(no_distance(), {}, none, domain=numbers, given=given, name="equal")


def equal_if_met(one: sp.Expr, other: sp.Expr, met: Item, domain: Domain, given: tuple[Rel, ...]) -> Applied:
    """x = y, if `met` says that the indicator of x = y is at least 1."""
    return applied(equal_numbers(), {u: one, v: other}, met, domain=domain, given=given, name="equal")


def factors(factor: sp.Expr, domain: Domain) -> tuple[Instance, Instance, Instance]:
    """A product of factors in [0, 1] of the other arms than H: at least 0, at most 1, at most that of the j-th arm."""
    every: Domain = {**domain, m: at_least(0, integer=True), j: COUNT}
    found = []
    for item, given in (("not negative", ()), ("at most 1", ()), ("at most each factor", (Rel(j, "<=", m),))):
        here = specialised(uses("ours/products", item=item), {f(i): factor}, every, given, item)
        at_others = (OTHER,) if given else ()
        found.append(instance(here, {m: K - 1}, {**domain, j: COUNT}, at_others, name=f"product of the others: {item}"))
    return found[0], found[1], found[2]


def of_the_other(factor: sp.Expr, known: Item, domain: Domain, given: tuple[Rel, ...]) -> Follows:
    """The factor of the j-th other arm is 1, if `known` says that the product of all of them is at least 1."""
    each = factors(factor, domain)[2]
    rel = Rel(conclusion(each).rel.stated[1], ">=", 1)
    return follows(rel, each, known, domain={**domain, j: COUNT}, given=(*given, OTHER), name="of the j-th other arm")


def at_the_other(quantity: sp.Expr, domain: Domain) -> Item:
    """A quantity, an expression in x, at the j-th other arm than H, and at its number."""
    place = instance(ANOTHER, {k: H, i: j}, {**domain, j: COUNT}, name="the j-th other arm")
    return congruent(quantity, x, place, {**domain, j: COUNT}, name="at the j-th other arm")


def signs_are(
    sign: Sign, values: tuple[sp.Expr, sp.Expr], known: Item, domain: Domain, given: tuple[Rel, ...]
) -> tuple[Applied, Follows]:
    """The sign of arm H, and that of the j-th other arm, if `known` says that the event of both is at least 1."""
    own, others = equals(sign(H, o), values[0]), equals(sign(NEXT, o), values[1])
    product, bounds = of_others(others), factors(others, domain)[:2]
    arm, rest = (
        applied(
            BOTH, dict(zip((u, v), at, strict=True)), *bounds, known, domain=domain, given=given, name="both happen"
        )
        for at in ((own, product), (product, own))
    )
    first = equal_if_met(sign(H, o), values[0], arm, domain, given)
    which, every = NEXT.xreplace({i: j}), {**domain, j: COUNT}
    met = of_the_other(others, rest, domain, given)
    there = equal_if_met(sign(which, o), values[1], met, every, (*given, OTHER))
    rel = Rel(sign(another(j, H, o), o), "=", values[1])
    moved = at_the_other(sign(x, o), domain)
    return first, follows(rel, moved, there, domain=every, given=(*given, OTHER), name="the sign of another arm")


def chance_of_others(factor: sp.Expr, fair: Item, domain: Domain) -> Instance:
    """2^-(K-1) is the product of the chances of the other arms, if `fair` says that each of them is 1/2."""
    rel = Rel(sp.Product(Mean(factor, o), (i, 1, m)), "=", Halves(m))
    number = {m: at_least(0, integer=True)}
    more = instance(fair, {k: NEXT.xreplace({i: m + 1})}, {**domain, **number}, name="one more arm")
    every = Induction(rel, m, sp.Integer(0), domain, name="a product of halves", lemmas=(more,))
    return instance(every, {m: K - 1}, domain, name="all other arms")
