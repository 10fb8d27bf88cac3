"""Chances of sums of independent fair signs, from the law of one sign: by induction over the number of signs."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Item
from theory.kernel.goal import Goal, Rel, Var, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Expectation,
    Follows,
    Indicates,
    Induction,
    Instance,
    NextInteger,
    SplitSum,
    Whether,
    applied,
    congruent,
    equals,
    follows,
    instance,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean
from theory.model import fair_signs
from theory.model.fair_signs import (
    FAIR_SIGNS,
    HALF,
    ONE,
    SIGNS,
    WHOLE,
    Signs,
    below,
    c,
    exactly,
    h,
    i,
    j,
    m,
    x,
)
from theory.model.play import COUNT, o
from theory.ours.sign_events import equal_if_met, no_distance

u, v, y, p, q, a, b = sp.symbols("u v y p q a b")
ZERO = sp.Integer(0)
Domain = dict[sp.Expr, Var]
TIMES = Goal(Rel(p * u, "=", p * v), dict.fromkeys((p, u, v), real()), (Rel(u, "=", v),), "times a factor")
NONE = Goal(Rel(p * u, "=", p * v), dict.fromkeys((p, u, v), real()), (Rel(p, "=", 0),), "a factor 0")


def _ranges(signs: Signs) -> Domain:
    return {**signs.ranges, m: WHOLE, y: real()}


def scaled(item: Item, factor: sp.Expr, domain: Domain) -> Applied:
    """An equation times a factor."""
    left, right = conclusion(item).rel.stated
    return applied(TIMES, {p: factor, u: left, v: right}, item, domain=domain, name="times a factor")


def next_sum(signs: Signs) -> Follows:
    """S_{m+1} = S_m + e_{m+1}."""
    term, domain = signs.sign(i), _ranges(signs)
    whole, rest = (sp.Sum(term, (i, 1, number)) for number in (m, m - 1))
    apart = Induction(Rel(whole, "=", rest + signs.sign(m)), m, ONE, domain, name="the last sign apart")
    last = instance(apart, {m: m + 1}, domain, name="the next sign")
    sums = (instance(signs.sums, {m: number}, domain, name="sums of signs") for number in (m + 1, m))
    rel = Rel(signs.total(m + 1), "=", signs.total(m) + signs.way * signs.sign(m + 1))
    return follows(rel, last, *sums, domain=domain, name="the next sum")


def happens(event: sp.Expr, domain: Domain, case: Rel) -> Follows:
    """An indicator that is positive is at least 1."""
    next_ = NextInteger(event, ZERO, domain, "it happens")
    return follows(Rel(event, ">=", 1), next_, domain=domain, given=(case,), name="it happens")


def where(f: sp.Expr, here: sp.Expr, moved: sp.Expr, known: Item, domain: Domain) -> Cases:
    """1{a = b} f(here) = 1{a = b} f(moved), if `known` says that here = moved wherever 1{a = b} > 0."""
    (case,) = conclusion(known).given
    met = case.stated[0]
    same = congruent(f, x, known, domain, (case,), name="of equals")
    at = {p: met, u: f.xreplace({x: here}), v: f.xreplace({x: moved})}
    one = applied(TIMES, at, same, domain=domain, given=(case,), name="if it happens")
    not_so = follows(Rel(met, "=", 0), domain=domain, given=(case.negation,), name="it does not")
    other = applied(NONE, at, not_so, domain=domain, given=(case.negation,), name="if it does not")
    return Cases(case, one, other, "on an event")


def sign_is(signs: Signs, number: sp.Expr, value: sp.Expr, domain: Domain) -> Applied:
    """e = c, if 1{e = c} > 0."""
    sign = signs.sign(number)
    case = Rel(equals(sign, value), ">", 0)
    return equal_if_met(sign, value, happens(case.stated[0], domain, case), domain, (case,))


def mean_over_sign(signs: Signs, f: sp.Expr, domain: Domain) -> Applied:
    """E f(e_i) = (f(1) + f(-1))/2, for f an expression in x."""
    sign, every = signs.sign(i), {**signs.ranges, **domain, i: COUNT}
    here = f.xreplace({x: sign})
    either = scaled(instance(signs.two_values, {}, every, name="a sign is +1 or -1"), here, every)
    parts: list[Item] = [Expectation(either, (o,))]
    at = {y: Mean(here, o)}
    known = [Rel(u + v, "=", y)]
    for value, part, level, half in ((ONE, u, a, p), (-ONE, v, b, q)):
        fair = instance(signs.fair, {c: value}, every, name="a fair sign")
        met, there = equals(sign, value), f.xreplace({x: value})
        moved = where(f, sign, value, sign_is(signs, i, value, every), every)
        parts += [Expectation(moved, (o,)), scaled(fair, there, every)]
        at |= {part: Mean(met * here, o), level: there * Mean(met, o), half: there}
        known += [Rel(part, "=", level), Rel(level, "=", half / 2)]
    whole = Goal(Rel(y, "=", HALF * (p + q)), dict.fromkeys((u, v, y, a, b, p, q), real()), tuple(known), "both signs")
    return applied(whole, at, *parts, domain=every, name="a fair sign")


def if_next_is(signs: Signs, f: sp.Expr, value: sp.Expr) -> Follows:
    """E[1{e_{m+1} = c} f(S_{m+1})] = E f(S_m + c)/2 for c = 1 or -1."""
    domain, shift = _ranges(signs), signs.way * value
    met, here = equals(signs.sign(m + 1), value), signs.total(m + 1)
    moved, known = signs.total(m) + shift, sign_is(signs, m + 1, value, domain)
    given = conclusion(known).given
    place = follows(Rel(here, "=", moved), next_sum(signs), known, domain=domain, given=given, name="the next sum")
    mean = Expectation(where(f, here, moved, place, domain), (o,), name="in the mean")
    fair = instance(signs.fair, {i: m + 1, c: value}, domain, name="a fair sign")
    free = instance(signs.independent(f.xreplace({x: x + shift})), {c: value}, domain, name="independent signs")
    rel = Rel(Mean(met * f.xreplace({x: here}), o), "=", HALF * Mean(f.xreplace({x: moved}), o))
    parts = mean, free, scaled(fair, Mean(f.xreplace({x: moved}), o), domain)
    return follows(rel, *parts, domain=domain, name="if the next sign is c")


def one_sign_more(signs: Signs, f: sp.Expr) -> Follows:
    """E f(S_{m+1}) = E f(S_m + 1)/2 + E f(S_m - 1)/2, for f an expression in x and y."""
    domain, here = _ranges(signs), f.xreplace({x: signs.total(m + 1)})
    ways = [if_next_is(signs, f, value) for value in (ONE, -ONE)]
    either = instance(signs.two_values, {i: m + 1}, domain, name="a sign is +1 or -1")
    whole = Expectation(scaled(either, here, domain), (o,))
    after = (Mean(f.xreplace({x: signs.total(m) + step}), o) for step in (1, -1))
    rel = Rel(Mean(here, o), "=", HALF * sp.Add(*after))
    return follows(rel, whole, *ways, domain=domain, name="one sign more")


def without(symbol: sp.Symbol, domain: Domain) -> Domain:
    return {z: var for z, var in domain.items() if z != symbol}


def at_no_signs(signs: Signs, f: sp.Expr) -> Expectation:
    """E f(S_0) = f(0), for f an expression in x and y."""
    domain = without(m, _ranges(signs))
    split = SplitSum(signs.sign(i), i, ONE, m - 1, m, {**domain, m: COUNT}, name="the last one apart")
    empty = instance(split, {m: ONE}, domain, name="nothing before the first one")
    sum_ = instance(signs.sums, {m: ZERO}, domain, name="no sign")
    none = follows(Rel(signs.total(ZERO), "=", 0), sum_, empty, domain=domain, name="no sign yet")
    return Expectation(congruent(f, x, none, domain, name="no sign yet"), (o,), name="no sign yet")


def same_law(signs: Signs) -> Induction:
    """P(S_m >= y) of these signs is that of any others: both follow from the chances of one sign less, at y - 1 and
    y + 1."""
    f, domain = Event(x - y, 0), {**_ranges(signs), **SIGNS}
    reached = Mean(f.xreplace({x: signs.total(m)}), o)
    named = [
        instance(fair_signs.AT_LEAST, {m: number, c: level}, domain, name="what a chance is")
        for number, level in ((m + 1, y), (m, y - 1), (m, y + 1))
    ]
    start = instance(fair_signs.AT_LEAST, {m: ZERO, c: y}, without(m, domain), name="what a chance is")
    return Induction(
        Rel(reached, "=", below(m, y)),
        m,
        ZERO,
        without(m, domain),
        name="the law of a sum of fair signs",
        lemmas=(one_sign_more(signs, f), one_sign_more(FAIR_SIGNS, f), *named),
        first=(at_no_signs(signs, f), at_no_signs(FAIR_SIGNS, f), start),
        also=({y: y - 1}, {y: y + 1}),
    )


VALUES = _ranges(FAIR_SIGNS)
IS = equals(x, y)


def chance(number: sp.Expr, value: sp.Expr) -> sp.Expr:
    """P(S_m = y)."""
    return Mean(IS.xreplace({x: FAIR_SIGNS.total(number), y: value}), o)


def nowhere_else() -> tuple[Applied, Instance]:
    """y 1{y = 0} = 0, and the same at y + 2."""
    number = {y: real()}
    says = Indicates(-(y**2), number, part=True, name="an indicator")
    e = Event(-(y**2), 0)
    square = scaled(Whether(e, number, "an indicator"), y**2, number)
    none = follows(Rel((y * e) ** 2, "<=", 0), says, square, domain=number, name="no distance")
    zero = applied(no_distance(), {u: y * e, v: ZERO}, none, domain=number, name="0 where y = 0")
    return zero, instance(zero, {y: y + 2}, number, name="0 where y = -2")


@cache
def neighbours() -> Induction:
    """(m - y) P(S_m = y) = (m + y + 2) P(S_m = y + 2): both sides are m times the chance that m - 1 signs add up to
    y + 1."""
    domain = without(m, VALUES)
    more, none = one_sign_more(FAIR_SIGNS, IS), at_no_signs(FAIR_SIGNS, IS)
    steps = more, instance(more, {y: y + 2}, VALUES, name="one sign more")
    starts = none, instance(none, {y: y + 2}, domain, name="no sign yet")
    return Induction(
        Rel((m - y) * chance(m, y), "=", (m + y + 2) * chance(m, y + 2)),
        m,
        ZERO,
        domain,
        name="neighbouring values",
        lemmas=tuple(scaled(item, by, VALUES) for item, by in zip(steps, (m + 1 - y, m + y + 3), strict=True)),
        first=(*(scaled(item, by, domain) for item, by in zip(starts, (y, y + 2), strict=True)), *nowhere_else()),
        also=({y: y - 1}, {y: y + 1}),
    )


def named(half: sp.Expr, value: sp.Expr, domain: Domain) -> Instance:
    """What P(S_2h = 2j) is."""
    return instance(fair_signs.VALUE, {h: half, j: value}, domain, name="what a chance is")


WHOLES = {**SIGNS, h: WHOLE}


@cache
def both_ways() -> Follows:
    """(h - j) P(S_2h = 2j) = (h + j + 1) P(S_2h = 2j + 2), for every integer j."""
    places = {**WHOLES, j: Var(integer=True)}
    known = instance(neighbours(), {m: 2 * h, y: 2 * j}, places, name="2h signs")
    names = [scaled(named(h, j, places), h - j, places), scaled(named(h, j + 1, places), h + j + 1, places)]
    rel = Rel((h - j) * exactly(h, j), "=", (h + j + 1) * exactly(h, j + 1))
    return follows(rel, known, *names, domain=places, name="neighbouring values")


@cache
def next_value() -> Applied:
    """P(S_2h = 2j + 2) = P(S_2h = 2j) (h - j)/(h + j + 1)."""
    ratio = Goal(
        Rel(v, "=", u * (h - j) / (h + j + 1)),
        {**WHOLES, u: real(), v: real()},
        (Rel((h - j) * u, "=", (h + j + 1) * v),),
        "the ratio of two values",
    )
    return applied(ratio, {u: exactly(h, j), v: exactly(h, j + 1)}, both_ways(), domain=WHOLES, name="the next value")


@cache
def next_centre() -> Applied:
    """P(S_{2h+2} = 0) = P(S_2h = 0) (2h + 1)/(2h + 2): two signs more, from -2, 0 or 2."""
    more = one_sign_more(FAIR_SIGNS, IS)
    steps = [
        instance(more, {m: number, y: value}, WHOLES, name="one sign more")
        for number, value in ((2 * h + 1, ZERO), (2 * h, ONE), (2 * h, -ONE))
    ]
    values = [named(half, value, WHOLES) for half, value in ((h + 1, ZERO), (h, -ONE), (h, ZERO), (h, ONE))]
    rel = Rel(exactly(h + 1, 0), "=", exactly(h, -1) / 4 + exactly(h, 0) / 2 + exactly(h, 1) / 4)
    two = follows(rel, *values, *steps, domain=WHOLES, name="two signs more")
    sides = (instance(both_ways(), {j: value}, WHOLES, name="beside the centre") for value in (-ONE, ZERO))
    centre = Goal(
        Rel(u, "=", y * (2 * h + 1) / (2 * h + 2)),
        {h: WHOLE, **dict.fromkeys((u, y, p, q), real())},
        (Rel(u, "=", p / 4 + y / 2 + q / 4), Rel((h + 1) * p, "=", h * y), Rel(h * y, "=", (h + 1) * q)),
        "the centre",
    )
    at = {u: exactly(h + 1, 0), p: exactly(h, -1), y: exactly(h, 0), q: exactly(h, 1)}
    return applied(centre, at, two, *sides, domain=WHOLES, name="the next centre")


def of_nothing() -> Follows:
    """The indicator of 0 >= 0 is 1."""
    says = Indicates(ZERO, {}, integer=True, name="0 >= 0")
    return follows(Rel(Event(ZERO, 0), "=", 1), says, domain={}, name="0 >= 0")


def first_centre() -> Follows:
    """P(S_2 = 0) = 1/2."""
    numbers: Domain = without(h, SIGNS)
    start = instance(at_no_signs(FAIR_SIGNS, IS), {y: ZERO}, numbers, name="no sign yet")
    next_ = instance(next_centre(), {h: ZERO}, numbers, name="the next centre")
    parts = of_nothing(), start, named(ZERO, ZERO, numbers), next_
    return follows(Rel(exactly(1, 0), "=", HALF), *parts, domain=numbers, name="two signs")


def not_negative() -> Follows:
    """P(S_m >= c) >= 0."""
    numbers = {**SIGNS, m: WHOLE, c: real()}
    event = Goal(Rel(Event(FAIR_SIGNS.total(m) - c, 0), ">=", 0), numbers, name="an indicator")
    mean = Expectation(event, (o,), name="in the mean")
    return follows(Rel(below(m, c), ">=", 0), mean, fair_signs.AT_LEAST, domain=numbers, name="a chance")


def centre_not_negative() -> Follows:
    """P(S_2h = 0) >= 0."""
    event = Goal(Rel(equals(FAIR_SIGNS.total(2 * h), ZERO), ">=", 0), WHOLES, name="an indicator")
    mean = Expectation(event, (o,), name="in the mean")
    return follows(Rel(exactly(h, 0), ">=", 0), mean, named(h, ZERO, WHOLES), domain=WHOLES, name="a chance")


def one_value() -> Follows:
    """P(S_2h = 2j) <= P(S_2h >= 2j)."""
    there, where = FAIR_SIGNS.total(2 * h), 2 * j
    met, reached = equals(there, where), Event(there - where, 0)
    case = Rel(met, ">", 0)
    equal = equal_if_met(there, where, happens(met, SIGNS, case), SIGNS, (case,))
    at_it = congruent(Event(x - where, 0), x, equal, SIGNS, (case,), name="at 2j")
    bound = Rel(met, "<=", reached)
    one = follows(bound, at_it, of_nothing(), domain=SIGNS, given=(case,), name="if it is 2j")
    other = follows(bound, domain=SIGNS, given=(case.negation,), name="if it is not 2j")
    mean = Expectation(Cases(case, one, other, "2j is one of the values"), (o,), name="in the mean")
    level = instance(fair_signs.AT_LEAST, {m: 2 * h, c: where}, SIGNS, name="what a chance is")
    rel = Rel(exactly(h, j), "<=", below(2 * h, where))
    return follows(rel, mean, named(h, j, SIGNS), level, domain=SIGNS, name="one value of the sum")
