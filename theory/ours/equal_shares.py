"""Widths of arms pulled in turn, by the printed steps: squares, logarithms that telescope, Cauchy-Schwarz.

g(j)^2 <= beta sigma_0^2 (log(1 + m(j+1)) - log(1 + mj))/log(1+m), m = sigma_0^2/sigma^2; K arms that are pulled in turn
meet every count K times, and G = log(1+mn)/log(1+m).
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Blocks,
    Chord,
    Monotone,
    Quotient,
    Rises,
    SumOver,
    Telescoping,
    applied,
    follows,
    instance,
    uses,
)
from theory.model import bound_formulas as bounds
from theory.model.arms import J, n, s, s0
from theory.model.counts import ELL, LONG, PULLS, RATIO, WIDEST, G, ell, g, j
from theory.model.play import COUNT, K, N
from theory.model.regret import WORDS
from theory.ours.counting import EXTRA, ONE, WHOLE, M, i, m

x, y, z, u, v, p, q, r, h, c = sp.symbols("x y z u v p q r h c")
ODDS = s0 / s
BETA = bounds.learning_price(K, s0, s)
COUNTED = {**PULLS, j: COUNT}
MORE = Rel(N, ">=", K + 1)
SQUARES = sp.Sum(g(sp.ceiling(i / K)) ** 2, (i, 1, EXTRA))
SHARES = sp.Sum(g(sp.ceiling(i / K)), (i, 1, EXTRA))


ORDERED = Goal(Rel(y, "<=", z), {y: at_least(1), z: at_least(1)}, (Rel(y, "<=", z),), "more pulls")
LOGARITHM = Monotone(ORDERED, sp.log(1 + x * p), x, {x: at_least(1), p: positive()}, name="the logarithm rises")


SHARE = 1 / (1 + j * ODDS)


def growth() -> Applied:
    """log(1+m)/(1+mj) <= log(1+m(j+1)) - log(1+mj): log(1+mx) lies above its chord from 0 to 1, at x = 1/(1+mj), where
    1 + mx = (1+m(j+1))/(1+mj)."""
    above = Chord(-sp.log(1 + p * x), x, {x: Var(ONE - 1, high=ONE), p: positive()}, "the logarithm above its chord")
    free = {j: COUNT, p: positive()}
    at_count = instance(above, {x: 1 / (1 + j * p)}, free, name="at x = 1/(1+mj)")
    difference = sp.log(1 + (j + 1) * p) - sp.log(1 + j * p)
    chord = follows(Rel(sp.log(1 + p) / (1 + j * p), "<=", difference), at_count, domain=free, name="one count")
    here = instance(chord, {p: ODDS}, COUNTED, name="m = sigma_0^2/sigma^2")
    logs = [instance(ELL, {j: pulls}, COUNTED) for pulls in (ONE, j, j + 1)]
    first, own, following = (item.concludes.rel.right for item in logs)
    names = (Rel(u, "=", x), Rel(v, "=", y), Rel(r, "=", z), Rel(x * p, "<=", z - y))
    renamed = Goal(
        Rel(u * p, "<=", r - v), dict.fromkeys((u, v, r, x, y, z, p), real()), names, "in terms of logarithms"
    )
    at = {u: ell(ONE), v: ell(j), r: ell(j + 1), x: first, y: own, z: following, p: SHARE}
    return applied(renamed, at, *logs, here, domain=COUNTED, name="how the logarithm grows")


def one_count() -> Applied:
    """g(j)^2 log(1+m) <= beta sigma_0^2 (log(1+m(j+1)) - log(1+mj)), by Lemma sec:tau."""
    equal = Goal(Rel(x**2, "=", u**2), {x: real(), u: real()}, (Rel(x, "=", u),), "squares")
    widest = instance(WIDEST, {}, COUNTED)
    square = applied(equal, {x: g(j), u: bounds.g(j, K, s0, s)}, widest, domain=COUNTED, name="g(j)^2")
    below = uses("ours/width", {n: j, J: K - 1}, item="below Lemma sec:tau", domain=COUNTED)
    small = follows(Rel(g(j) ** 2, "<=", BETA * s0 * SHARE), square, below, domain=COUNTED, name="Lemma sec:tau")
    both = (Rel(x, "<=", c * p), Rel(u * p, "<=", r - v))
    numbers = {**dict.fromkeys((x, p, r, v), real()), c: positive(), u: positive()}
    product = Goal(Rel(x * u, "<=", c * (r - v)), numbers, both, "a width by logarithms")
    at = {x: g(j) ** 2, u: ell(ONE), c: BETA * s0, r: ell(j + 1), v: ell(j), p: SHARE}
    return applied(product, at, small, growth(), domain=COUNTED, name="a width by logarithms")


def squares_in_turn() -> Quotient:
    """The sum of g(ceil(i/K))^2, i = 1, ..., m, times log(1+m): whole blocks telescope, and what is left, m - KM pulls
    at count M + 1, is at most its share of the next difference."""
    here = {**PULLS, m: WHOLE, M: WHOLE}
    squares = Blocks(g(j) ** 2, j, i, K, m, M, here, "arms pulled in turn")
    given, end, left = squares.concludes.given, m + K, m - K * M
    step_ = one_count()
    price = BETA * s0
    whole = Telescoping(step_, price * ell(j), j, ONE, M, here, given, "whole blocks")
    next_ = instance(step_, {j: M + 1}, here, given, name="the count after them")
    total = sp.Sum(g(j) ** 2, (j, 1, M)) * ell(ONE)
    product = Goal(
        Rel(x * y, "<=", x * z), {x: at_least(0), y: real(), z: real()}, (Rel(y, "<=", z),), "times a factor"
    )
    at = {x: K, y: total, z: price * (ell(M + 1) - ell(ONE))}
    blocks = applied(product, at, whole, domain=here, given=given, name="K arms")
    at = {x: left, y: g(M + 1) ** 2 * ell(ONE), z: price * (ell(M + 2) - ell(M + 1))}
    rest = applied(product, at, next_, domain=here, given=given, name="what is left")
    scaled = applied(
        product,
        {x: price, y: (K - left) * ell(M + 1) + left * ell(M + 2), z: K * ell(end)},
        last_logarithms(),
        domain=here,
        given=given,
        name="times beta sigma_0^2",
    )
    met = sp.Sum(g(sp.ceiling(i / K)) ** 2, (i, 1, m))
    at = {x: met, y: sp.Sum(g(j) ** 2, (j, 1, M)), z: g(M + 1) ** 2, u: ell(ONE), q: K, r: left, c: price}
    at |= {p: ell(M + 1), v: ell(M + 2), h: ell(end)}
    summed = Goal(
        Rel(x * u, "<=", q * c * (h - u)),
        dict.fromkeys(at, real()),
        (
            Rel(x, "=", q * y + r * z),
            Rel(q * (y * u), "<=", q * (c * (p - u))),
            Rel(r * (z * u), "<=", r * (c * (v - p))),
            Rel(c * ((q - r) * p + r * v), "<=", c * (q * h)),
        ),
        "all pulls",
    )
    every = applied(summed, at, squares, blocks, rest, scaled, domain=here, given=given, name="all pulls")
    return Quotient(every, K, m, M, "squares of the widths of arms pulled in turn")


def last_logarithms() -> Applied:
    """(K-r) log(1+m(M+1)) + r log(1+m(M+2)) <= K log(1+m(k+K)) where k = KM + r, 0 <= r <= K: the logarithm lies above
    its chord, and M + 1 + r/K <= k + K."""
    here, left = {**PULLS, m: WHOLE, M: WHOLE}, m - K * M
    given = (Rel(K * M, "<=", m), Rel(m, "<=", K * (M + 1)))
    unit = {x: Var(ONE - 1, high=ONE), y: at_least(1), p: positive()}
    above = Chord(-sp.log(1 + p * (x + y)), x, unit, "the logarithm above its chord")
    between = instance(above, {x: left / K, y: M + 1, p: ODDS}, here, given, name="between two counts")
    most = instance(LOGARITHM, {y: left / K + M + 1, z: m + K, p: ODDS}, here, given, name="at most all rounds")
    low, high, end = (sp.log(1 + c_ * ODDS) for c_ in (M + 1, M + 2, m + K))
    at = {x: K, r: left, u: low, v: high, z: end, c: most.concludes.rel.left}
    numbers = {**dict.fromkeys((u, v, z, c, p, q, h), real()), x: positive(), r: at_least(0)}
    mixed = Goal(
        Rel((x - r) * u + r * v, "<=", x * z),
        numbers,
        (Rel(-c, "<=", -((1 - r / x) * u + r / x * v)), Rel(c, "<=", z)),
        "between two logarithms",
    )
    plain = applied(mixed, at, between, most, domain=here, given=given, name="between two logarithms")
    names = (Rel(p, "=", u), Rel(q, "=", v), Rel(h, "=", z), Rel((x - r) * u + r * v, "<=", x * z))
    renamed = Goal(Rel((x - r) * p + r * q, "<=", x * h), numbers, names, "in terms of the logarithms")
    defined = [instance(ELL, {j: c_}, here) for c_ in (M + 1, M + 2, m + K)]
    at |= {p: ell(M + 1), q: ell(M + 2), h: ell(m + K)}
    return applied(renamed, at, *defined, plain, domain=here, given=given, name="the last logarithms")


@claim("ours/equal-shares/ratio", by="us", kind="inequality")
def ratio_above_one() -> Argument:
    """log(1+m(1+x)) - log(1+m) is 0 at x = 0 and rises; taken at x = n - 1."""
    several = {**PULLS, N: at_least(2, integer=True)}
    more = sp.log(1 + p * (1 + x)) - sp.log(1 + p)
    rises = Rises(more, x, ONE - 1, {x: positive(), p: positive()}, "more than one round", strict=True)
    here = instance(rises, {x: N - 1, p: ODDS}, several, name="n rounds")
    defined = [instance(ELL, {j: c_}, several) for c_ in (ONE, N)]
    names = (Rel(u, "=", x), Rel(v, "=", y), Rel(y - x, ">", 0), Rel(z, "=", v / u))
    numbers = {**dict.fromkeys((v, x, y, z), real()), u: positive()}
    above = Goal(Rel(z, ">", 1), numbers, names, "a ratio above 1")
    at = {u: ell(ONE), v: ell(N), x: sp.log(1 + ODDS), y: sp.log(1 + N * ODDS), z: G(N)}
    return proof(applied(above, at, *defined, here, RATIO, domain=several, name="G > 1"), letters=WORDS)


@claim("ours/equal-shares/squares", by="us", kind="inequality")
def squares() -> Argument:
    """After Lemma sec:tau the squares of the widths are differences of logarithms that telescope; the counts of arms
    pulled in turn are 1, ..., M, K times each, and M + 1 for what is left."""
    every = instance(squares_in_turn(), {m: EXTRA}, PULLS, (LONG,), name="all rounds after the first K")
    divided = Goal(
        Rel(x, "<=", q * c * (z - 1)),
        {**dict.fromkeys((x, q, c, h, z), real()), u: positive()},
        (Rel(x * u, "<=", q * c * (h - u)), Rel(z, "=", h / u)),
        "divided by the logarithm",
    )
    at = {x: SQUARES, q: K, c: BETA * s0, h: ell(N), u: ell(ONE), z: G(N)}
    return proof(applied(divided, at, every, RATIO, domain=PULLS, given=(LONG,), name="squares"), letters=WORDS)


ROOT_SUM = sp.sqrt(K * (G(N) - 1)) * sp.sqrt(EXTRA)
PRICE = sp.sqrt(BETA * s0)


@claim("ours/equal-shares", by="us", kind="inequality")
def equal_shares() -> Argument:
    """2g <= g^2/h + h for every h > 0, summed over the rounds; at the best h this is the inequality of Cauchy and
    Schwarz."""
    given = (MORE,)
    own = Goal(Rel(2 * x, "<=", x**2 / h + h), {x: real(), h: positive()}, name="a square", squares=(x - h,))
    pull = {**PULLS, h: positive(), i: COUNT}
    one = instance(own, {x: g(sp.ceiling(i / K))}, pull, name="one pull")
    total = SumOver(one, i, ONE, EXTRA, {**PULLS, h: positive()}, given=given, name="all pulls")
    above = uses("ours/equal-shares/ratio")
    first, second = PRICE * sp.sqrt(K * (G(N) - 1)), sp.sqrt(EXTRA)
    ratio = (Rel(G(N), ">", 1),)
    best = instance(total, {h: first / second}, PULLS, (*given, *ratio), name="at the best h")
    roots = {p: positive(), q: positive(), y: real(), z: real()}
    small = Goal(Rel(y * q / p, "<=", p * q), roots, (Rel(y, "<=", p**2),), "squares over h")
    number = Goal(Rel(z * p / q, "=", p * q), roots, (Rel(z, "=", q**2),), "rounds times h")
    at = {p: first, q: second, y: SQUARES, z: EXTRA}
    known = uses("ours/equal-shares/squares")
    halves = [
        applied(lemma, at, known, domain=PULLS, given=(*given, *ratio), name=lemma.name) for lemma in (small, number)
    ]
    both = Goal(
        Rel(x, "<=", r),
        dict.fromkeys((x, u, v, r), real()),
        (Rel(2 * x, "<=", u + v), Rel(u, "<=", r), Rel(v, "=", r)),
        "both halves",
    )
    at = {x: SHARES, u: SQUARES * second / first, v: EXTRA * first / second, r: first * second}
    return proof(
        applied(both, at, above, best, *halves, domain=PULLS, given=given, name="Cauchy-Schwarz"), letters=WORDS
    )
