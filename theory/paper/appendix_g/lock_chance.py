"""Appendix G (`sec:extensions`): how likely the bad rewards of a lock-out are."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.kernel.rules import Applied, Induction, Monotone, Rises, applied, instance
from theory.model.fair_signs import EXPONENT, OF_EXPONENT, SIGN_WORDS, SIGNS, exactly, exponent, h, j
from theory.ours.root_series import order_of_roots
from theory.ours.sums_of_signs import centre_not_negative, first_centre, next_centre, next_value

x, y, z, u, v, p, q, b = sp.symbols("x y z u v p q b")
NUMBERS = dict.fromkeys((x, y, z, u, v), real())
FIXED = {x_: v_ for x_, v_ in SIGNS.items() if x_ != j}
INNER = Rel(j + 1, "<=", h - 1)


def centre() -> Applied:
    """P(S_2h = 0) >= 1/(2 sqrt(h)): its square times h rises from 1/4 at h = 1."""
    free = {x_: v_ for x_, v_ in SIGNS.items() if x_ != j}
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    at = {x: exactly(h + 1, 0), u: next_centre().concludes.rel.stated[1]}
    squares = applied(equal, at, next_centre(), domain=free, name="squares")
    more = Goal(
        Rel(4 * (h + 1) * z, ">=", 1),
        {h: at_least(1), y: at_least(0), z: real()},
        (Rel(z, "=", y * ((2 * h + 1) / (2 * h + 2)) ** 2), Rel(4 * h * y, ">=", 1)),
        "the next square",
    )
    rel = Rel(4 * h * exactly(h, 0) ** 2, ">=", 1)
    at = {y: exactly(h, 0) ** 2, z: exactly(h + 1, 0) ** 2}
    next_ = applied(more, at, squares, domain=free, given=(rel,), name="the next square")
    start = Goal(Rel(4 * u**2, ">=", 1), {u: real()}, (Rel(u, "=", sp.Rational(1, 2)),), "its start")
    first = applied(start, {u: exactly(1, 0)}, first_centre(), domain=free, name="its start")
    rises = Induction(rel, h, sp.Integer(1), free, (), "squares", lemmas=(next_,), first=(first,))
    divided = Goal(Rel(1 / (4 * h), "<=", x / (4 * h)), {h: positive(), x: real()}, (Rel(x, ">=", 1),), "divided by 4h")
    least = applied(divided, {x: rel.stated[0]}, rises, domain=free, name="divided by 4h")
    roots = {x: 1 / (2 * sp.sqrt(h)), y: exactly(h, 0)}
    return applied(order_of_roots(x), roots, centre_not_negative(), least, domain=free, name="the central chance")


def one_factor() -> Monotone:
    """exp(E(j) - E(j+1)) <= (h - j)/(h + j + 1): log(1 + 2x) <= 2x(1+x)/(1+2x) at 2x = (2j+1)/b, b = h - j."""
    free = {j: SIGNS[j], b: at_least(2, integer=True)}
    gap = 2 * x * (1 + x) / (1 + 2 * x) - sp.log(1 + 2 * x)
    rises = Rises(gap, x, sp.Integer(0), {x: at_least(0)}, "log((1-v)/(1+v)) + 2v/(1-v^2)")
    at = instance(rises, {x: (2 * j + 1) / (2 * b)}, free, name="at v = (2j+1)/(2h+1)")
    log = sp.log(b + 2 * j + 1) - sp.log(b)
    first, second = (EXPONENT.xreplace({j: value, h: j + b}) for value in (j, j + 1))
    left = (2 * j + 1) * (2 * b + 2 * j + 1) / (2 * b * (b + 2 * j + 1))
    smaller = Goal(Rel(left, "<=", second - first), free, name="exponents")
    order = Goal(Rel(x - y, "<=", -v), NUMBERS, (Rel(u - v, ">=", 0), Rel(u, "<=", y - x)), "logarithms")
    lower = applied(order, {u: left, v: log, x: first, y: second}, at, smaller, domain=free, name="logarithms")
    here = instance(lower, {b: h - j}, SIGNS, (INNER,), name="at b = h - j")
    known = OF_EXPONENT, instance(OF_EXPONENT, {j: j + 1}, SIGNS, (INNER,), name="the next exponent")
    joined = Goal(Rel(u - v, "<=", z), NUMBERS, (Rel(u, "=", x), Rel(v, "=", y), Rel(x - y, "<=", z)), "exponents")
    values = {x: EXPONENT, y: EXPONENT.xreplace({j: j + 1}), z: here.concludes.rel.stated[1]}
    at_ = {u: exponent(h, j), v: exponent(h, j + 1), **values}
    named = applied(joined, at_, *known, here, domain=SIGNS, given=(INNER,), name="exponents")
    return Monotone(named, sp.exp(x), x, {x: real()}, name="one factor")


def values() -> Induction:
    """P(S_2h = 2j) >= P(S_2h = 0) exp(-E(j)), j < h."""
    rel = Rel(exactly(h, j), ">=", exactly(h, 0) * sp.exp(-exponent(h, j)))
    factor = one_factor()
    power, ratio = factor.concludes.rel.stated
    product = Goal(
        Rel(v, ">=", p * x * y),
        {**NUMBERS, **dict.fromkeys((p, x, y, q), at_least(0))},
        (Rel(v, "=", u * q), Rel(u, ">=", p * x), Rel(y, "<=", q)),
        "one more factor",
    )
    at = {v: exactly(h, j + 1), u: exactly(h, j), p: exactly(h, 0), x: sp.exp(-exponent(h, j)), y: power, q: ratio}
    parts = centre_not_negative(), next_value(), factor
    one = applied(product, at, *parts, domain=SIGNS, given=(INNER, rel), name="the next value")
    zero = instance(OF_EXPONENT, {j: sp.Integer(0)}, FIXED, name="E(0) = 0")
    unit = Monotone(zero, -sp.exp(-x), x, {x: real()}, name="exp(0) = 1")
    same = Goal(Rel(u, ">=", u * v), {u: real(), v: real()}, (Rel(-v, "=", -1),), "at j = 0")
    at = {u: exactly(h, 0), v: sp.exp(-exponent(h, 0))}
    start = applied(same, at, unit, domain=FIXED, name="at j = 0")
    return Induction(rel, j, sp.Integer(0), SIGNS, (), "values", lemmas=(one,), first=(start,), until=h - 1)


@claim("them-R-Bayes-SubR/lock-out/chance", by="us", kind="inequality")
def chance() -> Argument:
    """P(S_2h = 2j+2)/P(S_2h = 2j) = (h-j)/(h+j+1), by induction over the number of signs; with v = (2j+1)/(2h+1) it
    is (1-v)/(1+v) >= exp(-2v/(1-v^2)), which is at least exp(E(j) - E(j+1)). Squared and times h the central
    probability rises, from 1/4 at h = 1."""
    inside = Rel(j, "<=", h - 1)
    product = Goal(
        Rel(u, ">=", z * y),
        {**NUMBERS, y: at_least(0)},
        (Rel(u, ">=", v * y), Rel(z, "<=", v)),
        "times the central chance",
    )
    at = {u: exactly(h, j), v: exactly(h, 0), z: 1 / (2 * sp.sqrt(h)), y: sp.exp(-exponent(h, j))}
    value = applied(product, at, values(), centre(), domain=SIGNS, given=(inside,), name="one value")
    return proof(value, letters=SIGN_WORDS)
