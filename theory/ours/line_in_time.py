"""A line and normal steps: a Gaussian step does not raise the chance that a Brownian motion reaches a line later.

H(c, m, T) is the chance that a Brownian motion reaches the line c + m u in the time T. For c > 0 it is the mean of a
function of its end, 1{x >= 0}(1 + e^{2 m x}) at x = B_T - c - m T, by reflection; for c <= 0 it is at most this mean.
"""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.classical import NORMAL_SUM
from theory.kernel.goal import Goal, Letter, Rel, Var, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Cited,
    Expectation,
    Follows,
    IntegralOf,
    Otherwise,
    Rescaled,
    Restricted,
    Substitution,
    Union,
    applied,
    cited,
    congruent,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import Domain, conclusion
from theory.kernel.terms import Event, Mean, substitute
from theory.model.normal import phi, upper
from theory.model.round_kinds import BROWNIAN, above_line, o
from theory.model.standard_normals import NORMALS, WORDS, by_density, moments, u, v, z1, z2
from theory.ours.brownian_line import level, slope, time
from theory.ours.classical.normal import equal

b, f, p, q, r, x, y = sp.symbols("b f p q r x y")
low, tilt = sp.symbols("l h")  # letters that are no parameters of a model
PEAK = above_line(slope, time, o)
NUMBERS: dict[sp.Expr, Var] = {**NORMALS, o: real(), level: real(), slope: real(), **BROWNIAN}
LINE = {**NUMBERS, time: positive()}
LETTERS = {
    **WORDS,
    level: Letter(level, "height of the line at time 0"),
    slope: Letter(slope, "slope of the line"),
    time: Letter(time, "time up to which the path may reach the line"),
    PEAK: Letter(PEAK, "B is a Brownian motion"),
}


def chance(c: sp.Expr, m: sp.Expr, T: sp.Expr) -> sp.Expr:
    """H: that a Brownian motion reaches a line in time."""
    return Mean(Event(above_line(m, T, o) - c, 0), o)


def meets(c: sp.Expr, m: sp.Expr, T: sp.Expr) -> sp.Expr:
    """Its value for c > 0."""
    root = sp.sqrt(T)
    return upper((c + m * T) / root) + sp.exp(-2 * m * c) * upper((c - m * T) / root)


def at_end(end: sp.Expr, c: sp.Expr, m: sp.Expr, T: sp.Expr) -> sp.Expr:
    """Whose mean it is, where B_T = end."""
    over = end - c - m * T
    return Event(over, 0) * (1 + sp.exp(2 * m * over))


def tilted(z: sp.Symbol) -> Applied:
    """E 1{Z >= l} e^{h Z} = e^{h^2/2} Q(l - h): the density times e^{h z} is e^{h^2/2} times that of Z + h."""
    free = {tilt: real(), low: real()}
    density = by_density(Event(z - low, 0) * sp.exp(tilt * z), z, x, free)
    inside = conclusion(density).rel.stated[1].function
    cut = Restricted(phi(y), y, low - tilt, -sp.oo, sp.oo, free, strict=False, name="from l - h on")
    part = IntegralOf(phi(y), -upper(y), y, low - tilt, sp.oo, {**free, y: real()}, (None, sp.S.Zero), "its tail")
    tail = equal(cut, part, domain=free, name="the tail")
    g_, factor = conclusion(tail).rel.stated[0].function, sp.exp(tilt**2 / 2)
    pointwise = Goal(Rel(inside.xreplace({x: tilt + y}), "=", factor * g_), {**free, y: real()}, name="at h + y")
    moved = Substitution(inside, x, (tilt, sp.S.One), factor, g_, y, pointwise, tail, free, name="moved by h")
    lemma = Goal(
        Rel(p, "=", q * u),
        dict.fromkeys((p, q, r, u, b), real()),
        (Rel(p, "=", b), Rel(b, "=", q * r), Rel(r, "=", u)),
        "a known integral",
    )
    at = {p: conclusion(density).rel.stated[0], b: conclusion(moved).rel.stated[0], q: factor}
    at |= dict(zip((r, u), conclusion(tail).rel.stated, strict=True))
    return applied(lemma, at, density, moved, tail, domain={**free, **NORMALS}, name="beyond l, tilted")


def closed(z: sp.Symbol) -> Applied:
    """E 1{X >= 0}(1 + e^{2 m X}) for X = sqrt(T) Z - c - m T."""
    root, start = sp.sqrt(time), level + slope * time
    over, place = root * z - start, start / root
    scaled = Rescaled(z - place, root, LINE, name="in units of sqrt(T)")
    happened, power = Event(over, 0), sp.exp(2 * slope * over)
    moved = Goal(
        Rel(power, "=", sp.exp(-2 * slope * start) * sp.exp(2 * slope * root * z)), LINE, name="a power in two factors"
    )
    lemma = Goal(
        Rel(p * (1 + q), "=", r + b * (r * f)),
        dict.fromkeys((p, q, r, b, f), real()),
        (Rel(p, "=", r), Rel(q, "=", b * f)),
        "two parts",
    )
    at = {p: happened, q: power, r: Event(z - place, 0), b: sp.exp(-2 * slope * start), f: sp.exp(2 * slope * root * z)}
    parts = Expectation(applied(lemma, at, scaled, moved, domain=LINE, name="two parts"), (z,))
    tails = [instance(tilted(z), {tilt: by, low: place}, LINE, name="a tail") for by in (sp.S.Zero, 2 * slope * root)]
    value = Goal(
        Rel(
            tails[0].concludes.rel.stated[1] + sp.exp(-2 * slope * start) * tails[1].concludes.rel.stated[1],
            "=",
            meets(level, slope, time),
        ),
        LINE,
        name="both tails",
    )
    factor = sp.exp(-2 * slope * start)
    product = Goal(Rel(b * r, "=", b * u), dict.fromkeys((b, r, u), real()), (Rel(r, "=", u),), "times a number")
    at = {b: factor, **dict(zip((r, u), tails[1].concludes.rel.stated, strict=True))}
    second = applied(product, at, tails[1], domain=LINE, name="the second tail")
    total = Goal(
        Rel(p, "=", v),
        dict.fromkeys((p, q, r, f, u, v), real()),
        (Rel(p, "=", q + r), Rel(q, "=", f), Rel(r, "=", u), Rel(f + u, "=", v)),
        "in turn",
    )
    at = {p: parts.concludes.rel.stated[0], v: meets(level, slope, time)}
    at |= dict(zip((q, f), tails[0].concludes.rel.stated, strict=True))
    at |= dict(zip((r, u), second.concludes.rel.stated, strict=True))
    return applied(total, at, parts, tails[0], second, value, domain=LINE, name=f"mean at the end, {z}")


@claim("ours/counting/line/end", by="us", kind="identity")
def end() -> Argument:
    """Both parts of the mean are tails of a standard normal, the second one of a law that is moved by 2 m sqrt(T)."""
    return proof(*(closed(z) for z in (z1, z2)), letters=LETTERS)


def at_most_one(c: sp.Expr) -> Follows:
    """A chance is at most 1."""
    happened = Event(above_line(slope, time, o) - c, 0)
    once = Goal(Rel(happened, "<=", 1), LINE, name="an indicator")
    return follows(Rel(Mean(happened, o), "<=", 1), Expectation(once, (o,)), domain=LINE, name="at most 1")


def behind() -> Applied:
    """1 <= meets for c < 0: that a Brownian motion reaches the line of level -c has at most the chance 1."""
    here = (Rel(level, "<", 0),)
    mirrored = instance(uses("ours/counting/reflection", item="at a line in time"), {level: -level}, LINE, here)
    first, second = (upper((level + way * slope * time) / sp.sqrt(time)) for way in (1, -1))
    grows, falls = sp.exp(2 * slope * level), sp.exp(-2 * slope * level)
    value = mirrored.concludes.rel.stated[1]
    form = Goal(Rel(value, "=", 1 - second + grows * (1 - first)), LINE, name="tails of opposite numbers")
    small = Goal(
        Rel(q * (1 - p), "<=", r),
        dict.fromkeys((p, q, r, b, f), real()),
        (Rel(f, "=", b), Rel(f, "<=", 1), Rel(b, "=", 1 - r + q * (1 - p))),
        "the rest",
    )
    at = {p: first, q: grows, r: second, f: mirrored.concludes.rel.stated[0], b: value}
    rest = applied(small, at, mirrored, at_most_one(-level), form, domain=LINE, given=here, name="the rest")
    times = Goal(
        Rel(1, "<=", p + b * r),
        {p: real(), r: real(), q: real(), b: positive()},
        (Rel(b * (q * (1 - p)), "<=", b * r), Rel(b * q, "=", 1)),
        "divided",
    )
    scale = Goal(
        Rel(b * x, "<=", b * y), {x: real(), y: real(), b: positive()}, (Rel(x, "<=", y),), "times a positive number"
    )
    scaled = applied(scale, {x: grows * (1 - first), y: second, b: falls}, rest, domain=LINE, given=here, name="times")
    inverse = Goal(Rel(falls * grows, "=", 1), LINE, name="inverse powers")
    at = {p: first, q: grows, r: second, b: falls}
    return applied(times, at, scaled, inverse, domain=LINE, given=here, name="at least 1")


def at_the_line() -> Applied:
    """meets = 1 for c = 0."""
    here, there = (Rel(level, ">=", 0), Rel(level, "<=", 0)), (Rel(level, "=", 0),)
    given = Goal(Rel(level, "=", 0), LINE, there, name="at the line")
    same = congruent(meets(x, slope, time), x, given, LINE, there, name="at the line")
    one = Goal(Rel(meets(sp.S.Zero, slope, time), "=", 1), LINE, name="two opposite tails")
    least = follows(Rel(1, "<=", meets(level, slope, time)), same, one, domain=LINE, given=there, name="at least 1")
    return applied(least, {}, domain=LINE, given=here, name="at least 1")


@cache
def bound() -> Cases:
    """H <= meets: below the line both are equal, by the reflection principle. Above it H is 1, and that meets is at
    least 1 says that a Brownian motion reaches the mirrored line with a chance of at most 1."""
    value = meets(level, slope, time)
    rel = Rel(chance(level, slope, time), "<=", value)
    ahead, beyond = Rel(level, ">", 0), Rel(level, "<=", 0)
    known = instance(uses("ours/counting/reflection", item="at a line in time"), {}, LINE, (ahead,))
    before = follows(rel, known, domain=LINE, given=(ahead,), name="below the line")
    more = Cases(Rel(level, "<", 0), behind(), at_the_line(), "at least 1")
    after = follows(rel, at_most_one(level), more, domain=LINE, given=(beyond,), name="above the line")
    return Cases(ahead, before, after, "at most the mean at the end")


WITH_STEP = {**LETTERS, r: Letter(r, "deviation of a normal step")}
NEXT = level + slope * r**2 - r * z1  # the level after a step r z1 of variance r^2
STEP = {**LINE, r: real()}
WHOLE = time + r**2  # the time that is left before it


def later() -> Expectation:
    """The mean of the chance after a step is at most that of its bound."""
    return Expectation(
        instance(bound(), {level: NEXT}, STEP, name="after the step"),
        (z1,),
        name="in the mean",
    )


def summed() -> Cited:
    """A step and what comes after it are one normal number."""
    over = x - level - slope * WHOLE
    f_ = Event(sp.expand(over), 0) * (1 + sp.exp(sp.expand(2 * slope * over)))
    factors, factor = (r, sp.sqrt(time)), sp.sqrt(WHOLE)
    at = {"f": f_, "x": x, "factors": factors, "factor": factor, "normals": (z1, z2), "numbers": (u, v)}
    both, one = (substitute(f_, {x: end}) for end in (r * z1 + factors[1] * z2, factor * z1))
    square = Goal(Rel(factors[0] ** 2 + factors[1] ** 2, "=", factor**2), STEP, name="variances")
    gives = Goal(Rel(Mean(both, z1, z2), "=", Mean(one, z1)), STEP, name="the end", letters=LETTERS)
    return cited(NORMAL_SUM, hypotheses=(square, moments(z1, z2)), gives=gives, name="the end", at=at)


def ahead_of_step() -> Applied:
    """The chance does not rise in the mean, from below the line."""
    here = (Rel(level, ">", 0),)
    bound_ = later()
    value = Expectation(
        instance(
            uses("ours/counting/line/end", item="mean at the end, z_2"), {level: NEXT}, STEP, name="after the step"
        ),
        (z1,),
        name="mean of the bound",
    )
    total = summed()
    ends = instance(uses("ours/counting/line/end", item="mean at the end, z_1"), {time: WHOLE}, STEP, name="at the end")
    known = instance(
        uses("ours/counting/reflection", item="at a line in time"), {time: WHOLE}, STEP, here, "reflection"
    )
    lemma = Goal(
        Rel(p, "<=", q),
        dict.fromkeys((p, q, b, f, x, y), real()),
        (Rel(p, "<=", b), Rel(f, "=", b), Rel(f, "=", x), Rel(x, "=", y), Rel(q, "=", y)),
        "in turn",
    )
    at = {**dict(zip((p, b), bound_.concludes.rel.stated, strict=True)), f: value.concludes.rel.stated[0]}
    at |= {q: known.concludes.rel.stated[0], **dict(zip((x, y), ends.concludes.rel.stated, strict=True))}
    parts = bound_, value, total, ends, known
    return applied(lemma, at, *parts, domain=STEP, given=here, name="from below the line")


def certain(number: sp.Expr, domain: Domain, given: tuple[Rel, ...], *known: Item) -> Follows:
    """The indicator of number >= 0 is 1, where this is known."""
    holds = follows(Rel(0, "<=", number), *known, domain=domain, given=given, name="it holds")
    never = Union(holds, (), "it does not fail")
    rel = Rel(Event(number, 0), "=", 1)
    return follows(rel, never, Otherwise(number, domain, "or it does"), domain=domain, given=given, name="certain")


def beyond_line() -> Follows:
    """From above the line the chance is 1, which it does not exceed."""
    here = (Rel(level, "<=", 0),)
    sure = Expectation(certain(above_line(slope, WHOLE, o) - level, STEP, here), (o,))
    after = Event(above_line(slope, time, o) - NEXT, 0)
    once = Expectation(Goal(Rel(after, "<=", 1), STEP, name="an indicator"), (o, z1))
    rel = Rel(once.concludes.rel.stated[0], "<=", sure.concludes.rel.stated[0])
    return follows(rel, once, sure, domain=STEP, given=here, name="from above the line")


@claim("ours/counting/line/step", by="us", kind="inequality")
def normal_step() -> Argument:
    """Below the line: the chance after the step is at most a mean over the end, the step and the rest are one normal
    number, and for the whole time this mean is the chance. Above it the chance is 1."""
    return proof(Cases(Rel(level, ">", 0), ahead_of_step(), beyond_line(), "a normal step"), letters=WITH_STEP)
