"""A normal number that is cut from above is smaller: the chance to reach a line after a step that rises with it.

The mean of an arm is known to be at most the best of the other means; without that its law would be normal. Pointwise:
an event that gets easier as z rises is at most its value at the cut for z below the cut, and at least that for z above.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.classical import NORMAL_SUM
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import (
    Applied,
    Cases,
    Cited,
    Expectation,
    Follows,
    Otherwise,
    Union,
    applied,
    cited,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Event, Mean, linear, substitute
from theory.model.round_kinds import above_line, o
from theory.model.standard_normals import apart, moments, u, v, z1, z2, z3
from theory.ours.brownian_line import level, slope, time
from theory.ours.line_in_time import LETTERS, LINE, certain

b, f, p, q, r, x, y = sp.symbols("b f p q r x y")
own, noise, late, top, scale = sp.symbols("f_1 f_2 f_3 h b_1")
CUT: dict[sp.Expr, Var] = {
    **{**LINE, time: at_least(0), own: at_least(0), noise: real(), late: real(), top: real(), scale: positive()},
}
WORDS = {
    own: Letter(own, "any number >= 0"),
    noise: Letter(noise, "any number"),
    late: Letter(late, "any number"),
    top: Letter(top, "any number"),
    scale: Letter(scale, "any positive number"),
}
KEPT = Event(top - scale * z1, 0)
LOWER, HIGHER = Rel(top - scale * z1, ">=", 0), Rel(top - scale * z1, "<", 0)


def height(z: sp.Expr, more: sp.Expr) -> sp.Expr:
    """By how much the motion is above the line, after a step own z and more."""
    return above_line(slope, time, o) - level + own * z + more


def ordered(more: sp.Expr, here: Rel) -> Follows:
    """The events at z_1 and at the cut: that of the larger number is the larger one."""
    values = [height(z, more) for z in (z1, top / scale)]
    low, high = values if here == LOWER else values[::-1]
    sides_ = (own * z1, own * top / scale) if here == LOWER else (own * top / scale, own * z1)
    order = Goal(Rel(sides_[0], "<=", sides_[1]), CUT, (here,), "in order")
    still = Rel(low, ">=", 0)
    more_ = Goal(
        Rel(b + y, ">=", 0), dict.fromkeys((b, x, y), real()), (Rel(b + x, ">=", 0), Rel(x, "<=", y)), "a higher step"
    )
    at = {b: height(sp.S.Zero, more), x: sides_[0], y: sides_[1]}
    easier = applied(more_, at, order, domain=CUT, given=(here, still), name="a higher step")
    fails = Union(easier, (still,), "if not after the higher step")
    happens = [Otherwise(value, CUT, "it happens or not") for value in (low, high)]
    rel = Rel(Event(low, 0), "<=", Event(high, 0))
    return follows(rel, fails, *happens, domain=CUT, given=(here,), name="the easier event")


def sides(more: sp.Expr) -> tuple[Cases, Cases]:
    """(E(z) - E(cut)) 1{z below the cut} <= 0, and the same >= 0 above it."""
    one, at_cut = (Event(height(z, more), 0) for z in (z1, top / scale))
    sure = certain(top - scale * z1, CUT, (LOWER,))
    higher = Goal(Rel(scale * z1 - top, ">", 0), CUT, (HIGHER,), "above the cut")
    never = Union(higher, (), "not below the cut")
    share = Var(sp.S.Zero, high=sp.S.One)
    numbers = {x: share, y: share, p: share}
    below_ = Goal(Rel((x - y) * p, "<=", 0), numbers, (Rel(x, "<=", y),), "below the cut")
    none_ = Goal(Rel((x - y) * p, "<=", 0), numbers, (Rel(p, "<=", 0),), "nothing there")
    above_ = Goal(Rel((x - y) * (1 - p), ">=", 0), numbers, (Rel(y, "<=", x),), "above the cut")
    whole_ = Goal(Rel((x - y) * (1 - p), ">=", 0), numbers, (Rel(p, "=", 1),), "nothing there")
    at = {x: one, y: at_cut, p: KEPT}

    def case(lemma: Goal, known: Item, here: Rel) -> Applied:
        return applied(lemma, at, known, domain=CUT, given=(here,), name=lemma.name)

    return (
        Cases(LOWER, case(below_, ordered(more, LOWER), LOWER), case(none_, never, HIGHER), "below the cut"),
        Cases(LOWER, case(whole_, sure, LOWER), case(above_, ordered(more, HIGHER), HIGHER), "above the cut"),
    )


def cut_mean(more: sp.Expr, over: tuple[sp.Symbol, ...], name: str) -> Applied:
    """E[E(z) 1{z below the cut}] <= P(z below the cut) E[E(z)]."""
    one, at_cut = (Event(height(z, more), 0) for z in (z1, top / scale))
    low, high = (Expectation(item, (*over, z1)) for item in sides(more))
    share = Mean(KEPT, z1)
    free = apart(at_cut, over, KEPT, CUT)
    alone = apart(at_cut, over, sp.S.One, CUT)
    share_ = Var(sp.S.Zero, high=sp.S.One)
    numbers = {**dict.fromkeys((x, y, r, b, f), real()), q: share_}
    known = (Rel(x - r, "<=", 0), Rel(y - x - f + r, ">=", 0), Rel(r, "=", b * q), Rel(f, "=", b))
    product = Goal(Rel(x * y, ">=", 0), {x: at_least(0), y: at_least(0)}, name="a product")
    low_ = follows(Rel(b * q - x, ">=", 0), domain=numbers, given=known, name="below the cut")
    high_ = follows(Rel(y - x - b * (1 - q), ">=", 0), domain=numbers, given=known, name="above the cut")
    both = [
        applied(product, {x: value.rel.stated[0], y: factor}, value, domain=numbers, given=known, name="weighted")
        for value, factor in ((low_, 1 - q), (high_, q))
    ]
    lemma = follows(Rel(x, "<=", q * y), *both, domain=numbers, given=known, name="both sides of the cut")
    means = [Mean(event, *over, z1) for event in (one * KEPT, one, at_cut * KEPT, at_cut)]
    at = dict(zip((x, y, r, f), means, strict=True)) | {q: share, b: Mean(at_cut, *over)}
    within = [Expectation(Goal(rel, CUT, name="a share"), (z1,)) for rel in (Rel(KEPT, ">=", 0), Rel(KEPT, "<=", 1))]
    return applied(lemma, at, low, high, free, alone, *within, domain=CUT, name=name)


@claim("ours/counting/line/cut", by="us", kind="inequality")
def cut() -> Argument:
    """An event that gets easier as z rises is at most what it is at the cut for z below it, and at least that for z
    above it: its chance and that z is below the cut are negatively correlated."""
    return proof(
        cut_mean(noise * z2, (o, z2), "a step"),
        cut_mean(noise * z2 + late * z3, (o, z2, z3), "a first step"),
        letters={**LETTERS, **WORDS},
    )


total = sp.Symbol("r")  # the deviation of a whole step
FORWARD = {**CUT, time: positive(), total: at_least(0)}
START = {**CUT, total: at_least(0)}
BOTH = own**2 + noise**2  # the variance of a step
IN_ALL, WITH_LATER = Rel(total**2, "=", BOTH), Rel(total**2, "=", BOTH + late**2)


def one_normal(
    f_: sp.Expr,
    factors: tuple[sp.Expr, sp.Expr],
    factor: sp.Expr,
    normals: tuple[sp.Symbol, sp.Symbol],
    domain: dict[sp.Expr, Var],
    *given: Rel,
) -> Cited:
    """f, an expression in x, of a sum of two normals as f of one."""
    one, two = normals
    both, single = (substitute(f_, {x: value}) for value in (factors[0] * one + factors[1] * two, factor * one))
    square = Goal(Rel(factors[0] ** 2 + factors[1] ** 2, "=", factor**2), domain, given, name="variances")
    rel = Rel(linear(Mean(both, *normals)), "=", linear(Mean(single, one)))
    gives = Goal(rel, domain, given, name="one normal", letters=LETTERS)
    form = {"f": f_, "x": x, "factors": factors, "factor": factor, "normals": normals, "numbers": (u, v)}
    every = (own, noise, late, total) if given else ()  # the laws are equal for all numbers of which `given` holds
    return cited(
        NORMAL_SUM, hypotheses=(square, moments(*normals)), gives=gives, name="one normal", at=form, every=every
    )


def weighted(after: Item, domain: dict[sp.Expr, Var], given: Rel, name: str, *larger: Item) -> Applied:
    """a <= P(z below the cut) d, from a <= P(z below the cut) b and from b = c, c <= d."""
    start, middle = conclusion(larger[0]).rel.stated[0], conclusion(larger[-1]).rel
    order = Goal(Rel(x, "<=", f), dict.fromkeys((x, y, f), real()), (Rel(x, "=", y), Rel(y, middle.op, f)), "in turn")
    at = {x: start, y: middle.stated[0], f: middle.stated[1]}
    less = applied(order, at, *larger, domain=domain, given=(given,), name="in turn")
    lemma = Goal(
        Rel(x, "<=", p * f),
        {**dict.fromkeys((x, y, f), real()), p: at_least(0)},
        (Rel(x, "<=", p * y), Rel(y, "<=", f)),
        "in turn",
    )
    nonnegative = Expectation(Goal(Rel(KEPT, ">=", 0), domain, name="a share"), (z1,))
    at = {x: conclusion(after).rel.stated[0], p: Mean(KEPT, z1), y: start, f: middle.stated[1]}
    return applied(lemma, at, nonnegative, after, less, domain=domain, given=(given,), name=name)


def cut_step() -> Applied:
    """The line after a step: the cut lowers the chance to reach it, and a normal step does not raise it."""
    after = instance(
        uses("ours/counting/line/cut", item="a step"), {level: level + slope * total**2}, FORWARD, name="after a step"
    )
    reached = Mean(Event(above_line(slope, time, o) - level - slope * total**2 + x, 0), o)
    joined = one_normal(reached, (own, noise), total, (z1, z2), FORWARD, IN_ALL)
    normal = instance(uses("ours/counting/line/step"), {}, FORWARD, name="a normal step")
    return weighted(after, FORWARD, IN_ALL, "a cut step", joined, normal)


def first_step() -> Applied:
    """One of the first steps, before the line starts: it and the later ones are one normal number."""
    after = instance(uses("ours/counting/line/cut", item="a first step"), {}, START, name="a first step")
    base = above_line(slope, time, o) - level
    joined = one_normal(Mean(Event(base + x + late * z3, 0), o, z3), (own, noise), sp.sqrt(BOTH), (z1, z2), START)
    whole = one_normal(Mean(Event(base + x, 0), o), (late, sp.sqrt(BOTH)), total, (z3, z1), START, WITH_LATER)
    return weighted(after, START, WITH_LATER, "a cut first step", joined, whole)


@claim("ours/counting/line/cut-steps", by="us", kind="inequality")
def cut_steps() -> Argument:
    """A step that is cut from above is smaller than a normal one, and a normal step does not raise the chance to reach
    the line; before the line starts, it is a part of the normal number at its start."""
    return proof(
        cut_step(), first_step(), letters={**LETTERS, **WORDS, total: Letter(total, "deviation of the whole step")}
    )
