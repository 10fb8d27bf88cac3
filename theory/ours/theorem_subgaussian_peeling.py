"""Theorem 5 repaired, peeling: sums of noise stay below lines, whatever the counts."""

from __future__ import annotations

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import (
    Among,
    Applied,
    Expectation,
    Follows,
    Indicates,
    Monotone,
    NextInteger,
    SumOver,
    Union,
    applied,
    follows,
    instance,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import stacks
from theory.model.arms import s, s0
from theory.model.counts import j, spread
from theory.model.play import COUNT, K, k, o, t
from theory.model.stacks import (
    cosh,
    highest,
    i,
    lam,
    noise,
    piece,
    root,
)
from theory.ours.bad_rounds import times
from theory.ours.classical.processes import Supermartingale, g
from theory.ours.root_series import order_of_roots
from theory.ours.theorem_subgaussian_deviations import AN_ARM, ARM, DEVIATIONS, LETTERS, ONE, Domain, ell, no_noise

x, z, b, p, q, r, u, m = sp.symbols("x z b p q r u m")
y = stacks.y  # length of a piece of counts, in logarithms of their roots
LINES = {**DEVIATIONS, y: positive()}
LINE_ARM = {**LINES, k: COUNT}
SIDES = {"above": 1, "below": -1}
PEELING = {**LETTERS, y: Letter(y, "any positive number"), j: Letter(j, "number of rewards")}


def slope(number: sp.Expr) -> sp.Expr:
    """Of the line for a piece of counts: it touches r sigma sqrt(n) in the middle of the piece, n = e^(2y(2i-1))."""
    return r / (sp.sqrt(s) * sp.exp(y * (2 * number - 1)))


def above_line(sign: int, arm: sp.Expr, number: sp.Expr) -> sp.Expr:
    return highest[sign](arm, slope(number), t, o) - r**2 / 2


def crossings(sign: int) -> sp.Expr:
    """How many lines are crossed up to round t, over all arms."""
    return sp.Sum(sp.Sum(Event(above_line(sign, i, ell), 1), (ell, 1, piece(t, y))), (i, 1, K))


def none_crossed(side: str) -> Rel:
    return Rel(crossings(SIDES[side]), "<=", 0)


def crossed(sign: int) -> SumOver:
    term = Goal(Rel(q, ">=", 0), {q: at_least(0)}, name="an indicator")
    family = {q: Event(above_line(sign, i, ell), 1)}
    return SumOver(term, ell, ONE, piece(t, y), {**LINES, i: COUNT}, family=family, name="lines of an arm")


def ville(sign: int) -> Follows:
    """The whole sum stays below the line but for probability exp(-r^2/2): exp(l S_j - j l^2 sigma^2/2) is a
    supermartingale."""
    free = {**ARM, **stacks.LINE}
    height, time = highest[sign](k, lam, t, o), stacks.crest[sign](k, lam, t, o)
    begins = instance(no_noise(), {x: 0, y: sign * lam}, free, name="no reward yet")

    def falls(past: sp.Expr) -> Follows:
        before_, after = (Mean(past * sp.exp(stacks.level(sign, number)), o) for number in (g, g + 1))
        noise_ = stacks.next_noise(past, sign * lam, g, -(g + 1) * lam**2 * s / 2)
        rounds = {**free, g: at_least(0, integer=True)}
        return follows(Rel(after, "<=", before_), noise_, domain=rounds, name="one reward more")

    process = Supermartingale(stacks.level(sign, j), j, begins, falls)
    line = process.exceeds(r**2 / 2, time, stacks.CREST_WITHIN[sign], t, free)
    small = Rel(stacks.level(sign, time), "<=", r**2 / 2)
    below = follows(Rel(height, "<=", r**2 / 2), stacks.CREST[sign], domain=free, given=(small,), name="below the line")
    crossed_ = Expectation(Union(below, (small,), "a line"), (o,))
    chance = Rel(Mean(Event(height - r**2 / 2, 1), o), "<=", sp.exp(-(r**2) / 2))
    return follows(chance, crossed_, line, domain=free, name="above a line")


def crossing_chance(side: str) -> Follows:
    """All arms and all pieces."""
    sign = SIDES[side]
    at = {k: i, lam: slope(ell)}
    one = instance(ville(sign), at, {**LINES, i: COUNT, ell: COUNT}, name="one line")
    pieces = SumOver(one, ell, ONE, piece(t, y), {**LINES, i: COUNT}, name="all pieces")
    arms = SumOver(pieces, i, ONE, K, LINES, name="all arms")
    few = instance(stacks.PIECE_LOW, {j: t}, LINES, name="number of pieces")
    number = Goal(
        Rel(x, "<=", 1 + z / (4 * y)), {x: real(), y: positive(), z: real()}, (Rel(4 * y * (x - 1), "<=", z),), "number"
    )
    at_most = instance(number, {x: piece(t, y), z: sp.log(t)}, LINES, (few.concludes.rel,), name="number of pieces")
    scaled = times(at_most.concludes.rel, K * sp.exp(-(r**2) / 2), LINES, "times K exp(-r^2/2)", True)
    total = Rel(Mean(crossings(sign), o), "<=", K * (1 + sp.log(t) / (4 * y)) * sp.exp(-(r**2) / 2))
    return follows(total, arms, few, at_most, scaled, domain=LINES, name=f"chance {side}")


def in_piece() -> tuple[Monotone, Monotone]:
    """e^(y(2i-1)) and sqrt(j) differ by a factor of at most e^y, i the piece of j."""
    free = {**LINES, j: COUNT}
    middle, number = y * (2 * piece(j, y) - 1), sp.log(j) / 2
    low = follows(Rel(middle - number, "<=", y), stacks.PIECE_LOW, domain=free, name="not far above")
    high = follows(Rel(number - middle, "<=", y), stacks.PIECE_HIGH, domain=free, name="not far below")
    powers = [Monotone(item, sp.exp(x), x, {x: real()}, name=item.name) for item in (low, high)]
    return powers[0], powers[1]


@cache
def pieces_rise() -> Follows:
    """Larger counts are in later pieces: 4y (i - 1) <= log j <= log t < 4y i' for the pieces i of j and i' of t."""
    free, given = {t: COUNT, j: COUNT, y: positive(), piece(j, y): COUNT}, (Rel(j, "<=", t),)
    order = Goal(Rel(j, "<=", t), {j: COUNT, t: COUNT}, given, "j <= t")
    logs = Monotone(order, sp.log(x), x, {x: at_least(1)}, name="logarithms")
    first = instance(stacks.PIECE_LOW, {}, free, name="the piece of j")
    last = instance(stacks.PIECE_HIGH, {j: t}, free, name="the piece of t")
    ahead = piece(t, y) + 1 - piece(j, y)
    far = follows(Rel(4 * y * ahead, ">", 0), first, logs, last, domain=free, given=given, name="ahead")
    quotient = Goal(Rel(u / z, ">", 0), {u: positive(), z: positive()}, name="a quotient")
    divided = applied(quotient, {u: 4 * y * ahead, z: 4 * y}, far, domain=free, given=given, name="divided by 4y")
    order_ = follows(Rel(piece(t, y) + 1, ">", piece(j, y)), divided, domain=free, given=given, name="not behind")
    whole = NextInteger(piece(t, y) + 1, piece(j, y), free, name="whole numbers")
    rel = Rel(piece(j, y), "<=", piece(t, y))
    return follows(rel, order_, whole, domain=free, given=given, name="larger counts are in later pieces")


def sums_below(side: str) -> Applied:
    """If no line is crossed, every sum of j <= t noises is at most r sigma sqrt(j) cosh(y)."""
    sign, number = SIDES[side], piece(j, y)
    free, none = {**LINE_ARM, j: COUNT}, none_crossed(side)
    given = (AN_ARM, Rel(j, "<=", t), none)
    one = Among(
        Event(above_line(sign, k, ell), 1), ell, m, ONE, piece(t, y), {**free, m: COUNT}, name="one of the lines"
    )
    later = Rel(number, "<=", piece(t, y))
    at = instance(one, {m: number}, free, (later,), name="the line of the count")
    lines = sp.Sum(Event(above_line(sign, i, ell), 1), (ell, 1, piece(t, y)))
    arms = Among(lines, i, k, ONE, K, free, crossed(sign), "one of the arms")
    over = above_line(sign, k, number)
    zero = Rel(Event(over, 1), "=", 0)
    holds = follows(zero, pieces_rise(), at, arms, domain=free, given=given, name="the line is not crossed")
    scaled, says = times(zero, over, free, "times"), Indicates(over, free, strict=True)
    below = follows(Rel(over, "<=", 0), holds, scaled, says, domain=free, given=given, name="below the line")
    up_to = (Rel(j, "<=", t),)
    touch = instance(stacks.CRESTS[sign], {lam: slope(number)}, free, up_to, name="the sum at this count")
    whole = Rel(slope(number) * sign * noise(k, j, o), "<=", r**2 / 2 + j * slope(number) ** 2 * s / 2)
    line = follows(whole, below, touch, domain=free, given=given, name="the line")
    divided = Goal(Rel(x, "<=", z / u), {x: real(), z: real(), u: positive()}, (Rel(u * x, "<=", z),), "divided by l")
    at_ = {x: sign * noise(k, j, o), z: whole.stated[1], u: slope(number)}
    sums = instance(divided, at_, free, (whole,), name="divided by l")
    pair = {p: positive(), q: positive(), b: at_least(1), z: positive()}
    ends = Rel(p / q, "<=", b), Rel(q / p, "<=", b)
    spread = Goal(Rel((p / q + q / p) / 2, "<=", (b + 1 / b) / 2), pair, ends, "at most cosh(y)")
    near = in_piece()
    middle = sp.exp(y * (2 * number - 1))
    factor = instance(spread, {p: middle, q: sp.sqrt(j), b: sp.exp(y)}, free, tuple(i_.concludes.rel for i_ in near))
    ratio = factor.concludes.rel.stated[0]
    flat = follows(Rel(ratio, "<=", cosh(y)), *near, factor, stacks.COSH, domain=free, name="line over root")
    size = r * sp.sqrt(s) * sp.sqrt(j)
    wide = times(flat.rel, size, free, "times r sigma sqrt(j)", True)
    equal = Goal(
        Rel(sums.concludes.rel.stated[1], "=", wide.concludes.rel.stated[0]), free, name="the line over the root"
    )
    whole_ = linked(line, sums, equal, flat, wide, domain=free, given=given, name=f"{side}: in roots")
    named = times(root_of_proxy().concludes.rel, r * cosh(y), free, "times r cosh(y)")
    bound = Rel(sign * noise(k, j, o), "<=", r * root(j) * cosh(y))
    numbers = Goal(Rel(x, "<=", u), dict.fromkeys((x, u, z), real()), (Rel(x, "<=", z), Rel(u, "=", z)), "renamed")
    at__ = {x: bound.stated[0], u: named.concludes.rel.stated[0], z: named.concludes.rel.stated[1]}
    return applied(numbers, at__, whole_, root_of_proxy(), named, domain=free, given=given, name=side)


@cache
def root_of_proxy() -> Follows:
    """The root of s j is sigma sqrt(j): both are positive and have the same square."""
    free, formula = {**stacks.STACKS, j: COUNT, stacks.y: positive()}, sp.sqrt(s) * sp.sqrt(j)
    given = Rel(x**2, "=", z), Rel(u**2, "=", z)
    squares = Goal(Rel(x**2, "<=", u**2), dict.fromkeys((x, u, z), real()), given, "equal squares")
    sides = []
    for one, other in ((root(j), formula), (formula, root(j))):
        below = applied(squares, {x: one, u: other, z: s * j}, stacks.ROOT, domain=free, name="equal squares")
        sides.append(applied(order_of_roots(), {x: one, y: other}, below, domain=free, name="equal roots"))
    return follows(Rel(root(j), "=", formula), *sides, domain=free, name="the root of the proxy")


def linked(
    line: Item, first: Item, second: Item, flat: Item, third: Item, *, domain: Domain, given: tuple[Rel, ...], name: str
) -> Applied:
    """a <= d from a <= b, b = c and c <= d, as relations between numbers."""
    a_, b_, c_, d_ = sp.symbols("a_ b_ c_ d_")
    facts = Rel(a_, "<=", b_), Rel(b_, "=", c_), Rel(c_, "<=", d_)
    rels = [conclusion(item).rel for item in (first, third)]
    at = {a_: rels[0].stated[0], b_: rels[0].stated[1], c_: rels[1].stated[0], d_: rels[1].stated[1]}
    numbers = Goal(Rel(a_, "<=", d_), dict.fromkeys((a_, b_, c_, d_), real()), facts, "linked")
    return applied(numbers, at, line, first, second, flat, third, domain=domain, given=given, name=name)


@claim("them-R-Bayes-SubR/repaired/peeling", by="us", kind="step", cites=("sec:fact/1",))
def peeling() -> Argument:
    """exp(l S_j - j l^2 sigma^2/2) is a supermartingale for every l, so the whole sum stays below the line r^2/(2l) + l
    sigma^2 j/2 but for probability exp(-r^2/2). The line that touches r sigma sqrt(j) at j = m exceeds it by a factor
    of at most cosh(y) for m e^(-2y) <= j <= m e^(2y). Pieces of that kind, log t/(4y) of them, cover 1, ..., t. The
    price of all counts at once is a power of log t, not t."""
    return proof(*(make(side) for make in (sums_below, crossing_chance) for side in SIDES), letters=PEELING)


H = cosh(y)
COVERS = Rel(r**2, "=", (spread(t) ** 2 - 1 / s0) / H**2)
