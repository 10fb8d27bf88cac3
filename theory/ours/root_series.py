"""The sum of (j + alpha)^(-1/2) over pulls, from above, in closed form: how reucb.bounds adds up widths at any
horizon."""

from collections.abc import Mapping

import sympy as sp

from theory.kernel.argument import Argument, Item, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Applied, Follows, applied, follows, instance
from theory.kernel.rules.compose import conclusion

FROM = 33  # the first x = j + alpha that is summed by the series
HALF = sp.Rational(1, 2)
x, y, z, p, q, r, d = sp.symbols("x y z p q r d")


def order_of_roots(above: sp.Symbol = y, strict: bool = False) -> Follows:
    """0 <= x <= y if x^2 <= y^2: y - x = (y^2 - x^2)/(x + y); x < y, if the squares differ. `above` is the one that is
    known to be positive."""
    op, back = ("<", ">") if strict else ("<=", ">=")
    pair, squares = {x: at_least(0), y: at_least(0), above: positive()}, Rel(x**2, op, y**2)
    quotient = Goal(Rel(d / z, back, 0), {d: positive() if strict else at_least(0), z: positive()}, name="a quotient")
    at = instance(quotient, {d: y**2 - x**2, z: x + y}, pair, (squares,), name="difference of squares")
    split = Goal(Rel(y - x, "=", (y**2 - x**2) / (x + y)), pair, name="difference of roots")
    return follows(Rel(x, op, y), at, split, domain=pair, given=(squares,), name="roots keep the order")


def linked(
    *parts: Item,
    domain: Mapping[sp.Expr, Var],
    given: tuple[Rel, ...] = (),
    name: str = "",
    left: sp.Expr | None = None,
    known: tuple[Item, ...] = (),
) -> Applied:
    """a <= d from a <= b, b <= c, c <= d, whatever expressions these are.

    `left`: a as it is to be written; `known`: what the premises need.
    """
    rels = [conclusion(part).rel for part in parts]
    ends = sp.symbols(f"c0:{len(rels) + 1}")
    links = tuple(Rel(ends[m], rel.op, ends[m + 1]) for m, rel in enumerate(rels))
    lemma = Goal(Rel(ends[0], "<=", ends[-1]), dict.fromkeys(ends, real()), links, "one after the other")
    at = {**{c: rel.stated[0] for c, rel in zip(ends, rels, strict=False)}, ends[-1]: rels[-1].stated[1]}
    if left is not None:
        at[ends[0]] = left
    return applied(lemma, at, *known, *parts, domain=domain, given=given, name=name)


@claim("ours/midpoint", by="us", kind="inequality")
def midpoint() -> Argument:
    """The integral of u^(-1/2) from x - 1/2 to x + 1/2 is 2y - 2z = 2/(y+z) with the roots y, z of the ends, and y + z
    <= 2p with the root p of x, as (y+z)^2 <= 2(y^2+z^2) = 4x."""
    roots = dict.fromkeys((y, z, p), positive())
    ends = (Rel(y**2 - z**2, ">=", 1), Rel(y**2 + z**2, "<=", 2 * p**2))
    squares = Goal(Rel((y + z) ** 2, "<=", (2 * p) ** 2), roots, ends[1:], "squares", squares=(y - z,))
    order = instance(order_of_roots(), {x: y + z, y: 2 * p}, roots, (squares.rel,), name="y + z <= 2p")
    integral = Goal(Rel(2 * y - 2 * z, ">=", 2 / (y + z)), roots, ends[:1], "the integral")
    inverse = Goal(Rel(1 / p, "<=", 2 / q), {p: positive(), q: positive()}, (Rel(q, "<=", 2 * p),), "inverses")
    below = instance(inverse, {q: y + z}, roots, (order.concludes.rel,), name="1/p <= 2/(y+z)")
    parts = squares, order, integral, below
    general = follows(Rel(1 / p, "<=", 2 * y - 2 * z), *parts, domain=roots, given=ends, name="in roots")
    above = {x: Var(HALF, strict=True)}
    at = {p: sp.sqrt(x), y: sp.sqrt(x + HALF), z: sp.sqrt(x - HALF)}
    return proof(instance(general, at, above, name="midpoint"))


def primitive(x: sp.Expr) -> sp.Expr:
    """F with F(x + 1/2) - F(x - 1/2) a little above x^(-1/2): the integral and two corrections."""
    return 2 * sp.sqrt(x) + x ** sp.Rational(-3, 2) / 48 - 7 * x ** sp.Rational(-7, 2) / 3072


def squared(x: sp.Expr) -> sp.Expr:
    """F(x)^2, a rational function."""
    return (2 * x**4 + x**2 / sp.Integer(48) - sp.Rational(7, 3072)) ** 2 / x**7


@claim("ours/midpoint/series", by="us", kind="inequality")
def midpoint_series() -> Argument:
    """With p = F(x+1/2), q = F(x-1/2) and r = x^(-1/2), whose squares are rational in x: p^2 - q^2 - r^2 is positive
    and its square at least (2qr)^2, so p^2 >= (q + r)^2."""
    above = {x: at_least(FROM)}
    first, second, third = squared(x + HALF), squared(x - HALF), 1 / x
    rest = first - second - third
    margin = Goal(Rel(rest, ">", 0), above, name="p^2 > q^2 + r^2")
    mixed = Goal(Rel(4 * second * third, "<=", rest**2), above, name="(2qr)^2 at most the square of the rest")
    roots = {**dict.fromkeys((p, q, r), positive())}
    room = Rel(p**2 - q**2 - r**2, ">", 0)
    product = Rel(4 * q**2 * r**2, "<=", (p**2 - q**2 - r**2) ** 2)
    order = order_of_roots()
    twice = instance(order, {x: 2 * q * r, y: p**2 - q**2 - r**2}, roots, (room, product), name="2qr")
    square = follows(Rel((q + r) ** 2, "<=", p**2), twice, domain=roots, given=(room, product), name="(q+r)^2 <= p^2")
    sums = instance(order, {x: q + r, y: p}, roots, (square.rel,), name="q + r <= p")
    general = follows(Rel(r, "<=", p - q), square, sums, domain=roots, given=(room, product), name="in roots")
    at = {p: primitive(x + HALF), q: primitive(x - HALF), r: 1 / sp.sqrt(x)}
    return proof(step(margin), step(mixed), instance(general, at, above, name="one step of the sum"))
